//! Supported extensions, and the treatment of others.
//!
//! - An extension that only changes the appearance is ignored with a warning, even if the file requires it.
//! - Any other extension may change shape or motion. A file that requires it is refused; otherwise there is a
//!   warning.
use super::json::Json;
use crate::import::report::WarningKind;
use crate::import::{ImportError, ImportProblem, ImportReport};
use crate::model::MaterialFeature;
use crate::refusal::Place;

/// A private extension, used only to hand a model of another format from its reader to the player. A node with it may
/// be animated by whole matrices, with the path "matrix". Saved files don't contain it.
pub(super) const MATRIX_KEYS: &str = "GAMBOL_matrix_keys";

/// Supported extensions besides the material extensions of `src/model/material_table.rs`.
const SUPPORTED: [&str; 7] = [
    "EXT_texture_avif",
    "EXT_texture_webp",
    MATRIX_KEYS,
    "KHR_materials_emissive_strength",
    "KHR_materials_unlit",
    "KHR_mesh_quantization",
    "KHR_texture_transform",
];

/// The two names of the extension for meshopt streams in buffer views.
pub(super) const MESHOPT: [&str; 2] = ["EXT_meshopt_compression", "KHR_meshopt_compression"];

/// The extension for Draco meshes in buffer views.
pub(super) const DRACO: &str = "KHR_draco_mesh_compression";

/// Scopes of extensions that can be ignored. The scope is the word after the vendor's prefix, by the registry's
/// convention `<PREFIX>_<scope>_<feature>`.
///
/// - Appearance of surfaces, lights and images: `KHR_materials_sheen`, `KHR_lights_punctual`, `MSFT_packing_…`,
///   `KHR_techniques_webgl`; also `KHR_texture_basisu`, where a texture without another image is left out.
/// - Sound and metadata: `KHR_audio_emitter`, `KHR_xmp_json_ld`, `VRMC_vrm` (the character's identity and licence).
///
/// Every other extension is refused if it is required. `KHR_draco_mesh_compression`, `EXT_meshopt_compression`,
/// `EXT_mesh_gpu_instancing` and `KHR_node_visibility` change the shape; `KHR_animation_pointer`, `VRMC_springBone`
/// and `VRMC_node_constraint` change the motion. The effect of unknown extensions is unknown.
const IGNORED_GROUPS: [&str; 8] =
    ["audio", "lights", "materials", "packing", "techniques", "texture", "vrm", "xmp"];

/// Returns whether the importer supports an extension by itself.
pub(super) fn is_supported(name: &str) -> bool {
    // A page fetches a decoder instead.
    #[cfg(not(target_arch = "wasm32"))]
    if name == DRACO || MESHOPT.contains(&name) {
        return true;
    }
    SUPPORTED.contains(&name) || MaterialFeature::ALL.iter().any(|feature| feature.extension() == Some(name))
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
/// A required extension that isn't supported and may change shape or motion.
pub(super) fn check(
    used: &[&str],
    required: &[&str],
    decoders: &[String],
    report: &mut ImportReport,
) -> Result<(), ImportError> {
    let is_read = |name: &str| is_supported(name) || decoders.iter().any(|known| known == name);
    let place = Place::ROOT.field("extensionsRequired");
    for (index, name) in required.iter().enumerate() {
        if is_read(name) {
            continue;
        }
        if !can_be_left_out(name) {
            return Err(ImportProblem::ExtensionUnsupported
                .at(place.index(index).pointer(), [name, meaning(name)].concat()));
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

fn can_be_left_out(name: &str) -> bool {
    name.split('_').nth(1).is_some_and(|scope| IGNORED_GROUPS.contains(&scope))
}

/// Returns a name of the extension that may be familiar from export settings.
fn meaning(name: &str) -> &'static str {
    match name {
        DRACO => " (Draco compression of meshes)",
        "EXT_meshopt_compression" | "KHR_meshopt_compression" => " (meshopt compression)",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_looks_or_tells_can_be_left_out_and_what_shapes_or_moves_cannot() {
        for name in [
            "ADOBE_materials_thin_transparency",
            "EXT_lights_image_based",
            "KHR_audio_emitter",
            "KHR_lights_punctual",
            "KHR_materials_pbrSpecularGlossiness",
            "KHR_materials_variants",
            "KHR_techniques_webgl",
            "KHR_texture_basisu",
            "KHR_xmp",
            "KHR_xmp_json_ld",
            "MSFT_packing_normalRoughnessMetallic",
            "MSFT_texture_dds",
            "VRMC_materials_mtoon",
            "VRMC_vrm",
        ] {
            let mut report = ImportReport::default();
            check(&[name], &[name], &[], &mut report).unwrap();
            let [warning] = &report.warnings[..] else { panic!("{name}: {report:?}") };
            assert_eq!((warning.code, &*warning.place), ("EXTENSION_IGNORED", "/extensionsRequired/0"));
            assert!(warning.message.starts_with(name), "{}", warning.message);
        }
        for name in [
            "",
            "ACME_unknown",
            "EXT_mesh_gpu_instancing",
            "KHR_animation_pointer",
            "KHR_node_visibility",
            "VRMC_node_constraint",
            "VRMC_springBone",
            "materials",
        ] {
            let mut report = ImportReport::default();
            let error = check(&[name], &["KHR_materials_sheen", name], &[], &mut report).unwrap_err();
            assert_eq!((error.code(), error.place()), ("EXTENSION_UNSUPPORTED", "/extensionsRequired/1"));
            assert!(error.to_string().contains(name), "{error}");

            let mut report = ImportReport::default();
            check(&[name], &[name], &[name.to_owned()], &mut report).unwrap();
            assert_eq!(report.warnings, [], "{name} is decoded by the caller");
        }
    }
}
