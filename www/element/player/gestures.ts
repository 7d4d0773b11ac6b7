/**
 * Translates mouse, touch, wheel and keyboard input into camera moves. The camera does the smoothing.
 *
 * A script of its own, loaded by `camera_controls.ts`.
 */
import type { CameraZoom } from "../host/options.js";

export interface CameraMoves {
  /** Angles in radians. */
  orbit(yaw: number, pitch: number): void;
  /** Distances in fractions of the canvas's height. */
  pan(x: number, y: number): void;
  /** A factor above 1 moves nearer. */
  zoom(factor: number): void;
  reset(): void;
}

/** A pointer that is pressed. */
interface Pointer {
  x: number;
  y: number;
  readonly startX: number;
  readonly startY: number;
  /** Whether it may tilt the camera. Null until a finger has moved far enough to distinguish a drag from a scroll. */
  tilts: boolean | null;
}

/** Listens for gestures until the signal aborts. */
export function listenForGestures(
  canvas: HTMLElement,
  camera: CameraMoves,
  zoomWhen: () => CameraZoom,
  signal: AbortSignal,
): void {
  const pointers = new Map<number, Pointer>();
  const options = { signal };
  const zoom = (factor: number): void => {
    if (zoomWhen() !== "none") camera.zoom(factor);
  };

  canvas.addEventListener(
    "pointerdown",
    (event) => {
      const { clientX: x, clientY: y } = event;
      // Where a vertical drag scrolls the page, its first moves arrive here too.
      const scrolls = event.pointerType === "touch" && SCROLLS.test(getComputedStyle(canvas).touchAction);
      pointers.set(event.pointerId, { x, y, startX: x, startY: y, tilts: scrolls ? null : true });
      canvas.setPointerCapture(event.pointerId);
    },
    options,
  );

  canvas.addEventListener(
    "pointermove",
    (event) => {
      const before = pointers.get(event.pointerId);
      if (!before) return;
      const height = canvas.clientHeight || 1;
      const dx = (event.clientX - before.x) / height;
      const dy = (event.clientY - before.y) / height;
      const other = otherPointer(pointers, event.pointerId);
      if (other) {
        // Two fingers: each moves their centre by half, and their distance zooms.
        camera.pan(dx / 2, dy / 2);
        const distanceBefore = Math.hypot(before.x - other.x, before.y - other.y);
        const distance = Math.hypot(event.clientX - other.x, event.clientY - other.y);
        if (distanceBefore > 0 && distance > 0) zoom(distance / distanceBefore);
      } else if (event.buttons & PANNING_BUTTONS || event.shiftKey) {
        camera.pan(dx, dy);
      } else {
        const [wayX, wayY] = [Math.abs(event.clientX - before.startX), Math.abs(event.clientY - before.startY)];
        if (before.tilts === null && Math.max(wayX, wayY) >= DIRECTION_PIXELS) before.tilts = wayX > wayY;
        camera.orbit(-dx * RADIANS_PER_HEIGHT, before.tilts ? dy * RADIANS_PER_HEIGHT : 0);
      }
      before.x = event.clientX;
      before.y = event.clientY;
    },
    options,
  );

  const release = (event: PointerEvent) => void pointers.delete(event.pointerId);
  canvas.addEventListener("pointerup", release, options);
  canvas.addEventListener("pointercancel", release, options);
  // The right button pans, so its menu must not open.
  canvas.addEventListener("contextmenu", (event) => event.preventDefault(), options);

  canvas.addEventListener(
    "wheel",
    (event) => {
      const when = zoomWhen();
      if (when === "none" || (when === "auto" && !event.ctrlKey && !hasFocus(canvas))) return;
      event.preventDefault();
      const pixels = event.deltaY * (PIXELS_PER_WHEEL_UNIT[event.deltaMode] ?? 1);
      // A pinch on a touchpad arrives as wheel events with the control key, in finer steps.
      const rate = event.ctrlKey && Math.abs(pixels) < NOTCH_PIXELS ? ZOOM_PER_PIXEL * 5 : ZOOM_PER_PIXEL;
      camera.zoom(Math.exp(-pixels * rate));
    },
    { signal, passive: false },
  );

  canvas.addEventListener("dblclick", () => camera.reset(), options);
  canvas.addEventListener(
    "keydown",
    (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const move = KEYS[event.key];
      if (!move || (ZOOM_KEYS.includes(event.key) && zoomWhen() === "none")) return;
      event.preventDefault();
      move(camera, event.shiftKey);
    },
    options,
  );
}

/** Whether the canvas has the focus, or any part of the `<gambol-player>` that contains it. */
function hasFocus(canvas: HTMLElement): boolean {
  const { host } = canvas.getRootNode() as Partial<ShadowRoot>;
  return canvas.matches(":focus") || host?.matches("gambol-player:focus-within") === true;
}

function otherPointer(pointers: Map<number, Pointer>, id: number) {
  for (const [key, pointer] of pointers) if (key !== id) return pointer;
  return null;
}

/** A drag over the whole height turns by half a turn. */
const RADIANS_PER_HEIGHT = Math.PI;
/** Bits of `buttons` that pan: right (2) and middle (4). */
const PANNING_BUTTONS = 2 | 4;
/** Values of `touch-action` that allow vertical scrolling. */
const SCROLLS = /auto|manipulation|pan-[yud]/;
/** Distance after which a finger's direction counts. Chromium decides on a scroll at some 15 pixels. */
const DIRECTION_PIXELS = 8;
/** Least wheel step of a mouse, whose notch is 48 to 120 pixels. A pinch sends far smaller steps. */
const NOTCH_PIXELS = 40;
const ZOOM_PER_PIXEL = 0.0015;
/** Pixels per wheel unit, by `deltaMode`: pixels, lines, pages. */
const PIXELS_PER_WHEEL_UNIT = [1, 16, 400];

const KEY_TURN = Math.PI / 16;
const KEY_PAN = 0.05;
const KEY_ZOOM = 1.15;

const ZOOM_KEYS = ["+", "=", "-", "_"];

/** Moves by key. Arrow keys pan while Shift is held. */
const KEYS: Record<string, (camera: CameraMoves, shift: boolean) => void> = {
  ArrowLeft: (camera, shift) => (shift ? camera.pan(-KEY_PAN, 0) : camera.orbit(-KEY_TURN, 0)),
  ArrowRight: (camera, shift) => (shift ? camera.pan(KEY_PAN, 0) : camera.orbit(KEY_TURN, 0)),
  ArrowUp: (camera, shift) => (shift ? camera.pan(0, -KEY_PAN) : camera.orbit(0, KEY_TURN)),
  ArrowDown: (camera, shift) => (shift ? camera.pan(0, KEY_PAN) : camera.orbit(0, -KEY_TURN)),
  "+": (camera) => camera.zoom(KEY_ZOOM),
  "=": (camera) => camera.zoom(KEY_ZOOM),
  "-": (camera) => camera.zoom(1 / KEY_ZOOM),
  _: (camera) => camera.zoom(1 / KEY_ZOOM),
  "0": (camera) => camera.reset(),
  Home: (camera) => camera.reset(),
};
