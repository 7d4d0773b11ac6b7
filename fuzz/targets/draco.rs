//! Decodes meshes in the encoding of Draco.
#![no_main]

#[path = "../judge.rs"]
#[allow(dead_code, reason = "each target takes one")]
mod judge;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| judge::draco(bytes));
