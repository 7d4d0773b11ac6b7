/**
 * The light of materials with extensions in simple surroundings, in double precision, by the formulas of the
 * extensions' texts: slow and simple, for comparison with pictures. Only the sheen's share of light is that of the
 * shaders, since they approximate an integral.
 */

import { encoded, reflectance, TONES } from "./reference_light.mjs";

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const mixed = (a, b, share) => a.map((value, i) => value + (b[i] - value) * share);
const times = (a, b) => a.map((value, i) => value * b[i]);
const unit = (a) => a.map((value) => value / Math.hypot(...a));
const reflection = (normal, view) => normal.map((value, i) => 2 * dot(normal, view) * value - view[i]);
const clamped = (value, low = 0, high = 1) => Math.min(high, Math.max(low, value));

/** Values of materials without extensions. */
export const DEFAULTS = {
  clearcoatFactor: 0,
  clearcoatRoughnessFactor: 0,
  ior: 1.5,
  specularFactor: 1,
  specularColorFactor: [1, 1, 1],
  sheenColorFactor: [0, 0, 0],
  sheenRoughnessFactor: 0,
  iridescenceFactor: 0,
  iridescenceIor: 1.3,
  iridescenceThicknessMinimum: 100,
  iridescenceThicknessMaximum: 400,
  // What the texture of the thickness multiplies.
  thicknessShare: 1,
  anisotropyStrength: 0,
  anisotropyRotation: 0,
  transmissionFactor: 0,
  thicknessFactor: 0,
  attenuationColor: [1, 1, 1],
  attenuationDistance: Number.POSITIVE_INFINITY,
  dispersion: 0,
  diffuseTransmissionFactor: 0,
  diffuseTransmissionColorFactor: [1, 1, 1],
};

/** Values of `KHR_materials_pbrSpecularGlossiness` without properties. */
export const GLOSSY_DEFAULTS = { diffuseFactor: [1, 1, 1, 1], specularFactor: [1, 1, 1], glossinessFactor: 1 };

/** Returns the fraction of light that is reflected, with the scattering between facets. */
export function reflected(f0, f90, roughness, facing) {
  const [scale, bias] = reflectance(roughness, facing);
  const lost = 1 - (scale + bias);
  return f0.map((value) => {
    const once = value * scale + f90 * bias;
    const average = value + (f90 - value) / 21;
    return once + (once * average * lost) / (1 - average * lost);
  });
}

/** Returns the share of light that white fibres reflect, as the shaders approximate it. */
export function sheenShare(roughness, facing) {
  const [rough, root] = [Math.max(roughness, 0.1), Math.sqrt(facing)];
  const whole = -0.8077 + 0.0475 * facing - 0.0352 * root;
  const byRoughness = (0.7181 + 0.2549 * facing - 0.7292 * root) * rough;
  return Math.min(Math.exp(whole + byRoughness + (0.1716 - 1.258 * facing - 0.0888 * root) / rough), 1);
}

/** Returns the share of light that white fibres reflect: the integral of the formulas of KHR_materials_sheen. */
export function sheenIntegral(roughness, facing, steps = 96) {
  const alpha = roughness * roughness;
  const across = Math.sqrt(1 - facing * facing);
  const smoothness = (1 - alpha) ** 2;
  const between = (a, b) => a + (b - a) * smoothness;
  const [a, b, c] = [between(21.5473, 25.3245), between(3.82987, 3.32435), between(0.19823, 0.16801)];
  const [d, e] = [between(-1.9776, -1.27393), between(-4.32054, -4.85967)];
  const part = (x) => a / (1 + b * x ** c) + d * x + e;
  const lambda = (x) => Math.exp(x < 0.5 ? part(x) : 2 * part(0.5) - part(1 - x));
  let sum = 0;
  for (let i = 0; i < steps; i++) {
    const cosine = (i + 0.5) / steps;
    const sine = Math.sqrt(1 - cosine * cosine);
    const visibility = 1 / ((1 + lambda(facing) + lambda(cosine)) * 4 * facing * cosine);
    for (let j = 0; j < steps; j++) {
      const angle = ((j + 0.5) / steps) * Math.PI;
      const half = [across + sine * Math.cos(angle), sine * Math.sin(angle), facing + cosine];
      const sine2 = Math.max(1 - half[2] ** 2 / dot(half, half), 0);
      sum += (2 + 1 / alpha) * sine2 ** (0.5 / alpha) * visibility * cosine;
    }
  }
  // Directions are even in the cosine and in the angle.
  return sum / steps ** 2;
}

