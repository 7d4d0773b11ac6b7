/** Prints what the page measured, beside the marks that are set for it. */

const OURS = "Gambol";

/** As farther apart as this, in shares of the model's size, players don't show the same pose. */
const MOST_APART = { clip: 1e-4, fade: 1e-3 };

/** Of a peer's time per character, how many times Gambol's it must be. */
const MARKS = [
  { model: "Fox", player: "three.js", fading: false, count: 1, least: 8 },
  { model: "Fox", player: "three.js", fading: false, count: 1000, least: 40 },
  { model: "Fox", player: "Lite", fading: false, count: 1, least: 5 },
  { model: "Fox", player: "Lite", fading: false, count: 100, least: 5 },
  { model: "Fox", player: "Lite", fading: false, count: 1000, least: 5 },
];

const MOST_FADE_COST = 1.7;

export function report(model, { differences, cells }) {
  console.log(`\n── ${model}`);
  for (const { player, fading, share } of differences) {
    const alike = share <= (fading ? MOST_APART.fade : MOST_APART.clip);
    const what = fading ? "crossfade" : "one clip";
    console.log(`${alike ? "same pose" : "DIFFERENT POSE"}: ${player}, ${what}: at most ${share.toExponential(1)} of the model's size apart`);
  }
  const rows = [];
  for (const fading of [false, true]) {
    for (const count of new Set(cells.map((cell) => cell.count))) {
      const row = cells.filter((cell) => cell.count === count && cell.fading === fading);
      if (row.length > 0) rows.push({ fading, count, row });
    }
  }
  console.log("\nµs per character and update: median (quartiles); × the time of Gambol");
  for (const { fading, count, row } of rows) {
    const ours = row.find((cell) => cell.player === OURS);
    const columns = row.map((cell) => {
      const [low, median, high] = quartiles(cell.micros).map(significant);
      const times = cell === ours ? "" : ` ${ratio(cell, ours).toFixed(1)}×`;
      return `${cell.player} ${median} (${low}–${high})${times}`;
    });
    console.log(`${String(count).padStart(5)} ${(fading ? "crossfade" : "one clip").padEnd(9)}  ${columns.join("   ")}`);
  }
  marks(model, cells);
}

function marks(model, cells) {
  const find = (player, fading, count) =>
    cells.find((cell) => cell.player === player && cell.fading === fading && cell.count === count);
  const say = (met, what) => console.log(`${met ? "met    " : "NOT MET"}  ${what}`);
  console.log();
  for (const { model: of, player, fading, count, least } of MARKS) {
    const [peer, ours] = [find(player, fading, count), find(OURS, fading, count)];
    if (of !== model || !peer || !ours) continue;
    const times = ratio(peer, ours);
    say(times >= least, `${player} takes ${times.toFixed(1)} times as long with ${count} (at least ${least})`);
  }
  for (const faded of cells.filter((cell) => cell.player === OURS && cell.fading)) {
    const times = ratio(faded, find(OURS, false, faded.count));
    say(times <= MOST_FADE_COST, `a crossfade costs ${times.toFixed(2)} clips with ${faded.count} (at most ${MOST_FADE_COST})`);
  }
}

function ratio(cell, other) {
  return quartiles(cell.micros)[1] / quartiles(other.micros)[1];
}

function quartiles(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return [0.25, 0.5, 0.75].map((share) => sorted[Math.round(share * (sorted.length - 1))]);
}

function significant(micros) {
  return micros < 10 ? micros.toFixed(micros < 1 ? 3 : 2) : micros.toFixed(0);
}
