/**
 * Generates the reference from the package's types, the table of attributes, the words and the style sheet, so that it
 * can't contradict them. A public item without a doc comment fails the build.
 */

import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

import { declarationsIn, publicOf } from "./declarations.mjs";
import { codes, KINDS } from "./codes.mjs";
import { escaped, highlighted } from "./highlight.mjs";

/** Members that the reference omits: callbacks for the browser, and the methods for listeners. */
const REACTIONS = new RegExp(
  "^(observedAttributes|(connected|disconnected|adopted|attributeChanged|connectedMove)(Move)?Callback|" +
    "(add|remove)EventListener)$",
);

/**
 * Returns the pages of the reference.
 *
 * @param options `sources`: folder of the TypeScript sources; `types`: folder of the types generated from them;
 * `crate`: folder of the Rust sources; `entries`: file names of the package's entry points
 */
export async function referencePages({ sources, types, crate, entries }) {
  const published = new Map(entries.map((entry) => [entry, publicOf(types, entry)]));
  const all = new Map([...published.values()].flatMap((declarations) => [...declarations]));
  const attributes = await attributesOf(sources, types);
  const missing = [
    ...undocumented(all),
    ...attributes.filter(({ doc }) => !doc).map(({ name }) => `tag/attributes.ts: ${name}`),
  ];
  if (missing.length > 0) {
    throw new Error(`these members have no doc comment for the reference:\n  ${missing.join("\n  ")}`);
  }

  const pages = pagesOf(published, all);
  const element = all.get("GambolPlayerElement");
  const events = declarationsIn(readFileSync(join(types, "player/events.d.ts"), "utf8"), "player/events.d.ts").find(
    ({ name }) => name === "PlayerEvents",
  );
  const places = new Map();
  for (const { path, of } of pages) for (const name of of) places.set(name, `${basename(path)}.html#${name}`);
  places.set("PlayerEvents", "element.html#events");
  places.set("Words", "element.html#words");
  const look = { places, constants: constantsOf(types) };
  const words = await wordsHtml(sources);

  return pages.map(({ path, title, about, lead, of, special }) => {
    const own = of.filter((name) => all.has(name)).map((name) => declarationHtml(all.get(name), look));
    const parts =
      special === "element"
        ? [elementHtml({ element, attributes, events, look, sources, words, wordsDoc: all.get("Words").doc })]
        : [];
    const codeParts = special === "errors" ? [codesHtml(codes(crate, sources))] : [];
    return { path, title, about, body: [`<p class="lead">${lead}</p>`, ...parts, ...own, ...codeParts].join("\n") };
  });
}

/** Files in the order of their types on the page. Type aliases without members come last. */
const FILES = [
  "options",
  "source",
  "motion",
  "run",
  "contents",
  "events",
  "crowd",
  "node",
  "stats",
  "engine",
  "conversion",
];
function weight({ file, kind, members }) {
  const at = FILES.indexOf(basename(file, ".d.ts"));
  return (
    (kind === "type" && members.length === 0 && !/\b(motion|source)\.d\.ts$/.test(file) ? 100 : 0) +
    (at < 0 ? FILES.length : at)
  );
}

