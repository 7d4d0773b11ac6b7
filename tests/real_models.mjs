/**
 * Finds models of other projects, in `GAMBOL_MODELS` or `../shared/models`, for the test suites of Node and of the
 * browser.
 */

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";

import { root } from "../www/toolchain.mjs";

const folder = process.env.GAMBOL_MODELS ?? join(root, "../shared/models");

/** Returns the folder, or null if it doesn't exist. With `REQUIRE_MODELS=1` a missing folder is an error. */
export function realModels() {
  if (existsSync(folder)) return folder;
  assert.notEqual(process.env.REQUIRE_MODELS, "1", `REQUIRE_MODELS is set, and there is no ${folder}`);
  return null;
}

/** Reports a suite that is skipped because there are no models. */
export function skipped(suite) {
  console.log(`# SKIPPED ${suite}: there is no ${folder}`);
}

/** Reports how many models a suite has tested. Fails if there are none. */
export function saw(suite, count) {
  assert.ok(count > 0, `${suite} tested no model`);
  console.log(`# MODELS ${suite}: ${count}`);
}
