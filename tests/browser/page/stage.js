/**
 * The global `stage` of the scenarios' pages: the package, imported as any page would, and functions to inspect it.
 * Time passes only through `player.advance`.
 */
import { GambolError, Player } from "/gambol/index.js";
import "/gambol/element.js";

const players = [];

/** Creates a player with its own canvas. Its time advances only on request. */
async function open(backend, { css = "", ...options } = {}) {
  const canvas = document.createElement("canvas");
  canvas.style.cssText = css;
  document.body.append(canvas);
  const player = await Player.create(canvas, { backend, ...options });
  player.autoUpdate = false;
  players.push(player);
  return player;
}

/** Creates a player, loads a model and plays a clip up to a time. */
async function openModel(backend, source, { clip, time = 0, ...options } = {}) {
  const player = await open(backend, options);
  await player.load(source);
  if (clip !== undefined) player.play(clip);
  player.currentTime = time;
  player.frame();
  return player;
}

/**
 * Draws, and reads the canvas in the same task, since a WebGPU canvas is blank in the next one. Without a screen, only
 * `toDataURL` returns its pixels in Chromium.
 */
async function look(player) {
  player.render();
  const bytes = Uint8Array.from(atob(player.canvas.toDataURL().split(",")[1]), (letter) => letter.charCodeAt(0));
  return pixelsOfPng(new Blob([bytes], { type: "image/png" }));
}

/** Returns the .glb at a URL as a file, after a function has changed its JSON. */
async function editedGlb(url, change) {
  const bytes = new Uint8Array(await fetch(url).then((response) => response.arrayBuffer()));
  const jsonLength = new DataView(bytes.buffer).getUint32(12, true);
  const json = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + jsonLength)));
  change(json);
  const text = new TextEncoder().encode(JSON.stringify(json));
  const padded = new Uint8Array(Math.ceil(text.length / 4) * 4).fill(32);
  padded.set(text);
  const rest = bytes.subarray(20 + jsonLength);
  const head = new Uint32Array([0x46546c67, 2, 20 + padded.length + rest.length, padded.length, 0x4e4f534a]);
  return new File([head, padded, rest], "edited.glb");
}

function pixelsOf(picture, width = picture.width, height = picture.height) {
  const context = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
  context.drawImage(picture, 0, 0);
  return context.getImageData(0, 0, width, height);
}

/** Returns the number of pixels that differ by more than `tolerance` in a channel, and the largest difference. */
function compare(a, b, tolerance = 8) {
  if (a.width !== b.width || a.height !== b.height) {
    return { differing: 1, count: Infinity, greatest: 255, sizes: [a.width, a.height, b.width, b.height] };
  }
  const diff = new ImageData(a.width, a.height);
  let [count, greatest] = [0, 0];
  for (let at = 0; at < a.data.length; at += 4) {
    let delta = 0;
    for (let lane = 0; lane < 4; lane++) delta = Math.max(delta, Math.abs(a.data[at + lane] - b.data[at + lane]));
    greatest = Math.max(greatest, delta);
    if (delta > tolerance) count++;
    diff.data.set([Math.min(255, delta * 4), delta > tolerance ? 0 : delta * 4, 0, 255], at);
  }
  return { differing: count / (a.width * a.height), count, greatest, diff };
}

/** Returns the share of the picture that differs from the background, which is the colour of the top left pixel. */
function coverage(image, tolerance = 12) {
  const { data } = image;
  let count = 0;
  let brightest = 0;
  for (let at = 0; at < data.length; at += 4) {
    const off = Math.max(...[0, 1, 2, 3].map((lane) => Math.abs(data[at + lane] - data[lane])));
    if (off <= tolerance) continue;
    count++;
    brightest = Math.max(brightest, data[at], data[at + 1], data[at + 2]);
  }
  return { part: count / (data.length / 4), brightest };
}

async function png(image) {
  const canvas = new OffscreenCanvas(image.width, image.height);
  canvas.getContext("2d").putImageData(image, 0, 0);
  return base64(await canvas.convertToBlob({ type: "image/png" }));
}

async function base64(blob) {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  let text = "";
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text);
}

async function pixelsOfPng(source) {
  const blob = source instanceof Blob ? source : await (await fetch(source)).blob();
  const bitmap = await createImageBitmap(blob, { colorSpaceConversion: "none", premultiplyAlpha: "none" });
  return pixelsOf(bitmap);
}

async function file(url, name = url.split("/").pop()) {
  return new File([await (await fetch(url)).arrayBuffer()], name);
}

/** Collects events with their details, in order. */
function record(target, ...names) {
  const heard = [];
  for (const name of names) target.addEventListener(name, ({ detail }) => heard.push({ name, detail }));
  return heard;
}

function once(target, name) {
  return untilEvent(target, name, undefined, ({ detail }) => detail);
}

/** Returns the error of a call as plain data. */
async function failure(action) {
  try {
    await action();
  } catch (error) {
    return { code: error.code, place: error.place, message: error.message, isOurs: error instanceof GambolError };
  }
  return null;
}

function allFinite(numbers) {
  return numbers.every(Number.isFinite);
}

/** Loses the player's WebGL context, calls `without` meanwhile, and restores it. */
async function loseContext(player, without) {
  const loss = player.canvas.getContext("webgl2").getExtension("WEBGL_lose_context");
  const lost = once(player, "contextlost");
  loss.loseContext();
  await lost;
  await without?.();
  const restored = once(player, "contextrestored");
  loss.restoreContext();
  await restored;
}

function close() {
  for (const player of players.splice(0)) {
    player.dispose();
    player.canvas.remove();
  }
}

window.stage = {
  Player,
  allFinite,
  base64,
  close,
  compare,
  coverage,
  failure,
  file,
  look,
  loseContext,
  once,
  open,
  openModel,
  editedGlb,
  pixelsOf,
  pixelsOfPng,
  png,
  record,
};
