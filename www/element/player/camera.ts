import type { PlayerHandle } from "../engine/wasm.js";
import type { CameraMoves } from "./gestures.js";
import type { CameraHome } from "./options.js";

/** Three numbers: x, y and z. */
export type Vec3 = readonly [number, number, number];

/** The orbit camera: it looks at `target` from `distance` away. Moves are damped; properties say where it is. */
export class PlayerCamera implements CameraMoves {
  readonly #handle: () => PlayerHandle;
  readonly #changed: () => void;
  readonly #canvas: () => HTMLElement;
  #home: CameraHome = {};

  /** Made by `Player`. */
  constructor(handle: () => PlayerHandle, changed: () => void, canvas: () => HTMLElement) {
    this.#handle = handle;
    this.#changed = changed;
    this.#canvas = canvas;
  }

  /** Turns round the target: radians to the left, and up. */
  orbit(yaw: number, pitch: number): void {
    this.#handle().orbit(yaw, pitch);
    this.#changed();
  }

  /** Moves what is seen, right and down, by fractions of the canvas's height. */
  pan(x: number, y: number): void {
    this.#handle().pan(x, y);
    this.#changed();
  }

  /** Above 1 goes nearer. */
  zoom(factor: number): void {
    this.#handle().zoom(factor);
    this.#changed();
  }

  /** Back to where the last framing put it. */
  reset(): void {
    this.#handle().resetCamera();
    this.#changed();
  }

  /** What `player.frame()` and `reset()` go by, from the next framing on. */
  get home(): CameraHome {
    return this.#home;
  }

  set home(home: CameraHome) {
    const { target = [], yaw = NaN, pitch = NaN, distance = NaN, distanceShare = NaN } = home;
    const [x, y, z] = target;
    this.#handle().wishCamera(Float32Array.of(x ?? NaN, y ?? NaN, z ?? NaN, yaw, pitch, distance, distanceShare));
    this.#home = home;
  }

  /** The point of the world that it looks at, and turns round. */
  get target(): Vec3 {
    const [x, y, z] = this.#state();
    return [x!, y!, z!];
  }

  set target([x, y, z]: Vec3) {
    this.#change((state) => state.set([x, y, z], 0));
  }

  /** Radians round the vertical axis. */
  get yaw(): number {
    return this.#state()[3]!;
  }

  set yaw(radians: number) {
    this.#change((state) => (state[3] = radians));
  }

  /** Radians above the horizon. */
  get pitch(): number {
    return this.#state()[4]!;
  }

  set pitch(radians: number) {
    this.#change((state) => (state[4] = radians));
  }

  /** From the target, in the model's units. */
  get distance(): number {
    return this.#state()[5]!;
  }

  set distance(distance: number) {
    this.#change((state) => (state[5] = distance));
  }

  /** Vertical field of view, in radians. */
  get fov(): number {
    return this.#state()[6]!;
  }

  set fov(radians: number) {
    this.#change((state) => (state[6] = radians));
  }

  /**
   * Where a point of the world is seen, in CSS pixels from the canvas's top left corner, whether or not that is within
   * the canvas; null when it lies behind the viewer.
   */
  project([x, y, z]: Vec3): [x: number, y: number] | null {
    const [targetX, targetY, targetZ, yaw, pitch, distance, fov] = this.#state() as unknown as number[];
    const [dx, dy, dz] = [x - targetX!, y - targetY!, z - targetZ!];
    const aside = dx * Math.cos(yaw!) - dz * Math.sin(yaw!);
    const ahead = dx * Math.sin(yaw!) + dz * Math.cos(yaw!);
    const depth = distance! - ahead * Math.cos(pitch!) - dy * Math.sin(pitch!);
    if (depth <= 0) return null;
    const { clientWidth, clientHeight } = this.#canvas();
    const pixels = clientHeight / (2 * Math.tan(fov! / 2) * depth);
    return [
      clientWidth / 2 + aside * pixels,
      clientHeight / 2 - (dy * Math.cos(pitch!) - ahead * Math.sin(pitch!)) * pixels,
    ];
  }

  #state(): Float32Array {
    return this.#handle().camera();
  }

  #change(edit: (state: Float32Array) => void): void {
    const state = this.#state();
    edit(state);
    this.#handle().setCamera(state);
    this.#changed();
  }
}
