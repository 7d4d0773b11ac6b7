//! Materials, with the image that a texture file or an effect refers to.
use super::document::{Kind, Object, text};
use crate::import::imported_model::ImportedModel;
use crate::import::report::WarningKind;
use crate::import::shininess::roughness;
use crate::import::srgb;
use crate::import::{ImportError, ImportReport};
use crate::model::{AlphaMode, Filter, Material, MaterialIndex, Texture, TextureSlot, UvTransform, Wrap};
use glam::{Vec3, Vec4};
use std::collections::BTreeMap;

#[derive(Default)]
pub(super) struct Materials {
    of_object: BTreeMap<usize, MaterialIndex>,
    plain: Option<MaterialIndex>,
}

impl Materials {
    /// Returns the material of meshes that name none.
    pub(super) fn plain(&mut self, imported: &mut ImportedModel) -> MaterialIndex {
        *self.plain.get_or_insert_with(|| push(Material { metallic: 0.0, ..Material::default() }, imported))
    }

    /// Returns the materials of a mesh, in the order by which its faces index them.
    pub(super) fn of_list(
        &mut self,
        list: Object<'_>,
        imported: &mut ImportedModel,
        report: &mut ImportReport,
    ) -> Result<Vec<MaterialIndex>, ImportError> {
        let mut materials = Vec::new();
        for child in list.children() {
            match (child.referred(Kind::Material), child.kind()) {
                (Some(material), _) => materials.push(self.material(material, imported, report)?),
                (None, Kind::Reference) => {
                    report.warn_at(WarningKind::MaterialUnknown, child.place(), &child.name());
                    materials.push(self.plain(imported));
                }
                _ => {}
            }
        }
        Ok(materials)
    }

    /// Returns an object's material, which is read once even if several meshes use it.
    fn material(
        &mut self,
        object: Object<'_>,
        imported: &mut ImportedModel,
        report: &mut ImportReport,
    ) -> Result<MaterialIndex, ImportError> {
        if let Some(&material) = self.of_object.get(&object.index) {
            return Ok(material);
        }
        let mut fields = object.fields();
        let (colors, bad) = fields.any_vectors::<4>(1)?;
        let [red, green, blue, alpha] = colors.first().copied().unwrap_or([1.0; 4]);
        // Old exporters omit values that they don't support.
        let power = fields.any_vectors::<1>(1).map_or(0.0, |power| power.0.concat().iter().sum());
        let specular = fields.any_vectors::<3>(1).map_or(0.0, |color| color.0.concat().iter().sum());
        let emissive = fields.any_vectors::<3>(1).ok().and_then(|(colors, _)| colors.first().copied());
        if bad.is_some() {
            report.warn_at(WarningKind::ValuesNotFinite, object.place(), "");
        }
        let texture = picture(object).map(|uri| {
            let image = imported.pictures.by_uri(&uri);
            imported.pictures.texture(Texture {
                image,
                magnify: Filter::Linear,
                minify: Filter::Linear,
                mipmap: Some(Filter::Linear),
                wrap_u: Wrap::Repeat,
                wrap_v: Wrap::Repeat,
            })
        });
        // Direct3D draws opaque whatever alpha is, unless blending is enabled, and many exporters write 0.
        let is_clear = alpha > 0.0 && alpha < 1.0;
        let material = Material {
            name: object.name(),
            base_color: linear(Vec3::new(red, green, blue)).extend(if is_clear { alpha } else { 1.0 }),
            base_color_texture: texture.map(|texture| TextureSlot {
                texture,
                uv_set: 0,
                transform: UvTransform::IDENTITY,
            }),
            metallic: 0.0,
            roughness: if specular > 0.0 { roughness(power) } else { 1.0 },
            emissive: linear(Vec3::from_array(emissive.unwrap_or_default())),
            alpha: if is_clear { AlphaMode::Blend } else { AlphaMode::Opaque },
            ..Material::default()
        };
        let index = push(material, imported);
        self.of_object.insert(object.index, index);
        Ok(index)
    }
}

fn push(material: Material, imported: &mut ImportedModel) -> MaterialIndex {
    imported.materials.push(material);
    MaterialIndex::new(imported.materials.len() - 1)
}

/// Returns the path of a material's texture, with slashes, so that a page or a folder can find the file.
fn picture(material: Object<'_>) -> Option<String> {
    let own = material.child(Kind::TextureFilename).and_then(|file| file.strings().next());
    let path = text(own.or_else(|| material.children_of(Kind::EffectInstance).find_map(effect_picture))?);
    // Some exporters write each backslash twice.
    let path = path.trim().replace('\\', "/").replace("//", "/");
    (!path.is_empty()).then_some(path)
}

/// Returns an effect's first string that names an image file.
fn effect_picture(effect: Object<'_>) -> Option<&[u8]> {
    const ENDINGS: [&str; 7] = [".bmp", ".dds", ".jpeg", ".jpg", ".png", ".tga", ".webp"];
    let is_picture = |string: &&[u8]| {
        let string = text(string).to_ascii_lowercase();
        ENDINGS.iter().any(|ending| string.ends_with(ending))
    };
    let strings = |kind: Kind| effect.children_of(kind).flat_map(Object::strings);
    strings(Kind::EffectParamString).chain(strings(Kind::EffectString)).find(is_picture)
}

/// Converts a colour to linear space. Colours in .x files are meant for the screen: sRGB.
pub(super) fn linear(color: Vec3) -> Vec3 {
    Vec3::new(srgb::linear(color.x), srgb::linear(color.y), srgb::linear(color.z))
}

/// Converts a colour from sRGB to linear; alpha is only clamped to 0 … 1.
pub(super) fn linear_with_alpha(color: Vec4) -> Vec4 {
    linear(color.truncate()).extend(color.w.clamp(0.0, 1.0))
}
