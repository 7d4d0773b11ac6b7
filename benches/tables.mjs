/** Writes the results as Markdown: a table for each part, and the goals with what has been found. */

import { PLAYERS, REFERENCE } from "./players/list.mjs";
import { quartiles, ratioOf, rise } from "./statistics.mjs";

/** Greatest ratio of the element's start to that of the player without it. */
const MOST_FOR_ELEMENT = 1.05;

/** The players that the goals are about. */
const OURS = PLAYERS.filter(({ module }) => module === "gambol").map(({ name }) => name);

/** Returns a Markdown table. All columns except the first are numbers. */
export function table(head, rows) {
  const line = (cells) => `| ${cells.join(" | ")} |`;
  return [line(head), `| --- |${" ---: |".repeat(head.length - 1)}`, ...rows.map(line)];
}

/** Returns the lines of the table of downloads. */
export function sizeTable(rows) {
  const smallest = Math.min(...rows.filter(({ bytes }) => bytes).map(({ bytes }) => bytes));
  return table(
    ["page", "KiB", "files", "smallest ×", "in the budget, KiB"],
    rows.map(({ player, bytes, files, budget, failed }) =>
      failed
        ? [player, ...failure({ failed }, 4)]
        : [player, kib(bytes), files, (bytes / smallest).toFixed(1), budget ? kib(budget) : ""],
    ),
  );
}

/** Returns the lines of a table of starts, for one model. */
export function startTable(rows) {
  const reference = rows.find(({ player }) => player === REFERENCE);
  return table(
    ["page", "first frame, ms", "first moving frame, ms", `× ${REFERENCE}`, "× without the element"],
    rows.map((row) => {
      if (row.failed) return [row.player, ...failure(row, 4)];
      const bare = rows.find(({ player }) => player === row.bare);
      return [
        row.player,
        spread(values(row, "shown"), whole),
        spread(values(row, "moving"), whole),
        ratio(row, reference, "moving"),
        bare ? ratio(row, bare, "moving") : "",
      ];
    }),
  );
}

/** Returns the lines of the tables of frames, one for each number of characters, for one model. */
export function frameTable(rows) {
  const cells = (row) => TIMES.map((time) => spread(values(row, time), fine));
  return tablesByCount(rows, "character", TIME_HEADS, cells);
}

/** The times of a frame, by their keys, and the heads of their columns. */
const TIMES = ["thread", "done", "steady", "rate", "looped", "whole"];
const TIME_HEADS = [
  "thread, ms",
  "drawn, ms",
  "steady, ms",
  "frames a second",
  "thread in the loop, ms",
  "with all, ms",
];

/** Returns the lines of the table of members, for one model. */
export function membersTable(rows) {
  return table(
    ["player", "members", ...TIME_HEADS, "GPU, MiB"],
    rows.map((row) => [
      row.player,
      row.count.toLocaleString("en"),
      ...(row.failed
        ? failure(row, TIME_HEADS.length + 1)
        : [...TIMES.map((time) => spread(values(row, time), fine)), spread(values(row, "gpuBytes"), mib)]),
    ]),
  );
}

/** Returns the lines of the tables of memory, one for each number of models, for one model. */
export function memoryTable(rows) {
  const cells = (row) => Object.keys(KINDS).map((kind) => spread(values(row, kind), mib));
  return tablesByCount(
    rows,
    "model",
    Object.values(KINDS).map((kind) => `${kind}, MiB`),
    cells,
  );
}

/** Returns the lines of a table for each count, whose first column says what is counted. */
function tablesByCount(rows, what, heads, cells) {
  const counts = [...new Set(rows.map(({ count }) => count))];
  return counts.flatMap((count, index) => [
    ...(index > 0 ? [""] : []),
    ...table(
      [`${count} ${what}${count === 1 ? "" : "s"}`, ...heads],
      rows
        .filter((row) => row.count === count)
        .map((row) => [row.player, ...(row.failed ? failure(row, heads.length) : cells(row))]),
    ),
  ]);
}

/** The three kinds of memory, by the key of their bytes. */
const KINDS = { heapBytes: "JavaScript", wasmBytes: "wasm", gpuBytes: "GPU" };

