/** Tests what `npm run bench` makes of its measurements, and the packages that only the benchmark needs. */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { bytesOfObjects } from "../../benches/chromium.mjs";
import { COUNTS, countIn } from "../../benches/crowds/list.mjs";
import { boxAround, placeIn } from "../../benches/crowds/view.mjs";
import { boxOf } from "../../benches/model_box.mjs";
import { FrameMeter } from "../../benches/page/frame_meter.mjs";
import { cameraFor, placeOf } from "../../benches/players/view.mjs";
import { report, tableRows } from "../../benches/report.mjs";
import { drawing, markdown } from "../../benches/results.mjs";
import { quartiles, ratioOf, rise } from "../../benches/statistics.mjs";
import { measureStart } from "../../benches/suite.mjs";
import { root } from "../../www/toolchain.mjs";

const character = join(root, "dist/viewer/character.glb");
const built = existsSync(character);

const manifest = (path) => JSON.parse(readFileSync(join(root, path), "utf8"));

/** Returns one player's times in one case, equal in all rounds except one outlier. */
const cell = (player, count, fading, micros) => ({
  player,
  count,
  fading,
  micros: [micros, micros * 9, micros, micros, micros],
});

test("an argument that the benchmark doesn't know is refused before anything is built", () => {
  const bench = (...args) =>
    spawnSync(process.execPath, [join(root, "benches/all.mjs"), ...args], { encoding: "utf8" });
  const help = bench("--help");
  assert.deepEqual([help.status, help.stderr], [0, ""]);
  assert.match(help.stdout, /--rounds N/);
  for (const [argument, reason] of [
    ["--colour", /^bench: Unknown option '--colour'/],
    ["speed", /^bench: speed is not a part\n/],
  ]) {
    const { status, stdout, stderr } = bench(argument);
    assert.deepEqual([status, stdout], [2, ""], argument);
    assert.match(stderr, reason);
    assert.match(stderr, /npm run bench -- all/);
  }
});

const MEASURED = {
  differences: [
    { player: "three.js", fading: false, share: 6e-7 },
    { player: "Babylon.js", fading: true, share: 0.02 },
  ],
  cells: [
    cell("Gambol", 1, false, 0.5),
    cell("three.js", 1, false, 3),
    cell("Gambol", 1000, false, 0.25),
    cell("three.js", 1000, false, 20),
    cell("Gambol", 1000, true, 0.4),
    cell("three.js", 1000, true, 21),
  ],
};

test("the bench says which marks are met and which aren't", () => {
  const lines = report("Fox", MEASURED);
  const marks = lines.filter((line) => /^(met|NOT MET)/.test(line));
  assert.deepEqual(marks, [
    "NOT MET  three.js takes 6.0 times as long, 1 at a time (at least 8)",
    "met      three.js takes 80.0 times as long, 1000 at a time (at least 40)",
    "met      a crossfade costs 1.60 clips, 1000 at a time (at most 1.7)",
  ]);
});

test("the bench shows a peer that poses otherwise", () => {
  const said = report("Fox", MEASURED).filter((line) => line.includes("POSE") || line.includes("same pose"));
  assert.equal(said.length, 2);
  assert.match(said[0], /^same pose: three\.js, one clip: at most 6\.0e-7/);
  assert.match(said[1], /^DIFFERENT POSE: Babylon\.js, crossfade: at most 2\.0e-2/);
});

test("the bench's table has a row for each case", () => {
  assert.deepEqual(tableRows("Fox", MEASURED), [
    "| Fox | one clip | 1 | 0.50 | 3.0 (6.0 ×) |",
    "| Fox | one clip | 1,000 | 0.25 | 20 (80 ×) |",
    "| Fox | crossfade | 1,000 | 0.40 | 21 (53 ×) |",
  ]);
});

test("the bench's peers are its own, and the same for everyone", () => {
  const { private: isPrivate, dependencies } = manifest("benches/package.json");
  assert.equal(isPrivate, true);
  const locked = manifest("benches/package-lock.json").packages;
  const { dependencies: shipped = {}, devDependencies } = manifest("package.json");
  for (const [name, version] of Object.entries(dependencies)) {
    assert.match(version, /^\d+\.\d+\.\d+$/, `${name} is pinned`);
    assert.equal(locked[`node_modules/${name}`].version, version);
    assert.ok(!(name in shipped) && !(name in devDependencies), `only the bench needs ${name}`);
  }
});

