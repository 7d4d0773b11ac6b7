/** Highlights code when the pages are built, so that they need no script for it. */

const KEYWORDS =
  "async await break case catch class const continue declare default else export extends false finally for from " +
  "function if import in instanceof interface let new null of return static switch this throw true try type typeof " +
  "undefined void while yield readonly get set";

const TYPESCRIPT = [
  ["comment", /\/\/[^\n]*|\/\*[\s\S]*?\*\//],
  ["string", /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/],
  ["keyword", new RegExp(`\\b(?:${KEYWORDS.replaceAll(" ", "|")})\\b`)],
  ["number", /\b\d[\d_.]*\b/],
];

const LANGUAGES = {
  ts: TYPESCRIPT,
  tsx: [["tag", /<\/?[\w.-]+(?=[\s>/])|\/>/], ...TYPESCRIPT],
  json: [
    ["name", /"(?:\\.|[^"\\\n])*"(?=\s*:)/],
    ["string", /"(?:\\.|[^"\\\n])*"/],
    ["keyword", /\b(?:true|false|null)\b/],
    ["number", /-?\b\d[\d.]*\b/],
  ],
  css: [
    ["comment", /\/\*[\s\S]*?\*\//],
    ["string", /"[^"\n]*"/],
    ["keyword", /@[\w-]+/],
    ["name", /[\w-]+(?=:\s)/],
    ["number", /#[\da-f]{3,8}\b|-?\b\d[\d.]*(?:%|[a-z]+)?/],
  ],
  html: [
    ["comment", /<!--[\s\S]*?-->/],
    ["tag", /<\/?[\w-]+|\/?>/],
    ["string", /"[^"]*"/],
    ["name", /\b[\w-]+(?==)/],
  ],
  sh: [["comment", /#[^\n]*/]],
  http: [
    ["name", /^[\w-]+(?=:)/m],
    ["string", /'[\w-]+'/],
  ],
};

/** Returns code as HTML. Code in an unknown language is only escaped. */
export function highlighted(code, language) {
  const kinds = LANGUAGES[language];
  if (!kinds) return escaped(code);
  const any = new RegExp(kinds.map(([, pattern]) => `(${pattern.source})`).join("|"), "gm");
  let html = "";
  let at = 0;
  for (const match of code.matchAll(any)) {
    const kind = kinds[match.slice(1).findIndex((text) => text !== undefined)][0];
    html += `${escaped(code.slice(at, match.index))}<span class="${kind}">${escaped(match[0])}</span>`;
    at = match.index + match[0].length;
  }
  return html + escaped(code.slice(at));
}

export function escaped(text) {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
}
