/** Announces to screen readers when another clip plays, or none: politely, after a delay, and never at first. */
import type { Player } from "../player/player.js";
import { make } from "./dom.js";
import type { Words } from "./words.js";

/** Delay of an announcement. A newer one within it replaces the older. */
const SETTLED_AFTER_MILLIS = 400;

export class Announcer {
  readonly root = make("div", { class: "status", role: "status", "aria-live": "polite" });
  #timer: ReturnType<typeof setTimeout> | undefined;
  #announced: { readonly clip: string; readonly playing: boolean } | null = null;

  /** Resets the state, so that the next one isn't announced. */
  forget(): void {
    clearTimeout(this.#timer);
    this.#announced = null;
  }

  /** Compares the state after the delay, and announces a change. */
  follow(player: () => Player | null, words: Words): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const now = player();
      if (now?.alive) this.#announce(now, words);
    }, SETTLED_AFTER_MILLIS);
  }

  say(text: string): void {
    // Clear the region first: setting the same text again would be no change.
    this.root.textContent = "";
    if (text) requestAnimationFrame(() => (this.root.textContent = text));
  }

  #announce(player: Player, words: Words): void {
    const before = this.#announced;
    const playing = !player.paused;
    // A state machine changes clips by itself, and often.
    const clip = (player.layer("base").stateName === null && player.clip?.name) || "";
    this.#announced = { clip, playing };
    if (!before || (clip === before.clip && playing === before.playing)) return;
    if (playing) this.say(words.playingText(clip));
    else if (before.playing) this.say(player.ended ? words.endedText(clip) : words.pausedText(clip));
    else if (clip) this.say(words.clipText(clip));
  }
}
