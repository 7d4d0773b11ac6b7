/** `npm run bench`: measures Gambol beside other players. No result fails a build. */

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { build } from "../www/build.mjs";
import { serve } from "../www/serve.mjs";
import { root, run } from "../www/toolchain.mjs";
import { ISOLATED, machineOf, openChromium } from "./chromium.mjs";
import { pagesFolder, writePages, writtenPages } from "./pages.mjs";
import { IN_WORKERS, PLAYERS } from "./players/list.mjs";
import { drawing, markdown, partLines } from "./results.mjs";
import { measureSize } from "./size.mjs";
import { measureFrame, measureGrowth, measureMembers, measureMemory, measureShadows, measureStart } from "./suite.mjs";
import { measureUpdate } from "./update.mjs";

const USAGE = `npm run bench                    native and update
npm run bench -- all             every part in Chromium; writes benches/RESULTS.md
npm run bench -- start memory    some parts: native, size, start, update, frame, shadows, members, memory,
                                 growth
npm run bench -- page            serves the same as a page, for other browsers and machines

--rounds N       rounds of each part; default: 7, and 31 for update
--latency MS     time that is added to each request
--models LIST    fox, cesium (update only), character; default: all
--players TEXTS  only players with one of these texts in their names, separated by commas
--loads N        loads of growth; default: 500
--built          measures the dist that is there
--pages          measures the pages that an earlier run has made of it, in target/bench
--hardware       draws with the machine's GPU instead of in software; writes benches/RESULTS_GPU.md
--keep           keeps the parts that an earlier run measured, and writes benches/RESULTS.md with all of them
--port N         port of the page; default: 8090
--help           prints this
`;

/** The parts in Chromium, in the order of the results. */
const PARTS = {
  size: measureSize,
  start: measureStart,
  update: measureUpdate,
  frame: measureFrame,
  shadows: measureShadows,
  members: measureMembers,
  memory: measureMemory,
  growth: measureGrowth,
};

/** Headers of the page's frames, of which each visit shall load everything anew. */
const UNCACHED = { ...ISOLATED, "Cache-Control": "no-store" };

/** The kinds of pages that a part opens. */
const KINDS = {
  size: "start",
  start: "start",
  update: "update",
  frame: "lab",
  shadows: "lab",
  members: "lab",
  memory: "lab",
  growth: "lab",
};

const { values: options, positionals } = readArguments({
  allowPositionals: true,
  options: {
    help: { type: "boolean", default: false },
    rounds: { type: "string" },
    latency: { type: "string", default: "0" },
    models: { type: "string", default: "fox,cesium,character" },
    players: { type: "string", default: "" },
    loads: { type: "string", default: "500" },
    built: { type: "boolean", default: false },
    pages: { type: "boolean", default: false },
    hardware: { type: "boolean", default: false },
    keep: { type: "boolean", default: false },
    port: { type: "string", default: "8090" },
  },
});

/** The results of the newest run, from which `--keep` goes on. */
const RESULTS = join(root, `target/bench_results${options.hardware ? "_gpu" : ""}.json`);

/** Name of the files with the tables and the plot. */
const WRITTEN = options.hardware ? "RESULTS_GPU" : "RESULTS";

try {
  if (!options.built && !options.pages) await build();
  const wanted = positionals.length > 0 ? positionals : ["native", "update"];
  if (wanted.includes("native")) benchNative();
  if (wanted.includes("page")) await servePage();
  const parts = Object.keys(PARTS).filter((part) => wanted.includes("all") || wanted.includes(part));
  if (parts.length > 0) await benchBrowser(parts, wanted.includes("all") || options.keep);
} catch (error) {
  console.error(`bench: ${error.message}`);
  process.exitCode = 1;
}

/** Returns the arguments. Without anything to measure, prints why or how, and ends. */
function readArguments(config) {
  try {
    const read = parseArgs(config);
    const unknown = read.positionals.find((part) => !["native", "all", "page", ...Object.keys(PARTS)].includes(part));
    if (unknown) throw new Error(`${unknown} is not a part`);
    if (!read.values.help) return read;
    console.log(USAGE);
    process.exit();
  } catch (error) {
    console.error(`bench: ${error.message}\n\n${USAGE}`);
    process.exit(2);
  }
}

function benchNative() {
  console.log("\n── native: cargo bench, a joint's share of the time");
  // A shared target folder, so that dependencies which the build compiled aren't compiled again.
  run("cargo", ["bench", "--manifest-path", "benches/native/Cargo.toml", "--target-dir", "target", "--", "--quiet"]);
}

async function benchBrowser(parts, writes) {
  const rounds = Number(options.rounds ?? 7);
  const loads = Number(options.loads);
  const latency = Number(options.latency);
  const wanted = ({ name }) => options.players.split(",").some((text) => name.includes(text));
  const players = PLAYERS.filter(wanted);
  const workers = parts.includes("shadows") ? IN_WORKERS.filter(wanted) : [];
  if (!options.pages) console.log("building the pages of all players");
  const { models, missing, versions } = options.pages
    ? writtenPages()
    : await writePages({ kinds: [...new Set(parts.map((part) => KINDS[part]))], players: [...players, ...workers] });
  const measured = models.filter(({ key }) => options.models.split(",").includes(key));
  const date = new Date().toISOString().slice(0, 10);
  const driver = await openChromium({ latency, hardware: options.hardware, say: (what) => console.error(`  ${what}`) });
  const kept = options.keep && existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, "utf8")) : {};
  const results = { ...kept, date, rounds: { ...kept.rounds }, latency, versions, missing };
  if (parts.includes("growth")) results.loads = loads;
  try {
    results.machine = await machineOf(driver);
    console.log(`${results.machine.browser} on ${results.machine.cpu}, ${results.machine.cores} cores`);
    console.log(`beside ${results.versions.join(", ")}; ${rounds} rounds`);
    for (const line of missing) console.log(line);
    for (const part of parts) {
      console.log(`\n── ${part}`);
      const shown = part === "update" ? measured : measured.filter(({ onlyUpdate }) => !onlyUpdate);
      const asked = part === "update" ? { rounds: options.rounds && rounds } : { rounds };
      results[part] = await PARTS[part]({ driver, players, workers, models: shown, loads, ...asked });
      results.rounds[part] = asked.rounds;
      console.log(partLines(part, results[part]).join("\n"));
      writeFileSync(RESULTS, JSON.stringify(results));
    }
  } finally {
    await driver.close();
  }
  if (!writes) return;
  writeFileSync(join(root, `benches/${WRITTEN}.svg`), drawing(results));
  writeFileSync(join(root, `benches/${WRITTEN}.md`), markdown(results, { plotFile: `${WRITTEN}.svg` }));
  console.log(`\nwrote benches/${WRITTEN}.md and benches/${WRITTEN}.svg`);
}

async function servePage() {
  await writePages();
  const { url } = await serve({ mounts: { "/": pagesFolder }, port: Number(options.port), headers: UNCACHED });
  console.log(`\nThe benchmark as a page: ${url}`);
}
