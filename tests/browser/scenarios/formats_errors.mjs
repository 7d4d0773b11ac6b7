/**
 * Damaged files of other formats give an error with a code and a place in the original file, and the shown model
 * keeps playing. If the WebAssembly file `formats` fails, the player doesn't, and the next file gets a fresh
 * instance.
 */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";

import { NAMED_FORMATS } from "../old_formats.mjs";

// The fixtures refer to images that don't exist.
export const expectedErrors = [/Failed to load resource.*404/];

export default async function ({ page, backend, mounts }) {
  await reportsAsNatively(page, backend, mounts["/reports/"]);
  const told = await page.evaluate(
    async ({ backend, named }) => {
      stage.close();
      const player = await stage.openModel(backend, "/fixtures/swing.glb", { clip: "Swing" });
      const heard = stage.record(player, "error", "load");
      const failures = {};
      for (const name of ["broken.x", "broken.dae", "broken.iqm", "note.dae", "page.dae"]) {
        failures[name] = await stage.failure(() => player.load(`/fixtures/formats/${name}`));
      }
      const many = [
        await stage.file("/fixtures/formats/checks.png"),
        await stage.file("/fixtures/formats/checks.png", "b.png"),
      ];
      for (const name of named) failures[name] = await stage.failure(() => player.load(`/fixtures/formats/${name}`));
      failures.none = await stage.failure(() => player.load(many));
      const told = heard.splice(0).map(({ name, detail }) => [name, detail.code]);

      const { FileHandle } = await import("/gambol/wasm/formats/gambol.js");
      const { toOwnGlb } = FileHandle.prototype;
      FileHandle.prototype.toOwnGlb = () => {
        throw new WebAssembly.RuntimeError("unreachable");
      };
      const poisoned = await stage.failure(() => player.load("/fixtures/formats/swing.x"));
      FileHandle.prototype.toOwnGlb = toOwnGlb;
      player.advance(0.1);
      const alive = { alive: player.alive, clip: player.clip?.name, time: player.currentTime };
      await player.load("/fixtures/formats/swing.x");
      const { toGlb, GambolError } = await import("/gambol/index.js");
      const notSaved = await toGlb("/fixtures/formats/broken.x").catch(
        (error) => error instanceof GambolError && error.code,
      );
      return { failures, told, poisoned, alive, after: player.name, notSaved };
    },
    { backend, named: Object.keys(NAMED_FORMATS) },
  );

  for (const [name, failure] of Object.entries(told.failures)) {
    assert.ok(failure?.isOurs, `${name} gave ${JSON.stringify(failure)}`);
    assert.match(failure.code, /^[A-Z][A-Z0-9_]+$/, name);
  }
  assert.match(told.failures["broken.x"].place, /^line \d+ column \d+$/);
  assert.match(told.failures["broken.dae"].place, /^line \d+ column \d+$/);
  assert.match(told.failures["broken.iqm"].place, /^byte \d+$/);
  assert.equal(told.failures["page.dae"].code, "NOT_A_MODEL");
  for (const [file, [, name]] of Object.entries(NAMED_FORMATS)) {
    const { code, message } = told.failures[file];
    assert.equal(code, "NOT_A_MODEL", file);
    assert.ok(message.includes(name), `${file} is called “${message}”`);
  }
  assert.equal(told.failures.none.code, "NO_MODEL");
  assert.deepEqual(
    told.told,
    Object.values(told.failures).map(({ code }) => ["error", code]),
  );
  assert.equal(told.poisoned.code, "FORMATS_POISONED");
  assert.match(told.poisoned.message, /unreachable/, "the report can be copied");
  assert.deepEqual([told.alive.alive, told.alive.clip], [true, "Swing"]);
  assert.ok(Math.abs(told.alive.time - 0.1) < 1e-6);
  assert.equal(told.after, "swing.x");
  assert.equal(told.notSaved, told.failures["broken.x"].code);
}

/** Every fixture of these formats gives the error or warning that the Rust tests expect, at the same place. */
async function reportsAsNatively(page, backend, folder) {
  const files = readdirSync(folder, { recursive: true })
    .map((path) => path.split("\\").join("/"))
    .filter((path) => [".x", ".dae", ".iqm"].includes(extname(path)))
    .sort();
  assert.ok(files.length > 30, `there are ${files.length}`);
  const told = await page.evaluate(
    async ({ backend, files }) => {
      const player = await stage.open(backend);
      const outcomes = {};
      for (const file of files) {
        const failure = await stage.failure(() => player.load(`/reports/${file}`));
        const warnings = player.warnings.filter(({ code }) => code !== "IMAGE_NOT_LOADED");
        outcomes[file] = failure
          ? [[failure.code, failure.place, 1]]
          : warnings.map(({ code, place, count }) => [code, place, count]);
      }
      return outcomes;
    },
    { backend, files },
  );
  const expected = (file) => {
    const { error, warnings = [] } = JSON.parse(
      readFileSync(join(folder, file.replace(/\.\w+$/, ".report.json")), "utf8"),
    );
    return (error ? [error] : warnings).map(({ code, place, count = 1 }) => [code, place, count]);
  };
  assert.deepEqual(told, Object.fromEntries(files.map((file) => [file, expected(file)])));
}
