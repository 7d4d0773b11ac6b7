/**
 * Light from all around: rooms, panoramas, their rotation and intensity, tone mappers, and what can't be an
 * environment; also in a worker and through the element.
 */

import assert from "node:assert/strict";

import { pngOf } from "../fixtures.mjs";
import { lookAtBoard } from "../material_board.mjs";
import { hdrOf } from "../panorama.mjs";
import { pixelOf, TONES } from "../reference_light.mjs";

/** Some URLs lead to no file. */
export const expectedErrors = [/Failed to load resource/, /nowhere\.hdr/];

const WHITE = [1, 1, 1];
const FROM_THE_FRONT = { projection: "orthographic", yaw: 0, pitch: 0, distance: 12 };

/** White surfaces of every roughness, matt and metallic, that face the camera or look away from it a little. */
const FURNACE = [0, 0.25, 0.5, 0.75, 1].flatMap((roughness) =>
  [0, 1].flatMap((metallic) =>
    [
      [0, 0, 1],
      [0.8, 0, 0.6],
      [0, -0.6, 0.8],
    ].map((normal) => ({ normal, base: { color: WHITE, metallic, roughness } })),
  ),
);

/** Mirrors that show the camera what is at the ends of the axes, except behind them. */
const ENDS = { right: [1, 0, 0], left: [-1, 0, 0], up: [0, 1, 0], down: [0, -1, 0], front: [0, 0, 1] };
const MIRRORS = Object.values(ENDS).map(([x, y, z]) => ({
  normal: [x, y, z + 1],
  base: { color: WHITE, metallic: 1, roughness: 0 },
}));

/** A panorama of 8 × 4 pixels: red towards +x, green towards +z, blue above, grey below, and black elsewhere. */
const colorAt = (x, y) => {
  if (y === 0) return [0, 0, 0.5];
  if (y === 3) return [0.25, 0.25, 0.25];
  return x === 3 || x === 4 ? [0.5, 0, 0] : x === 5 || x === 6 ? [0, 0.5, 0] : [0, 0, 0];
};
const HDR = hdrOf(8, 4, colorAt);
/** The same, with 8 bits for each colour: 188 is half of the light. */
const PNG = pngOf(8, 4, (x, y) => [...colorAt(x, y).map((part) => ({ 0: 0, 0.25: 137, 0.5: 188 })[part]), 255]);

/** Surfaces that only emit light, so that it is known exactly. */
const LAMPS = [
  [0.01, 0.02, 0.005],
  [0.05, 0.3, 0.1],
  [0.5, 0.5, 0.5],
  [1, 0.2, 0.05],
  [0.1, 0.4, 1],
].map((emissive) => ({ normal: [0, 0, 1], base: { color: [0, 0, 0], emissive } }));

export default async function (context) {
  await whiteStaysWhite(context);
  await panoramasAreTurned(context);
  await tonesAreThoseOfTheirFormulas(context);
  for (const worker of [false, true]) await lastsAndFails(context, worker);
  await listensToAttributes(context);
}

/** Returns the light of a pixel, before the tone mapper's offset. */
function lightOf(pixel) {
  return pixel.slice(0, 3).map((byte) => {
    const share = byte / 255;
    return (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4) + 0.04;
  });
}

/** In light that is equal everywhere, nothing returns more than it gets, and nothing less than 98 %. */
async function whiteStaysWhite(context) {
  const lights = [{ room: "flat", environmentIntensity: 0.5 }];
  const { pictures } = await lookAtBoard(context, FURNACE, lights, { camera: FROM_THE_FRONT });
  assert.equal(pictures[0].length, 25 * FURNACE.length);
  for (const { patch, pixel } of pictures[0]) {
    const shares = lightOf(pixel).map((light) => light / 0.5);
    const about = `${JSON.stringify(FURNACE[patch])}: ${shares}`;
    // A step of 8 bits is 0.7 % here.
    assert.ok(Math.min(...shares) > 0.98 && Math.max(...shares) < 1.01, about);
  }
}

async function panoramasAreTurned(context) {
  const { pictures } = await lookAtBoard(
    context,
    MIRRORS,
    [
      { panorama: HDR },
      { panorama: PNG },
      { panorama: HDR, environmentRotation: Math.PI / 2 },
      { panorama: HDR, environmentRotation: 0, environmentIntensity: 0.5 },
    ],
    { camera: FROM_THE_FRONT },
  );
  const [straight, png, turned, dim] = pictures.map((points) =>
    MIRRORS.map((_, patch) => points.filter((point) => point.patch === patch)[12].pixel),
  );
  const colors = (picture) =>
    Object.fromEntries(
      Object.keys(ENDS).map((end, index) => {
        const [r, g, b] = picture[index];
        const names = Object.entries({ red: r, green: g, blue: b }).filter(([, value]) => value > 90);
        return [end, names.map(([name]) => name).join(" ") || "dark"];
      }),
    );
  const grey = "red green blue";
  const expected = { right: "red", left: "dark", up: "blue", down: grey, front: "green" };
  assert.deepEqual(colors(straight), expected);
  assert.deepEqual(colors(png), expected);
  assert.ok(Math.abs(straight[0][0] - png[0][0]) < 6, `${straight[0]} and ${png[0]}`);
  // By a quarter, counter-clockwise seen from above: what was in front is now at the right.
  assert.deepEqual(colors(turned), { right: "green", left: "dark", up: "blue", down: grey, front: "dark" });
  const reds = [straight, dim].map((picture) => lightOf(picture[0])[0]);
  assert.ok(Math.abs(reds[1] / reds[0] - 0.5) < 0.12, `half of the light: ${reds}`);
}

