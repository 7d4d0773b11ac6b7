/** The script of a lab page: functions in `lab`, which the driver of the benchmark calls. */

import { median } from "../statistics.mjs";
import { asked } from "./asked.mjs";
import { drawn, held, submitted } from "./meter.mjs";

const STEP_SECS = 1 / 60;

/** Frames that are drawn without waiting take about this long together. */
const STEADY_MILLIS = 1000;
const MOST_STEADY_FRAMES = 200;

/** Duration of a loop of animation frames, its least number of frames, and how many the GPU may be late. */
const LOOP_MILLIS = 2000;
const FEWEST_LOOP_FRAMES = 4;
const MOST_LATE_FRAMES = 3;

/** Pictures of a player in a worker until it draws no faster than the GPU, and the least number after them. */
const FIRST_PICTURES = 4;
const FEWEST_PICTURES = 4;

export function prepare(player) {
  const { url, ...options } = asked();
  const open = () => player.open(document.body, { ...options, manual: true });
  const stages = [];

  globalThis.lab = {
    held,

    /** Shows a number of models, each in a canvas of its own and loaded from an address of its own. */
    async show(count = 1) {
      while (stages.length < count) {
        const stage = await open();
        stages.push(stage);
        await player.show(stage, `${url}?copy=${stages.length}`);
        await drawTwice(stage);
      }
      return assertPicture(stages.at(-1));
    },

    /**
     * Draws frames and returns the mean milliseconds of one: `thread`, which the page's thread is busy; `done`, until
     * the GPU has finished; and `steady`, of many that are drawn without waiting for each. Of a player in a worker, the
     * page knows only the first.
     */
    async frames({ characters, members, warmUp, measured }) {
      const [stage] = stages;
      if (members) await player.throng(stage, members);
      else if (characters > 1) await player.crowd(stage, characters);
      await drawMany(stage, warmUp);
      await assertPicture(stage);
      const list = await drawMany(stage, measured);
      const mean = (key) => list.reduce((sum, frame) => sum + frame[key], 0) / list.length;
      if (player.onPicture) return { thread: mean("thread") };
      const steady = await drawSteadily(stage, Math.min(MOST_STEADY_FRAMES, Math.ceil(STEADY_MILLIS / mean("done"))));
      return { thread: mean("thread"), done: mean("done"), steady };
    },

    /**
     * Draws in a loop of animation frames, as pages have it. Returns `rate`, the pictures in a second; `looped`, the
     * median of the milliseconds for which a call keeps the page's thread busy; and the number of `calls`.
     */
    loop: () => (player.onPicture ? loopInWorker(stages[0]) : loop(stages[0])),

    /** Replaces the model a number of times. Each load has an address of its own, so that no cache answers. */
    async reload(from, to) {
      const [stage] = stages;
      for (let load = from; load < to; load++) {
        await player.hide(stage);
        await player.show(stage, `${url}?load=${load}`);
        await drawTwice(stage);
        // The browser's list of requests isn't the player's memory.
        performance.clearResourceTimings();
      }
    },

    /** A picture of the page's first canvas, to look at. */
    async picture() {
      player.step(stages[0], STEP_SECS);
      return canvasOf().toDataURL();
    },
  };

  async function drawOne(stage) {
    await new Promise(requestAnimationFrame);
    const before = performance.now();
    player.step(stage, STEP_SECS);
    const thread = performance.now() - before;
    await drawn();
    return { thread, done: performance.now() - before };
  }

  async function drawMany(stage, { frames, longestMillis }) {
    const list = [];
    const end = performance.now() + longestMillis;
    while (list.length < frames && (list.length < 5 || performance.now() < end)) list.push(await drawOne(stage));
    return list;
  }

  async function drawSteadily(stage, frames) {
    await new Promise(requestAnimationFrame);
    const before = performance.now();
    for (let frame = 0; frame < frames; frame++) player.step(stage, STEP_SECS);
    await drawn();
    return (performance.now() - before) / frames;
  }

  /** Draws in a loop of animation frames until the GPU has finished the last one. */
  async function loop(stage) {
    const threads = [];
    const late = [];
    const begin = performance.now();
    while (threads.length < FEWEST_LOOP_FRAMES || performance.now() - begin < LOOP_MILLIS) {
      // The browser holds back the frames of WebGL itself.
      if (late.length === MOST_LATE_FRAMES) await late.shift();
      await new Promise(requestAnimationFrame);
      const before = performance.now();
      player.step(stage, STEP_SECS);
      threads.push(performance.now() - before);
      late.push(submitted());
    }
    await drawn();
    const rate = (threads.length * 1000) / (performance.now() - begin);
    return { rate, looped: median(threads), calls: threads.length };
  }

  /** The same for a player in a worker, which draws the newest state when the GPU can take another picture. */
  async function loopInWorker(stage) {
    const threads = [];
    const pictures = [];
    player.onPicture(stage, () => pictures.push(performance.now()));
    const begin = performance.now();
    while (pictures.length < FIRST_PICTURES + FEWEST_PICTURES || performance.now() - begin < LOOP_MILLIS) {
      await new Promise(requestAnimationFrame);
      const before = performance.now();
      player.step(stage, STEP_SECS);
      threads.push(performance.now() - before);
    }
    const millis = pictures.at(-1) - pictures[FIRST_PICTURES - 1];
    return {
      rate: ((pictures.length - FIRST_PICTURES) * 1000) / millis,
      looped: median(threads),
      calls: threads.length,
    };
  }

  async function drawTwice(stage) {
    await drawOne(stage);
    await drawOne(stage);
  }

  /** Throws unless the stage draws something that moves. */
  async function assertPicture(stage) {
    const isEmpty = (pixels) => !pixels.some((value, at) => Math.abs(value - pixels[at % 4]) > 32);
    let first = await read(stage);
    // A picture of a worker takes some frames to be shown.
    for (let frame = 0; player.onPicture && isEmpty(first) && frame < 30; frame++) first = await read(stage);
    if (isEmpty(first)) throw new Error("the canvas is empty");
    for (let frame = 0; frame < 30; frame++) {
      await drawOne(stage);
      const other = await read(stage);
      if (other.some((value, at) => Math.abs(value - first[at]) > 8)) return;
    }
    throw new Error("the picture doesn't move");
  }

  /** Draws, and returns the pixels as of the end of this task. Afterwards a canvas may be empty. */
  async function read(stage) {
    await new Promise(requestAnimationFrame);
    const elsewhere = player.onPicture && new Promise((done) => player.onPicture(stage, done, { once: true }));
    player.step(stage, STEP_SECS);
    if (elsewhere) await elsewhere.then(() => new Promise(requestAnimationFrame));
    const canvas = canvasOf(stages.indexOf(stage));
    // With a software GPU, an address of data is the only way to read what WebGPU draws in the page.
    const source = player.onPicture ? canvas : await (await fetch(canvas.toDataURL())).blob();
    const picture = await createImageBitmap(source);
    const { width, height } = picture;
    const copy = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
    copy.drawImage(picture, 0, 0);
    picture.close();
    return copy.getImageData(0, 0, width, height).data;
  }

  function canvasOf(index = 0) {
    const canvases = document.querySelectorAll("canvas");
    return canvases[index] ?? document.querySelectorAll("gambol-player")[index].shadowRoot.querySelector("canvas");
  }
}
