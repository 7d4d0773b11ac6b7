/**
 * The part `size`: the bytes of scripts and WebAssembly that a page downloads to show an animated model, compressed by
 * brotli at its best quality.
 *
 * The pages are those of `start`, so each has been seen to move. What counts is what the browser requested until then:
 * a player that loads parts of itself later isn't charged for those it didn't need.
 */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";

import { measure } from "../www/budget.mjs";
import { root } from "../www/toolchain.mjs";
import { addressOf } from "./address.mjs";
import { pagesFolder } from "./pages.mjs";

/** The rows of the size budget that say the same of Gambol's pages. They count the element in both. */
const BUDGET_ROWS = { webgpu: "a WebGPU page", webgl2: "a WebGL2 page" };

export async function measureSize({ driver, players, models }) {
  const budget = measure(join(root, "dist"));
  const rows = [];
  for (const player of players) {
    driver.say?.(`size: ${player.name}`);
    const row = { player: player.name };
    rows.push(row);
    const urls = new Set();
    try {
      const onResponse = (response) => urls.add(response.url());
      const page = await driver.visit(addressOf("start", player, models[0]), { onResponse });
      await page.call("started");
      await page.close();
      const weights = [...urls]
        .filter((url) => /\.(js|wasm)(\?|$)/.test(url))
        .map((url) => brotliBytes(fileOf(url, driver)));
      row.files = weights.length;
      row.bytes = weights.reduce((sum, bytes) => sum + bytes, 0);
      row.budget = budget[BUDGET_ROWS[player.backend]]?.brotli;
    } catch (error) {
      row.failed = String(error?.message ?? error).split("\n")[0];
    }
  }
  return rows;
}

function fileOf(url, driver) {
  if (!url.startsWith(driver.url)) throw new Error(`the page loads ${url}, from another server`);
  return readFileSync(join(pagesFolder, decodeURI(new URL(url).pathname)));
}

function brotliBytes(bytes) {
  return brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 11,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      [constants.BROTLI_PARAM_LGWIN]: 24,
    },
  }).length;
}
