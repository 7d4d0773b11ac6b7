/** Has every player draw every model. */

import { save } from "./output.mjs";
import { PLAYERS } from "./players.mjs";
import { cameraFor } from "./view.mjs";

/**
 * Draws models with all players. Returns the cells by part, model and player: `picture`, and perhaps `mask`, with the
 * paths of PNGs in the folder of results, or `failed` with the reason.
 */
export async function takePictures(driver, parts, models) {
  const taken = Object.fromEntries(
    parts.map((part) => [part, Object.fromEntries(models.map(({ name }) => [name, {}]))]),
  );
  const views = new Map();
  for (const player of PLAYERS) {
    const wanted = parts.filter((part) => player.parts.includes(part));
    if (wanted.length === 0) continue;
    const { module, backend } = player;
    const page = driver.open(new URLSearchParams({ module, ...(backend && { backend }) }));
    if (views.size === 0) await findViews(page, models, views);
    for (const part of wanted) {
      for (const model of models)
        taken[part][model.name][player.key] = await take({ page, part, player, model, view: views.get(model) });
    }
    await page.close();
  }
  return taken;
}

/** Finds the camera of each model. A model that three.js can't read has none, and nobody draws it. */
async function findViews(page, models, views) {
  for (const model of models) {
    try {
      views.set(model, cameraFor(await page.call("box", urlOf(model)), model));
    } catch (error) {
      console.log(`no camera for ${model.name}: ${reasonOf(error)}`);
    }
  }
}

async function take({ page, part, player, model, view }) {
  const since = Date.now();
  const say = (what) => console.log(`${part.padEnd(8)}  ${player.name.padEnd(13)}  ${model.name.padEnd(30)}  ${what}`);
  try {
    if (!view) throw new Error("there is no camera, since three.js could not read the model");
    const pictures = await page.call("take", { url: urlOf(model), part, view });
    const paths = Object.entries(pictures).map(([kind, url]) => {
      const name = kind === "picture" ? player.key : `${player.key}.${kind}`;
      return [kind, save(`cells/${part}/${model.name}.${name}.png`, url)];
    });
    say(`${((Date.now() - since) / 1000).toFixed(1)} s`);
    return Object.fromEntries(paths);
  } catch (error) {
    say(`failed: ${reasonOf(error)}`);
    return { failed: reasonOf(error) };
  }
}

function urlOf({ path }) {
  return `/models/${path}`;
}

function reasonOf(error) {
  return String(error?.message ?? error).split("\n", 1)[0];
}
