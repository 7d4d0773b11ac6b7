/**
 * The lighting of the shaders in double precision, and the clear coat by the formulas of KHR_materials_clearcoat
 * (appendix B of glTF 2.0 and the extension's text): slow and simple, for comparison with pictures.
 */

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const scaled = (a, factor) => a.map((value) => value * factor);
const sum = (...vectors) => vectors.reduce((a, b) => a.map((value, i) => value + b[i]));
const times = (a, b) => a.map((value, i) => value * b[i]);
const mixed = (a, b, share) => a.map((value, i) => value + (b[i] - value) * share);
const clamped = (value, low = 0, high = 1) => Math.min(high, Math.max(low, value));
export const unit = (a) => scaled(a, 1 / Math.hypot(...a));

const smoothstep = (low, high, value) => {
  const t = clamped((value - low) / (high - low));
  return t * t * (3 - 2 * t);
};

const SOFT_BOXES = [
  { towards: [-0.5345, 0.5345, 0.6547], right: [0.7746, 0, 0.6325], half: [0.3, 0.36], light: [6.6, 6.2, 5.7] },
  { towards: [0.9231, 0.2308, 0.3077], right: [0.3162, 0, -0.9487], half: [0.14, 0.48], light: [2, 2.2, 2.5] },
  { towards: [0.3015, 0.3015, -0.9045], right: [-0.9487, 0, -0.3162], half: [0.6, 0.1], light: [5, 5.2, 5.6] },
  { towards: [0, 1, 0], right: [1, 0, 0], half: [0.4, 0.4], light: [0.9, 0.9, 0.9] },
];
const KEY_LIGHT = [1.05, 0.98, 0.9];
const TOWARDS_KEY_LIGHT = [-0.358066, 0.832711, 0.422352];

function walls(direction, blur) {
  const softness = 0.25 + (1.2 - 0.25) * blur;
  const up = smoothstep(-softness, softness, direction[1]);
  const glow = (0.2 + (0.06 - 0.2) * blur) * (1 - smoothstep(0, 0.5 + softness, Math.abs(direction[1])));
  return mixed([0.1, 0.095, 0.09], [0.26, 0.275, 0.3], up).map((value) => value + glow);
}

/** Returns the light of the studio from a direction, blurred for a roughness. */
function reflectedStudio(direction, roughness) {
  const blur = 0.02 + 1.1 * roughness * roughness;
  const boxes = SOFT_BOXES.map((box) => {
    const place = [dot(direction, box.right), dot(direction, cross(box.towards, box.right))];
    const inside = place.map(
      (at, i) => smoothstep(-blur, blur, at + box.half[i]) - smoothstep(-blur, blur, at - box.half[i]),
    );
    const share = inside[0] * inside[1] * smoothstep(-0.2, 0.3 + blur, dot(direction, box.towards) + 0.1);
    return scaled(box.light, share);
  });
  return sum(walls(direction, roughness), ...boxes);
}

function diffuseStudio(normal) {
  const boxes = SOFT_BOXES.map(({ towards, half, light }) => {
    const facing = Math.max(dot(normal, towards) + 0.2, 0) / 1.2;
    return scaled(light, (facing * 4 * half[0] * half[1]) / Math.PI);
  });
  return sum(walls(normal, 1), ...boxes);
}

/** Returns GGX's distribution times Smith's visibility for the key light. */
function keyLobe(normal, view, roughness) {
  const alpha2 = Math.max(roughness * roughness, 0.02) ** 2;
  const facing = clamped(dot(normal, view), 0.001, 1);
  const facingLight = clamped(dot(normal, TOWARDS_KEY_LIGHT));
  const half = clamped(dot(normal, unit(sum(TOWARDS_KEY_LIGHT, view))));
  const distribution = alpha2 / (Math.PI * (half * half * (alpha2 - 1) + 1) ** 2);
  const visibility =
    0.5 /
    (facingLight * Math.sqrt(facing * facing * (1 - alpha2) + alpha2) +
      facing * Math.sqrt(facingLight * facingLight * (1 - alpha2) + alpha2) +
      1e-4);
  return distribution * visibility;
}

