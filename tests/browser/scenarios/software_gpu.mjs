/**
 * On a GPU in software, opaque pictures are uploaded as pixels, which need no shader. They look as they do on other
 * GPUs. Pictures with transparent pixels keep their colours, so they are uploaded as on other GPUs.
 */

import assert from "node:assert/strict";

export const backends = ["webgpu"];

export default async function ({ page }) {
  const open = async (isSoftware, alpha) => {
    await page.reload();
    await page.waitForFunction(() => window.stage);
    return page.evaluate(
      async (isSoftware, alpha) => {
        Object.defineProperty(GPUAdapterInfo.prototype, "isFallbackAdapter", { get: () => isSoftware });
        let copies = 0;
        const { copyExternalImageToTexture } = GPUQueue.prototype;
        GPUQueue.prototype.copyExternalImageToTexture = function (...args) {
          copies++;
          return copyExternalImageToTexture.apply(this, args);
        };
        // Every value of each channel, in sizes that don't fill whole strips of rows.
        const image = new ImageData(300, 301);
        image.data.forEach((_, at) => {
          image.data[at] = at % 4 === 3 ? alpha : (at * 7 + (at >> 10)) % 256;
        });
        const { canvas } = new OffscreenCanvas(300, 301).getContext("2d");
        canvas.getContext("2d").putImageData(image, 0, 0);
        const file = async (name) => [name, await (await fetch(`/fixtures/${name}`)).blob()];
        const files = new Map([await file("swing.gltf"), await file("swing.bin")]);
        files.set("checks.png", await canvas.convertToBlob());
        const player = await stage.openModel("webgpu", files, { css: "width:300px;height:300px" });
        const shown = await stage.look(player);
        return { copies, shown: Array.from(shown.data), part: stage.coverage(shown).part };
      },
      isSoftware,
      alpha,
    );
  };

  const [pixels, picture] = [await open(true, 255), await open(false, 255)];
  assert.deepEqual([pixels.copies, picture.copies], [0, 1]);
  assert.ok(pixels.part > 0.05, `${pixels.part} of the canvas`);
  assert.deepEqual(pixels.shown, picture.shown);

  const [translucent, same] = [await open(true, 128), await open(false, 128)];
  assert.deepEqual([translucent.copies, same.copies], [1, 1]);
  assert.deepEqual(translucent.shown, same.shown);
}
