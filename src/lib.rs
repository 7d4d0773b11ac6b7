//! Gambol plays skinned 3D characters in a web page.
//!
//! ```text
//!                     (once per file)
//!  bytes ──import──▶ Model ───────────────────────────────┐
//!                     │  immutable, shared                 │ upload
//!                     ▼                                    ▼
//!  clock ─▶ Controller ─▶ sample ─▶ blend ─▶ LocalPose ─▶ ModelPose ─▶ palette ─▶ draw
//!          (playback)     (animation ............................)                (render)
//!              └──────────── one Character; a Player holds 1..n of them ───────────┘
//! ```
//!
//! Nothing left of `draw` depends on a GPU, a browser or a clock. Dependencies go one way
//! (`import → model ← animation ← playback`, `render → model`, `player →` all, `web → player`);
//! `tests/architecture.rs` enforces this.

mod angle;
pub mod animation;
#[cfg(all(any(feature = "webgl", feature = "webgpu"), target_arch = "wasm32"))]
mod backend;
pub mod camera;
#[cfg(not(target_arch = "wasm32"))]
pub mod decode;
#[cfg(any(feature = "formats", not(target_arch = "wasm32")))]
pub mod export;
mod image_type;
pub mod import;
mod json;
#[cfg(feature = "render")]
pub mod light;
pub mod model;
mod order;
#[cfg(any(feature = "formats", not(target_arch = "wasm32")))]
pub mod picture;
pub mod playback;
pub mod player;
mod refusal;
#[cfg(feature = "render")]
pub mod render;
#[cfg(all(any(feature = "web", feature = "formats"), target_arch = "wasm32"))]
mod web;
#[cfg(all(feature = "webgl", target_arch = "wasm32"))]
mod webgl;
#[cfg(all(feature = "webgpu", target_arch = "wasm32"))]
mod webgpu;
