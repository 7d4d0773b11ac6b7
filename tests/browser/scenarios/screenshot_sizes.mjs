/**
 * Large screenshots are drawn in tiles without visible seams. Impossible sizes are refused with `SCREENSHOT_SIZE`,
 * and nothing of a screenshot stays on the GPU.
 */

import assert from "node:assert/strict";

export const longestSecs = 300;

export default async function ({ page, backend }) {
  const tiled = await page.evaluate(async (backend) => {
    const found = [];
    for (const [width, height] of [
      [2500, 260],
      [260, 2500],
    ]) {
      const player = await stage.openModel(backend, "/fixtures/swing.glb", {
        clip: "Swing",
        time: 0.5,
        css: `width: ${width}px; height: ${height}px`,
      });
      player.crowd(3, { clip: "Swing", place: (character) => [character * 2 - 2, 0, character] });
      player.skeleton = true;
      player.frame();
      // A canvas keeps its old size until the page has measured it.
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      const whole = await stage.look(player);
      const parts = await stage.pixelsOfPng(await player.screenshot({ width, height }));
      const { count, greatest } = stage.compare(whole, parts, 1);
      found.push({ size: [whole.width, whole.height], count, greatest, look: stage.coverage(parts) });
      stage.close();
    }
    return found;
  }, backend);
  assert.deepEqual(
    tiled.map(({ size }) => size),
    [
      [2500, 260],
      [260, 2500],
    ],
  );
  for (const { count, greatest, look } of tiled) {
    assert.ok(look.part > 0.01 && look.brightest > 100, `the picture covers ${look.part}`);
    // If an edge meets a sample, the last bit of the vertex position decides whether it is covered.
    assert.ok(count <= 26, `${count} of 650,000 pixels differ, by up to ${greatest}`);
  }

  const { sizes, longest, refused } = await page.evaluate(async (backend) => {
    const player = await stage.openModel(backend, "/fixtures/swing.glb", { clip: "Swing", time: 0.5 });
    const wrong = [
      [1e5, 1e5],
      [16_385, 1],
      [1, 16_385],
      [8193, 8193],
      [0, 10],
      [-5, 10],
      [10.5, 10],
      [NaN, 10],
      [10, Infinity],
      ["wide", 10],
      [10, {}],
    ];
    const sizes = [];
    for (const [width, height] of wrong) {
      sizes.push({
        asked: `${width} × ${height}`,
        ...(await stage.failure(() => player.screenshot({ width, height }))),
      });
    }
    const bitmap = await createImageBitmap(await player.screenshot({ width: 16_384, height: 3 }));
    const { convertToBlob } = OffscreenCanvas.prototype;
    OffscreenCanvas.prototype.convertToBlob = () =>
      Promise.reject(new DOMException("Encoding failed.", "EncodingError"));
    const refused = await stage.failure(() => player.screenshot());
    OffscreenCanvas.prototype.convertToBlob = convertToBlob;
    return { sizes, longest: [bitmap.width, bitmap.height], refused };
  }, backend);
  for (const { asked, code, message, isOurs } of sizes) {
    assert.ok(isOurs && code === "SCREENSHOT_SIZE", `${asked}: ${code}`);
    assert.ok(message.includes(asked) && message.includes("16384") && message.includes("67108864"), message);
  }
  assert.deepEqual(longest, [16_384, 3]);
  assert.ok(
    refused.isOurs && refused.code === "SCREENSHOT_FAILED" && !refused.message.includes("Encoding"),
    refused.message,
  );

  const memory = await page.evaluate(async (backend) => {
    // Players share equal resources.
    stage.close();
    const alive = new Set();
    const [born, gone] =
      backend === "webgpu"
        ? [
            [
              [GPUDevice, "createTexture"],
              [GPUDevice, "createBuffer"],
            ],
            [
              [GPUTexture, "destroy"],
              [GPUBuffer, "destroy"],
            ],
          ]
        : [
            ["createTexture", "createRenderbuffer", "createBuffer"].map((name) => [WebGL2RenderingContext, name]),
            ["deleteTexture", "deleteRenderbuffer", "deleteBuffer"].map((name) => [WebGL2RenderingContext, name]),
          ];
    for (const [type, name] of born) {
      const original = type.prototype[name];
      type.prototype[name] = function (...args) {
        const made = original.apply(this, args);
        alive.add(made);
        return made;
      };
    }
    for (const [type, name] of gone) {
      const original = type.prototype[name];
      type.prototype[name] = function (...args) {
        alive.delete(args[0] ?? this);
        return original.apply(this, args);
      };
    }
    const player = await stage.openModel(backend, "/fixtures/swing.glb", { clip: "Swing", time: 0.5 });
    // WebGL frees released resources when the next picture is drawn.
    const afterDrawing = async () => {
      for (let i = 0; i < 3; i++) await stage.look(player);
      return new Set(alive);
    };
    await player.screenshot({ width: 200, height: 200 });
    const before = await afterDrawing();
    const bytes = player.stats.gpuBytes;
    await player.screenshot({ width: 2100, height: 300 });
    const after = await afterDrawing();
    return {
      before: before.size,
      left: [...after].filter((thing) => !before.has(thing)).length,
      lost: [...before].filter((thing) => !after.has(thing)).length,
      bytes: player.stats.gpuBytes - bytes,
    };
  }, backend);
  assert.ok(memory.before > 5, "it is counted at all");
  assert.deepEqual(memory, { before: memory.before, left: 0, lost: 0, bytes: 0 });

  if (backend !== "webgpu") return;
  const full = await page.evaluate(async () => {
    const player = await stage.openModel("webgpu", "/fixtures/swing.glb", { clip: "Swing", time: 0.5 });
    const before = await stage.look(player);
    const failures = stage.record(player, "error", "contextlost");
    const { popErrorScope } = GPUDevice.prototype;
    let popped = 0;
    GPUDevice.prototype.popErrorScope = async function () {
      await popErrorScope.call(this);
      return popped++ === 0
        ? new GPUOutOfMemoryError("vkAllocateMemory failed with VK_ERROR_OUT_OF_DEVICE_MEMORY")
        : null;
    };
    const failure = await stage.failure(() => player.screenshot());
    GPUDevice.prototype.popErrorScope = popErrorScope;
    const again = (await player.screenshot()).size > 0;
    return { failure, again, failures, same: stage.compare(before, await stage.look(player), 0).count };
  });
  assert.ok(full.failure.isOurs && full.failure.code === "SCREENSHOT_FAILED", full.failure.code);
  assert.ok(!/vkAllocate|VK_/.test(full.failure.message), full.failure.message);
  assert.deepEqual(
    { again: full.again, failures: full.failures, same: full.same },
    { again: true, failures: [], same: 0 },
  );
}
