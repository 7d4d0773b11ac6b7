/**
 * The viewer's panel with a model of forty clips, two thousand nodes and two hundred morphs; and its display
 * options.
 */

import assert from "node:assert/strict";

export const address = "gambol/viewer/";
export const backends = ["webgl2"];
export const longestSecs = 180;

const NODES = 2000;
const MORPHS = 200;
const NAMES = ["Walk", "Run", "Idle, with a description that is much longer than the panel is wide", "Jump", "Wave"];

export default async function ({ page }) {
  await page.evaluateOnNewDocument(() => Object.defineProperty(Navigator.prototype, "gpu", { value: undefined }));
  await page.reload();
  await page.setViewport({ width: 900, height: 600, deviceScaleFactor: 1 });
  await page.waitForFunction(() => document.querySelector("#save-glb:enabled"));
  const drop = (name, content) =>
    page.evaluate(
      async (name, content) => {
        const element = document.querySelector("gambol-player");
        const loaded = untilEvent(element, "load");
        const transfer = new DataTransfer();
        transfer.items.add(new File([content ?? (await (await fetch(`/fixtures/${name}`)).arrayBuffer())], name));
        document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
        await loaded;
        window.player = element.player;
        element.pause();
      },
      name,
      content,
    );
  assert.equal(await page.$eval("#clip-search", ({ hidden }) => hidden), true, "a few clips need no filter");
  await drop("large.gltf", large());
  await clips(page);
  await morphs(page);
  await nodes(page);
  await looks(page, drop);
  await cameras(page, drop);
}

/** The common prefix of the names is omitted, a duration stays on one line, and the filter works. */
async function clips(page) {
  const told = await page.evaluate(() =>
    [...document.querySelectorAll("#clips button")].map((button) => {
      const [name, length] = button.children;
      const box = button.getBoundingClientRect();
      return {
        name: name.textContent,
        title: button.title,
        lines: length.getClientRects().length === 1 && length.getBoundingClientRect().height < 30,
        inside: length.getBoundingClientRect().right <= box.right && name.scrollWidth <= name.clientWidth + 1,
      };
    }),
  );
  assert.deepEqual(
    told.slice(0, 2).map(({ name, title }) => [name, title]),
    [
      ["Walk 0", "Armature|Armature|Walk 0"],
      ["Run 1", "Armature|Armature|Run 1"],
    ],
  );
  assert.equal(new Set(told.map(({ name }) => name)).size, 40);
  assert.ok(
    told.every(({ lines, inside }) => lines && inside),
    JSON.stringify(told.filter(({ lines, inside }) => !lines || !inside)),
  );

  await page.focus("#clip-filter");
  await page.keyboard.type("ruN");
  const left = await page.$$eval("#clips li:not([hidden])", (items) => items.length);
  assert.deepEqual([left, await page.$eval("#clip-status", ({ textContent }) => textContent)], [8, "8 of 40"]);
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => player.clip?.name === "Armature|Armature|Run 1");
  await page.waitForFunction(() => document.querySelector("#clips [aria-current=true]").title.endsWith("Run 1"));
  await page.evaluate(() => document.querySelector("gambol-player").pause());
}

/** A slider sets a weight, which stays until the morphs are reset. */
async function morphs(page) {
  assert.equal(await page.$$eval("#morphs input", ({ length }) => length), MORPHS);
  await page.focus("#morphs-section summary");
  await page.keyboard.press("Enter");
  await page.focus("#morph-filter");
  await page.keyboard.type("viseme 17");
  const shown = await page.$$eval("#morphs label:not([hidden]) span", (names) =>
    names.map(({ textContent }) => textContent),
  );
  assert.deepEqual(shown, ["viseme 17", ...Array.from({ length: 10 }, (_, at) => `viseme 17${at}`)]);
  await page.keyboard.press("Tab");
  await page.keyboard.press("End");
  assert.deepEqual(
    await page.evaluate(() => [player.morph("viseme 17").weight, player.morph("viseme 18").weight]),
    [1, 0],
  );
  await page.click("#morphs-back");
  assert.equal(await page.evaluate(() => player.morph("viseme 17").weight), 0);
  assert.equal(await page.$eval("#morphs label:not([hidden]) output", ({ textContent }) => textContent), "0.00");
  await page.$eval("#morphs-section", (section) => (section.open = false));
}

