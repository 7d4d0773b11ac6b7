/**
 * The index that the search of the pages reads: an entry for each page, section, member and code, with the words in it.
 *
 * `keywords` are single words that people search for and that the text doesn't stress: a line in the comment that begins a
 * page, or the attribute `data-keywords` of a section. Commas separate them.
 */

import { addressOf, headingsOf } from "./shell.mjs";

/** `title` and the page `of` which it is, `url` relative to the documentation, `keys` and `text`: words in lower case. */
export function searchIndex(groups) {
  return groups.flatMap(({ name, pages }) => pages.flatMap((page) => entriesOf(page, name)));
}

function entriesOf(page, group) {
  const url = addressOf(page);
  const places = placesIn(page.body);
  const end = (at) => places[at + 1]?.from ?? page.body.length;
  return [
    entry({ title: page.title, of: group, url, keys: page.keywords, html: `${page.about} ${page.body.slice(0, end(-1))}` }),
    ...places.map(({ id, title, keys, from }, at) => entry({ title, of: page.title, url: `${url}#${id}`, keys, html: page.body.slice(from, end(at)) })),
  ];
}

/** What can be gone to, in order. */
function placesIn(body) {
  const headings = headingsOf(body).map(({ id, text }) => [id, text]);
  const rows = [...body.matchAll(/<(?:dt|tr) id="([^"]+)">\s*<(?:a[^>]*|th[^>]*)><code>([^<]+)/g)].map(([, id, text]) => [id, text]);
  return [...headings, ...rows]
    .map(([id, title]) => {
      const from = body.indexOf(` id="${id}"`);
      const tag = body.slice(from, body.indexOf(">", from));
      return { id, title, from, keys: /data-keywords="([^"]*)"/.exec(tag)?.[1] };
    })
    .sort((a, b) => a.from - b.from);
}

function entry({ title, of, url, keys, html }) {
  const listed = normal(keys ?? "").split(/[,\s]+/).filter(Boolean);
  return { title, of, url, ...(listed.length > 0 && { keys: listed }), text: wordsOf(html) };
}

/** Each word once. */
function wordsOf(html) {
  const text = html.replace(/<[^>]*>/g, " ").replace(/&\w+;/g, " ");
  return [...new Set(normal(text).match(/[\p{L}\p{N}_]{2,}/gu))].join(" ");
}

/** Normalizes a text as `site.ts` does, so that an attribute and its property are one word. */
function normal(text) {
  return text.toLowerCase().replaceAll("-", "");
}
