/** A file shown by several players is fetched and decoded once while one of them shows it, and again after that. */

import assert from "node:assert/strict";

export default async function ({ page, backend }) {
  const requests = [];
  page.on("request", (request) => requests.push(new URL(request.url()).pathname));
  const fetched = () =>
    requests
      .splice(0)
      .filter((path) => path.startsWith("/fixtures/"))
      .sort();

  await page.evaluate(async (backend) => {
    const flavour = backend === "webgpu" ? "webgpu" : "webgl";
    const { ModelHandle } = await import(`/gambol/wasm/${flavour}/gambol.js`);
    window.counts = { imported: 0, decoded: 0, freed: 0 };
    const { warnings, free } = ModelHandle.prototype;
    // Called once per file, after it was read.
    ModelHandle.prototype.warnings = function () {
      counts.imported++;
      return warnings.call(this);
    };
    ModelHandle.prototype.free = function () {
      counts.freed++;
      free.call(this);
    };
    const { createImageBitmap } = window;
    window.createImageBitmap = (...options) => {
      counts.decoded++;
      return createImageBitmap(...options);
    };
    /** Returns the counts since the last call. */
    window.count = () => {
      const now = { ...counts };
      Object.assign(counts, { imported: 0, decoded: 0, freed: 0 });
      return now;
    };
  }, backend);

  // Concurrent loads.
  const together = await page.evaluate(async (backend) => {
    const single = await stage.openModel(backend, "/fixtures/swing.gltf");
    single.render();
    const alone = single.stats.gpuBytes;
    single.dispose();
    count();

    window.players = [];
    for (let nth = 0; nth < 6; nth++) players.push(await stage.open(backend));
    const progress = players.map((player) => stage.record(player, "progress"));
    await Promise.all(players.map((player) => player.load("/fixtures/swing.gltf")));
    const counted = count();
    const looks = [];
    for (const player of players) {
      player.play("Swing");
      player.currentTime = 0.5;
      looks.push(await stage.look(player));
    }
    return {
      alone,
      counted,
      heard: progress.map((events) => events.at(-1)?.detail),
      same: looks.map((look) => stage.compare(looks[0], look, 0).count),
      lit: stage.coverage(looks[5]),
    };
  }, backend);
  const files = ["/fixtures/checks.png", "/fixtures/swing.bin", "/fixtures/swing.gltf"];
  assert.deepEqual(fetched(), [...files, ...files].sort(), "for the one that came and went, and for all the others");
  assert.deepEqual(together.counted, { imported: 1, decoded: 1, freed: 0 });
  assert.deepEqual(together.same, [0, 0, 0, 0, 0, 0]);
  assert.ok(together.lit.part > 0.03 && together.lit.brightest > 100);
  for (const last of together.heard) assert.deepEqual(last, together.heard[0], "each hears how far it is");

  // Successive loads, each with its own pose.
  const later = await page.evaluate(async (backend) => {
    const player = await stage.open(backend);
    const progress = stage.record(player, "progress");
    await player.load(new URL("/fixtures/swing.gltf", location.href));
    player.play("Raise");
    player.currentTime = 0.5;
    players.push(player);
    return {
      progress: progress.length,
      times: players.map(({ currentTime }) => currentTime),
      clip: players[0].clip.name,
      nodes: player.nodes.length,
    };
  }, backend);
  assert.deepEqual(
    fetched().filter((path) => path !== "/fixtures/checks.png"),
    [],
    "it is there already",
  );
  assert.ok(later.progress > 0);
  assert.deepEqual(later.times, Array(7).fill(0.5));
  assert.equal(later.clip, "Swing");
  assert.equal(later.nodes, 3);

  if (backend === "webgpu") {
    const parts = await page.evaluate(() => {
      // The newest player counts from its first frame. The others report their share with their next one.
      for (const player of [...players, ...players]) player.render();
      return players.map((player) => player.stats.gpuBytes);
    });
    const sum = parts.reduce((total, part) => total + part, 0);
    assert.ok(sum < together.alone * 1.01, `${parts} are the parts of what takes one player ${together.alone} bytes`);
  }

  // Different import options give a different model.
  const otherwise = await page.evaluate(async () => {
    count();
    await players[6].load("/fixtures/swing.gltf", { rotations: "nlerp" });
    return count();
  });
  assert.equal(otherwise.imported, 1);
  assert.equal(otherwise.freed, 0, "six still show the other");
  assert.ok(fetched().includes("/fixtures/swing.gltf"));

  // Aborting one load doesn't abort the others.
  const abandoned = await page.evaluate(async () => {
    count();
    const { fetch } = window;
    let release;
    const held = new Promise((resolve) => (release = resolve));
    window.fetch = async (...options) => {
      await held;
      return fetch(...options);
    };
    const stop = new AbortController();
    const [first, second] = [players[0], players[1]];
    const refused = first.load("/fixtures/swing.glb", { signal: stop.signal }).catch((error) => error.name);
    const loaded = second.load("/fixtures/swing.glb");
    stop.abort();
    const name = await refused;
    window.fetch = fetch;
    release();
    await loaded;
    return { name, shown: [first.name, second.name], counted: count() };
  });
  assert.deepEqual(abandoned, {
    name: "AbortError",
    shown: ["swing.gltf", "swing.glb"],
    counted: { imported: 1, decoded: 1, freed: 0 },
  });

  // When all loads are aborted, the request is cancelled.
  const ended = await page.evaluate(async () => {
    const { fetch } = window;
    let seen;
    window.fetch = (...[address, options]) => {
      seen = options.signal;
      return fetch(address, options);
    };
    const stop = new AbortController();
    const refused = players[0].load("/fixtures/stroll.glb", { signal: stop.signal }).catch((error) => error.name);
    await untilSoon(() => seen);
    stop.abort();
    const name = await refused;
    window.fetch = fetch;
    return { name, aborted: seen.aborted };
  });
  assert.deepEqual(ended, { name: "AbortError", aborted: true });

  // A failure rejects all loads, and the next load tries again.
  const failed = await page.evaluate(async () => {
    const codes = () =>
      Promise.all([0, 1].map((nth) => stage.failure(() => players[nth].load("/fixtures/truncated.glb"))));
    const told = (await codes()).map(({ code }) => code);
    return { told, again: (await codes()).map(({ code }) => code) };
  });
  assert.equal(failed.told[0], failed.told[1]);
  assert.deepEqual(failed.again, failed.told);

  // When the last player releases the model, it is fetched again next time, since the file may have changed.
  fetched();
  const gone = await page.evaluate(async (backend) => {
    stage.close();
    const freed = count();
    const player = await stage.openModel(backend, "/fixtures/swing.glb");
    await player.load("/fixtures/swing.glb");
    return { freed: freed.freed, imported: count().imported };
  }, backend);
  assert.equal(gone.freed, 3, "each of the three models, once");
  assert.equal(gone.imported, 2, "who loads again what it alone shows wants it anew");
  assert.deepEqual(fetched(), ["/fixtures/swing.glb", "/fixtures/swing.glb"]);
}
