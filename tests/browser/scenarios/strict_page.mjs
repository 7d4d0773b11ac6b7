/** Under the strictest Content-Security-Policy that allows WebAssembly at all, nothing is refused. */

import assert from "node:assert/strict";

import { serve } from "../../../www/serve.mjs";

/** The second takes another wasm file, and a picture that no browser decodes. */
const MODELS = ["/fixtures/swing.gltf", "/fixtures/formats/named_tga.x"];

export default async function ({ page, backend, mounts }) {
  const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; style-src 'self'; img-src data:";
  const server = await serve({ mounts, headers: { "Content-Security-Policy": policy } });
  try {
    await page.goto(`${server.url}strict.html`);
    await page.waitForFunction(() => window.stage);
    for (const src of MODELS) {
      const told = await page.evaluate(
        async (backend, src) => {
          const violations = [];
          document.addEventListener("securitypolicyviolation", (event) => violations.push(`${event.violatedDirective} ${event.blockedURI}`));
          const element = document.createElement("gambol-player");
          Object.assign(element, { backend, src, autoplay: true, controls: true });
          const shown = stage.once(element, "play");
          document.body.append(element);
          await shown;
          const { warnings, clips } = element.player;
          element.remove();
          return { violations, warnings, clips: clips.length };
        },
        backend,
        src,
      );
      assert.deepEqual(told, { violations: [], warnings: [], clips: 2 }, src);
    }
  } finally {
    await server.close();
  }
}
