/** `<model-viewer>`, with its default light and tone mapper. */

import "/model-viewer/model-viewer.min.js";

import { FIELD_OF_VIEW, orbitOf } from "./view.mjs";

/** Frames until a new camera is in the picture. */
const FRAMES = 4;

export async function open() {
  const ModelViewer = customElements.get("model-viewer");
  // It would draw fewer pixels where frames take long.
  ModelViewer.minimumRenderScale = 1;
  return { take };
}

async function take({ url, view }) {
  const element = document.createElement("model-viewer");
  const { theta, phi } = orbitOf(view);
  const attributes = {
    src: url,
    loading: "eager",
    "interaction-prompt": "none",
    "interpolation-decay": "0",
    "camera-target": view.target.map((along) => `${along}m`).join(" "),
    "camera-orbit": `${theta}rad ${phi}rad ${view.distance}m`,
    // By default, the camera neither comes near nor goes far.
    "min-camera-orbit": `auto 0rad ${view.distance / 2}m`,
    "max-camera-orbit": `auto ${Math.PI}rad ${view.distance * 2}m`,
    "min-field-of-view": "1deg",
    "max-field-of-view": "120deg",
  };
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  try {
    await loaded(element);
    await aim(element);
    return { picture: element.toDataURL() };
  } finally {
    element.remove();
  }
}

function loaded(element) {
  return new Promise((done, failed) => {
    element.addEventListener("load", done, { once: true });
    element.addEventListener("error", ({ detail }) => failed(detail.sourceError ?? new Error(detail.type)));
    document.body.append(element);
  });
}

/**
 * Sets the field of view. The element widens it for models that are wider than the picture, so it is asked for as much
 * less.
 */
async function aim(element) {
  element.fieldOfView = `${FIELD_OF_VIEW}deg`;
  await settled(element);
  const slope = (degrees) => Math.tan((degrees * Math.PI) / 360);
  const widened = slope(element.getFieldOfView()) / slope(FIELD_OF_VIEW);
  element.fieldOfView = `${(Math.atan(slope(FIELD_OF_VIEW) / widened) * 360) / Math.PI}deg`;
  await settled(element);
}

async function settled(element) {
  await element.updateComplete;
  element.jumpCameraToGoal();
  for (let frame = 0; frame < FRAMES; frame++) await new Promise(requestAnimationFrame);
}
