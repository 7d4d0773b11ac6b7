/** Formats the measurements of the page, and compares them with the required ratios. */

import { median, quartiles, ratioOf } from "./statistics.mjs";

const OURS = "Gambol";

/**
 * Greatest distance between equal poses, as a share of the model's size.
 *
 * Crossfades are compared at weight 0.5, where linear and spherical blending of rotations agree up to rounding.
 */
const MOST_APART = 1e-4;

/** Least ratio of another player's time to Gambol's, per character and update. */
const MARKS = [
  { model: "Fox", player: "three.js", count: 1, least: 8 },
  { model: "Fox", player: "three.js", count: 1000, least: 40 },
  { model: "Fox", player: "Babylon Lite", count: 1, least: 5 },
  { model: "Fox", player: "Babylon Lite", count: 100, least: 5 },
  { model: "Fox", player: "Babylon Lite", count: 1000, least: 5 },
];

const MOST_FADE_COST = 1.7;

/** Returns the report on one model, as lines. */
export function report(model, { differences, cells }) {
  return [
    `\n── ${model}`,
    ...differences.map(saySamePose),
    "",
    "µs per character and update: median (quartiles); how many times Gambol's, the median of all rounds",
    ...rowsOf(cells).map(sayRow),
    "",
    ...marksOf(model, cells).map(({ met, what }) => `${met ? "met    " : "NOT MET"}  ${what}`),
  ];
}

/** Returns the rows of a Markdown table, for a README. */
export function tableRows(model, { cells }) {
  return rowsOf(cells).map((row) => {
    const ours = row.find((cell) => cell.player === OURS);
    const columns = row.map(
      (cell) => `${short(median(cell.micros))}${cell === ours ? "" : ` (${times(cell, ours)} ×)`}`,
    );
    const [{ fading, count }] = row;
    return `| ${[model, fading ? "crossfade" : "one clip", count.toLocaleString("en"), ...columns].join(" | ")} |`;
  });
}

export function tableHead(cells) {
  const head = ["model", "plays", "characters", ...rowsOf(cells)[0].map((cell) => cell.player)];
  return [`| ${head.join(" | ")} |`, `|${" --- |".repeat(2)}${" ---: |".repeat(head.length - 2)}`];
}

function saySamePose({ player, fading, share }) {
  const verdict = share <= MOST_APART ? "same pose" : "DIFFERENT POSE";
  return `${verdict}: ${player}, ${plays(fading)}: at most ${share.toExponential(1)} of the model's size from Gambol's`;
}

function sayRow(row) {
  const [{ fading, count }] = row;
  const ours = row.find((cell) => cell.player === OURS);
  const columns = row.map((cell) => {
    const [low, middle, high] = quartiles(cell.micros).map(short);
    return `${cell.player} ${middle} (${low}–${high})${cell === ours ? "" : ` ${times(cell, ours)}×`}`;
  });
  return `${String(count).padStart(5)} ${plays(fading).padEnd(9)}  ${columns.join("   ")}`;
}

function marksOf(model, cells) {
  const find = (player, fading, count) =>
    cells.find((cell) => cell.player === player && cell.fading === fading && cell.count === count);
  const marks = [];
  for (const { model: of, player, count, least } of MARKS) {
    const [peer, ours] = [find(player, false, count), find(OURS, false, count)];
    if (of !== model || !peer || !ours) continue;
    const found = ratio(peer, ours);
    const what = `${player} takes ${found.toFixed(1)} times as long, ${count} at a time (at least ${least})`;
    marks.push({ met: found >= least, what });
  }
  for (const faded of cells.filter((cell) => cell.player === OURS && cell.fading)) {
    const found = ratio(faded, find(OURS, false, faded.count));
    const what = `a crossfade costs ${found.toFixed(2)} clips, ${faded.count} at a time (at most ${MOST_FADE_COST})`;
    marks.push({ met: found <= MOST_FADE_COST, what });
  }
  return marks;
}

/** Groups the cells that are compared: all players with equal work. */
function rowsOf(cells) {
  const rows = new Map();
  for (const cell of cells) {
    const key = `${cell.fading} ${cell.count}`;
    rows.set(key, [...(rows.get(key) ?? []), cell]);
  }
  return [...rows.values()].sort(([a], [b]) => a.fading - b.fading || a.count - b.count);
}

function ratio(cell, other) {
  return ratioOf(cell.micros, other.micros);
}

function times(cell, other) {
  const found = ratio(cell, other);
  return found < 10 ? found.toFixed(1) : found.toFixed(0);
}

function short(micros) {
  if (micros < 1) return micros.toFixed(2);
  return micros < 10 ? micros.toFixed(1) : micros.toFixed(0);
}

function plays(fading) {
  return fading ? "crossfade" : "one clip";
}
