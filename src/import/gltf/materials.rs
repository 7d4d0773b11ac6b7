//! Metallic-roughness materials and the extensions that cost next to nothing.
use crate::import::ImportReport;
use crate::import::place::Place;
use crate::import::report::Oddity;
use crate::model::{AlphaMode, Material, TextureIndex, TextureSlot, UvTransform};
use glam::{Vec2, Vec3, Vec4};
use gltf::json::validation::Checked;
use gltf::json::{self, Root, Value, material, texture};

// A texture that names a set the primitive lacks gets zeros there, so that a hostile number would fill memory.
const MAX_UV_SETS: u32 = 8;

const TRANSFORM: &str = "KHR_texture_transform";

pub(super) fn materials(
    root: &Root,
    texture_from_source: &[Option<TextureIndex>],
    report: &mut ImportReport,
) -> Vec<Material> {
    let place = Place::ROOT.field("materials");
    let mut materials = Vec::with_capacity(root.materials.len());
    for (index, material) in root.materials.iter().enumerate() {
        let place = place.index(index);
        materials.push(Reader { place: &place, texture_from_source, report }.material(material));
    }
    materials
}

struct Reader<'a> {
    place: &'a Place<'a>,
    texture_from_source: &'a [Option<TextureIndex>],
    report: &'a mut ImportReport,
}

impl Reader<'_> {
    fn material(&mut self, material: &json::Material) -> Material {
        let pbr = &material.pbr_metallic_roughness;
        let extensions = material.extensions.as_ref();
        let strength = extensions.and_then(|extensions| extensions.emissive_strength.as_ref());
        let strength = strength.map_or(1.0, |strength| strength.emissive_strength.0.max(0.0));
        let normal = material.normal_texture.as_ref();
        let occlusion = material.occlusion_texture.as_ref();
        let [emissive_x, emissive_y, emissive_z] = material.emissive_factor.0.map(|factor| self.unit(factor));
        let emissive = Vec3::new(emissive_x, emissive_y, emissive_z) * strength;
        Material {
            name: material.name.clone().unwrap_or_default(),
            base_color: Vec4::from_array(pbr.base_color_factor.0.map(|factor| self.unit(factor))),
            base_color_texture: self.info(pbr.base_color_texture.as_ref()),
            metallic: self.unit(pbr.metallic_factor.0),
            roughness: self.unit(pbr.roughness_factor.0),
            metallic_roughness_texture: self.info(pbr.metallic_roughness_texture.as_ref()),
            normal_texture: normal.and_then(|normal| {
                let extensions = normal.extensions.as_ref();
                let extension = extensions.and_then(|extensions| extensions.others.get(TRANSFORM));
                self.slot(normal.index, normal.tex_coord, extension)
            }),
            normal_scale: normal.map_or(1.0, |normal| normal.scale),
            occlusion_texture: occlusion.and_then(|occlusion| {
                let extensions = occlusion.extensions.as_ref();
                let extension = extensions.and_then(|extensions| extensions.others.get(TRANSFORM));
                self.slot(occlusion.index, occlusion.tex_coord, extension)
            }),
            occlusion_strength: occlusion.map_or(1.0, |occlusion| self.unit(occlusion.strength.0)),
            // Two finite factors may still overflow.
            emissive: emissive.min(Vec3::splat(f32::MAX)),
            emissive_texture: self.info(material.emissive_texture.as_ref()),
            alpha: alpha(material),
            double_sided: material.double_sided,
            unlit: extensions.is_some_and(|extensions| extensions.unlit.is_some()),
        }
    }

    /// A factor that glTF keeps within 0 and 1.
    fn unit(&mut self, factor: f32) -> f32 {
        let clamped = factor.clamp(0.0, 1.0);
        if clamped != factor {
            self.report.warn(Oddity::MaterialValueOutOfRange, self.place);
        }
        clamped
    }

    fn info(&mut self, info: Option<&texture::Info>) -> Option<TextureSlot> {
        let info = info?;
        let extension = info.extensions.as_ref().and_then(|extensions| extensions.others.get(TRANSFORM));
        self.slot(info.index, info.tex_coord, extension)
    }

    fn slot(
        &mut self,
        texture: json::Index<json::Texture>,
        uv_set: u32,
        transform: Option<&Value>,
    ) -> Option<TextureSlot> {
        let (transform, other_set) = uv_transform(transform);
        let uv_set = other_set.unwrap_or(uv_set);
        // Of textures that are gone, the report has the reason.
        let texture = (*self.texture_from_source.get(texture.value())?)?;
        if uv_set >= MAX_UV_SETS {
            self.report.warn(Oddity::TextureSetTooHigh, self.place);
            return None;
        }
        Some(TextureSlot { texture, uv_set: usize::try_from(uv_set).ok()?, transform })
    }
}

fn alpha(material: &json::Material) -> AlphaMode {
    match material.alpha_mode {
        Checked::Valid(material::AlphaMode::Mask) => {
            AlphaMode::Mask { cutoff: material.alpha_cutoff.unwrap_or_default().0 }
        }
        Checked::Valid(material::AlphaMode::Blend) => AlphaMode::Blend,
        _ => AlphaMode::Opaque,
    }
}

/// `KHR_texture_transform`, with the set that it puts in the place of the texture's.
fn uv_transform(extension: Option<&Value>) -> (UvTransform, Option<u32>) {
    let number = |value: &Value| {
        #[allow(
            clippy::cast_possible_truncation,
            reason = "the schema holds numbers within what a single can"
        )]
        value.as_f64().map(|number| number as f32)
    };
    let pair = |name: &str| {
        let pair = extension?.get(name)?;
        Some(Vec2::new(number(pair.get(0)?)?, number(pair.get(1)?)?))
    };
    let rotation = extension.and_then(|extension| number(extension.get("rotation")?));
    let uv_set = extension.and_then(|extension| extension.get("texCoord")?.as_u64());
    let transform = UvTransform {
        offset: pair("offset").unwrap_or(Vec2::ZERO),
        rotation: rotation.unwrap_or(0.0),
        scale: pair("scale").unwrap_or(Vec2::ONE),
    };
    (transform, uv_set.map(|uv_set| u32::try_from(uv_set).unwrap_or(u32::MAX)))
}
