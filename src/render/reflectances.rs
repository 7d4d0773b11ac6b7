use super::Gpu;
use super::textures;
use crate::light::{TABLE_SIZE, table};
use std::cell::Cell;

/// The table of what rough surfaces reflect, on the GPU. It is the same for every environment.
#[derive(Debug)]
pub(super) struct Reflectances {
    texture: wgpu::Texture,
    is_filled: Cell<bool>,
}

const SIZE: wgpu::Extent3d =
    wgpu::Extent3d { width: TABLE_SIZE[0] as u32, height: TABLE_SIZE[1] as u32, depth_or_array_layers: 1 };

impl Reflectances {
    /// Creates an empty table.
    pub(super) fn new(device: &wgpu::Device) -> Self {
        let format = wgpu::TextureFormat::Rgba8Unorm;
        let texture = textures::create(device, format, SIZE, 1, wgpu::TextureUsages::empty());
        Self { texture, is_filled: Cell::new(false) }
    }

    /// Fills the table at the first call.
    pub(super) fn fill(&self, gpu: &Gpu) {
        if !self.is_filled.replace(true) {
            textures::write(gpu.queue(), self.texture.as_image_copy(), &table(), SIZE);
        }
    }

    pub(super) fn view(&self) -> wgpu::TextureView {
        self.texture.create_view(&wgpu::TextureViewDescriptor::default())
    }
}
