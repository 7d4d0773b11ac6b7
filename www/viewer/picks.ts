/** Picking: a click on the model selects the joint that moves the place most, or else the node of the mesh. */
import type { GambolPlayerElement } from "gambol/element";

/** Farthest distance between press and release of a click, in CSS pixels. Beyond it, the camera has turned. */
const FARTHEST = 5;

/** Calls `select` with the index of the node that was clicked, or with null for a click beside the model. */
export function listenForPicks(
  stage: GambolPlayerElement,
  select: (node: number | null) => void,
  fail: (error: unknown) => void,
): void {
  let [pressedX, pressedY] = [0, 0];
  let last: Event | null = null;

  async function pick(event: MouseEvent): Promise<void> {
    const { player } = stage;
    const { clientX, clientY } = event;
    const isDrag = Math.hypot(clientX - pressedX, clientY - pressedY) > FARTHEST;
    if (!player?.alive || event.composedPath()[0] !== player.canvas || isDrag) return;
    last = event;
    const { left, top } = player.canvas.getBoundingClientRect();
    const picked = await player.pick(clientX - left, clientY - top);
    if (last !== event || player !== stage.player) return;
    // The tree lists the nodes of the player's own model.
    const node = picked?.actor === player ? (picked.joint ?? picked.node) : null;
    select(node?.index ?? null);
  }

  stage.addEventListener("pointerdown", ({ clientX, clientY }) => ([pressedX, pressedY] = [clientX, clientY]));
  stage.addEventListener("click", (event) => {
    pick(event).catch((error) => {
      // A pick of a model that has been replaced meanwhile doesn't matter.
      if (last === event) fail(error);
    });
  });
  stage.addEventListener("load", () => (last = null));
}
