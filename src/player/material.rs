//! Overrides and animation of materials, for all characters of one player. The model and other players of it aren't
//! changed.

use super::{Player, PlayerError, Value};
use crate::model::{AlphaMode, Material, MaterialIndex, PropertyTarget, VariantIndex};
#[cfg(feature = "render")]
use crate::render::{Gpu, GpuModel, OwnMaterial, Picture};
use glam::{Vec3, Vec4};

/// Overrides of a material's properties. `None` keeps the file's value. Colours are linear.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MaterialChange {
    /// Colour and opacity. An alpha below 1 blends the material, even if the file's is opaque.
    pub base_color: Option<Vec4>,
    pub emissive: Option<Vec3>,
    pub metallic: Option<f32>,
    pub roughness: Option<f32>,
    pub hidden: bool,
}

impl MaterialChange {
    fn of(&self, material: &Material) -> Material {
        let mut changed = material.clone();
        if let Some(color) = self.base_color {
            changed.base_color = color;
            if color.w < 1.0 && changed.alpha == AlphaMode::Opaque {
                changed.alpha = AlphaMode::Blend;
            }
        }
        changed.emissive = self.emissive.unwrap_or(changed.emissive);
        changed.metallic = self.metallic.unwrap_or(changed.metallic);
        changed.roughness = self.roughness.unwrap_or(changed.roughness);
        changed
    }
}

/// The overrides of one material.
#[derive(Debug, Default)]
pub(super) struct MaterialOverride {
    change: MaterialChange,
    /// The file's material with the values of clips. `None` without animated properties.
    animated: Option<Material>,
    #[cfg(feature = "render")]
    picture: Option<Picture>,
    /// The uniform buffer on the GPU is out of date.
    stale: bool,
}

impl MaterialOverride {
    #[cfg(feature = "render")]
    fn is_unchanged(&self) -> bool {
        self.picture.is_none() && self.animated.is_none() && self.change == MaterialChange::default()
    }
}

impl Player {
    /// Returns a material with the values of clips and its overrides applied, except for a replaced texture.
    ///
    /// # Errors
    /// When there is no model or no such material.
    pub fn material(&self, index: MaterialIndex) -> Result<Material, PlayerError> {
        let change = self.material_change(index)?;
        Ok(change.of(self.playing_material(index)?))
    }

    /// Returns a material with the values of clips, but without overrides.
    ///
    /// # Errors
    /// When there is no model or no such material.
    pub fn playing_material(&self, index: MaterialIndex) -> Result<&Material, PlayerError> {
        self.material_change(index)?;
        let model = self.model().ok_or(PlayerError::NoModel)?;
        let animated = self.material_overrides.get(index.get()).and_then(|held| held.animated.as_ref());
        Ok(animated.unwrap_or(&model.materials[index.get()]))
    }

    /// Returns the overrides of a material.
    ///
    /// # Errors
    /// When there is no model or no such material.
    pub fn material_change(&self, index: MaterialIndex) -> Result<MaterialChange, PlayerError> {
        let model = self.model().ok_or(PlayerError::NoModel)?;
        if index.get() >= model.materials.len() {
            return Err(PlayerError::OutOfRange {
                what: "number of a material",
                expected: "that the model has",
            });
        }
        Ok(self
            .material_overrides
            .get(index.get())
            .map_or_else(MaterialChange::default, |material_override| material_override.change))
    }

    /// Sets the overrides of a material, until another model is shown. Each call replaces the previous overrides.
    ///
    /// # Errors
    /// When there is no model or no such material, or a number isn't finite or is out of range.
    pub fn set_material(&mut self, index: MaterialIndex, change: MaterialChange) -> Result<(), PlayerError> {
        self.material_change(index)?;
        let color = change.base_color.unwrap_or(Vec4::ONE);
        Value::Alpha.check(color.w.into())?;
        Value::Metallic.check(change.metallic.unwrap_or(0.0).into())?;
        Value::Roughness.check(change.roughness.unwrap_or(0.0).into())?;
        Value::Color.check_all(&color.truncate().to_array())?;
        Value::Color.check_all(&change.emissive.unwrap_or(Vec3::ZERO).to_array())?;
        self.material_override_mut(index).change = change;
        Ok(())
    }

