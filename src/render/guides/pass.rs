use super::super::gpu_data::GuideData;
use super::super::pipelines::DEPTH_FORMAT;
use super::super::renderer::{Cast, Prepared, Renderer};
use super::super::{DrawStats, Gpu, textures};
use super::ghosts::GhostRows;
use super::{DrawGuides, GridPlane, GuideContent, Letters, Octahedron, Stroke, labels, shaders};
use glam::{Vec2, Vec4};
use std::cell::RefCell;
use std::rc::Rc;

/// Colours of the grid's lines on dark and on bright backgrounds, and on the page, which may be either.
const ON_DARK: [f32; 4] = [0.85, 0.88, 0.92, 0.75];
const ON_BRIGHT: [f32; 4] = [0.1, 0.12, 0.16, 0.75];
const ON_PAGE: [f32; 4] = [0.5, 0.52, 0.55, 0.9];

/// Guides that are drawn from one buffer: strokes, octahedra, the overlay's strokes, letters, and the grid.
const BATCHES: usize = 5;
const GRID_BATCH: usize = 4;

/// Vertices of an octahedron: eight triangles.
const OCTAHEDRON_VERTICES: u32 = 24;

#[derive(Default)]
pub(super) struct GuidePass {
    kept: RefCell<Option<Kept>>,
    ghosts: RefCell<Option<GhostRows>>,
    /// Labels of the last picture.
    shown: RefCell<Vec<u32>>,
}

impl DrawGuides for GuidePass {
    fn draw_below(
        &self,
        content: &GuideContent,
        renderer: &Renderer,
        pass: &mut wgpu::RenderPass<'_>,
        (cast, picture): (&Cast<'_>, &Prepared),
        stats: &mut DrawStats,
    ) {
        if let Some(plane) = content.grid {
            let mut held = self.kept.borrow_mut();
            let kept = Kept::prepare(&mut held, &renderer.gpu, &content.letters);
            kept.write(&renderer.gpu, GRID_BATCH, &[grid_data(plane, picture.background)]);
            kept.draw(pass, renderer, picture, (GRID_BATCH, Kind::Grid, 1));
            stats.draws += 1;
        }
        let held = &mut self.ghosts.borrow_mut();
        GhostRows::draw(held, &content.ghosts, renderer, pass, (cast, picture), stats);
    }

    fn draw_over(
        &self,
        content: &GuideContent,
        renderer: &Renderer,
        pass: &mut wgpu::RenderPass<'_>,
        picture: &Prepared,
        stats: &mut DrawStats,
    ) {
        let mut letters = Vec::new();
        let viewport = Vec2::from(picture.data.viewport);
        let shown = &mut self.shown.borrow_mut();
        labels::place(content, &picture.data.projection_from_world, viewport, shown, &mut letters);
        let strokes = |strokes: &[Stroke]| strokes.iter().map(stroke_data).collect();
        let octahedra = content.octahedra.iter().map(octahedron_data).collect();
        let batches: [(Vec<GuideData>, &[Kind]); GRID_BATCH] = [
            (strokes(&content.strokes), &[Kind::Behind, Kind::Stroke]),
            (octahedra, &[Kind::Octahedron]),
            (strokes(&content.overlay), &[Kind::Overlay]),
            (letters, &[Kind::Letter]),
        ];
        if batches.iter().all(|(guides, _)| guides.is_empty()) {
            return;
        }
        let mut held = self.kept.borrow_mut();
        let kept = Kept::prepare(&mut held, &renderer.gpu, &content.letters);
        for (batch, (guides, kinds)) in
            batches.iter().enumerate().filter(|(_, (guides, _))| !guides.is_empty())
        {
            kept.write(&renderer.gpu, batch, guides);
            for &kind in *kinds {
                kept.draw(pass, renderer, picture, (batch, kind, guides.len()));
                stats.draws += 1;
            }
        }
        let instances = kept.instances.iter().flatten().map(wgpu::Buffer::size);
        stats.gpu_bytes += textures::byte_count(&kept.letters_texture) + instances.sum::<u64>();
    }
}

fn grid_data(plane: GridPlane, background: Option<Vec4>) -> GuideData {
    let GridPlane { middle, height, radius, spacing } = plane;
    let line = match background {
        // Brightness of a page's colour, by eye.
        Some(color) if color.w > 0.5 && color.truncate().dot(glam::vec3(0.3, 0.6, 0.1)) > 0.45 => ON_BRIGHT,
        Some(color) if color.w > 0.5 => ON_DARK,
        _ => ON_PAGE,
    };
    // Numbers near the middle are small, so that lines stay sharp far from the origin.
    let crossing = (middle / (10.0 * spacing)).round() * (10.0 * spacing);
    GuideData {
        numbers: [
            [middle.x, middle.y, height, radius],
            line,
            [-crossing.x, -crossing.y, spacing, 0.0],
            [0.0; 4],
        ],
    }
}

fn stroke_data(&Stroke { ends: [start, end], colors: [first, last], width, dot }: &Stroke) -> GuideData {
    GuideData {
        numbers: [
            start.extend(width * 0.5).to_array(),
            first.to_array(),
            end.extend(dot * 0.5).to_array(),
            last.to_array(),
        ],
    }
}

fn octahedron_data(&Octahedron { head, tail, side, width, color }: &Octahedron) -> GuideData {
    GuideData {
        numbers: [
            head.extend(width * 0.5).to_array(),
            tail.extend(0.0).to_array(),
            side.extend(0.0).to_array(),
            color.to_array(),
        ],
    }
}

/// A kind of guide, which has a pipeline of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Grid,
    Stroke,
    /// What surfaces cover of a stroke.
    Behind,
    Overlay,
    Octahedron,
    Letter,
}