/** What `reference_lamps.mjs` returns without lamps. */
const NO_LAMPS = { light: [0, 0, 0], onFibres: [0, 0, 0], onCoat: [0, 0, 0] };

/** Light 1 from everywhere. */
const FLAT = { mirrored: () => [1, 1, 1], scattered: () => [1, 1, 1] };

/**
 * Returns the linear light of a surface, and the share of what is behind it that is seen. `values` are the properties
 * of its extensions. `room` returns the light that a mirror reflects from a direction, and the light that a matt
 * surface with a normal scatters.
 */
export function layeredLight({ base, normal, tangent, view }, values, room = FLAT, lamps = NO_LAMPS) {
  const { color, metallic = 0, emissive = [0, 0, 0] } = base;
  const roughness = clamped(base.roughness ?? 1);
  const facing = clamped(dot(normal, view), 0.001, 1);

  const atNormal = ((1 - values.ior) / (1 + values.ior)) ** 2;
  const f0 = values.specularColorFactor.map((value) => Math.min(atNormal * value, 1));
  const strong = filmed(f0, values, facing).map((value) => value * values.specularFactor);
  const dielectric = reflected(strong, values.specularFactor, roughness, facing);
  const metal = reflected(filmed(color, values, facing), 1, roughness, facing);
  const scattered = times(color, room.scattered(normal));
  const passing = times(values.diffuseTransmissionColorFactor, room.scattered(normal.map((value) => -value)));
  const diffuse = mixed(scattered, times(passing, unabsorbed(values)), values.diffuseTransmissionFactor);
  const below = diffuse.map((value) => value * (1 - values.transmissionFactor));
  const mirrored = values.anisotropyStrength
    ? stretched({ normal, tangent, view, roughness }, values, room)
    : room.mirrored(reflection(normal, view));
  let light = mixed(
    dielectric.map((value, i) => value * mirrored[i] + below[i] * (1 - Math.max(...dielectric))),
    times(metal, mirrored),
    metallic,
  );
  if (values.glossinessFactor !== undefined) light = glossy(values, facing);
  light = light.map((value, i) => value + lamps.light[i]);
  const sheen = sheenShare(values.sheenRoughnessFactor, facing);
  const left = 1 - Math.max(...values.sheenColorFactor) * sheen;
  const fibres = times(values.sheenColorFactor, room.scattered(normal));
  light = light.map((value, i) => value * left + fibres[i] * sheen + lamps.onFibres[i] + emissive[i]);
  const coat = values.clearcoatFactor * (0.04 + 0.96 * (1 - facing) ** 5);
  const kept = values.transmissionFactor && (1 - Math.max(...dielectric)) * (1 - metallic) * left * (1 - coat);
  return {
    light: mixed(light, room.mirrored(reflection(normal, view)), coat).map((value, i) => value + lamps.onCoat[i]),
    passed: times(color, unabsorbed(values)).map((value) => value * kept * values.transmissionFactor),
  };
}

/**
 * Returns the pixel of a surface, from 0 to 255, with premultiplied alpha. `behind` is the light that the screen shows
 * behind it, premultiplied, and the alpha there.
 */
export function layeredPixel(surface, values, { room = FLAT, behind = [0, 0, 0, 1] } = {}) {
  const { light, passed } = layeredLight(surface, values, room);
  const through = times(passed, behind.slice(0, 3));
  const [whole, alone] = [light.map((value, i) => value + through[i]), through].map(TONES.neutral);
  const pixel = encoded(whole.map((value, i) => value - alone[i] + through[i]));
  const alpha = 1 - ((passed[0] + passed[1] + passed[2]) / 3) * (1 - behind[3]);
  return [...pixel, Math.max(255 * alpha, ...pixel)];
}

/** Returns the light of a surface with specular colour and glossiness. */
function glossy({ diffuseFactor, specularFactor, glossinessFactor }, facing) {
  const share = reflected(specularFactor, 1, clamped(1 - glossinessFactor), facing);
  const scattered = 1 - Math.max(...specularFactor);
  return share.map((value, i) => value + diffuseFactor[i] * scattered * (1 - value));
}

/**
 * Returns the reflectance at normal incidence that stands for a surface with a thin film at an angle, by the text of
 * KHR_materials_iridescence: interference of the light that the film and the surface below reflect.
 */
