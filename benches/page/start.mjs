/** The script of a start page: shows the model that the address names, with the player that the page bundles. */

import { asked } from "./asked.mjs";

export async function start({ open, show, run }) {
  const { url, ...options } = asked();
  try {
    const stage = await open(document.body, { ...options, preload: url });
    await show(stage, url);
    run(stage);
  } catch (error) {
    globalThis.lab.failed(error);
  }
}
