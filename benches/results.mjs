/** Writes the results of all parts: `RESULTS.md`, and its plot `RESULTS.svg`. Also runs in the page. */

import { PLAYERS } from "./players/list.mjs";
import { plot } from "./plot.mjs";
import { median, quartiles } from "./statistics.mjs";
import {
  byModel,
  frameTable,
  goals,
  growthTable,
  membersTable,
  memoryTable,
  sizeTable,
  startTable,
  values,
} from "./tables.mjs";
import { updateTable } from "./update.mjs";

const DRAWN_BY_US = new Set(
  PLAYERS.filter(({ module }) => ["gambol", "element"].includes(module)).map(({ name }) => name),
);

/** Rounds below which a part's numbers are a trial. */
const FEWEST_ROUNDS = 7;

/** The parts that take turns, and so have rounds. */
const WITH_ROUNDS = ["start", "frame", "shadows", "members", "memory"];

/**
 * The parts in their order: a title, what is measured, and the lines of their tables. Each gets the rows of one model,
 * except `size` and `update`, which get all.
 */
const PARTS = {
  size: {
    title: "Size",
    about: `KiB of scripts and WebAssembly that a page downloads to show an animated Fox, at brotli's best quality. The
      pages are the same for all: a script that shows one model, bundled and minified by esbuild, with files of
      their own for the parts that a player loads on demand. Only files that the browser requested are counted. The
      last column is what the size budget says of Gambol: always with the element.`,
    whole: sizeTable,
  },
  start: {
    title: "Start",
    about: `Milliseconds from navigation to the first frame that shows the model, and to the first other frame. Every
      visit loads everything anew: in Chromium with a fresh browser context, in the page without the HTTP cache.
      Medians, and quartiles in brackets; the ratios are medians of the ratios in each round.`,
    lines: startTable,
  },
  update: {
    title: "Update",
    about: `Microseconds per character and update, without drawing: time, sampling, hierarchy and skin matrices. In
      brackets, how many times Gambol's. The first table is a check: the greatest distance between a corner of the model
      in a player's pose and in Gambol's, as a share of the model's size.`,
    whole: updateTable,
  },
  frame: {
    title: "Frame",
    about: `Milliseconds of a frame in a canvas of 640 × 480, with the same camera for all: time in which the page's
      thread is busy, time until the GPU has finished, and time of a frame among many that are drawn without
      waiting for each. Means of up to 60 frames, and up to 200 without waiting. Then a loop of animation frames, as
      pages have it, in which the GPU is at most three frames late: frames in a second until the GPU has finished the
      last, of which the browser allows a GPU in software 60, the median of the thread's time, and the mean of all that
      Chromium does in the page's thread for a frame, such as waiting for the GPU. Medians and quartiles of all rounds.
      Gambol draws no ground here, but the model's shadow on itself, which the others don't.`,
    lines: frameTable,
  },
  shadows: {
    title: "Frame with shadows",
    about: `The same for players that can cast shadows here, with them: on the characters themselves and on others, from
      a shadow map of 1024 texels a side for one character, and 2048 for more. A player in a worker draws the newest
      state whenever its GPU can take another picture, so its frames a second are those pictures.`,
    lines: frameTable,
  },
  members: {
    title: "Members",
    about: `The same for members of a throng, which the GPU poses: all in view, with shadows. Only Gambol has them. Then
      the MiB of buffers, textures and renderbuffers on the GPU.`,
    lines: membersTable,
  },
  memory: {
    title: "Memory",
    about: `MiB of a page that shows one model, and of one with ten models in ten canvases: objects and arrays of
      JavaScript after a collection of garbage, memory of WebAssembly, and buffers, textures and renderbuffers on
      the GPU. The GPU's memory is the sum of what the page has reserved through WebGL2 or WebGPU and hasn't
      deleted, or lost to the collector. Canvases, programs and the driver's own memory aren't in it: players that
      leave the smoothing of edges to a WebGL canvas have that memory too.`,
    lines: memoryTable,
  },
  growth: {
    title: "Growth",
    about: `KiB after loading a model again and again, which replaces the one before, each time from another address.
      After each fifth of the loads, garbage is collected and the memory is measured: the first and the last
      value, then the growth of a straight line through all five, ± the range of their distances from it, which is
      the noise. Objects and arrays of JavaScript are counted, not the machine code that Chromium makes of functions
      for as long as they run.`,
    lines: growthTable,
  },
};

/**
 * Returns the text of `RESULTS.md`.
 *
 * @param results `machine`, `date`, the `rounds` of each part, and a list for each part
 */
