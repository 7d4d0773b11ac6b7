//! glTF's JSON schema as a table, for the properties that are read here.
//!
//! A document that passes has every required property, all properties have the right type and are in range, and every
//! index into a root array refers to an element. An explicit `null` counts as absent, and `2.0` as an integer.
use crate::import::resources::after_last_slash;
use crate::import::{ImportError, ImportProblem};
use crate::json::Value;
use crate::model::material_table::{FACTORS, FactorRow, TEXTURES};
use crate::refusal::{Place, excerpt};

enum Kind {
    Bool,
    Text,
    Number,
    /// Smallest and largest value.
    Integer(u64, u64),
    OneOf(&'static [u64]),
    Word(&'static [&'static str]),
    /// An index into a root array, or into an array of an extension of the root: `EXTENSION/ARRAY`.
    Index(&'static str),
    /// An array of this length.
    Numbers(usize),
    List(&'static Kind),
    /// An object with any names.
    Map(&'static Kind),
    Object(&'static [Property]),
    /// An object with these properties and those of `src/model/material_table.rs`.
    Material(&'static [Property]),
}

struct Property {
    name: &'static str,
    kind: Kind,
    required: bool,
}

const fn optional(name: &'static str, kind: Kind) -> Property {
    Property { name, kind, required: false }
}

const fn required(name: &'static str, kind: Kind) -> Property {
    Property { name, kind, required: true }
}

use Kind::*;

// Most programs read JSON numbers as doubles, which aren't exact above 2^53.
const MAX_SAFE: u64 = 1 << 53;
const BYTES: Kind = Integer(0, MAX_SAFE);
const COUNT: Kind = Integer(1, MAX_SAFE);
const NAME: Property = optional("name", Text);
const WRAP: Kind = OneOf(&[33_071, 33_648, 10_497]);

const ROOT: Kind = Object(&[
    required(
        "asset",
        Object(&[
            optional("generator", Text),
            optional("copyright", Text),
            #[cfg(any(feature = "formats", not(target_arch = "wasm32")))]
            optional(
                "extensions",
                Object(&[optional(
                    "KHR_xmp_json_ld",
                    Object(&[required("packet", Index("KHR_xmp_json_ld/packets"))]),
                )]),
            ),
        ]),
    ),
    optional("extensionsUsed", List(&Text)),
    optional("extensionsRequired", List(&Text)),
    optional("accessors", List(&ACCESSOR)),
    optional("animations", List(&ANIMATION)),
    optional("buffers", List(&BUFFER)),
    optional("bufferViews", List(&BUFFER_VIEW)),
    optional("cameras", List(&CAMERA)),
    optional("images", List(&IMAGE)),
    optional("materials", List(&MATERIAL)),
    optional("meshes", List(&MESH)),
    optional("nodes", List(&NODE)),
    optional("samplers", List(&SAMPLER)),
    optional("scenes", List(&SCENE)),
    optional("skins", List(&SKIN)),
    optional("textures", List(&TEXTURE)),
    optional("scene", Index("scenes")),
    optional(
        "extensions",
        Object(&[
            optional("KHR_materials_variants", Object(&[required("variants", List(&VARIANT))])),
            #[cfg(any(feature = "formats", not(target_arch = "wasm32")))]
            optional("KHR_lights_punctual", Object(&[required("lights", List(&LIGHT))])),
            #[cfg(any(feature = "formats", not(target_arch = "wasm32")))]
            optional("KHR_xmp_json_ld", Object(&[required("packets", List(&Object(&[])))])),
        ]),
    ),
]);

const ACCESSOR: Kind = Object(&[
    NAME,
    optional("bufferView", Index("bufferViews")),
    optional("byteOffset", BYTES),
    required("count", COUNT),
    required("componentType", OneOf(&[5120, 5121, 5122, 5123, 5125, 5126])),
    required("type", Word(&["SCALAR", "VEC2", "VEC3", "VEC4", "MAT2", "MAT3", "MAT4"])),
    optional("normalized", Bool),
    optional("sparse", SPARSE),
]);

const SPARSE: Kind = Object(&[
    required("count", COUNT),
    required(
        "indices",
        Object(&[
            required("bufferView", Index("bufferViews")),
            optional("byteOffset", BYTES),
            required("componentType", OneOf(&[5121, 5123, 5125])),
        ]),
    ),
    required(
        "values",
        Object(&[required("bufferView", Index("bufferViews")), optional("byteOffset", BYTES)]),
    ),
]);

const ANIMATION: Kind = Object(&[
    NAME,
    required(
        "channels",
        List(&Object(&[
            required("sampler", Integer(0, u32::MAX as u64)),
            required(
                "target",
                Object(&[
                    optional("node", Index("nodes")),
                    required("path", Text),
                    optional(
                        "extensions",
                        Object(&[optional("KHR_animation_pointer", Object(&[required("pointer", Text)]))]),
                    ),
                ]),
            ),
        ])),
    ),
    required(
        "samplers",
        List(&Object(&[required("input", Index("accessors")), required("output", Index("accessors"))])),
    ),
]);

const BUFFER: Kind = Object(&[NAME, required("byteLength", COUNT), optional("uri", Text)]);

const BUFFER_VIEW: Kind = Object(&[
    NAME,
    required("buffer", Index("buffers")),
    required("byteLength", COUNT),
    optional("byteOffset", BYTES),
    // The specification allows at most 252; nothing here depends on that.
    optional("byteStride", Integer(0, u16::MAX as u64)),
    optional("target", OneOf(&[34_962, 34_963])),
]);

const CAMERA: Kind = Object(&[
    NAME,
    required("type", Word(&["perspective", "orthographic"])),
    optional(
        "perspective",
        Object(&[
            required("yfov", Number),
            required("znear", Number),
            optional("zfar", Number),
            optional("aspectRatio", Number),
        ]),
    ),
    optional(
        "orthographic",
        Object(&[
            required("xmag", Number),
            required("ymag", Number),
            required("zfar", Number),
            required("znear", Number),
        ]),
    ),
]);

const IMAGE: Kind = Object(&[
    NAME,
    optional("uri", Text),
    optional("mimeType", Text),
    optional("bufferView", Index("bufferViews")),
]);

const SAMPLER: Kind = Object(&[
    NAME,
    optional("magFilter", OneOf(&[9728, 9729])),
    optional("minFilter", OneOf(&[9728, 9729, 9984, 9985, 9986, 9987])),
    optional("wrapS", WRAP),
    optional("wrapT", WRAP),
]);

const TEXTURE: Kind = Object(&[
    NAME,
    optional("sampler", Index("samplers")),
    optional("source", Index("images")),
    optional(
        "extensions",
        Object(&[optional("EXT_texture_webp", Object(&[optional("source", Index("images"))]))]),
    ),
]);

#[cfg(any(feature = "formats", not(target_arch = "wasm32")))]
const LIGHT: Kind = Object(&[
    NAME,
    optional("color", Numbers(3)),
    optional("intensity", Number),
    optional("range", Number),
    required("type", Word(&["directional", "point", "spot"])),
    optional("spot", Object(&[optional("innerConeAngle", Number), optional("outerConeAngle", Number)])),
]);

const MATERIAL: Kind = Material(&[
    NAME,
    optional("alphaMode", Word(&["OPAQUE", "MASK", "BLEND"])),
    optional("alphaCutoff", Number),
    optional("doubleSided", Bool),
    optional(
        "extensions",
        Object(&[
            optional("KHR_materials_emissive_strength", Object(&[optional("emissiveStrength", Number)])),
            optional(
                "KHR_materials_pbrSpecularGlossiness",
                Object(&[optional("diffuseFactor", Numbers(4)), optional("diffuseTexture", TEXTURE_INFO)]),
            ),
            optional("KHR_materials_unlit", Object(&[])),
        ]),
    ),
]);

const TEXTURE_INFO: Kind = Object(&[
    required("index", Index("textures")),
    optional("texCoord", Integer(0, u32::MAX as u64)),
    optional(
        "extensions",
        Object(&[optional(
            "KHR_texture_transform",
            Object(&[
                optional("offset", Numbers(2)),
                optional("rotation", Number),
                optional("scale", Numbers(2)),
                optional("texCoord", Integer(0, u32::MAX as u64)),
            ]),
        )]),
    ),
]);

const MESH: Kind =
    Object(&[NAME, required("primitives", List(&PRIMITIVE)), optional("weights", List(&Number))]);

const PRIMITIVE: Kind = Object(&[
    required("attributes", Map(&Index("accessors"))),
    optional("indices", Index("accessors")),
    optional("material", Index("materials")),
    optional("mode", Integer(0, 6)),
    optional("targets", List(&Map(&Index("accessors")))),
    optional(
        "extensions",
        Object(&[optional("KHR_materials_variants", Object(&[optional("mappings", List(&MAPPING))]))]),
    ),
]);

const VARIANT: Kind = Object(&[required("name", Text)]);

const MAPPING: Kind = Object(&[
    required("material", Index("materials")),
    required("variants", List(&Index("KHR_materials_variants/variants"))),
]);

const NODE: Kind = Object(&[
    NAME,
    optional("camera", Index("cameras")),
    optional("children", List(&Index("nodes"))),
    optional("matrix", Numbers(16)),
    optional("mesh", Index("meshes")),
    optional("rotation", Numbers(4)),
    optional("scale", Numbers(3)),
    optional("skin", Index("skins")),
    optional("translation", Numbers(3)),
    optional("weights", List(&Number)),
    optional(
        "extensions",
        Object(&[
            optional("EXT_mesh_gpu_instancing", Object(&[optional("attributes", Map(&Index("accessors")))])),
            #[cfg(any(feature = "formats", not(target_arch = "wasm32")))]
            optional(
                "KHR_lights_punctual",
                Object(&[optional("light", Index("KHR_lights_punctual/lights"))]),
            ),
            optional("KHR_node_visibility", Object(&[optional("visible", Bool)])),
        ]),
    ),
]);

const SCENE: Kind = Object(&[NAME, optional("nodes", List(&Index("nodes")))]);

const SKIN: Kind = Object(&[
    NAME,
    required("joints", List(&Index("nodes"))),
    optional("inverseBindMatrices", Index("accessors")),
    optional("skeleton", Index("nodes")),
]);

/// Checks a document.
///
/// # Errors
/// The first property that violates glTF 2.0.
pub(super) fn check(root: &Value) -> Result<(), ImportError> {
    let counts = Counts::of(root);
    counts.check(root, &ROOT, &Place::ROOT)
}

/// Lengths of the root arrays, and of the arrays of the root's extensions.
struct Counts(Vec<(String, u64)>);

impl Counts {
    fn of(root: &Value) -> Self {
        let extensions = root.get("extensions").map_or(&[][..], Value::entries);
        let mut counts = Vec::new();
        for (prefix, object) in extensions.iter().map(|(name, value)| (&**name, value)).chain([("", root)]) {
            for (name, value) in object.entries() {
                let name = if prefix.is_empty() { name.clone() } else { [prefix, "/", name].concat() };
                counts.extend(value.as_array().map(|array| (name, array.len() as u64)));
            }
        }
        Self(counts)
    }

    fn get(&self, array: &str) -> u64 {
        self.0.iter().find(|(name, _)| name == array).map_or(0, |&(_, count)| count)
    }

    fn check(&self, value: &Value, kind: &Kind, place: &Place<'_>) -> Result<(), ImportError> {
        match kind {
            Bool => expect(value.as_bool().is_some(), "true or false", value, place),
            Text => expect(value.as_str().is_some(), "text", value, place),
            Number => number(value, place),
            Integer(min, max) => {
                let found = integer(value, place)?;
                allow((*min..=*max).contains(&found), value, place)
            }
            OneOf(allowed) => {
                let found = integer(value, place)?;
                allow(allowed.contains(&found), value, place)
            }
            Word(allowed) => {
                expect(value.as_str().is_some(), "text", value, place)?;
                allow(value.as_str().is_some_and(|word| allowed.contains(&word)), value, place)
            }
            Index(array) => {
                let found = integer(value, place)?;
                let count = self.get(array);
                if found < count.min(u64::from(u32::MAX)) {
                    return Ok(());
                }
                let found = format!("{found}, but there are {count} {}", after_last_slash(array));
                Err(ImportProblem::ReferenceOutOfRange.at(place.pointer(), found))
            }
            Numbers(count) => {
                self.check(value, &List(&Number), place)?;
                allow(value.as_array().is_some_and(|numbers| numbers.len() == *count), value, place)
            }
            List(kind) => match value.as_array() {
                Some(values) => (values.iter().enumerate())
                    .try_for_each(|(index, value)| self.check(value, kind, &place.index(index))),
                None => expect(false, "an array", value, place),
            },
            Map(kind) => match value.as_object() {
                Some(_) => (value.entries().iter())
                    .try_for_each(|(name, value)| self.check(value, kind, &place.field(name))),
                None => expect(false, "an object", value, place),
            },
            Object(properties) => self.check_object(value, properties, place),
            Material(properties) => {
                self.check_object(value, properties, place)?;
                for row in TEXTURES {
                    self.check_at(value, row.path, &TEXTURE_INFO, place)?;
                }
                for &FactorRow { path, count, .. } in FACTORS {
                    let kind = if count == 1 { Number } else { Numbers(count) };
                    self.check_at(value, path, &kind, place)?;
                }
                Ok(())
            }
        }
    }

    /// Checks the value at a path, if it exists. Everything that the path leads through must be an object.
    fn check_at(&self, value: &Value, path: &str, kind: &Kind, place: &Place<'_>) -> Result<(), ImportError> {
        expect(value.as_object().is_some(), "an object", value, place)?;
        let (name, rest) = path.split_once('/').unwrap_or((path, ""));
        let place = place.field(name);
        match value.get(name).filter(|value| !value.is_null()) {
            None => Ok(()),
            Some(value) if rest.is_empty() => self.check(value, kind, &place),
            Some(value) => self.check_at(value, rest, kind, &place),
        }
    }

    fn check_object(
        &self,
        value: &Value,
        properties: &[Property],
        place: &Place<'_>,
    ) -> Result<(), ImportError> {
        expect(value.as_object().is_some(), "an object", value, place)?;
        for Property { name, kind, required } in properties {
            let place = place.field(name);
            match value.get(name) {
                Some(value) if !value.is_null() => self.check(value, kind, &place)?,
                _ if *required => {
                    let found = "nothing".to_owned();
                    return Err(ImportProblem::PropertyMissing.at(place.pointer(), found));
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// Checks that a number is within the range of `f32`.
fn number(value: &Value, place: &Place<'_>) -> Result<(), ImportError> {
    match value.as_f64() {
        Some(number) => allow(number.abs() <= f64::from(f32::MAX), value, place),
        None => expect(false, "a number", value, place),
    }
}

fn integer(value: &Value, place: &Place<'_>) -> Result<u64, ImportError> {
    expect(value.as_f64().is_some(), "an integer", value, place)?;
    let integer = value.as_integer();
    allow(integer.is_some(), value, place)?;
    Ok(integer.unwrap_or_default())
}

fn expect(held: bool, expected: &str, value: &Value, place: &Place<'_>) -> Result<(), ImportError> {
    if held {
        return Ok(());
    }
    let found = ["expected ", expected, ", found ", &excerpt(value)].concat();
    Err(ImportProblem::PropertyTypeWrong.at(place.pointer(), found))
}

fn allow(held: bool, value: &Value, place: &Place<'_>) -> Result<(), ImportError> {
    if held {
        return Ok(());
    }
    Err(ImportProblem::PropertyValueInvalid.at(place.pointer(), excerpt(value)))
}
