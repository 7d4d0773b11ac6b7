/** Every word that the element shows or says, and how a page replaces them. */
import { given, ofKind } from "../checks.js";
import type { GambolError } from "../errors.js";

/** What depends on a number or a name is a function, so that each language forms its own plural. */
export interface Words {
  /** Their language, as in the attribute `lang`. */
  readonly lang: string;
  /** What there is to see, where `alt` doesn't say. */
  readonly model: string;
  /** How to move the camera by keyboard. */
  readonly camera: string;
  /** Seen where the wheel scrolls the page: how to zoom by it. */
  readonly zoom: string;
  readonly controls: string;
  readonly play: string;
  readonly pause: string;
  readonly timeline: string;
  /** Where the timeline is: as it is shown, and as it is said. */
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

  // Said to those who don't see it change. An empty text says nothing.
  /** Of what a state machine plays, `clip` is empty. */
  readonly playingText: (clip: string) => string;
  readonly pausedText: (clip: string) => string;
  readonly endedText: (clip: string) => string;
  /** Another clip, standing still. */
  readonly clipText: (clip: string) => string;

  readonly errorTitle: string;
  /** A sentence for visitors. The error's `code` tells what happened; its `message` is for whoever made the page. */
  readonly errorText: (error: GambolError) => string;
  /** When it is the player's own fault, and starting again helps. */
  readonly stoppedTitle: string;
  readonly stoppedText: (error: GambolError) => string;
  /** Opens what happened, in English. */
  readonly details: string;
  readonly dismiss: string;
  readonly reload: string;
  readonly copyReport: string;
  readonly copied: string;
  /** The clipboard is out of reach, and the report stands there selected. */
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
  copyByHand: "Selected, to be copied",
};

let ofPage: Partial<Words> = {};
const followers = new Set<() => void>();

/** Replaces words in every element of the page, at once; what is left out is English. */
export function setWords(words: Partial<Words>): void {
  ofPage = checkWords(words);
  for (const follow of followers) follow();
}

/** Those that are set; a wrong one is refused. */
export function checkWords(words: Partial<Words>): Partial<Words> {
  for (const [name, word] of Object.entries(given(words))) ofKind(name, word, typeof ENGLISH[name as keyof Words] as "string");
  return words;
}

/** An element's own words come first, then the page's. */
export function wordsFor(own: Partial<Words>): Words {
  return { ...ENGLISH, ...ofPage, ...own };
}

/** Hears of other words of the page until it is let go of. */
export function followWords(follow: () => void, on: boolean): void {
  if (on) followers.add(follow);
  else followers.delete(follow);
}
