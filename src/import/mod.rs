//! Importers, which turn the bytes of a file into a [`Model`] and a report of its oddities.
//!
//! Guarantees, each tested by `tests/import`:
//! - no input panics or recurses without bound, and memory is limited in proportion to the file's size;
//! - every [`ImportError`] and [`Warning`] has a stable code, the place in the file and advice;
//! - every imported model passes [`check`].
//!
//! Fetching and decoding of images and compressed data are not done here: the caller brings what [`inspect`] returns.
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

mod bind_clips;
mod budget;
mod data_uri;
mod error;
mod gltf;
mod influences;
mod matrices;
mod normals;
mod options;
pub(crate) mod part;
mod report;
mod resources;
mod vertices;

// All formats except glTF and the code they share. The player's own wasm doesn't contain them; a second wasm file
// does.
#[cfg(any(feature = "formats", not(target_arch = "wasm32")))]
mod assign_texture;
#[cfg(any(feature = "formats", not(target_arch = "wasm32")))]
mod collada;
#[cfg(any(feature = "formats", not(target_arch = "wasm32")))]
mod imported_model;
#[cfg(any(feature = "formats", not(target_arch = "wasm32")))]
mod iqm;
#[cfg(any(feature = "formats", not(target_arch = "wasm32")))]
mod key_order;
#[cfg(any(feature = "formats", not(target_arch = "wasm32")))]
mod matrix_tracks;
#[cfg(any(feature = "formats", not(target_arch = "wasm32")))]
mod pictures;
#[cfg(any(feature = "formats", not(target_arch = "wasm32")))]
mod shininess;
#[cfg(any(feature = "formats", not(target_arch = "wasm32")))]
mod srgb;
#[cfg(any(feature = "formats", not(target_arch = "wasm32")))]
mod unreadable;
#[cfg(any(feature = "formats", not(target_arch = "wasm32")))]
mod weld;
#[cfg(any(feature = "formats", not(target_arch = "wasm32")))]
mod x;

#[cfg(any(feature = "formats", not(target_arch = "wasm32")))]
pub use assign_texture::assign_texture;
pub use bind_clips::{BoundClips, bind_clips};
pub use error::{ImportError, ImportProblem};
pub use options::{ImportOptions, MatrixKeys};
pub use report::{ImportReport, WARNING_CODES, Warning};
pub use resources::Resources;

use crate::model::Model;
use crate::model::check::check;
use crate::refusal::Place;

/// A loaded file and what was odd about it.
#[derive(Clone, Debug, Default)]
pub struct Imported {
    pub model: Model,
    pub report: ImportReport,
}

/// Format of a file by its content, since names and MIME types can be wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// glTF 2.0 in its binary container (.glb).
    Glb,
    /// glTF 2.0 as JSON text (.gltf).
    Gltf,
    /// DirectX (.x), as text or binary, compressed or not.
    X,
    /// COLLADA 1.4 or 1.5 (.dae).
    Collada,
    /// Inter-Quake Model (.iqm).
    Iqm,
}

/// Detects the format of a file by its first bytes.
pub fn sniff(bytes: &[u8]) -> Option<Format> {
    if bytes.starts_with(b"glTF") {
        return Some(Format::Glb);
    }
    let text = without_mark(bytes);
    #[cfg(any(feature = "formats", not(target_arch = "wasm32")))]
    if text.starts_with(b"xof ") {
        return Some(Format::X);
    } else if bytes.starts_with(b"INTERQUAKEMODEL\0") {
        return Some(Format::Iqm);
    }
    // A server may send a web page in place of a model, and HTML needn't be well-formed XML.
    #[cfg(any(feature = "formats", not(target_arch = "wasm32")))]
    if unreadable::name_of(bytes).is_some() {
        return None;
    }
    match text.trim_ascii_start() {
        [b'{', ..] => Some(Format::Gltf),
        // COLLADA is the only XML format among these. UTF-16 may have either byte order, with a byte order mark or
        // without.
        #[cfg(any(feature = "formats", not(target_arch = "wasm32")))]
        [b'<', ..] | [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] | [0, b'<', ..] => Some(Format::Collada),
        _ => None,
    }
}

/// Something that the caller brings before a file can be imported and shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// An external buffer, by its URI as written in the file. [`import`] looks it up in its [`Resources`].
    File,
    /// An external image, by its URI as written in the file.
    Image,
    /// A decoder, by name: a required extension that the importer doesn't support, or [`CONVERTER`] alone.
    Decoder,
}

