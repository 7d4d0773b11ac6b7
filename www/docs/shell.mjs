/** The frame of a documentation page: head, header, menu, and links to the neighbouring pages. */

import { escaped } from "./highlight.mjs";

/** Pages in the order of the menu. Those of the reference are generated from the sources. */
export const GROUPS = [
  { name: "", pages: ["index", "start"] },
  {
    name: "Recipes",
    pages: [
      "scroll",
      "media",
      "many",
      "poster",
      "controls",
      "label",
      "swap",
      "controller",
      "transparent",
      "react",
      "worker",
    ].map((name) => `recipes/${name}`),
  },
  { name: "Guides", pages: ["motion", "formats"] },
  { name: "Reference", pages: [] },
];

const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; " +
  "connect-src 'self'; img-src 'self' data:; media-src 'self'";

/**
 * Returns the HTML of a page. `page` has `path`, `title`, `about` and `body`. `groups` has all pages by group. `styles`
 * and `scripts` are URLs, relative to the page, of its additional files.
 */
export function pageHtml(page, groups, { styles = [], scripts = [] }) {
  const up = "../".repeat(page.path.split("/").length - 1);
  const sheets = [`${up}docs.css`, ...styles].map((href) => `<link rel="stylesheet" href="${href}" />`);
  const modules = [`${up}site.js`, ...scripts].map((src) => `<script type="module" src="${src}"></script>`);
  const isHome = page.path === "index";
  const icon = `<img src="${up}../viewer/icon.svg" alt="" width="24" height="24" />`;
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
    <meta name="description" content="${escaped(page.about)}" />
    <meta name="color-scheme" content="light dark" />
    <meta http-equiv="Content-Security-Policy" content="${POLICY}" />
    <title>${isHome ? "Gambol: skinned 3D characters in a web page" : `${escaped(page.title)} · Gambol`}</title>
    <link rel="icon" href="${up}../viewer/icon.svg" type="image/svg+xml" />
    ${[...sheets, ...modules].join("\n    ")}
  </head>
  <body${page.kind ? ` class="${page.kind}"` : ""}>
    <header class="top">
      <a class="brand" href="${up}index.html">${icon}Gambol</a>
      <search id="search" hidden>
        <input
          type="search"
          placeholder="Search"
          aria-label="Search the documentation"
          autocomplete="off"
          spellcheck="false"
        />
        <div id="found" hidden><p role="status"></p><ul></ul></div>
      </search>
      <a class="viewer" href="${up}../viewer/">Viewer</a>
      <button type="button" class="open" popovertarget="contents">Contents</button>
    </header>
    <nav id="contents" popover aria-label="Documentation">
${menu(page, groups, up)}
    </nav>
${page.aside ?? ""}
    <main id="main">
      ${isHome ? "" : `<h1>${escaped(page.title)}</h1>`}
${page.body}
${isHome ? "" : neighbours(page, groups, up)}
    </main>
  </body>
</html>
`;
}

function menu(page, groups, up) {
  return groups
    .map(({ name, pages }) => {
      const items = pages.map((other) => {
        const here = other.path === page.path;
        const current = here ? ' aria-current="page"' : "";
        const link = `<a href="${up}${addressOf(other)}"${current}>${escaped(other.short ?? other.title)}</a>`;
        const parts = here ? headingsOf(page.body).filter(({ level }) => level === 2) : [];
        const inner = parts.map(({ id, html }) => `<li><a href="#${id}">${html}</a></li>`).join("");
        return `<li>${link}${inner && `<ul>${inner}</ul>`}</li>`;
      });
      return `${name && `<p>${name}</p>`}<ul>${items.join("\n")}</ul>`;
    })
    .join("\n");
}

/** Returns the links to the previous and the next page. */
function neighbours(page, groups, up) {
  const pages = groups.flatMap(({ pages }) => pages);
  const at = pages.findIndex(({ path }) => path === page.path);
  const link = (other, rel, word) => {
    if (!other) return "<span></span>";
    const title = escaped(other.short ?? other.title);
    return `<a rel="${rel}" href="${up}${addressOf(other)}"><span>${word}</span> ${title}</a>`;
  };
  const links = [link(pages[at - 1], "prev", "Previous"), link(pages[at + 1], "next", "Next")];
  return `<footer class="neighbours">${links.join("")}</footer>`;
}

export function addressOf({ path }) {
  return `${path}.html`;
}

/** Returns the headings with an id, in order. */
export function headingsOf(body) {
  const found = [];
  for (const [, id, inner] of body.matchAll(
    /<(?:section|div)\b[^>]*\bid="([^"]+)"[^>]*>\s*(<h([23])\b[^>]*>[\s\S]*?<\/h\3>)/g,
  )) {
    const html = inner.replace(/<\/?(?:h[23]|a)\b[^>]*>|<span class="mark">.*?<\/span>/g, "").trim();
    found.push({
      id,
      level: Number(inner[2]),
      html,
      text: html
        .replace(/<[^>]*>/g, "")
        .replace(/&lt;/g, "<")
        .replace(/&gt;/g, ">")
        .replace(/&amp;/g, "&"),
    });
  }
  return found;
}
