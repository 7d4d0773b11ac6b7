/** Gambol's element, with the same player inside. */

import "gambol/element";

import { aim, crowd, hide, manage, run, step } from "./gambol.mjs";

export { crowd, hide, run, step };

export async function open(parent, { box, backend, preload, manual = false }) {
  const element = document.createElement("gambol-player");
  element.setAttribute("backend", backend);
  element.setAttribute("autoplay", "");
  if (preload) element.setAttribute("src", preload);
  parent.append(element);
  return { element, manual, box };
}

export async function show(stage, url) {
  const { element } = stage;
  if (element.getAttribute("src") !== url) element.setAttribute("src", url);
  const heard = new AbortController();
  await new Promise((done, failed) => {
    const { signal } = heard;
    element.addEventListener("load", done, { signal });
    element.addEventListener("error", ({ error, detail }) => failed(error ?? detail), { signal });
  }).finally(() => heard.abort());
  if (!stage.player && stage.manual) manage(element.player);
  stage.player = element.player;
  if (!stage.manual) return;
  // The element frames its model in the next animation frame.
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  aim(stage, 1);
}
