/**
 * Runs in the page: checks that all players produce the same poses, then times them in turn.
 *
 * A cell is one player with one number of characters, playing one clip or two at once. Each round times every cell
 * once, so that interference from other programs affects all of them.
 */

import * as babylon from "../peers/babylon.mjs";
import * as gambol from "../peers/gambol.mjs";
import * as lite from "../peers/lite.mjs";
import * as playcanvas from "../peers/playcanvas.mjs";
import * as three from "../peers/three.mjs";
import { farthest } from "./matrices.mjs";

const PLAYERS = [gambol, three, babylon, lite, playcanvas];

/** Time step that Babylon.js uses when it doesn't read the clock. */
const STEP_SECS = 0.016;

/**
 * Duration of one measurement: long compared with the clock's resolution, and enough for a hundred frames of one
 * character.
 */
const CELL_MILLIS = 25;

const WARM_UP_ROUNDS = 3;

/** Start phases of the characters. Multiples of the golden ratio's fraction keep all of them apart. */
const phasesOf = (count) => Array.from({ length: count }, (_, index) => (0.1 + index * 0.618034) % 1);

globalThis.lab = { update };

async function update({ url, counts, rounds }) {
  const bytes = await (await fetch(url)).arrayBuffer();
  const models = [];
  for (const player of PLAYERS) models.push({ player, model: await player.load(bytes.slice(0)) });
  const fadings = models[0].model.clipCount > 1 ? [false, true] : [false];
  const differences = [];
  for (const fading of fadings) differences.push(...(await compare(models, fading)));
  const cells = await time(models, fadings, counts, rounds);
  for (const { model } of models) model.close();
  return { differences, cells };
}

/**
 * Returns, for each other player, the greatest distance between a corner of the model as its joint matrices and as
 * Gambol's transform it.
 */
async function compare(models, fading) {
  const [x0, y0, z0, x1, y1, z1] = models[0].model.bounds();
  const corners = [0, 1, 2, 3, 4, 5, 6, 7].map(
    (bits) => new DOMPoint(bits & 1 ? x1 : x0, bits & 2 ? y1 : y0, bits & 4 ? z1 : z0),
  );
  const size = Math.hypot(x1 - x0, y1 - y0, z1 - z0);
  const phases = phasesOf(5);
  const poses = [];
  for (const { player, model } of models) {
    const crowd = await model.characters(phases.length, phases, { fading });
    const frames = [];
    for (let frame = 0; frame < 90; frame++) {
      crowd.update(STEP_SECS);
      if (frame % 10 === 9) frames.push(phases.map((_, character) => crowd.skinMatrices(character).slice()));
    }
    crowd.close();
    poses.push({ player: player.name, frames });
  }
  const [ours, ...others] = poses;
  return others.map(({ player, frames }) => {
    const apart = frames.flatMap((characters, frame) =>
      characters.map((matrices, character) => farthest(matrices, ours.frames[frame][character], corners)),
    );
    return { player, fading, share: Math.max(...apart) / size };
  });
}

async function time(models, fadings, counts, rounds) {
  const cells = [];
  // Cells that are compared are adjacent, so that fluctuations of the machine affect both.
  for (const count of counts) {
    for (const fading of fadings) {
      for (const { player, model } of models) {
        const crowd = await model.characters(count, phasesOf(count), { fading });
        cells.push({ player: player.name, count, fading, crowd, frames: 1, micros: [] });
      }
    }
  }
  for (let round = -WARM_UP_ROUNDS; round < rounds; round++) {
    for (const cell of cells) {
      // Collect the garbage of other cells outside the measurement.
      globalThis.gc?.({ type: "minor" });
      const millis = run(cell);
      if (round >= 0) cell.micros.push((millis * 1000) / (cell.frames * cell.count));
      else cell.frames = Math.max(1, Math.round((cell.frames * CELL_MILLIS) / Math.max(millis, 0.05)));
    }
    // Yield to the browser, so that code compiled meanwhile is used.
    await new Promise((done) => setTimeout(done));
  }
  for (const { crowd } of cells) crowd.close();
  return cells.map(({ player, count, fading, micros }) => ({ player, count, fading, micros }));
}

function run({ crowd, frames }) {
  const before = performance.now();
  for (let frame = 0; frame < frames; frame++) crowd.update(STEP_SECS);
  return performance.now() - before;
}
