//! JSON text becomes the schema's types, after everything in it was found to be of the right type and in range.
use super::{Budget, extensions, schema};
use crate::import::place::Place;
use crate::import::{ImportError, ImportReport};
use gltf::json::{self, Root, Value};

pub(super) struct Document {
    pub(super) root: Root,
    /// For each mesh the names that exporters agreed to write to `extras.targetNames`.
    pub(super) morph_target_names: Vec<Vec<String>>,
    /// Length of the JSON: with the buffers' it bounds what may be allocated.
    pub(super) byte_count: usize,
}

pub(super) fn parse(bytes: &[u8], report: &mut ImportReport) -> Result<Document, ImportError> {
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    // Some exporters pad the JSON chunk with zeros where the specification asks for spaces.
    let padding = text.iter().rev().take_while(|&&byte| byte == 0).count();
    let text = text.get(..text.len() - padding).unwrap_or_default();
    let mut value: Value = json::deserialize::from_slice(text).map_err(|error| ImportError::JsonInvalid {
        place: format!("line {} column {}", error.line(), error.column()),
        found: error.to_string(),
    })?;

    check_version(&value)?;
    let required = names(&value, "extensionsRequired");
    extensions::check(&names(&value, "extensionsUsed"), &required, report)?;
    let morph_target_names = morph_target_names(&value);
    // The least that the elements of the root arrays become, however little stands in them.
    let elements: usize =
        value.as_object().into_iter().flatten().filter_map(|(_, list)| list.as_array()).map(Vec::len).sum();
    Budget::of_file(bytes.len()).charge(elements as u64, 512, || Place::ROOT.pointer())?;
    schema::check(&mut value)?;
    neutralise_tracks_without_node(&mut value);

    // The schema was checked above, so what fails here is a rule that its table lacks.
    let root = json::deserialize::from_value(value).map_err(|error| ImportError::PropertyTypeWrong {
        place: Place::ROOT.pointer(),
        found: error.to_string(),
    })?;
    Ok(Document { root, morph_target_names, byte_count: bytes.len() })
}

/// Before the schema, which is another one in other versions.
fn check_version(value: &Value) -> Result<(), ImportError> {
    let asset = Place::ROOT.field("asset");
    for (name, required) in [("version", true), ("minVersion", false)] {
        let place = asset.field(name);
        let Some(version) = value.pointer(&place.pointer()) else {
            if required {
                return Err(ImportError::PropertyMissing { place: place.pointer(), found: "nothing".into() });
            }
            continue;
        };
        // A later 2.x promises to be readable by 2.0; a later minimal version says that it isn't.
        let readable = version.as_str().and_then(|version| version.split_once('.')).is_some_and(|version| {
            let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            version.0 == "2" && if required { digits(version.1) } else { version.1 == "0" }
        });
        if !readable {
            let found = version.to_string();
            return Err(ImportError::VersionUnsupported { place: place.pointer(), found });
        }
    }
    Ok(())
}

fn names<'a>(value: &'a Value, key: &str) -> Vec<&'a str> {
    let names = value.get(key).and_then(Value::as_array);
    names.map(|names| names.iter().filter_map(Value::as_str).collect()).unwrap_or_default()
}

fn morph_target_names(value: &Value) -> Vec<Vec<String>> {
    let meshes = value.get("meshes").and_then(Value::as_array);
    let names_of = |mesh: &Value| {
        let names = mesh.pointer("/extras/targetNames")?.as_array()?;
        Some(names.iter().map(|name| name.as_str().unwrap_or_default().to_owned()).collect())
    };
    meshes.into_iter().flatten().map(|mesh| names_of(mesh).unwrap_or_default()).collect()
}

/// A channel may leave its node to an extension (`KHR_animation_pointer`), but the schema's type has no place for
/// that. Such a channel is given a node and a path that no one knows.
fn neutralise_tracks_without_node(value: &mut Value) {
    let animations = value.get_mut("animations").and_then(Value::as_array_mut);
    for animation in animations.into_iter().flatten() {
        let channels = animation.get_mut("channels").and_then(Value::as_array_mut);
        for channel in channels.into_iter().flatten() {
            let target = channel.get_mut("target").and_then(Value::as_object_mut);
            if let Some(target) = target.filter(|target| !target.contains_key("node")) {
                target.insert("node".into(), 0.into());
                target.insert("path".into(), "pointer".into());
            }
        }
    }
}
