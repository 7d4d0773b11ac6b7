use super::context::Context;
use super::device::Device;
use super::queue::Queue;
use super::surface::Surface;
use super::{opaque, unused};
use std::future::ready;
use std::pin::Pin;
use std::rc::Rc;
use web_sys::WebGl2RenderingContext as Gl;
use wgpu::custom::{
    AdapterInterface, DispatchAdapter, DispatchDevice, DispatchQueue, DispatchSurface,
    EnumerateAdapterFuture, InstanceInterface, RequestAdapterFuture, RequestDeviceFuture,
};

pub(super) struct Instance {
    context: Rc<Context>,
}

pub(super) struct Adapter {
    context: Rc<Context>,
}

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
        let adapter = Adapter { context: Rc::clone(&self.context) };
        Box::pin(ready(Ok(DispatchAdapter::custom(adapter))))
    }

    fn poll_all_devices(&self, _: bool) -> bool {
        true
    }

    fn wgsl_language_features(&self) -> wgpu::WgslLanguageFeatures {
        wgpu::WgslLanguageFeatures::empty()
    }

    fn enumerate_adapters(&self, _: wgpu::Backends) -> Pin<Box<dyn EnumerateAdapterFuture>> {
        unused()
    }
}

impl AdapterInterface for Adapter {
    fn request_device(&self, desc: &wgpu::DeviceDescriptor<'_>) -> Pin<Box<dyn RequestDeviceFuture>> {
        if self.context.gl.is_context_lost() {
            let error = wgpu::RequestDeviceError::from_message("the WebGL context is lost".into());
            return Box::pin(ready(Err(error)));
        }
        let device = Device::new(&self.context, desc.required_features, desc.required_limits.clone());
        Box::pin(ready(Ok((DispatchDevice::custom(device), DispatchQueue::custom(Queue)))))
    }

    fn is_surface_supported(&self, _: &DispatchSurface) -> bool {
        true
    }

    /// Returns the kinds of compressed textures, and enables the extensions for them.
    fn features(&self) -> wgpu::Features {
        let has = |name| self.context.gl.get_extension(name).is_ok_and(|extension| extension.is_some());
        let mut features = wgpu::Features::empty();
        // Every extension is asked for: only those that were asked for are enabled.
        let [s3tc, s3tc_srgb, bptc] = [
            "WEBGL_compressed_texture_s3tc",
            "WEBGL_compressed_texture_s3tc_srgb",
            "EXT_texture_compression_bptc",
        ]
        .map(has);
        features.set(wgpu::Features::TEXTURE_COMPRESSION_BC, s3tc && s3tc_srgb && bptc);
        features.set(wgpu::Features::TEXTURE_COMPRESSION_ETC2, has("WEBGL_compressed_texture_etc"));
        // Every implementation has the profile for colours of 8 bits.
        features.set(wgpu::Features::TEXTURE_COMPRESSION_ASTC, has("WEBGL_compressed_texture_astc"));
        features
    }

    fn limits(&self) -> wgpu::Limits {
        let side =
            self.context.number(Gl::MAX_TEXTURE_SIZE).min(self.context.number(Gl::MAX_RENDERBUFFER_SIZE));
        let least = wgpu::Limits::downlevel_webgl2_defaults();
        wgpu::Limits { max_texture_dimension_2d: side.max(least.max_texture_dimension_2d), ..least }
    }

    fn downlevel_capabilities(&self) -> wgpu::DownlevelCapabilities {
        unused()
    }

    fn get_info(&self) -> wgpu::AdapterInfo {
        wgpu::AdapterInfo::new(wgpu::DeviceType::Other, wgpu::Backend::Gl)
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
