/** Further models in the picture: held by the selected node, worn, or beside the model. */
import type { Actor, Player, Source } from "gambol";
import { byId, element } from "./page.ts";

/** Distance from the model, as a share of the camera's distance. */
const ASIDE = 0.3;

const section = byId("actors-section");
const list = byId("actors");
const input = byId<HTMLInputElement>("model-input");

export function listenForActors(
  player: () => Player | null,
  chosenNode: () => number | null,
  failed: (error: unknown) => void,
): void {
  byId("add-model").addEventListener("click", () => input.click());
  input.addEventListener("change", () => {
    const files = [...(input.files ?? [])];
    // Cleared, so that choosing the same file again fires `change`.
    input.value = "";
    const shown = player();
    if (shown && files.length > 0) add(shown, files, chosenNode(), failed).catch(failed);
  });
}

/** Removes the models that were added to one that was replaced. */
export function forgetActors(player: Player): void {
  for (const actor of player.actors) actor.remove();
  list.replaceChildren();
  section.hidden = true;
}

async function add(
  player: Player,
  source: Source,
  node: number | null,
  failed: (error: unknown) => void,
): Promise<void> {
  const actor = await player.add(source);
  if (node !== null) actor.attachTo(player.node(node));
  else actor.position = [player.camera.distance * ASIDE, 0, 0];
  if (actor.clips.length > 0) actor.play(0);
  if (node === null) player.frame();
  section.hidden = false;
  list.append(itemOf(actor, player, failed));
}

function itemOf(actor: Actor, player: Player, failed: (error: unknown) => void): HTMLLIElement {
  const wear = element("button", "", "Wear");
  const remove = element("button", "", "Remove");
  wear.type = remove.type = "button";
  wear.title = "Give it the pose of the model";
  wear.setAttribute("aria-pressed", "false");
  for (const button of [wear, remove]) button.setAttribute("aria-label", `${button.textContent} ${actor.name}`);
  const item = element("li", "", element("span", "name", actor.name), " ", wear, " ", remove);
  wear.addEventListener("click", () => {
    const isWorn = wear.getAttribute("aria-pressed") === "true";
    try {
      actor.wear(isWorn ? null : player);
      wear.setAttribute("aria-pressed", String(!isWorn));
    } catch (error) {
      failed(error);
    }
  });
  remove.addEventListener("click", () => {
    actor.remove();
    item.remove();
    section.hidden = list.childElementCount === 0;
    byId("add-model").focus();
  });
  return item;
}
