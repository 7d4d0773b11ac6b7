/** Lets visitors move the camera. */
import type { CameraZoom } from "../host/options.js";
import type { CameraMoves } from "./gestures.js";

let script: typeof import("./gestures.js") | null = null;

/** Loads the script of gestures. A failure is reported to the page, and the camera doesn't move. */
export async function loadGestures(): Promise<void> {
  try {
    script ??= await import("./gestures.js");
  } catch (error) {
    reportError(error);
  }
}

/**
 * Prepares the canvas for gestures and listens for them, once their script is loaded. When the signal aborts, they end,
 * and the canvas's `touch-action` and `tabindex` are restored.
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
  const listen = () => {
    if (!signal.aborted) script?.listenForGestures(canvas, camera, zoomWhen, signal);
  };
  if (script) listen();
  else void loadGestures().then(listen);
}
