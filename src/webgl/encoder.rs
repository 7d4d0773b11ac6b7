use super::buffer::Buffer;
use super::context::Context;
use super::formats::Transfer;
use super::pass::RenderPass;
use super::texture::Texture;
use super::{opaque, ours, unused};
use std::rc::Rc;
use web_sys::WebGl2RenderingContext as Gl;
use wgpu::custom::{
    CommandBufferInterface, CommandEncoderInterface, DispatchBuffer, DispatchCommandBuffer,
    DispatchComputePass, DispatchQuerySet, DispatchRenderPass, DispatchTexture,
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
