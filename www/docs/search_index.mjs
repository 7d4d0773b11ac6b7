/**
 * The search index of the documentation: an entry for each page, section, member and code, with its words.
 *
 * `keywords` are additional search terms, single words separated by commas: a line in the comment at the start of a
 * page, or the attribute `data-keywords` of a section.
 */

import { addressOf, headingsOf } from "./shell.mjs";

/**
 * Returns the entries: `title`; `of`, the page or group that contains it; `url`, relative to the documentation; and
 * `keys` and `text`, words in lower case.
 */
export function searchIndex(groups) {
  return groups.flatMap(({ name, pages }) => pages.flatMap((page) => entriesOf(page, name)));
}

function entriesOf(page, group) {
  const url = addressOf(page);
  const places = placesIn(page.body);
  const end = (at) => places[at + 1]?.from ?? page.body.length;
  return [
    entry({
      title: page.title,
      of: group,
      url,
      keys: page.keywords,
      html: `${page.about} ${page.body.slice(0, end(-1))}`,
    }),
    ...places.map(({ id, title, keys, from }, at) =>
      entry({ title, of: page.title, url: `${url}#${id}`, keys, html: page.body.slice(from, end(at)) }),
    ),
  ];
}

/** Returns the link targets of a page, in order: headings, and rows of tables and lists. */
function placesIn(body) {
  const headings = headingsOf(body).map(({ id, text }) => [id, text]);
  const rows = [...body.matchAll(/<(?:dt|tr) id="([^"]+)">\s*<(?:a[^>]*|th[^>]*)><code>([^<]+)/g)].map(
    ([, id, text]) => [id, text],
  );
  return [...headings, ...rows]
    .map(([id, title]) => {
      const from = body.indexOf(` id="${id}"`);
      const tag = body.slice(from, body.indexOf(">", from));
      return { id, title, from, keys: /data-keywords="([^"]*)"/.exec(tag)?.[1] };
    })
    .sort((a, b) => a.from - b.from);
}

function entry({ title, of, url, keys, html }) {
  const listed = normal(keys ?? "")
    .split(/[,\s]+/)
    .filter(Boolean);
  return { title, of, url, ...(listed.length > 0 && { keys: listed }), text: wordsOf(html) };
}

/** Returns the distinct words of a text, separated by spaces. */
function wordsOf(html) {
  const text = html.replace(/<[^>]*>/g, " ").replace(/&\w+;/g, " ");
  return [...new Set(normal(text).match(/[\p{L}\p{N}_]{2,}/gu))].join(" ");
}

/** Normalizes a text like `plain` in `site.ts`, so that an attribute and its property are the same word. */
function normal(text) {
  return text.toLowerCase().replaceAll("-", "");
}
