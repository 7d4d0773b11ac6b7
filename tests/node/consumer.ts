/** Code of a page that uses the package. It compiles against the published types. */
import {
  GambolError,
  Player,
  preload,
  toGlb,
  type Clip,
  type Controller,
  type Layer,
  type Run,
  type Source,
} from "gambol";
import type { GambolPlayerElement } from "gambol/element";

export async function show(canvas: HTMLCanvasElement, source: Source): Promise<Player> {
  const player = await Player.create(canvas, { backend: "auto" });
  player.addEventListener("finished", ({ detail }) => console.log(detail.clip.name, detail.reason));
  try {
    await player.load(source, { onProgress: ({ loaded, total }) => console.log(loaded / total) });
  } catch (error) {
    if (error instanceof GambolError) console.warn(error.code, error.place);
    throw error;
  }
  const clip: Clip | undefined = player.clips[0];
  const run: Run = player.play(clip?.name, { fade: 0.3, loop: 2 });
  const reason: "ended" | "replaced" | "stopped" = await run.finished;
  console.log(reason, player.worldMatrices().length, player.stats.draws);
  player.crowd(10, { phases: (character) => character / 10, place: (character) => [character, 0, 0] });
  const upper: Layer = player.layer("upper", { mask: { Spine: 1, Head: { weight: 0.5, subtree: false } } });
  upper.play(
    {
      along: "speed",
      motions: [
        { at: 0, clip: "Idle" },
        { at: 1, clip: "Walk" },
      ],
    },
    { ending: { release: 0.3 } },
  );
  const controller: Controller = { layers: [{ start: "Idle", states: { Idle: "Idle", None: null } }] };
  player.setController(controller);
  player.addEventListener("statechange", ({ detail }) => console.log(detail.layer, detail.state));
  player.node("Head").rotate([0, 0, 0, 1], { relativeTo: "pose" });
  const shown: number = player.morph("Smile").weight;
  player.morph("Smile").weight = shown > 0.5 ? null : 1;
  // @ts-expect-error a blend has either `along` or `across`
  player.play({ along: "speed", motions: [{ clip: "Idle" }] });
  // @ts-expect-error "forever" isn't a value of `loop`
  player.play("Run", { loop: "forever" });
  return player;
}

export async function convert(source: Source, wasm: URL): Promise<File> {
  const formats: "formats" = await preload("formats", { formats: wasm });
  console.log(formats);
  const { name, glb, sizes, notes, warnings } = await toGlb(source, {
    compress: "meshopt",
    reduceKeys: 0.001,
    ticksPerSecond: 30,
    matrixKeys: { Walk: "elements", Idle: "step" },
    wasm: { formats: wasm },
    signal: AbortSignal.timeout(10_000),
  });
  for (const { code, place, message } of [...notes, ...warnings]) console.log(code, place, message);
  const found: number = warnings.reduce((sum, { count }) => sum + count, 0);
  console.log(found, sizes.source / sizes.glb);
  // @ts-expect-error "zip" isn't a value of `compress`
  await toGlb(source, { compress: "zip" });
  // @ts-expect-error "shear" isn't a value of `matrixKeys`
  await toGlb(source, { matrixKeys: "shear" });
  return new File([glb], name);
}

export function find(): GambolPlayerElement | null {
  const element = document.querySelector("gambol-player");
  if (element) element.currentTime = 1.25;
  element?.addEventListener("click", ({ clientX }) => console.log(clientX));
  element?.addEventListener("error", ({ detail }) => console.log(detail.code));
  return element;
}
