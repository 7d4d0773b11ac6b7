/**
 * Checks for each example of the documentation's page on animation, by name. `player` has just run the example, `said`
 * is its output, and `alone(clip, time)` returns the pose of that clip without anything else.
 */

const near = (a, b, tolerance = 1e-4) => Math.abs(a - b) <= tolerance;

function check(held, why) {
  if (!held) throw new Error(why);
}

function same(found, expected) {
  check(
    JSON.stringify(found) === JSON.stringify(expected),
    `${JSON.stringify(found)}, not ${JSON.stringify(expected)}`,
  );
}

/** Returns the distance between the positions of a node in two poses. */
function apart(player, node, other, pose = player.worldMatrices()) {
  const { index } = player.node(node);
  const [a, b] = [pose, other].map((matrices) => matrices.slice(index * 16 + 12, index * 16 + 15));
  return Math.hypot(...a.map((number, lane) => number - b[lane]));
}

/** Distance in metres that counts as movement: more than rounding, less than a step. */
const SEEN = 0.005;

export const CHECKS = {
  layers({ player, alone }) {
    player.advance(0.4);
    const run = alone("Run", player.currentTime);
    check(apart(player, "LeftFoot", run) === 0, "the legs run on");
    check(apart(player, "LeftHand", run) + apart(player, "RightHand", run) > SEEN, "the arms wave");
  },
  "layer-weight"({ player, said }) {
    same(said, ['["base","upper"] Wave 0.5']);
    player.advance(0.3);
    check(player.layer("upper").weight === 1, "faded in");
  },
  "layer-stop"({ player, said }) {
    same(said, ["stopped"]);
    same(player.layers, ["base"]);
  },
  "added-clips"({ player, said, alone }) {
    same(said, [`${player.clips.length / 2} 0`]);
    player.advance(1);
    check(apart(player, "LeftHand", alone("Dance", player.currentTime)) < 1e-4, "it dances");
  },
  "borrowed-clips"({ player, said, alone }) {
    same(said, ["hips Hips Hips name 0"]);
    player.advance(0.5);
    const own = alone(player.clips[0].name, player.currentTime);
    check(player.clip.index > player.clips[0].index, "it is another clip");
    check(apart(player, "LeftHand", own) < 0.01, "it moves as the other does");
  },
  masks({ player, alone }) {
    player.advance(0.5);
    const walk = alone("Walk", player.currentTime);
    check(apart(player, "RightHand", walk) > SEEN, "the right arm waves");
    check(apart(player, "LeftFoot", walk) === 0, "the feet walk on");
  },
  additive({ player, alone }) {
    check(apart(player, "Head", alone("Walk", 0)) < 1e-4, "at its reference it adds nothing");
    player.advance(0.3);
    const walk = alone("Walk", player.currentTime);
    check(apart(player, "LeftHand", walk) > SEEN, "it sways");
    check(apart(player, "LeftFoot", walk) === 0, "the feet walk on");
  },
  "additive-reference"({ player, alone }) {
    player.advance(0.5);
    check(apart(player, "Head", alone("Walk", player.currentTime)) > SEEN, "it sways");
  },
  "blend-along"({ player, alone }) {
    player.advance(0);
    same(player.parameters.names, ["speed"]);
    const pose = player.worldMatrices();
    check(apart(player, "LeftFoot", alone("Walk", 0), pose) > SEEN, "not walking alone");
    check(apart(player, "LeftFoot", alone("Run", 0), pose) > SEEN, "not running alone");
    player.parameters.set("speed", 4);
    player.advance(0);
    check(apart(player, "LeftFoot", alone("Run", player.currentTime)) < 1e-4, "at its place a motion plays alone");
  },
  "blend-across"({ player, alone }) {
    player.parameters.set("x", 0);
    player.parameters.set("y", 1);
    player.advance(0);
    check(apart(player, "LeftFoot", alone("Walk", player.currentTime)) < 1e-4, "at its place a motion plays alone");
    player.parameters.set("x", 0.5);
    player.advance(0);
    check(apart(player, "LeftHand", alone("Walk", player.currentTime)) > SEEN, "between them they mix");
  },
  "blend-mix"({ player, alone }) {
    check(player.parameters.get("groove") === 0.5, "as it was set");
    player.parameters.set("groove", 0);
    player.advance(0);
    check(apart(player, "Head", alone("Idle", player.currentTime)) < 1e-4, "without weight nothing is mixed in");
  },
  crossfade({ player, alone }) {
    check(apart(player, "LeftFoot", alone("Walk", 0)) < 1e-4, "a fade begins where the pose was");
    player.advance(0.5);
    check(apart(player, "LeftFoot", alone("Idle", player.currentTime)) < 1e-4, "and ends in the new motion");
  },
  inertia({ player, alone }) {
    check(apart(player, "LeftFoot", alone("Run", 0)) < 1e-3, "it begins where the pose was");
    player.advance(0.5);
    check(apart(player, "LeftFoot", alone("Idle", player.currentTime)) < 1e-4, "and ends in the new motion");
  },
  "dead-blending"({ player, alone }) {
    check(apart(player, "LeftFoot", alone("Run", 0)) < 1e-3, "it begins where the pose was");
    player.advance(0.2);
    check(apart(player, "LeftFoot", alone("Idle", player.currentTime)) > 1e-3, "and fades");
    player.advance(0.2);
    check(apart(player, "LeftFoot", alone("Idle", player.currentTime)) < 1e-4, "and ends in the new motion");
  },
  parts({ player, said, alone }) {
    check(near(Number(said[0]), 1.5), `began at ${said[0]}`);
    check(apart(player, "Head", alone("Dance", 1.5)) < 1e-4, "shows that time");
    player.advance(1.75);
    check(near(player.currentTime, 1.25), `the part repeats: ${player.currentTime}`);
  },
  speed({ player }) {
    const before = player.currentTime;
    player.advance(0.2);
    check(near(player.currentTime, before - 0.1), `backwards at half speed: ${player.currentTime}`);
  },
  count({ player, said }) {
    same(said, ["ended"]);
    same(player.clip.name, "Idle");
  },
  release({ player, said, alone }) {
    same(said, ["waved"]);
    player.advance(0.5);
    const walk = alone("Walk", player.currentTime);
    check(apart(player, "RightHand", walk) < 1e-5, "the arm was let go of");
    same(player.layer("upper").state, "stopped");
  },
  seek({ player, alone }) {
    same([player.paused, player.currentTime], [true, 0.9]);
    check(apart(player, "Head", alone("Jump", 0.9)) === 0, "shows that time");
  },
  sync({ player }) {
    // The left footfall is at the same phase of both clips.
    player.advance(0.3);
    const share = (time, [left, right], duration) => {
      if (time < left) return (time + duration - right) / (left + duration - right) / 2 + 0.5;
      return time < right ? (time - left) / (right - left) / 2 : (time - right) / (left + duration - right) / 2 + 0.5;
    };
    player.stop();
    player.play("Walk", { sync: "feet" });
    player.layer("above").play("Run", { sync: "feet" });
    player.advance(1.1);
    const walk = share(player.currentTime, [0.08, 0.54], player.clips.find(({ name }) => name === "Walk").duration);
    const run = share(
      player.layer("above").currentTime,
      [0.03, 0.32],
      player.clips.find(({ name }) => name === "Run").duration,
    );
    const off = Math.abs(walk - run);
    check(Math.min(off, 1 - off) < 0.01, `walk at ${walk}, run at ${run} of a step`);
  },
  "clock-step"({ player, said }) {
    same(said, [JSON.stringify({ step: 1 / 60 })]);
    player.advance(0.02);
    check(near(player.currentTime, 1 / 60), `whole steps: ${player.currentTime}`);
    player.advance(0.02);
    check(near(player.currentTime, 2 / 60), `what is left is kept: ${player.currentTime}`);
  },
  "clock-own"({ player, said }) {
    same(said, ["0.25"]);
    check(player.autoUpdate, "ours again");
  },
  machine({ player, said }) {
    for (let step = 0; step < 4; step++) player.advance(0.1);
    same(said, ["base Idle", "base Move", "base Jump"]);
    player.advance(2);
    player.advance(0.5);
    same(said.slice(-2), ["base Idle", "base Move"]);
    same(player.layer("base").stateName, "Move");
  },
  "machine-file"({ player, said }) {
    check(player.layers.length === 2 && said.length >= 3, `said ${said}`);
    check(
      said.some((line) => line.startsWith("base ")),
      `said ${said}`,
    );
  },
  events({ player, said }) {
    player.advance(5);
    const pass = ["base Walk left", "base Walk right"];
    same(said, [...pass, "loop 1", ...pass, "finished ended"]);
  },
  promises({ said }) {
    same(said, ["stopped"]);
  },
  root({ player, said }) {
    same(said, ["Hips"]);
    const pinned = player.node("Hips").worldMatrix.slice(12);
    player.advance(0.9);
    const [x, , z] = player.node("Hips").worldMatrix.slice(12);
    check(near(x, pinned[0]) && near(z, pinned[2]), "it stays over its place");
    const { translation, yaw } = player.takeTravel();
    check([...translation, yaw].every(Number.isFinite), "and its way is a number");
  },
  morphs({ player, said }) {
    same(said, ['["blink","smile","surprise"]']);
    check(player.morph("smile").weight === 1, "it smiles");
  },
  "morphs-back"({ player, said }) {
    same(said, [String(player.morph("smile").weight)]);
  },
  nodes({ player, said, alone }) {
    const [x, y, z] = said[0].split(" ").map(Number);
    check([x, y, z].every(Number.isFinite) && y > 0, `stands at ${said}`);
    const walk = alone("Walk", player.currentTime);
    check(apart(player, "RightEar1", walk) > SEEN, "the ears turn with the head");
    check(apart(player, "LeftHand", walk) === 0, "and nothing else");
  },
  "nodes-release"({ player }) {
    const rest = player.worldMatrices();
    player.node("LeftUpperArm").rotate([0, 0, 1, 0], { weight: 0.5 });
    check(apart(player, "LeftHand", rest) > SEEN, "it moved");
    player.node("LeftUpperArm").release();
    check(apart(player, "LeftHand", rest) === 0, "and was let go of");
  },
  look({ player, alone }) {
    const walk = alone("Walk", player.currentTime);
    check(apart(player, "RightEar1", walk) > SEEN, "the head turns");
    player.lookAt("Head", null);
    check(apart(player, "RightEar1", walk) === 0, "and back");
  },
  reach({ player }) {
    const [x, y, z] = player.node("Chest").worldMatrix.slice(12, 15);
    const hand = player.node("LeftHand").worldMatrix.slice(12, 15);
    const off = Math.hypot(hand[0] - x - 0.2, hand[1] - y - 0.1, hand[2] - z - 0.25);
    check(off < 0.01, `the hand is ${off} away`);
  },
  chain({ player, said }) {
    same(said, ['["arm"]']);
    const [x, y, z] = player.node("Chest").worldMatrix.slice(12, 15);
    const hand = player.node("LeftHand").worldMatrix.slice(12, 15);
    const off = Math.hypot(hand[0] - x - 0.2, hand[1] - y - 0.1, hand[2] - z - 0.25);
    check(off < 0.02, `the hand is ${off} away`);
  },
  gaze({ player, alone }) {
    player.advance(1);
    const walk = alone("Walk", player.currentTime);
    check(apart(player, "RightEar1", walk) > SEEN, "the head turns");
    check(apart(player, "LeftHand", walk) > 0, "so does the spine");
    check(apart(player, "LeftFoot", walk) === 0, "the legs walk on");
  },
  feet({ player, alone }) {
    const idle = alone("Idle", player.currentTime);
    const { index } = player.node("LeftFoot");
    const lift = player.worldMatrices()[index * 16 + 13] - idle[index * 16 + 13];
    check(near(lift, 0.1, 0.01), `the foot is lifted by ${lift}`);
    check(apart(player, "RightFoot", idle) < 0.01, "the other stays");
  },
  springs({ player, alone }) {
    for (let frame = 0; frame < 60; frame++) player.advance(1 / 60);
    const run = alone("Run", player.currentTime);
    check(near(player.springWeight, 0.5), "half as strong");
    check(
      apart(player, player.nodes.filter(({ name }) => name.startsWith("Tail")).at(-1).name, run) > SEEN,
      "it swings",
    );
    check(apart(player, "LeftFoot", run) === 0, "the legs run on");
  },
  ragdoll({ player, said, alone }) {
    same(said, ["falling"]);
    // How fast the head falls depends on the step of the run at which the fall began. After a second, it is 0.14 lower
    // at some steps, and after two at least 0.36 at all.
    for (let frame = 0; frame < 120; frame++) {
      player.advance(1 / 60);
      player.worldMatrices();
    }
    const { index } = player.node("Head");
    const run = alone("Run", player.currentTime);
    check(player.worldMatrices()[index * 16 + 13] < run[index * 16 + 13] - 0.2, "it falls");
  },
  async pick({ player, said }) {
    const { canvas } = player;
    const middle = await player.pick(canvas.clientWidth / 2, canvas.clientHeight / 2);
    check(said.length === 1 && said[0].startsWith(middle.node.name), `${said}`);
    const click = new MouseEvent("click", { clientX: canvas.getBoundingClientRect().left + 1 });
    canvas.dispatchEvent(click);
    for (let turn = 0; turn < 100 && said.length < 2; turn++) await new Promise((resolve) => setTimeout(resolve));
    same(said.slice(1), ["nothing"]);
  },
  "ragdoll-part"({ player, alone }) {
    for (let frame = 0; frame < 30; frame++) {
      player.advance(1 / 60);
      player.worldMatrices();
    }
    const walk = alone("Walk", player.currentTime);
    check(apart(player, "LeftHand", walk) > SEEN, "the arm hangs");
    check(apart(player, "LeftFoot", walk) < 1e-5, "the legs walk on");
  },
  "root-move"({ player }) {
    const pinned = player.node("Hips").worldMatrix.slice(12);
    player.advance(0.9);
    const { position } = player.place;
    const [x, , z] = player.node("Hips").worldMatrix.slice(12);
    check(near(x - position[0], pinned[0]) && near(z - position[2], pinned[2]), "it stays over its place");
    same(player.takeTravel(), { translation: [0, 0, 0], yaw: 0 });
  },
  place({ player, said }) {
    same(said, ["[0.5,0,0] 0.785 0.8"]);
    const [x, , z] = player.node("Hips").worldMatrix.slice(12);
    check(Math.hypot(x - 0.5, z) < 0.2, "it stands there");
  },
  crowd({ player, said }) {
    same(said, ["5 playing"]);
    player.advance(0.5);
    same(
      player.characters.map(({ playbackRate }) => playbackRate),
      [1, 1, 1.5, 1, 1],
    );
    check(player.characters[4].place.position[2] === 0.5, "it was moved");
    check(player.characters[3].tint[0] === 1 && near(player.characters[3].tint[1], 0.6), "it was tinted");
  },
  throng({ player, said }) {
    const [x, y, z] = said[0].split(" ").map(Number);
    check(Math.hypot(x - 2.5, z + 1) < 0.5 && y > 0.5, `the head is over the member's place: ${said}`);
    player.render();
    const { triangles } = player.stats;
    player.characters[0].visible = false;
    player.render();
    check(player.stats.triangles * 61 === triangles * 60, `60 members are drawn: ${triangles}`);
  },
  async "throng-markers"({ player, said }) {
    const { duration } = player.clips.find(({ name }) => name === "Walk");
    for (let step = 0; step < 20; step++) {
      player.advance(duration / 10);
      player.render();
      await player.settled();
    }
    await player.settled();
    check(said.length >= 2 && said.every((text) => text === "step Walk"), `two passes: ${said}`);
  },
  "node-visible"({ said }) {
    same(said, ["false true"]);
  },
  "look-smoothly"({ player, alone }) {
    const idle = () => alone("Idle", player.currentTime);
    check(apart(player, "RightEar1", idle()) < SEEN, "it begins as it plays");
    for (let frame = 0; frame < 60; frame++) {
      player.advance(1 / 60);
      player.worldMatrices();
    }
    check(apart(player, "RightEar1", idle()) > SEEN, "the head turns");
  },
  actors({ player, said }) {
    same(said, ["1 Idle"]);
    const [friend] = player.actors;
    const [x, , z] = friend.node("Hips").worldMatrix.slice(12);
    check(Math.hypot(x - 0.8, z) < 0.1, "the friend stands beside");
    const other = friend.worldMatrices();
    check(apart(player, "RightHand", other) > 0.5, "the friend doesn't wave");
  },
  "actor-held"({ player }) {
    const [tiny] = player.actors;
    const hand = player.node("RightHand").worldMatrix;
    const hips = tiny.node("Hips").worldMatrix;
    check(Math.hypot(...[12, 13, 14].map((at) => hand[at] - hips[at])) < 0.4, "the tiny one is in the hand");
    check(Math.abs(Math.hypot(...hips.slice(0, 3)) - 0.25) < 0.01, "it is small");
    check(tiny.clip.name === "Run", "it runs");
  },
  "actor-worn"({ player, said }) {
    same(said, ["true"]);
    player.advance(0.2);
    check(apart(player, "LeftHand", player.actors[0].worldMatrices()) < 1e-5, "the coat walks along");
  },
  materials({ player, said }) {
    same(said, ['["Fur","Hair","Knit","Leather","Horn","Eye","Glint","Brass"]']);
    check(near(player.material("Knit").roughness, 0.5) && near(player.material("Knit").color[2], 0.8), "it is blue");
  },
  "material-texture"({ player, said }) {
    check(player.material("Horn").color[3] === 1 && said.length === 1, `said ${said}`);
  },
  skinning({ said }) {
    same(said, ["dual-quaternion"]);
  },
  errors({ player, said }) {
    check(said[0]?.startsWith("UNKNOWN_NODE ") && said[0].includes("Hat"), `said ${said}`);
    check(said[1]?.startsWith("UNKNOWN_CLIP /layers/0/states/Walk/clip"), `said ${said}`);
    same([player.clip.name, player.layers], ["Walk", ["base"]]);
  },
};
