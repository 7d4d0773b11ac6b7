use super::buffer::Buffer;
use super::surface::Picture;
use super::texture::Texture;
use crate::backend::{opaque, ours, unused, unused_in_queue};
use wgpu::custom::{
    BoxSubmittedWorkDoneCallback, DispatchBuffer, DispatchCommandBuffer, DispatchSurfaceOutputDetail,
    QueueInterface,
};

/// The queue. Every object that it is given has the context.
pub(super) struct Queue;

opaque![Queue];

impl QueueInterface for Queue {
    fn write_buffer(&self, buffer: &DispatchBuffer, offset: wgpu::BufferAddress, data: &[u8]) {
        ours(buffer.as_custom::<Buffer>()).write(offset, data);
    }

    /// Writes rows without gaps, which is all that `render` has.
    fn write_texture(
        &self,
        texture: wgpu::TexelCopyTextureInfo<'_>,
        data: &[u8],
        _: wgpu::TexelCopyBufferLayout,
        size: wgpu::Extent3d,
    ) {
        let wgpu::TexelCopyTextureInfo { mip_level, origin, .. } = texture;
        let texture: &Texture = ours(texture.texture.as_custom());
        texture.write(mip_level, (origin.x, origin.y), (size.width, size.height), data);
    }

    /// Copies an image to all of the texture's first level.
    fn copy_external_image_to_texture(
        &self,
        source: &wgpu::CopyExternalImageSourceInfo,
        dest: wgpu::CopyExternalImageDestInfo<&wgpu::Texture>,
        _: wgpu::Extent3d,
    ) {
        let wgpu::ExternalImageSource::ImageBitmap(image) = &source.source else { unused() };
        ours(dest.texture.as_custom::<Texture>()).write_image(image);
    }

    /// Does nothing more: commands run when they are recorded.
    fn submit(&self, command_buffers: &mut dyn Iterator<Item = DispatchCommandBuffer>) -> u64 {
        command_buffers.for_each(drop);
        0
    }

    fn present(&self, detail: &DispatchSurfaceOutputDetail) {
        ours(detail.as_custom::<Picture>()).present();
    }

    fn on_submitted_work_done(&self, callback: BoxSubmittedWorkDoneCallback) {
        callback();
    }

    unused_in_queue!();
}