/** Returns the pages, with each public declaration on one of them. */
function pagesOf(published, all) {
  const element = ["GambolPlayerElement", "Words", "setWords"];
  const errors = ["GambolError", "Warning"];
  const main = [...published.get("index").values()].filter(
    ({ name }) => !errors.includes(name) && name !== "PlayerEvents",
  );
  const isCode = ({ kind }) => kind === "class" || kind === "function" || kind === "const";
  const order = ["Player", "preload", "toGlb", "PlayerCamera", "Layer", "PlayerNode", "PlayerMorph", "Parameters"];
  const rank = ({ name }) => order.indexOf(name) + 1 || order.length + 1;
  const classes = main
    .filter(isCode)
    .sort((a, b) => rank(a) - rank(b))
    .map(({ name }) => name);
  const data = main
    .filter((one) => !isCode(one))
    .sort((a, b) => weight(a) - weight(b))
    .map(({ name }) => name);
  const known = new Set([...element, ...errors, "PlayerEvents", ...classes, ...data]);
  const more = [...all.keys()].filter((name) => !known.has(name));
  const pages = [
    {
      path: "reference/element",
      title: "The <gambol-player> element",
      about: "Attributes, properties, methods, events, slots, parts, custom properties and texts of the element.",
      lead:
        "Reference of <code>&lt;gambol-player&gt;</code>. Importing <code>gambol/element</code> defines the " +
        "tag. The module also exports everything that <code>gambol</code> exports.",
      of: ["setWords"],
      special: "element",
    },
    {
      path: "reference/player",
      title: "Player and other classes",
      about: "Classes and functions of the package.",
      lead:
        "Reference of the classes and functions. <code>Player</code> is the object behind the element, and can " +
        "also be used with a canvas alone. Times are in seconds, angles in radians.",
      of: classes,
    },
    {
      path: "reference/data",
      title: "Options and data",
      about: "Options, results and other plain objects that the API takes and returns.",
      lead: "Reference of the options, results and other plain objects that the API takes and returns.",
      of: data,
    },
  ];
  if (more.length > 0) {
    pages.push({
      path: "reference/more",
      title: "Other modules",
      about: "Modules of the package besides the player and the element.",
      lead: [...published.keys()]
        .filter((entry) => entry !== "index" && entry !== "element")
        .map((entry) => `<code>gambol/${entry}</code>`)
        .join(", ")
        .replace(/^/, "Reference of the modules that only some pages need, and that only those pages download: ")
        .concat("."),
      of: more,
    });
  }
  pages.push({
    path: "reference/errors",
    title: "Errors and warnings",
    about: "All codes of errors and warnings, with their meaning.",
    lead:
      "Reference of all error codes. Every failure is a <code>GambolError</code>. Codes are stable: compare the " +
      "code, and show the message to people.",
    of: errors,
    special: "errors",
  });
  return pages;
}

/** Returns `file: member` for each public item without a doc comment. Members of `Words` need none. */
export function undocumented(declarations) {
  const missing = [];
  for (const { name, doc, file, members } of declarations.values()) {
    const source = file.replace(/\.d\.ts$/, ".ts");
    if (!doc) missing.push(`${source}: ${name}`);
    if (name === "Words") continue;
    for (const member of members) {
      if (!member.doc && !REACTIONS.test(member.name)) missing.push(`${source}: ${name}.${member.name}`);
    }
  }
  return missing;
}

/** Returns the rows of the table of attributes, with types, doc comments and default values. */
async function attributesOf(sources, types) {
  const table = declarationsIn(readFileSync(join(types, "tag/attributes.d.ts"), "utf8"), "tag/attributes.d.ts").find(
    ({ name }) => name === "ATTRIBUTES",
  );
  const { ATTRIBUTES, attributeOf } = await evaluated(join(sources, "tag/attributes.ts"));
  const rows = new Map(table.members.map((member) => [member.name, member]));
  return Object.keys(ATTRIBUTES).map((name) => {
    const { doc, type } = rows.get(name);
    return {
      name,
      attribute: attributeOf(name),
      doc,
      type: /^\w+<([\s\S]*)>$/.exec(type)?.[1] ?? type,
      otherwise: ATTRIBUTES[name].otherwise,
    };
  });
}

