//! Occlusion between limbs: how much of the light from all around reaches surfaces that are close to others.
//!
//! ```text
//! depths that the viewer sees ─▶ shares of light ─▶ their averages ─▶ those of averages, which meshes read
//! ```
//!
//! They are found for the whole picture, also if that is drawn in tiles, with half its width and height. Few pages
//! ask for it, so pages fetch this code with the first that does. The renderer therefore calls it through a trait,
//! and only [`Occlusion::new`], which an export calls, refers to what implements it.

use super::cover::Cover;
use super::gpu_data::OcclusionData;
use super::gpu_model::matrix_at;
use super::layouts::{bind, entry, texture, uniform};
use super::pipelines::{DEPTH_FORMAT, color_pass, depth_pass};
use super::renderer::{Cast, Prepared, Renderer};
use super::shader_parts::ShaderParts;
use super::shaders::module_of_one_file;
use super::tiles::Tiling;
use super::{DrawStats, Frame, Gpu, Tier, textures};
use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

/// The distance from which on surfaces don't occlude each other, as a share of the diagonal of the model's bounds. For
/// a person with outstretched arms, it is the width of two of them.
const REACH: f32 = 0.1;

/// The longest side of the targets in texels. WebGL2 guarantees textures of this size.
const LONGEST: u32 = 2048;

/// The share of light, and the distance from the viewer in 24 bits.
const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

/// Finds the occlusion. It doesn't extend `Debug`, whose code the table of its functions would keep.
pub(super) trait FindOcclusion {
    /// Returns the distance from which on surfaces of a frame don't occlude each other, in the world.
    fn reach(&self, frame: &Frame<'_>) -> f32;

    /// Records the passes for a picture. Returns what meshes read.
    fn find(
        &self,
        renderer: &Renderer,
        encoder: &mut wgpu::CommandEncoder,
        shown: (&Cast<'_>, &Occlusion),
        picture: &Prepared,
        stats: &mut DrawStats,
    ) -> wgpu::TextureView;

    /// Returns the bytes that it keeps on the GPU.
    fn byte_count(&self) -> u64;
}

/// Occlusion between limbs, and what it keeps on the GPU. Clones share that.
#[derive(Clone)]
pub struct Occlusion {
    pub(super) finder: Rc<dyn FindOcclusion>,
    /// From 0 to 1, which is right.
    strength: f32,
}

impl fmt::Debug for Occlusion {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Occlusion")
    }
}

impl Occlusion {
    /// Creates occlusion of a strength from 0 to 1.
    pub fn new(strength: f32) -> Self {
        Self { finder: Rc::new(OcclusionPass::default()), strength }
    }

    /// Returns the same with another strength.
    pub fn with_strength(self, strength: f32) -> Self {
        Self { strength, ..self }
    }
}

#[derive(Default)]
struct OcclusionPass {
    steps: RefCell<Option<Steps>>,
}

/// What all pictures of a device need.
struct Steps {
    gpu: Gpu,
    data: wgpu::Buffer,
    layout: wgpu::BindGroupLayout,
    pipelines: [wgpu::RenderPipeline; 3],
    targets: Option<Targets>,
}

/// What pictures of a size need.
struct Targets {
    tier: Tier,
    size: wgpu::Extent3d,
    depths: wgpu::TextureView,
    /// The shares of light, then the averages of averages.
    shares: wgpu::TextureView,
    averages: wgpu::TextureView,
    /// What the steps read: the depths, the shares and the averages.
    groups: [wgpu::BindGroup; 3],
}

impl FindOcclusion for OcclusionPass {
    fn reach(&self, frame: &Frame<'_>) -> f32 {
        let lead = frame.actors.first();
        let found = lead.and_then(|lead| Some((matrix_at(lead.rows, 0)?, lead.model.rest)));
        found.map_or(0.0, |(rows, rest)| {
            let [x, y, z] = rows.map(|row| row.truncate());
            REACH * x.dot(y.cross(z)).abs().cbrt() * (rest.max - rest.min).length()
        })
    }

