//! Decoders of compressed data: values, damaged and hostile input.

mod meshopt;
