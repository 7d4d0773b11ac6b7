//! Which extensions are read, and what becomes of a file that names others.
//!
//! - One that only changes what things look like is left out with a warning, even where the file requires it.
//! - Any other may change shape or motion: a file that requires it is refused, and one that doesn't gets a warning.
use crate::import::report::Oddity;
use crate::import::{ImportError, ImportProblem, ImportReport};
use crate::refusal::Place;

/// Ours, and only on the way from our reader of other formats to the player: a node that has it may be animated along
/// the path "matrix", by whole matrices. No file that is saved has it.
pub(super) const MATRIX_KEYS: &str = "GAMBOL_matrix_keys";

const SUPPORTED: [&str; 6] = [
    "EXT_texture_webp",
    MATRIX_KEYS,
    "KHR_materials_emissive_strength",
    "KHR_materials_unlit",
    "KHR_mesh_quantization",
    "KHR_texture_transform",
];

/// What an extension that can be left out is about: the word after the vendor's prefix. The registry's convention for
/// names is `<PREFIX>_<scope>_<feature>`.
///
/// - How surfaces, lights and pictures look: `KHR_materials_clearcoat`, `KHR_lights_punctual`, `MSFT_packing_…`,
///   `KHR_techniques_webgl`; and `KHR_texture_basisu`, where a texture without another image is drawn without it.
/// - What is heard or written down, not drawn: `KHR_audio_emitter`, `KHR_xmp_json_ld`, `VRMC_vrm` (who the character is,
///   and what an application may do with it).
///
/// Everything else is refused where required. `KHR_draco_mesh_compression`, `EXT_meshopt_compression`,
/// `EXT_mesh_gpu_instancing` and `KHR_node_visibility` change the shape, `KHR_animation_pointer`, `VRMC_springBone` and
/// `VRMC_node_constraint` the motion; of those that no one here knows, no one can say.
const LEFT_OUT: [&str; 8] =
    ["audio", "lights", "materials", "packing", "techniques", "texture", "vrm", "xmp"];

/// # Errors
/// A required extension that changes shape or motion and isn't supported.
pub(super) fn check(used: &[&str], required: &[&str], report: &mut ImportReport) -> Result<(), ImportError> {
    let place = Place::ROOT.field("extensionsRequired");
    for (index, name) in required.iter().enumerate() {
        if SUPPORTED.contains(name) {
            continue;
        }
        if !can_be_left_out(name) {
            return Err(ImportProblem::ExtensionUnsupported
                .at(place.index(index).pointer(), [name, meaning(name)].concat()));
        }
        report.warn_named(Oddity::ExtensionIgnored, &place.index(index), name);
    }
    let place = Place::ROOT.field("extensionsUsed");
    for (index, name) in used.iter().enumerate() {
        // What is required is used too.
        if !SUPPORTED.contains(name) && !required.contains(name) {
            report.warn_named(Oddity::ExtensionIgnored, &place.index(index), name);
        }
    }
    Ok(())
}

fn can_be_left_out(name: &str) -> bool {
    name.split('_').nth(1).is_some_and(|scope| LEFT_OUT.contains(&scope))
}

/// What the person who exported the file may know the extension by.
fn meaning(name: &str) -> &'static str {
    match name {
        "KHR_draco_mesh_compression" => " (Draco compression of meshes)",
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
            "EXT_texture_avif",
            "KHR_audio_emitter",
            "KHR_lights_punctual",
            "KHR_materials_clearcoat",
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
            check(&[name], &[name], &mut report).unwrap();
            let [warning] = &report.warnings[..] else { panic!("{name}: {report:?}") };
            assert_eq!((warning.code, &*warning.place), ("EXTENSION_IGNORED", "/extensionsRequired/0"));
            assert!(warning.message.starts_with(name), "{}", warning.message);
        }
        for name in [
            "",
            "ACME_unknown",
            "EXT_mesh_gpu_instancing",
            "EXT_meshopt_compression",
            "KHR_animation_pointer",
            "KHR_draco_mesh_compression",
            "KHR_meshopt_compression",
            "KHR_node_visibility",
            "VRMC_node_constraint",
            "VRMC_springBone",
            "materials",
        ] {
            let mut report = ImportReport::default();
            let error = check(&[name], &["KHR_materials_sheen", name], &mut report).unwrap_err();
            assert_eq!((error.code(), error.place()), ("EXTENSION_UNSUPPORTED", "/extensionsRequired/1"));
            assert!(error.to_string().contains(name), "{error}");
        }
    }
}
