use super::buffer::Buffer;
use super::calls::{self, Handle};
use super::object::Object;
use super::pass::RenderPass;
use super::{opaque, ours, unused};
use wgpu::custom::{
    CommandEncoderInterface, DispatchBuffer, DispatchCommandBuffer, DispatchComputePass, DispatchQuerySet,
    DispatchRenderPass, DispatchTexture,
};
use wgpu::{TexelCopyBufferInfo, TexelCopyTextureInfo};

pub(super) struct CommandEncoder {
    pub(super) handle: Handle,
}

opaque![CommandEncoder];

impl CommandEncoderInterface for CommandEncoder {
    fn begin_render_pass(&self, desc: &wgpu::RenderPassDescriptor<'_>) -> DispatchRenderPass {
        DispatchRenderPass::custom(RenderPass::begin(&self.handle, desc))
    }

    /// Copies rows of the first level of a texture.
    fn copy_texture_to_buffer(
        &self,
        source: TexelCopyTextureInfo<'_>,
        destination: TexelCopyBufferInfo<'_>,
        copy_size: wgpu::Extent3d,
    ) {
        let texture: &Object = ours(source.texture.as_custom());
        let buffer: &Buffer = ours(destination.buffer.as_custom());
        calls::copy_to_buffer(
            &self.handle,
            &texture.handle,
            source.origin.y,
            &buffer.handle,
            destination.layout.offset as f64,
            destination.layout.bytes_per_row.unwrap_or(0),
            copy_size.width,
            copy_size.height,
        );
    }

    fn finish(&mut self) -> DispatchCommandBuffer {
        DispatchCommandBuffer::custom(Object { handle: self.handle.finish() })
    }

    fn copy_buffer_to_buffer(&self, _: &DispatchBuffer, _: u64, _: &DispatchBuffer, _: u64, _: Option<u64>) {
        unused()
    }
    fn copy_buffer_to_texture(
        &self,
        _: TexelCopyBufferInfo<'_>,
        _: TexelCopyTextureInfo<'_>,
        _: wgpu::Extent3d,
    ) {
        unused()
    }
    fn copy_texture_to_texture(
        &self,
        _: TexelCopyTextureInfo<'_>,
        _: TexelCopyTextureInfo<'_>,
        _: wgpu::Extent3d,
    ) {
        unused()
    }
    fn begin_compute_pass(&self, _: &wgpu::ComputePassDescriptor<'_>) -> DispatchComputePass {
        unused()
    }
    fn clear_texture(&self, _: &DispatchTexture, _: &wgpu::ImageSubresourceRange) {
        unused()
    }
    fn clear_buffer(&self, _: &DispatchBuffer, _: u64, _: Option<u64>) {
        unused()
    }
    fn insert_debug_marker(&self, _: &str) {
        unused()
    }
    fn push_debug_group(&self, _: &str) {
        unused()
    }
    fn pop_debug_group(&self) {
        unused()
    }
    fn write_timestamp(&self, _: &DispatchQuerySet, _: u32) {
        unused()
    }
    fn resolve_query_set(&self, _: &DispatchQuerySet, _: u32, _: u32, _: &DispatchBuffer, _: u64) {
        unused()
    }
    fn mark_acceleration_structures_built<'a>(
        &self,
        _: &mut dyn Iterator<Item = &'a wgpu::Blas>,
        _: &mut dyn Iterator<Item = &'a wgpu::Tlas>,
    ) {
        unused()
    }
    fn build_acceleration_structures<'a>(
        &self,
        _: &mut dyn Iterator<Item = &'a wgpu::BlasBuildEntry<'a>>,
        _: &mut dyn Iterator<Item = &'a wgpu::Tlas>,
    ) {
        unused()
    }
    fn transition_resources<'a>(
        &mut self,
        _: &mut dyn Iterator<Item = wgpu::wgt::BufferTransition<&'a DispatchBuffer>>,
        _: &mut dyn Iterator<Item = wgpu::wgt::TextureTransition<&'a DispatchTexture>>,
    ) {
        unused()
    }
}
