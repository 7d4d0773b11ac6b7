//! Pipelines of a triangle that covers the whole target, for code that pages fetch apart.

use super::pipelines::DEPTH_FORMAT;

/// What the triangle is drawn with.
pub(super) struct Cover<'a> {
    pub(super) label: &'static str,
    pub(super) source: String,
    pub(super) groups: &'a [Option<&'a wgpu::BindGroupLayout>],
    pub(super) vertex_entry: &'static str,
    pub(super) fragment_entry: &'static str,
    pub(super) format: wgpu::TextureFormat,
    pub(super) sample_count: u32,
    /// The target has depths, which the triangle neither reads nor writes.
    pub(super) has_depth: bool,
}

impl Cover<'_> {
    /// Creates the pipeline. Inlined, since what several files call would be in the first one.
    #[inline(always)]
    pub(super) fn pipeline(self, device: &wgpu::Device) -> wgpu::RenderPipeline {
        let label = Some(self.label);
        let source = wgpu::ShaderSource::Wgsl(self.source.into());
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor { label, source });
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label,
            bind_group_layouts: self.groups,
            immediate_size: 0,
        });
        device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label,
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some(self.vertex_entry),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                buffers: &[],
            },
            primitive: wgpu::PrimitiveState::default(),
            depth_stencil: self.has_depth.then(|| wgpu::DepthStencilState {
                format: DEPTH_FORMAT,
                depth_write_enabled: Some(false),
                depth_compare: Some(wgpu::CompareFunction::Always),
                stencil: wgpu::StencilState::default(),
                bias: wgpu::DepthBiasState::default(),
            }),
            multisample: wgpu::MultisampleState {
                count: self.sample_count,
                ..wgpu::MultisampleState::default()
            },
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some(self.fragment_entry),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                targets: &[Some(self.format.into())],
            }),
            multiview_mask: None,
            cache: None,
        })
    }
}
