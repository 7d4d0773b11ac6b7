use super::buffer::Buffer;
use super::calls::{self, Handle};
use super::object::Object;
use crate::backend::{opaque, ours, unused_in_pass};
use std::ops::Range;
use wgpu::custom::{DispatchBindGroup, DispatchBuffer, DispatchRenderPipeline, RenderPassInterface};
use wgpu::{LoadOp, StoreOp};

/// A render pass, which ends when it is dropped.
pub(super) struct RenderPass {
    handle: Handle,
}

opaque![RenderPass];

impl RenderPass {
    /// Begins a pass that clears its targets, as all of `render` do.
    pub(super) fn begin(encoder: &Handle, desc: &wgpu::RenderPassDescriptor<'_>) -> Self {
        let view = |view: &wgpu::TextureView| ours(view.as_custom::<Object>()).handle.clone();
        let color = desc.color_attachments.first().and_then(Option::as_ref);
        let depth = desc.depth_stencil_attachment.as_ref();
        let clear = match color.map(|color| color.ops.load) {
            Some(LoadOp::Clear(clear)) => clear,
            _ => wgpu::Color::TRANSPARENT,
        };
        let keeps_depth =
            depth.and_then(|depth| depth.depth_ops).is_some_and(|ops| ops.store == StoreOp::Store);
        let handle = calls::begin_render_pass(
            encoder,
            color.map(|color| view(color.view)).as_ref(),
            color.and_then(|color| color.resolve_target).map(view).as_ref(),
            depth.map(|depth| view(depth.view)).as_ref(),
            clear.r,
            clear.g,
            clear.b,
            clear.a,
            color.is_some_and(|color| color.ops.store == StoreOp::Store),
            keeps_depth,
        );
        Self { handle }
    }
}

impl Drop for RenderPass {
    fn drop(&mut self) {
        self.handle.end();
    }
}

impl RenderPassInterface for RenderPass {
    fn set_pipeline(&mut self, pipeline: &DispatchRenderPipeline) {
        self.handle.set_pipeline(&ours(pipeline.as_custom::<Object>()).handle);
    }

    /// Sets a group. Layouts have one dynamic offset at most.
    fn set_bind_group(&mut self, index: u32, bind_group: Option<&DispatchBindGroup>, offsets: &[u32]) {
        let group = bind_group.map(|group| &ours(group.as_custom::<Object>()).handle);
        match offsets.first() {
            Some(&offset) => calls::set_group_at(&self.handle, index, group, offset),
            None => self.handle.set_bind_group(index, group),
        }
    }

    fn set_index_buffer(
        &mut self,
        buffer: &DispatchBuffer,
        index_format: wgpu::IndexFormat,
        _: wgpu::BufferAddress,
        _: Option<wgpu::BufferSize>,
    ) {
        let buffer: &Buffer = ours(buffer.as_custom());
        calls::set_indices(&self.handle, &buffer.handle, index_format == wgpu::IndexFormat::Uint32);
    }

    fn set_vertex_buffer(
        &mut self,
        slot: u32,
        buffer: Option<&DispatchBuffer>,
        _: wgpu::BufferAddress,
        _: Option<wgpu::BufferSize>,
    ) {
        let buffer = buffer.map(|buffer| &ours(buffer.as_custom::<Buffer>()).handle);
        self.handle.set_vertex_buffer(slot, buffer);
    }

    fn draw(&mut self, vertices: Range<u32>, instances: Range<u32>) {
        let (count, instance_count) = (vertices.end - vertices.start, instances.end - instances.start);
        self.handle.draw(count, instance_count, vertices.start, instances.start);
    }

    fn draw_indexed(&mut self, indices: Range<u32>, base: i32, instances: Range<u32>) {
        let (count, instance_count) = (indices.end - indices.start, instances.end - instances.start);
        self.handle.draw_indexed(count, instance_count, indices.start, base, instances.start);
    }

    unused_in_pass!();
}
