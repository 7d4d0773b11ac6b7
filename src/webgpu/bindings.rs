use super::buffer::Buffer;
use super::calls::{self, Handle};
use super::object::Object;
use crate::backend::{ours, unused};
use wgpu::{
    BindingResource, BindingType, BufferBindingType as Buffers, SamplerBindingType as Sampling,
    TextureSampleType as Samples,
};

/// Creates a layout of bindings.
pub(super) fn layout(device: &Handle, desc: &wgpu::BindGroupLayoutDescriptor<'_>) -> Object {
    let numbers: Vec<u32> = (desc.entries.iter())
        .flat_map(|entry| [entry.binding, entry.visibility.bits(), kind(entry.ty)])
        .collect();
    Object { handle: calls::create_bind_group_layout(device, &numbers) }
}

/// Returns an index into `BINDINGS` of `calls.js`.
fn kind(ty: BindingType) -> u32 {
    match ty {
        BindingType::Buffer { ty: Buffers::Uniform, has_dynamic_offset, .. } => u32::from(has_dynamic_offset),
        BindingType::Buffer { .. } => 2,
        BindingType::Texture { sample_type: Samples::Float { filterable: true }, .. } => 3,
        BindingType::Texture { sample_type: Samples::Float { .. }, .. } => 4,
        BindingType::Texture { .. } => 5,
        BindingType::Sampler(Sampling::Filtering) => 6,
        BindingType::Sampler(Sampling::NonFiltering) => 7,
        BindingType::Sampler(Sampling::Comparison) => 8,
        _ => unused(),
    }
}

/// Creates a group of resources.
pub(super) fn group(device: &Handle, desc: &wgpu::BindGroupDescriptor<'_>) -> Object {
    let list = calls::new_list();
    for entry in desc.entries {
        let resource = match &entry.resource {
            BindingResource::Buffer(part) => {
                let buffer: &Buffer = ours(part.buffer.as_custom());
                let size = part.size.map_or(0, |size| size.get());
                calls::add_buffer(&list, entry.binding, &buffer.handle, part.offset as f64, size as f64);
                continue;
            }
            BindingResource::TextureView(view) => view.as_custom::<Object>(),
            BindingResource::Sampler(sampler) => sampler.as_custom::<Object>(),
            _ => unused(),
        };
        calls::add_resource(&list, entry.binding, &ours(resource).handle);
    }
    let layout: &Object = ours(desc.layout.as_custom());
    Object { handle: calls::create_bind_group(device, &layout.handle, &list) }
}

/// Creates the layout of a pipeline's groups.
pub(super) fn pipeline_layout(device: &Handle, desc: &wgpu::PipelineLayoutDescriptor<'_>) -> Object {
    let list = calls::new_list();
    for layout in desc.bind_group_layouts.iter().flatten() {
        calls::add_layout(&list, &ours(layout.as_custom::<Object>()).handle);
    }
    Object { handle: calls::create_pipeline_layout(device, &list) }
}
