/** A clip's time driven by scrolling, media, a number or a function: exact, and without work while nothing changes. */

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

export const backends = ["webgl2"];
export const longestSecs = 240;

export default async function ({ page, backend, mounts }) {
  writeFileSync(join(mounts["/fixtures/"], "silence.wav"), silence(6));
  await page.evaluate(async (backend) => {
    window.gambol = await import("/gambol/drive.js");
    window.drive = gambol.drive;
    window.frames = async (count) => {
      for (; count > 0; count--) await new Promise((done) => plainFrame(done));
    };
    window.plainFrame = requestAnimationFrame.bind(window);
    window.requests = 0;
    window.requestAnimationFrame = (callback) => {
      requests++;
      return plainFrame(callback);
    };
    window.reference = await stage.openModel(backend, "/fixtures/swing.glb", { clip: "Swing" });
    reference.pause();
    reference.canvas.remove();
    /** Returns whether a player shows exactly the pose of a seek to the time. */
    window.shows = (player, time) => {
      reference.currentTime = time;
      const [a, b] = [player.worldMatrices(), reference.worldMatrices()];
      return player.currentTime === time && player.paused && a.every((number, at) => number === b[at]);
    };
    /** Asserts that the player's own clock runs. */
    window.fresh = async () => {
      const player = await stage.open(backend);
      await player.load("/fixtures/swing.glb");
      player.autoUpdate = true;
      // Refined pictures are requested while nothing changes.
      player.still = "plain";
      player.canvas.style.cssText = "position: fixed; inset: 0 auto auto 0";
      return player;
    };
    /** Returns the number of animation frames that are requested while nothing changes. */
    window.idle = async () => {
      await frames(10);
      const before = requests;
      await frames(20);
      return requests - before;
    };
  }, backend);

  await numbersAndFunctions(page);
  await scrolls(page, "native");
  await page.evaluate(() => {
    delete window.ScrollTimeline;
    delete window.ViewTimeline;
  });
  await scrolls(page, "observed");
  await media(page);
  await elements(page, backend);
  await errors(page);
}

async function numbersAndFunctions(page) {
  const told = await page.evaluate(async () => {
    const player = await fresh();
    const told = {};
    drive(player, 0.25, { clip: "Swing" });
    told.number = shows(player, 0.5);
    told.idleWithNumber = await idle();
    drive(player, 2);
    told.limited = shows(player, 2);

    let value = 0.5;
    const driving = drive(player, () => value, { range: [0.5, 1.5] });
    await frames(3);
    told.part = shows(player, 1);
    value = 0.75;
    await frames(3);
    told.later = shows(player, 1.25);
    value = NaN;
    await frames(3);
    told.unknown = shows(player, 1.25);
    driving.stop();
    value = 0;
    told.idleAfterStop = await idle();
    told.stopped = shows(player, 1.25);

    drive(player, 0.25, { range: [1.5, 0.5] });
    told.backwards = shows(player, 1.25);
    // A call of `play()` has no effect on a driven player.
    player.play("Raise", { fade: 0.5 });
    drive(player, 0.5, { clip: "Swing" });
    player.play("Raise", { fade: 0.5 });
    await frames(3);
    told.held = shows(player, 1);
    player.dispose();
    player.canvas.remove();
    return told;
  });
  assert.deepEqual(told, {
    number: true,
    idleWithNumber: 0,
    limited: true,
    part: true,
    later: true,
    unknown: true,
    idleAfterStop: 0,
    stopped: true,
    backwards: true,
    held: true,
  });
}

