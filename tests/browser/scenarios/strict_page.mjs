/**
 * The strictest Content-Security-Policy that allows WebAssembly blocks nothing that the player or the element
 * needs.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { examplesOf } from "../../../www/examples.mjs";
import { serve } from "../../../www/serve.mjs";
import { root } from "../../../www/toolchain.mjs";

const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; " +
  "connect-src 'self'; img-src 'self' data:";
const TRUSTED = `${POLICY}; require-trusted-types-for 'script'; trusted-types`;
const POLICIES = [
  { name: "the policy", policy: POLICY, worker: true },
  // No string is used as a script.
  { name: "trusted types, of which there are none", policy: `${TRUSTED} 'none'`, worker: false },
  // Except the URL of the worker, with the policy of the documentation.
  { name: "trusted types", policy: `${TRUSTED} default`, worker: true },
];

const examples = examplesOf(readFileSync(join(root, "www/docs/start.html"), "utf8"));

/** Three policies, each with two WebAssembly files. */
export const longestSecs = 240;

/** The missing file, and the style that the policy must block. */
export const expectedErrors = [/404 \(Not Found\).*none\.glb/, /Applying inline style .*sha256-NerDAUWf/];

export default async function ({ page, backend, mounts }) {
  await page.evaluateOnNewDocument(() => {
    window.violations = [];
    document.addEventListener(
      "securitypolicyviolation",
      ({ violatedDirective, blockedURI, sourceFile, lineNumber }) => {
        violations.push([violatedDirective, blockedURI, sourceFile, lineNumber].join(" "));
      },
    );
  });
  for (const { name, policy, worker } of POLICIES) {
    const server = await serve({ mounts, headers: { "Content-Security-Policy": policy } });
    try {
      if (policy.endsWith("default")) await page.evaluateOnNewDocument(examples.get("trusted"));
      await page.goto(`${server.url}strict.html`);
      await page.waitForFunction(() => window.stage);
      assert.deepEqual(
        await page.evaluate(showMuch, backend),
        { warnings: [], clips: 2, bar: true, error: true, time: 0.5 },
        name,
      );
      if (worker) assert.ok(await page.evaluate(playInWorker, backend), name);
      assert.deepEqual(await page.evaluate(() => violations), [], name);
    } finally {
      await server.close();
    }
  }
  // Shows that violations are reported at all.
  await page.evaluate(() => document.body.setAttribute("style", "color: red"));
  assert.equal(await page.evaluate(() => violations.length), 1);
}

// ── in the page ──

async function showMuch(backend) {
  const element = Object.assign(document.createElement("gambol-player"), {
    ...{
      backend,
      src: "/fixtures/swing.gltf",
      poster: "/formats/flag.png",
      alt: "A swing",
      autoplay: true,
      controls: true,
    },
    ...{ autoRotate: 10, cameraOrbit: "30deg 10deg 120%", skeleton: true, shadow: "soft" },
  });
  const seen = (part) => element.shadowRoot.querySelector(`[part~="${part}"]`)?.checkVisibility() === true;
  let shown = stage.once(element, "play");
  document.body.append(element);
  await shown;
  const bar = await until(() => seen("controls"));
  const { drive } = await import("/gambol/drive.js");
  const driven = drive(element, () => 0.25);
  await until(() => element.currentTime === 0.5);
  const time = element.currentTime;
  driven.stop();
  await element.player.screenshot({ width: 16, height: 16 });
  // Uses another wasm file, and an image that browsers can't decode.
  shown = stage.once(element, "play");
  element.src = "/fixtures/formats/named_tga.x";
  await shown;
  const { warnings, clips } = element.player;
  element.src = "/none.glb";
  const error = await until(() => seen("error"));
  // A separate script adds the details.
  await until(() => element.shadowRoot.querySelector("[part~=error] details"));
  element.remove();
  return { warnings, clips: clips.length, bar, error, time };
}

async function playInWorker(backend) {
  const player = await stage.openModel(backend, "/fixtures/swing.glb", { clip: 0, worker: true });
  player.advance(0.25);
  await player.settled();
  return player.currentTime === 0.25;
}
