//! What must hold of any input. The fuzz targets and `tests/fuzz_corpus.rs` share it.

use gambol::export::{ExportOptions, to_glb};
use gambol::import::{ImportError, Imported, Resources, WARNING_CODES};
use gambol::model::check::check;
use gambol::picture::{decode, to_png};

/// A model that keeps its promises, or an error that says where.
pub(crate) fn import(bytes: &[u8]) {
    imported(bytes);
}

/// A picture of the size that it says, or an error that says where.
pub(crate) fn picture(bytes: &[u8]) {
    match decode(bytes) {
        Ok(picture) => {
            assert_eq!(picture.rgba.len() as u64, u64::from(picture.width) * u64::from(picture.height) * 4);
            // Packing is slow, and the same for all.
            if picture.rgba.len() < 1 << 12 {
                assert!(!to_png(&picture).is_empty());
            }
        }
        Err(error) => assert!(error.place().starts_with("byte ") && error.to_string().ends_with('.')),
    }
}

/// A model becomes a file, for all and for our own player, that is read again.
pub(crate) fn export(bytes: &[u8]) {
    let Some(Imported { model, .. }) = imported(bytes) else { return };
    for options in [ExportOptions::default(), ExportOptions::HAND_OVER] {
        let exported = to_glb(&model, &options, &mut |_| None);
        let again = imported(&exported.glb).expect("what we write can be read");
        assert!(again.model.nodes.len() >= model.nodes.len());
        // glTF has no clips without tracks.
        let lost = model.clips.len() - again.model.clips.len();
        assert!(lost == 0 || !exported.notes.is_empty(), "{lost} clips went without a word");
    }
}

fn imported(bytes: &[u8]) -> Option<Imported> {
    match gambol::import::import(bytes, &Resources::default()) {
        Ok(imported) => {
            assert_eq!(check(&imported.model), []);
            for warning in &imported.report.warnings {
                assert!(WARNING_CODES.contains(&warning.code) && !warning.message.is_empty());
            }
            Some(imported)
        }
        Err(error) => {
            assert!(ImportError::CODES.contains(&error.code()) && error.to_string().ends_with('.'));
            None
        }
    }
}
