/** What the element shows in its shadow: canvas, cover, notice and bar. */
import { Controls, type ControlsHost } from "./controls.js";
import { ICONS, icon, make } from "./dom.js";
import type { GambolPlayerElement } from "./element.js";
import type { PlayerEventName, PlayerEvents } from "./events.js";
import { Notice } from "./notice.js";
import { styleSheet } from "./styles.js";
import { WORDS } from "./words.js";

interface ViewHost {
  readonly element: GambolPlayerElement;
  startAgain(): void;
}

export class View {
  readonly notice: Notice;
  readonly controls: Controls;
  readonly #element: GambolPlayerElement;
  readonly #root: ShadowRoot;
  readonly #progress = make("div", { class: "progress", part: "progress", role: "progressbar", hidden: "" });
  readonly #big = make("button", { class: "big", part: "big-play-button", type: "button", hidden: "" }, icon(ICONS.play));
  #canvas: HTMLCanvasElement;

  constructor(element: HTMLElement, { element: player, startAgain }: ViewHost) {
    this.#element = player;
    this.notice = new Notice(startAgain);
    this.controls = new Controls(controlsHost(player));
    this.#progress.setAttribute("aria-label", WORDS.loading);
    this.#big.setAttribute("aria-label", WORDS.play);
    this.#big.addEventListener("click", () => void player.play().catch(() => undefined));

    this.#canvas = newCanvas();
    this.#root = element.attachShadow({ mode: "open" });
    this.#root.adoptedStyleSheets = [styleSheet()];
    this.#root.addEventListener("keydown", (event) => this.controls.key(event as KeyboardEvent));
    this.#root.append(
      this.#canvas,
      make("div", { class: "cover" }, this.#progress, this.#big),
      this.controls.bar,
      this.notice.root,
    );
  }

  /** A canvas belongs to the first backend that claimed it, so each player gets its own. */
  freshCanvas(): HTMLCanvasElement {
    this.adopt(newCanvas());
    return this.#canvas;
  }

  adopt(canvas: HTMLCanvasElement): void {
    if (canvas === this.#canvas) return;
    if (!canvas.isConnected) this.#canvas.replaceWith(canvas);
    this.#canvas = canvas;
  }

  shown(on: boolean): void {
    this.#canvas.classList.toggle("shown", on);
  }

  loading(on: boolean): void {
    this.#progress.hidden = !on;
    this.#big.hidden ||= on;
  }

  progress({ loaded, total }: PlayerEvents["progress"]): void {
    const fraction = total > 0 ? Math.min(loaded / total, 1) : 0.5;
    this.#progress.style.setProperty("--gambol-loaded", String(fraction));
    this.#progress.setAttribute("aria-valuenow", String(Math.round(fraction * 100)));
  }

  /** Brings up to date what attributes and the player's state decide. */
  describe(): void {
    const { alt, controls, cameraControls, player } = this.#element;
    const movable = controls || cameraControls;
    this.#canvas.classList.toggle("movable", movable);
    this.#canvas.setAttribute("role", movable ? "application" : "img");
    this.#canvas.setAttribute("aria-label", [alt || WORDS.model, movable ? WORDS.camera : ""].filter(Boolean).join(". "));
    if (!movable) this.#canvas.removeAttribute("tabindex");
    else this.#canvas.tabIndex = 0;
    const playable = (player?.clips.length ?? 0) > 0;
    this.controls.bar.hidden = !controls || !player;
    // Whoever is spared the motion, and has no bar, still gets to start it.
    this.#big.hidden = !playable || !(player?.paused ?? true) || controls || !this.#element.autoplay;
  }

  follow(name: PlayerEventName): void {
    if (name === "timeupdate") this.controls.tick();
    else if (name !== "progress") {
      this.controls.refresh();
      this.describe();
    }
  }
}

function newCanvas(): HTMLCanvasElement {
  return make("canvas", { part: "canvas" });
}

/** Clicks go through the attributes where there is one, so that page and bar agree. */
function controlsHost(element: GambolPlayerElement): ControlsHost {
  return {
    get player() {
      return element.player;
    },
    play: () => void element.play().catch(() => undefined),
    pause: () => element.pause(),
    setClip: (name) => void element.play(name).catch(() => undefined),
    setSpeed: (rate) => (element.playbackRate = rate),
    setLoop: (loop) => (element.loop = loop),
  };
}
