/** The control bar. It keeps no playback state: it shows the player's, and passes clicks to its host. */
import type { Player } from "../player/player.js";
import type { Loop } from "../player/run.js";
import { AutoHide } from "./auto_hide.js";
import type { make, show } from "./dom.js";
import type { PlayButton } from "./play_button.js";
import type { Words } from "./words.js";

/** The actions of the bar, carried out by the element. */
export interface ControlsHost {
  readonly element: HTMLElement;
  readonly player: Player | null;
  readonly words: Words;
  play(): void;
  pause(): void;
  setClip(index: number): void;
  setSpeed(rate: number): void;
  setLoop(loop: Loop): void;
}

/** Values passed in from the element's script. Importing them would make bundlers split that script. */
export interface MainExports {
  readonly make: typeof make;
  readonly show: typeof show;
  readonly PlayButton: typeof PlayButton;
}

export class Controls {
  readonly bar: HTMLElement;
  readonly #host: ControlsHost;
  readonly #main: MainExports;
  readonly #button: PlayButton;
  readonly #timeline: HTMLInputElement;
  readonly #time: HTMLElement;
  readonly #clips: HTMLSelectElement;
  readonly #speed: HTMLSelectElement;
  readonly #loop: HTMLSelectElement;
  readonly #autoHide: AutoHide;
  /** Exists only with a player, since it would keep a removed element alive. */
  #sizes: ResizeObserver | null = null;
  /** The player whose view was framed above the bar, and the height in pixels left out for it. */
  #fitted: { readonly player: Player; readonly covered: number } | null = null;
  /** Whether playback resumes when the timeline is released. */
  #resumeAfterScrub = false;

