use super::buffer::Buffer;
use super::calls;
use super::calls::Handle;
use super::events::Events;
use super::object::Object;
use crate::backend::{opaque, ours, unused, unused_in_queue};
use std::rc::Rc;
use wgpu::custom::{
    BoxSubmittedWorkDoneCallback, DispatchBuffer, DispatchCommandBuffer, DispatchSurfaceOutputDetail,
    QueueInterface,
};

pub(super) struct Queue {
    handle: Handle,
    events: Rc<Events>,
}

opaque![Queue];

impl Queue {
    pub(super) fn new(handle: Handle, events: &Rc<Events>) -> Self {
        Self { handle, events: Rc::clone(events) }
    }
}

impl QueueInterface for Queue {
    fn write_buffer(&self, buffer: &DispatchBuffer, offset: wgpu::BufferAddress, data: &[u8]) {
        let buffer: &Buffer = ours(buffer.as_custom());
        self.handle.write_buffer(&buffer.handle, offset as f64, data);
    }

    /// Writes rows from the left edge, which is all that `render` does.
    fn write_texture(
        &self,
        texture: wgpu::TexelCopyTextureInfo<'_>,
        data: &[u8],
        layout: wgpu::TexelCopyBufferLayout,
        size: wgpu::Extent3d,
    ) {
        let wgpu::TexelCopyTextureInfo { mip_level, origin, .. } = texture;
        debug_assert_eq!((origin.x, layout.offset), (0, 0));
        let texture: &Object = ours(texture.texture.as_custom());
        calls::write_texture(
            &self.handle,
            &texture.handle,
            mip_level,
            origin.y,
            data,
            layout.bytes_per_row.unwrap_or(0),
            size.width,
            size.height,
        );
    }

    /// Copies an image to the texture's first level.
    fn copy_external_image_to_texture(
        &self,
        source: &wgpu::CopyExternalImageSourceInfo,
        dest: wgpu::CopyExternalImageDestInfo<&wgpu::Texture>,
        size: wgpu::Extent3d,
    ) {
        let wgpu::ExternalImageSource::ImageBitmap(image) = &source.source else { unused() };
        let texture: &Object = ours(dest.texture.as_custom());
        calls::copy_image(&self.handle, image, &texture.handle, size.width, size.height);
    }

    /// Submits one command buffer at most.
    fn submit(&self, command_buffers: &mut dyn Iterator<Item = DispatchCommandBuffer>) -> u64 {
        let commands = command_buffers.next();
        let commands = commands.as_ref().map(|commands| &ours(commands.as_custom::<Object>()).handle);
        calls::submit_to(&self.handle, commands);
        if command_buffers.next().is_some() {
            unused();
        }
        0
    }

    /// Does nothing: browsers present what was drawn.
    fn present(&self, _: &DispatchSurfaceOutputDetail) {}

    fn on_submitted_work_done(&self, callback: BoxSubmittedWorkDoneCallback) {
        self.events.when_done(&self.handle, callback);
    }

    unused_in_queue!();
}
