/**
 * `npm run compare`: draws thirty real models with Gambol, three.js and <model-viewer>, and measures how much the
 * pictures differ. No result fails it.
 *
 *     npm run compare                     both parts
 *     npm run compare -- --part light     the same environment image, camera and tone mapper, without <model-viewer>
 *     npm run compare -- --part defaults  the default light of each player
 *
 * --models NAMES   only models with these names, separated by commas; benches/compare/models.mjs lists them
 * --built          uses the `dist` that is there
 *
 * `target/compare` gets sheets with the pictures beside each other, the single pictures in `cells`, and `results.json`.
 */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { build } from "../www/build.mjs";
import { ensureNodeModules, root } from "../www/toolchain.mjs";
import { openDriver } from "./compare/driver.mjs";
import { lightFile } from "./compare/light.mjs";
import { modelsFolder, modelsNamed } from "./compare/models.mjs";
import { outFolder } from "./compare/output.mjs";
import { takePictures } from "./compare/pictures.mjs";
import { PARTS } from "./compare/players.mjs";
import { measurePart } from "./compare/sheets.mjs";
import { partLines } from "./compare/summary.mjs";

const { values: options } = parseArgs({
  options: {
    models: { type: "string", default: "" },
    part: { type: "string" },
    built: { type: "boolean", default: false },
  },
});

try {
  const parts = options.part ? [options.part] : Object.keys(PARTS);
  if (!PARTS[parts[0]]) throw new Error(`${parts[0]} is not a part; there are ${Object.keys(PARTS).join(", ")}`);
  const models = modelsNamed(options.models.split(",").filter(Boolean));
  const folder = modelsFolder();
  if (!options.built) await build();
  if (!existsSync(join(root, "dist/index.js"))) throw new Error("there is no dist; run it without --built");
  // Installed here only, because building and testing need no other player.
  ensureNodeModules("benches");
  await compare({ parts, models, folder });
} catch (error) {
  console.error(`compare: ${error.message}`);
  process.exitCode = 1;
}

async function compare({ parts, models, folder }) {
  mkdirSync(outFolder, { recursive: true });
  writeFileSync(join(outFolder, "light.hdr"), lightFile());
  const driver = await openDriver({
    "/compare/": join(root, "benches/compare"),
    "/gambol/": join(root, "dist"),
    "/three/": join(root, "benches/node_modules/three"),
    "/model-viewer/": join(root, "benches/node_modules/@google/model-viewer/dist"),
    "/models/": folder,
    "/out/": outFolder,
  });
  try {
    const taken = await takePictures(driver, parts, models);
    const desk = driver.open("module=desk");
    const measured = {};
    for (const part of parts) measured[part] = await measurePart(desk, part, taken[part]);
    report(parts, { date: new Date().toISOString().slice(0, 10), ...versions(driver), parts: measured });
  } finally {
    await driver.close();
  }
}

function versions({ browser }) {
  const { dependencies } = JSON.parse(readFileSync(join(root, "benches/package.json"), "utf8"));
  return { browser, three: dependencies.three, modelViewer: dependencies["@google/model-viewer"] };
}

function report(parts, results) {
  writeFileSync(join(outFolder, "results.json"), `${JSON.stringify(results, null, 1)}\n`);
  for (const part of parts) {
    console.log(`\n── ${part}: ${PARTS[part].title}\n`);
    console.log(partLines(part, results.parts[part]).join("\n"));
  }
  console.log(`\n${results.browser}, three.js ${results.three}, model-viewer ${results.modelViewer}`);
  console.log(`wrote ${outFolder}`);
}