test("quartiles are members of the list, and ratios are taken within a round", () => {
  assert.deepEqual(quartiles([5, 1, 4, 2, 3]), [2, 3, 4]);
  assert.deepEqual(quartiles([7]), [7, 7, 7]);
  // The second round was slow for both, and the third has only one value.
  assert.equal(ratioOf([2, 20, 3], [1, 10]), 2);
});

test("objects are counted, and machine code isn't", () => {
  const meta = {
    node_fields: ["type", "name", "self_size"],
    node_types: [["object", "code", "native"], "string", "number"],
  };
  assert.equal(bytesOfObjects({ snapshot: { meta }, nodes: [0, 0, 40, 1, 0, 1000, 0, 0, 2, 2, 0, 5000] }), 42);
});

test("a rise is separated from the noise around it", () => {
  const leak = rise([100, 200, 300, 400, 500].map((loads) => [loads, 1000 + 16 * loads]));
  assert.deepEqual([Math.round(leak.total), Math.round(leak.noise)], [6400, 0]);
  const steady = rise([100, 200, 300, 400, 500].map((loads, index) => [loads, index % 2 ? 1200 : 1000]));
  assert.equal(Math.round(steady.total), 0);
  assert.equal(Math.round(steady.noise), 200);
});

/** Returns results of a run in which one player has failed. */
function trial() {
  const row = (player, moving, more = {}) => ({
    player,
    model: "Fox",
    rounds: moving.map((millis) => ({ shown: millis / 2, moving: millis })),
    ...more,
  });
  const points = [100, 200].map((loads) => ({ loads, heapBytes: 4096 * loads, wasmBytes: 65536, gpuBytes: 1024 }));
  return {
    date: "2026-01-31",
    rounds: { start: 3, growth: 1 },
    machine: { cpu: "A processor", cores: 2, browser: "A browser", system: "A system" },
    size: [
      { player: "Gambol WebGPU", bytes: 204800, files: 5, budget: 212992 },
      { player: "PlayCanvas WebGL", failed: "no canvas" },
    ],
    start: [
      row("Gambol WebGPU", [90, 95, 300]),
      row("Gambol's element, WebGPU", [99, 100, 330], { bare: "Gambol WebGPU" }),
      row("three.js WebGL", [100, 100, 300]),
      row("Babylon Lite", [], { failed: "no adapter" }),
    ],
    growth: [{ player: "Gambol WebGPU", model: "Fox", rounds: [{ points }] }],
  };
}