/// Name of the decoder that converts files of other formats to glTF, for builds that read glTF only.
pub const CONVERTER: &str = "formats";

/// Finds out what a file needs. A self-contained file needs nothing.
///
/// # Errors
/// Some of the errors of [`import`]: those that prevent finding out.
pub fn inspect(bytes: &[u8]) -> Result<Vec<(Need, String)>, ImportError> {
    Ok(inspect_for_page(bytes)?.0)
}

/// Code that a page fetches apart, by what needs it (`xtask/src/build/late.rs`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Apart {
    /// Rare features of the player.
    pub(crate) late: bool,
    /// Rare features of files.
    pub(crate) import: bool,
    /// Tangents for normal maps.
    pub(crate) tangents: bool,
}

/// Returns the result of [`inspect`], and which code that a page fetches apart may be needed to read the file.
pub(crate) fn inspect_for_page(bytes: &[u8]) -> Result<(Vec<(Need, String)>, Apart), ImportError> {
    match sniff(bytes) {
        Some(format @ (Format::Glb | Format::Gltf)) => gltf::inspect(bytes, format),
        Some(Format::X | Format::Collada | Format::Iqm) => Ok((Vec::new(), Apart::default())),
        // Unreadable files go there too: only that build names other formats in its error.
        None if cfg!(not(any(feature = "formats", not(target_arch = "wasm32")))) && !bytes.is_empty() => {
            Ok((vec![(Need::Decoder, CONVERTER.to_owned())], Apart::default()))
        }
        None => Err(not_a_model(bytes)),
    }
}

/// Returns the URIs, as written in the file, that [`import`] looks up in its [`Resources`].
///
/// # Errors
/// The errors of [`inspect`].
pub fn external_buffers(bytes: &[u8]) -> Result<Vec<String>, ImportError> {
    let needs = inspect(bytes)?.into_iter();
    Ok(needs.filter(|(need, _)| *need == Need::File).map(|(_, uri)| uri).collect())
}

/// Reads a file.
///
/// # Errors
/// An error that makes the file unusable, with its place. Lesser problems are in the report.
pub fn import(bytes: &[u8], resources: &Resources) -> Result<Imported, ImportError> {
    import_with(bytes, resources, &ImportOptions::default())
}

/// Reads a file with options for formats that leave something undefined.
///
/// # Errors
/// Every error of [`import`].
#[cfg_attr(
    not(any(feature = "formats", not(target_arch = "wasm32"))),
    allow(unused_variables, reason = "glTF leaves nothing open")
)]
pub fn import_with(
    bytes: &[u8],
    resources: &Resources,
    options: &ImportOptions,
) -> Result<Imported, ImportError> {
    let mut report = ImportReport::default();
    let model = match format_of(bytes)? {
        format @ (Format::Glb | Format::Gltf) => gltf::import(bytes, format, resources, &mut report)?,
        #[cfg(any(feature = "formats", not(target_arch = "wasm32")))]
        Format::X => x::import(without_mark(bytes), options, &mut report)?,
        #[cfg(any(feature = "formats", not(target_arch = "wasm32")))]
        Format::Iqm => iqm::import(bytes, options, &mut report)?,
        #[cfg(any(feature = "formats", not(target_arch = "wasm32")))]
        Format::Collada => collada::import(bytes, options, &mut report)?,
        #[cfg(not(any(feature = "formats", not(target_arch = "wasm32"))))]
        Format::X | Format::Collada | Format::Iqm => return Err(not_a_model(bytes)),
    };
    report.finish();
    debug_assert_eq!(check(&model), [], "what leaves this room keeps the model's promises");
    Ok(Imported { model, report })
}

/// Removes a UTF-8 byte order mark, which text editors may add.
fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes)
}

fn format_of(bytes: &[u8]) -> Result<Format, ImportError> {
    sniff(bytes).ok_or_else(|| not_a_model(bytes))
}

fn not_a_model(bytes: &[u8]) -> ImportError {
    let other = if bytes.is_empty() { "an empty file" } else { "other content" };
    // Names of other formats take space in the download, so only the wasm file that reads more than glTF has them.
    #[cfg(any(feature = "formats", not(target_arch = "wasm32")))]
    let other = unreadable::name_of(bytes).unwrap_or(other);
    ImportProblem::NotAModel.at(Place::byte(0), other.into())
}
