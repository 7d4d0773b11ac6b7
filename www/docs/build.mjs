/**
 * Builds the documentation from the pages of `www/docs` and the reference pages generated from the sources. A page runs
 * the code that it shows: recipes show their own files, and `motion.html` runs its own blocks.
 *
 * A page is an HTML fragment that begins with a comment. The comment has its `title`, `short` name in the menu,
 * description `about`, and `keywords` for the search.
 */

import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { examplesOf, moduleOf, unescaped } from "../examples.mjs";
import { root } from "../toolchain.mjs";
import { escaped, highlighted } from "./highlight.mjs";
import { materialTable } from "./materials.mjs";
import { referencePages } from "./reference.mjs";
import { searchIndex } from "./search_index.mjs";
import { addressOf, GROUPS, pageHtml } from "./shell.mjs";
import { writeCoats } from "./coats.mjs";
import { tune } from "./tune.mjs";

const docs = join(root, "www/docs");

/**
 * Builds all pages.
 *
 * @param out output folder inside `dist`
 * @param common options for esbuild
 */
export async function buildDocs(out, common) {
  const reference = await referencePages({
    sources: join(root, "www/element"),
    types: join(dirname(out), "types"),
    crate: join(root, "src"),
    entries: entries(),
  });
  const groups = GROUPS.map(({ name, pages }) => ({
    name,
    pages: name === "Reference" ? reference : pages.map(readPage),
  }));
  const known = new Set(groups.flatMap(({ pages }) => pages.map(({ path }) => path)));
  for (const path of pathsOf(".html"))
    if (!known.has(path)) throw new Error(`www/docs/${path}.html is in no group of www/docs/shell.mjs`);

  const home = groups[0].pages.find(({ path }) => path === "index");
  home.body = home.body.replace(/%([A-Z]+)%/g, (_, name) =>
    cards(groups.find((group) => group.name.toUpperCase() === name).pages),
  );

  rmSync(out, { recursive: true, force: true });
  for (const page of groups.flatMap(({ pages }) => pages)) {
    mkdirSync(dirname(join(out, page.path)), { recursive: true });
    writeFileSync(join(out, `${page.path}.html`), pageHtml(page, groups, belongings(page)));
  }
  writeFileSync(join(out, "index.json"), JSON.stringify(searchIndex(groups)));
  for (const ending of [".css", ".webp"])
    for (const path of pathsOf(ending)) cpSync(join(docs, path + ending), join(out, path + ending));
  await buildScripts(out, common);
  writeProps(join(out, "recipes"), dirname(out));
}

/** Returns the file names of the package's entry points that have types. */
function entries() {
  const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  return Object.values(exports).flatMap(({ types }) =>
    types ? [types.replace(/^\.\/dist\/types\/|\.d\.ts$/g, "")] : [],
  );
}

/** Returns the paths of the page and recipe files with an ending, without the ending. */
function pathsOf(ending) {
  const of = (folder) =>
    readdirSync(join(docs, folder))
      .filter((name) => name.endsWith(ending))
      .map((name) => join(folder, name.slice(0, -ending.length)));
  return [...of("."), ...of("recipes")];
}

function readPage(path) {
  const text = readFileSync(join(docs, `${path}.html`), "utf8");
  const [head, comment] = /^<!--\n([\s\S]*?)\n-->\n/.exec(text) ?? [];
  if (!head) throw new Error(`www/docs/${path}.html doesn't begin with a comment that names its title`);
  const meta = Object.fromEntries(
    comment.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()]),
  );
  for (const needed of ["title", "about"]) if (!meta[needed]) throw new Error(`www/docs/${path}.html has no ${needed}`);
  const [, aside = ""] = /(<aside[\s\S]*?<\/aside>\n)/.exec(text) ?? [];
  return { path, ...meta, aside, body: withCode(text.slice(head.length).replace(aside, ""), path) };
}

/** Returns the style sheets and scripts of a page: files of its name, and those that its folder needs. */
function belongings({ path }) {
  const name = path.split("/").pop();
  const has = (ending) => existsSync(join(docs, path + ending));
  const ownScript = [".ts", ".tsx"].some(has);
  return {
    styles: [...(path.startsWith("recipes/") ? ["recipes.css"] : []), ...(has(".css") ? [`${name}.css`] : [])],
    // A page with a player but without its own script loads the element.
    scripts: ownScript
      ? [`${name}.js`]
      : path === "index"
        ? ["../element.js"]
        : path.startsWith("recipes/")
          ? ["../../element.js"]
          : [],
  };
}

function cards(pages) {
  return pages
    .map((page) => `<li><a href="${addressOf(page)}"><b>${escaped(page.title)}</b> ${escaped(page.about)}</a></li>`)
    .join("\n");
}

// ── code ──

/**
 * Highlights the code blocks of a page. Replaces `<show-code>` with the file or markup to show, and `<show-materials>`
 * with the table of material properties.
 */
