/** The benchmark as a page: drives the same pages in frames, shows the results, and copies them. */

import { PLAYERS } from "../players/list.mjs";
import { drawing, markdown } from "../results.mjs";
import { measureFrame, measureMemory, measureStart } from "../suite.mjs";
import { measureUpdate } from "../update.mjs";
import { machine } from "./machine.mjs";

const PARTS = { start: measureStart, update: measureUpdate, frame: measureFrame, memory: measureMemory };

/** Longest time until a frame has its functions, and of a start. */
const LONGEST_START_MILLIS = 60_000;
const LONGEST_MILLIS = 600_000;

/** Browsers answer within 20 seconds, at a garbage collection of their own. */
const LONGEST_HEAP_MILLIS = 60_000;

/** Memory is measured once: browsers take their time, and the numbers hardly differ. */
const MEMORY_ROUNDS = 1;

const find = (selector) => document.querySelector(selector);
const say = (what) => {
  find("#progress").textContent = what;
};
const list = await (await fetch("models/list.json")).json();
for (const { key, name, onlyUpdate } of list.models) {
  const label = document.createElement("label");
  const box = Object.assign(document.createElement("input"), { type: "checkbox", name: key, checked: !onlyUpdate });
  label.append(box, ` ${name}${onlyUpdate ? " (update only)" : ""}`);
  find("#models").append(label);
}

let results;

find("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const asked = new FormData(event.target);
  const [button] = event.target.querySelectorAll("button");
  button.disabled = true;
  try {
    await measure(asked);
    say("Done.");
  } catch (error) {
    say(`The benchmark failed: ${error.message}`);
  }
  button.disabled = false;
});

async function measure(asked) {
  const rounds = Number(asked.get("rounds"));
  const { versions, missing } = list;
  const date = new Date().toISOString().slice(0, 10);
  results = { byPage: true, date, rounds: {}, versions, missing, machine: await machine() };
  const driver = { visit, say };
  const wanted = list.models.filter(({ key }) => asked.has(key));
  for (const [part, run] of Object.entries(PARTS)) {
    if (!asked.has(part)) continue;
    const models = part === "update" ? wanted : wanted.filter(({ onlyUpdate }) => !onlyUpdate);
    const times = part === "memory" ? Math.min(rounds, MEMORY_ROUNDS) : rounds;
    results[part] = await run({ driver, players: PLAYERS, models, rounds: times, print: () => {} });
    results.rounds[part] = times;
    show();
  }
}

/** Opens a page in the one frame, which is in view: browsers don't animate what is hidden. */
async function visit(address) {
  const frame = document.createElement("iframe");
  frame.src = address;
  find("#frame").replaceChildren(frame);
  await new Promise((done) => frame.addEventListener("load", done, { once: true }));
  const view = frame.contentWindow;
  const close = () => frame.remove();
  const breaks = new Promise((_, failed) => {
    view.addEventListener("error", ({ message }) => failed(new Error(message)));
    view.addEventListener("unhandledrejection", ({ reason }) => failed(reason));
  });
  breaks.catch(() => {});
  try {
    await within(LONGEST_START_MILLIS, Promise.race([ready(view), breaks]));
  } catch (error) {
    close();
    throw error;
  }
  const limit = (name) => (name === "started" ? LONGEST_START_MILLIS : LONGEST_MILLIS);
  return {
    call: (name, ...args) => within(limit(name), Promise.race([view.lab[name](...args), breaks])),
    heap: () => heapOf(address),
    close,
  };
}

async function ready(view) {
  while (!view.lab) await new Promise((done) => setTimeout(done, 20));
}

function within(millis, promise) {
  const late = new Promise((_, failed) => {
    setTimeout(() => failed(new Error(`no answer within ${millis / 1000} s`)), millis);
  });
  return Promise.race([promise, late]);
}

/** Returns the bytes that the browser attributes to the frame, or undefined if it doesn't tell. */
async function heapOf(address) {
  if (!globalThis.crossOriginIsolated || !performance.measureUserAgentSpecificMemory) return undefined;
  const { breakdown } = await within(LONGEST_HEAP_MILLIS, performance.measureUserAgentSpecificMemory());
  const { href } = new URL(address, location);
  return breakdown
    .filter(({ types, attribution }) => types.includes("JavaScript") && attribution.some(({ url }) => url === href))
    .reduce((sum, { bytes }) => sum + bytes, 0);
}

// ── results ──

function show() {
  find("#results").hidden = false;
  const picture = document.createElement("img");
  picture.alt = "";
  picture.src = `data:image/svg+xml,${encodeURIComponent(drawing(results))}`;
  find("#tables").replaceChildren(picture, ...blocksOf(markdown(results)));
}

/** Makes elements of the little Markdown that the results have. */
function* blocksOf(text) {
  for (const block of text.split("\n\n")) {
    const lines = block.trimEnd().split("\n");
    const [, marks, title] = /^(#+) (.*)/.exec(lines[0]) ?? [];
    if (marks) yield withText(`h${marks.length + 1}`, title);
    else if (lines[0].startsWith("| ")) yield tableOf(lines);
    else if (lines[0].startsWith("- ")) yield listOf(block);
    else yield withText("p", plain(block));
  }
}

function listOf(block) {
  const items = block.split(/^- /m).slice(1);
  const element = document.createElement("ul");
  element.append(...items.map((item) => withText("li", plain(item))));
  return element;
}

function tableOf([head, , ...rows]) {
  const element = document.createElement("table");
  const cells = (line) => line.slice(2, -2).split(" | ");
  for (const [index, line] of [head, ...rows].entries()) {
    element.insertRow().append(...cells(line).map((cell) => withText(index === 0 ? "th" : "td", cell)));
  }
  return element;
}

function withText(name, text) {
  return Object.assign(document.createElement(name), { textContent: text });
}

function plain(text) {
  return text.replaceAll(/\*\*|`/g, "");
}

find("#text").addEventListener("click", () => copy(markdown(results)));
find("#json").addEventListener("click", () => copy(JSON.stringify(results)));

async function copy(text) {
  // A browser may refuse the clipboard; the field can be copied by hand.
  find("#copy").value = text;
  find("#copy").hidden = false;
  find("#copy").select();
  try {
    await navigator.clipboard.writeText(text);
    find("#copied").textContent = "Copied.";
  } catch {
    find("#copied").textContent = "Copy the text below.";
  }
}
