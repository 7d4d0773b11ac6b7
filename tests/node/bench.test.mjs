/** Tests the report of `npm run bench`, and the packages that only the benchmark needs. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { report, tableRows } from "../../benches/report.mjs";
import { root } from "../../www/toolchain.mjs";

const manifest = (path) => JSON.parse(readFileSync(join(root, path), "utf8"));

/** Returns one player's times in one case, equal in all rounds except one outlier. */
const cell = (player, count, fading, micros) => ({
  player,
  count,
  fading,
  micros: [micros, micros * 9, micros, micros, micros],
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