/** Returns the scroll progress of the page, and the progress of the box through the view, from the layout. */
async function scrolls(page, kind) {
  const told = await page.evaluate(async (kind) => {
    const filler = document.createElement("div");
    filler.style.cssText = "height: 3000px; position: relative";
    const box = document.createElement("div");
    box.style.cssText = "position: absolute; top: 900px; height: 200px; width: 100px";
    filler.append(box);
    const scroller = document.createElement("div");
    scroller.style.cssText =
      "position: absolute; left: 300px; top: 700px; height: 300px; width: 200px; overflow: auto; border: 7px solid";
    scroller.innerHTML =
      "<div style='height: 1500px; padding-top: 500px'><p style='height: 120px; margin: 0'>inside</p></div>";
    filler.append(scroller);
    document.body.append(filler);
    const inside = scroller.querySelector("p");
    // `scroll-padding` doesn't shorten the range of an element.
    document.documentElement.style.scrollPaddingBlockStart = "76px";
    const told = { apart: 0, drawn: 0, poses: true };
    const near = (player, share) => {
      const apart = Math.abs(player.currentTime / 2 - share);
      told.apart = Math.max(told.apart, apart);
      told.poses &&= shows(player, player.currentTime);
    };
    const wayThrough = (element, top, height) => {
      const box = element.getBoundingClientRect();
      return Math.min(Math.max((top + height - box.top) / (height + box.height), 0), 1);
    };

    const player = await fresh();
    if (kind === "native") drive(player, new ScrollTimeline({ source: document.documentElement }), { clip: "Swing" });
    for (const y of [0, 300, 1111, 2400, 0]) {
      if (kind !== "native") break;
      scrollTo(0, y);
      await frames(4);
      near(player, y / (document.documentElement.scrollHeight - innerHeight));
    }

    drive(player, box, { clip: "Swing" });
    for (const y of [0, 350, 601, 950, 1099, 1500, 700]) {
      scrollTo(0, y);
      await frames(6);
      near(player, wayThrough(box, 0, innerHeight));
    }
    // During a continuous scroll, each frame shows its own scroll position.
    let late = 0;
    let drawn = 0;
    const count = () => {
      drawn++;
      late = Math.max(late, Math.abs(player.currentTime / 2 - wayThrough(box, 0, innerHeight)));
    };
    player.addEventListener("timeupdate", count);
    for (let step = 0; step < 20; step++) {
      scrollTo(0, 500 + step * 20);
      await frames(1);
      // A native timeline keeps the value from the start of the frame, even if a script scrolls during the frame.
      await new Promise((done) => setTimeout(done));
    }
    await frames(4);
    player.removeEventListener("timeupdate", count);
    Object.assign(told, { drawn, late });

    drive(player, inside, { clip: "Swing" });
    scrollTo(0, 600);
    for (const y of [0, 200, 333, 500, 900]) {
      scroller.scrollTop = y;
      await frames(6);
      near(
        player,
        wayThrough(inside, scroller.getBoundingClientRect().top + scroller.clientTop, scroller.clientHeight),
      );
    }
    told.idle = await idle();

    // Out of view the position isn't read. Back in view, the time is correct.
    drive(player, box, { clip: "Swing" });
    scrollTo(0, 400);
    await frames(6);
    const there = player.currentTime;
    player.canvas.style.left = "-5000px";
    await frames(6);
    const before = requests;
    scrollTo(0, 800);
    await frames(6);
    told.outOfView = { asked: requests - before, moved: player.currentTime - there };
    player.canvas.style.left = "0";
    await frames(6);
    near(player, wayThrough(box, 0, innerHeight));

    player.dispose();
    player.canvas.remove();
    filler.remove();
    document.documentElement.style.scrollPaddingBlockStart = "";
    scrollTo(0, 0);
    return told;
  }, kind);
  assert.ok(told.apart < 1e-3, `${kind}: ${told.apart} of the way apart`);
  assert.ok(told.late < 1e-3, `${kind}: pictures are ${told.late} of the way late`);
  assert.ok(told.drawn >= 18, `${kind}: ${told.drawn} pictures for twenty scrolls`);
  assert.equal(told.poses, true, kind);
  assert.equal(told.idle, 0, `${kind}: at rest`);
  assert.deepEqual(told.outOfView, { asked: 0, moved: 0 }, kind);
}

async function media(page) {
  const told = await page.evaluate(async () => {
    const player = await fresh();
    const audio = document.createElement("audio");
    Object.assign(audio, { src: "/fixtures/silence.wav", muted: true });
    document.body.append(audio);
    await untilEvent(audio, "canplaythrough");
    drive(player, audio, { clip: "Swing" });
    const told = { atStart: shows(player, 0) };
    const seekTo = async (secs) => {
      const sought = untilEvent(audio, "seeked");
      audio.currentTime = secs;
      await sought;
      await frames(3);
      return audio.currentTime;
    };
    told.sought = shows(player, await seekTo(1.25));
    // The sound is longer than the clip, so the clip repeats.
    told.again = shows(player, (await seekTo(4.5)) % 2);
    told.idle = await idle();

    await seekTo(0.25);
    audio.playbackRate = 0.5;
    let [pictures, late] = [0, 0];
    player.addEventListener("timeupdate", () => {
      pictures++;
      late = Math.max(late, Math.abs(player.currentTime - audio.currentTime));
    });
    await audio.play();
    await frames(30);
    Object.assign(told, { pictures, late, moved: player.currentTime > 0.26 });
    audio.pause();
    // A media element may still change shortly after the call.
    told.paused = await until(() => shows(player, audio.currentTime));
    told.idleAgain = await idle();

    drive(player, audio, { clip: "Swing", range: [0.5, 1], loop: false });
    await seekTo(3);
    told.held = shows(player, 1);
    audio.remove();

    // Another player can be the driver too.
    const leader = await fresh();
    leader.play("Swing");
    leader.pause();
    leader.currentTime = 0.7;
    drive(player, leader, { clip: "Swing" });
    told.byPlayer = shows(player, 0.7);
    leader.play();
    leader.dispose();
    told.idleWithoutIt = await idle();
    leader.canvas.remove();
    player.dispose();
    player.canvas.remove();
    return told;
  });
  const { pictures, late, ...rest } = told;
  assert.deepEqual(rest, {
    atStart: true,
    sought: true,
    again: true,
    idle: 0,
    moved: true,
    paused: true,
    idleAgain: 0,
    held: true,
    byPlayer: true,
    idleWithoutIt: 0,
  });
  // The media time advances by less than a frame between reading and drawing.
  assert.ok(late < 0.012, `pictures are ${late} s late`);
  assert.ok(pictures >= 10, `${pictures} pictures in thirty frames`);
}

