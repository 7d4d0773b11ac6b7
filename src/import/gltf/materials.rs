//! Materials, by the table `src/model/material_table.rs`.
use super::json::Json;
use crate::import::part::Part;
use crate::import::report::WarningKind;
use crate::import::{ImportError, ImportReport};
use crate::model::material_table::{FACTORS, FactorRange, TEXTURES, path_in};
use crate::model::{AlphaMode, Material, MaterialFeatures, TextureIndex, TextureSlot, UvTransform};
use crate::refusal::Place;
use glam::{Vec2, Vec3};

// Missing texture coordinate sets are filled with zeros, so an unlimited set number could exhaust the memory.
const MAX_UV_SETS: usize = 8;

/// Reads the materials.
///
/// # Errors
/// An error that the page never shows, if some material has extensions whose shaders aren't there.
#[inline(never)]
pub(super) fn materials(
    root: Json<'_>,
    texture_from_source: &[Option<TextureIndex>],
    report: &mut ImportReport,
) -> Result<Vec<Material>, ImportError> {
    let place = Place::ROOT.field("materials");
    let mut materials = Vec::with_capacity(root.count("materials"));
    for (index, material) in root.list("materials").enumerate() {
        let place = place.index(index);
        let material = Reader { place: &place, texture_from_source, report }.material(material);
        if material.features() != MaterialFeatures::CORE {
            Part::Import.need()?;
        }
        materials.push(material);
    }
    Ok(materials)
}

struct Reader<'a> {
    place: &'a Place<'a>,
    texture_from_source: &'a [Option<TextureIndex>],
    report: &'a mut ImportReport,
}

impl Reader<'_> {
    fn material(&mut self, material: Json<'_>) -> Material {
        let mut read = Material {
            name: material.name(),
            alpha: match material.text("alphaMode") {
                // 0.5 is the specification's default.
                Some("MASK") => AlphaMode::Mask { cutoff: material.number("alphaCutoff").unwrap_or(0.5) },
                Some("BLEND") => AlphaMode::Blend,
                _ => AlphaMode::Opaque,
            },
            double_sided: material.flag("doubleSided"),
            unlit: material.extension("KHR_materials_unlit").is_some(),
            specular_glossiness: material.extension("KHR_materials_pbrSpecularGlossiness").is_some(),
            ..Material::default()
        };
        let is_glossy = read.specular_glossiness;
        for (row, numbers) in FACTORS.iter().zip(read.factors_mut()) {
            let path = path_in(row.path, is_glossy);
            let factors = material.at(path).into_iter().flat_map(Json::into_numbers);
            for (number, factor) in numbers.iter_mut().zip(factors) {
                *number = self.within(row.range, factor);
            }
        }
        for (row, slot) in TEXTURES.iter().zip(read.textures_mut()) {
            *slot = self.slot(material.at(path_in(row.path, is_glossy)));
        }
        let strength = material.extension("KHR_materials_emissive_strength");
        let strength = strength.and_then(|extension| extension.number("emissiveStrength")).unwrap_or(1.0);
        // The product of two finite factors may overflow.
        read.emissive = (read.emissive * strength.max(0.0)).min(Vec3::splat(f32::MAX));
        read
    }

    /// Clamps a factor to its range, with a warning.
    fn within(&mut self, range: FactorRange, factor: f32) -> f32 {
        let clamped = range.clamp(factor);
        if clamped != factor {
            self.report.warn(WarningKind::MaterialValueOutOfRange, self.place);
        }
        clamped
    }

    /// Returns a material's use of a texture, with `KHR_texture_transform`.
    fn slot(&mut self, info: Option<Json<'_>>) -> Option<TextureSlot> {
        let info = info?;
        let extension = info.extension("KHR_texture_transform");
        let pair = |name: &str| extension.and_then(|extension| extension.array(name)).map(Vec2::from_array);
        let rotation = extension.and_then(|extension| extension.number("rotation"));
        let other_set = extension.and_then(|extension| extension.index("texCoord"));
        let transform = UvTransform {
            offset: pair("offset").unwrap_or(Vec2::ZERO),
            rotation: rotation.unwrap_or(0.0),
            scale: pair("scale").unwrap_or(Vec2::ONE),
        };
        // Textures without a usable image are already in the report.
        let texture = (*self.texture_from_source.get(info.index("index")?)?)?;
        let uv_set = other_set.or_else(|| info.index("texCoord")).unwrap_or(0);
        if uv_set >= MAX_UV_SETS {
            self.report.warn(WarningKind::TextureSetTooHigh, self.place);
            return None;
        }
        Some(TextureSlot { texture, uv_set, transform })
    }
}
