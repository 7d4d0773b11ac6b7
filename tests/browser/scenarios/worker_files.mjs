/** A worker accepts every kind of model source, and reports the same errors as the page's own thread. */

import assert from "node:assert/strict";

export const expectedErrors = [/missing\.glb/];

export default async function ({ page, backend }) {
  const told = await page.evaluate(async (backend) => {
    const bytes = await (await fetch("/fixtures/swing.glb")).arrayBuffer();
    const sources = {
      relative: "fixtures/swing.glb",
      url: new URL("/fixtures/swing.gltf", location.href),
      file: await stage.file("/fixtures/swing.glb"),
      blob: new Blob([bytes]),
      buffer: bytes,
      view: new Uint8Array(bytes),
      files: [
        await stage.file("/fixtures/swing.bin"),
        await stage.file("/fixtures/swing.gltf"),
        await stage.file("/fixtures/picture.png"),
      ],
      map: new Map([
        ["a/swing.gltf", await stage.file("/fixtures/swing.gltf")],
        ["a/swing.bin", await stage.file("/fixtures/swing.bin")],
      ]),
      foreign: "/fixtures/formats/named_tga.x",
      withoutPieces: [await stage.file("/fixtures/swing.gltf")],
      missing: "/fixtures/missing.glb",
      malformed: "http://[",
      truncated: "/fixtures/truncated.glb",
      cyclic: "/fixtures/cyclic.gltf",
      empty: [],
      nothing: 7,
    };
    const load = async (worker) => {
      const player = await stage.open(backend, { worker });
      const heard = stage.record(player, "load", "error");
      const results = {};
      for (const [name, source] of Object.entries(sources)) {
        let progress = null;
        const failure = await stage.failure(() => player.load(source, { onProgress: (now) => (progress = now) }));
        results[name] = {
          failure,
          progress,
          shown: player.name,
          clips: player.clips.map(({ name }) => name),
          warnings: player.warnings,
          heard: heard.splice(0).map(({ name, detail }) => [name, detail.name, detail.code]),
        };
      }
      const patience = new AbortController();
      const waiting = stage.failure(() => player.load("/fixtures/swing.glb", { signal: patience.signal }));
      patience.abort();
      results.aborted = await waiting;
      const older = player.load("/fixtures/swing.gltf").then(
        () => "shown",
        ({ name }) => name,
      );
      await player.load("/gambol/viewer/character.glb");
      results.newest = [player.name, await older, player.clips.length];
      // The page's bytes aren't transferred.
      results.left = bytes.byteLength;
      return { player, results };
    };
    const here = await load(false);
    const there = await load(true);

    // The page refers to a model that the worker has already replaced.
    const { player } = there;
    await player.load("/fixtures/swing.glb");
    const heard = stage.record(player, "play", "error");
    const loading = player.load("/gambol/viewer/character.glb");
    await null;
    const end = performance.now() + 1500;
    while (performance.now() < end);
    const run = player.play("Raise");
    player.setMarkers("Raise", [{ name: "up", time: 0.5 }]);
    const late = [player.clip.name, run.clip.name];
    await loading;
    late.push(await run.finished);
    await player.settled();
    late.push(
      player.state,
      player.clip,
      player.markers(1).length,
      ...heard.map(({ name, detail }) => [name, detail.code]),
    );
    return { here: here.results, there: there.results, late };
  }, backend);
  assert.deepEqual(told.late, ["Raise", "Raise", "stopped", "stopped", null, 0]);
  const { nothing, ...there } = told.there;
  const { nothing: nothingHere, ...here } = told.here;
  assert.deepEqual(there, here);
  assert.equal(there.missing.failure.code, "HTTP_STATUS");
  assert.ok(there.missing.failure.isOurs);
  assert.equal(there.map.clips.length, 2);
  assert.equal(nothing.failure.code, nothingHere.failure.code);
}
