/** Archives and lists of files are opened, and what models reference is found in them. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { deflateRawSync } from "node:zlib";

import { build } from "esbuild";

import { root } from "../../www/toolchain.mjs";
import { zip } from "../browser/archives.mjs";

let openFiles;
let openArchive;

before(async () => {
  const outfile = join(root, "target/archives/file_list.mjs");
  const source = join(root, "www/element/files/file_list.ts");
  await build({ entryPoints: [source], bundle: true, format: "esm", outfile });
  ({ openFiles, openArchive } = await import(pathToFileURL(outfile)));
});

class Failure extends Error {
  constructor(code, message, { place = "" } = {}) {
    super(message);
    this.code = code;
    this.place = place;
  }
}

const read = async (blob) => new Uint8Array(await blob.arrayBuffer());
const given = (files) => new Map(Object.entries(files).map(([path, bytes]) => [path, new Blob([bytes])]));
const list = (files, signal) => openFiles(given(files), read, signal, Failure);
const archive = (bytes, signal) => openArchive({ bytes: new Uint8Array(bytes), signal }, Failure);
const text = async (bytes) => new TextDecoder().decode(await bytes);
const MODEL = { name: "fox.gltf", bytes: "the model" };
const fox = (...others) => [MODEL, ...others];
const refusal = (code, words) => (error) => {
  assert.equal(error.code, code, `${error.stack}`);
  assert.match(error.message, words);
  return true;
};

test("archives of every kind of writer are read", async () => {
  const others = [
    { name: "a/skin.png", bytes: "stored", method: 0 },
    { name: "a/", bytes: "", method: 0 },
    { name: "__MACOSX/._fox.glb", bytes: "of macOS" },
    { name: "a/long.bin", bytes: "long ".repeat(100_000) },
    { name: "empty.bin", bytes: "" },
  ];
  const fake = "PK\u0005\u0006 is in the comment, and no record begins there";
  for (const options of [
    {},
    { comment: fake },
    { descriptors: true },
    { large: true },
    { large: true, comment: "x" },
  ]) {
    const opened = await archive(zip(fox(...others), options));
    assert.equal(opened.name, "fox.gltf");
    assert.equal(await text(opened.bytes), "the model");
    assert.deepEqual(opened.paths, ["fox.gltf", "a/skin.png", "a/long.bin", "empty.bin"]);
    assert.equal(await text(opened.piece("a/skin.png")), "stored");
    assert.equal(await text(opened.piece("a/long.bin")), "long ".repeat(100_000));
    assert.equal(await text(opened.piece("empty.bin")), "");
    await assert.rejects(opened.piece("b.png"), refusal("PIECE_MISSING", /b\.png/));
  }
});

test("bytes before an archive are skipped", async () => {
  for (const large of [false, true]) {
    const opened = await list({ "fox.zip": zip(fox({ name: "b", bytes: "B" }), { prefix: "#!/bin/sh\n", large }) });
    assert.equal(await text(opened.bytes), "the model");
    assert.equal(await text(opened.piece("b")), "B");
  }
});

test("names are UTF-8 or code page 437", async () => {
  const names = [
    { name: "häutung.png", bytes: "flagged" },
    { name: "größe.png", flags: 0, bytes: "not flagged" },
    { name: Buffer.from([0x81, 0x62, 0x65, 0x72, 0x2e, 0x70, 0x6e, 0x67]), flags: 0, bytes: "old" },
  ];
  const opened = await archive(zip(fox(...names)));
  assert.deepEqual(opened.paths.slice(1), ["häutung.png", "größe.png", "über.png"]);
  assert.equal(await text(opened.piece("%C3%BCber.png")), "old");
  assert.equal(await text(opened.piece("ha\u0308utung.png")), "flagged");
});

test("entries of archives join the files that are dropped with them", async () => {
  const opened = await list({ "fox.gltf": "loose", "skins.ZIP": zip([{ name: "in/skin.png", bytes: "packed" }]) });
  assert.equal(await text(opened.bytes), "loose");
  assert.equal(await text(opened.piece("skin.png")), "packed");
  const nested = await list({
    "all.zip": zip([
      { name: "x/y/fox.glb", bytes: "deep" },
      { name: "x/a.png", bytes: "A" },
    ]),
  });
  assert.deepEqual([nested.name, await text(nested.piece("../a.png"))], ["fox.glb", "A"]);
  const lone = await list({ "fox.zip": "glTF without an archive" });
  assert.equal(await text(lone.bytes), "glTF without an archive");
  const unnamed = await list({ download: zip(fox()) });
  assert.equal(unnamed.name, "fox.gltf");
});

test("archives without a model are refused", async () => {
  for (const files of [[], [{ name: "readme.txt", bytes: "?" }]])
    await assert.rejects(archive(zip(files)), refusal("NO_MODEL", files.length ? /readme\.txt/ : /nothing was given/));
});

test("encrypted entries and other methods are refused", async () => {
  const other = (file) => archive(zip([{ ...MODEL, ...file }]));
  await assert.rejects(other({ flags: 1 }), refusal("ARCHIVE_UNSUPPORTED", /fox\.gltf.*encrypted/));
  await assert.rejects(other({ method: 12 }), refusal("ARCHIVE_UNSUPPORTED", /method 12/));
  const opened = await archive(zip(fox({ name: "a.png", bytes: "A", flags: 1 })));
  await assert.rejects(opened.piece("a.png"), refusal("ARCHIVE_UNSUPPORTED", /a\.png/));
});

test("damaged archives are refused", async () => {
  const whole = zip(fox({ name: "a.png", bytes: "A".repeat(1000) }));
  for (const cut of [2, 30, 60, whole.length - 1, whole.length - 30])
    await assert.rejects(archive(whole.subarray(0, cut)), refusal("ARCHIVE_DAMAGED", /list of files/));
  const packed = deflateRawSync("the model");
  const wrong = [
    [{ checksum: 1 }, /other contents/],
    [{ size: 8 }, /other contents/],
    [{ size: 10 }, /other contents/],
    [{ body: packed.subarray(0, 5) }, /inflated/],
    [{ body: Buffer.from("this is not deflated") }, /inflated/],
    [{ packed: 1e9 }, /beyond its end/],
    [{ method: 0, size: 3 }, /other contents/],
  ];
  for (const [file, words] of wrong)
    await assert.rejects(
      archive(zip([{ ...MODEL, ...file }])),
      refusal("ARCHIVE_DAMAGED", words),
      JSON.stringify(file),
    );
});

test("bombs are refused before they fill the memory", async () => {
  const huge = { name: "a.bin", bytes: "", size: 4e9, body: deflateRawSync(Buffer.alloc(2 ** 20)) };
  const opened = await archive(zip(fox(huge)));
  await assert.rejects(opened.piece("a.bin"), refusal("MODEL_TOO_LARGE", /more memory/));
  const body = deflateRawSync(Buffer.alloc(30 * 2 ** 20));
  const [checksum, size] = [0x0, 30 * 2 ** 20];
  const many = [0, 1, 2, 3].map((at) => ({ name: `${at}.bin`, bytes: "", checksum, size, body }));
  const filled = await archive(zip(fox(...many)));
  const outcomes = [];
  for (const { name } of many) outcomes.push(await filled.piece(name).catch(({ code }) => code));
  assert.deepEqual(outcomes.slice(0, 2), ["ARCHIVE_DAMAGED", "ARCHIVE_DAMAGED"], "their checksums are wrong");
  assert.equal(outcomes[3], "MODEL_TOO_LARGE", "all of them count together");
  // The one that declares less than it has ends when it has more.
  const lying = await archive(zip(fox({ ...huge, size: 10 })));
  await assert.rejects(lying.piece("a.bin"), refusal("ARCHIVE_DAMAGED", /other contents/));
});

test("an archive with any byte changed is read or refused", async () => {
  for (const large of [false, true]) {
    const whole = zip(fox({ name: "a.png", bytes: "A", method: 0 }), { large });
    for (let at = 0; at < whole.length; at++) {
      for (const byte of [0, 1, 0x7f, 0xff, whole[at] ^ 0x80]) {
        const changed = Buffer.from(whole);
        changed[at] = byte;
        try {
          const opened = await list({ "fox.zip": changed });
          await opened.piece("a.png");
        } catch (error) {
          assert.ok(error instanceof Failure, `byte ${at} as ${byte}: ${error.stack}`);
        }
      }
    }
  }
});

test("an aborted load reads nothing more", async () => {
  const stop = new AbortController();
  const opened = await archive(zip(fox({ name: "a.bin", bytes: Buffer.alloc(2 ** 24) })), stop.signal);
  const reading = opened.piece("a.bin");
  stop.abort();
  await assert.rejects(reading, { name: "AbortError" });
  await assert.rejects(opened.piece("a.bin"), { name: "AbortError" });
});

test("odd URIs find their files", async () => {
  const files = [
    "my texture.png",
    "b.png",
    "a/c.png",
    "100%.png",
    "50% off é.png",
    "a#b.png",
    "why?.png",
    "as%20is.png",
    "left/skin.png",
    "right/skin.png",
    "Upper.PNG",
  ];
  const inside = Object.fromEntries(files.map((path) => [`models/fox/${path}`, path]));
  const dropped = await list({ "models/fox/fox.gltf": "the model", ...inside });
  const packed = await archive(
    zip(
      Object.entries(inside)
        .map(([name, bytes]) => ({ name, bytes }))
        .concat({ name: "models/fox/fox.gltf", bytes: "the model" }),
    ),
  );
  for (const [uri, path] of [
    ["my%20texture.png", "my texture.png"],
    ["my texture.png", "my texture.png"],
    ["./a/../b.png", "b.png"],
    ["../../../../models/fox/b.png", "b.png"],
    ["a\\c.png", "a/c.png"],
    [".\\A\\C.PNG", "a/c.png"],
    ["100%.png", "100%.png"],
    ["100%25.png", "100%.png"],
    ["50%%20off%20%C3%A9.png", "50% off é.png"],
    ["a%23b.png", "a#b.png"],
    ["a#b.png", "a#b.png"],
    ["why%3F.png", "why?.png"],
    ["why?.png", "why?.png"],
    ["b.png?version=2#top", "b.png"],
    ["as%20is.png", "as%20is.png"],
    ["C:\\art\\Fox\\Right\\skin.png", "right/skin.png"],
    ["file:///home/ann/fox/left/skin.png", "left/skin.png"],
    ["/b.png", "b.png"],
    ["upper.png", "Upper.PNG"],
    ["b.png?", "b.png"],
  ]) {
    for (const opened of [dropped, packed]) assert.equal(await text(opened.piece(uri)), path, uri);
  }
  for (const uri of ["", "/", "..", "%", "?", "#", "a/", "%00", "models"])
    await assert.rejects(dropped.piece(uri), refusal("PIECE_MISSING", /./), uri);
});
