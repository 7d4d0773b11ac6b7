import type { PlayerHandle } from "../engine/wasm.js";
import { checkOptions, number, numbers, wordIndex, wrongValue } from "../checks.js";
import type { CameraMoves } from "./gestures.js";
import type { CameraHome, CameraLimits, Insets, Ray } from "./options.js";

/** A vector or point: x, y and z. */
export type Vec3 = readonly [number, number, number];

/**
 * The orbit camera: it looks at `target` from `distance` away. Its moves are smoothed; the properties contain its
 * current state. While a camera of the model is used, they contain its view: see {@link Player.useCamera}.
 */
export class PlayerCamera implements CameraMoves {
  readonly #handle: () => PlayerHandle;
  readonly #changed: () => void;
  readonly #canvas: () => HTMLElement;
  readonly #life: AbortSignal;
  #home: CameraHome = {};
  #limits: CameraLimits = {};
  #insets: Insets = {};
  #observer: ResizeObserver | null = null;
  #observed: HTMLElement | null = null;

  /** Made by `Player`. */
  constructor(handle: () => PlayerHandle, changed: () => void, canvas: () => HTMLElement, life: AbortSignal) {
    this.#handle = handle;
    this.#changed = changed;
    this.#canvas = canvas;
    this.#life = life;
  }

  /** Orbits the target by so many radians to the right and up. */
  orbit(yaw: number, pitch: number): void {
    this.#handle().orbit(number("yaw", yaw), number("pitch", pitch));
    this.#changed();
  }

  /** Moves the picture to the right and down, by fractions of the canvas's height. */
  pan(x: number, y: number): void {
    this.#handle().pan(number("pan", x), number("pan", y));
    this.#changed();
  }

  /** Divides the distance to the target by a factor; above 1 moves nearer. */
  zoom(factor: number): void {
    this.#handle().zoom(number("zoom", factor));
    this.#changed();
  }

  /** Moves the camera back to where the last framing placed it. */
  reset(): void {
    this.#handle().resetCamera();
    this.#changed();
  }

  /** Overrides for framing. The next `player.frame()`, and `reset()` after it, use them. */
  get home(): CameraHome {
    return this.#home;
  }

  set home(home: CameraHome) {
    const { target, yaw, pitch, distance, distanceShare } = checkOptions(home);
    const place = perhaps("point", target ?? [], 3);
    const turn = [
      ...perhaps("yaw", [yaw]),
      ...perhaps("pitch", [pitch]),
      ...perhaps("distance", [distance, distanceShare], 2),
    ];
    this.#handle().setHomeView(Float32Array.of(...place, ...turn));
    this.#home = checkOptions(home);
  }

  /**
   * Limits on the camera, for gestures and for this API. By default, moves keep the camera above the floor while
   * `ground` is shown. A least pitch replaces that limit.
   */
  get limits(): CameraLimits {
    return this.#limits;
  }

  set limits(limits: CameraLimits) {
    const { yaw, pitch, distance } = checkOptions(limits);
    const ends = [
      perhaps("yaw", yaw ?? [], 2),
      perhaps("pitch", pitch ?? [], 2),
      perhaps("distance", distance ?? [], 2),
    ];
    this.#handle().setCameraLimits(Float32Array.from(ends.flat()));
    this.#limits = checkOptions(limits);
    this.#changed();
  }

  /**
   * Strips along the canvas's edges, in CSS pixels, that something else covers. The target is centred in the rest of
   * the canvas, and framing fits the model into it.
   */
  get insets(): Insets {
    return this.#insets;
  }

