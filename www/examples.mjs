/** The code that a page of the documentation shows, by name. Whoever runs or checks it takes it from the page itself. */

export function examplesOf(html) {
  const blocks = html.matchAll(/<pre data-example="([\w-]+)"><code>(.*?)<\/code><\/pre>/gs);
  return new Map(Array.from(blocks, ([, name, code]) => [name, unescape(code)]));
}

/** A module with a function for each: what it may name are its arguments. */
export function moduleOf(examples) {
  const functions = Array.from(
    examples,
    ([name, code]) => `${JSON.stringify(name)}: async (player, GambolError, console) => {\n${code}\n},`,
  );
  return `export const examples = {\n${functions.join("\n")}\n};\n`;
}

const ENTITIES = { "&lt;": "<", "&gt;": ">", "&amp;": "&" };

export function unescape(html) {
  return html.replace(/&\w+;/g, (entity) => {
    const letter = ENTITIES[entity];
    if (!letter) throw new Error(`the documentation uses ${entity}, which nobody translates`);
    return letter;
  });
}
