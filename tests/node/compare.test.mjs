/** Tests the figures, the camera and the environment image of `npm run compare`. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { directionOf, HEIGHT, lightFile, lightFrom, rgbe, runs, WIDTH } from "../../benches/compare/light.mjs";
import { MODELS, modelsNamed } from "../../benches/compare/models.mjs";
import {
  differenceOf,
  figuresOf,
  laidOn,
  luminanceOf,
  magnifiedDifference,
  saturationOf,
  silhouetteOf,
} from "../../benches/compare/pixels.mjs";
import { PARTS } from "../../benches/compare/players.mjs";
import { partLines, ratiosOf } from "../../benches/compare/summary.mjs";
import { cameraFor, FIELD_OF_VIEW, orbitOf } from "../../benches/compare/view.mjs";

/** Returns a picture of one row. */
function picture(...pixels) {
  return { width: pixels.length, height: 1, data: Uint8ClampedArray.from(pixels.flat()) };
}

const close = (found, wanted, most) => assert.ok(Math.abs(found - wanted) <= most, `${found}, not ${wanted}`);

test("luminance is that of linear light", () => {
  assert.equal(luminanceOf([0, 0, 0]), 0);
  close(luminanceOf([255, 255, 255]), 1, 1e-12);
  // The standard of sRGB: 188 is one half.
  close(luminanceOf([188, 188, 188]), 0.5, 0.003);
  close(luminanceOf([0, 255, 0]), 0.7152, 1e-12);
});

test("saturation is the part of a colour that isn't grey", () => {
  assert.deepEqual(
    [
      [0, 0, 0],
      [90, 90, 90],
      [200, 100, 150],
      [0, 0, 9],
    ].map(saturationOf),
    [0, 0, 0.5, 1],
  );
});

test("a pixel belongs to the silhouette if two of its four samples do", () => {
  const shown = picture([9, 9, 9, 0], [9, 9, 9, 64], [9, 9, 9, 127], [9, 9, 9, 255]);
  assert.deepEqual([...silhouetteOf(shown)], [0, 0, 1, 1]);
  assert.deepEqual(
    [...laidOn(picture([200, 0, 100, 51], [1, 2, 3, 255]), 100).data],
    [120, 80, 100, 255, 1, 2, 3, 255],
  );
});

test("figures count only what is inside the silhouette", () => {
  const greys = Array.from({ length: 101 }, (_, grey) => [grey, grey, grey, 255]);
  const shown = picture([255, 0, 0, 255], ...greys);
  const silhouette = Uint8Array.from(
    shown.data.filter((_, at) => at % 4 === 0),
    (_, pixel) => Number(pixel > 0),
  );
  const { pixels, luminance, saturation } = figuresOf(shown, silhouette);
  assert.equal(pixels, 101);
  assert.deepEqual(
    Object.values(luminance),
    [5, 50, 95].map((grey) => luminanceOf([grey, grey, grey])),
  );
  assert.equal(saturation, 0);
  assert.deepEqual(figuresOf(shown, new Uint8Array(102)), { pixels: 0 });
});

test("the difference is that of the colours over what either silhouette covers", () => {
  const shown = (silhouette, ...pixels) => ({ picture: picture(...pixels), silhouette: Uint8Array.from(silhouette) });
  const a = shown([1, 1, 0, 0], [10, 20, 30, 255], [5, 5, 5, 255], [0, 0, 0, 255], [0, 0, 0, 255]);
  const b = shown([1, 0, 1, 0], [13, 20, 24, 255], [5, 5, 5, 255], [9, 0, 0, 255], [99, 99, 99, 255]);
  const { mean, overlap } = differenceOf(a, b);
  assert.deepEqual([mean, overlap], [(3 + 6 + 9) / 9, 1 / 3]);
  const { data } = magnifiedDifference(a.picture, b.picture, 4);
  assert.deepEqual([...data.slice(0, 4), ...data.slice(12)], [12, 0, 24, 255, 255, 255, 255, 255]);
});

test("the camera sees the whole box, from the front or from behind", () => {
  const box = [
    [-1, 2, -4],
    [3, 3, 4],
  ];
  for (const fromBehind of [false, true]) {
    const { eye, target, distance, near, far } = cameraFor(box, { fromBehind });
    assert.deepEqual(target, [1, 2.5, 0]);
    assert.equal(eye[2] < 0, fromBehind);
    close(Math.hypot(...eye.map((along, axis) => along - target[axis])), distance, 1e-9);
    const forward = target.map((along, axis) => (along - eye[axis]) / distance);
    let widest = 0;
    for (let corner = 0; corner < 8; corner++) {
      const at = [0, 1, 2].map((axis) => box[(corner >> axis) & 1][axis] - eye[axis]);
      const depth = at.reduce((sum, along, axis) => sum + along * forward[axis], 0);
      assert.ok(depth > near && depth < far);
      const high = at[1] - forward[1] * depth;
      // The camera isn't rolled, so that “up” in the picture is the vertical, shortened.
      const up = high / Math.hypot(forward[0], forward[2]);
      widest = Math.max(widest, Math.abs(at[0]) / depth, Math.abs(up) / depth);
    }
    close(widest, Math.tan((FIELD_OF_VIEW * Math.PI) / 360), 0.02);
    assert.ok(widest < Math.tan((FIELD_OF_VIEW * Math.PI) / 360));
    const { theta, phi } = orbitOf({ eye, target, distance });
    close(Math.abs(theta), fromBehind ? Math.PI : 0, 1e-9);
    close(phi, Math.atan2(1, 0.25), 1e-9);
  }
});