export function markdown(results, { plotFile } = {}) {
  const { rounds, byPage = false } = results;
  const few = WITH_ROUNDS.filter((part) => rounds[part] < FEWEST_ROUNDS);
  const trial = few.map((part) => `${PARTS[part].title}, of ${counted(rounds[part], "round")}`).join("; ");
  const made = byPage ? "The benchmark's page made these results." : "`npm run bench -- all` writes this file.";
  const lines = [
    "# Results",
    "",
    ...wrapped(trial ? `**This is a trial: ${trial}.** ${made}` : made),
    "",
    ...machineLines(results),
  ];
  if (plotFile) lines.push("", `![Medians as bars; the tables below have the same numbers](${plotFile})`);
  const reached = goals(results);
  if (reached.length > 0) lines.push("", "## Goals", "", ...reached.flatMap((line) => wrapped(line, "  ")));
  for (const [name, { title, about, whole, lines: linesOf }] of Object.entries(PARTS)) {
    const rows = results[name];
    if (!rows) continue;
    lines.push("", `## ${title}`, "", ...wrapped(about));
    if (whole) lines.push("", ...whole(rows));
    else for (const [model, list] of byModel(rows)) lines.push("", `### ${title}: ${model}`, "", ...linesOf(list));
  }
  if (results.missing?.length) lines.push("", "## Left out", "", ...results.missing.map((line) => `- ${line}`));
  return `${lines.join("\n")}\n`;
}

/** Returns the lines of one part's tables, for the terminal. */
export function partLines(name, rows) {
  const { title, whole, lines } = PARTS[name];
  if (whole) return whole(rows);
  return byModel(rows).flatMap(([model, list]) => [`\n── ${title}: ${model}`, ...lines(list)]);
}

function machineLines({ machine, date, rounds, loads, latency, versions }) {
  const rows = {
    date,
    "rounds, in turns": WITH_ROUNDS.filter((part) => rounds[part])
      .map((part) => `${rounds[part]} of ${part}`)
      .join(", "),
    growth: loads && counted(loads, "load"),
    processor: [machine.cpu, machine.cores && counted(machine.cores, "core")].filter(Boolean).join(", "),
    "GPU, WebGL2": machine.webgl ?? "none",
    "GPU, WebGPU": machine.webgpu ?? "none",
    browser: machine.browser,
    system: machine.system,
    latency: latency ? `${latency} ms added to each request` : undefined,
    players: versions?.join(", "),
  };
  return Object.entries(rows)
    .filter(([, value]) => value)
    .flatMap(([name, value]) => wrapped(`- ${name}: ${value}`, "  "));
}

function counted(count, what) {
  return count === 1 ? `1 ${what}` : `${count} ${what}s`;
}

function wrapped(text, indent = "") {
  const lines = [""];
  for (const word of text.split(/\s+/)) {
    const longer = lines.at(-1) ? `${lines.at(-1)} ${word}` : `${lines.length > 1 ? indent : ""}${word}`;
    if (longer.length <= 120) lines[lines.length - 1] = longer;
    else lines.push(`${indent}${word}`);
  }
  return lines;
}

/** Returns the text of the SVG with the medians of the first model. */
export function drawing({ size, start, frame, memory }) {
  const panels = [];
  const whole = (number) => Math.round(number).toLocaleString("en");
  if (size) {
    const bars = size.map(({ player, bytes, failed }) => bar(player, failed ? [] : [bytes / 1024]));
    panels.push({ title: "Download of a page that shows a Fox, KiB", format: whole, bars });
  }
  const add = (rows, key, scale, title, format) => {
    const [[model, list]] = byModel(rows);
    const bars = list.map((row) =>
      bar(
        row.player,
        values(row, key).map((value) => value * scale),
      ),
    );
    panels.push({ title: title(model), format, bars });
  };
  if (start?.length) add(start, "moving", 1, (model) => `Navigation to the first moving frame, ${model}, ms`, whole);
  if (frame?.length) {
    const most = Math.max(...frame.map(({ count }) => count));
    const crowd = frame.filter(({ count }) => count === most);
    add(
      crowd,
      "thread",
      1,
      (model) => `The page's thread in a frame of ${most} × ${model}, ms`,
      (ms) => ms.toFixed(2),
    );
  }
  if (memory?.length) {
    const one = memory.filter(({ count }) => count === 1);
    add(
      one,
      "heapBytes",
      1 / 1048576,
      (model) => `JavaScript's memory with one ${model}, MiB`,
      (mib) => mib.toFixed(1),
    );
  }
  return plot(panels);
}

function bar(label, numbers) {
  const ours = DRAWN_BY_US.has(label);
  if (numbers.length === 0) return { label, ours };
  return { label, ours, value: median(numbers), quartiles: numbers.length > 1 ? quartiles(numbers) : undefined };
}