/// What a pipeline depends on.
#[derive(Clone, Copy, PartialEq)]
struct Target {
    format: wgpu::TextureFormat,
    samples: u32,
}

/// What the pictures of a device need.
struct Kept {
    gpu: Gpu,
    module: wgpu::ShaderModule,
    pipelines: RefCell<Vec<(Kind, Target, wgpu::RenderPipeline)>>,
    /// A buffer for each batch.
    instances: [Option<wgpu::Buffer>; BATCHES],
    letters: Rc<Letters>,
    letters_texture: wgpu::Texture,
    /// The letters.
    group: wgpu::BindGroup,
}

impl Kept {
    fn prepare<'a>(held: &'a mut Option<Self>, gpu: &Gpu, letters: &Rc<Letters>) -> &'a mut Self {
        if !held.as_ref().is_some_and(|kept| kept.gpu.is(gpu)) {
            *held = None;
        }
        let kept = held.get_or_insert_with(|| Self::new(gpu, letters));
        if !Rc::ptr_eq(&kept.letters, letters) {
            let (texture, group) = upload(gpu, letters);
            let before = std::mem::replace(&mut kept.letters_texture, texture);
            if gpu.tier().needs_destroy() {
                before.destroy();
            }
            (kept.letters, kept.group) = (Rc::clone(letters), group);
        }
        kept
    }

    fn new(gpu: &Gpu, letters: &Rc<Letters>) -> Self {
        let module = gpu.device().create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some("guides"),
            source: wgpu::ShaderSource::Wgsl(shaders::source().into()),
        });
        let (letters_texture, group) = upload(gpu, letters);
        Self {
            gpu: gpu.clone(),
            module,
            pipelines: RefCell::default(),
            instances: [const { None }; BATCHES],
            letters: Rc::clone(letters),
            letters_texture,
            group,
        }
    }

    /// Writes instances to the buffer of a batch, which only grows.
    fn write(&mut self, gpu: &Gpu, batch: usize, guides: &[GuideData]) {
        let bytes: &[u8] = bytemuck::cast_slice(guides);
        let held = &mut self.instances[batch];
        if let Some(small) = held.take_if(|held| held.size() < bytes.len() as u64)
            && gpu.tier().needs_destroy()
        {
            small.destroy();
        }
        let buffer = held.get_or_insert_with(|| {
            gpu.device().create_buffer(&wgpu::BufferDescriptor {
                label: Some("guides"),
                size: bytes.len().next_power_of_two() as u64,
                usage: wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })
        });
        gpu.queue().write_buffer(buffer, 0, bytes);
    }

    /// Draws the instances of a batch as guides of a kind.
    fn draw(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        renderer: &Renderer,
        picture: &Prepared,
        (batch, kind, count): (usize, Kind, usize),
    ) {
        let target = Target { format: renderer.format, samples: picture.detail.samples() };
        let mut pipelines = self.pipelines.borrow_mut();
        let known = pipelines.iter().position(|made| (made.0, made.1) == (kind, target));
        let at = known.unwrap_or_else(|| {
            pipelines.push((kind, target, self.pipeline(kind, target)));
            pipelines.len() - 1
        });
        pass.set_pipeline(&pipelines[at].2);
        pass.set_bind_group(1, &self.group, &[]);
        pass.set_vertex_buffer(0, self.instances[batch].as_ref().map(|buffer| buffer.slice(..)));
        pass.draw(0..if kind == Kind::Octahedron { OCTAHEDRON_VERTICES } else { 4 }, 0..count as u32);
    }

    fn pipeline(&self, kind: Kind, target: Target) -> wgpu::RenderPipeline {
        use wgpu::CompareFunction::{Always, Greater, LessEqual};
        let device = self.gpu.device();
        let (vertex_entry, fragment_entry, compare) = match kind {
            Kind::Grid => ("grid_vertex", "grid_fragment", Always),
            Kind::Stroke => ("guide_stroke_vertex", "guide_stroke_fragment", LessEqual),
            Kind::Behind => ("guide_stroke_vertex", "guide_behind_fragment", Greater),
            Kind::Overlay => ("guide_stroke_vertex", "guide_stroke_fragment", Always),
            Kind::Octahedron => ("octahedron_vertex", "octahedron_fragment", LessEqual),
            Kind::Letter => ("letter_vertex", "letter_fragment", LessEqual),
        };
        let is_solid = kind == Kind::Octahedron;
        let pipelines = self.gpu.pipelines();
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("guides"),
            bind_group_layouts: &[Some(&pipelines.frame_layout), Some(&pipelines.texture_layout)],
            immediate_size: 0,
        });
        device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some("guides"),
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module: &self.module,
                entry_point: Some(vertex_entry),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                buffers: &[Some(GuideData::LAYOUT)],
            },
            primitive: wgpu::PrimitiveState {
                topology: if is_solid {
                    wgpu::PrimitiveTopology::TriangleList
                } else {
                    wgpu::PrimitiveTopology::TriangleStrip
                },
                cull_mode: is_solid.then_some(wgpu::Face::Back),
                ..wgpu::PrimitiveState::default()
            },
            depth_stencil: Some(wgpu::DepthStencilState {
                format: DEPTH_FORMAT,
                depth_write_enabled: Some(is_solid),
                depth_compare: Some(compare),
                stencil: wgpu::StencilState::default(),
                bias: wgpu::DepthBiasState::default(),
            }),
            multisample: wgpu::MultisampleState {
                count: target.samples,
                ..wgpu::MultisampleState::default()
            },
            fragment: Some(wgpu::FragmentState {
                module: &self.module,
                entry_point: Some(fragment_entry),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                targets: &[Some(wgpu::ColorTargetState {
                    format: target.format,
                    blend: Some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING),
                    write_mask: wgpu::ColorWrites::ALL,
                })],
            }),
            multiview_mask: None,
            cache: None,
        })
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        if self.gpu.tier().needs_destroy() {
            self.instances.iter().flatten().for_each(wgpu::Buffer::destroy);
            self.letters_texture.destroy();
        }
    }
}

/// Uploads the letters. Without letters, returns a texture of one pixel.
fn upload(gpu: &Gpu, letters: &Letters) -> (wgpu::Texture, wgpu::BindGroup) {
    let height = letters.pixels.len() as u32 / 4 / letters.width.max(1);
    let limit = gpu.max_texture_size();
    let fits = letters.width > 0 && height > 0 && letters.width.max(height) <= limit;
    let (width, height) = if fits { (letters.width, height) } else { (1, 1) };
    let size = wgpu::Extent3d { width, height, depth_or_array_layers: 1 };
    let format = wgpu::TextureFormat::Rgba8Unorm;
    let texture = textures::create(gpu.device(), format, size, 1, wgpu::TextureUsages::empty());
    let pixels = if fits { letters.pixels.as_slice() } else { &[0; 4] };
    textures::write(gpu.queue(), texture.as_image_copy(), pixels, size);
    let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
    let group = gpu.pipelines().blit_bind_group(gpu.device(), &view);
    (texture, group)
}
