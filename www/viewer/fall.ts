/** The button that lets the characters fall, and get up again. */
import type { Player, PlayerRagdoll } from "gambol";
import { byId } from "./page.ts";

const FADE_SECS = 0.6;

const button = byId<HTMLButtonElement>("fall");

/** The ragdoll that falls, and its player. */
let fallen: { readonly player: Player; readonly doll: PlayerRagdoll } | null = null;

export function listenForFalls(player: () => Player | null, failed: (error: unknown) => void): void {
  button.addEventListener("click", () => {
    const shown = player();
    if (fallen) return getUp();
    if (!shown) return;
    button.disabled = true;
    shown
      .ragdoll()
      .then((doll) => {
        fallen = { player: shown, doll };
        button.textContent = "Get up";
      })
      .catch(failed)
      .finally(() => (button.disabled = false));
  });
}

/** Forgets the ragdoll of a model that was replaced. */
export function forgetFall(): void {
  fallen = null;
  button.textContent = "Let fall";
}

function getUp(): void {
  if (fallen?.player.alive) fallen.doll.stop({ fade: FADE_SECS });
  forgetFall();
}
