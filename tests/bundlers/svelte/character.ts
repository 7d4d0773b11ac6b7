import type { SvelteHTMLElements } from "svelte/elements";

import "gambol/element";
import type {} from "gambol/svelte";

/** What `<gambol-player {...props}>` is checked against. */
type Props = SvelteHTMLElements["gambol-player"];

export const props: Props = {
  class: "character",
  src: "character.glb",
  clip: "Walk",
  autoplay: true,
  "camera-controls": "",
  "playback-rate": "1.5",
  "auto-rotate": "20deg",
  loop: 3,
  onfinished: ({ detail }) => console.log(detail.clip.name, detail.reason),
  onclick: ({ currentTarget }) => currentTarget.pause(),
};

// @ts-expect-error no backend is called so
export const wrongBackend: Props = { backend: "webgl" };
// @ts-expect-error an attribute that says false is there, and so it is on
export const wrongFlag: Props = { "camera-controls": false };
