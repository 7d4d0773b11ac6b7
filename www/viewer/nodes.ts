/** The model's nodes as a tree with a search, and a mark on the stage at the selected node. */
import type { Player } from "gambol";
import { byId, countOf, normal } from "./page.ts";
import { chainTo, listenForPulls } from "./pull.ts";
import { Tree } from "./tree.ts";

const SEARCH_BEYOND = 12;

const section = byId<HTMLDetailsElement>("nodes-section");
const search = byId<HTMLInputElement>("node-search");
const status = byId("node-status");
const mark = byId("node-mark");
const handle = byId("node-pull");
const tree = new Tree(byId("nodes"), choose);

let player: Player | null = null;
let chosen: number | null = null;
let isBuilt = false;

listenForPulls(handle, () => (player?.alive && chosen !== null ? [player, chosen] : null));
section.addEventListener("toggle", build);
// The event `toggle` may come after the first keys.
search.addEventListener("focus", build);
search.addEventListener("input", () => {
  const count = tree.search(search.value);
  status.textContent = normal(search.value) && `${countOf(count)} of ${countOf(player!.nodes.length)}`;
});
search.addEventListener("keydown", (event) => {
  if (event.key !== "ArrowDown" && event.key !== "Enter") return;
  event.preventDefault();
  tree.focus();
});

/** Returns the index of the selected node, or null. */
export function chosenNode(): number | null {
  return chosen;
}

/** Selects a node without moving the focus, or none with null. */
export function selectNode(index: number | null): void {
  if (!isBuilt) return choose(index);
  if (index !== null && search.value !== "") {
    search.value = status.textContent = "";
    tree.search("");
  }
  tree.select(index);
}

export function showNodes(shown: Player): void {
  player = shown;
  const { length } = shown.nodes;
  byId("node-count").textContent = countOf(length);
  section.hidden = length === 0;
  byId("node-search-field").hidden = length <= SEARCH_BEYOND;
  isBuilt = false;
  chosen = null;
  mark.hidden = true;
  build();
}

/** Builds the tree when its section is first opened, since a large model takes time. */
function build(): void {
  if (!section.open || isBuilt || !player?.alive) return;
  isBuilt = true;
  search.value = status.textContent = "";
  const joints = new Set(player.skins.flatMap((skin) => skin.joints.map(({ index }) => index)));
  tree.show(
    player.nodes.map(({ name, parent, hasMesh, index }) => ({
      name,
      parent,
      kind: hasMesh ? "mesh" : joints.has(index) ? "joint" : "",
    })),
  );
  // A node may have been selected by a click on the model.
  if (chosen !== null) tree.select(chosen);
}

function choose(index: number | null): void {
  const wasFollowing = chosen !== null;
  chosen = index;
  mark.hidden = true;
  if (index === null) return;
  handle.hidden = chainTo(player!, index) === null;
  byId("node-mark-name").textContent = player!.nodes[index]!.name || `Node ${index}`;
  if (!wasFollowing) follow();
}

/** Places the mark in every frame, since the node and the camera may move. */
function follow(): void {
  if (chosen === null || !player?.alive || player.readyState === 0) return void (mark.hidden = true);
  const [x = 0, y = 0, z = 0] = player.node(chosen).worldMatrix.slice(12, 15);
  const point = player.camera.project([x, y, z]);
  const { clientWidth, clientHeight } = player.canvas;
  const isSeen =
    point !== null && point[0] >= 0 && point[1] >= 0 && point[0] <= clientWidth && point[1] <= clientHeight;
  mark.hidden = !isSeen;
  if (isSeen) {
    mark.style.translate = `${point[0]}px ${point[1]}px`;
    mark.classList.toggle("left", point[0] > clientWidth * 0.6);
  }
  requestAnimationFrame(follow);
}
