/** Tells those who don't see it that another clip plays, or none: politely, once it has settled, never at first. */
import type { Player } from "../player/player.js";
import { make } from "./dom.js";
import type { Words } from "./words.js";

/** What follows sooner than this replaces what would have been said. */
const SETTLED_AFTER_MILLIS = 400;

export class Announcer {
  readonly root = make("div", { class: "status", role: "status", "aria-live": "polite" });
  #timer: ReturnType<typeof setTimeout> | undefined;
  #told: { readonly clip: string; readonly playing: boolean } | null = null;

  /** What there is when it next looks goes without saying. */
  forget(): void {
    clearTimeout(this.#timer);
    this.#told = null;
  }

  /** Looks, once all has settled. */
  follow(player: () => Player | null, words: Words): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const now = player();
      if (now?.alive) this.#tell(now, words);
    }, SETTLED_AFTER_MILLIS);
  }

  say(text: string): void {
    // An empty region first: the same words twice would be no change.
    this.root.textContent = "";
    if (text) requestAnimationFrame(() => (this.root.textContent = text));
  }

  #tell(player: Player, words: Words): void {
    const before = this.#told;
    const playing = !player.paused;
    // A state machine changes clips on its own, and often.
    const clip = (player.layer("base").stateName === null && player.clip?.name) || "";
    this.#told = { clip, playing };
    if (!before || (clip === before.clip && playing === before.playing)) return;
    if (playing) this.say(words.playingText(clip));
    else if (before.playing) this.say(player.ended ? words.endedText(clip) : words.pausedText(clip));
    else if (clip) this.say(words.clipText(clip));
  }
}
