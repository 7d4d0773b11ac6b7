/**
 * Display settings: skeleton, surface, guides, ground, light, occlusion, exposure, background, turning, variant and
 * crowd. All but the last two outlast the model.
 */
import type { GambolPlayerElement, Player } from "gambol/element";
import { byId } from "./page.ts";
import { showStats } from "./panel.ts";

const skeleton = byId<HTMLInputElement>("skeleton");
const ground = byId<HTMLInputElement>("ground");
const turning = byId<HTMLInputElement>("turning");
const view = byId<HTMLSelectElement>("view");
const guides = byId("guides");
const light = byId<HTMLSelectElement>("light");
const lightShown = byId<HTMLSelectElement>("light-shown");
const lightTurn = byId<HTMLInputElement>("light-turn");
const occlusion = byId<HTMLInputElement>("occlusion");
const exposure = byId<HTMLInputElement>("exposure");
const colored = byId<HTMLInputElement>("background");
const color = byId<HTMLInputElement>("background-color");
const crowd = byId("crowd");
const variant = byId<HTMLSelectElement>("variant");

/** Whether the skeleton was switched on for a model without meshes. A model with meshes switches it off again. */
let isSkeletonOurs = false;

/** Turning speed in radians per second. */
const TURN = 0.35;
/** Camera pitch for a crowd, in radians. */
const CROWD_PITCH = 0.45;

export function listenForLooks(stage: GambolPlayerElement, withPlayer: (use: (player: Player) => void) => void): void {
  skeleton.addEventListener("change", () => {
    isSkeletonOurs = false;
    stage.skeleton = skeleton.checked;
  });
  for (const input of [ground, turning, exposure, colored]) input.addEventListener("input", () => withPlayer(apply));
  view.addEventListener("change", () => (stage.view = view.value));
  guides.addEventListener("change", () => {
    const shown = guides.querySelectorAll<HTMLInputElement>("input:checked");
    stage.guides = [...shown].map(({ value }) => value).join(" ");
  });
  light.addEventListener("change", () => (stage.environment = light.value));
  lightShown.addEventListener("change", () => (stage.environmentBackground = lightShown.value));
  lightTurn.addEventListener("input", () => {
    stage.environmentRotation = lightTurn.valueAsNumber;
    byId("light-turn-value").textContent = `${lightTurn.valueAsNumber}°`;
  });
  occlusion.addEventListener("input", () => {
    stage.occlusion = occlusion.valueAsNumber;
    byId("occlusion-value").textContent = `${Math.round(occlusion.valueAsNumber * 100)} %`;
  });
  color.addEventListener("input", () => {
    colored.checked = true;
    withPlayer(apply);
  });
  crowd.addEventListener("change", (event) => {
    const count = Number((event.target as HTMLInputElement).value);
    withPlayer((player) => {
      player.crowd(count);
      player.frame();
      // Seen from above, since the first row would otherwise hide the others.
      player.camera.pitch = count > 1 ? CROWD_PITCH : player.camera.pitch;
      showStats(player);
    });
  });
  variant.addEventListener("change", () => withPlayer((player) => (player.variant = variant.value || null)));
  byId("frame").addEventListener("click", () => withPlayer((player) => player.frame()));
}

/** Applies the settings to a newly loaded model. */
export function dressModel(stage: GambolPlayerElement, player: Player): void {
  const isBare = player.nodes.every(({ hasMesh }) => !hasMesh);
  if (isBare ? !skeleton.checked : isSkeletonOurs) {
    isSkeletonOurs = isBare;
    stage.skeleton = skeleton.checked = isBare;
  }
  byId("variant-choice").hidden = player.variants.length === 0;
  variant.replaceChildren(new Option("Original", ""), ...player.variants.map(({ name }) => new Option(name)));
  crowd.querySelector<HTMLInputElement>("[value='1']")!.checked = true;
  apply(player);
}

/** Returns whether a saved picture has a background. */
export function hasBackground(): boolean {
  return colored.checked;
}

function apply(player: Player): void {
  player.ground = ground.checked;
  // The slider is in stops (EV); each doubles the exposure.
  const stops = exposure.valueAsNumber;
  player.exposure = 2 ** stops;
  byId("exposure-value").textContent = `${stops > 0 ? "+" : ""}${stops.toFixed(1)} EV`;
  player.background = colored.checked ? color.value : null;
  // Set explicitly by the user, so it applies despite `prefers-reduced-motion`.
  player.autoRotate = turning.checked ? TURN : 0;
}
