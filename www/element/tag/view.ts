/** What the element shows in its shadow: canvas, poster, cover, notice and bar; and what the page puts in their place. */
import type { PlayerEventName, PlayerEvents } from "../player/events.js";
import type { GambolPlayerElement } from "../element.js";
import type { GambolError } from "../errors.js";
import { Announcer } from "./announcer.js";
import type { Controls, ControlsHost } from "./controls.js";
import { make, show } from "./dom.js";
import { Notice, type NoticeHost } from "./notice.js";
import { PlayButton } from "./play_button.js";
import { Poster } from "./poster.js";
import { ELEMENT, sheetOf } from "./styles.js";

interface ViewHost {
  startAgain(): void;
  /** The visitor wants it to move or to stand; `plays`: by playing the clip, though nothing else began that. */
  ask(moving: boolean, plays: boolean): void;
  fail(error: unknown): void;
}

export class View {
  readonly #host: ViewHost;
  readonly #element: GambolPlayerElement;
  readonly #root: ShadowRoot;
  readonly #poster = new Poster();
  readonly #progress = make("div", { class: "progress", part: "progress", role: "progressbar", hidden: "" });
  readonly #progressSlot = make("slot", { name: "progress", hidden: "" }, this.#progress);
  readonly #help = make("span", { id: "help", hidden: "" });
  readonly #big: PlayButton;
  readonly #notice: Notice;
  readonly #noticeSlot: HTMLSlotElement;
  readonly #announcer = new Announcer();
  readonly #controlsSlot = make("slot", { name: "controls" });
  /** Fetched when the page wants the bar: most have none. */
  #controls: Controls | null = null;
  readonly #looks = [ELEMENT];
  #fetchesControls = false;
  #canvas: HTMLCanvasElement;
  #backend = "";