/** The tree shows some of many nodes, expands by arrow keys, can be searched, and marks the selected node. */
async function nodes(page) {
  await page.focus("#nodes-section summary");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#nodes [role=treeitem]");
  const rows = () =>
    page.$$eval("#nodes [role=treeitem]", (rows) =>
      rows.map((row) => ({
        name: row.querySelector(".name").textContent,
        level: row.ariaLevel,
        open: row.ariaExpanded,
        place: `${row.ariaPosInSet}/${row.ariaSetSize}`,
      })),
    );
  const first = await rows();
  assert.ok(first.length > 10 && first.length < 200, `${first.length} rows`);
  assert.deepEqual(first[0], { name: "Root", level: "1", open: "true", place: "1/1" });
  assert.deepEqual(first[1], { name: "Node 1", level: "2", open: "true", place: "1/2" });

  const at = () => page.evaluate(() => document.activeElement.querySelector(".name")?.textContent);
  await page.focus("#nodes [tabindex='0']");
  const walk = async (...keys) => {
    for (const key of keys) await page.keyboard.press(key);
    return at();
  };
  assert.equal(await walk("ArrowDown"), "Node 1");
  assert.equal(await walk("ArrowLeft"), "Node 1");
  assert.equal((await rows())[2].name, "Node 2", "what it holds is folded away");
  assert.equal(await walk("ArrowRight", "ArrowRight"), "Node 3");
  assert.equal(await walk("ArrowLeft", "ArrowLeft"), "Node 1");
  assert.equal(await walk("ArrowLeft", "ArrowLeft"), "Root");
  assert.equal(await walk("End"), first.at(-1).name);
  assert.equal(await walk("Home"), "Root");
  assert.equal(await page.$$eval("#nodes [tabindex='0']", ({ length }) => length), 1, "one stop for Tab");

  await page.focus("#node-search");
  await page.keyboard.type("node 1999");
  assert.equal(await page.$eval("#node-status", ({ textContent }) => textContent), "1 of 2,000");
  const found = await rows();
  assert.deepEqual(
    [found.length, found.at(-1).name, found.at(-1).level],
    [11, "Node 1999", "11"],
    "with all that it hangs on",
  );
  assert.equal(await walk("Enter"), "Node 1999");
  await page.keyboard.press("Enter");
  const apart = await page.evaluate(async () => {
    await until(() => !document.querySelector("#node-mark").hidden);
    const [x, y, z] = player.node("Node 1999").worldMatrix.slice(12, 15);
    const place = player.camera.project([x, y, z]);
    const [canvas, mark] = [player.canvas, document.querySelector("#node-mark")].map((element) =>
      element.getBoundingClientRect(),
    );
    return Math.hypot(mark.left - canvas.left - place[0], mark.top - canvas.top - place[1]);
  });
  assert.ok(apart < 1, `the mark is ${apart} pixels away`);
  assert.equal(await page.$eval("#node-mark-name", ({ textContent }) => textContent), "Node 1999");
}

/** Exposure, background and rotation are applied to the player, and kept for the next model. */
async function looks(page, drop) {
  await page.evaluate(() => {
    const set = (id, value) => {
      const input = document.querySelector(id);
      if (input.type === "checkbox") input.checked = value;
      else input.value = value;
      input.dispatchEvent(new Event("input", { bubbles: true }));
    };
    set("#exposure", "1.5");
    set("#turning", true);
    set("#background-color", "#ff0000");
  });
  const shown = () =>
    page.evaluate(async () => {
      const { exposure, autoRotate } = player;
      player.render();
      const bytes = Uint8Array.from(atob(player.canvas.toDataURL().split(",")[1]), (letter) => letter.charCodeAt(0));
      const picture = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
      const context = new OffscreenCanvas(1, 1).getContext("2d");
      context.drawImage(picture, 0, 0);
      return {
        exposure: Math.log2(exposure),
        turns: autoRotate > 0,
        corner: [...context.getImageData(0, 0, 1, 1).data],
      };
    });
  const expected = { exposure: 1.5, turns: true, corner: [255, 0, 0, 255] };
  const close = (told) => ({ ...told, exposure: Math.round(told.exposure * 1e4) / 1e4 });
  assert.deepEqual(close(await shown()), expected);
  assert.equal(await page.$eval("#exposure-value", ({ textContent }) => textContent), "+1.5 EV");
  await drop("swing.glb");
  assert.deepEqual(close(await shown()), expected, "with another model too");
  assert.equal(await page.$eval("#node-mark", ({ hidden }) => hidden), true, "its node is gone");
  await page.click("#background");
  assert.deepEqual((await shown()).corner, [0, 0, 0, 0]);
}

