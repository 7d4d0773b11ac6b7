use super::Tier;
use super::gpu_data::{DrawData, LineData, VertexData, slot_bindings};
use super::layouts::{FILTERABLE, bind, bind_texture, entry, texture, uniform};
use super::pipeline_keys::{MeshKey, PipelineKey, ShadowKey};
use super::rows::Rows;
use super::shader_parts::ShaderParts;
use super::shaders::Module;
use crate::model::MaterialFeatures;
use crate::model::material_table::TEXTURES;
use std::cell::{Cell, RefCell};

/// Samples per pixel for antialiasing. WebGL2 guarantees four.
const SAMPLE_COUNT: u32 = 4;
pub(super) const DEPTH_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Depth24Plus;
/// Format of canvases that show more than white.
pub(super) const HIGH_RANGE_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba16Float;
/// Format of the blurred shadow on the ground. The value is the darkness.
pub(super) const SHADE_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::R8Unorm;
/// Format of the read-back target: the bits of 32-bit floats. Unlike float formats, it is renderable on every WebGL2
/// device.
pub(super) const READ_BACK_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba32Uint;

/// Source-over blending of premultiplied colours.
const OVER: wgpu::BlendState = wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING;

#[derive(Debug)]
pub(super) struct Pipelines {
    tier: Tier,
    pub(super) frame_layout: wgpu::BindGroupLayout,
    pub(super) model_layout: wgpu::BindGroupLayout,
    material_layouts: RefCell<Vec<(MaterialFeatures, wgpu::BindGroupLayout)>>,
    /// A texture with a filtering sampler.
    pub(super) texture_layout: wgpu::BindGroupLayout,
    /// A shadow map that is read as unfiltered depths.
    height_layout: wgpu::BindGroupLayout,
    /// What lights meshes: a shadow map and an environment's maps with their samplers, and what is behind transmissive
    /// surfaces or occludes the others.
    light_layout: wgpu::BindGroupLayout,
    pub(super) smooth_sampler: wgpu::Sampler,
    /// Smooth, for textures with one level.
    level_sampler: wgpu::Sampler,
    pub(super) sharp_sampler: wgpu::Sampler,
    shadow_sampler: wgpu::Sampler,
    modules: RefCell<Vec<(ModuleKey, wgpu::ShaderModule)>>,
    made: RefCell<Vec<(PipelineKey, wgpu::RenderPipeline)>>,
    /// Number of pictures that may still leave something out.
    deferrals: Cell<u32>,
}

/// What a picture has. A device's first pictures leave out what would have to be compiled or computed before the model
/// could be shown, such as extensions that only refine a material. What is missing comes step by step, so that motion
/// doesn't stop for long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Detail {
    /// The model, with one sample per pixel and the largest level of its textures.
    Model,
    MipLevels,
    /// The light of the studio, instead of a draft of it.
    Light,
    /// The shadow of the model on itself, and smooth edges.
    Shadow,
    /// The ground too.
    Whole,
}

impl Detail {
    /// Samples per pixel.
    pub(super) fn samples(self) -> u32 {
        if self >= Self::Shadow { SAMPLE_COUNT } else { 1 }
    }
}

/// Number of a device's first pictures that may leave something out: four of the model alone, which is few enough not
/// to be noticed and enough for it to be seen moving, and one for each step.
const DEFERRALS: u32 = 7;

type ModuleKey = (Module, MaterialFeatures, ShaderParts);

/// The properties in which pipelines differ.
struct PipelineRecipe<'a> {
    label: &'static str,
    module: Module,
    parts: ShaderParts,
    vertex_entry: &'static str,
    /// `None` for a pass that writes depth only.
    fragment_entry: Option<&'static str>,
    groups: &'a [Option<&'a wgpu::BindGroupLayout>],
    buffers: &'a [Option<wgpu::VertexBufferLayout<'a>>],
    topology: wgpu::PrimitiveTopology,
    cull: Option<wgpu::Face>,
    /// Front faces are clockwise.
    mirrored: bool,
    depth: Option<Depth>,
    sample_count: u32,
    /// The alpha chooses samples too.
    covers_by_alpha: bool,
    /// `None` for a pass without a colour target.
    format: Option<wgpu::TextureFormat>,
    blend: Option<wgpu::BlendState>,
}

#[derive(Clone, Copy, PartialEq)]
enum Depth {
    TestAndWrite,
    Test,
    Ignore,
}