  constructor(element: GambolPlayerElement, host: ViewHost) {
    this.#host = host;
    this.#element = element;
    this.#big = new PlayButton({ class: "big", part: "big-play-button", hidden: "" }, (playing) => {
      host.ask(!playing, element.autoplay);
    });
    this.#notice = new Notice(this.#noticeHost());
    this.#noticeSlot = make("slot", { name: "error", hidden: "" }, this.#notice.root);

    this.#canvas = newCanvas();
    this.#root = element.attachShadow({ mode: "open" });
    this.dress();
    this.#root.addEventListener("keydown", (event) => this.#key(event as KeyboardEvent));
    this.#controlsSlot.addEventListener("slotchange", () => this.refresh());
    this.#root.append(
      this.#canvas,
      this.#poster.root,
      this.#help,
      make("div", { class: "cover" }, this.#progressSlot, this.#big.root),
      this.#noticeSlot,
      this.#controlsSlot,
      this.#announcer.root,
    );
  }

  /** In the sheets of the document that it is in. */
  dress(): void {
    const { ownerDocument } = this.#element;
    this.#root.adoptedStyleSheets = this.#looks.map((css) => sheetOf(css, ownerDocument));
  }

  /** A canvas belongs to the first backend that claimed it, so each player gets its own. */
  freshCanvas(): HTMLCanvasElement {
    this.adopt(newCanvas());
    return this.#canvas;
  }

  adopt(canvas: HTMLCanvasElement): void {
    if (canvas === this.#canvas) return;
    const focused = this.#root.activeElement === this.#canvas;
    if (!canvas.isConnected) this.#canvas.replaceWith(canvas);
    this.#canvas = canvas;
    this.refresh();
    if (focused) canvas.focus();
  }

  shown(on: boolean): void {
    this.#canvas.classList.toggle("shown", on);
    this.#poster.toggle(!on);
  }

  loading(on: boolean): void {
    this.#progressSlot.hidden = this.#progress.hidden = !on;
    if (on) this.#announcer.forget();
    else this.#announce();
  }

  progress({ loaded, total }: PlayerEvents["progress"]): void {
    const fraction = total > 0 ? Math.min(loaded / total, 1) : 0.5;
    // Where a page's own inherits it too.
    this.#progressSlot.style.setProperty("--gambol-loaded", String(fraction));
    if (total > 0) this.#progress.setAttribute("aria-valuenow", String(Math.round(fraction * 100)));
    else this.#progress.removeAttribute("aria-valuenow");
  }

  /** A page's own is shown as long as there is something wrong; what it says is the page's business. */
  showError(error: GambolError): void {
    this.#noticeSlot.hidden = false;
    this.#notice.show(error);
  }

  hideError(): void {
    this.#noticeSlot.hidden = true;
    this.#notice.hide();
  }

  /** Brings up to date what words, attributes and the player's state decide. */
  refresh(): void {
    this.#controls?.refresh();
    const { alt, controls, cameraControls, autoplay, autoRotate, player, words, poster, loading } = this.#element;
    const movable = controls || cameraControls;
    const canvas = this.#canvas;
    canvas.classList.toggle("movable", movable);
    canvas.setAttribute("role", movable ? "application" : "img");
    canvas.setAttribute("aria-label", alt || words.model);
    canvas.setAttribute("aria-describedby", movable ? "help" : "");
    // Even where it can't be moved it may take the focus of what goes.
    canvas.tabIndex = movable ? 0 : -1;
    this.#help.textContent = words.camera;
    for (const part of [this.#help, this.#progress, this.#big.root, this.#announcer.root]) part.lang = words.lang;
    this.#progress.setAttribute("aria-label", words.loading);
    this.#poster.show(poster, loading);

    if (player) this.#backend = player.backend;
    if (this.#ownBar) this.#fetchControls();
    if (this.#controls) show(this.#controls.bar, this.#ownBar && player !== null, canvas);
    // Whatever moves by itself can be stopped, and who is spared the motion can start it, without a bar too. A bar stops
    // the clip, and what goes round with it; not what goes round a pose.
    const alone = player !== null && !this.#hasBar && ((autoplay && player.clips.length > 0) || autoRotate !== 0);
    this.#big.show(this.#moving, words);
    this.#big.root.classList.toggle("above", this.#ownBar);
    show(this.#big.root, alone || (this.#ownBar && this.#moving && player!.paused), canvas);
  }

  rename(): void {
    this.refresh();
    this.#notice.refresh();
  }

  follow(name: PlayerEventName): void {
    if (name === "timeupdate") this.#controls?.tick();
    else if (name !== "progress") {
      this.refresh();
      this.#announce();
    }
  }

  #announce(): void {
    if (this.#progressSlot.hidden && !this.#controls?.scrubbing) this.#announcer.follow(() => this.#element.player, this.#element.words);
  }

  /** On the canvas, Space and K do as the button does, where there is no bar to hear them. */
  #key(event: KeyboardEvent): void {
    this.#notice.key(event);
    this.#controls?.key(event);
    if (event.target !== this.#canvas || (event.key !== " " && event.key !== "k") || event.defaultPrevented) return;
    if (this.#big.root.hidden || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    event.preventDefault();
    this.#host.ask(!this.#moving, this.#element.autoplay);
  }

  /** Whether anything moves by itself. */
  get #moving(): boolean {
    const { player } = this.#element;
    return player !== null && player.alive && (!player.paused || player.autoRotate !== 0);
  }

  get #hasBar(): boolean {
    return this.#element.controls || this.#controlsSlot.assignedElements().length > 0;
  }

  /** Ours, and not the page's. */
  get #ownBar(): boolean {
    return this.#element.controls && this.#controlsSlot.assignedElements().length === 0;
  }

  #fetchControls(): void {
    if (this.#fetchesControls) return;
    this.#fetchesControls = true;
    import("./controls.js").then(
      ({ Controls, BAR }) => {
        this.#controls = new Controls(controlsHost(this.#element, this.#host));
        this.#looks.push(BAR);
        this.dress();
        this.#controlsSlot.append(this.#controls.bar);
        this.refresh();
      },
      (error) => this.#host.fail(error),
    );
  }

  #noticeHost(): NoticeHost {
    const view = (): View => this;
    return {
      get words() {
        return view().#element.words;
      },
      get backend() {
        return view().#backend || view().#element.backend;
      },
      get canvas() {
        return view().#canvas;
      },
      startAgain: this.#host.startAgain,
      say: (text) => this.#announcer.say(text),
    };
  }
}

function newCanvas(): HTMLCanvasElement {
  return make("canvas", { part: "canvas" });
}

/** Clicks go through the attributes where there is one, so that page and bar agree. */
function controlsHost(element: GambolPlayerElement, { ask }: ViewHost): ControlsHost {
  return {
    get player() {
      return element.player;
    },
    get words() {
      return element.words;
    },
    play: () => ask(true, true),
    pause: () => ask(false, true),
    setClip: (index) => void element.play(index).catch(() => undefined),
    setSpeed: (rate) => (element.playbackRate = rate),
    setLoop: (loop) => (element.loop = loop),
  };
}
