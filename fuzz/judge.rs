//! Properties that hold for any input, shared by the fuzz targets and `tests/import/fuzz_corpus.rs`.

use gambol::decode::draco::{self, ComponentType, DracoError};
use gambol::decode::ktx2::{Ktx2Error, Target, open};
use gambol::decode::meshopt::{self, Filter, Mode};
use gambol::export::{Compression, ExportOptions, to_glb};
use gambol::import::{ImportError, Imported, Resources, WARNING_CODES};
use gambol::model::check::check;
use gambol::picture::{self, to_png};

/// Asserts that an import yields a valid model, or an error with a known code.
pub(crate) fn import(bytes: &[u8]) {
    imported(bytes);
}

/// Asserts that a decoded picture has the size that it states, or that the error has a position.
pub(crate) fn picture(bytes: &[u8]) {
    match picture::decode(bytes) {
        Ok(picture) => {
            assert_eq!(picture.rgba.len() as u64, u64::from(picture.width) * u64::from(picture.height) * 4);
            // Packing is slow and doesn't depend on the input's format, so it is tested with small pictures only.
            if picture.rgba.len() < 1 << 12 {
                assert!(!to_png(&picture).is_empty());
            }
        }
        Err(error) => assert!(error.place().starts_with("byte ") && error.to_string().ends_with('.')),
    }
}

/// Asserts that a decoded mesh has no point that doesn't exist, and all components of its attributes, or that the error
/// has a position.
pub(crate) fn draco(bytes: &[u8]) {
    match draco::decode(bytes, 1 << 24) {
        Ok(mesh) => {
            assert!(mesh.indices.len().is_multiple_of(3));
            assert!(mesh.indices.iter().all(|point| *point < mesh.point_count));
            for attribute in &mesh.attributes {
                let stride = attribute.component_type.size() * usize::from(attribute.components);
                assert_eq!(attribute.bytes.len(), mesh.point_count as usize * stride);
                for to in [ComponentType::U8, ComponentType::I16, ComponentType::F32] {
                    if let Some(converted) = attribute.converted(to) {
                        let size = attribute.component_type.size();
                        assert_eq!(converted.len(), attribute.bytes.len() / size * to.size());
                    }
                }
            }
        }
        Err(error) => {
            assert!(DracoError::CODES.contains(&error.code()));
            assert!(error.place().starts_with("byte ") && error.to_string().ends_with('.'));
        }
    }
}

/// Asserts that images of a texture have their size in every format, or that the error has a known code.
pub(crate) fn ktx2(bytes: &[u8]) {
    // Larger images take the same paths for longer.
    const BUDGET: usize = 1 << 18;
    let judged = |error: Ktx2Error| {
        assert!(Ktx2Error::CODES.contains(&error.code()) && error.to_string().ends_with('.'));
        assert!(error.place().starts_with("byte "));
    };
    let texture = match open(bytes) {
        Ok(texture) => texture,
        Err(error) => return judged(error),
    };
    let (layer, face) = (texture.layer_count() - 1, texture.face_count() - 1);
    for level in 0..=texture.level_count() {
        let (width, height) = texture.level_size(level);
        for target in Target::ALL {
            let size = match target.block_bytes() {
                None => u64::from(width) * u64::from(height) * 4,
                Some(bytes) => {
                    u64::from(width.div_ceil(4)) * u64::from(height.div_ceil(4)) * u64::from(bytes)
                }
            };
            match texture.transcode(level, layer, face, target, BUDGET) {
                Ok(image) => assert_eq!(image.len() as u64, size),
                Err(error) => judged(error),
            }
        }
    }
}

/// Decodes a stream. Its mode, filter, and the size and number of its elements come before it.
pub(crate) fn meshopt(bytes: &[u8]) {
    let [mode, filter, stride, low, high, stream @ ..] = bytes else { return };
    let (mode, filter) = (Mode::ALL.get(usize::from(*mode)), Filter::ALL.get(usize::from(*filter)));
    let (Some(&mode), Some(&filter)) = (mode, filter) else { return };
    let stride = usize::from(*stride);
    let mut elements = vec![0; stride * usize::from(u16::from_le_bytes([*low, *high]))];
    if let Err(error) = meshopt::decode(mode, filter, stride, stream, &mut elements) {
        assert!(!error.to_string().is_empty());
    }
}

/// Asserts that an imported model can be exported with any set of options and imported again.
pub(crate) fn export(bytes: &[u8]) {
    let Some(Imported { model, .. }) = imported(bytes) else { return };
    let reduced = ExportOptions { reduce_keys: Some(0.01), ..ExportOptions::default() };
    let compressed = ExportOptions { compression: Compression::Meshopt, ..reduced };
    for options in [ExportOptions::default(), ExportOptions::FOR_PLAYER, reduced, compressed] {
        let exported = to_glb(&model, &options, &mut |_| None);
        let again = imported(&exported.glb).expect("what we write can be read");
        assert!(again.model.nodes.len() >= model.nodes.len());
        // glTF can't store clips without tracks.
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
