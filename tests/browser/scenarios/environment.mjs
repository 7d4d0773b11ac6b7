/** Light from all around: rooms, panoramas, their rotation and intensity, and what can't be an environment. */

import assert from "node:assert/strict";

import { centerOf, patchesFile } from "../patches.mjs";

/** A URL without a file. */
export const expectedErrors = [/Failed to load resource/];

const WHITE = [1, 1, 1];

/** White surfaces of every roughness, matt and metallic, that face the camera or look away from it a little. */
const FURNACE = [0, 0.25, 0.5, 0.75, 1].flatMap((roughness) =>
  [0, 1].flatMap((metallic) =>
    [
      [0, 0, 1],
      [0.8, 0, 0.6],
      [0, -0.6, 0.8],
    ].map((normal) => ({ normal, color: WHITE, metallic, roughness })),
  ),
);

/** Mirrors that show the camera what is at the six ends of the axes, except behind them. */
const ENDS = { right: [1, 0, 0], left: [-1, 0, 0], up: [0, 1, 0], down: [0, -1, 0], front: [0, 0, 1] };
const MIRRORS = Object.values(ENDS).map(([x, y, z]) => {
  const half = [x, y, z + 1];
  return { normal: half.map((part) => part / Math.hypot(...half)), color: WHITE, metallic: 1, roughness: 0 };
});

/** A panorama of 8 × 4 pixels: red towards +x, green towards +z, blue above, grey below, and black elsewhere. */
const COLORS = Array.from({ length: 32 }, (_, at) => {
  const [x, y] = [at % 8, at >> 3];
  if (y === 0) return [0, 0, 0.5];
  if (y === 3) return [0.25, 0.25, 0.25];
  return x === 3 || x === 4 ? [0.5, 0, 0] : x === 5 || x === 6 ? [0, 0.5, 0] : [0, 0, 0];
});

function hdrOf(width, height, colors) {
  const bytes = colors.flatMap((color) => [...color.map((part) => Math.round(part * 255)), 128]);
  const head = `#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y ${height} +X ${width}\n`;
  return [...Buffer.from(head), ...bytes];
}

export default async function (context) {
  await whiteStaysWhite(context);
  await panoramasAreTurned(context);
  await lastsAndFails(context);
}

/** Looks at patches from the front, far enough that all are seen under nearly the same angle. */
function look({ page, backend }, patches, sets) {
  return page.evaluate(
    async (backend, text, centers, sets) => {
      const file = new File([text], "patches.gltf");
      const player = await stage.openModel(backend, file, { css: "width:620px;height:60px" });
      player.ground = false;
      Object.assign(player.camera, { projection: "orthographic", target: [0, 0, 0], yaw: 0, pitch: 0 });
      const pictures = [];
      for (const { source, bytes, ...settings } of sets) {
        await player.setEnvironment(bytes ? new Blob([Uint8Array.from(bytes)]) : source);
        Object.assign(player, settings);
        const image = await stage.look(player);
        pictures.push(
          centers.map((center) => {
            const [x, y] = player.camera
              .project([...center, 0])
              .slice(0, 2)
              .map(Math.floor);
            return [...image.data.slice(4 * (y * image.width + x), 4 * (y * image.width + x) + 4)];
          }),
        );
      }
      player.dispose();
      return pictures;
    },
    backend,
    patchesFile(patches),
    patches.map((_, index) => centerOf(patches, index)),
    sets,
  );
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
  const intensity = 0.5;
  const [picture] = await look(context, FURNACE, [{ source: "flat", environmentIntensity: intensity }]);
  picture.forEach((pixel, index) => {
    const shares = lightOf(pixel).map((light) => light / intensity);
    const about = `${JSON.stringify(FURNACE[index])}: ${shares}`;
    // A step of 8 bits is 0.7 % here.
    assert.ok(Math.min(...shares) > 0.98 && Math.max(...shares) < 1.01, about);
  });
}

async function panoramasAreTurned(context) {
  const bytes = hdrOf(8, 4, COLORS);
  const [straight, turned, dim, room] = await look(context, MIRRORS, [
    { bytes },
    { bytes, environmentRotation: Math.PI / 2 },
    { bytes, environmentRotation: 0, environmentIntensity: 0.5 },
    { source: "studio", environmentIntensity: 1 },
  ]);
  const colors = (picture) =>
    Object.fromEntries(
      Object.keys(ENDS).map((end, index) => {
        const [r, g, b] = picture[index];
        const names = Object.entries({ red: r, green: g, blue: b }).filter(([, value]) => value > 90);
        return [end, names.map(([name]) => name).join(" ") || "dark"];
      }),
    );
  const grey = "red green blue";
  assert.deepEqual(colors(straight), { right: "red", left: "dark", up: "blue", down: grey, front: "green" });
  // By a quarter, counter-clockwise seen from above: what was in front is now at the right.
  assert.deepEqual(colors(turned), { right: "green", left: "dark", up: "blue", down: grey, front: "dark" });
  const reds = [straight, dim].map((picture) => lightOf(picture[0])[0]);
  assert.ok(Math.abs(reds[1] / reds[0] - 0.5) < 0.12, `half of the light: ${reds}`);
  assert.notDeepEqual(room, straight);
}

async function lastsAndFails({ page, backend }) {
  const told = await page.evaluate(
    async (backend, good, broken) => {
      const blob = (bytes) => new Blob([Uint8Array.from(bytes)]);
      const character = "/gambol/viewer/character.glb";
      const player = await stage.openModel(backend, character, { css: "width:160px;height:160px" });
      const picture = async () => [...(await stage.look(player)).data];
      const differs = (a, b) => a.some((value, at) => Math.abs(value - b[at]) > 4);
      const studio = await picture();
      const codes = [];
      for (const source of ["/nowhere.hdr", 7, {}, ...broken.map(blob)]) {
        await player.setEnvironment(source).then(
          () => codes.push("none"),
          (error) => codes.push(error.code),
        );
      }
      const kept = !differs(await picture(), studio);
      // The last call wins, even if it has less to do.
      await Promise.all([player.setEnvironment(blob(good)), player.setEnvironment("night")]);
      const night = await picture();
      await player.setEnvironment(null);
      const restored = !differs(await picture(), studio);
      const rooms = {};
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
      return { codes, kept, isNight, restored, alike, stays };
    },
    backend,
    hdrOf(8, 4, COLORS),
    [
      [...Buffer.from("#?RADIANCE\n")],
      [...Buffer.from("#?RADIANCE\n\n-Y 0 +X 0\n")],
      [...Buffer.from("#?RADIANCE\n\n-Y 9999999 +X 9999999\n")],
      [...Buffer.from("#?RADIANCE\nFORMAT=32-bit_rle_xyze\n\n-Y 1 +X 1\nabcd")],
      hdrOf(8, 4, COLORS).slice(0, -3),
      [1, 2, 3],
    ],
  );
  const { codes, ...rest } = told;
  assert.deepEqual(codes.slice(0, 3), ["HTTP_STATUS", "WRONG_TYPE", "WRONG_TYPE"]);
  assert.deepEqual([...new Set(codes.slice(3))], ["ENVIRONMENT_NOT_LOADED"]);
  assert.deepEqual(rest, { kept: true, isNight: true, restored: true, alike: [], stays: true });
}
