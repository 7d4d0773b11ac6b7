//! Opens KTX2 textures and writes their images in all formats.
#![no_main]

#[path = "../judge.rs"]
#[allow(dead_code, reason = "each target takes one")]
mod judge;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| judge::ktx2(bytes));
