/** A loaded model can be saved as one .glb that plays the same, with its images; the viewer has a button for it. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";

export default async function ({ page, backend, out, url }) {
  const told = await page.evaluate(async (backend) => {
    const { toGlb } = await import("/gambol/index.js");
    const player = await stage.open(backend);
    player.ground = false;
    const poses = () =>
      player.clips.map(({ index, duration }) => {
        player.play(index);
        return [0, 0.4, 1].map((part) => {
          player.currentTime = part * duration;
          const matrices = player.worldMatrices();
          return Object.fromEntries(
            player.nodes.map(({ name, index }) => [name, [...matrices.slice(index * 16, index * 16 + 16)]]),
          );
        });
      });
    const see = async () => {
      player.play(0);
      player.currentTime = 1;
      player.frame();
      return stage.look(player);
    };
    const files = {};
    const pieces = await Promise.all(
      ["swing.gltf", "swing.bin", "checks.png"].map((name) => stage.file(`/fixtures/${name}`)),
    );
    const formats = (name) => stage.file(`/fixtures/formats/${name}`);
    for (const [name, source] of Object.entries({
      "swing.glb": "/fixtures/swing.glb",
      "swing.gltf": "/fixtures/swing.gltf",
      "dropped.gltf": pieces,
      "swing.x": "/fixtures/formats/swing.x",
      "swing.dae": "/fixtures/formats/swing.dae",
      "inside.dae": await formats("inside.dae"),
      "alone.dae": await (await fetch("/fixtures/formats/swing.dae")).blob(),
      "named_tga.x": [await formats("named_tga.x"), await formats("red.tga")],
      "missing.x": await formats("named_missing.x"),
    })) {
      await player.load(source);
      const [clips, before, picture] = [player.clips, poses(), await see()];
      const saved = await toGlb(source);
      await player.load(saved.glb);
      const after = poses();
      let apart = 0;
      before.forEach((times, clip) =>
        times.forEach((nodes, time) => {
          for (const [node, matrix] of Object.entries(nodes)) {
            matrix.forEach(
              (number, lane) => (apart = Math.max(apart, Math.abs(number - after[clip][time][node][lane]))),
            );
          }
        }),
      );
      files[name] = {
        saved: saved.name,
        notes: saved.notes.map(({ code }) => code),
        warnings: saved.warnings.map(({ code, place }) => [code, place]),
        clips: [clips, player.clips].map((clips) => clips.map(({ name, duration }) => [name, duration])),
        again: player.warnings,
        apart,
        differing: stage.compare(picture, await see()).differing,
      };
    }
    const abort = new AbortController();
    const saving = toGlb("/fixtures/formats/swing.x", { signal: abort.signal }).catch((error) => error.name);
    abort.abort();
    const sources = ["/fixtures/swing.gltf", "/fixtures/formats/swing.x"];
    const smaller = await Promise.all(
      sources.map(async (source) => {
        const [plain, small] = await Promise.all([
          toGlb(source),
          toGlb(source, { compress: "meshopt", reduceKeys: 0.001 }),
        ]);
        const length = new DataView(small.glb.buffer).getUint32(12, true);
        const { extensionsRequired } = JSON.parse(new TextDecoder().decode(small.glb.subarray(20, 20 + length)));
        return { sizes: small.sizes, plain: plain.glb.length, small: small.glb.length, extensionsRequired };
      }),
    );
    return { files, aborted: await saving, smaller };
  }, backend);

  for (const [name, { saved, notes, warnings, clips, again, apart, differing }] of Object.entries(told.files)) {
    assert.deepEqual(
      notes,
      { "named_tga.x": ["IMAGE_CONVERTED"], "missing.x": ["IMAGE_MISSING"], "alone.dae": ["IMAGE_MISSING"] }[name] ??
        [],
      name,
    );
    const missing = { "missing.x": "nowhere.tga", "alone.dae": "checks.png" }[name];
    assert.deepEqual(warnings, missing ? [["IMAGE_NOT_LOADED", missing]] : [], name);
    assert.deepEqual(clips[0], clips[1], name);
    assert.deepEqual(again, [], `${name}: what we write is clean`);
    assert.ok(apart < 2e-4, `${name}: poses are ${apart} apart, and the model is 2 high`);
    assert.ok(differing < 0.001, `${name}: ${differing} of the picture looks other than before`);
    const expected = { "dropped.gltf": "swing.glb", "alone.dae": "model.glb", "missing.x": "named_missing.glb" };
    assert.equal(saved, expected[name] ?? name.replace(/\.\w+$/, ".glb"));
  }
  assert.equal(told.aborted, "AbortError");
  for (const { sizes, plain, small, extensionsRequired } of told.smaller) {
    assert.ok(small < plain && sizes.glb === small && sizes.source > 1000, JSON.stringify({ sizes, plain, small }));
    assert.deepEqual(extensionsRequired, ["EXT_meshopt_compression", "KHR_mesh_quantization"]);
  }
  if (backend === "webgl2") await fromTheViewer(page, out, url);
}

async function fromTheViewer(page, out, url) {
  const session = await page.browser().target().createCDPSession();
  await session.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: out, eventsEnabled: true });
  const downloaded = () =>
    new Promise((done) => {
      const names = new Map();
      session.on("Browser.downloadWillBegin", ({ guid, suggestedFilename }) => names.set(guid, suggestedFilename));
      session.on("Browser.downloadProgress", ({ guid, state }) => state === "completed" && done(names.get(guid)));
    });
  await page.evaluateOnNewDocument(() => Object.defineProperty(Navigator.prototype, "gpu", { value: undefined }));
  await page.setViewport({ width: 800, height: 600, deviceScaleFactor: 1 });
  await page.goto(`${url}gambol/viewer/`);
  await page.waitForFunction(() => !document.querySelector("#save-glb").disabled);

  const disabled = await page.evaluate(async () => {
    const transfer = new DataTransfer();
    for (const name of ["swing.x", "checks.png"]) {
      transfer.items.add(new File([await (await fetch(`/fixtures/formats/${name}`)).arrayBuffer()], name));
    }
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
    // Dropped files are collected in this task and read in later ones.
    await new Promise((resolve) => setTimeout(resolve));
    return document.querySelector("#save-glb").disabled;
  });
  assert.equal(disabled, true, "while it loads there is nothing to save");
  await page.waitForFunction(() => document.querySelector("#file-name").textContent === "swing.x");
  await page.waitForFunction(() => !document.querySelector("#save-glb").disabled);
  const first = downloaded();
  // With the keyboard.
  await page.focus("#save-glb");
  await page.keyboard.press("Enter");
  assert.equal(await first, "swing.glb");
  assert.equal(readFileSync(join(out, "swing.glb")).toString("latin1", 0, 4), "glTF");
  await page.waitForFunction(() => !document.querySelector("#saved-section").hidden);
  const said = await page.$eval("#saved-section", (section) => section.textContent);
  assert.match(said, /swing\.glb/);
  assert.match(said, /everything/);
  await page.screenshot({ path: join(out, "viewer_saved.png") });

  await page.evaluate(async () => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([await (await fetch("/fixtures/formats/broken.x")).arrayBuffer()], "broken.x"));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
  });
  await page.waitForFunction(() => !document.querySelector("#error").hidden);
  await page.click("#compress");
  const second = downloaded();
  await page.keyboard.down("Control");
  await page.keyboard.press("s");
  await page.keyboard.up("Control");
  assert.equal(await second, "swing.glb", "the model from before is still shown, and can be saved");
  await page.waitForFunction(() => /KB instead of \d+ KB/.test(document.querySelector("#saved").textContent));
  await session.detach();
}