/** A camera of the model can be chosen, until a gesture leaves it. */
async function cameras(page, drop) {
  assert.equal(await page.$eval("#camera-choice", ({ hidden }) => hidden), true, "the model has none");
  const model = JSON.parse(large());
  model.cameras = ["", "Wide"].map((name) => ({ name, type: "perspective", perspective: { yfov: 1, znear: 0.1 } }));
  Object.assign(model.nodes[3], { camera: 0, translation: [0, 0, 5], name: "" });
  Object.assign(model.nodes[4], { camera: 1, translation: [0, 1, 5] });
  await drop("cameras.gltf", JSON.stringify(model));
  const choice = () => page.$eval("#camera", ({ value }) => value);
  const options = await page.$$eval("#camera option", (all) => all.map(({ textContent }) => textContent));
  assert.deepEqual([options, await choice()], [["Orbit", "Camera 0", "Wide"], ""]);
  for (const index of ["0", "1"]) {
    await page.select("#camera", index);
    await page.waitForFunction((index) => player.usedCamera?.index === Number(index), {}, index);
    await page.mouse.move(20 + Number(index), 300);
    assert.equal(await choice(), index);
  }
  const [x, y] = await page.$eval("gambol-player", (element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  });
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 30, y, { steps: 3 });
  await page.mouse.up();
  assert.deepEqual([await page.evaluate(() => player.usedCamera), await choice()], [null, ""]);
}

/** Returns a triangle with morph targets, and a binary tree of nodes. */
function large() {
  const numbers = [
    [0, 0, 0, 1, 0, 0, 0, 1, 0],
    [0, 0, 1, 0, 0, 0, 0, 0, 0],
    [0, 1],
    [0, 0, 0, 1, 0, 0.5 ** 0.5, 0, 0.5 ** 0.5],
  ];
  const data = Buffer.from(Float32Array.from(numbers.flat()).buffer);
  let byteOffset = 0;
  const bufferViews = numbers.map(({ length }) => ({
    buffer: 0,
    byteOffset: (byteOffset += 4 * length) - 4 * length,
    byteLength: 4 * length,
  }));
  const nodes = Array.from({ length: NODES }, (_, at) => {
    const children = [2 * at + 1, 2 * at + 2].filter((child) => child < NODES);
    return {
      name: at === 0 ? "Root" : `Node ${at}`,
      ...(at === 0 ? { mesh: 0 } : { translation: [0.02, 0.01, 0] }),
      ...(children.length > 0 && { children }),
    };
  });
  return JSON.stringify({
    asset: { version: "2.0" },
    buffers: [{ byteLength: data.length, uri: `data:application/octet-stream;base64,${data.toString("base64")}` }],
    bufferViews,
    accessors: [
      { bufferView: 0, componentType: 5126, count: 3, type: "VEC3", min: [0, 0, 0], max: [1, 1, 0] },
      { bufferView: 1, componentType: 5126, count: 3, type: "VEC3", min: [0, 0, 0], max: [0, 0, 1] },
      { bufferView: 2, componentType: 5126, count: 2, type: "SCALAR", min: [0], max: [1] },
      { bufferView: 3, componentType: 5126, count: 2, type: "VEC4" },
    ],
    meshes: [
      {
        primitives: [{ attributes: { POSITION: 0 }, targets: Array.from({ length: MORPHS }, () => ({ POSITION: 1 })) }],
        extras: { targetNames: Array.from({ length: MORPHS }, (_, at) => `viseme ${at}`) },
      },
    ],
    nodes,
    scenes: [{ nodes: [0] }],
    scene: 0,
    animations: Array.from({ length: 40 }, (_, at) => ({
      name: `Armature|Armature|${NAMES[at % NAMES.length]} ${at}`,
      channels: [{ sampler: 0, target: { node: 0, path: "rotation" } }],
      samplers: [{ input: 2, output: 3 }],
    })),
  });
}
