/**
 * With a high dynamic range, lit surfaces are brighter than white where the screen can show it, and all others look
 * the same. On the page, in a worker, and on screens that change; screenshots have the standard range.
 */

import assert from "node:assert/strict";

export const backends = ["webgpu"];

/** The brightest light that is shown; white is 1. */
const BRIGHTEST = 4;
/** Light of emissive surfaces. Beside them is a white one that is unlit. */
const LIGHTS = [0.3, 0.7, 1.5, 8];

export default async function ({ page, backend }) {
  const told = await page.evaluate(look, backend, LIGHTS);
  const { standard, high, lowered, raised, later, formats } = told;
  assert.deepEqual(formats, ["8", "16", "8", "16", "16"]);
  for (const [index, light] of LIGHTS.entries()) {
    const ratio = decoded(high[index]) / decoded(standard[index]);
    const about = `light of ${light}: ${high[index]}, standard ${standard[index]}`;
    // Compressed as by Khronos PBR Neutral, from 0.76 on, towards 1 or 4.
    const expected = compressed(light, BRIGHTEST) / compressed(light, 1);
    assert.ok(Math.abs(ratio / expected - 1) < 0.03, `${about}, ${ratio}, not ${expected}`);
    assert.ok(light < 0.75 ? Math.abs(ratio - 1) < 0.02 : ratio > 1.2, about);
  }
  assert.ok(Math.abs(high[LIGHTS.length] - 1) < 0.002, `an unlit surface is white: ${high[LIGHTS.length]}`);
  assert.deepEqual([lowered, raised, later], [standard, high, high], "the screen changes twice, then the device");
  assert.equal(told.screenshots, 0, "pixels that differ between screenshots");
  assert.equal(told.left, 0, "listeners for the screen after the player's end");
  assert.ok(told.worker, "a worker's canvas takes more memory while its range is high");
}

function compressed(peak, most) {
  const room = most - 0.76;
  return peak < 0.76 ? peak : most - room ** 2 / (peak + room - 0.76);
}

function decoded(encoded) {
  return encoded <= 0.04045 ? encoded / 12.92 : ((encoded + 0.055) / 1.055) ** 2.4;
}

