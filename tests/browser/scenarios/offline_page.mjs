/** No request goes to another origin, and without a network a page still opens files of the visitor. */

import assert from "node:assert/strict";

import { serve } from "../../../www/serve.mjs";

export const expectedErrors = [/ERR_INTERNET_DISCONNECTED .*\/report-/];

export default async function ({ page, backend, mounts }) {
  const server = await serve({ mounts });
  const requests = [];
  page.on("request", (request) => requests.push(request.url()));
  try {
    await page.goto(server.url);
    await page.waitForFunction(() => window.stage);
    await page.evaluate(visit, backend);
    const origin = new URL(server.url).origin;
    const foreign = requests.filter((address) => !address.startsWith("data:") && new URL(address).origin !== origin);
    assert.deepEqual(foreign, []);
    assert.ok(
      requests.some((address) => address.endsWith("gambol_bg.wasm")),
      "requests are seen",
    );

    await page.setOfflineMode(true);
    // The server is stopped, too.
    await server.close();
    requests.length = 0;
    const told = await page.evaluate(goOn, backend);
    assert.deepEqual(
      told.map(({ moves, lit }) => [moves, lit > 0.01]),
      [
        [true, true],
        [true, true],
        [true, true],
      ],
    );
    assert.deepEqual(requests, []);
    // The notice shows the error, without the report, whose script can't be fetched.
    assert.equal(await page.evaluate(loadBroken), "GLB_TRUNCATED");
  } finally {
    await page.setOfflineMode(false);
    await server.close();
  }
}

// ── in the page ──

/** Plays a model, and fetches what the page may need later. */
async function visit(backend) {
  const { preload } = await import("/gambol/index.js");
  window.element = Object.assign(document.createElement("gambol-player"), {
    backend,
    src: "/fixtures/swing.gltf",
    autoplay: true,
    controls: true,
  });
  const played = stage.once(element, "play");
  document.body.append(element);
  await played;
  await preload("formats");
  window.files = await Promise.all(
    ["/fixtures/swing.glb", "/formats/flag.x", "/formats/flag.tga"].map((url) => stage.file(url)),
  );
}

/** Opens files of the visitor in the existing element and in a new player. */
async function goOn(backend) {
  const see = async (player) => {
    player.autoUpdate = false;
    player.play(0);
    player.currentTime = 0;
    const before = player.worldMatrices();
    player.advance(0.3);
    const moves = player.worldMatrices().some((number, at) => Math.abs(number - before[at]) > 0.01);
    const { part } = stage.coverage(await stage.look(player));
    player.autoUpdate = true;
    return { moves, lit: part };
  };
  const told = [];
  const [swing, ...flag] = files;
  for (const source of [swing, flag]) {
    await element.load(source);
    told.push(await see(element.player));
  }
  const player = await stage.open(backend);
  await player.load(swing);
  told.push(await see(player));
  return told;
}

async function loadBroken() {
  const { code } = await stage.failure(() => element.load(new File(["glTF"], "broken.glb")));
  const seen = () => element.shadowRoot.querySelector('[part~="error"]').checkVisibility();
  await until(seen);
  return code;
}
