use super::context::Context;
use super::surface::Surface;
use super::{opaque, unused};
use std::pin::Pin;
use std::rc::Rc;
use wgpu::custom::{
    AdapterInterface, DispatchSurface, EnumerateAdapterFuture, InstanceInterface, RequestAdapterFuture,
    RequestDeviceFuture,
};

pub(super) struct Instance {
    context: Rc<Context>,
}

pub(super) struct Adapter;

opaque![Instance, Adapter];

impl Instance {
    pub(super) fn new(context: Rc<Context>) -> Self {
        Self { context }
    }
}

impl InstanceInterface for Instance {
    fn new(_: wgpu::InstanceDescriptor) -> Self {
        unused()
    }

    /// Creates a surface on the instance's canvas, whatever the target.
    unsafe fn create_surface(
        &self,
        _: wgpu::SurfaceTargetUnsafe,
    ) -> Result<DispatchSurface, wgpu::CreateSurfaceError> {
        Ok(DispatchSurface::custom(Surface::new(&self.context)))
    }

    fn request_adapter(&self, _: &wgpu::RequestAdapterOptions<'_, '_>) -> Pin<Box<dyn RequestAdapterFuture>> {
        unused()
    }

    fn poll_all_devices(&self, _: bool) -> bool {
        unused()
    }

    fn wgsl_language_features(&self) -> wgpu::WgslLanguageFeatures {
        unused()
    }

    fn enumerate_adapters(&self, _: wgpu::Backends) -> Pin<Box<dyn EnumerateAdapterFuture>> {
        unused()
    }
}

impl AdapterInterface for Adapter {
    fn request_device(&self, _: &wgpu::DeviceDescriptor<'_>) -> Pin<Box<dyn RequestDeviceFuture>> {
        unused()
    }

    fn is_surface_supported(&self, _: &DispatchSurface) -> bool {
        unused()
    }

    fn features(&self) -> wgpu::Features {
        unused()
    }

    fn limits(&self) -> wgpu::Limits {
        unused()
    }

    fn downlevel_capabilities(&self) -> wgpu::DownlevelCapabilities {
        unused()
    }

    fn get_info(&self) -> wgpu::AdapterInfo {
        unused()
    }

    fn get_texture_format_features(&self, _: wgpu::TextureFormat) -> wgpu::TextureFormatFeatures {
        unused()
    }

    fn get_presentation_timestamp(&self) -> wgpu::PresentationTimestamp {
        unused()
    }

    fn cooperative_matrix_properties(&self) -> Vec<wgpu::wgt::CooperativeMatrixProperties> {
        unused()
    }
}
