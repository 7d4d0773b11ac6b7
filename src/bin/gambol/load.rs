//! Loading of a model file with the files it refers to.
use crate::{Failure, sibling_files};
use gambol::import::{Format, ImportOptions, Imported, Resources, external_buffers, import_with, sniff};
use std::fs;
use std::path::Path;

pub(crate) struct Loaded {
    pub(crate) format: Option<Format>,
    pub(crate) byte_count: usize,
    /// Bytes of the buffers beside the file.
    pub(crate) buffer_byte_count: usize,
    pub(crate) imported: Imported,
}

pub(crate) fn load(file: &Path, options: &ImportOptions) -> Result<Loaded, Failure> {
    let bytes = fs::read(file).map_err(|error| failure(file, &format!("cannot be read: {error}")))?;
    let refused = |error: gambol::import::ImportError| failure(file, &format!("{}: {error}", error.code()));
    let mut resources = Resources::default();
    let mut buffer_byte_count = 0;
    for uri in external_buffers(&bytes).map_err(refused)? {
        // A missing file isn't an error here: the import reports it.
        if let Some(piece) = piece(file, &uri) {
            buffer_byte_count += piece.len();
            resources.insert(&uri, piece);
        }
    }
    let imported = import_with(&bytes, &resources, options).map_err(refused)?;
    Ok(Loaded { format: sniff(&bytes), byte_count: bytes.len(), buffer_byte_count, imported })
}

/// Returns the bytes of a file beside the model, by its name in the model.
pub(crate) fn piece(file: &Path, uri: &str) -> Option<Vec<u8>> {
    fs::read(sibling_files::find(folder_of(file), uri)?).ok()
}

pub(crate) fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

pub(crate) fn failure(file: &Path, problem: &str) -> Failure {
    Failure::Message(format!("{}: {problem}", file.display()))
}
