//! Which extensions are understood, and what is said about the others.
use crate::import::report::Oddity;
use crate::import::{ImportError, ImportReport};
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

/// # Errors
/// A required extension that isn't supported.
pub(super) fn check(used: &[&str], required: &[&str], report: &mut ImportReport) -> Result<(), ImportError> {
    let place = Place::ROOT.field("extensionsRequired");
    for (index, name) in required.iter().enumerate() {
        if !SUPPORTED.contains(name) {
            return Err(ImportError::ExtensionUnsupported {
                place: place.index(index).pointer(),
                found: [name, meaning(name)].concat(),
            });
        }
    }
    let place = Place::ROOT.field("extensionsUsed");
    for (index, name) in used.iter().enumerate() {
        if !SUPPORTED.contains(name) {
            report.warn_named(Oddity::ExtensionIgnored, &place.index(index), name);
        }
    }
    Ok(())
}

/// What the person who exported the file may know the extension by.
fn meaning(name: &str) -> &'static str {
    match name {
        "KHR_draco_mesh_compression" => " (Draco compression of meshes)",
        "EXT_meshopt_compression" | "KHR_meshopt_compression" => " (meshopt compression)",
        "KHR_texture_basisu" => " (KTX2 textures)",
        _ => "",
    }
}
