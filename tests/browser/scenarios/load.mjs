/** Every kind of source loads, and its contents are listed. */

import assert from "node:assert/strict";

export default async function ({ page, backend }) {
  const told = await page.evaluate(async (backend) => {
    const { file, look, open, record } = stage;
    const player = await open(backend);
    const heard = record(player, "load", "error");
    const seen = [];
    let progress = null;
    await player.load("/fixtures/swing.glb", { onProgress: (report) => (progress = report) });
    const bytes = await (await fetch("/fixtures/swing.glb")).arrayBuffer();
    const pieces = await Promise.all(
      ["swing.bin", "swing.gltf", "checks.png"].map((name) => file(`/fixtures/${name}`)),
    );
    const picture = await look(player);
    for (const source of [
      new URL("/fixtures/swing.gltf", location.href),
      new Blob([bytes]),
      await file("/fixtures/swing.glb"),
      bytes,
      new Uint8Array(bytes),
      pieces,
    ]) {
      await player.load(source);
      player.frame();
      seen.push({
        clips: player.clips.map(({ name }) => name),
        differing: stage.compare(picture, await look(player)).differing,
      });
    }
    const { warnings, name, stats } = player;
    const clips = player.clips.map(({ index, name, duration }) => ({ index, name, duration }));
    const told = { clips, seen, heard: heard.splice(0), progress, size: bytes.byteLength, warnings, name, stats };
    await player.load("/reports/node/ROTATION_NOT_UNIT.several.gltf");
    const odd = player.warnings.map(({ message, ...rest }) => ({
      ...rest,
      told: message.endsWith("(the first of 2)"),
    }));
    return { ...told, odd };
  }, backend);

  assert.deepEqual(told.clips, [
    { index: 0, name: "Swing", duration: 2 },
    { index: 1, name: "Raise", duration: 1 },
  ]);
  assert.deepEqual(told.progress, { loaded: told.size, total: told.size });
  assert.equal(told.heard.length, 7);
  assert.ok(told.heard.every(({ name }) => name === "load"));
  assert.deepEqual(told.warnings, []);
  assert.deepEqual(
    told.odd,
    [{ code: "ROTATION_NOT_UNIT", place: "/nodes/1/rotation", count: 2, told: true }],
    "each kind comes once",
  );
  assert.equal(told.name, "swing.gltf");
  assert.equal(told.stats.backend, backend);
  assert.ok(told.stats.draws > 0 && told.stats.triangles > 0);
  for (const { clips, differing } of told.seen) {
    assert.deepEqual(clips, ["Swing", "Raise"]);
    assert.equal(differing, 0, "the same model looks the same however it came");
  }
}