test("the environment image has its middle towards +x and +z to the right of it", () => {
  const middle = [WIDTH / 2, HEIGHT / 2];
  directionOf(...middle).forEach((along, axis) => close(along, [1, 0, 0][axis], 0.01));
  directionOf((WIDTH * 3) / 4, middle[1]).forEach((along, axis) => close(along, [0, 0, 1][axis], 0.01));
  close(directionOf(0, 0)[1], 1, 0.01);
  // The sun is in front, at the right; the sky is bluer than the ground.
  assert.ok(Math.min(...lightFrom([0.56, 0.61, 0.56])) > 20);
  assert.ok(Math.max(...lightFrom([-0.56, 0.61, -0.56])) < 1);
  const [up, down] = [lightFrom([-0.3, 0.95, 0.1]), lightFrom([0, -1, 0])];
  assert.ok(up[2] > up[0] && down[2] < down[0]);
});

test("the environment image is a file that programs can read", () => {
  assert.deepEqual(rgbe([0, 0, 0]), [0, 0, 0, 0]);
  // 128/256 · 2¹, 64/256 · 2¹ and 0.
  assert.deepEqual(rgbe([1, 0.5, 0]), [128, 64, 0, 129]);
  assert.deepEqual(runs([1, 2, 2, 3, 3, 3, 3]), [3, 1, 2, 2, 132, 3]);
  assert.deepEqual(runs(Array(130).fill(7)), [255, 7, 131, 7]);
  const file = lightFile();
  const head = `#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y ${HEIGHT} +X ${WIDTH}\n`;
  assert.equal(file.toString("latin1", 0, head.length), head);
  let at = head.length;
  const row = HEIGHT / 4;
  for (let y = 0; y <= row; y++) {
    assert.deepEqual([...file.subarray(at, at + 4)], [2, 2, WIDTH >> 8, WIDTH & 255]);
    at += 4;
    const lanes = [0, 1, 2, 3].map(() => {
      const lane = [];
      while (lane.length < WIDTH) {
        const count = file[at++];
        if (count > 128) lane.push(...Array(count - 128).fill(file[at++]));
        else lane.push(...file.subarray(at, (at += count)));
      }
      assert.equal(lane.length, WIDTH);
      return lane;
    });
    if (y < row) continue;
    for (const x of [0, 300, WIDTH - 1])
      assert.deepEqual(
        lanes.map((lane) => lane[x]),
        rgbe(lightFrom(directionOf(x, y))),
      );
  }
});

test("there are thirty models with names of their own", () => {
  assert.equal(MODELS.length, 30);
  assert.equal(new Set(MODELS.map(({ name }) => name)).size, 30);
  assert.deepEqual(
    modelsNamed(["Fox"]).map(({ name }) => name),
    ["Fox"],
  );
  assert.throws(() => modelsNamed(["Fox", "Unicorn"]), /Unicorn is not a model; there are Fox, /);
});

/** Returns figures with a median luminance. */
const lit = (median) => ({ pixels: 9, luminance: { low: 0.1, median, high: 0.9 }, saturation: 0.25 });

const ROWS = [
  {
    model: "Fox",
    figures: { webgpu: lit(0.5), webgl2: lit(0.5), three: lit(0.4) },
    failed: {},
    differences: [{ of: ["webgpu", "three"], mean: 3.26, overlap: 0.99 }],
  },
  {
    model: "Bee",
    figures: { webgpu: lit(0.3), three: lit(0.4) },
    failed: { webgl2: "no answer" },
    differences: [{ of: ["webgpu", "three"], mean: 8, overlap: 0.8 }],
  },
];

test("ratios are taken from models that both players have drawn", () => {
  assert.deepEqual(
    ratiosOf(ROWS, "webgpu", "three").map(({ ratio }) => ratio.toFixed(2)),
    ["1.25", "0.75"],
  );
  assert.deepEqual(
    ratiosOf(ROWS, "webgl2", "three").map(({ model }) => model),
    ["Fox"],
  );
  assert.deepEqual(ratiosOf(ROWS, "webgpu", "viewer"), []);
});

test("the report has a row for each model, medians, and what went wrong", () => {
  const text = partLines("light", ROWS).join("\n");
  const cells = "0.500 (0.100–0.900), 0.25";
  assert.ok(text.includes(`| Fox | ${cells} | ${cells} | 0.400 (0.100–0.900), 0.25 | 3.3 | – | – |`), text);
  assert.match(text, /^\| Bee \| .* \| failed \| /m);
  assert.match(text, /^- median luminance, Gambol WebGPU \/ three\.js: 1\.25 \(0\.75–1\.25\), 2 models$/m);
  assert.match(text, /^- mean difference, Gambol WebGPU – three\.js: 8\.0 \(3\.3–8\.0\), 2 models$/m);
  assert.match(text, /^- Bee: the silhouettes of Gambol WebGPU and three\.js overlap by 80\.0 % only$/m);
  assert.match(text, /^- Bee: Gambol WebGL2 failed: no answer$/m);
  assert.ok(PARTS.defaults.pairs.length > PARTS.light.pairs.length);
});