test("the results have tables, goals and the reason of each failure", () => {
  const text = markdown(trial(), { plotFile: "RESULTS.svg" });
  assert.match(text, /a trial: Start, of 3 rounds\./);
  assert.match(text, /^- processor: A processor, 2 cores$/m);
  assert.match(text, /^\| Gambol WebGPU \| 200 \| 5 \| 1\.0 \| 208 \|$/m);
  assert.match(text, /^\| PlayCanvas WebGL \| failed: no canvas /m);
  assert.match(text, /^\| Gambol WebGPU \| 48 \(48–150\) \| 95 \(95–300\) \| 0\.95 \| {2}\|$/m);
  assert.match(text, /^\| Babylon Lite \| failed: no adapter /m);
  assert.match(text, /^- met: first moving frame, Fox: Gambol WebGPU takes 0\.95 times as long as three\.js WebGL/m);
  assert.match(text, /^- \*\*not met\*\*: first moving frame, Fox: Gambol's element, WebGPU takes 1\.10 times/m);
  assert.match(text, /^- \*\*not met\*\*: growth, Fox: JavaScript memory of Gambol WebGPU grows by 400 KiB/m);
  assert.match(text, /^- met: growth, Fox: wasm memory/m);
  assert.ok(text.split("\n").every((line) => line.length <= 120));
});

test("the plot has a bar for each player that was measured, and says which failed", () => {
  const picture = drawing(trial());
  assert.match(picture, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="\d+" height="\d+"/);
  assert.equal(picture.match(/<rect /g).length, 4);
  assert.equal(picture.match(/class="ours"/g).length, 3);
  assert.equal(picture.match(/>failed</g).length, 2);
  assert.match(picture, /prefers-color-scheme: dark/);
});

test("players take turns, and one that fails is left out of later rounds with its reason", async () => {
  const visits = [];
  const driver = {
    async visit(address) {
      visits.push(/start_(\w+)\.html/.exec(address)[1]);
      return {
        call: async () => (address.includes("bad") ? Promise.reject(new Error("it broke\nthere")) : { moving: 1 }),
        close: async () => visits.push("closed"),
      };
    },
  };
  const players = ["good", "bad"].map((module) => ({ name: module, module }));
  const box = [
    [0, 0, 0],
    [1, 1, 1],
  ];
  const rows = await measureStart({ driver, players, models: [{ name: "Fox", url: "fox.glb", box }], rounds: 2 });
  assert.deepEqual(visits, ["good", "closed", "bad", "closed", "good", "closed"]);
  assert.deepEqual(rows[0].rounds, [{ moving: 1 }, { moving: 1 }]);
  assert.equal(rows[1].failed, "it broke");
});

test("the camera sees every corner of every character", () => {
  const box = [
    [-1, 0, -4],
    [1, 3, 4],
  ];
  for (const count of [1, 2, 100]) {
    const { eye, target, near, far } = cameraFor(box, count);
    const size = Math.hypot(2, 3, 8);
    const forward = target.map((along, axis) => along - eye[axis]);
    const length = Math.hypot(...forward);
    for (let character = 0; character < count; character++) {
      const place = placeOf(character, count, size);
      for (let corner = 0; corner < 8; corner++) {
        const at = place.map((along, axis) => along + box[(corner >> axis) & 1][axis] - eye[axis]);
        const depth = at.reduce((sum, along, axis) => sum + (along * forward[axis]) / length, 0);
        assert.ok(depth > near && depth < far);
        // The distance from the axis of view is at most the half diagonal of the picture there.
        const aside = Math.sqrt(Math.max(0, Math.hypot(...at) ** 2 - depth ** 2));
        assert.ok(aside <= depth * Math.tan(0.3) * (5 / 3) + 1e-9, `${count}: ${character}, ${corner}`);
      }
    }
  }
});

test("places on the page of crowds are in the box that its camera sees, and differ", () => {
  const box = [
    [-1, 0, -4],
    [1, 3, 4],
  ];
  for (const total of COUNTS.filter((count) => count <= 200)) {
    const [low, high] = boxAround(box, total);
    const places = Array.from({ length: total }, (_, index) => placeIn(box, total, index));
    assert.equal(new Set(places.map(String)).size, total);
    for (const place of places) {
      for (const axis of [0, 2]) {
        assert.ok(place[axis] + box[0][axis] >= low[axis] && place[axis] + box[1][axis] <= high[axis], `${total}`);
      }
    }
  }
  assert.deepEqual([countIn("clones", 20_000), countIn("throng", 20_000)], [2000, 20_000]);
});

test("frames in a second are those of the last second, and the thread's time is a median", () => {
  const meter = new FrameMeter();
  assert.deepEqual([meter.framesPerSecond, meter.threadMillis], [undefined, undefined]);
  for (let frame = 0; frame < 40; frame++) meter.add(frame * 100, frame === 20 ? 90 : 2);
  assert.deepEqual([Math.round(meter.framesPerSecond), meter.threadMillis], [10, 2]);
  meter.clear();
  meter.add(0, 4);
  meter.add(2500, 4);
  assert.equal(meter.framesPerSecond, 0.4);
});

test("the sample character's box is in metres, though its positions are normalized integers", { skip: !built }, () => {
  const [min, max] = boxOf(readFileSync(character));
  assert.ok(min[1] > -0.1 && min[1] < 0.1, `it stands on the ground: ${min}`);
  assert.ok(max[1] > 0.5 && max[1] < 3, `it has a size: ${max}`);
});
