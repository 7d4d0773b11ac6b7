//! What the backends of wgpu share: an instance, an adapter, mapped bytes, and the methods of wgpu's interface that
//! `render` doesn't use.

use wgpu::WriteOnly;
use wgpu::custom::{AdapterInterface, BufferMappedRangeInterface, DispatchSurface, InstanceInterface};

/// Implements `Debug`, which wgpu requires, without the code that prints every field.
macro_rules! opaque {
    ($($name:ident),+ $(,)?) => {
        $(impl std::fmt::Debug for $name {
            fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                out.write_str(stringify!($name))
            }
        })+
    };
}
pub(crate) use opaque;

/// Ends a call of a part of wgpu's interface that `render` doesn't use.
#[cold]
pub(crate) fn unused() -> ! {
    unreachable!("not in this backend")
}

/// Returns the backend's object behind one of wgpu's, which is always ours: a build has one backend.
pub(crate) fn ours<T>(object: Option<&T>) -> &T {
    match object {
        Some(object) => object,
        None => unused(),
    }
}

/// A copy of a mapped buffer's bytes.
pub(crate) struct Mapped {
    pub(crate) bytes: Vec<u8>,
}

impl BufferMappedRangeInterface for Mapped {
    fn len(&self) -> usize {
        self.bytes.len()
    }

    unsafe fn read_slice(&self) -> &[u8] {
        &self.bytes
    }

    unsafe fn write_slice(&mut self) -> WriteOnly<'_, [u8]> {
        unused()
    }
}

/// The adapter, of which wgpu keeps one with a device. Pages choose it, so nothing is asked of it.
pub(crate) struct Adapter;

opaque![Adapter, Mapped];

