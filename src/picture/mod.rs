//! Decoders of picture formats that old models use and glTF doesn't allow (.tga, .bmp and .dds), and a writer of PNG.
//!
//! Guarantees, each tested by `tests/pictures`:
//! - no input panics, or takes more memory than a fixed multiple of its size;
//! - every [`PictureError`] has a stable code, the place in the file and advice.
//!
//! PNG, JPEG and WebP aren't decoded here, since the browser does that. Nothing here depends on models.
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

mod blocks;
mod bmp;
mod channels;
mod dds;
mod error;
mod png;
mod reader;
mod size;
mod tga;

pub use error::{PictureError, PictureProblem};
pub use png::to_png;

use crate::image_type::image_type;
use crate::refusal::Place;

/// A decoded picture, row after row from its top left corner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    pub width: u32,
    pub height: u32,
    /// Red, green, blue and alpha, one byte each. Alpha isn't premultiplied.
    pub rgba: Vec<u8>,
}

/// Decodes a .bmp, .dds or .tga, which are distinguished by content. A .tga has no signature and is tried last.
///
/// # Errors
/// An error that makes the picture unusable, with its place.
pub fn decode(bytes: &[u8]) -> Result<Picture, PictureError> {
    match image_type(bytes, "") {
        "image/bmp" => bmp::decode(bytes),
        "image/vnd-ms.dds" => dds::decode(bytes),
        "image/x-tga" => tga::decode(bytes),
        _ => Err(PictureProblem::NotAPicture.at(
            Place::byte(0),
            if bytes.is_empty() { "an empty file".into() } else { "other content".into() },
        )),
    }
}
