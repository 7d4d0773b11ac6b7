/** Archives show the model in them, by URL, as files and as bytes; others are refused, and the model before stays. */

import assert from "node:assert/strict";

export default async function ({ page, backend }) {
  const asked = [];
  page.on("request", (request) => asked.push(request.url()));
  const told = await page.evaluate(async (backend) => {
    const { compare, failure, file, look, openModel } = stage;
    const player = await openModel(backend, "/fixtures/swing.glb");
    const picture = await look(player);
    const archive = await file("/fixtures/swing.zip");
    const bytes = await archive.arrayBuffer();
    const loose = await Promise.all(["swing.bin", "swing.gltf", "skins.zip"].map((name) => file(`/fixtures/${name}`)));
    const seen = [];
    for (const source of [
      "/fixtures/swing.zip",
      archive,
      new Blob([bytes]),
      bytes,
      [archive],
      new Map([["a/b.zip", archive]]),
      loose,
    ]) {
      let progress = null;
      await player.load(source, { onProgress: (report) => (progress = report) });
      player.frame();
      seen.push({
        name: player.name,
        warnings: player.warnings.map(({ message }) => message),
        differing: compare(picture, await look(player)).differing,
        complete: progress === null || progress.loaded === progress.total,
      });
    }
    const failures = {};
    for (const name of ["cut", "encrypted", "bomb", "readme"])
      failures[name] = (await failure(() => player.load(`/fixtures/${name}.zip`))).code;
    const clips = player.clips.length;

    // Of two loads, the later one is shown, whichever ends first.
    const stop = new AbortController();
    const nameOf = (promise) => promise.then(() => "none").catch(({ name }) => name);
    const aborted = nameOf(player.load(archive, { signal: stop.signal }));
    stop.abort();
    const replaced = nameOf(player.load(archive));
    const shown = player.load("/fixtures/stroll.glb");
    const names = [await aborted, await replaced];
    await shown;

    // A file whose load was aborted isn't read to its end.
    let pulls = 0;
    const halt = new AbortController();
    const endless = new Blob(["endless"]);
    endless.stream = () =>
      new ReadableStream({
        pull(controller) {
          controller.enqueue(new Uint8Array(10));
          if (++pulls === 3) halt.abort();
          if (pulls === 1000) controller.close();
        },
      });
    names.push(await nameOf(player.load(endless, { signal: halt.signal })));
    await player.load("/fixtures/stroll.glb");
    names.push(pulls < 50);
    return { seen, failures, clips, names, last: player.name };
  }, backend);

  assert.equal(told.seen.length, 7);
  for (const { differing, ...rest } of told.seen) {
    assert.deepEqual(rest, { name: "swing.gltf", warnings: [], complete: true });
    assert.ok(differing < 0.001, `${differing} of the picture differs`);
  }
  assert.deepEqual(told.failures, {
    cut: "ARCHIVE_DAMAGED",
    encrypted: "ARCHIVE_UNSUPPORTED",
    bomb: "MODEL_TOO_LARGE",
    readme: "NO_MODEL",
  });
  assert.equal(told.clips, 2, "the model before stays");
  assert.deepEqual(told.names, ["AbortError", "AbortError", "AbortError", true]);
  assert.equal(told.last, "stroll.glb");
  const beside = asked.filter((url) => /the(%20| )checks|banner/.test(url));
  assert.deepEqual(beside, [], "nothing that the archive has is requested");
}