impl AdapterInterface for Adapter {
    fn request_device(
        &self,
        _: &wgpu::DeviceDescriptor<'_>,
    ) -> std::pin::Pin<Box<dyn wgpu::custom::RequestDeviceFuture>> {
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

/// An instance of one surface, which it returns for every target.
pub(crate) struct Instance(pub(crate) DispatchSurface);

opaque![Instance];

impl InstanceInterface for Instance {
    fn new(_: wgpu::InstanceDescriptor) -> Self {
        unused()
    }

    unsafe fn create_surface(
        &self,
        _: wgpu::SurfaceTargetUnsafe,
    ) -> Result<DispatchSurface, wgpu::CreateSurfaceError> {
        Ok(self.0.clone())
    }

    fn request_adapter(
        &self,
        _: &wgpu::RequestAdapterOptions<'_, '_>,
    ) -> std::pin::Pin<Box<dyn wgpu::custom::RequestAdapterFuture>> {
        unused()
    }
    fn poll_all_devices(&self, _: bool) -> bool {
        unused()
    }
    fn wgsl_language_features(&self) -> wgpu::WgslLanguageFeatures {
        unused()
    }
    fn enumerate_adapters(
        &self,
        _: wgpu::Backends,
    ) -> std::pin::Pin<Box<dyn wgpu::custom::EnumerateAdapterFuture>> {
        unused()
    }
}

/// Implements the methods of a render pass that `render` doesn't use.
macro_rules! unused_in_pass {
    () => {
        fn set_immediates(&mut self, _: u32, _: &[u8]) {
            $crate::backend::unused()
        }
        fn set_blend_constant(&mut self, _: wgpu::Color) {
            $crate::backend::unused()
        }
        fn set_scissor_rect(&mut self, _: u32, _: u32, _: u32, _: u32) {
            $crate::backend::unused()
        }
        fn set_viewport(&mut self, _: f32, _: f32, _: f32, _: f32, _: f32, _: f32) {
            $crate::backend::unused()
        }
        fn set_stencil_reference(&mut self, _: u32) {
            $crate::backend::unused()
        }
        fn draw_mesh_tasks(&mut self, _: u32, _: u32, _: u32) {
            $crate::backend::unused()
        }
        fn draw_indirect(&mut self, _: &wgpu::custom::DispatchBuffer, _: u64) {
            $crate::backend::unused()
        }
        fn draw_indexed_indirect(&mut self, _: &wgpu::custom::DispatchBuffer, _: u64) {
            $crate::backend::unused()
        }
        fn draw_mesh_tasks_indirect(&mut self, _: &wgpu::custom::DispatchBuffer, _: u64) {
            $crate::backend::unused()
        }
        fn multi_draw_indirect(&mut self, _: &wgpu::custom::DispatchBuffer, _: u64, _: u32) {
            $crate::backend::unused()
        }
        fn multi_draw_indexed_indirect(&mut self, _: &wgpu::custom::DispatchBuffer, _: u64, _: u32) {
            $crate::backend::unused()
        }
        fn multi_draw_indirect_count(
            &mut self,
            _: &wgpu::custom::DispatchBuffer,
            _: u64,
            _: &wgpu::custom::DispatchBuffer,
            _: u64,
            _: u32,
        ) {
            $crate::backend::unused()
        }
        fn multi_draw_mesh_tasks_indirect(&mut self, _: &wgpu::custom::DispatchBuffer, _: u64, _: u32) {
            $crate::backend::unused()
        }
        fn multi_draw_indexed_indirect_count(
            &mut self,
            _: &wgpu::custom::DispatchBuffer,
            _: u64,
            _: &wgpu::custom::DispatchBuffer,
            _: u64,
            _: u32,
        ) {
            $crate::backend::unused()
        }
        fn multi_draw_mesh_tasks_indirect_count(
            &mut self,
            _: &wgpu::custom::DispatchBuffer,
            _: u64,
            _: &wgpu::custom::DispatchBuffer,
            _: u64,
            _: u32,
        ) {
            $crate::backend::unused()
        }
        fn insert_debug_marker(&mut self, _: &str) {
            $crate::backend::unused()
        }
        fn push_debug_group(&mut self, _: &str) {
            $crate::backend::unused()
        }
        fn pop_debug_group(&mut self) {
            $crate::backend::unused()
        }
        fn write_timestamp(&mut self, _: &wgpu::custom::DispatchQuerySet, _: u32) {
            $crate::backend::unused()
        }
        fn begin_occlusion_query(&mut self, _: u32) {
            $crate::backend::unused()
        }
        fn end_occlusion_query(&mut self) {
            $crate::backend::unused()
        }
        fn begin_pipeline_statistics_query(&mut self, _: &wgpu::custom::DispatchQuerySet, _: u32) {
            $crate::backend::unused()
        }
        fn end_pipeline_statistics_query(&mut self) {
            $crate::backend::unused()
        }
        fn execute_bundles(&mut self, _: &mut dyn Iterator<Item = &wgpu::custom::DispatchRenderBundle>) {
            $crate::backend::unused()
        }
    };
}
pub(crate) use unused_in_pass;

/// Implements the methods of a command encoder that `render` doesn't use.
macro_rules! unused_in_encoder {
    () => {
        fn copy_buffer_to_buffer(
            &self,
            _: &wgpu::custom::DispatchBuffer,
            _: u64,
            _: &wgpu::custom::DispatchBuffer,
            _: u64,
            _: Option<u64>,
        ) {
            $crate::backend::unused()
        }
        fn copy_buffer_to_texture(
            &self,
            _: wgpu::TexelCopyBufferInfo<'_>,
            _: wgpu::TexelCopyTextureInfo<'_>,
            _: wgpu::Extent3d,
        ) {
            $crate::backend::unused()
        }
        fn copy_texture_to_texture(
            &self,
            _: wgpu::TexelCopyTextureInfo<'_>,
            _: wgpu::TexelCopyTextureInfo<'_>,
            _: wgpu::Extent3d,
        ) {
            $crate::backend::unused()
        }
        fn begin_compute_pass(
            &self,
            _: &wgpu::ComputePassDescriptor<'_>,
        ) -> wgpu::custom::DispatchComputePass {
            $crate::backend::unused()
        }
        fn clear_texture(&self, _: &wgpu::custom::DispatchTexture, _: &wgpu::ImageSubresourceRange) {
            $crate::backend::unused()
        }
        fn clear_buffer(&self, _: &wgpu::custom::DispatchBuffer, _: u64, _: Option<u64>) {
            $crate::backend::unused()
        }
        fn insert_debug_marker(&self, _: &str) {
            $crate::backend::unused()
        }
        fn push_debug_group(&self, _: &str) {
            $crate::backend::unused()
        }
        fn pop_debug_group(&self) {
            $crate::backend::unused()
        }
        fn write_timestamp(&self, _: &wgpu::custom::DispatchQuerySet, _: u32) {
            $crate::backend::unused()
        }
        fn resolve_query_set(
            &self,
            _: &wgpu::custom::DispatchQuerySet,
            _: u32,
            _: u32,
            _: &wgpu::custom::DispatchBuffer,
            _: u64,
        ) {
            $crate::backend::unused()
        }
        fn mark_acceleration_structures_built<'a>(
            &self,
            _: &mut dyn Iterator<Item = &'a wgpu::Blas>,
            _: &mut dyn Iterator<Item = &'a wgpu::Tlas>,
        ) {
            $crate::backend::unused()
        }
        fn build_acceleration_structures<'a>(
            &self,
            _: &mut dyn Iterator<Item = &'a wgpu::BlasBuildEntry<'a>>,
            _: &mut dyn Iterator<Item = &'a wgpu::Tlas>,
        ) {
            $crate::backend::unused()
        }
        fn transition_resources<'a>(
            &mut self,
            _: &mut dyn Iterator<Item = wgpu::wgt::BufferTransition<&'a wgpu::custom::DispatchBuffer>>,
            _: &mut dyn Iterator<Item = wgpu::wgt::TextureTransition<&'a wgpu::custom::DispatchTexture>>,
        ) {
            $crate::backend::unused()
        }
    };
}
pub(crate) use unused_in_encoder;

