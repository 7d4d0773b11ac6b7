/** The page of crowds: Gambol and three.js draw the same characters beside each other, and tell what a frame costs. */

import { GambolSide } from "../crowds/gambol.mjs";
import { COUNTS, MOST } from "../crowds/list.mjs";
import { ThreeSide } from "../crowds/three.mjs";
import { Panel } from "./panel.mjs";

/** Milliseconds between two readouts. */
const READOUT_MILLIS = 500;

/** Pixels of a CSS pixel, the same on both sides. More cost both of them more than they show. */
const MOST_PIXEL_RATIO = 2;

const FIRST_COUNT = 100;

/** Clips that are chosen at first, if the model has them. */
const FIRST_CLIPS = ["Walk", "Run"];

const form = document.querySelector("form");
const find = (selector) => document.querySelector(selector);
const inGambol = (name) => find(`#gambol [name="${name}"]:checked`).value;

const { models } = await (await fetch("models/list.json")).json();
const shown = models.filter(({ onlyUpdate }) => !onlyUpdate);
const look = { background: backgroundOf(), pixelRatio: Math.min(devicePixelRatio, MOST_PIXEL_RATIO) };
const isPaused = matchMedia("(prefers-reduced-motion: reduce)").matches;
const panels = {
  gambol: new Panel(find("#gambol"), {
    name: "Gambol",
    open: (canvas, { backend }) => GambolSide.open(canvas, { backend, ...look }),
    isPaused,
  }),
  three: new Panel(find("#three"), { name: "three.js", open: (canvas) => ThreeSide.open(canvas, look), isPaused }),
};

form.elements.model.replaceChildren(...shown.map(({ name }, index) => new Option(capital(name), index)));
form.elements.count.max = COUNTS.length - 1;
form.elements.count.value = COUNTS.indexOf(FIRST_COUNT);
find("#most").textContent = MOST.clones.toLocaleString("en");
if (!(await navigator.gpu?.requestAdapter().catch(() => null))) {
  const webgpu = find('[value="webgpu"]');
  webgpu.disabled = true;
  find('[value="webgl2"]').checked = true;
}
listClips();
label();
form.elements.model.addEventListener("change", listClips);
form.addEventListener("change", label);
form.addEventListener("input", ({ target }) => {
  label();
  // Other controls take effect when they are let go: three.js needs a while for many clones.
  if (["speed", "share"].includes(target.name)) show();
});
document.addEventListener("change", show);
form.addEventListener("submit", (event) => event.preventDefault());
show();

const frame = (nowMillis) => {
  for (const panel of Object.values(panels)) panel.frame(nowMillis);
  requestAnimationFrame(frame);
};
requestAnimationFrame(frame);
setInterval(() => Object.values(panels).forEach((panel) => panel.tell()), READOUT_MILLIS);

/** Shows on both sides what the controls say. */
function show() {
  const { model, clip, second, share, count, speed } = form.elements;
  const settings = {
    model: shown[model.value],
    clips: [Number(clip.value), Number(second.value)],
    share: Number(share.value) / 100,
    total: COUNTS[count.value],
    speed: Number(speed.value),
  };
  panels.gambol.show({ ...settings, backend: inGambol("backend"), form: inGambol("form") });
  panels.three.show({ ...settings, backend: "webgl", form: "clones", shadows: find('[name="shadows"]').checked });
}

/** Lists the clips of the chosen model. */
function listClips() {
  const { clips } = shown[form.elements.model.value];
  for (const [at, name] of ["clip", "second"].entries()) {
    const select = form.elements[name];
    select.replaceChildren(...clips.map((clip, index) => new Option(clip, index)));
    select.value = Math.max(0, clips.indexOf(FIRST_CLIPS[at]));
  }
}

/** Writes the values of the sliders beside them. */
function label() {
  const { count, speed, share, second } = form.elements;
  const total = COUNTS[count.value];
  const clip = second.selectedOptions[0].text;
  const texts = [
    [count, total.toLocaleString("en"), total === 1 ? "1 character" : `${total} characters`],
    [speed, `${Number(speed.value).toFixed(1)} ×`, `${speed.value} times as fast`],
    [share, `${share.value} % ${clip}`, `${share.value} percent ${clip}`],
  ];
  for (const [slider, text, spoken] of texts) {
    find(`output[for="${slider.id}"]`).textContent = text;
    slider.setAttribute("aria-valuetext", spoken);
  }
}

function capital(text) {
  return text[0].toUpperCase() + text.slice(1);
}

/** Returns the colour behind the characters, which the style sheet chooses. */
function backgroundOf() {
  return getComputedStyle(find("canvas")).backgroundColor;
}