    fn find(
        &self,
        renderer: &Renderer,
        encoder: &mut wgpu::CommandEncoder,
        (cast, occlusion): (&Cast<'_>, &Occlusion),
        picture: &Prepared,
        stats: &mut DrawStats,
    ) -> wgpu::TextureView {
        let gpu = &renderer.gpu;
        let mut held = self.steps.borrow_mut();
        if !held.as_ref().is_some_and(|steps| steps.gpu.is(gpu)) {
            *held = None;
        }
        let steps = held.get_or_insert_with(|| Steps::new(gpu));
        let data = OcclusionData {
            world_from_projection: picture.data.projection_from_world.inverse(),
            projection_from_world: picture.data.projection_from_world,
            viewer_in_world: picture.data.viewer_in_world,
            reach: picture.reach,
            strength: occlusion.strength,
            padding: [0.0; 3],
        };
        gpu.queue().write_buffer(&steps.data, 0, bytemuck::bytes_of(&data));
        let Steps { data, layout, pipelines, targets, .. } = steps;
        let targets = Targets::prepare(targets, gpu, (data, layout), size_for(picture.tiling));
        let mut pass = depth_pass(encoder, "depths", &targets.depths);
        for items in [&renderer.list.solid, &renderer.list.cut_out] {
            renderer.draw_casters(&mut pass, cast, items, ShaderParts::SEEN_BY_VIEWER, stats);
        }
        drop(pass);
        let drawn = [&targets.shares, &targets.averages, &targets.shares];
        for ((pipeline, group), target) in pipelines.iter().zip(&targets.groups).zip(drawn) {
            let mut pass = color_pass(encoder, "occlusion", target, wgpu::Color::WHITE);
            pass.set_pipeline(pipeline);
            pass.set_bind_group(0, group, &[]);
            pass.draw(0..3, 0..1);
        }
        stats.draws += pipelines.len();
        targets.shares.clone()
    }

    fn byte_count(&self) -> u64 {
        let held = self.steps.borrow();
        held.as_ref().and_then(|steps| steps.targets.as_ref()).map_or(0, |targets| {
            let views = [&targets.depths, &targets.shares, &targets.averages];
            views.map(|view| textures::byte_count(view.texture())).iter().sum()
        })
    }
}

/// Returns the size of the targets for a picture. Very large pictures have coarser ones.
fn size_for(Tiling { width, height, .. }: Tiling) -> wgpu::Extent3d {
    let pixels_per_texel = width.max(height).div_ceil(LONGEST).max(2);
    let side = |pixels: u32| pixels.max(1).div_ceil(pixels_per_texel);
    wgpu::Extent3d { width: side(width), height: side(height), depth_or_array_layers: 1 }
}

impl Steps {
    fn new(gpu: &Gpu) -> Self {
        let device = gpu.device();
        let data = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("occlusion"),
            size: size_of::<OcclusionData>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let stage = wgpu::ShaderStages::FRAGMENT;
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("occlusion"),
            entries: &[
                entry(0, stage, uniform(false)),
                entry(1, stage, texture(wgpu::TextureSampleType::Float { filterable: false })),
                entry(2, stage, wgpu::BindingType::Sampler(wgpu::SamplerBindingType::NonFiltering)),
            ],
        });
        let pipelines = ["occlusion_fragment", "first_average_fragment", "second_average_fragment"]
            .map(|entry| pipeline(device, &layout, entry));
        Self { gpu: gpu.clone(), data, layout, pipelines, targets: None }
    }
}

impl Drop for Steps {
    fn drop(&mut self) {
        if self.gpu.tier().needs_destroy() {
            self.data.destroy();
        }
    }
}

impl Targets {
    /// Returns targets of a size. Reuses the held ones.
    fn prepare<'a>(
        held: &'a mut Option<Self>,
        gpu: &Gpu,
        read: (&wgpu::Buffer, &wgpu::BindGroupLayout),
        size: wgpu::Extent3d,
    ) -> &'a Self {
        if held.as_ref().is_some_and(|targets| targets.size != size) {
            *held = None;
        }
        held.get_or_insert_with(|| Self::new(gpu, read, size))
    }

    fn new(gpu: &Gpu, (data, layout): (&wgpu::Buffer, &wgpu::BindGroupLayout), size: wgpu::Extent3d) -> Self {
        let device = gpu.device();
        let make = |format| {
            let texture = textures::create(device, format, size, 1, wgpu::TextureUsages::RENDER_ATTACHMENT);
            texture.create_view(&wgpu::TextureViewDescriptor::default())
        };
        let (depths, shares, averages) = (make(DEPTH_FORMAT), make(FORMAT), make(FORMAT));
        let groups = [&depths, &shares, &averages].map(|view| {
            let resources = [
                data.as_entire_binding(),
                wgpu::BindingResource::TextureView(view),
                wgpu::BindingResource::Sampler(&gpu.pipelines().sharp_sampler),
            ];
            bind(device, "occlusion", layout, resources)
        });
        Self { tier: gpu.tier(), size, depths, shares, averages, groups }
    }
}

impl Drop for Targets {
    fn drop(&mut self) {
        if self.tier.needs_destroy() {
            for view in [&self.depths, &self.shares, &self.averages] {
                view.texture().destroy();
            }
        }
    }
}

fn pipeline(
    device: &wgpu::Device,
    layout: &wgpu::BindGroupLayout,
    fragment_entry: &'static str,
) -> wgpu::RenderPipeline {
    let occlusion = Cover {
        label: "occlusion",
        source: source().into(),
        groups: &[Some(layout)],
        vertex_entry: "occlusion_vertex",
        fragment_entry,
        format: FORMAT,
        sample_count: 1,
        has_depth: false,
    };
    occlusion.pipeline(device)
}

module_of_one_file!(occlusion);
