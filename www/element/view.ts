/** What the element shows in its shadow: canvas, cover, notice and bar. */
import { Announcer } from "./announcer.js";
import type { Controls, ControlsHost } from "./controls.js";
import { make, show } from "./dom.js";
import type { GambolPlayerElement } from "./element.js";
import type { PlayerEventName, PlayerEvents } from "./events.js";
import { asError, type GambolError } from "./errors.js";
import { Notice, type NoticeHost } from "./notice.js";
import { PlayButton } from "./play_button.js";
import { ELEMENT, sheetOf } from "./styles.js";

interface ViewHost {
  readonly element: GambolPlayerElement;
  startAgain(): void;
  fail(error: GambolError): void;
}

export class View {
  readonly notice: Notice;
  readonly #host: ViewHost;
  readonly #element: GambolPlayerElement;
  readonly #root: ShadowRoot;
  readonly #progress = make("div", { class: "progress", part: "progress", role: "progressbar", hidden: "" });
  readonly #help = make("span", { id: "help", hidden: "" });
  readonly #big: PlayButton;
  readonly #announcer = new Announcer();
  /** Fetched when the page wants the bar: most have none. */
  #controls: Controls | null = null;
  #fetchesControls = false;
  #canvas: HTMLCanvasElement;
  #backend = "";

  constructor(element: HTMLElement, host: ViewHost) {
    const player = host.element;
    this.#host = host;
    this.#element = player;
    this.#big = new PlayButton({ class: "big", part: "big-play-button", hidden: "" }, (playing) => {
      if (playing) player.pause();
      else void player.play().catch(() => undefined);
    });
    this.notice = new Notice(this.#noticeHost());

    this.#canvas = newCanvas();
    this.#root = element.attachShadow({ mode: "open" });
    this.#root.adoptedStyleSheets = [sheetOf(ELEMENT)];
    this.#root.addEventListener("keydown", (event) => {
      this.notice.key(event as KeyboardEvent);
      this.#controls?.key(event as KeyboardEvent);
    });
    this.#root.append(
      this.#canvas,
      this.#help,
      make("div", { class: "cover" }, this.#progress, this.#big.root),
      this.notice.root,
      this.#announcer.root,
    );
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
    this.describe();
    if (focused) canvas.focus();
  }

  shown(on: boolean): void {
    this.#canvas.classList.toggle("shown", on);
  }

  loading(on: boolean): void {
    this.#progress.hidden = !on;
    if (on) this.#announcer.forget();
    else this.#announce();
  }

  progress({ loaded, total }: PlayerEvents["progress"]): void {
    const fraction = total > 0 ? Math.min(loaded / total, 1) : 0.5;
    this.#progress.style.setProperty("--gambol-loaded", String(fraction));
    if (total > 0) this.#progress.setAttribute("aria-valuenow", String(Math.round(fraction * 100)));
    else this.#progress.removeAttribute("aria-valuenow");
  }

  /** Brings up to date what words, attributes and the player's state decide. */
  describe(): void {
    const { alt, controls, cameraControls, player, words } = this.#element;
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

    if (player) this.#backend = player.backend;
    if (controls) this.#fetchControls();
    if (this.#controls) show(this.#controls.bar, controls && player !== null, canvas);
    // Whatever moves by itself can be stopped, and who is spared the motion can start it, without a bar too.
    const alone = this.#element.autoplay && !controls && player !== null && player.clips.length > 0;
    this.#big.show(player !== null && !player.paused, words);
    show(this.#big.root, alone, canvas);
  }

  /** The same for the bar. */
  refresh(): void {
    this.#controls?.refresh();
    this.describe();
  }

  rename(): void {
    this.refresh();
    this.notice.refresh();
  }

  follow(name: PlayerEventName): void {
    if (name === "timeupdate") this.#controls?.tick();
    else if (name !== "progress") {
      this.refresh();
      this.#announce();
    }
  }

  #announce(): void {
    if (this.#progress.hidden && !this.#controls?.scrubbing) this.#announcer.follow(() => this.#element.player, this.#element.words);
  }

  #fetchControls(): void {
    if (this.#fetchesControls) return;
    this.#fetchesControls = true;
    import("./controls.js").then(
      ({ Controls, BAR }) => {
        this.#controls = new Controls(controlsHost(this.#element));
        this.#root.adoptedStyleSheets = [sheetOf(ELEMENT), sheetOf(BAR)];
        this.#announcer.root.before(this.#controls.bar);
        this.refresh();
      },
      (error) => this.#host.fail(asError(error) as GambolError),
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
function controlsHost(element: GambolPlayerElement): ControlsHost {
  return {
    get player() {
      return element.player;
    },
    get words() {
      return element.words;
    },
    play: () => void element.play().catch(() => undefined),
    pause: () => element.pause(),
    setClip: (index) => void element.play(index).catch(() => undefined),
    setSpeed: (rate) => (element.playbackRate = rate),
    setLoop: (loop) => (element.loop = loop),
  };
}