async function tonesAreThoseOfTheirFormulas(context) {
  const lights = Object.keys(TONES).flatMap((toneMapping) =>
    [0.25, 1, 6].map((exposure) => ({ room: "flat", environmentIntensity: 0, toneMapping, exposure })),
  );
  const { pictures } = await lookAtBoard(context, LAMPS, lights, { camera: FROM_THE_FRONT });
  pictures.forEach((points, index) => {
    const { toneMapping, exposure } = lights[index];
    for (const { patch, point, pixel } of points) {
      const light = LAMPS[patch].base.emissive.map((value) => value * exposure);
      const expected = pixelOf(light, toneMapping);
      const far = Math.max(...expected.map((value, i) => Math.abs(value - pixel[i])));
      assert.ok(
        far <= 1.5,
        `patch ${patch} ${point}, ${toneMapping} of ${light}: ${pixel}, not ${expected.map(Math.round)}`,
      );
    }
  });
}

async function lastsAndFails({ page, backend }, worker) {
  const told = await page.evaluate(
    async (backend, worker, good, broken) => {
      const blob = (bytes) => new Blob([Uint8Array.from(bytes)]);
      const character = "/gambol/viewer/character.glb";
      const player = await stage.open(backend, { css: "width:160px;height:160px", worker });
      await player.load(character);
      player.frame();
      const picture = async () => {
        await player.settled();
        return [...(await stage.pixelsOfPng(await player.screenshot())).data];
      };
      const differs = (a, b) => a.some((value, at) => Math.abs(value - b[at]) > 4);
      const studio = await picture();
      const codes = [];
      for (const source of ["/nowhere.hdr", 7, {}, ...broken.map(blob)])
        codes.push((await stage.failure(() => player.setEnvironment(source)))?.code);
      const kept = !differs(await picture(), studio);
      // The last call wins, even if it has less to do.
      await Promise.all([player.setEnvironment(blob(good)), player.setEnvironment("night")]);
      const night = await picture();
      await player.setEnvironment(null);
      const restored = !differs(await picture(), studio);
      const rooms = { studio };
      for (const room of ["soft", "rim", "sunset", "night", "flat"]) {
        await player.setEnvironment(room);
        rooms[room] = await picture();
      }
      const names = Object.keys(rooms);
      const isAlike = (name, at) => names.slice(at + 1).some((other) => !differs(rooms[name], rooms[other]));
      const alike = names.filter(isAlike);
      const isNight = !differs(night, rooms.night);
      await player.setEnvironment("sunset");
      await player.load(character);
      player.frame();
      const stays = !differs(await picture(), rooms.sunset);
      player.dispose();
      return { codes, kept, isNight, restored, alike, stays };
    },
    backend,
    worker,
    [...HDR],
    [
      [...Buffer.from("#?RADIANCE\n")],
      [...Buffer.from("#?RADIANCE\n\n-Y 0 +X 0\n")],
      [...Buffer.from("#?RADIANCE\n\n-Y 9999999 +X 9999999\n")],
      [...Buffer.from("#?RADIANCE\nFORMAT=32-bit_rle_xyze\n\n-Y 1 +X 1\nabcd")],
      [...HDR.subarray(0, -3)],
      [1, 2, 3],
    ],
  );
  const { codes, ...rest } = told;
  assert.deepEqual(codes.slice(0, 3), ["HTTP_STATUS", "WRONG_TYPE", "WRONG_TYPE"]);
  assert.deepEqual([...new Set(codes.slice(3))], ["ENVIRONMENT_NOT_LOADED"]);
  assert.deepEqual(rest, { kept: true, isNight: true, restored: true, alike: [], stays: true });
}

/** The first picture of an element has the light that the attribute names; a change and an error are noticed. */
async function listensToAttributes({ page, backend }) {
  const told = await page.evaluate(async (backend) => {
    const character = "/gambol/viewer/character.glb";
    const made = async (environment) => {
      const element = document.createElement("gambol-player");
      Object.assign(element, { backend, src: character, environment });
      element.style.cssText = "width:160px;height:160px";
      document.body.append(element);
      await stage.once(element, "load");
      element.player.autoUpdate = false;
      return element;
    };
    const brightness = async ({ player }) => {
      const { data } = await stage.pixelsOfPng(await player.screenshot());
      return data.reduce((sum, value, at) => sum + (at % 4 < 3 ? value : 0), 0);
    };
    const element = await made("night");
    const night = await brightness(element);
    element.environment = "";
    await null;
    await element.player.setEnvironment(null);
    const studio = await brightness(element);
    const failing = stage.once(element, "error");
    element.environment = "/nowhere.hdr";
    const { code } = await failing;
    const kept = (await brightness(element)) === studio;
    element.remove();
    return { share: night / studio, code, kept };
  }, backend);
  assert.ok(told.share < 0.6, `by night it has ${told.share} of the studio's light`);
  assert.deepEqual([told.code, told.kept], ["HTTP_STATUS", true]);
}
