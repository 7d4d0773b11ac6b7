use super::bindings::{BindGroup, NoLayout};
use super::buffer::Buffer;
use super::context::{Context, enable_extension};
use super::encoder::CommandEncoder;
use super::pipeline::Pipeline;
use super::sampler::Sampler;
use super::shader::Module;
use super::texture::Texture;
use crate::backend::{opaque, unused, unused_in_device};
use std::future::ready;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use web_sys::WebGl2RenderingContext as Gl;
use wgpu::custom::{
    BoxDeviceLostCallback, DeviceInterface, DispatchBindGroup, DispatchBindGroupLayout, DispatchBuffer,
    DispatchCommandEncoder, DispatchPipelineLayout, DispatchRenderPipeline, DispatchSampler,
    DispatchShaderModule, DispatchTexture, PopErrorScopeFuture,
};

pub(super) struct Device {
    context: Rc<Context>,
    features: wgpu::Features,
    limits: wgpu::Limits,
}

opaque![Device];

impl Device {
    pub(super) fn new(context: &Rc<Context>) -> Self {
        Self { context: Rc::clone(context), features: features(context), limits: limits(context) }
    }

    pub(super) fn context(&self) -> &Rc<Context> {
        &self.context
    }
}

impl DeviceInterface for Device {
    fn features(&self) -> wgpu::Features {
        self.features
    }

    fn limits(&self) -> wgpu::Limits {
        self.limits.clone()
    }

    /// Creates a module from the text that `render` has for this tier, which isn't WGSL but translated: see [`Module`].
    fn create_shader_module(
        &self,
        desc: wgpu::ShaderModuleDescriptor<'_>,
        _: wgpu::ShaderRuntimeChecks,
    ) -> DispatchShaderModule {
        let wgpu::ShaderSource::Wgsl(text) = desc.source else { unused() };
        DispatchShaderModule::custom(Module::new(&text))
    }

    fn create_bind_group_layout(&self, _: &wgpu::BindGroupLayoutDescriptor<'_>) -> DispatchBindGroupLayout {
        DispatchBindGroupLayout::custom(NoLayout)
    }

    fn create_bind_group(&self, desc: &wgpu::BindGroupDescriptor<'_>) -> DispatchBindGroup {
        DispatchBindGroup::custom(BindGroup::new(desc))
    }

    fn create_pipeline_layout(&self, _: &wgpu::PipelineLayoutDescriptor<'_>) -> DispatchPipelineLayout {
        DispatchPipelineLayout::custom(NoLayout)
    }

    fn create_render_pipeline(&self, desc: &wgpu::RenderPipelineDescriptor<'_>) -> DispatchRenderPipeline {
        DispatchRenderPipeline::custom(Pipeline::new(&self.context, desc))
    }

    fn create_buffer(&self, desc: &wgpu::BufferDescriptor<'_>) -> DispatchBuffer {
        DispatchBuffer::custom(Buffer::new(&self.context, desc))
    }

    fn create_texture(&self, desc: &wgpu::TextureDescriptor<'_>) -> DispatchTexture {
        DispatchTexture::custom(Texture::new(&self.context, desc))
    }

    fn create_sampler(&self, desc: &wgpu::SamplerDescriptor<'_>) -> DispatchSampler {
        DispatchSampler::custom(Sampler::new(&self.context, desc))
    }

    fn create_command_encoder(&self, _: &wgpu::CommandEncoderDescriptor<'_>) -> DispatchCommandEncoder {
        DispatchCommandEncoder::custom(CommandEncoder::new(&self.context))
    }

    /// Does nothing: the page gets the event `webglcontextlost`.
    fn set_device_lost_callback(&self, _: BoxDeviceLostCallback) {}

    fn on_uncaptured_error(&self, handler: Arc<dyn wgpu::UncapturedErrorHandler>) {
        self.context.errors.set_handler(handler);
    }

    fn push_error_scope(&self, filter: wgpu::ErrorFilter) -> u32 {
        self.context.errors.push_scope(&self.context.gl, filter)
    }

    fn pop_error_scope(&self, index: u32) -> Pin<Box<dyn PopErrorScopeFuture>> {
        Box::pin(ready(self.context.errors.pop_scope(&self.context.gl, index)))
    }

    /// Does nothing: whatever waits for the GPU has waited.
    fn poll(&self, _: wgpu::wgt::PollType<u64>) -> Result<wgpu::PollStatus, wgpu::PollError> {
        Ok(wgpu::PollStatus::QueueEmpty)
    }

    fn destroy(&self) {}

    unused_in_device!();
}

/// Returns the kinds of compressed textures, and enables the extensions for them.
fn features(context: &Context) -> wgpu::Features {
    let has = |name| enable_extension(&context.gl, name);
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
    // Passes draw rows of floats (`src/render/throng`). WebGPU has no feature of that name.
    features.set(wgpu::Features::TEXTURE_ADAPTER_SPECIFIC_FORMAT_FEATURES, has("EXT_color_buffer_float"));
    // Every implementation has the profile for colours of 8 bits.
    features.set(wgpu::Features::TEXTURE_COMPRESSION_ASTC, has("WEBGL_compressed_texture_astc"));
    features
}

fn limits(context: &Context) -> wgpu::Limits {
    let side = context.number(Gl::MAX_TEXTURE_SIZE).min(context.number(Gl::MAX_RENDERBUFFER_SIZE));
    let least = wgpu::Limits::downlevel_webgl2_defaults();
    wgpu::Limits { max_texture_dimension_2d: side.max(least.max_texture_dimension_2d), ..least }
}
