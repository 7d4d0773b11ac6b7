//! Metallic-roughness materials. Extensions are used only by materials that need them.
use super::json_text::{Json, Object};
use super::notes::{Change, Notes};
use super::textures::Textures;
use super::{EMISSIVE_STRENGTH, Extensions, TEXTURE_TRANSFORM, UNLIT};
use crate::model::{AlphaMode, Material, TextureSlot, UvTransform};
use glam::{Vec2, Vec3, Vec4};

pub(super) fn materials(
    materials: &[Material],
    textures: &Textures,
    extensions: &mut Extensions,
    notes: &mut Notes,
) -> Vec<Json> {
    let mut written = Vec::with_capacity(materials.len());
    for (index, material) in materials.iter().enumerate() {
        let mut writer = Writer { textures, extensions: &mut *extensions, clamped: false };
        written.push(writer.material(material).into());
        if writer.clamped {
            notes.add(Change::MaterialClamped, "materials", index, &material.name);
        }
    }
    written
}

struct Writer<'a> {
    textures: &'a Textures,
    extensions: &'a mut Extensions,
    clamped: bool,
}

impl Writer<'_> {
    fn material(&mut self, material: &Material) -> Object {
        let pbr = Object::new()
            .with_unless(
                Vec4::ONE.to_array(),
                "baseColorFactor",
                self.factors(material.base_color.to_array(), 1.0),
            )
            .with_some("baseColorTexture", self.slot(material.base_color_texture.as_ref()))
            .with_unless(1.0, "metallicFactor", self.unit(material.metallic))
            .with_unless(1.0, "roughnessFactor", self.unit(material.roughness))
            .with_some("metallicRoughnessTexture", self.slot(material.metallic_roughness_texture.as_ref()));
        let (normal, occlusion) = (material.normal_texture.as_ref(), material.occlusion_texture.as_ref());
        let normal = self.slot(normal).map(|slot| slot.with_unless(1.0, "scale", material.normal_scale));
        let strength = self.unit(material.occlusion_strength);
        let occlusion = self.slot(occlusion).map(|slot| slot.with_unless(1.0, "strength", strength));
        let emissive = self.factors(material.emissive.to_array(), f32::MAX);
        let strength = emissive_strength(Vec3::from_array(emissive).max_element());
        let emissive_factor = emissive.map(|factor| factor / strength);
        let (alpha, cutoff) = match material.alpha {
            AlphaMode::Opaque => ("OPAQUE", None),
            AlphaMode::Mask { cutoff } => ("MASK", Some(self.clamp(cutoff, f32::MAX))),
            AlphaMode::Blend => ("BLEND", None),
        };
        let mut used = Object::new();
        if strength > 1.0 {
            self.extensions.used.insert(EMISSIVE_STRENGTH);
            used = used.with(EMISSIVE_STRENGTH, Object::new().with("emissiveStrength", strength));
        }
        if material.unlit {
            self.extensions.used.insert(UNLIT);
            used = used.with(UNLIT, Object::new());
        }
        Object::new()
            .with_name(&material.name)
            .with_any("pbrMetallicRoughness", pbr)
            .with_some("normalTexture", normal)
            .with_some("occlusionTexture", occlusion)
            .with_some("emissiveTexture", self.slot(material.emissive_texture.as_ref()))
            .with_unless([0.0; 3], "emissiveFactor", emissive_factor)
            .with_unless("OPAQUE", "alphaMode", alpha)
            .with_some("alphaCutoff", cutoff.filter(|&cutoff| cutoff != 0.5))
            .with_unless(false, "doubleSided", material.double_sided)
            .with_any("extensions", used)
    }

    /// Writes a material's use of a texture; `None` if the texture's image is missing.
    fn slot(&mut self, slot: Option<&TextureSlot>) -> Option<Object> {
        let TextureSlot { texture, uv_set, transform } = slot?;
        let written =
            Object::new().with("index", self.textures.number(*texture)?).with_unless(0, "texCoord", *uv_set);
        if *transform == UvTransform::IDENTITY {
            return Some(written);
        }
        self.extensions.used.insert(TEXTURE_TRANSFORM);
        let extension = Object::new()
            .with_unless(Vec2::ZERO.to_array(), "offset", transform.offset.to_array())
            .with_unless(0.0, "rotation", transform.rotation)
            .with_unless(Vec2::ONE.to_array(), "scale", transform.scale.to_array());
        Some(written.with("extensions", Object::new().with(TEXTURE_TRANSFORM, extension)))
    }

    fn unit(&mut self, factor: f32) -> f32 {
        self.clamp(factor, 1.0)
    }

    fn factors<const N: usize>(&mut self, factors: [f32; N], largest: f32) -> [f32; N] {
        factors.map(|factor| self.clamp(factor, largest))
    }

    fn clamp(&mut self, factor: f32, largest: f32) -> f32 {
        let within = factor.clamp(0.0, largest);
        self.clamped |= within != factor;
        within
    }
}

/// Returns the divisor that brings emissive factors into 0 to 1, as glTF requires. It is a power of two, so no
/// precision is lost.
fn emissive_strength(brightest: f32) -> f32 {
    let mut strength = 1.0;
    while brightest / strength > 1.0 {
        strength *= 2.0;
    }
    strength
}
