//! Bytes of a file become a [`Model`] and a report of what was odd about it.
//!
//! Promises, each held by `tests/import_*.rs`:
//! - no input panics, recurses without bound or allocates beyond a small multiple of its size;
//! - every [`ImportError`] and [`Warning`] has a stable code, the place in the file and advice;
//! - whatever comes out passes [`check`](crate::model::check::check).
//!
//! Never here: fetching (the caller brings the bytes of [`external_buffers`]) and image decoding (the browser does it).
#![cfg_attr(
    not(test),
    deny(
        clippy::cast_possible_truncation,
        clippy::cast_possible_wrap,
        clippy::cast_sign_loss,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::unwrap_used
    )
)]

mod data_uri;
mod error;
mod gltf;
mod report;
mod resources;

pub use error::ImportError;
pub use report::{ImportReport, WARNING_CODES, Warning};
pub use resources::Resources;

use crate::model::Model;
use crate::refusal::Place;

/// A loaded file.
#[derive(Clone, Debug, Default)]
pub struct Imported {
    pub model: Model,
    pub report: ImportReport,
}

/// What a file is, by its content; names and MIME types lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// glTF 2.0 in its binary container.
    Glb,
    /// glTF 2.0 as JSON text.
    Gltf,
}

/// Recognises a file by its first bytes.
pub fn sniff(bytes: &[u8]) -> Option<Format> {
    if bytes.starts_with(b"glTF") {
        return Some(Format::Glb);
    }
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    (text.trim_ascii_start().first() == Some(&b'{')).then_some(Format::Gltf)
}

/// The URIs, as written in the file, that [`import`] looks for in its [`Resources`]; none for a self-contained file.
///
/// # Errors
/// The same as [`import`], as far as they show without those bytes.
pub fn external_buffers(bytes: &[u8]) -> Result<Vec<String>, ImportError> {
    gltf::external_buffers(bytes, format_of(bytes)?)
}

/// Reads a file.
///
/// # Errors
/// What makes the file unusable, and where. Lesser oddities are in the report.
pub fn import(bytes: &[u8], resources: &Resources) -> Result<Imported, ImportError> {
    gltf::import(bytes, format_of(bytes)?, resources)
}

fn format_of(bytes: &[u8]) -> Result<Format, ImportError> {
    sniff(bytes).ok_or_else(|| ImportError::NotAModel {
        place: Place::byte(0),
        found: if bytes.is_empty() { "an empty file".into() } else { "other content".into() },
    })
}
