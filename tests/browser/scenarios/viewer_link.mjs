/**
 * `?model=` and `?clip=` open a model of this site or another, the address follows the clip, and a bad one gives a
 * message.
 */

import assert from "node:assert/strict";

import { serve } from "../../../www/serve.mjs";

export const address = "gambol/viewer/";
export const backends = ["webgl2"];
export const longestSecs = 180;
export const expectedErrors = [/Failed to load resource/, /blocked by CORS policy/];

export default async function ({ page, mounts, url }) {
  await page.evaluateOnNewDocument(() => Object.defineProperty(Navigator.prototype, "gpu", { value: undefined }));
  const models = { "/": mounts["/fixtures/"] };
  const [open, closed] = await Promise.all([
    serve({ mounts: models, headers: { "Access-Control-Allow-Origin": "*" } }),
    serve({ mounts: models }),
  ]);
  const go = async (query) => {
    await page.goto(`${url}gambol/viewer/${query}`);
    await page.waitForFunction(() => document.querySelector("#save-glb:enabled"));
    return page.evaluate(() => {
      const { player } = document.querySelector("gambol-player");
      const error = document.querySelector("#error");
      return {
        name: player.name,
        clip: player.clip?.name,
        paused: player.paused,
        error: error.hidden ? "" : error.innerText,
      };
    });
  };
  try {
    assert.deepEqual(await go("?model=/fixtures/swing.glb&clip=Raise"), {
      name: "swing.glb",
      clip: "Raise",
      paused: false,
      error: "",
    });
    await page.click("[data-clip='0']");
    await page.waitForFunction(() => document.querySelector("gambol-player").player.clip.name === "Swing");
    const query = await page.evaluate(() => location.search);
    assert.deepEqual(
      [...new URLSearchParams(query)],
      [
        ["model", "/fixtures/swing.glb"],
        ["clip", "Swing"],
      ],
      "the address can be handed on",
    );
    assert.deepEqual(await go(query), { name: "swing.glb", clip: "Swing", paused: false, error: "" });
    assert.equal(await page.evaluate(() => history.length > 0 && document.querySelector("#invite").hidden), true);

    // A dropped file has no URL.
    await page.evaluate(async () => {
      const element = document.querySelector("gambol-player");
      const loaded = untilEvent(element, "load");
      const transfer = new DataTransfer();
      transfer.items.add(new File([await (await fetch("/fixtures/stroll.glb")).arrayBuffer()], "stroll.glb"));
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
      await loaded;
      await until(() => element.player.clip?.name === "Stroll" || element.player.clip);
    });
    assert.equal(await page.evaluate(() => location.search), "");

    assert.deepEqual(
      await go(`?model=${encodeURIComponent(`${open.url}swing.glb`)}`),
      { name: "swing.glb", clip: "Swing", paused: false, error: "" },
      "from another site",
    );
    assert.equal((await go("?clip=Dance")).clip, "Dance", "of the sample");

    const unknown = await go("?model=/fixtures/swing.glb&clip=Fly");
    assert.deepEqual([unknown.clip, unknown.paused], ["Swing", false]);
    assert.match(unknown.error, /no clip “Fly”.*Swing, Raise/s);

    // A model that can't be opened gives a message, and the sample is shown.
    for (const [query, words] of [
      [`?model=${encodeURIComponent(`${closed.url}swing.glb`)}`, /linked model could not be opened.*CORS/s],
      ["?model=/fixtures/nowhere.glb", /linked model could not be opened.*no file at this address.*HTTP_STATUS/s],
      ["?model=/fixtures/truncated.glb", /linked model could not be opened.*GLB_TRUNCATED/s],
      ["?model=javascript:alert(1)", /link could not be opened.*https:/s],
      ["?model=data:model/gltf-binary,glTF", /link could not be opened.*https:/s],
      ["?model=http://[", /link could not be opened.*https:/s],
    ]) {
      const told = await go(query);
      assert.deepEqual([told.name, told.clip], ["character.glb", "Idle"], query);
      assert.match(told.error, words, query);
    }

    // Markup in the query is shown as text.
    const markup = encodeURIComponent("<img src=x onerror='document.title = 1'>");
    const told = await go(`?model=/fixtures/swing.glb&clip=${markup}`);
    assert.match(told.error, /<img src=x/);
    assert.equal(await page.evaluate(() => document.querySelectorAll("img").length), 0);
  } finally {
    await Promise.all([open.close(), closed.close()]);
  }
}
