use super::buffer::Buffer;
use super::calls::{self, Handle};
use super::object::Object;
use super::pass::RenderPass;
use crate::backend::{opaque, ours, unused_in_encoder};
use wgpu::custom::{CommandEncoderInterface, DispatchCommandBuffer, DispatchRenderPass};
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

    unused_in_encoder!();
}
