/**
 * The light that surfaces reflect of lights of KHR_lights_punctual, in double precision, by the formulas of the
 * extensions' texts and of appendix B of glTF 2.0: slow and simple, for comparison with pictures.
 */

import { reflected } from "./reference_layers.mjs";

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const scaled = (a, factor) => a.map((value) => value * factor);
const unit = (a) => scaled(a, 1 / Math.hypot(...a));
const mixed = (a, b, share) => a.map((value, i) => value + (b[i] - value) * share);

/**
 * Returns the direction from a point to a lamp, and its light there in lux. `place` and `axis` are those of its node.
 */
function arriving({ light, place, axis }, point) {
  const { type, color = [1, 1, 1], intensity = 1, range = Number.POSITIVE_INFINITY, spot = {} } = light;
  if (type === "directional") return { towards: scaled(axis, -1), lux: scaled(color, intensity) };
  const offset = place.map((value, i) => value - point[i]);
  const distance = Math.hypot(...offset);
  const towards = unit(offset);
  let share = Math.max(Math.min(1 - (distance / range) ** 4, 1), 0) / distance ** 2;
  if (type === "spot") {
    const { innerConeAngle = 0, outerConeAngle = Math.PI / 4 } = spot;
    const factor = 1 / Math.max(0.001, Math.cos(innerConeAngle) - Math.cos(outerConeAngle));
    const cone = -dot(axis, towards) * factor - Math.cos(outerConeAngle) * factor;
    share *= Math.min(Math.max(cone, 0), 1) ** 2;
  }
  return { towards, lux: scaled(color, intensity * share) };
}

/** Returns GGX with Smith's height-correlated shadowing and Schlick's Fresnel, times the cosine of the lamp's angle. */
function highlight(normal, view, towards, roughness, f0, f90) {
  const half = unit(view.map((value, i) => value + towards[i]));
  const [lit, facing] = [Math.max(dot(normal, towards), 0), Math.max(dot(normal, view), 0.001)];
  const alpha2 = Math.max(roughness ** 2, 0.002) ** 2;
  const distribution = alpha2 / (Math.PI * (dot(normal, half) ** 2 * (alpha2 - 1) + 1) ** 2);
  const reach = (cosine) => Math.sqrt(alpha2 + (1 - alpha2) * cosine ** 2);
  const visibility = 0.5 / (lit * reach(facing) + facing * reach(lit));
  const grazing = (1 - dot(view, half)) ** 5;
  return f0.map((value, i) => (value + (f90[i] - value) * grazing) * distribution * visibility * lit);
}

/** Returns what white fibres reflect, times the cosine of the lamp's angle. */
function fibres(normal, view, towards, roughness) {
  const half = unit(view.map((value, i) => value + towards[i]));
  const [lit, facing] = [Math.max(dot(normal, towards), 0), dot(normal, view)];
  const alpha = roughness ** 2;
  const distribution = ((2 + 1 / alpha) * (1 - dot(normal, half) ** 2) ** (0.5 / alpha)) / (2 * Math.PI);
  return (distribution * lit) / (4 * (lit + facing - lit * facing));
}

/** Returns the linear light that a surface reflects of lamps. `values` are the properties of its extensions. */
export function lampedLight({ base, normal, view, point }, values, lamps) {
  const { color, metallic = 0, roughness = 1 } = base;
  const facing = Math.max(dot(normal, view), 0.001);
  const f0 = mixed([0.04, 0.04, 0.04], color, metallic);
  const kept = (1 - Math.max(...reflected([0.04, 0.04, 0.04], 1, roughness, facing))) * (1 - metallic);
  let light = [0, 0, 0];
  let [onFibres, onCoat] = [light, light];
  for (const lamp of lamps) {
    const { towards, lux } = arriving(lamp, point);
    const lit = Math.max(dot(normal, towards), 0);
    const mirrored = highlight(normal, view, towards, roughness, f0, [1, 1, 1]);
    light = light.map((value, i) => value + lux[i] * ((color[i] * kept * lit) / Math.PI + mirrored[i]));
    if (values.sheenRoughnessFactor) {
      const share = fibres(normal, view, towards, values.sheenRoughnessFactor);
      onFibres = onFibres.map((value, i) => value + lux[i] * values.sheenColorFactor[i] * share);
    }
    const coat = highlight(normal, view, towards, values.clearcoatRoughnessFactor, [0.04, 0.04, 0.04], [1, 1, 1]);
    onCoat = onCoat.map((value, i) => value + lux[i] * values.clearcoatFactor * coat[i]);
  }
  return { light, onFibres, onCoat };
}
