import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { test } from "node:test";

import { declarationsIn, publicOf, statementsOf } from "../../www/docs/declarations.mjs";
import { highlighted } from "../../www/docs/highlight.mjs";
import { materialFeatures } from "../../www/docs/materials.mjs";
import { prose, referencePages, undocumented } from "../../www/docs/reference.mjs";
import { examplesOf } from "../../www/examples.mjs";
import { root } from "../../www/toolchain.mjs";

const docs = join(root, "dist/docs");
const pages = readdirSync(docs, { recursive: true })
  .map((path) => path.split("\\").join("/"))
  .filter((path) => path.endsWith(".html"));

test("a public member without a doc comment makes the reference fail, with its name and its file", async () => {
  const sources = {
    sources: join(root, "www/element"),
    crate: join(root, "src"),
    entries: ["index", "element", "drive"],
  };
  const types = mkdtempSync(join(tmpdir(), "gambol-types-"));
  try {
    cpSync(join(root, "dist/types"), types, { recursive: true });
    assert.ok((await referencePages({ ...sources, types })).length >= 5);
    const path = join(types, "player/player.d.ts");
    const text = readFileSync(path, "utf8");
    const bare = text.replace(/\/\*\*[^*]*\*\/\s*(?=get backend\(\))/, "");
    assert.notEqual(bare, text);
    writeFileSync(path, bare);
    await assert.rejects(referencePages({ ...sources, types }), /player\/player\.ts: Player\.backend$/);
  } finally {
    rmSync(types, { recursive: true });
  }
});

test("declarations are read with their comments, members, overloads and accessors", () => {
  const text = `
/** What it is. */
export declare class Box<T extends { a: string }> extends Base {
    #private;
    /** Made by others. */
    constructor(size: number);
    /** How large. */
    get size(): number;
    set size(size: number | null);
    /** In any case. */
    open(options?: {
        wide: boolean;
    }): void;
    open(way: "in"): void;
    static readonly of: string[];
    private hidden;
}
export type Way = "in" | "out; {";
declare const inner: number;
`;
  const [box, way, inner] = declarationsIn(text, "box.d.ts");
  assert.deepEqual([box.name, box.doc, box.bases, box.exported], ["Box", "What it is.", ["Base"], true]);
  assert.deepEqual(
    box.members.map(({ name, type, signatures, isReadonly, doc }) => [
      name,
      type || signatures.length,
      isReadonly,
      doc,
    ]),
    [
      ["constructor", 1, false, "Made by others."],
      ["size", "number", false, "How large."],
      ["open", 2, false, "In any case."],
      ["of", "string[]", true, ""],
    ],
  );
  assert.equal(way.signature, 'type Way = "in" | "out; {"');
  assert.equal(inner.exported, false);
  assert.deepEqual(
    undocumented(
      new Map([
        ["Box", box],
        ["Way", way],
      ]),
    ),
    ["box.ts: Box.of", "box.ts: Way"],
  );
  assert.equal(statementsOf("// nothing\n").length, 0);
});

test("the table of materials is read from the crate, and each property is on the page", () => {
  const table = `macro_rules! materials {
    x
}

materials! {
    Core "" when |_| true;
    textures {
        /// What it is.
        base_color_texture: Color, "pbr/baseColorTexture", "base colour";
    }
    factors {
        base_color: Vec4 = Vec4::ONE, Unit, "pbr/baseColorFactor";
    }

    Shine "extensions/KHR_shine/" when |material| material.shine > 0.0;
    textures {
    }
    factors {
        shine: f32 = 0.5, Any, "shineFactor";
    }
}

fn other() {}
`;
  assert.deepEqual(materialFeatures(table), [
    {
      extension: "",
      properties: [
        { path: "pbr/baseColorTexture", kind: "colours, sRGB", default: "none" },
        { path: "pbr/baseColorFactor", kind: "0 to 1", default: "1, 1, 1, 1" },
      ],
    },
    { extension: "KHR_shine", properties: [{ path: "shineFactor", kind: "any number", default: "0.5" }] },
  ]);
  assert.throws(() => materialFeatures(table.replace("0.5", "TAU")), /lacks TAU/);
  assert.throws(() => materialFeatures(table.replace("Any", "Other")), /material_table\.rs: .*Other/);
  assert.throws(() => materialFeatures(table.replace('"shineFactor"', "shine()")), /material_table\.rs: .*shine/);

  const html = readFileSync(join(docs, "formats.html"), "utf8");
  const features = materialFeatures(readFileSync(join(root, "src/model/material_table.rs"), "utf8"));
  const paths = features.flatMap(({ properties }) => properties.map(({ path }) => path));
  assert.ok(paths.length >= 11, `there are ${paths.length}`);
  for (const path of paths) assert.ok(html.includes(`<code>${path.replaceAll("/", ".")}</code>`), path);
});

