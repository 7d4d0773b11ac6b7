/**
 * A short run of `npm run storm`: random calls, on the page's thread and in a worker, cause no crash and no growth
 * of memory.
 */

import assert from "node:assert/strict";

import { storm } from "../storm.mjs";

export const longestSecs = 240;
/** Some requests are for files that don't exist. */
export const expectedErrors = [/Failed to load resource/];

const STEPS = 160;

export default async function ({ page, backend, url }) {
  for (const worker of [false, true]) {
    const told = await storm({ page, url, backend, worker, seed: worker ? 2 : 1, steps: STEPS });
    assert.equal(told.steps, STEPS);
    assert.ok(told.refusals > STEPS / 50, `only ${told.refusals} refusals`);
    assert.ok(told.refusals < STEPS / 2, `${told.refusals} refusals of ${STEPS} calls: hardly anything was done`);
    console.log(`# ${worker ? "with a worker" : "in the page"}: ${JSON.stringify(told)}`);
  }
}
