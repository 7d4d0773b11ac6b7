/** How the model is shown: skeleton, ground, light, background, turning, and how many there are. They outlive the model. */
import type { GambolPlayerElement, Player } from "gambol/element";
import { byId } from "./page.ts";
import { showStats } from "./panel.ts";

const skeleton = byId<HTMLInputElement>("skeleton");
const ground = byId<HTMLInputElement>("ground");
const turning = byId<HTMLInputElement>("turning");
const exposure = byId<HTMLInputElement>("exposure");
const colored = byId<HTMLInputElement>("background");
const color = byId<HTMLInputElement>("background-color");
const crowd = byId("crowd");

/** Where there is no mesh, nothing else is to be seen; it goes again with the model that it came with. */
let isSkeletonOurs = false;

/** Radians a second. */
const TURN = 0.35;
/** Radians. */
const CROWD_PITCH = 0.45;

export function listenForLooks(stage: GambolPlayerElement, withPlayer: (use: (player: Player) => void) => void): void {
  skeleton.addEventListener("change", () => {
    isSkeletonOurs = false;
    stage.skeleton = skeleton.checked;
  });
  for (const input of [ground, turning, exposure, colored]) input.addEventListener("input", () => withPlayer(apply));
  color.addEventListener("input", () => {
    colored.checked = true;
    withPlayer(apply);
  });
  crowd.addEventListener("change", (event) => {
    const count = Number((event.target as HTMLInputElement).value);
    withPlayer((player) => {
      player.crowd(count);
      player.frame();
      // From above, or the first row hides the others.
      player.camera.pitch = count > 1 ? CROWD_PITCH : player.camera.pitch;
      showStats(player);
    });
  });
  byId("frame").addEventListener("click", () => withPlayer((player) => player.frame()));
}

/** For a model that is new. */
export function dressModel(stage: GambolPlayerElement, player: Player): void {
  const isBare = player.nodes.every(({ hasMesh }) => !hasMesh);
  if (isBare ? !skeleton.checked : isSkeletonOurs) {
    isSkeletonOurs = isBare;
    stage.skeleton = skeleton.checked = isBare;
  }
  crowd.querySelector<HTMLInputElement>("[value='1']")!.checked = true;
  apply(player);
}

/** Whether a picture is to have a background. */
export function hasBackground(): boolean {
  return colored.checked;
}

function apply(player: Player): void {
  player.ground = ground.checked;
  // In stops, as cameras count.
  const stops = exposure.valueAsNumber;
  player.exposure = 2 ** stops;
  byId("exposure-value").textContent = `${stops > 0 ? "+" : ""}${stops.toFixed(1)} EV`;
  player.background = colored.checked ? color.value : null;
  // Asked for by hand, so it turns for those too who asked for less motion.
  player.autoRotate = turning.checked ? TURN : 0;
}
