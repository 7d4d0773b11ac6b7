/** A file that can't be played is an error with a code and a place, and the model before it keeps playing. */

import assert from "node:assert/strict";

export default async function ({ page, backend }) {
  const told = await page.evaluate(async (backend) => {
    const player = await stage.openModel(backend, "/fixtures/swing.glb", { clip: "Swing" });
    player.ground = false;
    const heard = stage.record(player, "error", "load");
    const sources = {
      truncated: "/fixtures/truncated.glb",
      lying: "/fixtures/lying.glb",
      nan: "/fixtures/nan.glb",
      cyclic: "/fixtures/cyclic.gltf",
      magic: "/fixtures/needs_magic.gltf",
      picture: "/fixtures/picture.png",
      empty: new ArrayBuffer(0),
      nonsense: new Uint8Array([1, 2, 3]),
      alone: await stage.file("/fixtures/swing.gltf"),
      none: [],
      number: 42,
    };
    // A search for names that begins at each letter of a long word would outlast this scenario.
    const word = new TextEncoder().encode("a".repeat(2 ** 20));
    const head = Uint32Array.of(0x46546c67, 2, word.length + 20, word.length, 0x4e4f534a);
    sources.word = URL.createObjectURL(new Blob([head, word]));
    const failures = {};
    const pictures = [await stage.look(player)];
    for (const [name, source] of Object.entries(sources)) {
      failures[name] = await stage.failure(() => player.load(source));
      player.advance(0.1);
      pictures.push(await stage.look(player));
    }
    return {
      failures,
      told: heard.map(({ name, detail }) => [name, detail.code]),
      time: player.currentTime,
      clip: player.clip?.name,
      moved: stage.compare(pictures[0], pictures.at(-1)).differing,
      look: stage.coverage(pictures.at(-1)),
    };
  }, backend);

  for (const [name, failure] of Object.entries(told.failures)) {
    assert.ok(failure?.isOurs, `${name} gave ${JSON.stringify(failure)}`);
    assert.match(failure.code, /^[A-Z][A-Z0-9_]+$/, name);
    assert.ok(failure.message.length > 10, name);
  }
  assert.match(told.failures.magic.message, /ACME_magic/);
  assert.match(told.failures.cyclic.place, /^\/nodes\/\d/);
  for (const name of ["lying", "nan"]) assert.match(told.failures[name].place, /^\/accessors\/\d/, name);
  assert.match(told.failures.alone.message, /swing\.bin/);
  assert.ok(told.failures.truncated.place, "a truncated file has a place too");
  assert.deepEqual(
    told.told,
    Object.values(told.failures).map(({ code }) => ["error", code]),
  );
  assert.equal(told.clip, "Swing");
  assert.ok(Math.abs(told.time - 0.1 * Object.keys(told.failures).length) < 1e-6);
  assert.ok(told.moved > 0.01 && told.look.part > 0.03, "the model before is still seen, and moves");
}