  set insets(insets: Insets) {
    const { top = 0, right = 0, bottom = 0, left = 0 } = checkOptions(insets);
    numbers("inset", [top, right, bottom, left], 4);
    this.#insets = { top, right, bottom, left };
    this.#sendInsets();
    const canvas = this.#canvas();
    if (canvas === this.#observed) return;
    this.#observed = canvas;
    // Browsers report an error if an observer of sizes begins to observe what isn't inside of what has changed.
    setTimeout(() => this.#follow(canvas));
  }

  /** Follows the size of a canvas: the WebAssembly takes fractions of it. */
  #follow(canvas: HTMLElement): void {
    if (this.#life.aborted) return;
    if (!this.#observer) {
      this.#observer = new ResizeObserver(() => this.#sendInsets());
      this.#life.addEventListener("abort", () => this.#observer!.disconnect());
    }
    this.#observer.disconnect();
    this.#observer.observe(canvas);
  }

  /** Point in world space that the camera looks at and orbits. */
  get target(): Vec3 {
    const [x, y, z] = this.#state();
    return [x!, y!, z!];
  }

  set target(point: Vec3) {
    const target = numbers("point", point);
    this.#change((state) => state.set(target, 0));
  }

  /** Angle about the vertical axis, in radians. */
  get yaw(): number {
    return this.#state()[3]!;
  }

  set yaw(radians: number) {
    this.#change((state) => (state[3] = number("yaw", radians)));
  }

  /** Angle above the horizon, in radians. */
  get pitch(): number {
    return this.#state()[4]!;
  }

  set pitch(radians: number) {
    this.#change((state) => (state[4] = number("pitch", radians)));
  }

  /** Distance from the target, in the model's units. */
  get distance(): number {
    return this.#state()[5]!;
  }

  set distance(distance: number) {
    this.#change((state) => (state[5] = number("distance", distance)));
  }

  /** Position of the camera in world space. Setting it keeps the target and changes yaw, pitch and distance. */
  get eye(): Vec3 {
    return this.#sight().eye;
  }

  set eye(point: Vec3) {
    const [x, y, z] = vec3(point);
    this.#change((state) => {
      const [dx, dy, dz] = [x - state[0]!, y - state[1]!, z - state[2]!];
      const distance = number("distance", Math.hypot(dx, dy, dz));
      state.set([Math.atan2(dx, dz), Math.asin(dy / distance), distance], 3);
    });
  }

  /** Vertical field of view, in radians. */
  get fov(): number {
    return this.#state()[6]!;
  }

  set fov(radians: number) {
    this.#change((state) => (state[6] = number("fov", radians)));
  }

  /** Roll, in radians: the camera leans to its right, which turns the picture to the left. */
  get roll(): number {
    return this.#state()[7]!;
  }

  set roll(radians: number) {
    this.#change((state) => (state[7] = number("roll", radians)));
  }

  /**
   * Projection. With `"orthographic"`, size doesn't depend on distance; everything is as large as it would be at the
   * target's distance in perspective.
   */
  get projection(): "perspective" | "orthographic" {
    return this.#state()[8] ? "orthographic" : "perspective";
  }

  set projection(projection: "perspective" | "orthographic") {
    this.#change((state) => (state[8] = wordIndex("projection", projection, ["perspective", "orthographic"])));
  }

  /**
   * Projects a point in world space onto the canvas. Returns x and y in CSS pixels from the canvas's top left corner,
   * even outside the canvas, and the depth in front of the camera. Returns null for a point behind the camera.
   */
  project(point: Vec3): [x: number, y: number, depth: number] | null {
    const [x, y, z] = vec3(point);
    const { eye, axes, scale, orthographic, distance, middle } = this.#sight();
    const [aside, upwards, behind] = axes.map(
      ([ax, ay, az]) => (x - eye[0]) * ax + (y - eye[1]) * ay + (z - eye[2]) * az,
    );
    const depth = -behind!;
    if (depth <= 0 && !orthographic) return null;
    const pixels = scale / (orthographic ? distance : depth);
    return [middle[0] + aside! * pixels, middle[1] - upwards! * pixels, depth];
  }

