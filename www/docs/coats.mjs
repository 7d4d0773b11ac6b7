/** Writes copies of the character with other colours, for pages that swap models. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";

const ASH = [0.42, 0.46, 0.55];
const RUSSET = [1, 0.5, 0.28];
/** Base colour factors by material, for each copy. */
const COATS = {
  ash: { Fur: ASH, Hair: ASH, Knit: [0.35, 0.7, 1], Horn: [0.55, 0.55, 0.6] },
  russet: { Fur: RUSSET, Hair: RUSSET, Knit: [0.3, 0.55, 0.35], Horn: [0.8, 0.7, 0.6] },
};

const HEADER_BYTES = 12;
const CHUNK_HEADER_BYTES = 8;

export function writeCoats(glb, folder) {
  for (const [name, colors] of Object.entries(COATS)) writeFileSync(join(folder, `${name}.glb`), dyed(glb, colors));
}

function dyed(glb, colors) {
  const jsonBytes = glb.readUInt32LE(HEADER_BYTES);
  const rest = glb.subarray(HEADER_BYTES + CHUNK_HEADER_BYTES + jsonBytes);
  const json = JSON.parse(
    glb.toString("utf8", HEADER_BYTES + CHUNK_HEADER_BYTES, HEADER_BYTES + CHUNK_HEADER_BYTES + jsonBytes),
  );
  for (const [name, color] of Object.entries(colors)) {
    const material = json.materials.find((material) => material.name === name);
    if (!material) throw new Error(`the character has no material called ${name} to dye`);
    material.pbrMetallicRoughness = { ...material.pbrMetallicRoughness, baseColorFactor: [...color, 1] };
  }
  const text = Buffer.from(JSON.stringify(json));
  // glTF requires chunk lengths that are multiples of 4, and pads JSON with spaces.
  const chunk = Buffer.concat([text, Buffer.alloc(-text.length & 3, " ")]);
  const head = Buffer.from(glb.subarray(0, HEADER_BYTES + CHUNK_HEADER_BYTES));
  head.writeUInt32LE(head.length + chunk.length + rest.length, 8);
  head.writeUInt32LE(chunk.length, HEADER_BYTES);
  return Buffer.concat([head, chunk, rest]);
}
