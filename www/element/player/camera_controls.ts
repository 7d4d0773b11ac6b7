/** Lets visitors move the camera. */
import type { CameraZoom } from "../host/options.js";
import type { CameraMoves } from "./gestures.js";

/**
 * Prepares the canvas for gestures and loads their script, which the first picture doesn't need. When the signal
 * aborts, gestures end, and the canvas's `touch-action` and `tabindex` are restored.
 */
export function controlCamera(
  canvas: HTMLElement,
  camera: CameraMoves,
  zoomWhen: () => CameraZoom,
  signal: AbortSignal,
): void {
  // A page that has set `touch-action` itself keeps it. It is set through the object model, which a strict
  // Content-Security-Policy allows.
  const decided = canvas.isConnected && getComputedStyle(canvas).touchAction !== "auto";
  if (!decided) {
    canvas.style.touchAction = "none";
    signal.addEventListener("abort", () => (canvas.style.touchAction = ""));
  }
  if (!canvas.hasAttribute("tabindex")) {
    canvas.tabIndex = 0;
    signal.addEventListener("abort", () => canvas.removeAttribute("tabindex"));
  }
  import("./gestures.js").then(
    ({ listenForGestures }) => {
      if (!signal.aborted) listenForGestures(canvas, camera, zoomWhen, signal);
    },
    () => console.warn("The package's script for gestures could not be loaded; the camera can't be moved by hand."),
  );
}
