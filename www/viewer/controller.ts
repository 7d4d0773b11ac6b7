/** The controller panel: inputs for the parameters, the current states, and the markers. */
import type { Controller, GambolPlayerElement, Player } from "gambol/element";
import { byId, element } from "./page.ts";

/** Shows the player's controller; null hides the panel. */
export function showController(player: Player, controller: Controller | null): void {
  byId("controller-panel").hidden = !controller;
  if (!controller) return;
  byId("parameters").replaceChildren(...sorted(player).map((name) => knob(player, controller, name)));
  const markers = Object.values(controller.clips ?? {}).flatMap((notes) => notes.markers ?? []);
  const names = [...new Set(markers.map(({ name }) => name))];
  byId("markers").replaceChildren(
    ...names.map((name) => {
      const chip = element("li", "", name);
      chip.dataset["marker"] = name;
      return chip;
    }),
  );
  byId("markers-title").hidden = names.length === 0;
  showStates(player);
}

/** Updates the states and flashes the markers on the element's events. */
export function followController(stage: GambolPlayerElement): void {
  stage.addEventListener("statechange", () => stage.player && showStates(stage.player));
  stage.addEventListener("marker", ({ detail }) => {
    for (const chip of byId("markers").children) {
      if ((chip as HTMLElement).dataset["marker"] === detail.name) flash(chip);
    }
  });
}

function showStates(player: Player): void {
  byId("states").replaceChildren(
    ...player.layers.flatMap((name) => {
      const layer = player.layer(name);
      return [element("dt", "", name), element("dd", "", layer.stateName ?? layer.clip?.name ?? "–")];
    }),
  );
}

/** Returns the parameter names: numbers first, then booleans, then triggers. */
function sorted({ parameters }: Player): string[] {
  const rank = (name: string) => ["number", "boolean", "trigger"].indexOf(parameters.kind(name));
  return [...parameters.names].sort((a, b) => rank(a) - rank(b));
}

function knob(player: Player, controller: Controller, name: string): HTMLElement {
  const { parameters } = player;
  const kind = parameters.kind(name);
  if (kind === "trigger") {
    const button = element("button", "trigger", name);
    button.type = "button";
    button.addEventListener("click", () => parameters.fire(name));
    return button;
  }
  const input = element("input", "");
  if (kind === "boolean") {
    input.type = "checkbox";
    input.setAttribute("role", "switch");
    input.checked = parameters.get(name) === true;
    input.addEventListener("change", () => parameters.set(name, input.checked));
    return element("label", "switch", element("span", "", name), input);
  }
  const [least, most] = rangeOf(controller, name);
  const output = element("output", "", figure(parameters.get(name)));
  Object.assign(input, {
    type: "range",
    min: String(least),
    max: String(most),
    step: "any",
    value: String(parameters.get(name)),
  });
  input.addEventListener("input", () => {
    parameters.set(name, Number(input.value));
    output.textContent = figure(parameters.get(name));
  });
  // The input precedes the output: a label belongs to its first labelable descendant, and outputs are labelable.
  return element("label", "slider", element("span", "", name), input, output);
}

function figure(value: number | boolean): string {
  return Number(value).toFixed(2);
}

/** Returns the range of a parameter over all blends and conditions of the controller. */
function rangeOf(controller: Controller, name: string): [number, number] {
  const found = [0, 1];
  collect(controller, name, found);
  return [Math.min(...found), Math.max(...found)];
}

function collect(data: unknown, name: string, found: number[]): void {
  if (typeof data !== "object" || data === null) return;
  const { along, across, motions, when } = data as Record<string, unknown>;
  const axis = along === name ? 0 : Array.isArray(across) ? across.indexOf(name) : -1;
  if (axis >= 0 && Array.isArray(motions)) {
    for (const { at } of motions as { at: number | number[] }[]) found.push(Array.isArray(at) ? at[axis]! : at);
  }
  const limits = (when as Record<string, unknown> | undefined)?.[name];
  if (typeof limits === "object" && limits) found.push(...Object.values(limits as Record<string, number>));
  for (const part of Object.values(data)) collect(part, name, found);
}

const FLASH_MILLIS = 500;

function flash(chip: Element): void {
  const color = getComputedStyle(chip).getPropertyValue("--accent");
  chip.animate([{ backgroundColor: color, borderColor: color }, {}], { duration: FLASH_MILLIS, easing: "ease-out" });
}
