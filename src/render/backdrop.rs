//! The environment, drawn behind the model.
//!
//! Few pages show it, so pages fetch this code with the first that does. The renderer therefore calls it through a
//! trait, and only [`Backdrop::new`], which an export calls, refers to what implements it.

use super::cover::Cover;
use super::environment::GpuEnvironment;
use super::gpu_data::BackdropData;
use super::layouts::{FILTERABLE, bind, entry, texture, uniform};
use super::renderer::{Prepared, Renderer};
use super::shader_parts::ShaderParts;
use super::{Gpu, Tier, Tone, textures};
use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

/// Roughness of the surface whose reflections look like a blurred backdrop.
const BLUR: f32 = 0.3;
/// Stands for the panorama itself in `BackdropData::roughness`.
const PANORAMA: f32 = -1.0;

/// Draws the environment. It doesn't extend `Debug`, whose code the table of its functions would keep.
pub(super) trait DrawBackdrop {
    /// Draws into a picture. Group 0 is that of an actor.
    fn draw(&self, renderer: &Renderer, pass: &mut wgpu::RenderPass<'_>, picture: &Prepared);

    /// Returns the bytes that it keeps on the GPU, besides the environment.
    fn byte_count(&self) -> u64;
}

/// Shows the environment, and what that keeps on the GPU. Clones share it.
#[derive(Clone)]
pub struct Backdrop {
    pub(super) drawn: Rc<dyn DrawBackdrop>,
}

impl fmt::Debug for Backdrop {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Backdrop")
    }
}

impl Backdrop {
    /// Creates a blurred or a sharp backdrop.
    pub fn new(is_sharp: bool) -> Self {
        Self { drawn: Rc::new(BackdropPass { is_sharp, kept: RefCell::default() }) }
    }
}

struct BackdropPass {
    is_sharp: bool,
    kept: RefCell<Option<Kept>>,
}

/// What the pictures of a renderer need, for one environment.
struct Kept {
    tier: Tier,
    environment: Rc<GpuEnvironment>,
    target: Target,
    roughness: f32,
    pipeline: wgpu::RenderPipeline,
    data: wgpu::Buffer,
    panorama: Option<wgpu::Texture>,
    group: wgpu::BindGroup,
}

/// What a pipeline depends on.
#[derive(Clone, Copy, PartialEq)]
struct Target {
    format: wgpu::TextureFormat,
    samples: u32,
    tone: Tone,
}

impl DrawBackdrop for BackdropPass {
    fn draw(&self, renderer: &Renderer, pass: &mut wgpu::RenderPass<'_>, picture: &Prepared) {
        let Some(environment) = &renderer.environment else { return };
        let (format, samples) = (renderer.format, picture.detail.samples());
        let target = Target { format, samples, tone: picture.tone };
        let mut held = self.kept.borrow_mut();
        if !held.as_ref().is_some_and(|kept| kept.is_for(environment, target)) {
            *held = None;
        }
        let kept = held.get_or_insert_with(|| Kept::new(&renderer.gpu, environment, target, self.is_sharp));
        let data = BackdropData {
            world_from_projection: picture.data.projection_from_world.inverse(),
            roughness: kept.roughness,
            padding: [0.0; 3],
        };
        renderer.gpu.queue().write_buffer(&kept.data, 0, bytemuck::bytes_of(&data));
        pass.set_pipeline(&kept.pipeline);
        pass.set_bind_group(1, &kept.group, &[]);
        pass.draw(0..3, 0..1);
    }

    fn byte_count(&self) -> u64 {
        let held = self.kept.borrow();
        held.as_ref().and_then(|kept| kept.panorama.as_ref()).map_or(0, textures::byte_count)
    }
}

