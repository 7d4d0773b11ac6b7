//! glTF's JSON schema as a table, for the properties that are read here.
//!
//! A document that passes has every required property, all properties have the right type and are in range, and every
//! index into a root array refers to an element. An explicit `null` counts as absent, and `2.0` as an integer.
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
    /// An index into a root array.
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

const fn may(name: &'static str, kind: Kind) -> Property {
    Property { name, kind, required: false }
}

const fn must(name: &'static str, kind: Kind) -> Property {
    Property { name, kind, required: true }
}

use Kind::*;

// Most programs read JSON numbers as doubles, which aren't exact above 2^53.
const MAX_SAFE: u64 = 1 << 53;
const BYTES: Kind = Integer(0, MAX_SAFE);
const COUNT: Kind = Integer(1, MAX_SAFE);
const NAME: Property = may("name", Text);
const WRAP: Kind = OneOf(&[33_071, 33_648, 10_497]);

const ROOT: Kind = Object(&[
    must("asset", Object(&[may("generator", Text), may("copyright", Text)])),
    may("extensionsUsed", List(&Text)),
    may("extensionsRequired", List(&Text)),
    may("accessors", List(&ACCESSOR)),
    may("animations", List(&ANIMATION)),
    may("buffers", List(&BUFFER)),
    may("bufferViews", List(&BUFFER_VIEW)),
    may("cameras", List(&CAMERA)),
    may("images", List(&IMAGE)),
    may("materials", List(&MATERIAL)),
    may("meshes", List(&MESH)),
    may("nodes", List(&NODE)),
    may("samplers", List(&SAMPLER)),
    may("scenes", List(&SCENE)),
    may("skins", List(&SKIN)),
    may("textures", List(&TEXTURE)),
    may("scene", Index("scenes")),
]);

const ACCESSOR: Kind = Object(&[
    NAME,
    may("bufferView", Index("bufferViews")),
    may("byteOffset", BYTES),
    must("count", COUNT),
    must("componentType", OneOf(&[5120, 5121, 5122, 5123, 5125, 5126])),
    must("type", Word(&["SCALAR", "VEC2", "VEC3", "VEC4", "MAT2", "MAT3", "MAT4"])),
    may("normalized", Bool),
    may("sparse", SPARSE),
]);

const SPARSE: Kind = Object(&[
    must("count", COUNT),
    must(
        "indices",
        Object(&[
            must("bufferView", Index("bufferViews")),
            may("byteOffset", BYTES),
            must("componentType", OneOf(&[5121, 5123, 5125])),
        ]),
    ),
    must("values", Object(&[must("bufferView", Index("bufferViews")), may("byteOffset", BYTES)])),
]);

const ANIMATION: Kind = Object(&[
    NAME,
    must(
        "channels",
        List(&Object(&[
            must("sampler", Integer(0, u32::MAX as u64)),
            must("target", Object(&[may("node", Index("nodes")), must("path", Text)])),
        ])),
    ),
    must("samplers", List(&Object(&[must("input", Index("accessors")), must("output", Index("accessors"))]))),
]);

const BUFFER: Kind = Object(&[NAME, must("byteLength", COUNT), may("uri", Text)]);

const BUFFER_VIEW: Kind = Object(&[
    NAME,
    must("buffer", Index("buffers")),
    must("byteLength", COUNT),
    may("byteOffset", BYTES),
    // The specification allows at most 252; nothing here depends on that.
    may("byteStride", Integer(0, u16::MAX as u64)),
    may("target", OneOf(&[34_962, 34_963])),
]);

const CAMERA: Kind = Object(&[
    NAME,
    must("type", Word(&["perspective", "orthographic"])),
    may(
        "perspective",
        Object(&[
            must("yfov", Number),
            must("znear", Number),
            may("zfar", Number),
            may("aspectRatio", Number),
        ]),
    ),
    may(
        "orthographic",
        Object(&[must("xmag", Number), must("ymag", Number), must("zfar", Number), must("znear", Number)]),
    ),
]);

const IMAGE: Kind =
    Object(&[NAME, may("uri", Text), may("mimeType", Text), may("bufferView", Index("bufferViews"))]);

const SAMPLER: Kind = Object(&[
    NAME,
    may("magFilter", OneOf(&[9728, 9729])),
    may("minFilter", OneOf(&[9728, 9729, 9984, 9985, 9986, 9987])),
    may("wrapS", WRAP),
    may("wrapT", WRAP),
]);

const TEXTURE: Kind = Object(&[
    NAME,
    may("sampler", Index("samplers")),
    may("source", Index("images")),
    may("extensions", Object(&[may("EXT_texture_webp", Object(&[may("source", Index("images"))]))])),
]);

const MATERIAL: Kind = Material(&[
    NAME,
    may("alphaMode", Word(&["OPAQUE", "MASK", "BLEND"])),
    may("alphaCutoff", Number),
    may("doubleSided", Bool),
    may(
        "extensions",
        Object(&[
            may("KHR_materials_emissive_strength", Object(&[may("emissiveStrength", Number)])),
            may("KHR_materials_unlit", Object(&[])),
        ]),
    ),
]);

const TEXTURE_INFO: Kind = Object(&[
    must("index", Index("textures")),
    may("texCoord", Integer(0, u32::MAX as u64)),
    may(
        "extensions",
        Object(&[may(
            "KHR_texture_transform",
            Object(&[
                may("offset", Numbers(2)),
                may("rotation", Number),
                may("scale", Numbers(2)),
                may("texCoord", Integer(0, u32::MAX as u64)),
            ]),
        )]),
    ),
]);

const MESH: Kind = Object(&[NAME, must("primitives", List(&PRIMITIVE)), may("weights", List(&Number))]);

const PRIMITIVE: Kind = Object(&[
    must("attributes", Map(&Index("accessors"))),
    may("indices", Index("accessors")),
    may("material", Index("materials")),
    may("mode", Integer(0, 6)),
    may("targets", List(&Map(&Index("accessors")))),
]);

const NODE: Kind = Object(&[
    NAME,
    may("camera", Index("cameras")),
    may("children", List(&Index("nodes"))),
    may("matrix", Numbers(16)),
    may("mesh", Index("meshes")),
    may("rotation", Numbers(4)),
    may("scale", Numbers(3)),
    may("skin", Index("skins")),
    may("translation", Numbers(3)),
    may("weights", List(&Number)),
]);

const SCENE: Kind = Object(&[NAME, may("nodes", List(&Index("nodes")))]);

const SKIN: Kind = Object(&[
    NAME,
    must("joints", List(&Index("nodes"))),
    may("inverseBindMatrices", Index("accessors")),
    may("skeleton", Index("nodes")),
]);

/// Checks a document.
///
/// # Errors
/// The first property that violates glTF 2.0.
pub(super) fn check(root: &Value) -> Result<(), ImportError> {
    let counts = Counts::of(root);
    counts.check(root, &ROOT, &Place::ROOT)
}

/// Lengths of the root arrays.
struct Counts(Vec<(String, u64)>);

impl Counts {
    fn of(root: &Value) -> Self {
        let arrays = root.entries().iter();
        Self(
            arrays.filter_map(|(name, value)| Some((name.clone(), value.as_array()?.len() as u64))).collect(),
        )
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
                let found = format!("{found}, but there are {count} {array}");
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
