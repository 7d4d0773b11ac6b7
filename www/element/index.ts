/** The exports of `gambol`. Importing it touches no DOM, so it is safe in Node and in server rendering. */
export type { Backend, BackendChoice, Flavour, WasmUrls } from "./engine/engine.js";
export type { PlayState } from "./engine/wasm.js";
export type { Clip, FileCamera, ModelNode, Named, Skin } from "./files/contents.js";
export type { AheadOptions, StartProgress } from "./files/prefetch.js";
export { toGlb, type ConvertOptions, type Converted } from "./files/conversion.js";
export type { PictureSource } from "./files/images.js";
export { preload } from "./files/preload.js";
export type {
  AddClipsOptions,
  FetchOptions,
  FormatOptions,
  LoadOptions,
  MatrixKeys,
  Progress,
  RetargetOptions,
  RolePair,
  Source,
} from "./files/source.js";
export type { CameraZoom, PlayerOptions, StillPicture } from "./host/options.js";
export type { Stats } from "./host/stats.js";
export type { Actor, AttachOptions, Placement } from "./player/actor.js";
export { PlayerCamera, type Vec3 } from "./player/camera.js";
export { PlayerCharacter } from "./player/character.js";
export type {
  ChainDescription,
  ConstraintDescription,
  ConstraintOptions,
  FeetDescription,
  GazeDescription,
  GazeJoint,
  JointLimit,
  PlayerConstraint,
} from "./player/constraint.js";
export type { PlayerRagdoll, RagdollOptions, RagdollState } from "./player/ragdoll.js";
export type { CrowdOptions, Place, Standing } from "./player/crowd.js";
export type { AddedClips, Played, PlayerEventName, PlayerEvents } from "./player/events.js";
export type { Backdrop, EnvironmentSource } from "./player/environment.js";
export type { DynamicRange } from "./player/shading.js";
export type { Guides, OnionSkins } from "./player/guides.js";
export type { PassedMarker, Throng, ThrongBlend, ThrongMember, ThrongOptions } from "./player/throng.js";
export { Layer } from "./player/layer.js";
export { PlayerMaterial } from "./player/material.js";
export { PlayerMorph } from "./player/morph.js";
export type * from "./player/motion.js";
export { PlayerNode, type HandOptions, type LookOptions, type Quat, type ReachOptions } from "./player/node.js";
export type {
  CameraHome,
  CameraLimits,
  Clock,
  Color,
  Insets,
  Ray,
  Rgba,
  ScreenshotOptions,
  Skinning,
  ToneMapping,
  Travel,
} from "./player/options.js";
export { Parameters, type ParameterKind } from "./player/parameters.js";
export { Player } from "./player/player.js";
export type { Picked } from "./player/pick.js";
export type { SurfaceView, ViewOptions } from "./player/view.js";
export type { Collider, Spring, Springs } from "./player/springs.js";
export type { Finish, Loop, Run } from "./player/run.js";
export { GambolError, type Warning } from "./errors.js";
