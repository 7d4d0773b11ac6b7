/** Measures the pictures, and lays them beside each other on sheets. */

import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

import { addressOf, outFolder, save } from "./output.mjs";
import { nameOf, PARTS } from "./players.mjs";
import { figuresText } from "./summary.mjs";

/** Rows of a sheet. More would make it too large to look at. */
const ROWS = 6;

/** Measures the cells of a part, and draws its sheets. Returns a row for each model, as `partLines` reads it. */
export async function measurePart(desk, part, cells) {
  const rows = [];
  for (const [model, players] of Object.entries(cells)) rows.push(await measure(desk, part, model, players));
  await drawSheets(desk, part, rows);
  return rows;
}

async function measure(desk, part, model, cells) {
  const entries = Object.entries(cells);
  const failed = Object.fromEntries(entries.flatMap(([key, cell]) => (cell.failed ? [[key, cell.failed]] : [])));
  const drawn = entries.filter(([key]) => !(key in failed));
  const pictures = Object.fromEntries(drawn.map(([key, paths]) => [key, addressesOf(paths)]));
  const { figures } = await desk.call("measure", pictures);
  for (const [key, { pixels }] of Object.entries(figures)) {
    if (pixels > 0) continue;
    failed[key] = "nothing is drawn";
    delete figures[key];
  }
  const differences = [];
  for (const { of } of PARTS[part].pairs) {
    if (!of.every((key) => figures[key])) continue;
    const { picture, ...difference } = await desk.call(
      "compare",
      of.map((key) => pictures[key]),
    );
    differences.push({ of, ...difference, picture: save(`cells/${part}/${model}.${of.join("-")}.png`, picture) });
  }
  return { model, figures, failed, differences };
}

function addressesOf(paths) {
  return Object.fromEntries(Object.entries(paths).map(([kind, path]) => [kind, addressOf(path)]));
}

async function drawSheets(desk, part, rows) {
  for (const name of readdirSync(outFolder)) if (name.startsWith(`${part}_`)) rmSync(join(outFolder, name));
  const count = Math.ceil(rows.length / ROWS);
  for (let at = 0; at < count; at++) {
    const title = `${PARTS[part].title}, ${at + 1} of ${count}`;
    const cells = rows.slice(at * ROWS, (at + 1) * ROWS).map((row) => cellsOf(part, row));
    save(`${part}_${at + 1}.png`, await desk.call("sheet", { title, rows: cells }));
  }
}

/** Returns a row of a sheet: a cell for each player, and one for each difference that is shown. */
function cellsOf(part, { model, figures, failed, differences }) {
  const { columns, pairs } = PARTS[part];
  const pictures = columns.map((key) => {
    const name = `${model}, ${nameOf(key)}`;
    if (!figures[key]) return { caption: name, note: failed[key] };
    return {
      caption: `${name}: ${figuresText(figures[key])}`,
      picture: addressOf(`cells/${part}/${model}.${key}.png`),
    };
  });
  const compared = pairs
    .filter(({ shown }) => shown)
    .map(({ of }) => {
      const found = differences.find((difference) => difference.of.join() === of.join());
      if (!found) return { caption: "" };
      const caption = `4 × |${of.map(nameOf).join(" – ")}|, mean ${found.mean.toFixed(1)}`;
      return { caption, picture: addressOf(found.picture) };
    });
  return [...pictures, ...compared];
}
