/** Gambol in a worker, with the same calls. The script of the worker lies beside the pages. */

import * as gambol from "./gambol.mjs";

export { crowd, hide, run, show, step } from "./gambol.mjs";

export function open(parent, options) {
  return gambol.open(parent, { ...options, worker: "gambol/worker.js" });
}

/** The player tells of each picture with another time. */
export function onPicture({ player }, listener, options) {
  player.addEventListener("timeupdate", listener, options);
}