function withCode(body, path) {
  const demo = /<(\w+)([^>]*) class="demo"([^>]*)>\n([\s\S]*?)\n<\/\1>/.exec(body)?.[4] ?? "";
  return body
    .replace("<show-materials></show-materials>", () => materialTable(join(root, "src")))
    .replace(/<show-code file="([\w./-]+)"><\/show-code>/g, (_, file) => fileHtml(file, path))
    .replace(/<show-code demo><\/show-code>/g, () => figure("HTML", "html", shownMarkup(demo)))
    .replace(/<pre([^>]*)><code>([\s\S]*?)<\/code><\/pre>/g, (whole, attributes, code) => {
      if (attributes.includes("tabindex")) return whole;
      const [, language = "ts"] = /data-language="(\w+)"/.exec(attributes) ?? [];
      // Focusable, so that wide code can be scrolled by keyboard.
      return `<pre${attributes} tabindex="0"><code>${highlighted(unescaped(code), language)}</code></pre>`;
    });
}

function fileHtml(file, path) {
  const own = join(docs, path.startsWith("recipes/") ? "recipes" : ".", file);
  const from = existsSync(own) ? own : join(root, "www/viewer/controllers", file);
  return figure(file, file.split(".").pop(), readFileSync(from, "utf8").trimEnd());
}

function figure(caption, language, code) {
  const pre = `<pre tabindex="0" aria-label="${caption}"><code>${highlighted(code, language)}</code></pre>`;
  return `<figure class="code"><figcaption>${caption}</figcaption>${pre}</figure>`;
}

/** Formats a demonstration's markup for display, without its indentation. */
function shownMarkup(demo) {
  const lines = demo.split("\n");
  const indent = Math.min(...lines.filter((line) => line.trim()).map((line) => /^ */.exec(line)[0].length));
  return lines
    .map((line) => wrappedTag(line.slice(indent)))
    .join("\n")
    .trim();
}

const WIDEST_LINE = 96;

/** Wraps the attributes of a line that begins with a long tag. */
function wrappedTag(line) {
  const [, start, attributes, rest] = /^(\s*<[\w-]+)((?:\s+[\w-]+(?:="[^"]*")?)+)(>.*)$/.exec(line) ?? [];
  if (line.length <= WIDEST_LINE || !start) return line;
  const inner = `${/^\s*/.exec(start)[0]}  `;
  const pieces = Array.from(attributes.matchAll(/\s([\w-]+(?:="[^"]*")?)/g), ([, attribute]) => attribute);
  pieces.push(pieces.pop() + rest);
  const lines = [start];
  for (const piece of pieces) {
    if (lines.at(-1).length + 1 + piece.length > WIDEST_LINE) lines.push(inner + piece);
    else lines[lines.length - 1] += ` ${piece}`;
  }
  return lines.join("\n");
}

async function buildScripts(out, common) {
  const { build } = await import("esbuild");
  const examples = moduleOf(examplesOf(readFileSync(join(docs, "motion.html"), "utf8")));
  const setup = (bundle) => {
    bundle.onResolve({ filter: /^examples$/ }, ({ path }) => ({ path, namespace: "page" }));
    bundle.onLoad({ filter: /^examples$/, namespace: "page" }, () => ({ contents: examples, loader: "js" }));
  };
  const scripts = [".ts", ".tsx"]
    .flatMap((ending) => pathsOf(ending).map((path) => path + ending))
    .filter((path) => !path.endsWith(".d.ts"));
  for (const folder of ["docs", "recipes"]) {
    const inRecipes = folder === "recipes";
    await build({
      ...common,
      sourcemap: false,
      // The page on React bundles React, whose licence requires its notice.
      legalComments: "inline",
      jsx: "automatic",
      define: { "process.env.NODE_ENV": '"production"' },
      entryPoints: scripts.filter((path) => path.startsWith("recipes/") === inRecipes).map((path) => join(docs, path)),
      outdir: inRecipes ? join(out, "recipes") : out,
      plugins: [
        { name: "the page's own examples", setup },
        { name: "the package stays outside", setup: keepPackageOutside(inRecipes ? "../../" : "../") },
      ],
    });
  }
}

/** Keeps the package external, so that the pages use the files of the npm package. */
function keepPackageOutside(up) {
  return ({ onResolve }) =>
    onResolve({ filter: /^gambol(\/\w+)?$/ }, ({ path }) => ({
      path: `${up}${path === "gambol" ? "index" : path.slice("gambol/".length)}.js`,
      external: true,
      sideEffects: true,
    }));
}

/** Writes the models, sound and controller of the recipes into their folder. */
function writeProps(recipes, dist) {
  const character = join(dist, "viewer/character.glb");
  cpSync(character, join(recipes, "character.glb"));
  writeCoats(readFileSync(character), recipes);
  writeFileSync(join(recipes, "tune.wav"), tune());
  cpSync(join(root, "www/viewer/controllers/locomotion.json"), join(recipes, "locomotion.json"));
}
