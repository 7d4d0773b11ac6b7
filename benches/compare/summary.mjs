/** Writes what has been measured as Markdown. */

import { quartiles } from "../statistics.mjs";
import { table } from "../tables.mjs";
import { nameOf, PARTS } from "./players.mjs";

/** Least overlap of silhouettes with which pictures count as seen from the same camera. */
const SAME_VIEW = 0.97;

/**
 * Returns the lines about a part: a table with a row for each model, and what all models have in common.
 *
 * @param rows a row for each model: `model`, `figures` by player, `failed` by player, and `differences`
 */
export function partLines(part, rows) {
  const { columns, pairs } = PARTS[part];
  const head = ["model", ...columns.map(nameOf), ...pairs.map(({ of }) => of.map(nameOf).join(" – "))];
  return [
    "A player's median luminance (5th–95th percentile), and its saturation; mean difference of two, from 0 to 255",
    "",
    ...table(
      head,
      rows.map((row) => cellsOf(row, part)),
    ),
    "",
    ...ratioLines(part, rows),
    ...differenceLines(part, rows),
    ...viewLines(part, rows),
    ...failureLines(rows),
  ];
}

function cellsOf(row, part) {
  const { columns, pairs } = PARTS[part];
  return [
    row.model,
    ...columns.map((key) => (row.figures[key] ? figuresText(row.figures[key]) : "failed")),
    ...pairs.map(({ of }) => differenceIn(row, of)?.mean.toFixed(1) ?? "–"),
  ];
}

/** Returns a median with its 5th and 95th percentile, and the saturation. */
export function figuresText({ luminance: { low, median, high }, saturation }) {
  return `${median.toFixed(3)} (${low.toFixed(3)}–${high.toFixed(3)}), ${saturation.toFixed(2)}`;
}

/** Returns a line for each other player: by which factor Gambol is brighter. */
function ratioLines(part, rows) {
  return pairsWithOthers(part).map(([ours, other]) => {
    const ratios = ratiosOf(rows, ours, other).map(({ ratio }) => ratio);
    return `- median luminance, ${nameOf(ours)} / ${nameOf(other)}: ${spread(ratios, 2)}`;
  });
}

/** Returns the ratio of two players' median luminances for each model that both have drawn. */
export function ratiosOf(rows, ours, other) {
  return rows
    .filter(({ figures }) => figures[ours] && figures[other]?.luminance.median > 0)
    .map(({ model, figures }) => ({
      model,
      ratio: figures[ours].luminance.median / figures[other].luminance.median,
    }));
}

function pairsWithOthers(part) {
  return PARTS[part].pairs.map(({ of }) => of).filter(([, other]) => other !== "webgl2");
}

function differenceLines(part, rows) {
  return PARTS[part].pairs.map(({ of }) => {
    const means = rows.flatMap((row) => differenceIn(row, of)?.mean ?? []);
    return `- mean difference, ${of.map(nameOf).join(" – ")}: ${spread(means, 1)}`;
  });
}

/** Returns a line for each pair of pictures whose silhouettes differ: their differences include the cameras'. */
function viewLines(part, rows) {
  return PARTS[part].pairs.flatMap(({ of }) =>
    rows.flatMap((row) => {
      const overlap = differenceIn(row, of)?.overlap ?? 1;
      if (overlap >= SAME_VIEW) return [];
      return [`- ${row.model}: the silhouettes of ${of.map(nameOf).join(" and ")} overlap by ${percent(overlap)} only`];
    }),
  );
}

function failureLines(rows) {
  return rows.flatMap(({ model, failed }) =>
    Object.entries(failed).map(([key, reason]) => `- ${model}: ${nameOf(key)} failed: ${reason}`),
  );
}

function differenceIn({ differences }, [ours, other]) {
  return differences.find(({ of }) => of[0] === ours && of[1] === other);
}

/** Returns a median with its quartiles, and the count of the numbers. */
function spread(numbers, digits) {
  if (numbers.length === 0) return "no model";
  const [low, middle, high] = quartiles(numbers).map((number) => number.toFixed(digits));
  return `${middle} (${low}–${high}), ${numbers.length} models`;
}

function percent(share) {
  return `${(share * 100).toFixed(1)} %`;
}