  constructor(host: ControlsHost, main: MainExports) {
    this.#host = host;
    this.#main = main;
    const { make, PlayButton } = main;
    this.bar = make("div", { class: "bar", part: "controls", role: "group", hidden: "" });
    this.#timeline = make("input", { type: "range", min: "0", max: "1", step: "any", value: "0", part: "timeline" });
    // Hidden from screen readers: the timeline has the same in words.
    this.#time = make("span", { class: "time", part: "time", "aria-hidden": "true" });
    this.#clips = make("select", { class: "clips", part: "clip-select" });
    this.#speed = make("select", { class: "speed", part: "speed-select" });
    this.#loop = make("select", { class: "loop", part: "loop-select" });
    this.#button = new PlayButton({ part: "play-button" }, (playing) => this.#play(!playing));
    this.#clips.addEventListener("change", () => host.setClip(Number(this.#clips.value)));
    this.#speed.addEventListener("change", () => host.setSpeed(Number(this.#speed.value)));
    this.#loop.addEventListener("change", () => host.setLoop(loopOf(this.#loop.value)));
    this.#listenToTimeline();
    const choices = make("div", { class: "choices" }, this.#clips, this.#speed, this.#loop);
    this.bar.append(this.#button.root, this.#timeline, this.#time, choices);
    this.#autoHide = new AutoHide(this.bar, host.element, () => host.player?.alive === true && !host.player.paused);
  }

  /** Whether playback is paused only while the timeline is dragged. */
  get scrubbing(): boolean {
    return this.#resumeAfterScrub;
  }

  /** Updates the bar after a change of model, speed, loop or texts. */
  refresh(): void {
    const { player, words } = this.#host;
    this.bar.lang = words.lang;
    const parts = {
      controls: this.bar,
      timeline: this.#timeline,
      clip: this.#clips,
      speed: this.#speed,
      loop: this.#loop,
    };
    for (const [word, part] of Object.entries(parts))
      part.setAttribute("aria-label", words[word as keyof typeof parts]);
    this.#autoHide.refresh();
    if (!player) {
      this.#sizes?.disconnect();
      this.#sizes = this.#fitted = null;
      return;
    }
    if (!this.#sizes) {
      this.#sizes = new ResizeObserver(() => this.#fit());
      for (const sized of [this.#host.element, this.bar]) this.#sizes.observe(sized);
    }
    const clips = player.clips.map(({ index, name }) => [String(index), name] as const);
    const none = ["", words.clip] as const;
    fill(this.#clips, player.clip ? clips : [none, ...clips], String(player.clip?.index ?? ""));
    this.#main.show(this.#clips, clips.length > 1, this.#button.root);
    const rate = player.playbackRate;
    fill(
      this.#speed,
      withOwn(SPEEDS, rate).map((speed) => [String(speed), words.speedText(speed)]),
      String(rate),
    );
    const loops: [string, string][] = LOOPS.map((loop) => [loop, words[loop]]);
    if (typeof player.loop === "number") loops.push([String(player.loop), words.times(player.loop)]);
    fill(this.#loop, loops, String(player.loop));
    this.tick();
    this.#fit();
  }

  /** Updates the bar after a change of time or state. */
  tick(): void {
    const { player, words } = this.#host;
    if (!player) return;
    const { duration, currentTime, paused } = player;
    const timeline = this.#timeline;
    timeline.disabled = duration === 0;
    timeline.max = String(duration || 1);
    timeline.value = String(currentTime);
    timeline.style.setProperty("--_at", String(currentTime / (duration || 1)));
    // A focused timeline would have each change announced, sixty times a second.
    if (paused || !timeline.matches(":focus")) this.#sayTime();
    setText(this.#time, words.timeFigures(currentTime, duration));
    this.#button.root.disabled = player.clips.length === 0;
    this.#button.show(!paused || this.#resumeAfterScrub, words);
  }

  /** Space and K play and pause. Comma and full stop step back and forward by a frame while paused. */
  key(event: KeyboardEvent): void {
    const player = this.#host.player;
    if (!player || this.bar.hidden || event.ctrlKey || event.metaKey || event.altKey) return;
    const { target, key } = event;
    const on = (selector: string) => (target as Element).matches(selector);
    // Elsewhere, letters are typed or select in a list.
    if (!on("canvas, input[type=range], button") || (key === " " && on("button"))) return;
    const step = FRAME_STEPS[key];
    if (key === " " || key === "k") {
      // A held key counts once.
      if (!event.repeat) this.#play(player.paused && !this.#resumeAfterScrub);
    } else if (step && player.duration && player.paused) {
      player.currentTime = (player.currentTime + step + player.duration) % player.duration;
    } else return;
    event.preventDefault();
    this.tick();
  }

  /**
   * Keeps the model framed above the bar, also while that is hidden: it would jump otherwise. In a low player, the
   * bar takes one row at the lower edge; what doesn't fit is scrolled.
   */
  #fit(): void {
    const { player, element } = this.#host;
    const { bar } = this;
    const height = element.clientHeight;
    bar.classList.toggle("low", height < LOW_PIXELS);
    if (!player?.alive) return;
    const reach = bar.offsetHeight + parseFloat(getComputedStyle(bar).bottom);
    const covered = bar.checkVisibility() ? Math.min(reach, height * MOST_COVERED) : 0;
    if (covered === (this.#fitted?.player === player ? this.#fitted.covered : 0)) return;
    this.#fitted = { player, covered };
    player.camera.insets = { ...player.camera.insets, bottom: covered };
  }

  #play(on: boolean): void {
    if (on) this.#host.play();
    else this.#host.pause();
  }

  #sayTime(): void {
    const { player, words } = this.#host;
    if (player) this.#timeline.setAttribute("aria-valuetext", words.timeText(player.currentTime, player.duration));
  }

  #seek(to: number): void {
    const player = this.#host.player;
    if (!player) return;
    player.currentTime = Math.min(Math.max(to, 0), player.duration);
    this.tick();
    this.#sayTime();
  }

  #listenToTimeline(): void {
    const timeline = this.#timeline;
    timeline.addEventListener("pointerdown", () => {
      const player = this.#host.player;
      if (!player || player.paused) return;
      this.#resumeAfterScrub = true;
      this.#host.pause();
      // On the window, since the pointer may be released anywhere.
      const letGo = new AbortController();
      const resume = () => {
        letGo.abort();
        this.#resumeAfterScrub = false;
        this.#host.play();
      };
      for (const end of ["pointerup", "pointercancel"]) {
        window.addEventListener(end, resume, { signal: letGo.signal });
      }
    });
    timeline.addEventListener("input", () => this.#seek(Number(timeline.value)));
    // With the step `any`, browsers move by different amounts per key.
    timeline.addEventListener("keydown", (event) => {
      const player = this.#host.player;
      if (!player || event.ctrlKey || event.metaKey || event.altKey) return;
      const step = stepOf(event.key, player.duration);
      if (!step) return;
      event.preventDefault();
      this.#seek(player.currentTime + step * (event.shiftKey ? 10 : 1));
    });
  }
}

/** Height below which two rows would cover nearly half of the canvas. */
const LOW_PIXELS = 220;
/** Largest fraction of the canvas's height that is left out for the bar. */
const MOST_COVERED = 0.45;
const FRAME = 1 / 30;
/** Keys that step back and forward by a frame, wherever the focus is. */
const FRAME_STEPS: Record<string, number> = { ",": -FRAME, ".": FRAME };

/** Returns the number of seconds by which a key moves the timeline. */
function stepOf(key: string, duration: number): number | undefined {
  const steps: Record<string, number> = {
    ArrowRight: FRAME,
    ArrowLeft: -FRAME,
    ArrowUp: FRAME,
    ArrowDown: -FRAME,
    PageUp: duration / 10,
    PageDown: -duration / 10,
    Home: -Infinity,
    End: Infinity,
  };
  return steps[key];
}

const LOOPS = ["repeat", "once", "pingpong"] as const;
const SPEEDS = [-1, 0.25, 0.5, 1, 1.5, 2];

function withOwn(speeds: readonly number[], own: number): number[] {
  return speeds.includes(own) ? [...speeds] : [...speeds, own].sort((a, b) => a - b);
}

function loopOf(value: string): Loop {
  return value === "once" || value === "pingpong" || value === "repeat" ? value : Number(value);
}

function fill(select: HTMLSelectElement, options: readonly (readonly [string, string])[], chosen: string): void {
  const key = JSON.stringify(options);
  // Rebuilding an open list would close it.
  if (select.dataset["options"] !== key) {
    select.dataset["options"] = key;
    select.replaceChildren(...options.map(([value, label]) => new Option(label, value)));
  }
  select.value = chosen;
}

function setText(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

export const BAR = /* css */ `
.bar {
  position: absolute; inset-inline: 12px; inset-block-end: 12px; margin-inline: auto; max-inline-size: 56em;
  display: flex; align-items: center; gap: 10px; padding: 6px; padding-inline-end: 10px; border-radius: var(--_radius);
  box-sizing: border-box; color: var(--_text); background: var(--_bar);
  backdrop-filter: blur(14px) saturate(1.4); box-shadow: inset 0 0 0 1px var(--_line);
  transition: opacity 0.25s, translate 0.25s;
}
.bar.folded { opacity: 0; translate: 0 8px; pointer-events: none; }
.bar button { inline-size: 2.75em; block-size: 2.75em; border-radius: calc(var(--_radius) - 4px); flex: none; }
.bar :is(button, select):hover { background-color: var(--_line); }
.bar :disabled { opacity: 0.5; cursor: default; }
/* Time runs in the direction of the play icon, also in right-to-left text. */
.time, .bar input { direction: ltr; unicode-bidi: isolate; }
.time { font-variant-numeric: tabular-nums; white-space: nowrap; }
.bar input {
  flex: 1; min-inline-size: 4em; margin: 0; block-size: 24px; border-radius: 6px; color: inherit;
  accent-color: var(--_accent); cursor: pointer;
}
.bar input:focus-visible { outline-offset: 2px; }
@media (forced-colors: none) {
  .bar input {
    appearance: none; background: none;
    --_track: linear-gradient(to right,
      var(--_accent) calc(7px + var(--_at) * (100% - 14px)), rgb(160 160 160 / 0.5) 0);
  }
  .bar input::-webkit-slider-runnable-track { block-size: 4px; border-radius: 2px; background: var(--_track); }
  .bar input::-moz-range-track { block-size: 4px; border-radius: 2px; background: var(--_track); }
  .bar input::-webkit-slider-thumb {
    appearance: none; inline-size: 14px; block-size: 14px; margin-block-start: -5px; border-radius: 50%;
    background: var(--_accent);
  }
  .bar input::-moz-range-thumb {
    border: 0; inline-size: 14px; block-size: 14px; border-radius: 50%; background: var(--_accent);
  }
}
.choices { display: flex; gap: 4px; min-inline-size: 0; }
.bar select {
  border: 0; border-radius: 8px; padding: 0.4em 4px; min-block-size: 24px; font: inherit; color: inherit;
  background-color: transparent; cursor: pointer; max-inline-size: 11em; min-inline-size: 0; text-overflow: ellipsis;
  field-sizing: content;
}
.bar option { color: CanvasText; background: Canvas; }
/* A narrow player has the same controls, in two rows. */
@container (max-width: 44em) {
  .bar { flex-wrap: wrap; gap: 2px 8px; }
  .choices { flex: 1 0 100%; flex-wrap: wrap; }
  .choices select { flex: 1 1 auto; max-inline-size: 100%; }
}
@container (max-width: 22em) {
  .bar { inset: auto 0 0; border-radius: 0; max-block-size: 100%; overflow: auto; }
}
.bar.low {
  inset: auto 0 0; max-inline-size: none; border-radius: 0; padding: 2px 6px; gap: 6px; flex-wrap: nowrap;
  overflow: auto hidden; scrollbar-width: none;
}
.low .choices { flex: none; flex-wrap: nowrap; }
@container (max-width: 22em) {
  .low .time { display: none; }
}
.low input { flex: 1 0 4em; }
@media (prefers-reduced-motion: reduce) {
  .bar { transition: none; }
}
@media print {
  .bar { display: none; }
}
@media (forced-colors: active) {
  .bar { border: 1px solid CanvasText; background: Canvas; }
  .bar :is(button, select) { border: 1px solid ButtonBorder; }
}
`;
