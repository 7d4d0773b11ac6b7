use super::calls::{self, Handle};
use super::formats::{texture_format, vertex_format};
use super::object::Object;
use crate::backend::ours;
use wgpu::FrontFace;

/// Creates a pipeline whose stages are in one module. It has one buffer of vertices and one target at most.
pub(super) fn create(device: &Handle, desc: &wgpu::RenderPipelineDescriptor<'_>) -> Object {
    let primitive = &desc.primitive;
    let target = desc.fragment.as_ref().and_then(|fragment| fragment.targets.first()?.as_ref());
    let blend = target.and_then(|target| target.blend);
    debug_assert!(blend.is_none_or(|blend| blend == wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING));
    let depth = desc.depth_stencil.as_ref();
    let buffer = desc.vertex.buffers.iter().flatten().next();
    let mut state = vec![
        primitive.topology as u32 as f32,
        primitive.cull_mode.map_or(0.0, |face| face as u32 as f32 + 1.0),
        f32::from(primitive.front_face == FrontFace::Cw),
        desc.multisample.count as f32,
        f32::from(desc.multisample.alpha_to_coverage_enabled),
        target.map_or(0, |target| texture_format(target.format)) as f32,
        f32::from(blend.is_some()),
        depth.map_or(0, |depth| texture_format(depth.format)) as f32,
        f32::from(depth.is_some_and(|depth| depth.depth_write_enabled == Some(true))),
        depth.and_then(|depth| depth.depth_compare).map_or(0, |compare| compare as u32) as f32,
        depth.map_or(0, |depth| depth.bias.constant) as f32,
        depth.map_or(0.0, |depth| depth.bias.slope_scale),
        buffer.map_or(0, |buffer| buffer.array_stride) as f32,
        f32::from(buffer.is_some_and(|buffer| buffer.step_mode == wgpu::VertexStepMode::Instance)),
    ];
    for attribute in buffer.map_or(&[][..], |buffer| buffer.attributes) {
        state.extend([
            attribute.shader_location as f32,
            f32::from(vertex_format(attribute.format)),
            attribute.offset as f32,
        ]);
    }
    let layout: &Object = ours(desc.layout.and_then(|layout| layout.as_custom()));
    let module: &Object = ours(desc.vertex.module.as_custom());
    let fragment = desc.fragment.as_ref().and_then(|fragment| fragment.entry_point);
    let handle = calls::create_render_pipeline(
        device,
        &layout.handle,
        &module.handle,
        desc.vertex.entry_point.unwrap_or_default(),
        fragment.unwrap_or_default(),
        &state,
    );
    Object { handle }
}
