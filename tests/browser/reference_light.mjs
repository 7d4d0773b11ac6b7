/**
 * The lighting of the shaders in double precision by an environment that is linear in the direction, for which the
 * integrals are known, and the clear coat by the formulas of KHR_materials_clearcoat
 * (appendix B of glTF 2.0 and the extension's text): slow and simple, for comparison with pictures.
 */

import { panoramaOf } from "./panorama.mjs";

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const scaled = (a, factor) => a.map((value) => value * factor);
const sum = (...vectors) => vectors.reduce((a, b) => a.map((value, i) => value + b[i]));
const times = (a, b) => a.map((value, i) => value * b[i]);
const mixed = (a, b, share) => a.map((value, i) => value + (b[i] - value) * share);
const clamped = (value, low = 0, high = 1) => Math.min(high, Math.max(low, value));
export const unit = (a) => scaled(a, 1 / Math.hypot(...a));

/** Light from a direction: `light[0]`, and the slopes `light[1]` to `light[3]` along x, y and z. */
const GRADIENT = [
  [0.7, 0.75, 0.8],
  [0.25, 0.1, -0.2],
  [0.3, 0.4, 0.5],
  [0.1, 0.15, 0.05],
];

/** Returns the light that the gradient sends from a direction, whose length is that of the average over a lobe. */
function lightFrom(direction) {
  return sum(GRADIENT[0], ...direction.map((part, axis) => scaled(GRADIENT[axis + 1], part)));
}

/** Returns the gradient as a panorama. */
export const gradientFile = () => panoramaOf(lightFrom);

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

/** Returns what a screen shows of linear light, by the tone mapper. */
export const TONES = {
  neutral(linear) {
    const least = Math.min(...linear);
    const offset = least < 0.08 ? least - 6.25 * least * least : 0.04;
    const color = linear.map((value) => value - offset);
    const peak = Math.max(...color);
    const start = 0.76;
    if (peak < start) return color;
    const room = 1 - start;
    const newPeak = 1 - (room * room) / (peak + room - start);
    const whiteness = 1 - 1 / (0.15 * (peak - newPeak) + 1);
    return mixed(scaled(color, newPeak / peak), [newPeak, newPeak, newPeak], whiteness);
  },

  /** Stephen Hill's fit of the reference rendering and output device transforms. */
  aces(linear) {
    const light = product(
      [
        [0.59719, 0.35458, 0.04823],
        [0.076, 0.90834, 0.01566],
        [0.0284, 0.13383, 0.83777],
      ],
      scaled(linear, 1 / 0.6),
    );
    const bent = light.map((v) => (v * (v + 0.0245786) - 0.000090537) / (v * (0.983729 * v + 0.432951) + 0.238081));
    return product(
      [
        [1.60475, -0.53108, -0.07367],
        [-0.10208, 1.10813, -0.00605],
        [-0.00327, -0.07276, 1.07602],
      ],
      bent,
    );
  },

  /** AgX, whose curve is a polynomial of the light's logarithm, in the primaries of Rec. 2020. */
  agx(linear) {
    const wide = product(
      [
        [0.6274, 0.3293, 0.0433],
        [0.0691, 0.9195, 0.0113],
        [0.0164, 0.088, 0.8956],
      ],
      linear,
    );
    const inset = product(
      [
        [0.856627153315983, 0.0951212405381588, 0.0482516061458583],
        [0.137318972929847, 0.761241990602591, 0.101439036467562],
        [0.11189821299995, 0.0767994186031903, 0.811302368396859],
      ],
      wide,
    );
    const curve = inset.map((value) => {
      const x = clamped((Math.log2(Math.max(value, 1e-10)) + 12.47393) / (12.47393 + 4.026069));
      return [15.5, -40.14, 31.96, -6.868, 0.4298, 0.1191, -0.00232].reduce((sum, factor) => sum * x + factor, 0);
    });
    const outset = product(
      [
        [1.1271005818144368, -0.11060664309660323, -0.016493938717834573],
        [-0.1413297634984383, 1.157823702216272, -0.016493938717834257],
        [-0.14132976349843826, -0.11060664309660294, 1.2519364065950405],
      ],
      curve,
    );
    return product(
      [
        [1.6605, -0.5876, -0.0728],
        [-0.1246, 1.1329, -0.0083],
        [-0.0182, -0.1006, 1.1187],
      ],
      outset.map((value) => Math.max(value, 0) ** 2.2),
    );
  },

  linear: (linear) => linear,
};

const product = (rows, vector) => rows.map((row) => dot(row, vector));

/** Returns the pixel of linear light, from 0 to 255: toned, then in sRGB. */
export const pixelOf = (linear, tone = "neutral") => encoded(TONES[tone](linear));

/** Returns light that a screen shows in sRGB, from 0 to 255. */
export function encoded(shown) {
  return shown.map((value) => {
    const within = clamped(value);
    return 255 * (within <= 0.0031308 ? within * 12.92 : 1.055 * within ** (1 / 2.4) - 0.055);
  });
}

/** Returns the light that a screen shows for numbers in sRGB, from 0 to 255. */
export function decoded(pixel) {
  return pixel.map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
}
