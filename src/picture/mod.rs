//! Pictures that old model formats live on and browsers can't show, decoded: .tga, .bmp and .dds; and written as PNG,
//! which everything reads.
//!
//! Promises, each held by `tests/pictures.rs`:
//! - no input panics, or takes more memory than a fixed multiple of its size;
//! - every [`PictureError`] has a stable code, the place in the file and advice.
//!
//! Never here: PNG, JPEG and WebP (the browser decodes them) and anything that knows of a model.
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

use crate::refusal::Place;

/// A picture decoded, from its top left corner on, row after row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    pub width: u32,
    pub height: u32,
    /// Red, green, blue and alpha, a byte each; alpha is not multiplied in.
    pub rgba: Vec<u8>,
}

/// Decodes a .bmp, .dds or .tga, told apart by content; a .tga has no mark of its own and is tried last.
///
/// # Errors
/// What makes the picture unusable, and where.
pub fn decode(bytes: &[u8]) -> Result<Picture, PictureError> {
    match bytes {
        [b'B', b'M', ..] => bmp::decode(bytes),
        [b'D', b'D', b'S', b' ', ..] => dds::decode(bytes),
        _ if tga::looks_like(bytes) => tga::decode(bytes),
        _ => Err(PictureProblem::NotAPicture.at(
            Place::byte(0),
            if bytes.is_empty() { "an empty file".into() } else { "other content".into() },
        )),
    }
}
