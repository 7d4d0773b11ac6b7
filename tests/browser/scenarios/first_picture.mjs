/**
 * The first pictures come without antialiasing, mip levels, the shadow, the ground, and extensions that refine a
 * material, and with a draft of the light. Later ones have them, step by step, also while nothing moves. From then on
 * all have them, also those of another model. A page that draws by itself gets whole pictures only. In the end both
 * pages show the same. A tint that is set before them is in all pictures. The element draws its first picture at once,
 * and only once.
 */

import assert from "node:assert/strict";

export default async function ({ page, backend }) {
  await page.evaluate(defineFine);
  await page.evaluate(watchLight);
  if (backend === "webgpu") {
    // The fragment shaders whose pipelines are made before the first picture, and after it.
    await page.evaluate(() => {
      window.made = { early: null, all: new Set() };
      const make = GPUDevice.prototype.createRenderPipeline;
      GPUDevice.prototype.createRenderPipeline = function (descriptor) {
        made.all.add(descriptor.fragment?.entryPoint);
        return make.call(this, descriptor);
      };
    });
  }
  const told = await page.evaluate(async (backend) => {
    const player = await stage.open(backend);
    const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));

    player.autoUpdate = true;
    await player.load(await fine());
    player.pause();
    const first = [];
    for (let frame = 0; frame < 120 && new Set(first).size < 3; frame++) {
      await nextFrame();
      if (player.stats.draws > 0) first.push(player.stats.draws);
      if (window.made && first.length === 1) made.early = new Set(made.all);
      if (first.length === 1) lights.early = lights.length;
    }
    const shot = Array.from((await stage.look(player)).data);
    const later = [];
    await player.load("/fixtures/stroll.glb");
    player.play("Stroll");
    for (let frame = 0; frame < 10; frame++) {
      await nextFrame();
      later.push(player.stats.draws);
    }
    const coats = window.made && [made.early, made.all].map((names) => names.has("extended_fragment"));
    return {
      first: [...new Set(first)],
      later: [...new Set(later)],
      shot,
      coats,
      lights: [...lights],
      early: lights.early,
    };
  }, backend);
  // The mesh in all, the shadow map from the second on, and two blurs and the ground in the third.
  const [early, shadowed, whole] = told.first;
  assert.deepEqual([shadowed - early, whole - early], [1, 4], `draw calls: ${told.first}`);
  assert.deepEqual(told.later, [whole]);
  if (told.coats) assert.deepEqual(told.coats, [false, true], "the shader of the coat comes later");

  // Another page has another device. Its own picture comes first, and those of the frame loop after it are whole, too.
  await page.reload();
  await page.waitForFunction(() => window.stage);
  await page.evaluate(defineFine);
  await page.evaluate(watchLight);
  const byHand = await page.evaluate(async (backend) => {
    const player = await stage.open(backend);
    await player.load(await fine());
    player.render();
    const seen = [player.stats.draws];
    const image = await stage.look(player);
    player.autoUpdate = true;
    player.play("Swing");
    for (let frame = 0; frame < 10; frame++) {
      await new Promise(requestAnimationFrame);
      seen.push(player.stats.draws);
    }
    return {
      seen: [...new Set(seen)],
      lights: [...lights],
      shot: Array.from(image.data),
      part: stage.coverage(image).part,
    };
  }, backend);
  assert.deepEqual(byHand.seen, [whole]);
  assert.ok(byHand.part > 0.01);
  assert.deepEqual(byHand.shot, told.shot);
  // A draft, and then the light itself, which is the same on both pages.
  assert.equal(told.early, 1, "the first picture has a draft");
  assert.deepEqual(byHand.lights, told.lights);
  assert.equal(new Set(told.lights).size, 2, JSON.stringify(told.lights));

  await page.reload();
  await page.waitForFunction(() => window.stage);
  const tinted = await page.evaluate(
    async (backend, whole) => {
      const player = await stage.open(backend);
      player.autoUpdate = true;
      await player.load("/fixtures/stroll.glb");
      player.characters[0].tint = [0, 0, 1, 1];
      player.play("Stroll");
      // Else it would have left the picture when pictures take long.
      player.playbackRate = 0.01;
      // The pictures as addresses of data, and their draw calls, until one is whole.
      const taken = [];
      await new Promise((resolve) => {
        let left = 120;
        const take = () => {
          const { draws } = player.stats;
          if (draws > 0) taken.push([player.canvas.toDataURL(), draws]);
          if (draws >= whole || --left === 0) resolve();
          else requestAnimationFrame(take);
        };
        // Requested after the player's in each frame, so that its canvas has been drawn.
        setTimeout(() => requestAnimationFrame(take));
      });
      // The sums of red and of blue, and the draw calls, of each picture that isn't empty.
      const pictures = [];
      for (const [address, draws] of taken) {
        const { data } = await stage.pixelsOfPng(await (await fetch(address)).blob());
        const sums = [0, 0];
        for (let at = 0; at < data.length; at += 4) {
          sums[0] += data[at];
          sums[1] += data[at + 2];
        }
        if (sums[1] > 0) pictures.push([...sums, draws]);
      }
      return pictures;
    },
    backend,
    whole,
  );
  assert.ok(tinted[0][2] < whole, `the first picture lacks something: ${JSON.stringify(tinted)}`);
  assert.equal(tinted.at(-1)[2], whole, JSON.stringify(tinted));
  for (const [red, blue] of tinted) assert.ok(red < 0.3 * blue, JSON.stringify(tinted));

  await page.reload();
  await page.waitForFunction(() => window.stage);
  const calls = await page.evaluate(async (backend) => {
    const calls = [];
    const request = requestAnimationFrame;
    window.requestAnimationFrame = (callback) =>
      request((millis) => {
        calls.push("frame");
        callback(millis);
      });
    const note = (prototype, name) => {
      const method = prototype[name];
      prototype[name] = function (...options) {
        if (calls.at(-1) !== "picture") calls.push("picture");
        return method.apply(this, options);
      };
    };
    if (backend === "webgpu") note(GPUCanvasContext.prototype, "getCurrentTexture");
    else for (const name of ["drawElements", "drawElementsInstanced"]) note(WebGL2RenderingContext.prototype, name);
    const element = document.createElement("gambol-player");
    Object.assign(element, { backend, src: "/fixtures/stroll.glb", autoplay: true });
    document.body.append(element);
    await stage.once(element, "load");
    for (let frame = 0; frame < 120 && calls.filter((call) => call === "picture").length < 2; frame++)
      await new Promise((resolve) => request(resolve));
    return calls.slice(calls.indexOf("picture"), calls.lastIndexOf("picture") + 1);
  }, backend);
  // The first frame shows it, and a later one the next.
  assert.deepEqual([calls[0], calls[1], calls[2]], ["picture", "frame", "frame"], JSON.stringify(calls));
}

