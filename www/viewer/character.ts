/** The sample character: it greets once, hops when it is clicked, and looks at the pointer. */
import type { GambolPlayerElement, Player, PlayerConstraint, PlayOptions, Vec3 } from "gambol/element";

/** Time in which visitors see the character stand before it greets. */
const GREET_AFTER_MILLIS = 700;
/** The greeting and the hop. The hop begins where the knees bend, so that it follows the click at once. */
const ACTS: Readonly<Record<"Wave" | "Jump", PlayOptions>> = {
  Wave: { fade: 0.35 },
  Jump: { fade: 0.12, start: 0.22, speed: 1.15 },
};
const BACK_SECS = 0.35;

/** Parts of the body that share the turn to the pointer. The eyes reach no further than their lids. */
const GAZE = {
  Chest: { share: 0.12, limit: 0.12, speed: 1.5 },
  Neck: { share: 0.3, limit: 0.3, speed: 2.5 },
  Head: { share: 0.6, limit: 0.5, speed: 3.5 },
  LeftEye: { share: 0.45, limit: 0.08 },
  RightEye: { share: 0.45, limit: 0.08 },
};
/** Where the point that the character looks at lies on the way from the camera to its head. */
const NEARNESS = 0.65;
/** Least cosine between the front of the chest and the way to that point. It looks over its shoulder, no further. */
const BEHIND = -0.5;

export interface SampleCharacter {
  /** Begins for a model that has loaded. The character `greets` once. */
  meet(options: { greets: boolean }): void;
  /** Plays the hop, and then the clip from before. */
  hop(): void;
}

/** What the character depends on. */
interface Circumstances {
  /** Returns whether the sample is the model that is shown. */
  isShown(): boolean;
  /** Returns whether a controller selects the clips. The character then doesn't act by itself. */
  isControlled(): boolean;
}

/** Brings the sample to life while it plays. A paused character stays as it is, to be inspected. */
export function sampleCharacter(stage: GambolPlayerElement, { isShown, isControlled }: Circumstances): SampleCharacter {
  const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
  let hasGreeted = false;
  let isActing = false;
  /** Where the pointer is in the window, or null while there is none. */
  let pointer: { readonly x: number; readonly y: number } | null = null;
  let gaze: { readonly player: Player; readonly joints: PlayerConstraint | null } | null = null;

  function playing(): Player | null {
    const { player, paused } = stage;
    return isShown() && !paused && player?.alive ? player : null;
  }

  function act(name: keyof typeof ACTS): void {
    const player = playing();
    const before = player?.clip;
    if (!player || !before || isActing || isControlled()) return;
    isActing = true;
    player
      .play(name, { loop: "once", easing: "smooth", ...ACTS[name] })
      .finished.then((reason) => {
        if (reason === "ended" && isShown() && stage.player === player)
          player.play(before.index, { fade: BACK_SECS, easing: "smooth" });
      })
      .finally(() => (isActing = false));
  }

  /** Makes the head and the eyes follow the pointer. */
  function look(): void {
    const player = playing();
    if (!player) return;
    const target = reducedMotion.matches ? null : pointer;
    if (gaze?.player !== player) {
      if (target) void follow(player);
    } else if (gaze.joints && player.constraints.includes(gaze.joints.name)) {
      // Another model, which is about to be announced, has no such constraint.
      gaze.joints.goal(target && pointAhead(player, target));
    }
  }

  async function follow(player: Player): Promise<void> {
    const begun = { player, joints: null };
    gaze = begun;
    // Another model is shown, or the code can't be fetched: the character looks ahead.
    const joints = await player.constrain("gaze", { gaze: GAZE, smoothing: 0.06 }).catch(() => null);
    if (joints && gaze === begun) gaze = { player, joints };
  }

  stage.addEventListener("timeupdate", look);
  for (const name of ["pointermove", "pointerdown"] as const)
    window.addEventListener(name, ({ clientX, clientY }) => (pointer = { x: clientX, y: clientY }));
  // A finger that is lifted leaves too. The character goes on looking at where it was.
  document.documentElement.addEventListener("pointerleave", ({ pointerType }) => {
    if (pointerType !== "touch") pointer = null;
  });
  stage.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.composedPath()[0] === stage.player?.canvas) act("Jump");
  });

  return {
    meet({ greets }) {
      // A new model has no constraints.
      gaze = null;
      if (hasGreeted || !greets || !isShown() || reducedMotion.matches) return;
      hasGreeted = true;
      // Unless another clip than the first has been chosen by then.
      setTimeout(() => playing()?.clip?.index === 0 && act("Wave"), GREET_AFTER_MILLIS);
    },
    hop: () => act("Jump"),
  };
}

/** Returns the point in the world that the pointer is over, between camera and head; null if it is behind. */
function pointAhead(player: Player, pointer: { readonly x: number; readonly y: number }): Vec3 | null {
  const { left, top } = player.canvas.getBoundingClientRect();
  const { origin, direction } = player.camera.unproject(pointer.x - left, pointer.y - top);
  const head = player.node("Head").worldMatrix.slice(12, 15);
  const apart = (to: ArrayLike<number>, from: ArrayLike<number>) => [0, 1, 2].map((axis) => to[axis]! - from[axis]!);
  const far = Math.hypot(...apart(head, origin)) * NEARNESS;
  const [x, y, z] = direction;
  const point: Vec3 = [origin[0] + x * far, origin[1] + y * far, origin[2] + z * far];
  const way = apart(point, head);
  const front = player.node("Chest").worldMatrix.slice(8, 11);
  const ahead = way.reduce((sum, value, axis) => sum + value * front[axis]!, 0);
  return ahead < BEHIND * Math.hypot(...way) * Math.hypot(...front) ? null : point;
}
