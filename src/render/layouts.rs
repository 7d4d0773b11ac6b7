//! Layouts of bind groups, and bind groups of textures.

pub(super) const FILTERABLE: wgpu::TextureSampleType = wgpu::TextureSampleType::Float { filterable: true };

pub(super) fn entry(
    binding: u32,
    visibility: wgpu::ShaderStages,
    ty: wgpu::BindingType,
) -> wgpu::BindGroupLayoutEntry {
    wgpu::BindGroupLayoutEntry { binding, visibility, ty, count: None }
}

pub(super) fn uniform(has_dynamic_offset: bool) -> wgpu::BindingType {
    let ty = wgpu::BufferBindingType::Uniform;
    wgpu::BindingType::Buffer { ty, has_dynamic_offset, min_binding_size: None }
}

pub(super) fn texture(sample_type: wgpu::TextureSampleType) -> wgpu::BindingType {
    let view_dimension = wgpu::TextureViewDimension::D2;
    wgpu::BindingType::Texture { sample_type, view_dimension, multisampled: false }
}

pub(super) fn bind_texture(
    device: &wgpu::Device,
    label: &'static str,
    layout: &wgpu::BindGroupLayout,
    view: &wgpu::TextureView,
    sampler: &wgpu::Sampler,
) -> wgpu::BindGroup {
    let resources = [wgpu::BindingResource::TextureView(view), wgpu::BindingResource::Sampler(sampler)];
    bind(device, label, layout, resources)
}

/// Creates a bind group whose bindings are numbered from 0.
pub(super) fn bind<const N: usize>(
    device: &wgpu::Device,
    label: &'static str,
    layout: &wgpu::BindGroupLayout,
    resources: [wgpu::BindingResource<'_>; N],
) -> wgpu::BindGroup {
    let mut binding = 0;
    let entries = resources.map(|resource| {
        binding += 1;
        wgpu::BindGroupEntry { binding: binding - 1, resource }
    });
    device.create_bind_group(&wgpu::BindGroupDescriptor { label: Some(label), layout, entries: &entries })
}