/** Driving an element works before it has a player, across a change of its model, and against `autoplay`. */
async function elements(page, backend) {
  const told = await page.evaluate(async (backend) => {
    const element = document.createElement("gambol-player");
    const driving = drive(element, 0.5, { clip: "Swing" });
    Object.assign(element, { backend, src: "/fixtures/swing.glb", autoplay: true });
    const loaded = stage.once(element, "load");
    document.body.append(element);
    await loaded;
    await frames(6);
    const told = { first: shows(element.player, 1) };
    const again = stage.once(element, "load");
    element.src = "/fixtures/stroll.glb";
    await again;
    await frames(6);
    told.second = element.player.clip.name === "Swing" && element.currentTime === 1 && element.paused;
    driving.stop();
    await element.play("Raise");
    told.free = !element.paused;
    // A driver that fails after the model has loaded is reported to the page.
    const failed = stage.once(element, "error");
    drive(element, 0.5);
    const other = document.createElement("gambol-player");
    const unknown = stage.once(other, "error");
    drive(other, 0.5, { clip: "Fly" });
    Object.assign(other, { backend, src: "/fixtures/swing.glb" });
    document.body.append(other);
    told.unknown = (await unknown).code;
    void failed;
    element.remove();
    other.remove();

    // The camera frames the driven clip, even if the attribute names another one.
    for (const [name, clip] of [
      ["framed", ""],
      ["framedOverAnother", "Swing"],
    ]) {
      const framed = document.createElement("gambol-player");
      drive(framed, 1, { clip: "Raise" });
      Object.assign(framed, { backend, clip, src: "/fixtures/swing.glb" });
      const loaded = stage.once(framed, "load");
      document.body.append(framed);
      await loaded;
      await frames(6);
      const { player } = framed;
      const seen = () => [player.camera.distance, ...player.camera.target].map((number) => Number(number.toFixed(3)));
      const before = seen();
      const driven = player.clip?.name;
      player.frame();
      told[name] = [driven, JSON.stringify(before) === JSON.stringify(seen()), before.join()];
      player.camera.yaw = 1;
      await framed.play();
      await frames(3);
      told[name].push(player.camera.yaw === 1);
      framed.remove();
    }
    return told;
  }, backend);
  const { framed, framedOverAnother, ...rest } = told;
  assert.deepEqual(rest, { first: true, second: true, free: true, unknown: "UNKNOWN_CLIP" });
  assert.deepEqual(
    framed.toSpliced(2, 1),
    ["Raise", true, true],
    "the view shows the clip, and stays as the visitor turns it",
  );
  assert.deepEqual(framedOverAnother, framed);
}

async function errors(page) {
  const codes = await page.evaluate(async () => {
    const player = await fresh();
    const code = async (action) => (await stage.failure(action))?.code;
    const codes = [
      await code(() => drive(document.body, 0.5)),
      await code(() => drive(null, 0.5)),
      await code(() => drive(player, "0.5")),
      await code(() => drive(player, NaN)),
      await code(() => drive(player, null)),
      await code(() => drive(player, 0.5, { range: [0, Infinity] })),
      await code(() => drive(player, 0.5, { clip: "Fly" })),
    ];
    player.dispose();
    return codes;
  });
  assert.deepEqual(codes, [
    "NOT_A_PLAYER",
    "NOT_A_PLAYER",
    "NOT_A_DRIVER",
    "NOT_A_DRIVER",
    "NOT_A_DRIVER",
    "NOT_FINITE",
    "UNKNOWN_CLIP",
  ]);
}

/** Returns a silent WAV file of this length in seconds: one channel, 8 bits, 8 kHz. */
function silence(secs) {
  const data = Buffer.alloc(secs * 8000, 128);
  const head = Buffer.alloc(44);
  head.write("RIFF", 0);
  head.writeUInt32LE(36 + data.length, 4);
  head.write("WAVEfmt ", 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(8000, 24);
  head.writeUInt32LE(8000, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write("data", 36);
  head.writeUInt32LE(data.length, 40);
  return Buffer.concat([head, data]);
}
