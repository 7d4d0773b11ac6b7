/** Applies attributes to the player. Each touches only its own setting, since the page may have changed the others. */
import type { Backdrop } from "../player/environment.js";
import type { Player } from "../player/player.js";
import type { SurfaceView } from "../player/view.js";
import type { GambolPlayerElement } from "../element.js";
import { limitsOf, placeOf, turnOf } from "./angles.js";
import { ATTRIBUTES, attributeOf, type AttributeName } from "./attributes.js";

/** The attributes that are settings of a player, and how each is applied. */
const SETTINGS: {
  [Name in AttributeName]?: (player: Player, element: GambolPlayerElement, reducedMotion: boolean) => void;
} = {
  playbackRate: (player, { playbackRate }) => (player.playbackRate = playbackRate),
  loop: (player, { loop }) => (player.loop = loop),
  controls: setGestures,
  cameraControls: setGestures,
  cameraZoom: (player, { cameraZoom }) => (player.cameraZoom = cameraZoom),
  cameraLimits: ({ camera }, { cameraLimits }) => (camera.limits = limitsOf(cameraLimits) ?? {}),
  cameraOrbit: moveCamera,
  cameraTarget: moveCamera,
  fieldOfView(player, { fieldOfView }) {
    player.camera.fov = (fieldOfView * Math.PI) / 180;
    player.frame();
  },
  autoRotate: (player, { autoRotate }, reducedMotion) =>
    (player.autoRotate = reducedMotion ? 0 : (autoRotate * Math.PI) / 180),
  pixelRatio: (player, { pixelRatio }) => (player.pixelRatio = pixelRatio),
  still: (player, { still }) => (player.still = still),
  exposure: (player, { exposure }) => (player.exposure = exposure),
  toneMapping: (player, { toneMapping }) => (player.toneMapping = toneMapping),
  environmentRotation: (player, { environmentRotation }) =>
    (player.environmentRotation = (environmentRotation * Math.PI) / 180),
  environmentIntensity: (player, { environmentIntensity }) => (player.environmentIntensity = environmentIntensity),
  lightsIntensity: (player, { lightsIntensity }) => (player.lightsIntensity = lightsIntensity),
  skeleton: (player, { skeleton }) => (player.skeleton = skeleton),
  background: setBackground,
  shadow: setGround,
  transparent(player, element) {
    if (element.transparent) setBackground(player, element);
    setGround(player, element);
  },
};

/** The settings whose code is fetched when an attribute asks for it. */
const FETCHED: {
  [Name in AttributeName]?: (player: Player, element: GambolPlayerElement) => Promise<void>;
} = {
  environment: (player, { environment }) => player.setEnvironment(environment || null),
  environmentBackground: (player, { environmentBackground }) =>
    player.showEnvironment((environmentBackground || "none") as Backdrop),
  dynamicRange: (player, { dynamicRange }) => player.setDynamicRange(dynamicRange),
  occlusion: (player, { occlusion }) => player.setOcclusion(occlusion),
  view: setView,
  viewJoint: setView,
  guides: (player, { guides }) => player.setGuides(guides),
};

/**
 * Applies attributes whose code is fetched: those that are set, or the given ones. Returns what resolves when the next
 * frame will show them.
 */
export function fetchSettings(
  player: Player,
  element: GambolPlayerElement,
  names: Iterable<AttributeName> = (Object.keys(FETCHED) as AttributeName[]).filter(
    (name) => element[name] !== ATTRIBUTES[name].otherwise,
  ),
): (Promise<void> | undefined)[] {
  return [...new Set([...names].map((name) => FETCHED[name]))].map((setting) => setting?.(player, element));
}

function setView(player: Player, { view, viewJoint: joint }: GambolPlayerElement): Promise<void> {
  return player.setView((view || null) as SurfaceView | null, { joint });
}

/**
 * Applies attributes to a player: the given ones, or to a new player those that are set. Its other settings are the
 * defaults of the attributes, as the scenario `element_attributes` compares.
 *
 * @param reducedMotion whether motion is reduced
 */
export function configure(
  player: Player,
  element: GambolPlayerElement,
  reducedMotion: boolean,
  names: Iterable<AttributeName> = (Object.keys(SETTINGS) as AttributeName[]).filter((name) =>
    element.hasAttribute(attributeOf(name)),
  ),
): void {
  for (const setting of new Set([...names].map((name) => SETTINGS[name]))) setting?.(player, element, reducedMotion);
}

function setGestures(player: Player, { controls, cameraControls }: GambolPlayerElement): void {
  player.cameraControls = controls || cameraControls;
}

function setBackground(player: Player, { background, transparent }: GambolPlayerElement): void {
  player.background = transparent ? null : background || null;
}

function setGround(player: Player, element: GambolPlayerElement): void {
  player.ground = element.hasAttribute("shadow") ? element.shadow === "soft" : !element.transparent;
}

/** Moves the camera. It moves smoothly, except with reduced motion. */
function moveCamera(player: Player, { cameraOrbit, cameraTarget }: GambolPlayerElement, reducedMotion: boolean): void {
  const { camera } = player;
  camera.home = { ...turnOf(cameraOrbit), ...placeOf(cameraTarget) };
  if (player.readyState === 0) return;
  const { target, yaw, pitch, distance } = camera;
  player.frame();
  if (reducedMotion) return;
  Object.assign(camera, { target, yaw, pitch, distance });
  camera.reset();
}
