use super::buffer::Buffer;
use super::context::Context;
use super::formats::Transfer;
use super::pass::RenderPass;
use super::texture::Texture;
use crate::backend::{opaque, ours, unused, unused_in_encoder};
use std::rc::Rc;
use web_sys::WebGl2RenderingContext as Gl;
use wgpu::custom::{
    CommandBufferInterface, CommandEncoderInterface, DispatchCommandBuffer, DispatchRenderPass,
};
use wgpu::{TexelCopyBufferInfo, TexelCopyTextureInfo};

/// Runs commands as they are recorded.
pub(super) struct CommandEncoder {
    context: Rc<Context>,
}

/// Commands that have run.
struct Done;

opaque![CommandEncoder, Done];

impl CommandEncoder {
    pub(super) fn new(context: &Rc<Context>) -> Self {
        Self { context: Rc::clone(context) }
    }
}

impl CommandBufferInterface for Done {}

impl CommandEncoderInterface for CommandEncoder {
    fn begin_render_pass(&self, desc: &wgpu::RenderPassDescriptor<'_>) -> DispatchRenderPass {
        DispatchRenderPass::custom(RenderPass::begin(&self.context, desc))
    }

    /// Copies the first level of a texture. The rows of the buffer are as long as the destination says.
    fn copy_texture_to_buffer(
        &self,
        source: TexelCopyTextureInfo<'_>,
        destination: TexelCopyBufferInfo<'_>,
        copy_size: wgpu::Extent3d,
    ) {
        let context = &*self.context;
        let texture: &Texture = ours(source.texture.as_custom());
        let buffer: &Buffer = ours(destination.buffer.as_custom());
        let Transfer::Pixels(layout, ty) = texture.transfer() else { unused() };
        let bytes_per_pixel = if ty == Gl::UNSIGNED_BYTE { 4 } else { 16 };
        let gl = &context.gl;
        let view = texture.whole();
        context.framebuffers.bind_read(context, Some(&view), None);
        let row_length = destination.layout.bytes_per_row.unwrap_or(0) / bytes_per_pixel;
        gl.pixel_storei(Gl::PACK_ROW_LENGTH, row_length as i32);
        buffer.bind();
        let (width, height) = (copy_size.width as i32, copy_size.height as i32);
        let read = gl.read_pixels_with_i32(0, 0, width, height, layout, ty, destination.layout.offset as i32);
        buffer.unbind();
        if read.is_err() {
            context.errors.report_invalid("the pixels can't be read".into());
        }
    }

    fn finish(&mut self) -> DispatchCommandBuffer {
        DispatchCommandBuffer::custom(Done)
    }

    unused_in_encoder!();
}
