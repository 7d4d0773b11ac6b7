/** The part `update`: poses of all players compared, then their updates timed, in one page that draws nothing. */

import { report, tableHead, tableRows } from "./report.mjs";

const COUNTS = [1, 100, 1000];
const ROUNDS = 31;

/** Returns what the page has measured, a record for each model, and prints it. */
export async function measureUpdate({ driver, models, rounds = ROUNDS, counts = COUNTS, print = console.log }) {
  const outcomes = [];
  for (const { name, url } of models) {
    driver.say?.(`update: ${name}`);
    // A page for each model, so that the garbage of one doesn't slow the next.
    const page = await driver.visit("update.html");
    try {
      const outcome = await page.call("update", { url, counts, rounds });
      outcomes.push({ model: name, ...outcome });
      print(report(name, outcome).join("\n"));
    } catch (error) {
      outcomes.push({ model: name, failed: String(error?.message ?? error).split("\n")[0] });
    } finally {
      await page.close();
    }
  }
  return outcomes;
}

/** Returns the lines of two tables: how far poses are from Gambol's, and the times, which is the README's table. */
export function updateTable(outcomes) {
  const measured = outcomes.filter(({ failed }) => !failed);
  const failures = outcomes.filter(({ failed }) => failed).map(({ model, failed }) => `- ${model}: failed: ${failed}`);
  if (measured.length === 0) return failures;
  const players = [...new Set(measured[0].differences.map(({ player }) => player))];
  const poses = measured.flatMap(({ model, differences }) =>
    [false, true]
      .map((fading) => differences.filter((difference) => difference.fading === fading))
      .filter((same) => same.length > 0)
      .map((same) => {
        const shares = players.map((name) => same.find(({ player }) => player === name).share.toExponential(1));
        return `| ${[model, same[0].fading ? "crossfade" : "one clip", ...shares].join(" | ")} |`;
      }),
  );
  return [
    ...failures,
    `| ${["model", "plays", ...players].join(" | ")} |`,
    `|${" --- |".repeat(2)}${" ---: |".repeat(players.length)}`,
    ...poses,
    "",
    ...tableHead(measured[0].cells),
    ...measured.flatMap((outcome) => tableRows(outcome.model, outcome)),
  ];
}