/** Records in `lights` a hash of the sharp level of each map of the environment that is uploaded. */
function watchLight() {
  window.lights = [];
  const record = (bytes) => {
    let hash = 0;
    for (const byte of bytes) hash = (Math.imul(hash, 31) + byte) | 0;
    lights.push(hash);
  };
  const SIDE = 256;
  const gl = WebGL2RenderingContext.prototype;
  const { texSubImage2D } = gl;
  gl.texSubImage2D = function (...options) {
    const [, , , , width, , , type, texels] = options;
    if (type === gl.UNSIGNED_INT_5_9_9_9_REV && width === SIDE) record(new Uint8Array(texels.slice().buffer));
    return texSubImage2D.apply(this, options);
  };
  if (!globalThis.GPUQueue) return;
  const { writeTexture } = GPUQueue.prototype;
  GPUQueue.prototype.writeTexture = function (to, texels, layout, size) {
    if (to.texture.format === "rgb9e5ufloat" && (size.width ?? size[0]) === SIDE) record(texels);
    return writeTexture.call(this, to, texels, layout, size);
  };
}

/**
 * Defines `fine`, which returns the files of a model with a coat, whose picture is so fine that its mip levels can be
 * seen.
 */
function defineFine() {
  window.fine = async () => {
    const context = new OffscreenCanvas(512, 512).getContext("2d");
    for (let x = 0; x < 512; x += 8) context.fillRect(x, 0, 4, 512);
    context.globalCompositeOperation = "destination-over";
    context.fillStyle = "white";
    context.fillRect(0, 0, 512, 512);
    const file = async (name) => [name, await (await fetch(`/fixtures/${name}`)).blob()];
    const json = await (await fetch("/fixtures/swing.gltf")).json();
    const coat = { KHR_materials_clearcoat: { clearcoatFactor: 1 } };
    for (const material of json.materials) material.extensions = coat;
    json.extensionsUsed = Object.keys(coat);
    return new Map([
      ["swing.gltf", new Blob([JSON.stringify(json)])],
      await file("swing.bin"),
      ["checks.png", await context.canvas.convertToBlob()],
    ]);
  };
}
