/** Generates the list of material properties from the table in the crate, so that it can't contradict the importer. */

import { readFileSync } from "node:fs";
import { join } from "node:path";

import { escaped } from "./highlight.mjs";

/** Words for the kinds of values in the table. */
const KINDS = {
  Color: "colours, sRGB",
  Data: "numbers",
  Normal: "normals",
  Unit: "0 to 1",
  Positive: "0 or more",
  Any: "any number",
};

/** Defaults that aren't numbers in the table. */
const DEFAULTS = { "Vec4::ONE": "1, 1, 1, 1", "Vec3::ONE": "1, 1, 1", "Vec3::ZERO": "0, 0, 0", "f32::MAX": "infinite" };

/**
 * Returns `{ extension, properties }` for the core, whose extension is empty, and for each extension that is drawn.
 *
 * @param table text of `src/model/material_table.rs`
 */
export function materialFeatures(table) {
  const features = [];
  const rows = table.slice(
    table.lastIndexOf("materials! {"),
    table.indexOf("\n}\n", table.lastIndexOf("materials! {")),
  );
  for (const line of rows.split("\n").slice(1)) {
    const feature = /^ {4}\w+ "(?:extensions\/(\w+)\/)?" when /.exec(line);
    const texture = /^ +\w+: (\w+), "([\w/]+)", "[^"]+";$/.exec(line);
    const factor = /^ +\w+: \w+ = ([^,]+), (\w+), "([\w/]+)";$/.exec(line);
    if (feature) features.push({ extension: feature[1] ?? "", properties: [] });
    const { properties } = features.at(-1);
    if (texture) properties.push({ path: texture[2], kind: KINDS[texture[1]], default: "none" });
    if (factor) properties.push({ path: factor[3], kind: KINDS[factor[2]], default: numbers(factor[1]) });
    const known = feature || texture || factor || /^ *(textures \{|factors \{|\}|\/\/\/ .*|)$/.test(line);
    if (!known || properties.some(({ kind }) => !kind)) throw new Error(`src/model/material_table.rs: ${line}`);
  }
  return features;
}

function numbers(written) {
  const number = DEFAULTS[written] ?? Number(written);
  if (Number.isNaN(number)) throw new Error(`src/model/material_table.rs: www/docs/materials.mjs lacks ${written}`);
  return `${number}`;
}

/** Returns the table of the page “File formats”. */
export function materialTable(crate) {
  const features = materialFeatures(readFileSync(join(crate, "model/material_table.rs"), "utf8"));
  const body = features.map(({ extension, properties }) => {
    const rows = properties.map(
      ({ path, kind, default: value }) =>
        `<tr><td><code>${escaped(path.replaceAll("/", "."))}</code></td><td>${kind}</td><td>${value}</td></tr>`,
    );
    const title = extension ? `<code>${extension}</code>` : "core of glTF 2.0";
    return `<tbody><tr><th scope="rowgroup" colspan="3">${title}</th></tr>\n${rows.join("\n")}\n</tbody>`;
  });
  const head = ["property", "values", "default"].map((name) => `<th scope="col">${name}</th>`).join("");
  const table = `<table><thead><tr>${head}</tr></thead>\n${body.join("\n")}</table>`;
  return `<div class="table" tabindex="0" role="region" aria-label="Material properties">${table}</div>`;
}
