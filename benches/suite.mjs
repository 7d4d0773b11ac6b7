/**
 * The measurements of `start`, `frame`, `shadows`, `members`, `memory` and `growth`. They run in Node, which drives a
 * browser, and in the page `index.html`, which drives frames of its own.
 *
 * Each takes a driver: `visit(address)` opens a page in a state without caches, as far as the driver can, and returns
 *
 * - `call(name, ...args)`, which calls a function of the page's `lab`,
 * - `heap()`, which collects garbage and returns the bytes of JavaScript, or undefined if the browser doesn't tell,
 * - `objects()`, if the driver can: the same without machine code,
 * - `busy()`, if the driver can: the milliseconds for which the page's thread has had tasks, and
 * - `close()`.
 *
 * A result is a list of rows: one player in one case, with the values of each round, or with the reason of its failure.
 * Players take turns within each round, in another order each time, so that other load on the machine slows all.
 */

import { addressOf } from "./address.mjs";
import { bareOf } from "./players/list.mjs";

/** Frames that are drawn before those that are measured, in which the browser compiles the code that runs most. */
const WARM_UP = { frames: 20, longestMillis: 1500 };

/** Frames that are measured: at least five, and fewer than this number if they take longer. */
const MEASURED = { frames: 60, longestMillis: 3000 };

export const CROWDS = [1, 100];
const SHADOW_CROWDS = [1, 100, 500];
const MEMBERS = [1000, 3000, 20_000];
const PLAYERS_ON_PAGE = [1, 10];

/** Milliseconds from navigation to the first frame (`shown`), and to the first frame that differs (`moving`). */
export function measureStart({ driver, players, models, rounds }) {
  const cases = models.map((model) => ({ model: model.name, at: model }));
  return inTurns({ players, cases, rounds, say: driver.say, part: "start" }, async (player, { at }) =>
    visiting(driver, addressOf("start", player, at), (page) => page.call("started")),
  );
}

/** Mean milliseconds of a frame: of the page's thread, and until the GPU has finished. */
export function measureFrame({ driver, players, models, rounds }) {
  const cases = models.flatMap((model) => CROWDS.map((count) => ({ model: model.name, count, at: model })));
  return inTurns({ players, cases, rounds, say: driver.say, part: "frame" }, async (player, { count, at }) =>
    visiting(driver, addressOf("lab", player, at), async (page) => {
      await page.call("show");
      return drawFrames(page, { characters: count });
    }),
  );
}

/** The same, with shadows, of the players that have them in their pages, and of those in workers. */
export function measureShadows({ driver, players, workers = [], models, rounds }) {
  const cases = models.flatMap((model) => SHADOW_CROWDS.map((count) => ({ model: model.name, count, at: model })));
  const casting = [...players.filter(({ canCastShadows }) => canCastShadows), ...workers];
  return inTurns({ players: casting, cases, rounds, say: driver.say, part: "shadows" }, (player, { count, at }) =>
    visiting(driver, addressOf("lab", player, at, true), async (page) => {
      await page.call("show");
      return drawFrames(page, { characters: count });
    }),
  );
}

/** The same of members that the GPU poses, with shadows, and the bytes on the GPU. */
export function measureMembers({ driver, players, models, rounds }) {
  const cases = models.flatMap((model) => MEMBERS.map((count) => ({ model: model.name, count, at: model })));
  const able = players.filter(({ canThrong }) => canThrong);
  return inTurns({ players: able, cases, rounds, say: driver.say, part: "members" }, (player, { count, at }) =>
    visiting(driver, addressOf("lab", player, at), async (page) => {
      await page.call("show");
      const times = await drawFrames(page, { members: count });
      return { ...times, ...(await weigh(page)) };
    }),
  );
}

/** Bytes of a page that shows a number of models at the same time, each in a canvas of its own. */
export function measureMemory({ driver, players, models, rounds }) {
  const cases = models.flatMap((model) => PLAYERS_ON_PAGE.map((count) => ({ model: model.name, count, at: model })));
  return inTurns({ players, cases, rounds, say: driver.say, part: "memory" }, async (player, { count, at }) =>
    visiting(driver, addressOf("lab", player, at), async (page) => {
      await page.call("show", count);
      return weigh(page);
    }),
  );
}

/**
 * Bytes of a page after each fifth of the loads, which replace one model again and again. One model is enough: it takes
 * minutes for each player.
 */
export async function measureGrowth({ driver, players, models, loads }) {
  const steps = [1, 2, 3, 4, 5].map((share) => Math.round((loads * share) / 5));
  const cases = models.slice(0, 1).map((model) => ({ model: model.name, at: model }));
  return inTurns({ players, cases, rounds: 1, say: driver.say, part: "growth" }, async (player, { at }) =>
    visiting(driver, addressOf("lab", player, at), async (page) => {
      await page.call("show");
      const points = [];
      for (const [index, step] of steps.entries()) {
        await page.call("reload", steps[index - 1] ?? 0, step);
        points.push({ loads: step, ...(await weigh(page, page.objects)) });
      }
      return { points };
    }),
  );
}

/** Returns the times of a frame. `whole` is what a frame of the loop takes of the page's thread with all its tasks. */
async function drawFrames(page, what) {
  const times = await page.call("frames", { ...what, warmUp: WARM_UP, measured: MEASURED });
  const before = await page.busy?.();
  const { calls, ...loop } = await page.call("loop");
  const whole = page.busy && ((await page.busy()) - before) / calls;
  return { ...times, ...loop, whole };
}

async function weigh(page, heap = page.heap) {
  // Garbage is collected first, so that what it frees on the GPU isn't counted.
  const heapBytes = await heap();
  return { heapBytes, ...(await page.call("held")) };
}

async function visiting(driver, address, use) {
  const page = await driver.visit(address);
  try {
    return await use(page);
  } finally {
    await page.close();
  }
}

/** Measures each player in each case, round by round. A player that fails once is left out of later rounds. */
async function inTurns({ players, cases, rounds, say, part }, measure) {
  const rows = cases.flatMap((one) =>
    players.map((player) => ({ player: player.name, bare: bareOf(player)?.name, ...one, of: player, rounds: [] })),
  );
  for (let round = 0; round < rounds; round++) {
    for (const one of cases) {
      const inCase = rows.filter(({ at, count }) => at === one.at && count === one.count);
      for (const row of rotated(inCase, round)) {
        if (row.failed) continue;
        say?.(`${part}: round ${round + 1} of ${rounds}, ${row.model}, ${row.player}`);
        try {
          row.rounds.push(await measure(row.of, one));
        } catch (error) {
          row.failed = String(error?.message ?? error).split("\n")[0];
        }
      }
    }
  }
  return rows.map(({ at, of, ...row }) => row);
}

function rotated(list, by) {
  return list.map((_, index) => list[(index + by) % list.length]);
}
