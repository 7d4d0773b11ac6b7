//! Decoders of compressed data. Nothing here knows the files that the data is in. In a page, each decoder is a wasm
//! file of its own, which is fetched when a model needs it.
#![cfg_attr(
    not(test),
    deny(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used)
)]

pub mod meshopt;
