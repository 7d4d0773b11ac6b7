//! Draws models: the device, GPU copies of a model, and pictures on a canvas or off screen. The only room that names wgpu.
//!
//! - Two tiers, WebGPU and WebGL2, share every shader but the few lines that fetch a row: [`Tier`].
//! - [`Gpu`] is shared by all canvases of a device; [`GpuModel`] is one model on it; [`Renderer`] is one canvas.
//! - Colours are encoded to sRGB once, at the end of a fragment shader, into a target that doesn't encode again.
//!   Alpha is premultiplied.
//! - Canvases of a device take turns with what they draw in between, and share the models that several show.
//! - Steady play makes no GPU object: buffers and targets only grow.

mod capture;
mod draw_list;
mod error;
mod frame;
mod frame_data;
mod gpu;
pub mod gpu_data;
mod gpu_model;
mod lines;
mod materials;
mod own_materials;
mod pipelines;
mod primitives;
mod read_back;
mod renderer;
mod rows;
pub mod shaders;
mod shadow;
mod shadow_area;
mod shared;
mod targets;
mod textures;
mod tiles;

pub use error::RenderError;
pub use frame::{DrawStats, Frame, Ground, LineVertex};
pub use gpu::{Gpu, Tier, instance};
pub use gpu_model::GpuModel;
pub use own_materials::OwnMaterial;
pub use renderer::Renderer;
pub use textures::Picture;