impl Kept {
    fn new(gpu: &Gpu, environment: &Rc<GpuEnvironment>, target: Target, is_sharp: bool) -> Self {
        let device = gpu.device();
        let panorama = if is_sharp { panorama_of(gpu, environment) } else { None };
        let roughness = match (&panorama, is_sharp) {
            (Some(_), _) => PANORAMA,
            (None, true) => 0.0,
            (None, false) => BLUR,
        };
        let data = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("backdrop"),
            size: size_of::<BackdropData>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let stage = wgpu::ShaderStages::FRAGMENT;
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("backdrop"),
            entries: &[
                entry(0, stage, uniform(false)),
                entry(1, stage, texture(FILTERABLE)),
                entry(2, stage, wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering)),
            ],
        });
        let light = panorama.as_ref().unwrap_or(environment.map());
        let view = light.create_view(&wgpu::TextureViewDescriptor::default());
        let resources = [
            data.as_entire_binding(),
            wgpu::BindingResource::TextureView(&view),
            wgpu::BindingResource::Sampler(&gpu.pipelines().smooth_sampler),
        ];
        Self {
            tier: gpu.tier(),
            environment: Rc::clone(environment),
            target,
            roughness,
            pipeline: pipeline(gpu, &layout, target),
            group: bind(device, "backdrop", &layout, resources),
            data,
            panorama,
        }
    }

    fn is_for(&self, environment: &Rc<GpuEnvironment>, target: Target) -> bool {
        Rc::ptr_eq(&self.environment, environment) && self.target == target
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        if self.tier.needs_destroy() {
            self.data.destroy();
            self.panorama.iter().for_each(wgpu::Texture::destroy);
        }
    }
}

/// Uploads the panorama of an environment. A room has none; it is sharp enough on the map.
fn panorama_of(gpu: &Gpu, environment: &GpuEnvironment) -> Option<wgpu::Texture> {
    let panorama = environment.source()?.panorama.as_ref()?;
    let [width, height] = panorama.size();
    if width.max(height) > gpu.max_texture_size() as usize {
        return None;
    }
    let size = wgpu::Extent3d { width: width as u32, height: height as u32, depth_or_array_layers: 1 };
    let format = wgpu::TextureFormat::Rgb9e5Ufloat;
    let uploaded = textures::create(gpu.device(), format, size, 1, wgpu::TextureUsages::empty());
    let texels = bytemuck::cast_slice(panorama.texels());
    textures::write(gpu.queue(), uploaded.as_image_copy(), texels, size);
    Some(uploaded)
}

fn pipeline(gpu: &Gpu, layout: &wgpu::BindGroupLayout, target: Target) -> wgpu::RenderPipeline {
    let backdrop = Cover {
        label: "backdrop",
        source: source(target.tone),
        groups: &[Some(&gpu.pipelines().frame_layout), Some(layout)],
        vertex_entry: "backdrop_vertex",
        fragment_entry: "backdrop_fragment",
        format: target.format,
        sample_count: target.samples,
        has_depth: true,
    };
    backdrop.pipeline(gpu.device())
}

/// Returns the module's source in GLSL.
#[cfg(all(feature = "webgl", target_arch = "wasm32"))]
fn source(tone: Tone) -> String {
    let parts = ShaderParts::of_tone(tone);
    parts.macro_definition() + include_str!(concat!(env!("OUT_DIR"), "/backdrop.glsl"))
}

/// Returns the module's source: named in builds with debug assertions, else minified.
#[cfg(not(all(feature = "webgl", target_arch = "wasm32")))]
fn source(tone: Tone) -> String {
    source_from(if cfg!(debug_assertions) { &NAMED } else { &SHORT }, tone)
}

/// The texts of the module's files, with the names and line breaks of the files, and minified.
#[cfg(not(all(feature = "webgl", target_arch = "wasm32")))]
mod texts {
    use crate::render::shaders::text;

    pub const NAMED: [&str; 4] =
        [text!("named", frame), text!("named", surroundings), text!("named", tone), text!("named", backdrop)];
    pub const SHORT: [&str; 4] =
        [text!("short", frame), text!("short", surroundings), text!("short", tone), text!("short", backdrop)];
}
#[cfg(not(all(feature = "webgl", target_arch = "wasm32")))]
pub use texts::{NAMED, SHORT};

/// Returns the module's source, composed of the given texts.
#[cfg(not(all(feature = "webgl", target_arch = "wasm32")))]
pub fn source_from(texts: &[&str], tone: Tone) -> String {
    let mut source = ShaderParts::of_tone(tone).declaration();
    for text in texts {
        // Without what is for materials with extensions.
        text.split('#').step_by(2).for_each(|part| source.push_str(part));
    }
    source
}