  /**
   * Returns the ray through a position on the canvas, in CSS pixels from its top left corner. With a depth, returns
   * the point on that ray at that depth: `unproject(...project(point))` is `point`.
   */
  unproject(x: number, y: number): Ray;
  unproject(x: number, y: number, depth: number): Vec3;
  unproject(x: number, y: number, depth?: number): Ray | Vec3 {
    const { at } = this.#sight();
    numbers("point", [x, y, depth ?? 0]);
    if (depth !== undefined) return at(x, y, depth);
    const [origin, ahead] = [at(x, y, 0), at(x, y, 1)];
    const [dx, dy, dz] = [ahead[0] - origin[0], ahead[1] - origin[1], ahead[2] - origin[2]];
    const length = Math.hypot(dx, dy, dz);
    return { origin, direction: [dx / length, dy / length, dz / length] };
  }

  /** Returns the camera's position and axes, and the mapping between canvas and world. */
  #sight() {
    const [targetX, targetY, targetZ, yaw, pitch, distance, fov, roll, orthographic, middleX, middleY] =
      this.#state() as unknown as number[];
    const [sinYaw, cosYaw, sinPitch, cosPitch] = [Math.sin(yaw!), Math.cos(yaw!), Math.sin(pitch!), Math.cos(pitch!)];
    const [sinRoll, cosRoll] = [Math.sin(roll!), Math.cos(roll!)];
    const back: Vec3 = [sinYaw * cosPitch, sinPitch, cosYaw * cosPitch];
    const level: Vec3 = [cosYaw, 0, -sinYaw];
    const upright: Vec3 = [-sinYaw * sinPitch, cosPitch, -cosYaw * sinPitch];
    const mix = (a: Vec3, share: number, b: Vec3, other: number): Vec3 => [
      a[0] * share + b[0] * other,
      a[1] * share + b[1] * other,
      a[2] * share + b[2] * other,
    ];
    const axes = [mix(level, cosRoll, upright, -sinRoll), mix(upright, cosRoll, level, sinRoll), back] as const;
    const eye = mix([targetX!, targetY!, targetZ!], 1, back, distance!);
    const { clientWidth, clientHeight } = this.#canvas();
    const middle = [(clientWidth * (1 + middleX!)) / 2, (clientHeight * (1 - middleY!)) / 2] as const;
    const scale = clientHeight / (2 * Math.tan(fov! / 2));
    const at = (x: number, y: number, depth: number): Vec3 => {
      const spread = (orthographic ? distance! : depth) / scale;
      return mix(
        mix(eye, 1, back, -depth),
        1,
        mix(axes[0], (x - middle[0]) * spread, axes[1], (middle[1] - y) * spread),
        1,
      );
    };
    return { eye, axes, scale, orthographic, distance: distance!, middle, at };
  }

  #sendInsets(): void {
    const { top = 0, right = 0, bottom = 0, left = 0 } = this.#insets;
    const { clientWidth, clientHeight } = this.#canvas();
    const [width, height] = [clientWidth || 1, clientHeight || 1];
    this.#handle().setInsets(top / height, right / width, bottom / height, left / width);
    this.#changed();
  }

  #state(): Float32Array {
    return this.#handle().camera();
  }

  #change(edit: (state: Float32Array) => void): void {
    const state = this.#state();
    edit(state);
    // The node whose camera is used.
    state[state.length - 1] = -1;
    this.#handle().setCamera(state);
    this.#changed();
  }
}

function vec3(point: Vec3): Vec3 {
  return numbers("point", point) as unknown as Vec3;
}

/** Checks a list of at most `length` numbers. Missing ones become NaN. */
function perhaps(what: string, list: readonly unknown[], length = 1): number[] {
  if (!Array.isArray(list) || list.length > length) throw wrongValue(what, list, `${length} numbers`);
  return Array.from({ length }, (_, at) => (list[at] == null || Number.isNaN(list[at]) ? NaN : number(what, list[at])));
}
