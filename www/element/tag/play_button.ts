/** A play and pause button whose icon and label are those of the next action. */
import { ICONS, icon, make } from "./dom.js";
import type { Words } from "./words.js";

export class PlayButton {
  readonly root: HTMLButtonElement;
  #label = "";

  constructor(attributes: Record<string, string>, click: (playing: boolean) => void) {
    this.root = make("button", { type: "button", ...attributes });
    this.root.addEventListener("click", () => click(this.root.classList.contains("playing")));
  }

  show(playing: boolean, { play, pause }: Words): void {
    const label = playing ? pause : play;
    if (label === this.#label) return;
    this.#label = label;
    this.root.setAttribute("aria-label", label);
    this.root.classList.toggle("playing", playing);
    this.root.replaceChildren(icon(playing ? ICONS.pause : ICONS.play));
  }
}
