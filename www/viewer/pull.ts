/** Pulling a node with the pointer or the arrow keys: the joints above it follow, and return when it is let go. */
import type { Player, PlayerConstraint, Vec3 } from "gambol";

/** Number of joints that bend. */
const JOINTS = 3;
/** Part of the canvas's height that an arrow key moves a node by. */
const STEP = 0.02;
const FADE_SECS = 0.3;
const ARROWS: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Returns the player and the index of the node to pull, or null. */
type Chosen = () => readonly [player: Player, node: number] | null;

/** Position on the canvas in CSS pixels, and depth. */
type Place = [x: number, y: number, depth: number];

interface Pull {
  readonly player: Player;
  /** Null until the code for it has been fetched. */
  chain: PlayerConstraint | null;
  place: Place;
}

/** Lets visitors pull the chosen node by a handle. */
export function listenForPulls(handle: HTMLElement, chosen: Chosen): void {
  let pull: Pull | null = null;
  /** Where the pointer was. */
  let [lastX, lastY] = [0, 0];

  function begin(): Pull | null {
    const [player, node] = chosen() ?? [];
    const ends = player && chainTo(player, node!);
    if (!ends) return null;
    const [x = 0, y = 0, z = 0] = player.node(node!).worldMatrix.slice(12, 15);
    const place = player.camera.project([x, y, z]);
    if (!place) return null;
    const begun: Pull = { player, chain: null, place };
    player
      .constrain("pull", { chain: ends, fade: FADE_SECS / 3, smoothing: 0.05 })
      .then((chain) => {
        begun.chain = chain;
        if (pull === begun) reach(begun);
        else chain.remove();
      })
      // Another model is shown, or the code can't be fetched: the node stays.
      .catch(() => undefined);
    return begun;
  }

  function reach({ player, chain, place }: Pull): void {
    if (player.alive) chain?.goal(player.camera.unproject(...place) as Vec3);
  }

  function end(): void {
    const { chain, player } = pull ?? {};
    pull = null;
    // A model that was loaded meanwhile has no constraints.
    if (chain && player!.alive && player!.constraints.includes(chain.name)) chain.remove({ fade: FADE_SECS });
  }

  function moveBy(x: number, y: number): void {
    if (!pull) return;
    pull.place = [pull.place[0] + x, pull.place[1] + y, pull.place[2]];
    reach(pull);
  }

  handle.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    handle.focus();
    handle.setPointerCapture(event.pointerId);
    end();
    [lastX, lastY] = [event.clientX, event.clientY];
    pull = begin();
  });
  handle.addEventListener("pointermove", (event) => {
    if (!handle.hasPointerCapture(event.pointerId)) return;
    const { clientX, clientY } = event;
    moveBy(clientX - lastX, clientY - lastY);
    [lastX, lastY] = [clientX, clientY];
  });
  handle.addEventListener("lostpointercapture", end);
  handle.addEventListener("keydown", (event) => {
    if (event.key === "Escape") return end();
    const arrow = ARROWS[event.key];
    if (!arrow) return;
    event.preventDefault();
    pull ??= begin();
    const step = (pull?.player.canvas.clientHeight ?? 0) * STEP;
    moveBy(arrow[0] * step, arrow[1] * step);
  });
  handle.addEventListener("blur", end);
}

/** Returns the first and the last node of the chain that ends at a node, or null if too few are above it. */
export function chainTo(player: Player, node: number): [root: number, tip: number] | null {
  let root = node;
  for (let above = 0; above < JOINTS; above++) {
    const parent = player.nodes[root]!.parent;
    // The root of the model stays.
    if (parent < 0 || player.nodes[parent]!.parent < 0) break;
    root = parent;
  }
  return root === node ? null : [root, node];
}
