//! Decoders of compressed data: values, damaged and hostile input.

mod draco;
mod ktx2;
mod meshopt;
#[path = "../support/mod.rs"]
mod support;
