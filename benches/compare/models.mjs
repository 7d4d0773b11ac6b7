/** The thirty models that are compared: characters of several styles, props, and models that test materials. */

import { existsSync } from "node:fs";
import { join } from "node:path";

import { root } from "../../www/toolchain.mjs";

/** The folder of models that other projects made. */
const folder = process.env.GAMBOL_MODELS ?? join(root, "../shared/models");

const khronos = (name) => `gltf/khronos/${name}/glTF-Binary/${name}.glb`;

/** Paths in the folder. The name of a model is that of its file, without the extension. */
const PATHS = [
  khronos("Fox"),
  khronos("CesiumMan"),
  "gltf/kaykit/Knight.glb",
  "gltf/robot-expressive/RobotExpressive.glb",
  "gltf/kenney/character.glb",
  "gltf/quaternius/platformer_game_pack_Character.glb",
  "gltf/quaternius/cyberpunk_pack_Enemy_Flying.glb",
  "vrm/Godette_vrm_v4.vrm",
  "gltf/luanti/gltf_spider_animated.gltf",
  khronos("RiggedSimple"),
  khronos("MorphPrimitivesTest"),
  "gltf/gdx/pbrTest.gltf",
  khronos("GlamVelvetSofa"),
  khronos("IridescenceSuzanne"),
  "gltf/khronos/LightsPunctualLamp/glTF/LightsPunctualLamp.gltf",
  khronos("ClearCoatCarPaint"),
  khronos("ClearCoatTest"),
  khronos("MetalRoughSpheresNoTextures"),
  khronos("SpecularTest"),
  khronos("AnisotropyStrengthTest"),
  khronos("TransmissionTest"),
  khronos("TransmissionRoughnessTest"),
  khronos("AttenuationTest"),
  khronos("EmissiveStrengthTest"),
  khronos("AlphaBlendModeTest"),
  khronos("NegativeScaleTest"),
  khronos("OrientationTest"),
  khronos("VertexColorTest"),
  khronos("UnlitTest"),
  "gltf/blender-io/19_sheen/19_sheen.gltf",
];

/** Models whose face looks towards −z, as the format VRM 0.x has it. They are seen from there. */
const FROM_BEHIND = ["Godette_vrm_v4"];

export const MODELS = PATHS.map((path) => {
  const name = path.slice(path.lastIndexOf("/") + 1, path.lastIndexOf("."));
  return { name, path, fromBehind: FROM_BEHIND.includes(name) };
});

/** Returns the folder of models. Throws if it isn't there. */
export function modelsFolder() {
  if (existsSync(folder)) return folder;
  throw new Error(`there is no ${folder}, whose models are compared; GAMBOL_MODELS names another folder`);
}

/** Returns the models with one of these names, or all if there are none. Throws for a name that no model has. */
export function modelsNamed(names) {
  const unknown = names.find((name) => !MODELS.some((model) => model.name === name));
  if (unknown) throw new Error(`${unknown} is not a model; there are ${MODELS.map(({ name }) => name).join(", ")}`);
  return MODELS.filter(({ name }) => names.length === 0 || names.includes(name));
}
