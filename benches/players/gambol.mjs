/** Gambol without its element. With `manual` there is no ground. The model's shadow on itself can't be turned off. */

import { Player } from "gambol";

import { addCanvas, cameraFor, FIELD_OF_VIEW, phaseOf, placeOf, sizeOf } from "./view.mjs";

export async function open(parent, { box, backend, preload, manual = false, worker = false }) {
  const player = await Player.create(addCanvas(parent), { backend, worker, ...(preload && { preload }) });
  if (manual) manage(player);
  return { player, manual, box };
}

/** Makes a player draw only when `step` is called, and no ground, as the other players. */
export function manage(player) {
  player.autoUpdate = false;
  player.ground = false;
}

export async function show(stage, url) {
  const { player } = stage;
  await player.load(url);
  player.play(0);
  if (stage.manual) aim(stage, 1);
}

export function aim({ player, box }, count) {
  const { target, eye } = cameraFor(box, count);
  player.camera.target = target;
  player.camera.eye = eye;
  player.camera.fov = FIELD_OF_VIEW;
}

/** The player draws by itself while something moves. */
export function run() {}

export function step({ player }, dtSecs) {
  player.advance(dtSecs);
  player.render();
}

export function crowd(stage, count) {
  const size = sizeOf(stage.box);
  stage.player.crowd(count, { clip: 0, phases: phaseOf, place: (character) => placeOf(character, count, size) });
  // Near and far planes follow from what was framed last.
  stage.player.frame();
  aim(stage, count);
}

export async function throng(stage, count) {
  const { player, box } = stage;
  const size = sizeOf(box);
  player.characters[0].visible = false;
  await player.throng(count, { clip: 0, phases: phaseOf, place: (member) => placeOf(member, count, size) });
  player.frame();
  aim(stage, count);
}

/** A player always has a model; the next `show` replaces it. */
export function hide() {}
