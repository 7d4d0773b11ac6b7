import type { Player } from "./player.js";

/** The last player of each canvas, or its creation. */
const owners = new WeakMap<HTMLCanvasElement, Promise<Player>>();

/** Creates a player when the one before on the canvas, or the one that is being created, has been disposed of. */
export function createAlone(canvas: HTMLCanvasElement, create: () => Promise<Player>): Promise<Player> {
  const before = owners.get(canvas);
  const creating = before
    ? before
        .then(
          (player) => player.dispose(),
          () => undefined,
        )
        .then(create)
    : create();
  owners.set(canvas, creating);
  const forget = (): void => void (owners.get(canvas) === creating && owners.delete(canvas));
  creating.then((player) => player.context.ended.addEventListener("abort", forget), forget);
  return creating;
}
