/** The drag-and-drop page. It uses only the public element and its player. */
import {
  GambolError,
  type Controller,
  type GambolPlayerElement,
  type LoadOptions,
  type Player,
  type Source,
  type Warning,
} from "gambol/element";
import { forgetActors, listenForActors } from "./actors.ts";
import { listCameras, listenForCameras } from "./cameras.ts";
import { sampleCharacter } from "./character.ts";
import { markClip, showClips } from "./clips.ts";
import { followController, showController } from "./controller.ts";
import { listenForDrops } from "./drop.ts";
import { forgetFall, listenForFalls } from "./fall.ts";
import { forgetModel, readParameters, rememberClip } from "./page_parameters.ts";
import { dressModel, hasBackground, listenForLooks } from "./looks.ts";
import { followMorphs, showMorphs } from "./morphs.ts";
import { chosenNode, selectNode, showNodes } from "./nodes.ts";
import { byId, download } from "./page.ts";
import { showStats, showWarnings } from "./panel.ts";
import { listenForPicks } from "./picks.ts";
import { holdSaving, listenForSaving, offerToSave, type Opening } from "./save.ts";

/** Model that is opened when the query names none. */
const SAMPLE = "character.glb";

const stage = document.querySelector("gambol-player") as GambolPlayerElement;
const fileInput = byId<HTMLInputElement>("file-input");
const folderInput = byId<HTMLInputElement>("folder-input");
const clipsInput = byId<HTMLInputElement>("clips-input");
const controllers = byId<HTMLSelectElement>("controller");
const ticks = byId<HTMLInputElement>("ticks-per-second");

// ── opening ──

listenForDrops(document.body, openFiles, (error) => showError(error));
byId("open-file").addEventListener("click", () => fileInput.click());
byId("open-folder").addEventListener("click", () => folderInput.click());
byId("add-clips").addEventListener("click", () => clipsInput.click());
for (const input of [fileInput, folderInput, clipsInput]) {
  input.addEventListener("change", () => {
    const files = [...(input.files ?? [])];
    // Cleared, so that choosing the same file again fires `change` after an edit.
    input.value = "";
    if (files.length === 0) return;
    const byPath = new Map(files.map((file) => [file.webkitRelativePath || file.name, file]));
    if (input === clipsInput) void addClips(byPath);
    else openFiles(byPath);
  });
}

function openFiles(files: ReadonlyMap<string, File>): void {
  const [only] = files.size === 1 ? files.values() : [];
  if (only?.name.endsWith(".json")) void openController(only).catch((error) => showError(error));
  else open(files);
}

/** Adds the clips of each model among the files. */
async function addClips(files: ReadonlyMap<string, File>): Promise<void> {
  const models = [...files].filter(([path]) => /\.(glb|gltf|vrm|x|dae|iqm|zip)$/i.test(path));
  // A .gltf needs its buffers.
  const others = [...files].filter((file) => !models.includes(file));
  const retarget = byId<HTMLInputElement>("retarget").checked;
  for (const model of models) await stage.player?.addClips(new Map([model, ...others]), { retarget }).catch(showError);
}

const link = readParameters();
/** Model to which the query applies, or null without a query. */
const linked = link.model ?? (link.clip ? SAMPLE : null);
let shown: Opening = { source: link.model ?? SAMPLE };
/** The model that is loading or, after that, shown. */
let opening = shown;
const sample = sampleCharacter(stage, {
  isShown: () => shown.source === SAMPLE,
  isControlled: () => controllers.value !== "",
});
// The attribute is also used when the element restarts after a failure.
stage.src = String(shown.source);
if (link.trouble) showError(link.trouble, "The link could not be opened");

function open(source: Source, options: LoadOptions = {}): void {
  const asked = { source, options };
  opening = asked;
  holdSaving(true);
  // The `error` listener shows the failure.
  stage.load(source, options).catch(() => {
    if (opening !== asked) return;
    opening = shown;
    holdSaving(false);
  });
}

ticks.addEventListener("change", () => {
  if (ticks.validity.valid && ticks.value) open(shown.source, { ticksPerSecond: ticks.valueAsNumber });
});

// ── events of the player ──

listenForSaving((error) => showError(error));
listenForCameras(stage, (error) => showError(error));
stage.addEventListener("load", ({ detail }) => {
  const isLinked = opening.source === linked;
  // The sample may replace a link that failed, and that error stays visible.
  if (opening.source !== SAMPLE) hideError();
  shown = opening;
  forgetFall();
  withPlayer(forgetActors);
  offerToSave(shown);
  offerTicks(detail.warnings);
  byId("invite").hidden = shown.source !== SAMPLE;
  byId("file-name").textContent = detail.name;
  document.title = `${detail.name || "Model"} · Gambol viewer`;
  controllers.value = "";
  withPlayer((player) => showController(player, null));
  listClips();
  if (isLinked) playLinked(detail.clips.map(({ name }) => name));
  else {
    stage.clip = "";
    if (typeof shown.source !== "string") forgetModel();
  }
  sample.meet({ greets: !isLinked && Boolean(byId("error").hidden) });
  showWarnings(detail.warnings);
  withPlayer((player) => {
    dressModel(stage, player);
    listCameras(player);
    showMorphs(player);
    showNodes(player);
  });
});

stage.addEventListener("clipsadd", ({ detail }) => {
  listClips();
  showWarnings([...(stage.player?.warnings ?? []), ...detail.warnings]);
});

function listClips(): void {
  showClips(stage.clips, (clip) => {
    if (controllers.value) withPlayer(() => control(null));
    if (shown.source === linked) rememberClip(clip.name);
    void stage.play(clip.index).catch(() => undefined);
  });
  withPlayer((player) => markClip(controllers.value ? null : player.clip));
}

