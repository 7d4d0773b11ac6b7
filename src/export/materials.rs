//! Materials, by the table `src/model/material_table.rs`. Extensions are used only by materials that need them.
use super::json_text::{Json, Object};
use super::notes::{Change, Notes};
use super::textures::Textures;
use super::{EMISSIVE_STRENGTH, Extensions, TEXTURE_TRANSFORM, UNLIT};
use crate::model::material_table::{FACTORS, FactorRange, TEXTURES, path_in};
use crate::model::{AlphaMode, Material, MaterialFeature, TextureSlot};
use glam::{Vec2, Vec3};

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
        let mut written = material.clone();
        let emissive = Vec3::from_array(
            material.emissive.to_array().map(|factor| self.clamp(factor, FactorRange::Positive)),
        );
        let strength = emissive_strength(emissive.max_element());
        written.emissive = emissive / strength;

        let mut entries: Entries = Vec::new();
        let mut add = |path: &str, value: Json| entries.push((path.to_owned(), value));
        if !material.name.is_empty() {
            add("name", material.name.as_str().into());
        }
        // Programs without the extension show the base colour at least.
        let paths = |path| {
            let other = path_in(path, material.specular_glossiness);
            std::iter::once(path).chain((other != path).then_some(other))
        };
        let slots = material.textures().map(|slot| Some((slot?, self.textures.number(slot?.texture)?)));
        for (row, slot) in TEXTURES.iter().zip(slots) {
            if let Some((slot, number)) = slot {
                for path in paths(row.path) {
                    add_slot(slot, number, &mut |name, value| add(&[path, name].join("/"), value));
                }
            }
        }
        let plain = Material::default();
        for ((row, numbers), defaults) in FACTORS.iter().zip(written.factors()).zip(plain.factors()) {
            let numbers: Vec<f32> = numbers.iter().map(|&number| self.clamp(number, row.range)).collect();
            let has_place =
                row.texture().is_none_or(|texture| slots.get(texture).is_some_and(Option::is_some));
            for path in paths(row.path) {
                // The extension's object is there even if all its properties have their defaults.
                if has_place && (numbers != defaults || path != row.path) {
                    let value =
                        if let [number] = numbers[..] { number.into() } else { numbers.clone().into() };
                    add(path, value);
                }
            }
        }
        match material.alpha {
            AlphaMode::Opaque => {}
            AlphaMode::Mask { cutoff } => {
                add("alphaMode", "MASK".into());
                let cutoff = self.clamp(cutoff, FactorRange::Positive);
                if cutoff != 0.5 {
                    add("alphaCutoff", cutoff.into());
                }
            }
            AlphaMode::Blend => add("alphaMode", "BLEND".into()),
        }
        if material.double_sided {
            add("doubleSided", true.into());
        }
        if strength > 1.0 {
            add(&["extensions", EMISSIVE_STRENGTH, "emissiveStrength"].join("/"), strength.into());
        }
        if material.unlit {
            add(&["extensions", UNLIT].join("/"), Object::new().into());
        }
        let features = MaterialFeature::ALL.iter().filter_map(|feature| feature.extension());
        for name in features.chain([EMISSIVE_STRENGTH, TEXTURE_TRANSFORM, UNLIT]) {
            if entries.iter().any(|(path, _)| path.split('/').any(|part| part == name)) {
                self.extensions.used.insert(name);
            }
        }
        nested(entries)
    }

    fn clamp(&mut self, factor: f32, range: FactorRange) -> f32 {
        let within = range.clamp(factor);
        self.clamped |= within != factor;
        within
    }
}

/// Values with their JSON paths, whose names are separated by slashes.
type Entries = Vec<(String, Json)>;

/// Adds the properties of a material's use of a texture.
fn add_slot(slot: &TextureSlot, number: usize, add: &mut impl FnMut(&str, Json)) {
    let TextureSlot { uv_set, transform, .. } = slot;
    add("index", number.into());
    if *uv_set != 0 {
        add("texCoord", (*uv_set).into());
    }
    let mut add = |name: &str, value: Json| add(&["extensions", TEXTURE_TRANSFORM, name].join("/"), value);
    if transform.offset != Vec2::ZERO {
        add("offset", transform.offset.to_array().into());
    }
    if transform.rotation != 0.0 {
        add("rotation", transform.rotation.into());
    }
    if transform.scale != Vec2::ONE {
        add("scale", transform.scale.to_array().into());
    }
}

/// Builds an object from values with their paths, in the order of the first path that begins with a name.
fn nested(mut entries: Entries) -> Object {
    let mut object = Object::new();
    while let Some((path, _)) = entries.first() {
        let name = path.split('/').next().unwrap_or_default().to_owned();
        let mut inner = Entries::new();
        for (path, value) in std::mem::take(&mut entries) {
            match path.strip_prefix(&name) {
                Some("") => object = object.with(&name, value),
                Some(rest) if rest.starts_with('/') => {
                    inner.push((rest.trim_start_matches('/').to_owned(), value))
                }
                _ => entries.push((path, value)),
            }
        }
        object = object.with_any(&name, nested(inner));
    }
    object
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
