/** Textures beside a file are found for every way in which old files name them, and decoded where browsers can't. */

import assert from "node:assert/strict";

import { NAMED } from "../old_formats.mjs";

// A file missing at one address may exist at the next.
export const expectedErrors = [/Failed to load resource.*404/];

/** Cases found only among dropped files: from a server, only addresses written in the file are requested. */
const FOUND_ONLY_WHERE_DROPPED = ["stem", "bare"];

export default async function ({ page, backend }) {
  const asked = [];
  page.on("request", (request) => asked.push(request.url()));
  const { found, lone, silence } = await page.evaluate(
    async ({ backend, names }) => {
      const player = await stage.open(backend);
      player.ground = false;
      const see = async (source) => {
        await player.load(source);
        player.frame();
        const { data } = await stage.look(player);
        const lit = { red: 0, orange: 0, blue: 0, white: 0 };
        for (let at = 0; at < data.length; at += 4) {
          const [r, g, b] = data.subarray(at, at + 3);
          if (r > 90 && g < r * 0.35 && b < r * 0.35) lit.red++;
          else if (r > 90 && b < r * 0.6) lit.orange++;
          else if (b > 90 && r < b * 0.7) lit.blue++;
          else if (data[at + 3] > 250 && r === g && g === b && at % 7 === 0) lit.white++;
        }
        return { warnings: player.warnings.map(({ code, place }) => [code, place]), lit };
      };
      const beside = ["checks.png", "red.tga", "red.bmp", "red.dds"];
      const pictures = await Promise.all(beside.map((name) => stage.file(`/fixtures/formats/${name}`)));
      pictures.push(new File([await (await fetch("/fixtures/formats/textures/lower.png")).blob()], "lower.png"));
      const found = {};
      for (const name of names) {
        const file = await stage.file(`/fixtures/formats/named_${name}.x`);
        found[name] = {
          fetched: await see(`/fixtures/formats/named_${name}.x`),
          dropped: await see([file, ...pictures]),
          alone: await see(file),
        };
      }
      const lone = await see(
        await Promise.all(["named_missing.x", "checks.png"].map((name) => stage.file(`/fixtures/formats/${name}`))),
      );
      const swing = await (await fetch("/fixtures/formats/swing.x")).text();
      const silent = new File([swing.replace(/TextureFilename \{[^}]*\}/, "")], "silent.x");
      const silence = {
        dressed: await see([silent, await stage.file("/fixtures/formats/checks.png")]),
        alone: await see(silent),
      };
      return { found, lone, silence };
    },
    { backend, names: Object.keys(NAMED) },
  );

  const lacking = (warnings) => warnings.filter(([code]) => code === "IMAGE_NOT_LOADED");
  for (const [name, { fetched, dropped, alone }] of Object.entries(found)) {
    // In .x files, one and two backslashes both stand for one separator.
    const gap = [["IMAGE_NOT_LOADED", NAMED[name].replaceAll("\\\\", "/").replace("//", "/")]];
    assert.deepEqual(
      lacking(alone.warnings),
      gap,
      `${name}: nothing lies beside it, and the place is the name in the file`,
    );
    for (const [how, { warnings, lit }] of Object.entries({ fetched, dropped })) {
      if (name === "missing" || (how === "fetched" && FOUND_ONLY_WHERE_DROPPED.includes(name))) {
        assert.deepEqual(warnings, gap, `${name}, ${how}`);
        continue;
      }
      assert.deepEqual(warnings, [], `${name}, ${how}`);
      const seen = JSON.stringify(lit);
      if (["tga", "bmp", "dds"].includes(name))
        assert.ok(lit.red > 300 && lit.blue === 0, `${name}, ${how}: not red: ${seen}`);
      else assert.ok(lit.orange > 100 && lit.blue > 100, `${name}, ${how}: not orange and blue: ${seen}`);
    }
  }
  assert.deepEqual(lone.warnings, [["IMAGE_GUESSED", NAMED.missing]], "of one picture there is little doubt");
  assert.ok(lone.lit.orange > 100 && lone.lit.blue > 100, `a guess is shown: ${JSON.stringify(lone.lit)}`);
  assert.deepEqual(silence.alone.warnings, [], "nothing is missing where nothing is named");
  assert.deepEqual(silence.dressed.warnings, [["IMAGE_GUESSED", ""]]);
  const { lit } = silence.dressed;
  assert.ok(lit.orange > 100 && lit.blue > 100, `a model that names no picture is dressed: ${JSON.stringify(lit)}`);
  const { origin } = new URL(page.url());
  const strange = asked.filter((url) => !url.startsWith(origin) && !/^(data|blob):/.test(url));
  assert.deepEqual(strange, [], "nothing is asked of this machine's drives, or of another");
  assert.deepEqual(
    asked.filter((url) => /C:|C%3A|art.*art/i.test(url)),
    [],
  );
}