const mirrored = (normal, view) => sum(scaled(normal, 2 * dot(normal, view)), scaled(view, -1));

/** Returns the light that a surface without a coat reflects. Nothing casts a shadow on it. */
function reflectedLight({ normal, view, color, metallic, roughness, occlusion }) {
  const specular = mixed([0.04, 0.04, 0.04], color, metallic);
  const diffuse = scaled(color, 1 - metallic);
  const facing = clamped(dot(normal, view), 0.001, 1);

  const r = [-1, -0.0275, -0.572, 0.022].map((a, i) => roughness * a + [1, 0.0425, 1.04, -0.04][i]);
  const a = Math.min(r[0] * r[0], 2 ** (-9.28 * facing)) * r[0] + r[1];
  const [scale, bias] = [-1.04 * a + r[2], 1.04 * a + r[3]];
  const lost = 1 - (scale + bias);
  const share = specular.map((value) => {
    const once = value * scale + bias;
    const average = value + (1 - value) / 21;
    return once + (once * average * lost) / (1 - average * lost);
  });
  const environment = times(share, reflectedStudio(mirrored(normal, view), roughness));
  const scattered = times(
    diffuse,
    times(
      share.map((value) => 1 - value),
      diffuseStudio(normal),
    ),
  );
  const open = 1 + (occlusion - 1) * roughness;

  const grazing = (1 - clamped(dot(unit(sum(TOWARDS_KEY_LIGHT, view)), view))) ** 5;
  const fresnel = specular.map((value) => value + (1 - value) * grazing);
  const lobe = keyLobe(normal, view, roughness);
  const key = diffuse.map((value, i) => (value * (1 - fresnel[i])) / Math.PI + fresnel[i] * lobe);
  const facingLight = clamped(dot(normal, TOWARDS_KEY_LIGHT));
  return sum(scaled(scattered, occlusion), scaled(environment, open), scaled(times(KEY_LIGHT, key), facingLight));
}

/**
 * Returns the linear light of a surface with a coat: `coated_material = fresnel_coat(weight = clearcoat, ior = 1.5,
 * normal = clearcoatNormal, base, layer = specular_brdf(clearcoatRoughness²))`, with the emission below the coat.
 */
export function coatedLight(surface) {
  const { view, emissive, occlusion, clearcoat, clearcoatRoughness, clearcoatNormal } = surface;
  const base = sum(reflectedLight(surface), emissive);
  if (clearcoat === 0) return base;
  const roughness = clamped(clearcoatRoughness, 0.03, 1);
  const f0 = ((1 - 1.5) / (1 + 1.5)) ** 2;
  const fresnel = f0 + (1 - f0) * (1 - Math.abs(dot(view, clearcoatNormal))) ** 5;
  const open = 1 + (occlusion - 1) * roughness;
  const facingLight = clamped(dot(clearcoatNormal, TOWARDS_KEY_LIGHT));
  const layer = sum(
    scaled(reflectedStudio(mirrored(clearcoatNormal, view), roughness), open),
    scaled(KEY_LIGHT, facingLight * keyLobe(clearcoatNormal, view, roughness)),
  );
  return mixed(base, layer, clearcoat * fresnel);
}

/** Returns the pixel of linear light: Khronos PBR Neutral, then sRGB, from 0 to 255. */
export function pixelOf(linear) {
  const least = Math.min(...linear);
  const offset = least < 0.08 ? least - 6.25 * least * least : 0.04;
  let color = linear.map((value) => value - offset);
  const peak = Math.max(...color);
  const start = 0.76;
  if (peak >= start) {
    const room = 1 - start;
    const newPeak = 1 - (room * room) / (peak + room - start);
    const whiteness = 1 - 1 / (0.15 * (peak - newPeak) + 1);
    color = mixed(scaled(color, newPeak / peak), [newPeak, newPeak, newPeak], whiteness);
  }
  return color.map((value) => {
    const within = clamped(value);
    return 255 * (within <= 0.0031308 ? within * 12.92 : 1.055 * within ** (1 / 2.4) - 0.055);
  });
}