/** Returns what the canvas shows of patches, for the steps of the test. */
async function look(backend, lights) {
  const screen = Object.assign(new EventTarget(), { matches: true });
  const listening = [];
  screen.addEventListener = (type, listener, options) => {
    listening.push(options.signal);
    EventTarget.prototype.addEventListener.call(screen, type, listener, options);
  };
  const { matchMedia } = window;
  window.matchMedia = (query) => (query.includes("dynamic-range") ? screen : matchMedia.call(window, query));
  const { getCurrentTexture, configure } = GPUCanvasContext.prototype;
  let [texture, device] = [];
  GPUCanvasContext.prototype.configure = function (configuration) {
    device = configuration.device;
    return configure.call(this, configuration);
  };
  GPUCanvasContext.prototype.getCurrentTexture = function () {
    texture = getCurrentTexture.call(this);
    return texture;
  };
  const css = "width:320px;height:64px";
  const player = await stage.open(backend, { css });
  await player.load(patches());
  Object.assign(player, { ground: false, environmentIntensity: 0, still: "plain" });
  await player.setOcclusion(1);
  Object.assign(player.camera, { target: [2, 0, 0], eye: [2, 0, 10], projection: "orthographic" });

  /** Returns the red of the middle of each patch. */
  async function shown() {
    player.render();
    await player.settled();
    player.render();
    const { width, height, format } = texture;
    const bytes = format.includes("16") ? 8 : 4;
    const stride = Math.ceil((width * bytes) / 256) * 256;
    const buffer = device.createBuffer({
      size: stride * height,
      usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ,
    });
    const encoder = device.createCommandEncoder();
    encoder.copyTextureToBuffer({ texture }, { buffer, bytesPerRow: stride }, [width, height]);
    device.queue.submit([encoder.finish()]);
    await buffer.mapAsync(GPUMapMode.READ);
    const view = new DataView(buffer.getMappedRange());
    return lights.concat(1).map((_, index) => {
      const [x, y] = player.camera.project([index, 0, 0]).map(Math.floor);
      const at = y * stride + x * bytes;
      return bytes === 8 ? half(view.getUint16(at, true)) : view.getUint8(at + (format.startsWith("b") ? 2 : 0)) / 255;
    });
  }
  function half(bits) {
    const exponent = (bits >> 10) & 31;
    const fraction = (bits & 1023) / 1024;
    return (bits & 0x8000 ? -1 : 1) * (exponent ? 2 ** (exponent - 15) * (1 + fraction) : 2 ** -14 * fraction);
  }
  const formats = [];
  async function step(change) {
    await change?.();
    const found = await shown();
    formats.push(/\d+/.exec(texture.format)[0]);
    return found;
  }
  const change = (matches) => {
    screen.matches = matches;
    screen.dispatchEvent(new Event("change"));
  };
  const picture = async () =>
    stage.pixelsOf(await createImageBitmap(await player.screenshot({ width: 320, height: 64 })));

  const standard = await step();
  const before = await picture();
  const high = await step(() => player.setDynamicRange("high"));
  const after = await picture();
  const lowered = await step(() => change(false));
  const raised = await step(() => change(true));
  const restored = stage.once(player, "contextrestored");
  device.destroy();
  await device.lost;
  const drawing = setInterval(() => player.render(), 20);
  await restored;
  clearInterval(drawing);
  const later = await step();
  player.dispose();
  const left = listening.filter((signal) => !signal.aborted).length;
  const screenshots = before.data.filter((byte, index) => byte !== after.data[index]).length;
  return { standard, high, lowered, raised, later, formats, screenshots, left, worker: await inWorker() };

  /** Returns whether a player in a worker takes more memory while its range is high. */
  async function inWorker() {
    const remote = await stage.open(backend, { css, worker: true });
    await remote.load(patches());
    const found = [];
    for (const range of ["high", "standard"]) {
      await remote.setDynamicRange(range);
      remote.render();
      await remote.settled();
      found.push(remote.stats.gpuBytes);
    }
    remote.dispose();
    return found[0] > found[1];
  }

  /** Returns a file with a row of emissive squares, and an unlit one, with a unit from one to the next. */
  function patches() {
    const corners = [
      [-0.4, -0.4],
      [0.4, -0.4],
      [-0.4, 0.4],
      [0.4, 0.4],
    ];
    const numbers = [...corners.flatMap(([x, y]) => [x, y, 0]), ...corners.flatMap(() => [0, 0, 1])];
    const bytes = new Uint8Array([
      ...new Uint8Array(Float32Array.from(numbers).buffer),
      ...new Uint8Array(Uint16Array.from([0, 1, 2, 2, 1, 3]).buffer),
    ]);
    const black = { baseColorFactor: [0, 0, 0, 1], metallicFactor: 0, roughnessFactor: 1 };
    const materials = lights.map((emissiveStrength) => ({
      pbrMetallicRoughness: black,
      emissiveFactor: [1, 1, 1],
      extensions: { KHR_materials_emissive_strength: { emissiveStrength } },
    }));
    materials.push({ extensions: { KHR_materials_unlit: {} } });
    const json = {
      asset: { version: "2.0" },
      extensionsUsed: ["KHR_materials_emissive_strength", "KHR_materials_unlit"],
      scene: 0,
      scenes: [{ nodes: materials.map((_, index) => index) }],
      nodes: materials.map((_, index) => ({ mesh: index, translation: [index, 0, 0] })),
      meshes: materials.map((_, material) => ({
        primitives: [{ attributes: { POSITION: 0, NORMAL: 1 }, indices: 2, material }],
      })),
      materials,
      buffers: [{ byteLength: bytes.length, uri: `data:;base64,${btoa(String.fromCharCode(...bytes))}` }],
      bufferViews: [
        { buffer: 0, byteOffset: 0, byteLength: 48 },
        { buffer: 0, byteOffset: 48, byteLength: 48 },
        { buffer: 0, byteOffset: 96, byteLength: 12 },
      ],
      accessors: [
        { bufferView: 0, componentType: 5126, count: 4, type: "VEC3", min: [-0.4, -0.4, 0], max: [0.4, 0.4, 0] },
        { bufferView: 1, componentType: 5126, count: 4, type: "VEC3" },
        { bufferView: 2, componentType: 5123, count: 6, type: "SCALAR" },
      ],
    };
    return new File([JSON.stringify(json)], "patches.gltf");
  }
}
