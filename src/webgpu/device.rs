use super::bindings;
use super::buffer::Buffer;
use super::calls::{self, Handle};
use super::encoder::CommandEncoder;
use super::events::{Events, error};
use super::formats::texture_format;
use super::object::Object;
use super::pipeline;
use crate::backend::{opaque, unused, unused_in_device};
use js_sys::Promise;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use wasm_bindgen_futures::JsFuture;
use wgpu::custom::{
    BoxDeviceLostCallback, DeviceInterface, DispatchBindGroup, DispatchBindGroupLayout, DispatchBuffer,
    DispatchCommandEncoder, DispatchPipelineLayout, DispatchRenderPipeline, DispatchSampler,
    DispatchShaderModule, DispatchTexture, PopErrorScopeFuture,
};

pub(super) struct Device {
    handle: Handle,
    events: Rc<Events>,
}

opaque![Device];

impl Device {
    pub(super) fn new(handle: Handle, events: &Rc<Events>) -> Self {
        Self { handle, events: Rc::clone(events) }
    }

    pub(super) fn handle(&self) -> &Handle {
        &self.handle
    }

    pub(super) fn lost(&self) -> Promise {
        self.handle.lost()
    }
}

impl DeviceInterface for Device {
    /// Returns the kinds of compressed textures.
    fn features(&self) -> wgpu::Features {
        let bits = calls::compressed_formats(&self.handle);
        let mut features = wgpu::Features::empty();
        features.set(wgpu::Features::TEXTURE_COMPRESSION_BC, bits & 1 != 0);
        features.set(wgpu::Features::TEXTURE_COMPRESSION_ETC2, bits & 2 != 0);
        features.set(wgpu::Features::TEXTURE_COMPRESSION_ASTC, bits & 4 != 0);
        features
    }

    /// Returns the limits that the page raises, and the defaults of the others.
    fn limits(&self) -> wgpu::Limits {
        let limits = self.handle.limits();
        wgpu::Limits {
            max_texture_dimension_2d: limits.texture_side(),
            max_buffer_size: limits.buffer_size() as u64,
            max_storage_buffer_binding_size: limits.storage_size() as u64,
            ..wgpu::Limits::default()
        }
    }

    fn create_shader_module(
        &self,
        desc: wgpu::ShaderModuleDescriptor<'_>,
        _: wgpu::ShaderRuntimeChecks,
    ) -> DispatchShaderModule {
        let wgpu::ShaderSource::Wgsl(text) = desc.source else { unused() };
        let handle = calls::create_shader_module(&self.handle, &text);
        DispatchShaderModule::custom(Object { handle })
    }

    fn create_bind_group_layout(
        &self,
        desc: &wgpu::BindGroupLayoutDescriptor<'_>,
    ) -> DispatchBindGroupLayout {
        DispatchBindGroupLayout::custom(bindings::layout(&self.handle, desc))
    }

    fn create_bind_group(&self, desc: &wgpu::BindGroupDescriptor<'_>) -> DispatchBindGroup {
        DispatchBindGroup::custom(bindings::group(&self.handle, desc))
    }

    fn create_pipeline_layout(&self, desc: &wgpu::PipelineLayoutDescriptor<'_>) -> DispatchPipelineLayout {
        DispatchPipelineLayout::custom(bindings::pipeline_layout(&self.handle, desc))
    }

    fn create_render_pipeline(&self, desc: &wgpu::RenderPipelineDescriptor<'_>) -> DispatchRenderPipeline {
        DispatchRenderPipeline::custom(pipeline::create(&self.handle, desc))
    }

    fn create_buffer(&self, desc: &wgpu::BufferDescriptor<'_>) -> DispatchBuffer {
        let handle = calls::create_buffer(&self.handle, desc.size as f64, desc.usage.bits());
        DispatchBuffer::custom(Buffer { handle })
    }

    fn create_texture(&self, desc: &wgpu::TextureDescriptor<'_>) -> DispatchTexture {
        let handle = calls::create_texture(
            &self.handle,
            desc.size.width,
            desc.size.height,
            desc.mip_level_count,
            desc.sample_count,
            texture_format(desc.format),
            desc.usage.bits(),
        );
        DispatchTexture::custom(Object { handle })
    }

    fn create_sampler(&self, desc: &wgpu::SamplerDescriptor<'_>) -> DispatchSampler {
        let handle = calls::create_sampler(
            &self.handle,
            desc.address_mode_u as u32,
            desc.address_mode_v as u32,
            desc.mag_filter as u32,
            desc.min_filter as u32,
            desc.mipmap_filter as u32,
            desc.lod_max_clamp,
            desc.compare.map_or(0, |compare| compare as u32),
            u32::from(desc.anisotropy_clamp),
        );
        DispatchSampler::custom(Object { handle })
    }

    fn create_command_encoder(&self, _: &wgpu::CommandEncoderDescriptor<'_>) -> DispatchCommandEncoder {
        let handle = self.handle.create_command_encoder();
        DispatchCommandEncoder::custom(CommandEncoder { handle })
    }

    fn set_device_lost_callback(&self, callback: BoxDeviceLostCallback) {
        self.events.lost.replace(Some(callback));
    }

    fn on_uncaptured_error(&self, handler: Arc<dyn wgpu::UncapturedErrorHandler>) {
        self.events.error.replace(Some(handler));
    }

    fn push_error_scope(&self, filter: wgpu::ErrorFilter) -> u32 {
        calls::push_scope(&self.handle, filter as u32);
        0
    }

    /// Pops the last scope, which is the one that `render` means.
    fn pop_error_scope(&self, _: u32) -> Pin<Box<dyn PopErrorScopeFuture>> {
        let popped = JsFuture::from(calls::pop_scope(&self.handle));
        Box::pin(async move { popped.await.ok()?.as_string().map(error) })
    }

    /// Does nothing: the browser polls.
    fn poll(&self, _: wgpu::wgt::PollType<u64>) -> Result<wgpu::PollStatus, wgpu::PollError> {
        Ok(wgpu::PollStatus::QueueEmpty)
    }

    fn destroy(&self) {
        unused()
    }

    unused_in_device!();
}
