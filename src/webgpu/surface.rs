use super::calls::{self, Handle};
use super::device::Device;
use super::formats::texture_format;
use super::object::Object;
use crate::backend::{opaque, ours};
use js_sys::Promise;
use std::cell::RefCell;
use wgpu::custom::{
    DispatchAdapter, DispatchDevice, DispatchSurfaceOutputDetail, DispatchTexture, SurfaceInterface,
};

/// A canvas's context.
pub(super) struct Surface {
    context: Handle,
    /// The device that the canvas is configured for.
    device: RefCell<Option<Handle>>,
}

opaque![Surface];

impl Surface {
    pub(super) fn new(context: Handle) -> Self {
        Self { context, device: RefCell::default() }
    }

    /// Returns a promise of whether the picture that was drawn in this task is blank.
    pub(super) fn is_blank(&self) -> Option<Promise> {
        calls::is_blank(self.device.borrow().as_ref()?, &self.context)
    }
}

impl SurfaceInterface for Surface {
    /// Returns the format that is fastest to show.
    fn get_capabilities(&self, _: &DispatchAdapter) -> wgpu::SurfaceCapabilities {
        let format = if calls::prefers_bgra() {
            wgpu::TextureFormat::Bgra8Unorm
        } else {
            wgpu::TextureFormat::Rgba8Unorm
        };
        wgpu::SurfaceCapabilities { formats: vec![format], ..wgpu::SurfaceCapabilities::default() }
    }

    fn configure(&self, device: &DispatchDevice, config: &wgpu::SurfaceConfiguration) {
        let device = ours(device.as_custom::<Device>()).handle();
        let &wgpu::SurfaceConfiguration { width, height, .. } = config;
        let (format, usage) = (texture_format(config.format), config.usage.bits());
        calls::configure_canvas(&self.context, device, format, usage, width, height);
        self.device.replace(Some(device.clone()));
    }

    fn get_current_texture(
        &self,
    ) -> (Option<DispatchTexture>, wgpu::SurfaceStatus, DispatchSurfaceOutputDetail) {
        let handle = calls::current_texture(&self.context);
        let status = if handle.is_some() { wgpu::SurfaceStatus::Good } else { wgpu::SurfaceStatus::Lost };
        let detail = DispatchSurfaceOutputDetail::custom(Object { handle: self.context.clone() });
        (handle.map(|handle| DispatchTexture::custom(Object { handle })), status, detail)
    }
}
