/** The hints that `gambol-hints` prints: a browser fetches every file early, once, and uses each. */

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { hints } from "../../../www/hints.mjs";
import { serve } from "../../../www/serve.mjs";

/** Chromium warns of hints that weren't used a few seconds after a page has loaded. */
const USED_WITHIN_MILLIS = 4000;
const MODEL = "/fixtures/swing.glb?a=1&b=2";

export default async function ({ page, backend, mounts, out }) {
  const folder = join(out, "hints");
  mkdirSync(folder, { recursive: true });
  const server = await serve({ mounts: { ...mounts, "/hints/": folder } });
  const requests = [];
  const warnings = [];
  page.on("request", (request) => requests.push(request.url().slice(server.url.length - 1)));
  page.on("console", (message) => message.text().includes("preload") && warnings.push(message.text()));
  try {
    for (const element of [false, true]) {
      const head = hints({ dist: mounts["/gambol/"], base: "/gambol", backend, element, model: MODEL });
      writeFileSync(join(folder, "index.html"), pageWith(head, backend, element));
      requests.length = 0;
      await page.goto(`${server.url}hints/`);
      await page.waitForFunction(() => window.loaded);
      const hinted = head.map((line) => line.match(/href="([^"]*)"/)[1].replaceAll("&amp;", "&"));
      assert.ok(hinted.length >= 5);
      // The page itself comes first.
      assert.deepEqual(requests.slice(1, hinted.length + 1).toSorted(), hinted.toSorted(), "before all others");
      assert.deepEqual(requests, [...new Set(requests)], "each once");
      await new Promise((resolve) => setTimeout(resolve, USED_WITHIN_MILLIS));
      assert.deepEqual(warnings, []);
    }
  } finally {
    await page.goto("about:blank");
    await server.close();
  }
}

function pageWith(head, backend, element) {
  const script = element
    ? `import "/gambol/element.js";
       const element = document.createElement("gambol-player");
       element.setAttribute("backend", "${backend}");
       element.setAttribute("src", "${MODEL}");
       element.addEventListener("load", () => { window.loaded = true; });
       document.body.append(element);`
    : `import { Player } from "/gambol/index.js";
       const canvas = document.body.appendChild(document.createElement("canvas"));
       const player = await Player.create(canvas, { backend: "${backend}", preload: "${MODEL}" });
       await player.load("${MODEL}");
       window.loaded = true;`;
  return `<!doctype html><meta charset="utf-8"><title>Hints</title><link rel="icon" href="data:,">
    ${head.join("\n")}
    <body></body><script type="module">${script}</script>`;
}