impl Pipelines {
    pub(super) fn new(device: &wgpu::Device, tier: Tier) -> Self {
        use wgpu::{SamplerBindingType as Sampling, ShaderStages as Stages};
        let heights = wgpu::TextureSampleType::Float { filterable: false };
        let layout = |label, entries: &[_]| {
            device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some(label), entries })
        };

        let texture_and_sampler = |label, sample_type, sampling| {
            let sampler = wgpu::BindingType::Sampler(sampling);
            layout(
                label,
                &[entry(0, Stages::FRAGMENT, texture(sample_type)), entry(1, Stages::FRAGMENT, sampler)],
            )
        };
        use wgpu::{
            FilterMode::{Linear, Nearest},
            MipmapFilterMode,
        };
        let make_sampler = |label, filter, mipmap_filter, compare| {
            device.create_sampler(&wgpu::SamplerDescriptor {
                label: Some(label),
                mag_filter: filter,
                min_filter: filter,
                mipmap_filter,
                compare,
                ..wgpu::SamplerDescriptor::default()
            })
        };

        let rows = Rows::binding_type(tier);
        Self {
            tier,
            frame_layout: layout(
                "frame",
                &[entry(0, Stages::VERTEX_FRAGMENT, uniform(false)), entry(1, Stages::VERTEX, rows)],
            ),
            model_layout: layout(
                "model",
                &[entry(0, Stages::VERTEX, uniform(true)), entry(1, Stages::VERTEX, rows)],
            ),
            material_layouts: RefCell::default(),
            texture_layout: texture_and_sampler("texture", FILTERABLE, Sampling::Filtering),
            height_layout: texture_and_sampler("shadow heights", heights, Sampling::NonFiltering),
            light_layout: layout(
                "light",
                &[
                    entry(0, Stages::FRAGMENT, texture(wgpu::TextureSampleType::Depth)),
                    entry(1, Stages::FRAGMENT, wgpu::BindingType::Sampler(Sampling::Comparison)),
                    // Vertex shaders of views read it.
                    entry(2, Stages::VERTEX_FRAGMENT, texture(FILTERABLE)),
                    entry(3, Stages::FRAGMENT, wgpu::BindingType::Sampler(Sampling::Filtering)),
                    entry(4, Stages::FRAGMENT, texture(FILTERABLE)),
                    entry(5, Stages::FRAGMENT, wgpu::BindingType::Sampler(Sampling::Filtering)),
                    entry(6, Stages::FRAGMENT, texture(FILTERABLE)),
                ],
            ),
            smooth_sampler: make_sampler("smooth", Linear, MipmapFilterMode::Linear, None),
            // `docs/COST.md` has what it saves.
            level_sampler: make_sampler("level", Linear, MipmapFilterMode::Nearest, None),
            // WebGL2: a depth texture without a sampler is incomplete, and reads return 0.
            sharp_sampler: make_sampler("sharp", Nearest, MipmapFilterMode::Nearest, None),
            shadow_sampler: make_sampler(
                "shadow map",
                Linear,
                MipmapFilterMode::Nearest,
                Some(wgpu::CompareFunction::LessEqual),
            ),
            modules: RefCell::default(),
            made: RefCell::default(),
            deferrals: Cell::new(DEFERRALS),
        }
    }

    /// Returns what the next picture of a model has if it may defer the rest.
    pub(super) fn next_detail(&self) -> Detail {
        match self.deferrals.get() {
            0 => Detail::Whole,
            1 => Detail::Shadow,
            2 => Detail::Light,
            3 => Detail::MipLevels,
            _ => Detail::Model,
        }
    }

    /// Counts a picture of a model. After a whole picture, all are whole.
    pub(super) fn count_picture(&self, detail: Detail) {
        let left = if detail == Detail::Whole { 0 } else { self.deferrals.get().saturating_sub(1) };
        self.deferrals.set(left);
    }

    /// Returns the layout of bind groups of materials with these features: the data and the textures that shaders read.
    pub(super) fn material_layout(
        &self,
        device: &wgpu::Device,
        features: MaterialFeatures,
    ) -> wgpu::BindGroupLayout {
        let mut layouts = self.material_layouts.borrow_mut();
        if let Some((_, layout)) = layouts.iter().find(|(made, _)| *made == features) {
            return layout.clone();
        }
        let mut entries = vec![entry(0, wgpu::ShaderStages::FRAGMENT, uniform(false))];
        let sampler = wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering);
        for (slot, _) in TEXTURES.iter().enumerate().filter(|(slot, _)| features.reads(*slot)) {
            for (binding, ty) in slot_bindings(slot).into_iter().zip([texture(FILTERABLE), sampler]) {
                entries.push(entry(binding, wgpu::ShaderStages::FRAGMENT, ty));
            }
        }
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("material"),
            entries: &entries,
        });
        layouts.push((features, layout.clone()));
        layout
    }

    pub(super) fn get(&self, device: &wgpu::Device, key: PipelineKey) -> wgpu::RenderPipeline {
        if let Some((_, pipeline)) = self.made.borrow().iter().find(|(made, _)| *made == key) {
            return pipeline.clone();
        }
        let pipeline = self.make(device, key);
        self.made.borrow_mut().push((key, pipeline.clone()));
        pipeline
    }

    pub(super) fn is_made(&self, key: PipelineKey) -> bool {
        self.made.borrow().iter().any(|(made, _)| *made == key)
    }

    /// Creates a bind group with a filtered texture, for [`blit`], for the ground and for letters.
    pub(super) fn blit_bind_group(&self, device: &wgpu::Device, view: &wgpu::TextureView) -> wgpu::BindGroup {
        bind_texture(device, "texture", &self.texture_layout, view, &self.smooth_sampler)
    }

    /// Creates a bind group with a shadow map's unfiltered depths, for the blur.
    pub(super) fn height_bind_group(
        &self,
        device: &wgpu::Device,
        view: &wgpu::TextureView,
    ) -> wgpu::BindGroup {
        bind_texture(device, "shadow heights", &self.height_layout, view, &self.sharp_sampler)
    }

    /// Creates a bind group for meshes with a shadow map, an environment's maps, and what is behind transmissive
    /// surfaces or occludes the others.
    pub(super) fn light_bind_group(
        &self,
        device: &wgpu::Device,
        [shadow, environment, matt, beyond]: [&wgpu::TextureView; 4],
    ) -> wgpu::BindGroup {
        let resources = [
            wgpu::BindingResource::TextureView(shadow),
            wgpu::BindingResource::Sampler(&self.shadow_sampler),
            wgpu::BindingResource::TextureView(environment),
            wgpu::BindingResource::Sampler(&self.smooth_sampler),
            wgpu::BindingResource::TextureView(matt),
            wgpu::BindingResource::Sampler(&self.level_sampler),
            wgpu::BindingResource::TextureView(beyond),
        ];
        bind(device, "light", &self.light_layout, resources)
    }

    fn make(&self, device: &wgpu::Device, key: PipelineKey) -> wgpu::RenderPipeline {
        let frame = Some(&self.frame_layout);
        let model = Some(&self.model_layout);
        let texture = Some(&self.texture_layout);
        let features = match key {
            PipelineKey::Mesh(key) => key.features,
            PipelineKey::Shadow(ShadowKey { cut_out: Some(features), .. }) => features,
            _ => MaterialFeatures::CORE,
        };
        let shader_features = match key {
            PipelineKey::Mesh(key) if key.is_plain => MaterialFeatures::CORE,
            _ => features,
        };
        let parts = match key {
            PipelineKey::Mesh(MeshKey { parts, .. })
            | PipelineKey::Shadow(ShadowKey { parts, .. })
            | PipelineKey::ReadBack(parts) => parts,
            _ => ShaderParts::default(),
        };
        let material = &self.material_layout(device, features.of_material());
        let with_material = &[frame, model, Some(material)];
        use wgpu::PrimitiveTopology::{PointList, TriangleList, TriangleStrip};
        let vertices = &[Some(VertexData::LAYOUT)];
        let (texture_alone, frame_and_texture) = (&[texture], &[frame, texture]);
        let frame_and_heights = &[frame, Some(&self.height_layout)];
        let over_all = |label, module, vertex_entry, fragment_entry, groups, format| PipelineRecipe {
            label,
            module,
            parts,
            vertex_entry,
            fragment_entry: Some(fragment_entry),
            groups,
            buffers: &[],
            topology: TriangleList,
            cull: None,
            mirrored: false,
            depth: None,
            sample_count: 1,
            covers_by_alpha: false,
            format: Some(format),
            blend: None,
        };
        let blur = |label, fragment_entry, groups| {
            over_all(label, Module::Blur, "blur_vertex", fragment_entry, groups, SHADE_FORMAT)
        };
        let recipe = match key {
            PipelineKey::Mesh(key) => PipelineRecipe {
                label: "mesh",
                module: Module::Mesh,
                parts,
                vertex_entry: if parts.is_of_view() { "view_vertex" } else { "mesh_vertex" },
                fragment_entry: Some(match shader_features {
                    _ if parts.is_of_view() => "view_fragment",
                    MaterialFeatures::CORE => "mesh_fragment",
                    _ => "extended_fragment",
                }),
                groups: &[frame, model, Some(material), Some(&self.light_layout)],
                buffers: vertices,
                topology: key.topology,
                cull: key.cull,
                mirrored: key.mirrored,
                depth: Some(match key.blended && !parts.writes_depth() {
                    true => Depth::Test,
                    false => Depth::TestAndWrite,
                }),
                sample_count: key.samples,
                covers_by_alpha: key.covers_by_alpha(),
                format: Some(key.format),
                blend: (key.blended || parts.cuts_out()).then_some(OVER),
            },
            PipelineKey::Shadow(key) => PipelineRecipe {
                label: "shadow",
                module: Module::Shadow,
                parts,
                vertex_entry: if key.cut_out.is_some() { "cut_out_vertex" } else { "shadow_vertex" },
                fragment_entry: key.cut_out.map(|_| "cut_out_fragment"),
                groups: if key.cut_out.is_some() { with_material } else { &with_material[..2] },
                buffers: vertices,
                topology: TriangleList,
                cull: key.cull,
                mirrored: key.mirrored,
                depth: Some(Depth::TestAndWrite),
                sample_count: 1,
                covers_by_alpha: false,
                format: None,
                blend: None,
            },
            PipelineKey::ReadBack(_) => PipelineRecipe {
                label: "read back",
                module: Module::ReadBack,
                parts,
                vertex_entry: "read_back_vertex",
                fragment_entry: Some("read_back_fragment"),
                groups: &[frame, model],
                buffers: vertices,
                topology: PointList,
                cull: None,
                mirrored: false,
                depth: None,
                sample_count: 1,
                covers_by_alpha: false,
                format: Some(READ_BACK_FORMAT),
                blend: None,
            },
            PipelineKey::Ground(format) => PipelineRecipe {
                label: "ground",
                module: Module::Ground,
                parts,
                vertex_entry: "ground_vertex",
                fragment_entry: Some("ground_fragment"),
                groups: frame_and_texture,
                buffers: &[],
                // Culled from below, where the floor would hide the model.
                topology: TriangleStrip,
                cull: Some(wgpu::Face::Back),
                mirrored: true,
                depth: Some(Depth::Test),
                sample_count: SAMPLE_COUNT,
                covers_by_alpha: false,
                format: Some(format),
                blend: Some(OVER),
            },
            PipelineKey::Lines(format, samples) => PipelineRecipe {
                label: "lines",
                module: Module::Lines,
                parts,
                vertex_entry: "line_vertex",
                fragment_entry: Some("line_fragment"),
                groups: &[frame],
                buffers: &[Some(LineData::LAYOUT)],
                topology: TriangleStrip,
                cull: None,
                mirrored: false,
                depth: Some(Depth::Ignore),
                sample_count: samples,
                covers_by_alpha: false,
                format: Some(format),
                blend: Some(OVER),
            },
            PipelineKey::Halve(format) => {
                over_all("halve", Module::Blit, "blit_vertex", "halve_fragment", texture_alone, format)
            }
            PipelineKey::BlurAcross => blur("blur across", "blur_across_fragment", frame_and_heights),
            PipelineKey::BlurAlong => blur("blur along", "blur_along_fragment", frame_and_texture),
        };
        self.create(device, &recipe, shader_features)
    }

    fn create(
        &self,
        device: &wgpu::Device,
        recipe: &PipelineRecipe<'_>,
        features: MaterialFeatures,
    ) -> wgpu::RenderPipeline {
        // The shadow has one module for all materials, with a layout for each set of features.
        let features = if recipe.module == Module::Mesh { features } else { MaterialFeatures::CORE };
        let module = self.module(device, (recipe.module, features, recipe.parts.within(recipe.module)));
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some(recipe.label),
            bind_group_layouts: recipe.groups,
            immediate_size: 0,
        });
        let color_target = recipe.format.map(|format| wgpu::ColorTargetState {
            format,
            blend: recipe.blend,
            write_mask: wgpu::ColorWrites::ALL,
        });
        let color_targets = color_target.is_some().then_some(color_target);
        device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(recipe.label),
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some(recipe.vertex_entry),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                buffers: recipe.buffers,
            },
            primitive: wgpu::PrimitiveState {
                topology: recipe.topology,
                cull_mode: recipe.cull,
                front_face: if recipe.mirrored { wgpu::FrontFace::Cw } else { wgpu::FrontFace::Ccw },
                ..wgpu::PrimitiveState::default()
            },
            depth_stencil: recipe.depth.map(|depth| wgpu::DepthStencilState {
                format: DEPTH_FORMAT,
                depth_write_enabled: Some(depth == Depth::TestAndWrite),
                depth_compare: Some(match depth {
                    Depth::Ignore => wgpu::CompareFunction::Always,
                    _ => wgpu::CompareFunction::LessEqual,
                }),
                stencil: wgpu::StencilState::default(),
                bias: match recipe.module {
                    // The rasterizer snaps vertices to fractions of a pixel. From afar this tilts planes by more than
                    // the ground is lowered.
                    Module::Ground => wgpu::DepthBiasState { constant: 2, slope_scale: 1.0, clamp: 0.0 },
                    _ => wgpu::DepthBiasState::default(),
                },
            }),
            multisample: wgpu::MultisampleState {
                count: recipe.sample_count,
                alpha_to_coverage_enabled: recipe.covers_by_alpha,
                ..wgpu::MultisampleState::default()
            },
            fragment: recipe.fragment_entry.map(|entry| wgpu::FragmentState {
                module: &module,
                entry_point: Some(entry),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                targets: color_targets.as_slice(),
            }),
            multiview_mask: None,
            cache: None,
        })
    }

    fn module(&self, device: &wgpu::Device, wanted: ModuleKey) -> wgpu::ShaderModule {
        let mut modules = self.modules.borrow_mut();
        if let Some((_, module)) = modules.iter().find(|(made, _)| *made == wanted) {
            return module.clone();
        }
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some("gambol"),
            source: wgpu::ShaderSource::Wgsl(wanted.0.source(self.tier.known(), wanted.1, wanted.2).into()),
        });
        modules.push((wanted, module.clone()));
        module
    }
}

