/**
 * A canvas without a size in CSS, or with only a width or a height, keeps the size and the ratio of its attributes on a
 * screen with more pixels. What the page's CSS says has precedence, also if it comes later.
 */

import assert from "node:assert/strict";

const DPR = 2;

/** How a canvas is made, and its size on the page: before, with a player, and after a later rule. */
const CANVASES = {
  plain: { sizes: ["300x150", "300x150", "260x130"] },
  "with attributes": { attributes: [400, 320], sizes: ["400x320", "400x320", "260x208"] },
  "as wide as its parent": { css: "width: 100%", sizes: ["260x130", "260x130", "260x130"] },
  "of a height": { css: "height: 100px", sizes: ["200x100", "200x100", "260x100"] },
  "no wider than its parent": { css: "max-width: 100%", sizes: ["260x130", "260x130", "260x130"] },
  "of a size": { css: "width: 120px; height: 90px", sizes: ["120x90", "120x90", "120x90"] },
  "of a ratio": { css: "width: 160px; aspect-ratio: 16 / 9", sizes: ["160x90", "160x90", "160x90"] },
  "in a shadow tree": { place: "shadow", sizes: ["300x150", "300x150", "300x150"] },
  "added later": { place: "later", sizes: ["0x0", "300x150", "260x130"] },
  "hidden at first": { place: "hidden", sizes: ["0x0", "300x150", "260x130"] },
  "whose style is set anew": { place: "anew", sizes: ["300x150", "300x150", "260x130"] },
  "with a second player": { place: "again", sizes: ["300x150", "300x150", "260x130"] },
};

export default async function ({ page, backend }) {
  await page.setViewport({ width: 800, height: 600, deviceScaleFactor: DPR });
  for (const worker of [false, true]) {
    for (const [name, canvas] of Object.entries(CANVASES)) {
      // A worker has the canvas for good.
      if (worker && canvas.place === "again") continue;
      const told = await page.evaluate(tryCanvas, { backend, worker, ...canvas });
      const where = `${name}, in the ${worker ? "worker" : "page"}`;
      assert.deepEqual(told.sizes, canvas.sizes, where);
      const pixels = canvas.sizes[2].split("x").map((side) => side * DPR);
      assert.ok(
        told.pixels.every((side, at) => Math.abs(side - pixels[at]) <= 1),
        `${where}: ${told.pixels}`,
      );
      assert.deepEqual(told.errors, [], where);
    }
  }
}

/** In the page. */
async function tryCanvas({ backend, worker, attributes, css = "", place }) {
  const errors = [];
  const listen = ({ message }) => errors.push(message);
  window.addEventListener("error", listen);
  // The page's own rules give all canvases a size.
  const rules = [...document.styleSheets];
  for (const sheet of rules) sheet.disabled = true;
  const canvas = document.createElement("canvas");
  canvas.style.cssText = css;
  if (attributes) [canvas.width, canvas.height] = attributes;
  const parent = document.createElement("div");
  parent.style.cssText = "width: 260px; line-height: 0";
  document.body.append(parent);
  const tree = place === "shadow" ? parent.attachShadow({ mode: "open" }) : parent;
  if (place === "hidden") parent.hidden = true;
  if (place !== "later") tree.append(canvas);
  const size = () => `${canvas.clientWidth}x${canvas.clientHeight}`;
  const sizes = [size()];
  const options = { backend, worker, pixelRatio: 2 };
  if (place === "again") (await stage.Player.create(canvas, options)).dispose();
  const player = await stage.Player.create(canvas, options);
  player.autoUpdate = false;
  await player.load("/fixtures/swing.glb");
  tree.append(canvas);
  parent.hidden = false;
  if (place === "anew") canvas.style.cssText = "opacity: 0.9";
  // It would grow with each picture.
  const settle = async () => {
    for (let picture = 0; picture < 4; picture++) {
      player.render();
      await player.settled();
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
  };
  await settle();
  sizes.push(size());
  const rule = document.createElement("style");
  rule.textContent = "canvas { width: 100% }";
  document.head.append(rule);
  await settle();
  sizes.push(size());
  const told = { sizes, pixels: [canvas.width, canvas.height], errors };
  rule.remove();
  for (const sheet of rules) sheet.disabled = false;
  player.dispose();
  parent.remove();
  window.removeEventListener("error", listen);
  return told;
}
