/** The bar under the model. It keeps no state: it shows what the player says, and asks it for what is clicked. */
import { ICONS, icon, make } from "./dom.js";
import type { Player } from "./player.js";
import type { Loop } from "./run.js";
import { WORDS } from "./words.js";

/** What a click asks for; the element decides how. */
export interface ControlsHost {
  readonly player: Player | null;
  play(): void;
  pause(): void;
  setClip(name: string): void;
  setSpeed(rate: number): void;
  setLoop(loop: Loop): void;
}

export class Controls {
  readonly bar: HTMLElement;
  readonly #host: ControlsHost;
  readonly #button = make("button", { type: "button", part: "play-button" });
  readonly #timeline = make("input", { type: "range", min: "0", max: "1", step: "any", value: "0", part: "timeline" });
  readonly #time = make("span", { class: "time", part: "time" });
  readonly #clips = make("select", { "aria-label": WORDS.clip, part: "clip-select" });
  readonly #speed = make("select", { class: "speed", "aria-label": WORDS.speed, part: "speed-select" });
  readonly #loop = make("select", { class: "loop", "aria-label": WORDS.loop, part: "loop-select" });
  #playing: boolean | null = null;
  /** The timeline was grabbed while playing, and lets go into playing again. */
  #resumeAfterScrub = false;

  constructor(host: ControlsHost) {
    this.#host = host;
    this.#timeline.setAttribute("aria-label", WORDS.timeline);
    this.#button.addEventListener("click", () => (this.#playing ? host.pause() : host.play()));
    this.#clips.addEventListener("change", () => host.setClip(this.#clips.value));
    this.#speed.addEventListener("change", () => host.setSpeed(Number(this.#speed.value)));
    this.#loop.addEventListener("change", () => host.setLoop(loopOf(this.#loop.value)));
    this.#listenToTimeline();
    this.bar = make("div", { class: "bar", part: "controls", role: "group", hidden: "" });
    this.bar.append(this.#button, this.#timeline, this.#time, this.#clips, this.#speed, this.#loop);
  }

  /** Another model, speed or loop. */
  refresh(): void {
    const player = this.#host.player;
    if (!player) return;
    fill(this.#clips, player.clips.map(({ name }) => [name, name]), player.clip?.name ?? "");
    this.#clips.hidden = player.clips.length < 2;
    const rate = player.playbackRate;
    fill(this.#speed, withOwn(SPEEDS, rate).map((speed) => [String(speed), WORDS.speedText(speed)]), String(rate));
    const loops: [string, string][] = Object.entries(WORDS.loops);
    if (typeof player.loop === "number") loops.push([String(player.loop), WORDS.times(player.loop)]);
    fill(this.#loop, loops, String(player.loop));
    this.tick();
  }

  /** Another time, or played or paused. */
  tick(): void {
    const player = this.#host.player;
    if (!player) return;
    const { duration, currentTime } = player;
    this.#timeline.disabled = duration === 0;
    this.#timeline.max = String(duration || 1);
    this.#timeline.value = String(currentTime);
    this.#timeline.setAttribute("aria-valuetext", WORDS.timeText(secs(currentTime), secs(duration)));
    setText(this.#time, `${secs(currentTime)} / ${secs(duration)}`);
    this.#button.disabled = player.clips.length === 0;
    this.#showPlaying(!player.paused || this.#resumeAfterScrub);
  }

  /** Comma and full stop step to the frame before and after, while nothing plays. */
  key(event: KeyboardEvent): void {
    const player = this.#host.player;
    const step = FRAME_STEPS[event.key];
    if (!step || !player?.duration || !player.paused || this.bar.hidden) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const { currentTime, duration } = player;
    player.currentTime = (currentTime + step + duration) % duration;
    this.tick();
  }

  #showPlaying(playing: boolean): void {
    if (playing === this.#playing) return;
    this.#playing = playing;
    this.#button.setAttribute("aria-label", playing ? WORDS.pause : WORDS.play);
    this.#button.replaceChildren(icon(playing ? ICONS.pause : ICONS.play));
  }

  #listenToTimeline(): void {
    const timeline = this.#timeline;
    timeline.addEventListener("pointerdown", () => {
      const player = this.#host.player;
      if (!player || player.paused) return;
      this.#resumeAfterScrub = true;
      this.#host.pause();
      // On the window: the pointer may be anywhere by the time it lets go.
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
    timeline.addEventListener("input", () => {
      const player = this.#host.player;
      if (!player) return;
      // A model at rest has no current clip to seek in.
      if (!player.clip) {
        this.#host.play();
        this.#host.pause();
      }
      player.currentTime = Number(timeline.value);
      this.tick();
    });
    timeline.addEventListener("keydown", (event) => {
      const player = this.#host.player;
      const step = KEY_STEPS[event.key];
      if (!player || step === undefined) return;
      event.preventDefault();
      const to = player.currentTime + step * (event.shiftKey ? 10 : 1);
      player.currentTime = Math.min(Math.max(to, 0), player.duration);
      this.tick();
    });
  }
}

const SPEEDS = [-1, 0.25, 0.5, 1, 1.5, 2];

/** A frame of film at a time; with the shift key, ten. */
const KEY_STEPS: Record<string, number> = {
  ArrowLeft: -1 / 24,
  ArrowDown: -1 / 24,
  ArrowRight: 1 / 24,
  ArrowUp: 1 / 24,
};

const FRAME_STEPS: Record<string, number> = { ",": -1 / 30, ".": 1 / 30 };

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
    select.replaceChildren(...options.map(([value, label]) => make("option", { value }, label)));
  }
  select.value = chosen;
}

function setText(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

function secs(time: number): string {
  return time.toFixed(2);
}
