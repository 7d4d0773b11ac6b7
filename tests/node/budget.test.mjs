import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { checkBudget, overruns } from "../../www/budget.mjs";
import { root } from "../../www/toolchain.mjs";

const budget = JSON.parse(readFileSync(join(root, "size-budget.json"), "utf8"));

test("the promise is in the budget", () => {
  // A page with three.js has 228,352 bytes through WebGPU, without an element, controls and gestures.
  assert.ok(budget["a WebGPU page"].brotli <= 226_000);
  assert.ok(budget["a WebGL2 page"].brotli <= 240_150);
});

test("one byte too many is seen, in every encoding", () => {
  for (const encoding of ["raw", "gzip", "brotli"]) {
    const limits = { page: { raw: 10, gzip: 10, brotli: 10 } };
    assert.deepEqual(overruns({ page: { raw: 10, gzip: 10, brotli: 10 } }, limits), []);
    const found = overruns({ page: { raw: 10, gzip: 10, brotli: 10, [encoding]: 11 } }, limits);
    assert.equal(found.length, 1);
    assert.match(found[0], new RegExp(encoding));
  }
});

test("a row without a budget, and a budget without a row, are seen", () => {
  const size = { raw: 1, gzip: 1, brotli: 1 };
  assert.equal(overruns({ page: size }, {}).length, 1);
  assert.equal(overruns({}, { page: size }).length, 1);
});

test("a bloated build fails", (t) => {
  const dist = mkdtempSync(join(tmpdir(), "gambol-budget-"));
  t.after(() => rmSync(dist, { recursive: true }));
  t.mock.method(console, "log", () => {});
  cpSync(join(root, "dist"), dist, { recursive: true });
  checkBudget({ dist });
  writeFileSync(join(dist, "ballast.js"), randomBytes(budget["a WebGPU page"].brotli));
  assert.throws(() => checkBudget({ dist }), /over the size budget/);
});
