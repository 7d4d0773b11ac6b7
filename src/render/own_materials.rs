//! Replaced materials of one player, whose copy of the model may be shared with other players.

use super::gpu_data::MATERIAL_SIZE;
use super::gpu_model::{GpuMaterial, filled_buffer, part};
use super::shader_parts::ShaderParts;
use super::textures::{self, Picture};
use super::{Gpu, GpuModel, RenderError, Tier, materials};
use crate::model::{Material, TextureUsage};

/// A replacement of one of a model's materials.
#[derive(Debug)]
pub struct OwnMaterial {
    pub(super) drawn: GpuMaterial,
    pub(super) visible: bool,
    /// Those of the model.
    shared_parts: ShaderParts,
    tier: Tier,
    data: wgpu::Buffer,
    picture: Option<wgpu::Texture>,
}

impl OwnMaterial {
    /// Creates a replacement on the GPU. `picture` replaces the base colour texture.
    ///
    /// # Errors
    /// `EmptyImage`, `TooLarge` for a picture that exceeds [`Gpu::max_texture_size`], `WrongPixelCount`, or an error
    /// of the device.
    pub fn new(
        gpu: &Gpu,
        model: &GpuModel,
        material: &Material,
        visible: bool,
        picture: Option<&Picture>,
    ) -> Result<Self, RenderError> {
        let picture = picture.map(|picture| picture.upload(gpu, TextureUsage::Color)).transpose()?;
        let numbers = materials::material_data(material);
        let usage = wgpu::BufferUsages::UNIFORM;
        let data = filled_buffer(gpu, "own material", usage, bytemuck::cast_slice(&numbers))?;
        let view = picture.as_ref().map(|texture| textures::with_mip_levels(gpu, texture));
        let bind_group = model.bind_material(gpu, material, part(&data, 0, MATERIAL_SIZE), view);
        let drawn = GpuMaterial::new(material, model.shared_parts, bind_group);
        gpu.check_health()?;
        Ok(Self { drawn, visible, shared_parts: model.shared_parts, tier: gpu.tier(), data, picture })
    }

    /// Returns whether [`write`](Self::write) can replace the properties by those of a material.
    pub fn has_features_of(&self, material: &Material) -> bool {
        self.drawn.features == material.features()
    }

    /// Replaces the properties and the visibility. The picture is kept.
    pub fn write(&mut self, gpu: &Gpu, material: &Material, visible: bool) {
        gpu.queue().write_buffer(&self.data, 0, bytemuck::cast_slice(&materials::material_data(material)));
        let bind_group = self.drawn.bind_group.borrow().clone();
        self.drawn = GpuMaterial::new(material, self.shared_parts, bind_group);
        self.visible = visible;
    }

    pub(super) fn byte_count(&self) -> u64 {
        self.data.size() + self.picture.as_ref().map_or(0, textures::byte_count)
    }
}

impl Drop for OwnMaterial {
    fn drop(&mut self) {
        if self.tier.needs_destroy() {
            self.data.destroy();
            if let Some(picture) = &self.picture {
                picture.destroy();
            }
        }
    }
}
