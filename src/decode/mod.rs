//! Decoders of compressed data inside glTF files. In a page, each is a wasm file of its own (`decoders`), which is
//! fetched when a model needs it.
//!
//! Guarantees, each tested by `tests/decode`:
//! - no input panics, runs without bound, or takes more memory than the caller allows;
//! - every problem has a name.
//!
//! Nothing here depends on models or knows glTF's JSON.
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

pub mod draco;
pub mod ktx2;
pub mod meshopt;
