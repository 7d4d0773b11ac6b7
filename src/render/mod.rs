//! The renderer: the device, GPU copies of models, and pictures on a canvas or off screen.
//!
//! - All drawing with wgpu is in this module. `web` uses wgpu only to create surfaces and to pass images.
//! - Two tiers, WebGPU and WebGL2, share all shaders except for the functions that fetch a row: [`Tier`].
//! - [`Gpu`] is a device, shared by all its canvases. [`GpuModel`] is a model on it. [`Renderer`] is a canvas.
//! - Colours are encoded to sRGB once, at the end of a fragment shader, and written to a target that isn't sRGB
//!   itself. Alpha is premultiplied.
//! - Canvases of a device share render targets and shadow maps, which each picture redraws, and GPU copies of models.
//! - Steady playback creates no buffers, textures or pipelines. Buffers for rows and lines are kept and only grow.

mod actor_buffers;
pub mod backdrop;
mod behind;
mod blocks;
mod canvas;
mod capture;
mod cover;
mod draw_list;
mod environment;
mod error;
pub mod extended_shaders;
mod frame;
mod frame_data;
mod gpu;
pub mod gpu_data;
mod gpu_model;
pub mod guides;
mod lamps;
mod layouts;
mod levels;
mod lines;
mod materials;
pub mod occlusion;
mod own_materials;
mod pipeline_keys;
mod pipelines;
mod primitives;
#[cfg(not(all(feature = "webgl", target_arch = "wasm32")))]
pub mod pruned;
mod read_back;
mod renderer;
mod rows;
pub mod shader_parts;
pub mod shaders;
mod shadow;
mod shadow_area;
mod shared;
mod sight;
pub mod still;
mod targets;
mod textures;
pub mod throng;
mod tiles;
mod upload;
pub mod views;

pub use backdrop::Backdrop;
pub use blocks::Blocks;
pub use error::RenderError;
pub use frame::{Actor, DrawStats, Frame, Ground, Lighting, LineVertex, Tone};
pub use gpu::{Gpu, Tier, instance};
pub use gpu_model::GpuModel;
pub use guides::{Ghosts, GridPlane, GuideContent, Guides, Label, LetterCell, Letters, Octahedron, Stroke};
pub use lamps::Lamp;
pub use levels::{COARSER_LEVELS, Coarse, Levels};
pub use materials::material_data;
pub use occlusion::Occlusion;
pub use own_materials::OwnMaterial;
pub use pipelines::Detail;
pub use renderer::Renderer;
pub use sight::reach;
#[cfg(target_arch = "wasm32")]
pub use textures::ForeignPixels;
pub use textures::Picture;
pub use throng::{KeptThrong, Revised, Throng, ThrongContent, Throngs};
pub use views::{SurfaceView, Views};
