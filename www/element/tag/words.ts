/** The texts of the element, and how a page replaces them. */
import { checkOptions, ofType } from "../checks.js";
import type { GambolError } from "../errors.js";

/**
 * The texts of the element. Those with a number or a name are functions, so that each language can form its own
 * plurals.
 */
export interface Words {
  /** Language of the texts, as in the attribute `lang`. */
  readonly lang: string;
  /** Description of the model, if there is no `alt`. */
  readonly model: string;
  /** Instructions for moving the camera by keyboard. */
  readonly camera: string;
  /** Hint on how to zoom by wheel, shown while the wheel scrolls the page. */
  readonly zoom: string;
  readonly controls: string;
  readonly play: string;
  readonly pause: string;
  readonly timeline: string;
  /** Time on the timeline: `timeFigures` as shown, `timeText` as read by screen readers. */
  readonly timeFigures: (secs: number, duration: number) => string;
  readonly timeText: (secs: number, duration: number) => string;
  readonly clip: string;
  readonly speed: string;
  readonly speedText: (rate: number) => string;
  readonly loop: string;
  readonly repeat: string;
  readonly once: string;
  readonly pingpong: string;
  readonly times: (count: number) => string;
  readonly loading: string;

  // Announced by screen readers. An empty text announces nothing.
  /** Announced when playback starts. `clip` is empty while a state machine plays. */
  readonly playingText: (clip: string) => string;
  readonly pausedText: (clip: string) => string;
  readonly endedText: (clip: string) => string;
  /** Announced when another clip is shown paused. */
  readonly clipText: (clip: string) => string;

  readonly errorTitle: string;
  /**
   * A sentence for visitors. The error's `code` identifies what happened; its `message` is written for the page's
   * author.
   */
  readonly errorText: (error: GambolError) => string;
  /** Title when the player failed by itself, and starting it again helps. */
  readonly stoppedTitle: string;
  readonly stoppedText: (error: GambolError) => string;
  /** Label that opens the error's details, which are in English. */
  readonly details: string;
  readonly dismiss: string;
  readonly reload: string;
  readonly copyReport: string;
  readonly copied: string;
  /** Shown when the clipboard isn't available and the report is selected for copying. */
  readonly copyByHand: string;
}

const ENGLISH: Words = {
  lang: "en",
  model: "3D character",
  camera: "Arrow keys turn the view, with Shift they move it; plus and minus zoom, 0 resets.",
  zoom: "To zoom with the wheel, click the model or hold Ctrl",
  controls: "Playback",
  play: "Play",
  pause: "Pause",
  timeline: "Timeline",
  timeFigures: (secs, duration) => `${secs.toFixed(2)} / ${duration.toFixed(2)}`,
  timeText: (secs, duration) => `${secs.toFixed(2)} of ${duration.toFixed(2)} seconds`,
  clip: "Clip",
  speed: "Speed",
  speedText: (rate) => `${rate}×`,
  loop: "Loop",
  repeat: "Repeat",
  once: "Once",
  pingpong: "Ping-pong",
  times: (count) => (count === 1 ? "Once" : `${count} times`),
  loading: "Loading",
  playingText: (clip) => `Playing ${clip}`.trim(),
  pausedText: () => "Paused",
  endedText: () => "Finished",
  clipText: (clip) => `Clip ${clip}`,
  errorTitle: "This model can't be shown",
  errorText: () => "Please try again later.",
  stoppedTitle: "The player stopped",
  stoppedText: () => "It can be started again.",
  details: "Details",
  dismiss: "Dismiss",
  reload: "Start again",
  copyReport: "Copy report",
  copied: "Copied",
  copyByHand: "Selected for copying",
};

let ofPage: Partial<Words> = {};
const followers = new Set<() => void>();

/** Replaces texts in every element of the page, at once. Texts that are left out are English. */
export function setWords(words: Partial<Words>): void {
  ofPage = checkWords(words);
  for (const follow of followers) follow();
}

/** Returns the texts, or throws if one has the wrong type. */
export function checkWords(words: Partial<Words>): Partial<Words> {
  for (const [name, word] of Object.entries(checkOptions(words)))
    ofType(name, word, typeof ENGLISH[name as keyof Words] as "string");
  return words;
}

/** Returns all texts of an element: its own, else the page's, else English. */
export function wordsFor(own: Partial<Words>): Words {
  return { ...ENGLISH, ...ofPage, ...own };
}

/** Adds or removes a listener that is called when the page's texts change. */
export function followWords(follow: () => void, on: boolean): void {
  if (on) followers.add(follow);
  else followers.delete(follow);
}