/** Bundles and imports a module that doesn't need a browser. */
async function evaluated(path) {
  const { build } = await import("esbuild");
  const { outputFiles } = await build({
    entryPoints: [path],
    bundle: true,
    format: "esm",
    write: false,
    logLevel: "error",
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}

/** Returns the constant lists of strings to which types refer as `(typeof NAME)[number]`, each as a union type. */
function constantsOf(types) {
  const found = new Map();
  for (const file of readdirSync(types, { recursive: true }).filter((name) => name.endsWith(".d.ts"))) {
    for (const [, name, list] of readFileSync(join(types, file), "utf8").matchAll(
      /declare const (\w+): readonly \[((?:"[^"]*"(?:, )?)+)\]/g,
    )) {
      found.set(name, list.split(", ").join(" | "));
    }
  }
  return found;
}

// ── one declaration ──

function declarationHtml({ name, kind, doc, members, signature, signatures, bases }, look) {
  const shown = members.filter(({ doc, name }) => !/^Made by\b/.test(doc) && !REACTIONS.test(name));
  const above = bases.filter((base) => look.places.has(base)).map((base) => typeHtml(base, look));
  const parts = [
    `<section id="${name}">`,
    `<h2><a href="#${name}">${escaped(name)}</a></h2>`,
    prose(doc, look, name),
    above.length > 0 ? `<p>It has all of ${above.join(" and ")}, and:</p>` : "",
    kind === "type" ? code(signature.replace(/^type \w+(?:<.*?>)? = /, ""), look) : "",
    ...(signatures ?? []).map((text) => code(text, look)),
    ...shown.map((member) => memberHtml(name, member, look)),
    "</section>",
  ];
  return parts.filter(Boolean).join("\n");
}

function memberHtml(owner, member, look, idPrefix = `${owner}.`) {
  const { name, kind, doc, isStatic, isReadonly, isOptional, signatures, type, accessors } = member;
  const id = `${idPrefix}${name}`;
  const said = name === "constructor" ? `new ${owner}` : isStatic ? `${owner}.${name}` : name;
  // A property's signature is its type alone, since its name is beside it.
  const lines =
    kind === "method"
      ? signatures.map((text) => `${said}${name === "constructor" ? text.replace(/: \w+$/, "") : text}`)
      : [isOptional ? type.replace(/ \| undefined$/, "") : type];
  const mark = isOptional ? "optional" : isReadonly && accessors.length > 0 ? "read only" : "";
  const quiet = mark && ` <span class="mark">${mark}</span>`;
  return [
    `<div class="member" id="${id}">`,
    `<h3><a href="#${id}"><code>${escaped(said)}${kind === "method" ? "()" : ""}</code></a>${quiet}</h3>`,
    "<div>",
    lines.map((line) => code(line, look)).join("\n"),
    prose(doc, look, owner),
    "</div></div>",
  ].join("\n");
}

function code(text, look) {
  return `<p class="signature"><code>${typeHtml(text, look)}</code></p>`;
}

/** Returns a type as HTML, with links from its names to their descriptions. */
function typeHtml(text, { places, constants }) {
  const flat = text
    .replace(/\/\*\*[\s\S]*?\*\//g, "")
    .replace(/\s+/g, " ")
    .replace(/; }/g, " }")
    .replace(/\(typeof (\w+)\)\[number\]/g, (whole, name) => constants.get(name) ?? whole);
  return highlighted(flat, "ts").replace(/(?<![\w#."-])[A-Z]\w+(?![^<]*<\/span>)/g, (name) =>
    places.has(name) ? `<a href="${places.get(name)}">${name}</a>` : name,
  );
}

/**
 * Returns a doc comment as HTML, with paragraphs, lists, code and links. Links may name members of the declaration
 * `owner` without its name.
 */
export function prose(doc, { places } = { places: new Map() }, owner = "") {
  return doc
    .split(/\n\n+/)
    .map((block) => {
      const [first, ...items] = block.split(/\n?^- /m);
      const list = items.map((item) => `<li>${inline(item, places, owner)}</li>`).join("");
      return `${first ? `<p>${inline(first, places, owner)}</p>` : ""}${list && `<ul>${list}</ul>`}`;
    })
    .join("\n");
}

function inline(text, places, owner) {
  return escaped(text.replace(/\s*\n\s*/g, " "))
    .replace(/\{@link ([^}]*)\}/g, (_, name) => linkHtml(name, places, owner))
    .replace(/`([^`]+)`/g, "<code>$1</code>");
}

/** Returns the HTML of `{@link Name}`, `{@link Name.member}` or, for members of the owner, `{@link member}`. */
function linkHtml(name, places, owner) {
  const [first, member] = name.split(".");
  const own = !places.has(first) && !member && places.has(owner);
  const [declaration, part] = own ? [owner, first] : [first, member];
  const place = places.get(declaration);
  if (!place) throw new Error(`{@link ${name}} has no target in the reference`);
  return `<a href="${place}${part ? `.${part}` : ""}"><code>${escaped(name)}</code></a>`;
}

// ── the element ──

function elementHtml({ element, attributes, events, look, sources, words, wordsDoc }) {
  const wordsLead =
    "All texts that the element shows or announces, in English. `setWords` replaces texts for the whole page, and " +
    "the property `words` for one element.";
  const shown = element.members.filter(({ name }) => !REACTIONS.test(name) && name !== "words");
  const said = element.members.filter(({ name }) => name === "words");
  return [
    section(
      "attributes",
      "Attributes",
      "Each attribute has a property: <code>element.playbackRate</code> reads and writes " +
        "<code>playback-rate</code>. A boolean attribute is true if it is present.",
      attributes.map((row) => attributeHtml(row, look)),
    ),
    section(
      "members",
      "Properties and methods",
      prose(element.doc, look),
      shown.map((member) => memberHtml("GambolPlayerElement", member, look, "element.")),
    ),
    section(
      "events",
      "Events",
      "The player dispatches the same events. Data of an event is in its <code>detail</code>. Events do not " +
        "bubble. If the default of <code>error</code> is prevented, the element shows no notice.",
      events.members.map((event) => memberHtml("", { ...event, isReadonly: false }, look, "event-")),
    ),
    namedHtml(
      "slots",
      "Slots",
      "A child of the element with an attribute <code>slot</code> replaces a piece of the element. Those in " +
        "<code>pin</code> follow the model.",
      tagged(sources, "slot", /make\(\s*"slot",\s*\{[^}]*\bname: "([\w-]+)"/g),
    ),
    namedHtml(
      "parts",
      "Parts",
      "Pieces that CSS can select with <code>gambol-player::part(…)</code>.",
      tagged(sources, "csspart", /\bpart: "([\w-]+)"/g),
    ),
    namedHtml(
      "custom-properties",
      "Custom properties",
      "CSS custom properties, set on the element or on an ancestor.",
      tagged(sources, "cssproperty", /var\((--gambol-[\w-]+)/g),
    ),
    section("words", "Texts", `${prose(wordsDoc, look)}${prose(wordsLead)}`, [
      ...said.map((member) => memberHtml("GambolPlayerElement", member, look, "element.")),
      words,
    ]),
  ].join("\n");
}

/** Returns the table of words with their English texts. A word that is a function is called with example arguments. */
async function wordsHtml(sources) {
  const { wordsFor } = await evaluated(join(sources, "tag/words.ts"));
  const table = declarationsIn(readFileSync(join(sources, "tag/words.ts"), "utf8"), "tag/words.ts").find(
    ({ name }) => name === "Words",
  );
  const row = ({ name, doc, type }) => {
    const value = wordsFor({})[name];
    const text = typeof value === "function" ? value(...[...type.matchAll(/(\w+): (\w+)/g)].map(exampleOf)) : value;
    const said =
      typeof value === "function" ? `${escaped(type.replace(/ => string$/, ""))} → ${escaped(text)}` : escaped(text);
    const cells = `<td>${said}</td><td>${inline(doc, new Map())}</td>`;
    return `<tr id="word-${name}"><th scope="row"><code>${name}</code></th>${cells}</tr>`;
  };
  const columns = ["name", "English text", "use"].map((column) => `<th scope="col">${column}</th>`);
  return [
    '<div class="table" tabindex="0" role="region" aria-label="Texts">' +
      `<table><thead><tr>${columns.join("")}</tr></thead><tbody>`,
    ...table.members.map(row),
    "</tbody></table></div>",
  ].join("\n");
}

/** Returns an example argument for a word's parameter, by its name and type. */
function exampleOf([, name, type]) {
  if (type === "number") return { secs: 1.25, duration: 4, rate: 0.5 }[name] ?? 3;
  return type === "string" ? "Walk" : { message: "its message" };
}

function section(id, title, lead, parts) {
  return [
    `<section id="${id}">`,
    `<h2><a href="#${id}">${title}</a></h2>`,
    lead.startsWith("<p") ? lead : `<p>${lead}</p>`,
    ...parts,
    "</section>",
  ].join("\n");
}

function attributeHtml({ name, attribute, doc, type, otherwise }, look) {
  const given =
    otherwise === false
      ? "off"
      : otherwise === "" || otherwise === null || otherwise === undefined
        ? ""
        : String(otherwise);
  const id = `attribute-${attribute}`;
  const signature = typeHtml(name === attribute ? type : `${name}: ${type}`, look);
  const initial = given && ` <span class="mark">default ${escaped(given)}</span>`;
  return [
    `<div class="member" id="${id}">`,
    `<h3><a href="#${id}"><code>${attribute}</code></a></h3>`,
    "<div>",
    `<p class="signature"><code>${signature}</code>${initial}</p>`,
    prose(doc, look),
    "</div></div>",
  ].join("\n");
}

function namedHtml(id, title, lead, rows) {
  const html = rows.map(([name, otherwise, about]) => {
    const initial = otherwise && `<br /><span class="mark">default</span> <code>${escaped(otherwise)}</code>`;
    const cell = `<td>${inline(about, new Map())}${initial}</td>`;
    return `<tr id="${id}-${name}"><th scope="row"><code>${name}</code></th>${cell}</tr>`;
  });
  return section(id, title, lead, [`<table><tbody>\n${html.join("\n")}\n</tbody></table>`]);
}

/**
 * Returns name, default and description of each item with a tag in the head comment of `styles.ts`. Throws unless the
 * items are exactly those that the sources use.
 */
function tagged(sources, tag, used) {
  const [head] = /\/\*\*[\s\S]*?\*\//.exec(readFileSync(join(sources, "tag/styles.ts"), "utf8"));
  const rows = [...head.matchAll(new RegExp(`@${tag} (?:\\[([\\w-]+)=(.*?)\\]|([\\w-]+))(?: (.*))?$`, "gm"))].map(
    ([, name, otherwise = "", bare, about = ""]) => [name ?? bare, otherwise, about],
  );
  const named = rows.map(([name]) => name);
  const texts = readdirSync(sources, { recursive: true })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => readFileSync(join(sources, name), "utf8"));
  const found = new Set(texts.flatMap((text) => [...text.matchAll(used)].map(([, name]) => name)));
  for (const name of found)
    if (!named.includes(name)) throw new Error(`the head of styles.ts has no @${tag} for ${name}`);
  for (const [name, , about] of rows) {
    if (!found.has(name)) throw new Error(`the head of styles.ts names ${name} by @${tag}, and there is no such thing`);
    if (!about) throw new Error(`the head of styles.ts doesn't say what ${name} is`);
  }
  return rows;
}

// ── codes ──

function codesHtml(found) {
  return KINDS.map(({ kind, title, lead }) => {
    const rows = found
      .filter((code) => code.kind === kind)
      .map(({ code, problem, advice = "", html }) => {
        const told = html ? problem : `${inline(sentence(problem), new Map())} ${inline(advice, new Map())}`;
        const term = `<dt id="${kind}-${code}"><a href="#${kind}-${code}"><code>${code}</code></a></dt>`;
        return `${term}<dd>${told.trim()}</dd>`;
      });
    return section(kind, title, lead, [`<dl class="codes">\n${rows.join("\n")}\n</dl>`]);
  }).join("\n");
}

function sentence(text) {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`.replace(/[.!?]?$/, (end) => end || ".");
}