function filmed(below, values, facing) {
  const { iridescenceFactor, iridescenceIor, iridescenceThicknessMinimum, iridescenceThicknessMaximum } = values;
  if (iridescenceFactor === 0) return below;
  const schlick = (f0, cosine) => f0 + (1 - f0) * (1 - cosine) ** 5;
  const between = (to, from) => ((to - from) / (to + from)) ** 2;
  const range = iridescenceThicknessMaximum - iridescenceThicknessMinimum;
  const thickness = iridescenceThicknessMinimum + range * values.thicknessShare;
  const inside = Math.sqrt(1 - (1 - facing ** 2) / iridescenceIor ** 2);
  const r12 = schlick(between(iridescenceIor, 1), facing);
  const t121 = 1 - r12;
  const path = 2 * iridescenceIor * thickness * inside;
  const perChannel = below.map((f0) => {
    const root = Math.sqrt(clamped(f0, 0, 0.9999));
    const ior = (1 + root) / (1 - root);
    const r23 = schlick(between(ior, iridescenceIor), inside);
    const r123 = clamped(r12 * r23, 1e-5, 0.9999);
    const shift = Math.PI + (ior < iridescenceIor ? Math.PI : 0);
    return { r23, r123, shift, rs: (t121 ** 2 * r23) / (1 - r123) };
  });
  const light = perChannel.map(({ rs }) => r12 + rs);
  const weights = perChannel.map(({ rs }) => rs - t121);
  for (const order of [1, 2]) {
    const shifts = perChannel.map(({ shift }) => order * shift);
    const response = filmResponse(order * path, shifts);
    perChannel.forEach(({ r123 }, i) => {
      weights[i] *= Math.sqrt(r123);
      light[i] += weights[i] * 2 * response[i];
    });
  }
  const grazing = (1 - facing) ** 5;
  const straight = light.map((value) => clamped((clamped(value) - grazing) / (1 - grazing)));
  return mixed(below, straight, iridescenceFactor);
}

/** Returns the Fourier transform of the eye's response, in linear sRGB, with a phase shift for each channel. */
function filmResponse(path, shifts) {
  const phase = 2 * Math.PI * path * 1e-9;
  const lobe = (height, position, variance, shift) =>
    height * Math.sqrt(2 * Math.PI * variance) * Math.cos(position * phase + shift) * Math.exp(-variance * phase ** 2);
  const xyz = [
    lobe(5.4856e-13, 1.681e6, 4.3278e9, shifts[0]) + lobe(9.747e-14, 2.2399e6, 4.5282e9, shifts[0]),
    lobe(4.4201e-13, 1.7953e6, 9.3046e9, shifts[1]),
    lobe(5.2481e-13, 2.2084e6, 6.6121e9, shifts[2]),
  ].map((value) => value / 1.0685e-7);
  return [
    [3.2404542, -1.5371385, -0.4985314],
    [-0.969266, 1.8760108, 0.041556],
    [0.0556434, -0.2040259, 1.0572252],
  ].map((row) => dot(row, xyz));
}

/**
 * Returns the light that facets reflect which GGX distributes, rougher along one direction, by the text of
 * KHR_materials_anisotropy. Their inclinations along that direction have quantiles in closed form.
 */
function stretched({ normal, tangent, view, roughness }, { anisotropyStrength, anisotropyRotation }, room) {
  const bitangent = [
    normal[1] * tangent[2] - normal[2] * tangent[1],
    normal[2] * tangent[0] - normal[0] * tangent[2],
    normal[0] * tangent[1] - normal[1] * tangent[0],
  ];
  const [sin, cos] = [Math.sin(anisotropyRotation), Math.cos(anisotropyRotation)];
  const along = tangent.map((value, i) => cos * value + sin * bitangent[i]);
  const across = roughness ** 2;
  const longest = across + (1 - across) * anisotropyStrength ** 2;
  const spread = Math.sqrt(longest ** 2 - across ** 2);
  const count = 1000;
  let [sum, whole] = [[0, 0, 0], 0];
  for (let index = 0; index < count; index++) {
    const place = (2 * index + 1) / count - 1;
    const slope = (spread * place) / Math.sqrt(1 - place * place);
    const mirrored = reflection(unit(normal.map((value, i) => value + along[i] * slope)), view);
    const facing = Math.max(dot(normal, mirrored), 0);
    const light = room.mirrored(mirrored);
    sum = sum.map((value, i) => value + light[i] * facing);
    whole += facing;
  }
  return sum.map((value) => value / whole);
}

/** Returns the share of light that passes the thickness of a volume. */
function unabsorbed({ attenuationColor, attenuationDistance, thicknessFactor }) {
  return attenuationColor.map((value) => value ** (thicknessFactor / attenuationDistance));
}