    /// Replaces the base colour texture of a material, until another model is shown. `None` restores the file's
    /// texture.
    ///
    /// # Errors
    /// When there is no model or no such material, or the picture is empty or too large for the GPU.
    #[cfg(feature = "render")]
    pub fn set_picture(&mut self, index: MaterialIndex, picture: Option<Picture>) -> Result<(), PlayerError> {
        self.material_change(index)?;
        if let Some(picture) = &picture {
            picture.check_not_empty()?;
            self.gpu().map_or(Ok(()), |gpu| picture.check_size(gpu))?;
        }
        self.material_override_mut(index).picture = picture;
        // `upload_overrides` creates it again, since a bind group can't change its texture.
        if let Some(own) = self.screen.own_materials.get_mut(index.get()) {
            *own = None;
        }
        Ok(())
    }

    /// Returns the variant of the materials that is drawn.
    pub fn variant(&self) -> Option<VariantIndex> {
        self.variant
    }

    /// Sets the variant of the materials, until another model is shown. `None` stands for the materials that the file
    /// has without variants.
    ///
    /// # Errors
    /// When there is no model or no such variant.
    pub fn set_variant(&mut self, variant: Option<VariantIndex>) -> Result<(), PlayerError> {
        let model = self.model().ok_or(PlayerError::NoModel)?;
        if variant.is_some_and(|variant| variant.get() >= model.variants.len()) {
            return Err(PlayerError::OutOfRange {
                what: "number of a variant",
                expected: "that the model has",
            });
        }
        self.variant = variant;
        Ok(())
    }

    /// Sets animated materials to the pose of the first character. All characters have the same materials.
    pub(super) fn animate_materials(&mut self) {
        let Some(loaded) = &mut self.loaded else { return };
        if loaded.property_numbers[0] == loaded.property_numbers[1] {
            return;
        }
        let [numbers, mut shown] = std::mem::take(&mut loaded.property_numbers);
        shown.resize(numbers.len(), f32::NAN);
        let model = loaded.rig().model().clone();
        // First mark the materials that change, then set all of their properties: some depend on each other.
        for is_set in [false, true] {
            let mut start = 0;
            for property in &model.properties {
                let lanes = start..start + property.rest.len();
                start = lanes.end;
                let PropertyTarget::Material(index, part) = property.target else { continue };
                if !is_set {
                    if shown[lanes.clone()] != numbers[lanes] {
                        self.material_override_mut(index);
                    }
                } else if self.material_overrides.get(index.get()).is_some_and(|held| held.stale) {
                    let held = &mut self.material_overrides[index.get()].animated;
                    let animated = held.get_or_insert_with(|| model.materials[index.get()].clone());
                    animated.set_part(part, &numbers[lanes]);
                }
            }
        }
        shown.copy_from_slice(&numbers);
        if let Some(loaded) = &mut self.loaded {
            loaded.property_numbers = [numbers, shown];
        }
    }

    /// Returns the overrides of a material for writing and marks them as stale. The caller has checked that the
    /// material exists.
    fn material_override_mut(&mut self, index: MaterialIndex) -> &mut MaterialOverride {
        let overrides = &mut self.material_overrides;
        overrides.resize_with(overrides.len().max(index.get() + 1), MaterialOverride::default);
        let material_override = &mut overrides[index.get()];
        material_override.stale = true;
        material_override
    }

    /// Uploads stale overrides to the GPU that draws the model.
    #[cfg(feature = "render")]
    pub(super) fn upload_overrides(&mut self, gpu: &Gpu, gpu_model: &GpuModel) -> Result<(), PlayerError> {
        let Some(loaded) = &self.loaded else { return Ok(()) };
        let own_materials = &mut self.screen.own_materials;
        // Their bind groups refer to the images that were set when they were created.
        let image_changes = gpu_model.image_changes();
        if image_changes != std::mem::replace(&mut self.screen.image_changes, image_changes) {
            own_materials.clear();
        }
        own_materials.resize_with(self.material_overrides.len(), || None);
        let materials = &loaded.rig().model().materials;
        for ((material_override, own), material) in
            self.material_overrides.iter_mut().zip(own_materials).zip(materials)
        {
            if material_override.is_unchanged() {
                *own = None;
            } else if own.is_none() || material_override.stale {
                let material = material_override.animated.as_ref().unwrap_or(material);
                let change = &material_override.change;
                let changed;
                let material = if *change == MaterialChange::default() {
                    material
                } else {
                    changed = change.of(material);
                    &changed
                };
                let visible = !material_override.change.hidden;
                match own {
                    Some(own) if own.has_features_of(material) => own.write(gpu, material, visible),
                    _ => {
                        let picture = material_override.picture.as_ref();
                        *own = Some(OwnMaterial::new(gpu, gpu_model, material, visible, picture)?);
                    }
                }
            }
            material_override.stale = false;
        }
        Ok(())
    }
}