test("what the package exports is in the reference, each member once", () => {
  const names = [...publicOf(join(root, "dist/types"), "element").values()];
  assert.ok(names.length > 50, `there are ${names.length}`);
  const all = pages
    .filter((path) => path.startsWith("reference/"))
    .map((path) => readFileSync(join(docs, path), "utf8"));
  const ids = all.flatMap((html) => [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
  for (const { name, members } of names) {
    if (["GambolPlayerElement", "PlayerEvents", "Words"].includes(name)) continue;
    assert.equal(ids.filter((id) => id === name).length, 1, name);
    for (const member of members.filter(({ doc }) => doc && !doc.startsWith("Made by")))
      assert.ok(ids.includes(`${name}.${member.name}`), `${name}.${member.name}`);
  }
  for (const attribute of ["src", "playback-rate", "camera-controls"])
    assert.ok(ids.includes(`attribute-${attribute}`), attribute);
  for (const event of ["load", "finished", "contextlost"]) assert.ok(ids.includes(`event-${event}`), event);
  for (const id of ["files-KEY_TIMES_NOT_ASCENDING", "calls-NO_LIMB", "machine-PLAYER_POISONED", "word-timeline"])
    assert.ok(ids.includes(id), id);
});

test("members that an interface has from one that isn't exported are in the reference", () => {
  const html = readFileSync(join(docs, "reference/data.html"), "utf8");
  for (const name of [
    "backend",
    "draws",
    "triangles",
    "joints",
    "characters",
    "gpuBytes",
    "updateMillis",
    "renderMillis",
  ]) {
    assert.ok(html.includes(`id="Stats.${name}"`), name);
  }
});

test("links of doc comments become links", () => {
  for (const page of pages) assert.doesNotMatch(readFileSync(join(docs, page), "utf8"), /\{@/, page);
  const places = new Map([["Box", "data.html#Box"]]);
  const link = (doc, owner) => prose(doc, { places }, owner);
  assert.equal(link("See {@link Box}."), '<p>See <a href="data.html#Box"><code>Box</code></a>.</p>');
  assert.equal(link("See {@link Box.size}."), '<p>See <a href="data.html#Box.size"><code>Box.size</code></a>.</p>');
  assert.equal(link("See {@link size}.", "Box"), '<p>See <a href="data.html#Box.size"><code>size</code></a>.</p>');
  assert.throws(() => link("See {@link Crate}."), /Crate/);
});

test("the search index has the words of every page, and what people call things besides", () => {
  const index = JSON.parse(readFileSync(join(docs, "index.json"), "utf8"));
  const byKey = (word) => index.filter(({ keys }) => keys?.includes(word)).map(({ url }) => url);
  assert.deepEqual(byKey("draco"), ["formats.html#extensions"]);
  assert.deepEqual(byKey("hotspot"), ["recipes/label.html", "motion.html#pins"]);
  assert.deepEqual(byKey("crossfade"), ["motion.html#fades"]);
  const withWord = (word) =>
    new Set(index.filter(({ text }) => text.split(" ").includes(word)).map(({ url }) => url.split("#")[0]));
  assert.ok(withWord("quantized").has("formats.html"));
  assert.ok(withWord("gltf").size > 3);
  for (const { url, title, text } of index) assert.ok(title && text, url);
});

test("ids are unique, and every link within the documentation leads somewhere", () => {
  const idsOf = (path) => [...readFileSync(path, "utf8").matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
  const dead = [];
  const check = (from, href) => {
    if (/^[a-z]+:/.test(href)) return;
    const [path, id] = href.split("#");
    let to = path ? resolve(dirname(from), path) : from;
    try {
      if (statSync(to).isDirectory()) to = join(to, "index.html");
      if (id && !idsOf(to).includes(id)) dead.push(`${from}: ${href}`);
    } catch {
      dead.push(`${from}: ${href}`);
    }
  };
  for (const page of pages) {
    const path = join(docs, page);
    const ids = idsOf(path);
    assert.deepEqual(
      ids.filter((id, at) => ids.indexOf(id) !== at),
      [],
      page,
    );
    const html = readFileSync(path, "utf8").replace(/<code>[\s\S]*?<\/code>/g, "");
    for (const [, href] of readFileSync(path, "utf8").matchAll(/<(?:a|link)\b[^>]*\shref="([^"]+)"/g))
      check(path, href);
    for (const [, src] of html.matchAll(/<(?:script|img|audio|gambol-player)\b[^>]*\s(?:src|poster)="([^"]+)"/g))
      check(path, src);
  }
  for (const { url } of JSON.parse(readFileSync(join(docs, "index.json"), "utf8")))
    check(join(docs, "index.html"), url);
  assert.deepEqual(dead, []);
});

test("pages need no inline style or script, and say so in their policy", () => {
  for (const page of pages) {
    const html = readFileSync(join(docs, page), "utf8");
    assert.match(html, /script-src 'self' 'wasm-unsafe-eval'; style-src 'self';/, page);
    assert.doesNotMatch(html, /\sstyle="|<style|<script(?![^>]*\ssrc=)|\son\w+="/, page);
    assert.equal([...html.matchAll(/<h1\b/g)].length, 1, page);
  }
});

/** Declarations of browser features that TypeScript's library doesn't include. */
const UNKNOWN_TO_TYPESCRIPT = `
declare class ScrollTimeline {
  readonly currentTime: unknown;
  readonly source: Element | null;
  constructor(options: { source: Element });
}
declare const trustedTypes: {
  createPolicy(name: string, options: { createScriptURL(address: string): string | null }): unknown;
};
`;

test("code that the documentation shows compiles against what ships", () => {
  const folder = join(root, "target/docs");
  mkdirSync(folder, { recursive: true });
  const files = ["start", "recipes/scroll"].flatMap((page) =>
    Array.from(examplesOf(readFileSync(join(root, `www/docs/${page}.html`), "utf8")), ([name, code]) => {
      const file = join(folder, `${page.replace("/", "_")}_${name}.ts`);
      writeFileSync(file, `${UNKNOWN_TO_TYPESCRIPT}${code}\nexport {};\n`);
      return file;
    }),
  );
  assert.ok(files.length >= 7, `there are ${files.length}`);
  const flags = [
    "--ignoreConfig",
    "--module",
    "esnext",
    "--moduleResolution",
    "bundler",
    "--target",
    "es2022",
    "--lib",
    "es2022,dom",
    "--types",
    "",
    "--strict",
    "--noEmit",
  ];
  const { status, stdout } = spawnSync(
    process.execPath,
    [join(root, "node_modules/typescript/bin/tsc"), ...flags, ...files],
    { cwd: root, encoding: "utf8" },
  );
  assert.equal(status, 0, stdout);
});

/** Returns the names of one kind that the element's reference lists: "attribute" or "event". */
function listed(kind) {
  const reference = readFileSync(join(docs, "reference/element.html"), "utf8");
  return [...reference.matchAll(new RegExp(`id="${kind}-([\\w-]+)"`, "g"))].map(([, name]) => name);
}

test("the README lists every attribute and every event of the element", () => {
  const [section] = readFileSync(join(root, "README.md"), "utf8").split("\n## The element\n")[1].split("\n## ");
  const attributes = [...section.matchAll(/^- `([\w-]+)`:/gm)].map(([, name]) => name);
  assert.deepEqual(attributes.sort(), listed("attribute").sort());
  const [, sentence] = section.match(/The events are ([^.]*)\./);
  const events = [...sentence.matchAll(/`(\w+)`/g)].map(([, name]) => name);
  assert.deepEqual(events.sort(), listed("event").sort());
});

test("tags that the documentation shows have no attribute but those there are", () => {
  const known = new Set(listed("attribute"));
  let count = 0;
  for (const page of pages) {
    const text = readFileSync(join(docs, page), "utf8")
      .replace(/<\/?span[^>]*>/g, "")
      .replace(/&lt;/g, "<")
      .replace(/&gt;/g, ">")
      .replace(/&quot;/g, '"');
    for (const [, attributes] of text.matchAll(/<gambol-player((?:\s+[\w-]+(?:="[^"]*")?)+)>/g)) {
      count++;
      for (const [, name] of attributes.matchAll(/\s([\w-]+)(?:="[^"]*")?/g))
        assert.ok(known.has(name) || ["id", "class", "hidden"].includes(name), `${page}: ${name}`);
    }
  }
  assert.ok(count > 10, `there are ${count}`);
});

test("comments become paragraphs, lists and code; code becomes colours and stays what it was", () => {
  assert.equal(
    prose("One `a < b`.\n\nWhich:\n- first\n- second"),
    "<p>One <code>a &lt; b</code>.</p>\n<p>Which:</p><ul><li>first</li><li>second</li></ul>",
  );
  for (const [language, code] of [
    ["ts", 'const a = "x"; // 1 < 2'],
    ["html", '<a href="b">c & d</a>'],
    ["json", '{ "a": [1, true] }'],
    ["css", "a { color: #fff; }"],
  ]) {
    const html = highlighted(code, language);
    assert.match(html, /<span class="/);
    assert.equal(
      html
        .replace(/<[^>]*>/g, "")
        .replace(/&lt;/g, "<")
        .replace(/&gt;/g, ">")
        .replace(/&quot;/g, '"')
        .replace(/&amp;/g, "&"),
      code,
    );
  }
});