/** Returns the lines of a table of growth, for one model. */
export function growthTable(rows) {
  return table(
    ["player", ...Object.values(KINDS).map((kind) => `${kind}, KiB`)],
    rows.map((row) => {
      if (row.failed) return [row.player, ...failure(row, 3)];
      const [{ points }] = row.rounds;
      return [
        row.player,
        ...Object.keys(KINDS).map((kind) => {
          if (points[0][kind] === undefined) return "–";
          const { total, noise } = growthOf(points, kind);
          return `${kib(points[0][kind])} → ${kib(points.at(-1)[kind])}: ${signed(total)} ± ${kib(noise)}`;
        }),
      ];
    }),
  );
}

/** Returns the cells of a row without values. */
function failure({ failed }, columns) {
  const reason = failed.length > 60 ? `${failed.slice(0, 59)}…` : failed;
  return [`failed: ${reason}`, ...Array(columns - 1).fill("")];
}

function growthOf(points, kind) {
  return rise(points.map((point) => [point.loads, point[kind]]));
}

function signed(bytes) {
  return `${bytes < 0 ? "−" : "+"}${kib(Math.abs(bytes))}`;
}

/** No object has fewer bytes, so that one for each load would be seen. */
const LEAST_OBJECT = 8;

/** Returns a line for each goal that the results answer. */
export function goals({ start = [], growth = [] }) {
  const lines = [];
  const say = (met, what) => lines.push(`- ${met ? "met" : "**not met**"}: ${what}`);
  for (const row of start) {
    const find = (name) => start.find(({ player, model, failed }) => player === name && model === row.model && !failed);
    const [reference, bare] = [find(REFERENCE), find(row.bare)];
    if (row.failed) continue;
    if (OURS.includes(row.player) && reference) {
      const found = ratioOf(values(row, "moving"), values(reference, "moving"));
      const what = `${row.player} takes ${found.toFixed(2)} times as long as ${REFERENCE} (below 1)`;
      say(found < 1, `first moving frame, ${row.model}: ${what}`);
    }
    if (bare) {
      const found = ratioOf(values(row, "moving"), values(bare, "moving"));
      const what = `${row.player} takes ${found.toFixed(2)} times as long as the player alone`;
      say(found <= MOST_FOR_ELEMENT, `first moving frame, ${row.model}: ${what} (at most ${MOST_FOR_ELEMENT})`);
    }
  }
  for (const row of growth) {
    if (row.failed || !OURS.some((name) => [row.player, row.bare].includes(name))) continue;
    const [{ points }] = row.rounds;
    for (const [kind, what] of Object.entries(KINDS)) {
      if (points[0][kind] === undefined) continue;
      const { total, noise } = growthOf(points, kind);
      const loads = `from load ${points[0].loads} to ${points.at(-1).loads}`;
      const found = `${what} memory of ${row.player} grows by ${kib(total)} KiB ${loads}, noise ${kib(noise)} KiB`;
      const least = LEAST_OBJECT * (points.at(-1).loads - points[0].loads);
      say(total <= Math.max(noise, least), `growth, ${row.model}: ${found}`);
    }
  }
  return lines;
}

/** Groups rows by their model. */
export function byModel(rows) {
  const found = new Map();
  for (const row of rows) found.set(row.model, [...(found.get(row.model) ?? []), row]);
  return [...found];
}

export function values({ rounds }, key) {
  return rounds.map((round) => round[key]).filter((value) => value !== undefined);
}

/** Returns a median with its quartiles in brackets. */
function spread(numbers, format) {
  if (numbers.length === 0) return "–";
  const [low, middle, high] = quartiles(numbers).map(format);
  return numbers.length === 1 || (low === middle && high === middle) ? middle : `${middle} (${low}–${high})`;
}

function ratio(row, other, key) {
  if (!other || other.failed) return "";
  return ratioOf(values(row, key), values(other, key)).toFixed(2);
}

const whole = (number) => Math.round(number).toLocaleString("en");
const fine = (number) => (number < 10 ? number.toFixed(2) : number < 100 ? number.toFixed(1) : whole(number));
const kib = (bytes) => (bytes / 1024).toLocaleString("en", { maximumFractionDigits: Math.abs(bytes) < 10240 ? 1 : 0 });
const mib = (bytes) => (bytes / 1048576).toFixed(1);
