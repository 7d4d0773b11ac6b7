/** The element's shadow tree: canvas, poster, cover, notice and bar, and the slots that replace them. */
import type { PlayerEventName } from "../player/events.js";
import type { GambolPlayerElement } from "../element.js";
import type { GambolError } from "../errors.js";
import { sheetOf } from "../host/style_sheet.js";
import { Announcer } from "./announcer.js";
import type { Controls, ControlsHost } from "./controls.js";
import { make, show } from "./dom.js";
import type { Hint } from "./hint.js";
import { Notice, type NoticeHost } from "./notice.js";
import { PlayButton } from "./play_button.js";
import { Poster } from "./poster.js";
import { ELEMENT } from "./styles.js";

interface ViewHost {
  startAgain(): void;
  /** Called when the visitor starts or stops motion. `plays`: whether to play the clip even if it has never moved. */
  setMoving(moving: boolean, plays: boolean): void;
  fail(error: unknown): void;
}

export class View {
  readonly #host: ViewHost;
  readonly #element: GambolPlayerElement;
  readonly #root: ShadowRoot;
  readonly #poster = new Poster();
  readonly #progress = make(
    "div",
    { class: "progress", part: "progress", role: "progressbar", hidden: "" },
    make("div"),
  );
  readonly #progressSlot = make("slot", { name: "progress", hidden: "" }, this.#progress);
  readonly #help = make("span", { id: "help", hidden: "" });
  readonly #playButton: PlayButton;
  readonly #notice: Notice;
  readonly #noticeSlot: HTMLSlotElement;
  readonly #announcer = new Announcer();
  readonly #controlsSlot = make("slot", { name: "controls" });
  /** The bar, fetched on first use: most pages have none. */
  #controls: Controls | null = null;
  /** The hint, fetched when the wheel is turned over a model that it doesn't zoom. */
  #hint: Hint | null = null;
  /** Whether the visitor has zoomed by wheel. */
  #zoomed = false;
  readonly #styles = [ELEMENT];
  #fetchesControls = false;
  /** Shows the bar of progress when a load has taken a while. */
  #patience: ReturnType<typeof setTimeout> | undefined;
  #loaded = 0;
  #canvas: HTMLCanvasElement;
  #backend = "";

  constructor(element: GambolPlayerElement, canvas: HTMLCanvasElement, host: ViewHost) {
    this.#host = host;
    this.#element = element;
    this.#canvas = canvas;
    this.#playButton = new PlayButton({ class: "big", part: "big-play-button", hidden: "" }, (playing) => {
      host.setMoving(!playing, element.autoplay);
    });
    this.#notice = new Notice(this.#noticeHost());
    this.#noticeSlot = make("slot", { name: "error", hidden: "" }, this.#notice.root);

    this.#root = element.attachShadow({ mode: "open" });
    this.restyle();
    this.#root.addEventListener("keydown", (event) => this.#key(event as KeyboardEvent));
    this.#root.addEventListener("wheel", (event) => void this.#wheel(event as WheelEvent), { passive: true });
    this.#controlsSlot.addEventListener("slotchange", () => this.refresh());
    this.#root.append(
      this.#canvas,
      this.#poster.root,
      this.#help,
      make("div", { class: "cover" }, this.#progressSlot, this.#playButton.root),
      this.#noticeSlot,
      this.#controlsSlot,
      this.#announcer.root,
    );
  }

  /** Applies the style sheets, made for the current document. */
  restyle(): void {
    const { ownerDocument } = this.#element;
    this.#root.adoptedStyleSheets = this.#styles.map((css) => sheetOf(css, ownerDocument));
  }

  /** Replaces the canvas: it belongs to the first backend that claims it, so each player needs its own. */
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
    this.#progressSlot.hidden = !on;
    clearTimeout(this.#patience);
    if (!on) {
      this.#progress.hidden = true;
      return this.#announce();
    }
    // A bar that is seen for a moment only distracts. To draw it takes time from the model, too.
    this.#patience = setTimeout(() => (this.#progress.hidden = false), PATIENCE_MILLIS);
    this.#announcer.forget();
    this.#loaded = 0;
    this.#progressSlot.style.removeProperty("--gambol-loaded");
    this.#progress.removeAttribute("aria-valuenow");
  }

  /** Shows the progress, from 0 to 1. It never decreases, though the known total may grow. */
  progress(part: number): void {
    this.#loaded = Math.max(this.#loaded, Math.min(part, 1));
    // On the slot, so that the page's own progress element inherits it too.
    this.#progressSlot.style.setProperty("--gambol-loaded", String(this.#loaded));
    this.#progress.setAttribute("aria-valuenow", String(Math.round(this.#loaded * 100)));
  }

  /** Shows an error. A page's own element in the slot is shown in place of the notice. */
  showError(error: GambolError): void {
    this.#noticeSlot.hidden = false;
    this.#notice.show(error);
  }

  hideError(): void {
    this.#noticeSlot.hidden = true;
    this.#notice.hide();
  }

  /** Updates everything that depends on texts, attributes and the player's state. */
  refresh(): void {
    const { alt, controls, cameraControls, autoplay, autoRotate, player, words, poster, loading } = this.#element;
    const movable = controls || cameraControls;
    const canvas = this.#canvas;
    canvas.classList.toggle("movable", movable);
    canvas.setAttribute("role", movable ? "application" : "img");
    canvas.setAttribute("aria-label", alt || words.model);
    canvas.setAttribute("aria-describedby", movable ? "help" : "");
    // Focusable by script even without camera controls, to take the focus of parts that are hidden.
    canvas.tabIndex = movable ? 0 : -1;
    this.#help.textContent = words.camera;
    for (const part of [this.#help, this.#progress, this.#playButton.root, this.#announcer.root])
      part.lang = words.lang;
    this.#progress.setAttribute("aria-label", words.loading);
    this.#poster.show(poster, loading);

    if (player) this.#backend = player.backend;
    if (this.#ownBar) this.#fetchControls();
    if (this.#controls) show(this.#controls.bar, this.#ownBar && player !== null, canvas);
    this.#controls?.refresh();
    // WCAG 2.2.2: the visitor can stop what moves by itself and, with reduced motion, start it, also without a bar.
    // The bar stops the clip and a rotation around it, but not a rotation around a pose.
    const alone = player !== null && !this.#hasBar && ((autoplay && player.clips.length > 0) || autoRotate !== 0);
    this.#playButton.show(this.#moving, words);
    this.#playButton.root.classList.toggle("above", this.#ownBar);
    show(this.#playButton.root, alone || (this.#ownBar && this.#moving && player!.paused), canvas);
  }

  updateWords(): void {
    this.refresh();
    this.#notice.refresh();
  }

  follow(name: PlayerEventName): void {
    if (name === "timeupdate") this.#controls?.tick();
    // Before the first model is seen, only a page's own calls and the end of the load change anything here.
    else if (name !== "progress" && this.#canvas.classList.contains("shown")) {
      this.refresh();
      this.#announce();
    }
  }

  #announce(): void {
    if (this.#progressSlot.hidden && !this.#controls?.scrubbing)
      this.#announcer.follow(() => this.#element.player, this.#element.words);
  }

  /** On the canvas, Space and K act as the button if there is no bar to handle them. */
  #key(event: KeyboardEvent): void {
    this.#notice.key(event);
    this.#controls?.key(event);
    if (event.target !== this.#canvas || (event.key !== " " && event.key !== "k") || event.defaultPrevented) return;
    if (this.#playButton.root.hidden || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    event.preventDefault();
    this.#host.setMoving(!this.#moving, this.#element.autoplay);
  }

  /** Shows the hint. Runs after the canvas's own listener, which prevents scrolling where it zooms. */
  async #wheel({ target, defaultPrevented, deltaY }: WheelEvent): Promise<void> {
    if (target !== this.#canvas) return;
    if (defaultPrevented) {
      this.#zoomed = true;
      this.#hint?.hide();
    }
    const { player } = this.#element;
    if (this.#zoomed || deltaY === 0 || !player?.cameraControls || player.cameraZoom !== "auto") return;
    const script = await import("./hint.js").catch(() => null);
    if (!script) return;
    if (!this.#hint) {
      this.#hint = new script.Hint();
      this.#root.append(this.#hint.root);
      this.#addCss(script.HINT);
    }
    this.#hint.show(this.#element.words.zoom, this.#element.words.lang);
  }

  /** Whether anything moves by itself. */
  get #moving(): boolean {
    const { player } = this.#element;
    return !!player?.alive && (!player.paused || player.autoRotate !== 0);
  }

  get #hasBar(): boolean {
    return this.#element.controls || this.#controlsSlot.assignedElements().length > 0;
  }

  /** Whether the element's own bar is shown, rather than one of the page. */
  get #ownBar(): boolean {
    return this.#element.controls && this.#controlsSlot.assignedElements().length === 0;
  }

  #fetchControls(): void {
    if (this.#fetchesControls) return;
    this.#fetchesControls = true;
    import("./controls.js").then(
      ({ Controls, BAR }) => {
        this.#controls = new Controls(controlsHost(this.#element, this.#host), { make, show, PlayButton });
        this.#addCss(BAR);
        this.#controlsSlot.append(this.#controls.bar);
        this.refresh();
      },
      (error) => this.#host.fail(error),
    );
  }

  /** Adds a part that is loaded later, above the picture and below the controls. */
  addPart(part: HTMLElement, css: string): void {
    this.#addCss(css);
    this.#help.after(part);
  }

  /** Adds the style sheet of a part that is loaded later. */
  #addCss(css: string): void {
    if (this.#styles.includes(css)) return;
    this.#styles.push(css);
    this.restyle();
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
      addCss: (css) => this.#addCss(css),
    };
  }
}

/** Time from which on a load shows the bar. */
const PATIENCE_MILLIS = 500;

export function newCanvas(): HTMLCanvasElement {
  return make("canvas", { part: "canvas" });
}

/** Creates the bar's host. Clicks change attributes where there is one, so that page and bar agree. */
function controlsHost(element: GambolPlayerElement, { setMoving }: ViewHost): ControlsHost {
  return {
    element,
    get player() {
      return element.player;
    },
    get words() {
      return element.words;
    },
    play: () => setMoving(true, true),
    pause: () => setMoving(false, true),
    setClip: (index) => void element.play(index).catch(() => undefined),
    setSpeed: (rate) => (element.playbackRate = rate),
    setLoop: (loop) => (element.loop = loop),
  };
}
