/** Extracts the example code of a documentation page, by name. Tests and the page itself run this code. */

export function examplesOf(html) {
  const blocks = html.matchAll(/<pre data-example="([\w-]+)"><code>(.*?)<\/code><\/pre>/gs);
  return new Map(Array.from(blocks, ([, name, code]) => [name, unescaped(code)]));
}

/** Returns a module with a function for each example. An example can use only the function's arguments and globals. */
export function moduleOf(examples) {
  const functions = Array.from(
    examples,
    ([name, code]) => `${JSON.stringify(name)}: async (player, GambolError, console) => {\n${code}\n},`,
  );
  return `export const examples = {\n${functions.join("\n")}\n};\n`;
}

const ENTITIES = { "&lt;": "<", "&gt;": ">", "&amp;": "&" };

export function unescaped(html) {
  return html.replace(/&\w+;/g, (entity) => {
    const letter = ENTITIES[entity];
    if (!letter) throw new Error(`the documentation uses ${entity}, which nobody translates`);
    return letter;
  });
}
