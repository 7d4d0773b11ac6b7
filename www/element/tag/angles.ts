/** Parses camera attributes: angles, points and orbits. */
import type { CameraHome, CameraLimits } from "../player/options.js";

/** Parses an angle to radians. A number without a unit is in degrees. */
export function angleOf(text: string): number | undefined {
  const number = numberOf(text.replace(/(deg|rad)$/, ""));
  return number === undefined || text.endsWith("rad") ? number : (number * Math.PI) / 180;
}

/** Parses an orbit: angle about the vertical axis, angle above the horizon, and distance. `auto` becomes NaN. */
export function turnOf(text: string): CameraHome | undefined {
  const parts = partsOf(text);
  if (!parts) return undefined;
  const [yaw, pitch] = parts.slice(0, 2).map((part) => (part === AUTO ? NaN : angleOf(part)));
  const share = parts[2]!.endsWith("%");
  const length = parts[2] === AUTO ? NaN : share ? numberOf(parts[2]!.slice(0, -1)) : metresOf(parts[2]!);
  if (yaw === undefined || pitch === undefined || length === undefined || length < 1e-6) return undefined;
  return { yaw, pitch, ...(share ? { distanceShare: length / 100 } : { distance: length }) };
}

/** Parses the point that the camera looks at. */
export function placeOf(text: string): CameraHome | undefined {
  const target = partsOf(text)?.map((part) => (part === AUTO ? NaN : metresOf(part)));
  return target?.includes(undefined) ? undefined : target && { target: target as [number, number, number] };
}

/** Parses camera limits: two orbits, as for `turnOf`, separated by a slash. */
export function limitsOf(text: string): CameraLimits | undefined {
  const [least, greatest, ...more] = text.split("/").map(turnOf);
  if (!least || !greatest || more.length > 0 || [least, greatest].some((place) => "distanceShare" in place))
    return undefined;
  const range = (name: "yaw" | "pitch" | "distance") => [least[name]!, greatest[name]!] as const;
  return { yaw: range("yaw"), pitch: range("pitch"), distance: range("distance") };
}

/** Parsed as NaN, which framing replaces in a `CameraHome`. */
const AUTO = "auto";

function partsOf(text: string): string[] | undefined {
  const parts = text.trim().split(/\s+/);
  return parts.length === 3 ? parts : undefined;
}

function metresOf(text: string): number | undefined {
  return numberOf(text.replace(/m$/, ""));
}

function numberOf(text: string): number | undefined {
  return text && Math.abs(Number(text)) <= 1e9 ? Number(text) : undefined;
}
