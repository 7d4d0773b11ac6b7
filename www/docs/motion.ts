/** Makes the page's examples runnable, on a character beside the text. */
import { GambolError, type GambolPlayerElement, type Player } from "gambol/element";
import { examples } from "examples";

/** Runs the code of an example. */
export async function run(name: string, player: Player, say: (text: string) => void): Promise<void> {
  const log = (...things: unknown[]) => say(things.map(textOf).join(" "));
  await examples[name]!(player, GambolError, { log });
}

/** Names of all examples. */
export const names = Object.keys(examples);

function textOf(thing: unknown): string {
  if (typeof thing === "number") return String(Math.round(thing * 1000) / 1000);
  return typeof thing === "string" ? thing : JSON.stringify(thing);
}

const stage = document.getElementById("stage")!;
const said = document.getElementById("said")!;
let current = freshElement({ clip: "Idle", autoplay: true });

for (const block of document.querySelectorAll<HTMLPreElement>("pre[data-example]")) {
  const name = block.dataset["example"]!;
  const frame = document.createElement("div");
  frame.className = "example";
  block.replaceWith(frame);
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Run";
  button.setAttribute("aria-label", `Run the example “${name}”`);
  button.addEventListener("click", () => void show(name, frame));
  frame.append(block, button);
  // Focusable, so that wide code can be scrolled by keyboard.
  block.tabIndex = 0;
}

/** Replaces the element by a new one, so that a run starts without the state of the previous one. */
function freshElement(options: object = {}): GambolPlayerElement {
  const element = document.createElement("gambol-player");
  Object.assign(element, { src: "../viewer/character.glb", controls: true, alt: "The character", ...options });
  stage.replaceChildren(element);
  return element;
}

async function show(name: string, frame: HTMLElement): Promise<void> {
  document.querySelector(".example.current")?.classList.remove("current");
  frame.classList.add("current");
  said.textContent = "";
  const element = freshElement();
  current = element;
  const say = (text: string) => {
    // Ignores output of an example that another one has replaced.
    if (element === current) said.append(`${text}\n`);
  };
  try {
    await new Promise((resolve) => element.addEventListener("load", resolve, { once: true }));
    if (element === current && element.player) await run(name, element.player, say);
  } catch (error) {
    say(String(error));
  }
}
