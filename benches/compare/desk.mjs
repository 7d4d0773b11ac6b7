/** The page that measures pictures, and draws them on sheets. It uses the browser's decoder and canvas. */

import { differenceOf, figuresOf, laidOn, magnifiedDifference, silhouetteOf } from "./pixels.mjs";
import { GREY, SIDE } from "./view.mjs";

/** Factor of the pictures of differences. */
const MAGNIFIED = 4;

/** Height of the line of text above a picture, and of the title, in pixels. */
const CAPTION = 22;
const TITLE = 34;

export async function open() {
  return { measure, compare, sheet };
}

/** Returns the figures of pictures by player. `pictures` has the addresses `picture`, and perhaps `mask`, by player. */
async function measure(pictures) {
  const figures = {};
  for (const [player, addresses] of Object.entries(pictures)) {
    const { picture, silhouette } = await read(addresses);
    figures[player] = figuresOf(picture, silhouette);
  }
  return { figures };
}

/** Returns the difference of two pictures, with a picture of it as a data URL. */
async function compare([ours, other]) {
  const [a, b] = [await read(ours), await read(other)];
  const picture = await urlOf(magnifiedDifference(a.picture, b.picture, MAGNIFIED));
  return { ...differenceOf(a, b), picture };
}

/** Reads a picture, which is laid on the grey, and the silhouette of the model in it. */
async function read({ picture, mask }) {
  const pixels = await pixelsAt(picture);
  return { picture: laidOn(pixels, GREY), silhouette: silhouetteOf(mask ? await pixelsAt(mask) : pixels) };
}

/** Draws a sheet of rows of cells. A cell has a `caption`, and either the address `picture` or a `note`. */
async function sheet({ title, rows }) {
  const columns = Math.max(...rows.map((cells) => cells.length));
  const canvas = new OffscreenCanvas(columns * (SIDE + 2), TITLE + rows.length * (SIDE + CAPTION));
  const pen = canvas.getContext("2d");
  pen.fillStyle = "#fff";
  pen.fillRect(0, 0, canvas.width, canvas.height);
  write(pen, title, [6, TITLE - 12, canvas.width], "bold 18px sans-serif");
  for (const [row, cells] of rows.entries()) {
    for (const [column, { caption, picture, note = "" }] of cells.entries()) {
      const [x, y] = [column * (SIDE + 2), TITLE + row * (SIDE + CAPTION)];
      write(pen, caption, [x + 6, y + 16, SIDE - 12], "14px sans-serif");
      pen.fillStyle = `rgb(${GREY} ${GREY} ${GREY})`;
      pen.fillRect(x, y + CAPTION, SIDE, SIDE);
      write(pen, note, [x + 6, y + CAPTION + SIDE / 2, SIDE - 12], "14px sans-serif");
      if (picture) pen.drawImage(await bitmapAt(picture), x, y + CAPTION, SIDE, SIDE);
    }
  }
  return readAsUrl(await canvas.convertToBlob());
}

/** Writes a line of text, which is squeezed if it is longer than the width. */
function write(pen, text, [x, y, width], font) {
  pen.fillStyle = "#000";
  pen.font = font;
  pen.fillText(text, x, y, width);
}

async function pixelsAt(url) {
  const bitmap = await bitmapAt(url);
  const pen = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d", { willReadFrequently: true });
  pen.drawImage(bitmap, 0, 0);
  return pen.getImageData(0, 0, bitmap.width, bitmap.height);
}

async function bitmapAt(url) {
  return createImageBitmap(await (await fetch(url)).blob());
}

async function urlOf({ width, height, data }) {
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext("2d").putImageData(new ImageData(data, width, height), 0, 0);
  return readAsUrl(await canvas.convertToBlob());
}

function readAsUrl(blob) {
  return new Promise((done) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => done(reader.result));
    reader.readAsDataURL(blob);
  });
}
