//! Exports that override materials, and that set how skins are blended.

use super::motion::LENGTH;
use super::player::{PlayerHandle, picture_of};
use crate::animation::Skinning;
use crate::model::{MaterialIndex, SkinIndex, VariantIndex};
use glam::{Vec3, Vec4};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::ImageBitmap;

/// Returns the skinning with an index into `SKINNINGS` of `wasm.ts`, which has checked it.
fn skinning_of(index: u32) -> Skinning {
    if index == 0 { Skinning::Linear } else { Skinning::DualQuaternion }
}

#[wasm_bindgen]
impl PlayerHandle {
    /// Overrides a property of a material. `part` is an index into `MATERIAL` of `wasm.ts`. An empty value restores
    /// the file's.
    #[wasm_bindgen(js_name = setMaterial)]
    pub fn set_material(&mut self, material: usize, part: u32, value: &[f32]) -> Result<(), JsValue> {
        let material = MaterialIndex::new(material);
        let mut change = self.actor_mut().material_change(material)?;
        match (part, value) {
            (0, []) => change.base_color = None,
            (0, &[red, green, blue, alpha]) => change.base_color = Some(Vec4::new(red, green, blue, alpha)),
            (1, []) => change.emissive = None,
            (1, &[red, green, blue]) => change.emissive = Some(Vec3::new(red, green, blue)),
            (2, []) => change.metallic = None,
            (2, &[metallic]) => change.metallic = Some(metallic),
            (3, []) => change.roughness = None,
            (3, &[roughness]) => change.roughness = Some(roughness),
            (4, value) => change.hidden = value == [0.0],
            _ => return Err(LENGTH.into()),
        }
        Ok(self.actor_mut().set_material(material, change)?)
    }

    /// Returns the properties of a material as they are drawn, in the order of `MATERIAL`, as one flat list.
    pub fn material(&self, material: usize) -> Result<Vec<f32>, JsValue> {
        let index = MaterialIndex::new(material);
        let change = self.actor().material_change(index)?;
        let playing = self.actor().playing_material(index)?;
        let mut numbers = Vec::with_capacity(10);
        numbers.extend_from_slice(&change.base_color.unwrap_or(playing.base_color).to_array());
        numbers.extend_from_slice(&change.emissive.unwrap_or(playing.emissive).to_array());
        let metallic = change.metallic.unwrap_or(playing.metallic);
        let roughness = change.roughness.unwrap_or(playing.roughness);
        numbers.extend_from_slice(&[metallic, roughness, f32::from(u8::from(!change.hidden))]);
        Ok(numbers)
    }

    /// Returns the index of the variant of the materials, or −1 without one.
    #[wasm_bindgen(getter)]
    pub fn variant(&self) -> i32 {
        self.actor().variant().map_or(-1, |variant| variant.get() as i32)
    }

    #[wasm_bindgen(setter)]
    pub fn set_variant(&mut self, variant: i32) -> Result<(), JsValue> {
        Ok(self.actor_mut().set_variant(usize::try_from(variant).ok().map(VariantIndex::new))?)
    }

    /// Returns how skins are blended, as an index into `SKINNINGS` of `wasm.ts`.
    #[wasm_bindgen(getter)]
    pub fn skinning(&self) -> u32 {
        u32::from(self.actor().skinning(None) != Skinning::Linear)
    }

    #[wasm_bindgen(setter)]
    pub fn set_skinning(&mut self, skinning: u32) {
        self.actor_mut().set_skinning(skinning_of(skinning));
    }

    /// Sets how one skin is blended.
    #[wasm_bindgen(js_name = setSkinning)]
    pub fn set_skinning_of(&mut self, skin: usize, skinning: u32) -> Result<(), JsValue> {
        Ok(self.actor_mut().set_skinning_of(SkinIndex::new(skin), skinning_of(skinning))?)
    }

    /// Replaces the base colour texture of a material. Without a picture, restores the file's texture.
    #[wasm_bindgen(js_name = setPicture)]
    pub fn set_picture(&mut self, material: usize, picture: Option<ImageBitmap>) -> Result<(), JsValue> {
        let picture = picture.as_ref().map(picture_of);
        Ok(self.actor_mut().set_picture(MaterialIndex::new(material), picture)?)
    }
}