/// Implements the methods of a device that `render` doesn't use.
macro_rules! unused_in_device {
    () => {
        fn adapter_info(&self) -> wgpu::AdapterInfo {
            $crate::backend::unused()
        }
        unsafe fn create_shader_module_passthrough(
            &self,
            _: &wgpu::ShaderModuleDescriptorPassthrough<'_>,
        ) -> wgpu::custom::DispatchShaderModule {
            $crate::backend::unused()
        }
        fn create_mesh_pipeline(
            &self,
            _: &wgpu::MeshPipelineDescriptor<'_>,
        ) -> wgpu::custom::DispatchRenderPipeline {
            $crate::backend::unused()
        }
        fn create_compute_pipeline(
            &self,
            _: &wgpu::ComputePipelineDescriptor<'_>,
        ) -> wgpu::custom::DispatchComputePipeline {
            $crate::backend::unused()
        }
        unsafe fn create_pipeline_cache(
            &self,
            _: &wgpu::PipelineCacheDescriptor<'_>,
        ) -> wgpu::custom::DispatchPipelineCache {
            $crate::backend::unused()
        }
        fn create_external_texture(
            &self,
            _: &wgpu::ExternalTextureDescriptor<'_>,
            _: &[&wgpu::TextureView],
        ) -> wgpu::custom::DispatchExternalTexture {
            $crate::backend::unused()
        }
        fn create_blas(
            &self,
            _: &wgpu::CreateBlasDescriptor<'_>,
            _: wgpu::BlasGeometrySizeDescriptors,
        ) -> (Option<u64>, wgpu::custom::DispatchBlas) {
            $crate::backend::unused()
        }
        fn create_tlas(&self, _: &wgpu::CreateTlasDescriptor<'_>) -> wgpu::custom::DispatchTlas {
            $crate::backend::unused()
        }
        fn create_query_set(&self, _: &wgpu::QuerySetDescriptor<'_>) -> wgpu::custom::DispatchQuerySet {
            $crate::backend::unused()
        }
        fn create_render_bundle_encoder(
            &self,
            _: &wgpu::RenderBundleEncoderDescriptor<'_>,
        ) -> wgpu::custom::DispatchRenderBundleEncoder {
            $crate::backend::unused()
        }
        unsafe fn start_graphics_debugger_capture(&self) {
            $crate::backend::unused()
        }
        unsafe fn stop_graphics_debugger_capture(&self) {
            $crate::backend::unused()
        }
        fn get_internal_counters(&self) -> wgpu::InternalCounters {
            $crate::backend::unused()
        }
        fn generate_allocator_report(&self) -> Option<wgpu::AllocatorReport> {
            $crate::backend::unused()
        }
    };
}
pub(crate) use unused_in_device;

/// Implements the methods of a queue that `render` doesn't use.
macro_rules! unused_in_queue {
    () => {
        fn create_staging_buffer(
            &self,
            _: wgpu::BufferSize,
        ) -> Option<wgpu::custom::DispatchQueueWriteBuffer> {
            $crate::backend::unused()
        }
        fn validate_write_buffer(
            &self,
            _: &wgpu::custom::DispatchBuffer,
            _: u64,
            _: wgpu::BufferSize,
        ) -> Option<()> {
            $crate::backend::unused()
        }
        fn write_staging_buffer(
            &self,
            _: &wgpu::custom::DispatchBuffer,
            _: u64,
            _: &wgpu::custom::DispatchQueueWriteBuffer,
        ) {
            $crate::backend::unused()
        }
        fn get_timestamp_period(&self) -> f32 {
            $crate::backend::unused()
        }
        fn compact_blas(&self, _: &wgpu::custom::DispatchBlas) -> (Option<u64>, wgpu::custom::DispatchBlas) {
            $crate::backend::unused()
        }
    };
}
pub(crate) use unused_in_queue;