/** Selects the clip named by the query, so that it plays from the first frame on. */
function playLinked(names: readonly string[]): void {
  const { clip } = readParameters();
  if (!clip) return;
  if (names.includes(clip)) stage.clip = clip;
  else
    showError(
      `It has ${names.length === 0 ? "no clips at all" : names.join(", ")}.`,
      `This model has no clip “${clip}”`,
    );
}

/** Shows the field for ticks per second if the file doesn't state it, since the speed may then be wrong. */
function offerTicks(warnings: readonly Warning[]): void {
  byId("ticks").hidden = !warnings.some(({ code }) => code === "TICKS_PER_SECOND_MISSING");
  ticks.value = String(shown.options?.ticksPerSecond ?? 4800);
}

for (const name of ["load", "play", "pause", "finished", "contextrestored", "backendchange"] as const) {
  stage.addEventListener(name, () => {
    // A controller may blend several clips, so none is marked.
    markClip(controllers.value ? null : (stage.player?.clip ?? null));
    withPlayer(showStats);
  });
}
stage.addEventListener("error", (event) => {
  // Without a player, the element's own notice offers a restart and a report.
  if (!stage.player) return hideError();
  // Otherwise the page shows the error itself, larger than the element does.
  event.preventDefault();
  if (opening.source !== link.model || stage.player.readyState > 0) return showError(event.detail);
  showError(event.detail, "The linked model could not be opened; this is the sample");
  open(SAMPLE);
});

/** Interval of updates of the statistics, long enough to read them. */
const STATS_EVERY_MILLIS = 400;
let statsShownMillis = 0;
stage.addEventListener("timeupdate", () => {
  const nowMillis = performance.now();
  if (nowMillis - statsShownMillis < STATS_EVERY_MILLIS) return;
  statsShownMillis = nowMillis;
  withPlayer(showStats);
  withPlayer(followMorphs);
});

// ── input ──

followController(stage);
let dropped = "";
controllers.addEventListener("change", () => {
  const url = controllers.value;
  if (url === "dropped") return withPlayer(() => control(dropped));
  if (!url) return withPlayer(() => control(null));
  fetch(url)
    .then((response) => response.text())
    .then((json) => controllers.value === url && control(json))
    .catch((error) => showError(error));
});

async function openController(file: File): Promise<void> {
  dropped = await file.text();
  control(dropped);
  const option = byId<HTMLOptionElement>("dropped-controller");
  option.hidden = false;
  option.textContent = file.name;
  controllers.value = option.value;
}

/** Sets a controller, or with null removes it. Throws the player's error for an invalid one. */
function control(json: string | null): void {
  hideError();
  try {
    const { player } = stage;
    player?.setController(json);
    player?.frame();
    if (player) showController(player, json === null ? null : (JSON.parse(json) as Controller));
    if (json === null) controllers.value = "";
  } catch (error) {
    controllers.value = "";
    throw error;
  }
}

listenForLooks(stage, withPlayer);
listenForPicks(
  stage,
  (node) => {
    selectNode(node);
    if (node !== null) sample.hop();
  },
  (error) => showError(error),
);
listenForFalls(
  () => stage.player,
  (error) => showError(error),
);
listenForActors(
  () => stage.player,
  chosenNode,
  (error) => showError(error),
);
byId("picture").addEventListener("click", () => void savePicture().catch((error) => showError(error)));
byId("error-close").addEventListener("click", hideError);

window.addEventListener("keydown", (event) => {
  if (event.key === "Escape") hideError();
  if (event.key === "?" && !isTyping(event)) byId("help").togglePopover();
  // The player handles the space bar itself when it has the focus.
  if (event.key !== " " || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  // The space bar has another function on these elements.
  const from = event.composedPath()[0];
  if (from instanceof Element && from.matches("button, select, summary, [role=treeitem], input:not([type=range])"))
    return;
  event.preventDefault();
  if (stage.paused) void stage.play().catch(() => undefined);
  else stage.pause();
});

function isTyping(event: Event): boolean {
  const from = event.composedPath()[0];
  return (
    from instanceof Element && from.matches("input:not([type=range], [type=checkbox], [type=radio], [type=color])")
  );
}

async function savePicture(): Promise<void> {
  const player = stage.player;
  if (!player) return;
  const name = player.name.replace(/\.[^.]*$/, "") || "gambol";
  download(await player.screenshot({ transparent: !hasBackground() }), `${name}.png`);
}

/** Calls `use` with the player, which exists once there is a GPU device. Shows an error that `use` throws. */
function withPlayer(use: (player: Player) => void): void {
  try {
    if (stage.player) use(stage.player);
  } catch (error) {
    showError(error);
  }
}

// ── errors ──

function showError(error: unknown, title?: string): void {
  const known = error instanceof GambolError ? error : null;
  const message = error instanceof Error ? error.message : String(error);
  const usual = stage.player?.clips.length
    ? "That could not be shown; the model from before stays"
    : "That could not be shown";
  byId("error-title").textContent = title ?? usual;
  byId("error-message").textContent = message.charAt(0).toUpperCase() + message.slice(1);
  // The place may already be part of the message, for example a URL.
  const place = known && !message.includes(known.place) ? ` · ${known.place}` : "";
  byId("error-code").textContent = known ? known.code + place : "";
  byId("error").hidden = false;
}

function hideError(): void {
  const focused = byId("error").matches(":focus-within");
  byId("error").hidden = true;
  // Hiding the notice would otherwise lose the focus.
  if (focused) byId("open-file").focus();
}
