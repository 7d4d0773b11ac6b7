/** A slider for each morph target. A weight that is set here overrides the animation until it is released. */
import type { Player } from "gambol";
import { byId, countOf, element, normal } from "./page.ts";

const FILTER_BEYOND = 12;

const section = byId<HTMLDetailsElement>("morphs-section");
const list = byId("morphs");
const filter = byId<HTMLInputElement>("morph-filter");
const back = byId<HTMLButtonElement>("morphs-back");

interface Row {
  readonly name: string;
  readonly label: HTMLElement;
  readonly input: HTMLInputElement;
  readonly output: HTMLOutputElement;
  held: boolean;
}

let rows: Row[] = [];
let player: Player | null = null;

filter.addEventListener("input", () => {
  const text = normal(filter.value);
  for (const { name, label } of rows) label.hidden = !normal(name).includes(text);
  followMorphs();
});
section.addEventListener("toggle", followMorphs);
back.addEventListener("click", () => {
  for (const row of rows) {
    if (row.held) player!.morph(row.name).weight = null;
    row.held = false;
  }
  back.disabled = true;
  followMorphs();
});

export function showMorphs(shown: Player): void {
  player = shown;
  const names = shown.morphs;
  section.hidden = names.length === 0;
  byId("morph-count").textContent = countOf(names.length);
  byId("morph-search").hidden = names.length <= FILTER_BEYOND;
  filter.value = "";
  back.disabled = true;
  rows = names.map(rowFor);
  list.replaceChildren(...rows.map(({ label }) => label));
  followMorphs();
}

/** Updates the sliders to the player's weights. Called repeatedly, so it reads only visible rows. */
export function followMorphs(): void {
  if (!section.open || section.hidden || !player?.alive || player.readyState === 0) return;
  for (const row of rows) {
    if (row.label.hidden || row.held) continue;
    show(row, player.morph(row.name).weight);
  }
}

function rowFor(name: string): Row {
  const input = element("input", "");
  Object.assign(input, { type: "range", min: "0", max: "1", step: "any", value: "0" });
  const output = element("output", "", "0.00");
  const title = element("span", "", name);
  title.title = name;
  const row: Row = { name, label: element("label", "slider", title, input, output), input, output, held: false };
  input.addEventListener("input", () => {
    row.held = true;
    back.disabled = false;
    player!.morph(name).weight = input.valueAsNumber;
    output.textContent = input.valueAsNumber.toFixed(2);
  });
  return row;
}

function show({ input, output }: Row, weight: number): void {
  // Weights in a file may lie outside 0 to 1.
  if (weight < Number(input.min)) input.min = String(Math.floor(weight));
  if (weight > Number(input.max)) input.max = String(Math.ceil(weight));
  input.value = String(weight);
  const text = weight.toFixed(2);
  if (output.textContent !== text) output.textContent = text;
}
