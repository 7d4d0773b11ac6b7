/**
 * The lighting of the shaders in double precision by an environment that is linear in the direction, for which the
 * integrals are known, and the clear coat by the formulas of KHR_materials_clearcoat
 * (appendix B of glTF 2.0 and the extension's text): slow and simple, for comparison with pictures.
 */

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const scaled = (a, factor) => a.map((value) => value * factor);
const sum = (...vectors) => vectors.reduce((a, b) => a.map((value, i) => value + b[i]));
const times = (a, b) => a.map((value, i) => value * b[i]);
const mixed = (a, b, share) => a.map((value, i) => value + (b[i] - value) * share);
const clamped = (value, low = 0, high = 1) => Math.min(high, Math.max(low, value));
export const unit = (a) => scaled(a, 1 / Math.hypot(...a));

/** Light from a direction: `light[0]`, and the slopes `light[1]` to `light[3]` along x, y and z. */
export const GRADIENT = [
  [0.7, 0.75, 0.8],
  [0.25, 0.1, -0.2],
  [0.3, 0.4, 0.5],
  [0.1, 0.15, 0.05],
];

/** Returns the light that the gradient sends from a direction, whose length is that of the average over a lobe. */
function lightFrom(direction) {
  return sum(GRADIENT[0], ...direction.map((part, axis) => scaled(GRADIENT[axis + 1], part)));
}

/** Returns the gradient as a panorama: the bytes of an `.hdr` without runs. */
export function gradientFile() {
  const [width, height] = [256, 128];
  const pixels = Buffer.alloc(width * height * 4);
  for (let y = 0; y < height; y++) {
    const latitude = (0.5 - (y + 0.5) / height) * Math.PI;
    for (let x = 0; x < width; x++) {
      const longitude = ((x + 0.5) / width - 0.5) * 2 * Math.PI;
      const around = Math.cos(latitude);
      const light = lightFrom([around * Math.cos(longitude), Math.sin(latitude), around * Math.sin(longitude)]);
      const exponent = Math.floor(Math.log2(Math.max(...light))) + 1;
      const mantissas = light.map((part) => Math.min(255, Math.round((part * 256) / 2 ** exponent)));
      pixels.set([...mantissas, exponent + 128], (y * width + x) * 4);
    }
  }
  const head = `#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y ${height} +X ${width}\n`;
  return Buffer.concat([Buffer.from(head), pixels]);
}

/** Returns the light that a lobe around a direction reflects, by the levels of the map. */
function reflectedGradient(direction, roughness) {
  const level = Math.sqrt(20 * roughness + 0.25) - 0.5;
  const [low, high] = [Math.floor(level), Math.ceil(level)].map((whole) => lobeLength((whole * (whole + 1)) / 20));
  return lightFrom(scaled(direction, low + (high - low) * (level % 1)));
}

/** Returns the length of the average direction of GGX's reflection lobe, seen straight on. */
function lobeLength(roughness) {
  const alpha2 = roughness ** 4;
  const steps = 20000;
  let [whole, length] = [0, 0];
  for (let step = 0; step < steps && roughness > 0; step++) {
    const facing = (step + 0.5) / steps;
    const share = facing / (((1 + facing) / 2) * (alpha2 - 1) + 1) ** 2;
    whole += share;
    length += share * facing;
  }
  return roughness > 0 ? length / whole : 1;
}

/** Returns the light that a white, matt surface scatters: two thirds of the slope are left. */
const diffuseGradient = (normal) => lightFrom(scaled(normal, 2 / 3));

/** Returns the axis of the reflection lobe: the mirrored direction, bent towards the normal on rough surfaces. */
function lobeOf(normal, view, roughness) {
  const mirrored = sum(scaled(normal, 2 * dot(normal, view)), scaled(view, -1));
  return unit(mixed(mirrored, normal, roughness ** 4));
}

/**
 * Returns the factor of the specular colour and what is added to it: the integral of GGX with Smith's height-correlated
 * shadowing and Schlick's Fresnel, over facets in rings.
 */
export function reflectance(roughness, facing) {
  const alpha2 = roughness ** 4;
  const aside = Math.sqrt(1 - facing * facing);
  const reach = (cosine) => Math.sqrt(cosine * cosine * (1 - alpha2) + alpha2);
  const [rings, turns] = [200, 32];
  let [scale, bias] = [0, 0];
  for (let ring = 0; ring < rings; ring++) {
    const high = (ring + 0.5) / rings;
    const cosine = Math.sqrt((1 - high) / (1 + (alpha2 - 1) * high));
    for (let turn = 0; turn < turns; turn++) {
      const x = Math.sqrt(1 - cosine * cosine) * Math.cos((Math.PI * (turn + 0.5)) / turns);
      const towards = Math.max(0, aside * x + facing * cosine);
      const lit = 2 * towards * cosine - facing;
      if (lit <= 0) continue;
      const share = (2 * lit * towards) / cosine / (lit * reach(facing) + facing * reach(lit)) / (rings * turns);
      const fresnel = (1 - towards) ** 5;
      scale += share * (1 - fresnel);
      bias += share * fresnel;
    }
  }
  return [scale, bias];
}

/** Returns the light that a surface without a coat reflects. Nothing casts a shadow on it. */
function reflectedLight({ normal, view, color, metallic, roughness, occlusion }) {
  const facing = clamped(dot(normal, view), 0.001, 1);
  const [scale, bias] = reflectance(roughness, facing);
  const lost = 1 - (scale + bias);
  const reflects = (specular) =>
    specular.map((value) => {
      const once = value * scale + bias;
      const average = value + (1 - value) / 21;
      return once + (once * average * lost) / (1 - average * lost);
    });
  const clear = reflects([0.04, 0.04, 0.04]);
  const share = mixed(clear, reflects(color), metallic);
  const reflected = times(share, reflectedGradient(lobeOf(normal, view, roughness), roughness));
  const left = clear.map((value) => (1 - value) * (1 - metallic));
  const scattered = times(color, times(left, diffuseGradient(normal)));
  return sum(scaled(scattered, occlusion), scaled(reflected, 1 + (occlusion - 1) * roughness));
}

/**
 * Returns the linear light of a surface with a coat: `coated_material = fresnel_coat(weight = clearcoat, ior = 1.5,
 * normal = clearcoatNormal, base, layer = specular_brdf(clearcoatRoughness²))`, with the emission below the coat.
 */
export function coatedLight(surface) {
  const { view, emissive, occlusion, clearcoat, clearcoatRoughness, clearcoatNormal } = surface;
  const base = sum(reflectedLight(surface), emissive);
  if (clearcoat === 0) return base;
  const roughness = clamped(clearcoatRoughness, 0, 1);
  const f0 = ((1 - 1.5) / (1 + 1.5)) ** 2;
  const fresnel = f0 + (1 - f0) * (1 - Math.abs(dot(view, clearcoatNormal))) ** 5;
  const open = 1 + (occlusion - 1) * roughness;
  const layer = scaled(reflectedGradient(lobeOf(clearcoatNormal, view, roughness), roughness), open);
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
