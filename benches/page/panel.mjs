/** One side of the page of crowds: its canvas, its pause button, its readout, and the order of its changes. */

import { countIn } from "../crowds/list.mjs";
import { FrameMeter } from "./frame_meter.mjs";

/** Longest step, so that characters don't jump after a pause of the page. */
const LONGEST_STEP_SECS = 0.1;

export class Panel {
  /** Settings that are shown, or are about to be. */
  #wanted;
  #shown = {};
  #side = null;
  #isChanging = false;
  #isPaused;
  /** Whether the panel is paused and has drawn what is shown. */
  #isStill = false;
  /** Time of the last frame, in milliseconds. */
  #last = 0;
  #meter = new FrameMeter();
  #root;
  #name;
  #open;

  /**
   * @param root the panel's element
   * @param options `open(canvas, settings)` makes its side
   */
  constructor(root, { name, open, isPaused }) {
    this.#root = root;
    this.#name = name;
    this.#open = open;
    this.#find("button").addEventListener("click", () => this.#setPaused(!this.#isPaused));
    this.#setPaused(isPaused);
    // A canvas is empty when its size has changed.
    new ResizeObserver(() => (this.#isStill = false)).observe(root);
  }

  /** Shows settings: those of `fill`, `backend`, `model`, `speed` and `shadows`. Later ones replace earlier ones. */
  async show(settings) {
    this.#wanted = settings;
    if (this.#isChanging) return;
    this.#isChanging = true;
    this.#root.setAttribute("aria-busy", "true");
    this.#meter.clear();
    this.#say("Preparing…");
    while (this.#wanted !== this.#shown) {
      try {
        await this.#change(this.#wanted);
        this.#say(this.#clamped());
      } catch (error) {
        this.#close();
        this.#say(`${this.#name} shows nothing: ${error.message}`);
      }
    }
    this.#root.removeAttribute("aria-busy");
    this.#isChanging = false;
    this.#isStill = false;
  }

  /** Draws a frame, unless the panel is paused and has drawn what is shown. */
  frame(nowMillis) {
    if (!this.#side || this.#isChanging || this.#isStill) return;
    const elapsedSecs = Math.min((nowMillis - this.#last) / 1000, LONGEST_STEP_SECS);
    this.#last = nowMillis;
    const before = performance.now();
    this.#side.step(this.#isPaused ? 0 : elapsedSecs * this.#shown.speed);
    if (!this.#isPaused) this.#meter.add(nowMillis, performance.now() - before);
    this.#isStill = this.#isPaused;
  }

  /** Writes the readout. */
  tell() {
    const { framesPerSecond, threadMillis } = this.#meter;
    const { draws, gpuBytes } = this.#side && !this.#isChanging ? this.#side.costs : {};
    const values = {
      frames: framesPerSecond && shortOf(framesPerSecond),
      thread: threadMillis && `${shortOf(threadMillis)} ms`,
      gpu: gpuBytes && `${(gpuBytes / 2 ** 20).toFixed(1)} MiB`,
      draws: draws?.toLocaleString("en"),
    };
    for (const [name, value] of Object.entries(values)) this.#find(`[data-value="${name}"]`).textContent = value ?? "–";
  }

  async #change(settings) {
    const { backend, model, form, clips, share, total, shadows } = settings;
    if (backend !== this.#shown.backend) this.#close();
    const before = this.#side ? this.#shown : {};
    this.#shown = settings;
    if (!this.#side) {
      // A canvas keeps the kind of its first context.
      const canvas = this.#find("canvas").cloneNode();
      this.#find("canvas").replaceWith(canvas);
      this.#side = await this.#open(canvas, settings);
    }
    if (model !== before.model) await this.#side.load(model.url);
    const filling = ({ model, form, total, clips }) => JSON.stringify([model, form, total, clips]);
    if (filling(settings) !== filling(before))
      await this.#side.fill({ box: model.box, count: countIn(form, total), total, form, clips, share });
    else if (share !== before.share) await this.#side.blend(share);
    if (shadows !== before.shadows) this.#side.castShadows?.(shadows);
  }

  #close() {
    this.#side?.close();
    this.#side = null;
  }

  #setPaused(isPaused) {
    this.#isPaused = isPaused;
    this.#isStill = false;
    this.#meter.clear();
    const button = this.#find("button");
    button.textContent = isPaused ? "Play" : "Pause";
    button.setAttribute("aria-label", `${button.textContent} ${this.#name}`);
  }

  #clamped() {
    const { form, total } = this.#shown;
    const count = countIn(form, total);
    const [shown, asked] = [count, total].map((number) => number.toLocaleString("en"));
    return count < total ? `Shows ${shown} of ${asked} characters, the most on this side.` : "";
  }

  #say(text) {
    this.#find("[role=status]").textContent = text;
  }

  #find(selector) {
    return this.#root.querySelector(selector);
  }
}

/** Writes a number with two digits, or as many as it has before the point. */
function shortOf(number) {
  return number < 10 ? number.toPrecision(2) : Math.round(number).toLocaleString("en");
}
