//! Supported extensions, and the treatment of others.
//!
//! - A file that requires an extension that compresses its data is refused, unless the caller decodes it.
//! - Any other extension is ignored with a warning, even if the file requires it.
use super::json::Json;
use crate::import::report::WarningKind;
use crate::import::{ImportError, ImportProblem, ImportReport};
use crate::json::Value;
use crate::model::MaterialFeature;
use crate::refusal::Place;

/// A private extension, used only to hand a model of another format from its reader to the player. A node with it may
/// be animated by whole matrices, with the path "matrix". Saved files don't contain it.
pub(super) const MATRIX_KEYS: &str = "GAMBOL_matrix_keys";

/// Supported extensions besides the material extensions of `src/model/material_table.rs`.
const SUPPORTED: [&str; 15] = [
    "EXT_mesh_gpu_instancing",
    "EXT_texture_avif",
    "EXT_texture_webp",
    MATRIX_KEYS,
    "KHR_animation_pointer",
    "KHR_lights_punctual",
    "KHR_materials_emissive_strength",
    "KHR_materials_unlit",
    "KHR_materials_variants",
    "KHR_mesh_quantization",
    "KHR_node_visibility",
    "KHR_texture_transform",
    "KHR_xmp_json_ld",
    "VRMC_springBone",
    "VRMC_springBone_extended_collider",
];

/// The two names of the extension for meshopt streams in buffer views.
pub(super) const MESHOPT: [&str; 2] = ["EXT_meshopt_compression", "KHR_meshopt_compression"];

/// The extension for Draco meshes in buffer views.
#[cfg(not(target_arch = "wasm32"))]
pub(super) const DRACO: &str = "KHR_draco_mesh_compression";

/// Returns whether the importer supports an extension by itself.
pub(super) fn is_supported(name: &str) -> bool {
    // A page fetches a decoder instead.
    #[cfg(not(target_arch = "wasm32"))]
    if name == DRACO || MESHOPT.contains(&name) {
        return true;
    }
    SUPPORTED.contains(&name) || is_of_materials(name.as_bytes())
}

/// Returns whether an extension of materials is drawn.
pub(super) fn is_of_materials(name: &[u8]) -> bool {
    MaterialFeature::ALL
        .iter()
        .filter_map(|feature| feature.extension())
        .any(|known| known.as_bytes() == name)
}

/// Returns the extension that has the data of a buffer, which is there only for programs without the extension.
pub(super) fn replaced_by(buffer: Json<'_>) -> Option<&'static str> {
    MESHOPT
        .into_iter()
        .find(|name| buffer.extension(name).is_some_and(|extension| extension.flag("fallback")))
}

/// Checks the extensions that a file uses and requires. `decoders` are those whose data the caller decodes.
///
/// # Errors
/// A required extension that isn't supported and compresses data.
pub(super) fn check(root: &Value, decoders: &[String], report: &mut ImportReport) -> Result<(), ImportError> {
    let names = |key: &str| -> Vec<&str> {
        let names = root.get(key).map_or(&[][..], Value::elements);
        names.iter().filter_map(Value::as_str).collect()
    };
    let (used, required) = (names("extensionsUsed"), names("extensionsRequired"));
    let is_read = |name: &str| is_supported(name) || decoders.iter().any(|known| known == name);
    let place = Place::ROOT.field("extensionsRequired");
    for (index, name) in required.iter().enumerate() {
        if is_read(name) {
            continue;
        }
        if compresses(root, name) {
            return Err(
                ImportProblem::ExtensionUnsupported.at(place.index(index).pointer(), (*name).to_owned())
            );
        }
        report.warn_named(WarningKind::ExtensionIgnored, &place.index(index), name);
    }
    let place = Place::ROOT.field("extensionsUsed");
    for (index, name) in used.iter().enumerate() {
        // Required extensions are listed as used, too.
        if !is_read(name) && !required.contains(name) {
            report.warn_named(WarningKind::ExtensionIgnored, &place.index(index), name);
        }
    }
    Ok(())
}

/// Returns whether data can't be read without an extension. The name of a compression says so, or some data has the
/// extension.
fn compresses(root: &Value, name: &str) -> bool {
    let has_it =
        |part: &Value| part.get("extensions").is_some_and(|extensions| extensions.get(name).is_some());
    name.split('_').any(|word| word == "compression")
        || ["buffers", "bufferViews", "accessors"]
            .iter()
            .filter_map(|array| root.get(array))
            .any(|parts| parts.elements().iter().any(has_it))
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::json::parse;

    fn file(name: &str, rest: &str) -> Value {
        let text = format!(
            r#"{{ "extensionsUsed": ["ACME_materials_glitter", "{name}"],
                "extensionsRequired": ["ACME_materials_glitter", "{name}"]{rest} }}"#
        );
        parse(text.as_bytes()).unwrap()
    }

    #[test]
    fn no_file_is_refused_for_an_extension_that_does_not_compress() {
        for name in [
            "",
            "ACME_unknown",
            "EXT_lights_image_based",
            "KHR_audio_emitter",
            "KHR_techniques_webgl",
            "KHR_texture_basisu",
            "MSFT_lod",
            "MSFT_packing_normalRoughnessMetallic",
            "VRMC_node_constraint",
            "VRMC_vrm",
        ] {
            let mut report = ImportReport::default();
            let elsewhere = format!(r#", "nodes": [{{ "extensions": {{ "{name}": {{}} }} }}]"#);
            check(&file(name, &elsewhere), &[], &mut report).unwrap();
            let [glitter, warning] = &report.warnings[..] else { panic!("{name}: {report:?}") };
            assert_eq!((glitter.code, &*glitter.place), ("EXTENSION_IGNORED", "/extensionsRequired/0"));
            assert_eq!((warning.code, &*warning.place), ("EXTENSION_IGNORED", "/extensionsRequired/1"));
            assert!(warning.message.starts_with(name), "{}", warning.message);
        }
    }

    #[test]
    fn a_file_is_refused_for_a_compression_that_nobody_decodes() {
        let packed = r#", "bufferViews": [{}, { "extensions": { "ACME_packed": {} } }]"#;
        for (name, rest) in [("ACME_mesh_compression", ""), ("ACME_packed", packed)] {
            let file = file(name, rest);
            let mut report = ImportReport::default();
            let error = check(&file, &[], &mut report).unwrap_err();
            assert_eq!((error.code(), error.place()), ("EXTENSION_UNSUPPORTED", "/extensionsRequired/1"));
            assert!(error.to_string().contains(name), "{error}");

            let mut report = ImportReport::default();
            check(&file, &[name.to_owned()], &mut report).unwrap();
            assert_eq!(report.warnings.len(), 1, "{name} is decoded by the caller");
        }
    }
}
