use super::calls::{self, Handle};
use crate::backend::{opaque, unused};
use std::pin::Pin;
use wgpu::custom::{
    BindGroupInterface, BindGroupLayoutInterface, CommandBufferInterface, DispatchBindGroupLayout,
    DispatchTextureView, PipelineLayoutInterface, RenderPipelineInterface, SamplerInterface,
    ShaderCompilationInfoFuture, ShaderModuleInterface, SurfaceOutputDetailInterface, TextureInterface,
    TextureViewInterface,
};

/// An object of WebGPU, of any kind that has no more to it here. With one type for all, there is one copy of the code
/// that frees them.
pub(super) struct Object {
    pub(super) handle: Handle,
}

opaque![Object];

impl BindGroupInterface for Object {}
impl BindGroupLayoutInterface for Object {}
impl CommandBufferInterface for Object {}
impl PipelineLayoutInterface for Object {}
impl SamplerInterface for Object {}
impl TextureViewInterface for Object {}

impl RenderPipelineInterface for Object {
    fn get_bind_group_layout(&self, _: u32) -> DispatchBindGroupLayout {
        unused()
    }
}

impl ShaderModuleInterface for Object {
    fn get_compilation_info(&self) -> Pin<Box<dyn ShaderCompilationInfoFuture>> {
        unused()
    }
}

impl TextureInterface for Object {
    fn create_view(&self, desc: &wgpu::TextureViewDescriptor<'_>) -> DispatchTextureView {
        let levels = desc.mip_level_count.unwrap_or(0);
        let handle = calls::create_view(&self.handle, desc.base_mip_level, levels);
        DispatchTextureView::custom(Self { handle })
    }

    fn destroy(&self) {
        self.handle.destroy();
    }
}

/// What is presented has no more to it: browsers present what was drawn.
impl SurfaceOutputDetailInterface for Object {
    fn texture_discard(&self) {}
    fn texture_release(&self) {}
}