/// Bytes between the draws of a model in their uniform buffer: the offset alignment that every device supports.
pub(super) const DRAW_STRIDE: usize = 256;
const _: () = assert!(size_of::<DrawData>() <= DRAW_STRIDE);

/// Records a pass that runs a pipeline's fragment shader for every pixel of `target`.
pub(super) fn blit(
    encoder: &mut wgpu::CommandEncoder,
    label: &'static str,
    pipeline: &wgpu::RenderPipeline,
    groups: &[&wgpu::BindGroup],
    target: &wgpu::TextureView,
) {
    let mut pass = color_pass(encoder, label, target, wgpu::Color::TRANSPARENT);
    pass.set_pipeline(pipeline);
    for (index, group) in (0..).zip(groups) {
        pass.set_bind_group(index, *group, &[]);
    }
    pass.draw(0..3, 0..1);
}

/// Begins a pass with cleared depths and no colour.
pub(super) fn depth_pass<'encoder>(
    encoder: &'encoder mut wgpu::CommandEncoder,
    label: &'static str,
    depths: &wgpu::TextureView,
) -> wgpu::RenderPass<'encoder> {
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some(label),
        depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
            view: depths,
            depth_ops: Some(wgpu::Operations { load: wgpu::LoadOp::Clear(1.0), store: wgpu::StoreOp::Store }),
            stencil_ops: None,
        }),
        ..wgpu::RenderPassDescriptor::default()
    })
}

/// Begins a pass with one cleared colour target and no depth.
pub(super) fn color_pass<'encoder>(
    encoder: &'encoder mut wgpu::CommandEncoder,
    label: &'static str,
    target: &wgpu::TextureView,
    clear: wgpu::Color,
) -> wgpu::RenderPass<'encoder> {
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some(label),
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view: target,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations { load: wgpu::LoadOp::Clear(clear), store: wgpu::StoreOp::Store },
        })],
        ..wgpu::RenderPassDescriptor::default()
    })
}
