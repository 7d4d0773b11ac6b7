/** The choice among the cameras of the model, for models that have some. */
import type { GambolPlayerElement, Player } from "gambol/element";
import { byId } from "./page.ts";

const choice = byId<HTMLSelectElement>("camera");

/** What may leave a camera: gestures, and buttons that move the orbit camera. */
const MOVES = ["pointermove", "pointerup", "wheel", "dblclick", "keydown", "click"] as const;

export function listenForCameras(stage: GambolPlayerElement, fail: (error: unknown) => void): void {
  const refresh = (): void => {
    if (stage.player) choice.value = String(stage.player.usedCamera?.index ?? "");
  };
  choice.addEventListener("change", () => {
    void stage.player
      ?.useCamera(choice.value === "" ? null : Number(choice.value))
      .then(refresh)
      .catch(fail);
  });
  for (const name of MOVES) {
    window.addEventListener(name, ({ target }) => {
      if (!choice.contains(target as Node)) refresh();
    });
  }
}

/** Lists the cameras of a newly loaded model. */
export function listCameras({ cameras }: Player): void {
  byId("camera-choice").hidden = cameras.length === 0;
  const options = cameras.map(({ index, name }) => new Option(name || `Camera ${index}`, String(index)));
  choice.replaceChildren(new Option("Orbit", ""), ...options);
}
