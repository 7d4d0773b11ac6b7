/**
 * S38, S72: files of other formats play the same as their glTF counterparts. The converter is fetched once, with
 * the first such file, and never for a page that shows glTF only.
 */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";

/** Sampled times in seconds, on keys and between them. */
const TIMES = [0, 0.3, 1, 1.7];

export default async function ({ page, backend, mounts }) {
  const told = await page.evaluate(look, { backend, times: TIMES, names: ["swing.x", "swing.dae", "utf16.dae"] });
  assert.deepEqual(told.before, [], "a page that shows glTF fetches nothing for the others");
  assert.deepEqual(
    told.fetched,
    ["decoders-.js", "formats/gambol.js", "formats/gambol_bg.wasm"],
    "each once, though three came at a time",
  );
  assert.deepEqual(told.preloaded, "formats");
  for (const { name, clips, warnings, apart, part, glbPart, moved } of told.files) {
    assert.deepEqual(
      clips,
      [
        ["Swing", 2],
        ["Raise", 1],
      ],
      name,
    );
    assert.deepEqual(warnings, [], name);
    assert.ok(apart < 1e-5, `${name}: its poses are ${apart} apart from those of swing.glb`);
    assert.ok(
      Math.abs(part - glbPart) < 0.005 && part > 0.03,
      `${name}: ${part} of the picture is seen, of swing.glb ${glbPart}`,
    );
    assert.ok(moved > 0.01, `${name}: two times look the same`);
  }
  assert.equal(told.progress.loaded, told.progress.total);
  assert.equal(told.aborted.isOurs, false, "a cancellation is no failure");
  assert.equal(told.afterAbort, "utf16.dae");
  await posesAsNatively(page, backend, mounts["/formats/"]);
}

/** Every clip of every file has the matrices of `tests/playback/format_poses.rs` at the same times, and is visible. */
async function posesAsNatively(page, backend, folder) {
  const files = readdirSync(folder).filter((name) => [".x", ".dae", ".iqm"].includes(extname(name)));
  const written = JSON.parse(readFileSync(join(folder, "poses.json"), "utf8"));
  assert.deepEqual(Object.keys(written).sort(), [...files].sort());
  for (const [file, clips] of Object.entries(written)) {
    const times = Object.fromEntries(Object.entries(clips).map(([clip, poses]) => [clip, poses.map(([time]) => time)]));
    const told = await page.evaluate(play, { backend, file, times });
    assert.deepEqual(told.warnings, [], file);
    assert.deepEqual(told.clips.sort(), Object.keys(clips), file);
    assert.ok(
      told.part > 0.01 && told.brightest > 60,
      `${file}: there is little to see: ${told.part}, ${told.brightest}`,
    );
    for (const [clip, poses] of Object.entries(clips)) {
      const { matrices, differing } = told.played[clip];
      const numbers = poses.flatMap(([, numbers]) => numbers);
      assert.equal(matrices.flat().length, numbers.length, `${file}, ${clip}: other nodes than natively`);
      const apart = Math.max(
        ...matrices.flat().map((number, at) => Math.abs(number - numbers[at]) / Math.max(1, Math.abs(numbers[at]))),
      );
      assert.ok(apart < 1e-4, `${file}, ${clip}: ${apart} from the poses of the crate`);
      assert.ok(differing > 0.002, `${file}, ${clip}: all times look the same`);
    }
  }
}

/** Runs in the page. Samples each clip of a file at some times. */
async function play({ backend, file, times }) {
  stage.close();
  const player = await stage.open(backend);
  player.ground = false;
  await player.load(`/formats/${file}`);
  player.frame();
  const played = {};
  const { part, brightest } = stage.coverage(await stage.look(player), 4);
  for (const [clip, secs] of Object.entries(times)) {
    player.play(clip, { loop: "once" });
    player.frame();
    const matrices = [];
    const pictures = [];
    for (const time of secs) {
      player.currentTime = time;
      matrices.push([...player.worldMatrices()]);
      pictures.push(await stage.look(player));
    }
    const differing = Math.max(...pictures.slice(1).map((picture) => stage.compare(pictures[0], picture).differing));
    played[clip] = { matrices, differing };
  }
  return { warnings: player.warnings, clips: player.clips.map(({ name }) => name), part, brightest, played };
}

/** Runs in the page. Compares a file with its glTF counterpart. */
async function look({ backend, times, names }) {
  const fetched = () =>
    performance
      .getEntriesByType("resource")
      .map(({ name }) =>
        new URL(name).pathname.match(/(decoders-|formats\/)[^/]*(js|wasm)$/)?.[0].replace(/-\w+\.js$/, "-.js"),
      )
      .filter(Boolean)
      .sort();
  const poses = (player) =>
    ["Swing", "Raise"].map((clip) => {
      player.play(clip);
      return times.map((time) => {
        player.currentTime = time;
        const matrices = player.worldMatrices();
        return ["Lower", "Upper"].map((name) =>
          matrices.slice(player.node(name).index * 16, player.node(name).index * 16 + 16),
        );
      });
    });
  const pictures = async (player) => {
    player.ground = false;
    player.play("Swing");
    // A morph target of the glTF file makes it wider at times.
    const { target, yaw, pitch, distance } = twin.camera;
    Object.assign(player.camera, { target, yaw, pitch, distance });
    const taken = [];
    for (const time of [0, 1]) {
      player.currentTime = time;
      taken.push(await stage.look(player));
    }
    return taken;
  };
  const twin = await stage.openModel(backend, "/fixtures/swing.glb");
  twin.morph("Wide").weight = 0;
  twin.play("Swing");
  twin.frame();
  const twinPoses = poses(twin).flat(3);
  const [, twinPicture] = await pictures(twin);
  const before = fetched();

  const players = await Promise.all(names.map(() => stage.open(backend)));
  let progress = null;
  await Promise.all(
    players.map((player, at) =>
      player.load(`/fixtures/formats/${names[at]}`, {
        onProgress: (report) => (progress = at === 0 ? report : progress),
      }),
    ),
  );
  const files = [];
  for (const [at, player] of players.entries()) {
    const found = poses(player).flat(3);
    const apart = Math.max(
      ...found.flatMap((matrix, index) => [...matrix].map((number, lane) => Math.abs(number - twinPoses[index][lane]))),
    );
    const [first, second] = await pictures(player);
    files.push({
      name: names[at],
      clips: player.clips.map(({ name, duration }) => [name, duration]),
      warnings: player.warnings,
      apart,
      part: stage.coverage(second).part,
      glbPart: stage.coverage(twinPicture).part,
      moved: stage.compare(first, second).differing,
    });
  }
  const { preload } = await import("/gambol/index.js");
  const preloaded = await preload("formats");
  const abort = new AbortController();
  const loading = stage.failure(() => players[2].load("/fixtures/formats/swing.x", { signal: abort.signal }));
  abort.abort();
  return {
    before,
    files,
    fetched: fetched(),
    preloaded,
    progress,
    aborted: await loading,
    afterAbort: players[2].name,
  };
}
