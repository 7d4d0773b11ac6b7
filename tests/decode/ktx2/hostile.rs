//! Textures that are broken: the code of each way to be wrong, every cut, and changed bytes.
use super::BUDGET;
use super::files::{fixture, fixtures};
use crate::support::allocator::{HELD_BYTES, MOST_BYTES};
use gambol::decode::ktx2::{Ktx2Error, Target, open};
use std::collections::BTreeSet;

/// Returns the code of the error of the file, or of the first image that has one. Empty without one.
fn code(bytes: &[u8]) -> &'static str {
    let error = match open(bytes) {
        Err(error) => Some(error),
        Ok(texture) => (0..texture.level_count())
            .find_map(|level| texture.transcode(level, 0, 0, Target::Rgba8, BUDGET).err()),
    };
    error.map_or("", |error| {
        check(&error);
        error.code()
    })
}

fn check(error: &Ktx2Error) {
    assert!(Ktx2Error::CODES.contains(&error.code()) && error.place().starts_with("byte "), "{error}");
    assert!(error.to_string().contains(error.found()) && error.to_string().ends_with('.'), "{error}");
}

/// Returns a texture with one byte changed.
fn with(name: &str, at: usize, byte: u8) -> Vec<u8> {
    let mut bytes = fixture(&format!("{name}.ktx2"));
    bytes[at] = byte;
    bytes
}

fn number(bytes: &[u8], at: usize) -> usize {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize
}

#[test]
fn every_way_to_be_wrong_has_its_code() {
    let etc1s = fixture("etc1s-ramp.ktx2");
    let descriptor = number(&etc1s, 48);
    let global = number(&etc1s, 64);
    let level = number(&etc1s, 80);
    let zstd = fixture("uastc-plain-zstd.ktx2");
    let mut video = etc1s.clone();
    let keys = number(&video, 56);
    video[keys + 4..keys + 16].copy_from_slice(b"KTXanimData\0");

    let mut seen = BTreeSet::new();
    let mut expect = |bytes: &[u8], expected: &'static str, what: &str| {
        assert_eq!(code(bytes), expected, "{what}");
        seen.insert(expected);
    };
    expect(&etc1s, "", "nothing is wrong");
    expect(b"", "NOT_KTX2", "no bytes");
    expect(b"\x89PNG\r\n\x1a\n", "NOT_KTX2", "another format");
    expect(&with("etc1s-ramp", 5, b'1'), "NOT_KTX2", "KTX 1");
    expect(&etc1s[..8], "KTX2_TRUNCATED", "a part of the signature");
    expect(&etc1s[..70], "KTX2_TRUNCATED", "a part of the header");
    expect(&etc1s[..100], "KTX2_TRUNCATED", "a part of the index");
    expect(&etc1s[..etc1s.len() - 1], "KTX2_TRUNCATED", "a part of a level");
    expect(&with("etc1s-ramp", 83, 1), "KTX2_TRUNCATED", "a level behind the end");
    expect(&with("etc1s-ramp", 72, 10), "KTX2_TRUNCATED", "short global data");
    expect(&with("etc1s-ramp", global + 7, 1), "KTX2_TRUNCATED", "a long codebook");
    expect(&with("etc1s-ramp", 12, 37), "KTX2_KIND_UNSUPPORTED", "uncompressed texels");
    expect(&with("etc1s-ramp", 28, 2), "KTX2_KIND_UNSUPPORTED", "three dimensions");
    expect(&with("etc1s-ramp", 24, 0), "KTX2_KIND_UNSUPPORTED", "one dimension");
    expect(&with("etc1s-ramp", 44, 2), "KTX2_KIND_UNSUPPORTED", "ETC1S with Zstandard");
    expect(&with("uastc-greys", 44, 3), "KTX2_KIND_UNSUPPORTED", "zlib");
    expect(&with("etc1s-ramp", descriptor + 12, 167), "KTX2_KIND_UNSUPPORTED", "UASTC HDR");
    expect(&with("etc1s-ramp", global + 20, 2), "KTX2_KIND_UNSUPPORTED", "a frame of a video");
    expect(&video, "KTX2_KIND_UNSUPPORTED", "a video");
    expect(&with("etc1s-ramp", 20, 0), "KTX2_VALUE_INVALID", "no width");
    expect(&with("etc1s-ramp", 36, 6), "KTX2_VALUE_INVALID", "a cube that isn't square");
    expect(&with("etc1s-ramp", 40, 7), "KTX2_VALUE_INVALID", "more levels than sizes");
    expect(&with("etc1s-ramp", 52, 40), "KTX2_VALUE_INVALID", "a short descriptor");
    expect(&with("etc1s-ramp", 22, 1), "KTX2_TOO_LARGE", "a width of 65569");
    expect(&with("etc1s-ramp", global, 0), "KTX2_DATA_INVALID", "fewer endpoints");
    expect(&with("etc1s-ramp", global + 20 + 5, 200), "KTX2_DATA_INVALID", "a slice behind its level");
    expect(
        &with("etc1s-flags-alpha", number(&fixture("etc1s-flags-alpha.ktx2"), 64) + 36, 0),
        "KTX2_DATA_INVALID",
        "no alpha",
    );
    expect(
        &with("uastc-greys", number(&fixture("uastc-greys.ktx2"), 80), 0x45),
        "KTX2_DATA_INVALID",
        "a reserved mode",
    );
    let at = number(&zstd, 80);
    expect(&with("uastc-plain-zstd", at, 0), "KTX2_DATA_INVALID", "no frame of Zstandard");
    expect(&with("uastc-plain-zstd", 20, 80), "KTX2_DATA_INVALID", "less data than texels");
    expect(&with("uastc-plain-zstd", 20, 8), "KTX2_DATA_INVALID", "more data than texels");
    let mut noise = etc1s.clone();
    let length = number(&etc1s, 88);
    noise[level..level + length].fill(0xff);
    expect(&noise, "KTX2_DATA_INVALID", "a slice of ones");

    // Errors of calls.
    let texture = open(&etc1s).unwrap();
    let mut expect = |level: u32, layer: u32, face: u32, budget: usize, expected: &'static str| {
        let error = texture.transcode(level, layer, face, Target::Rgba8, budget).unwrap_err();
        check(&error);
        assert_eq!(error.code(), expected);
        seen.insert(expected);
    };
    expect(6, 0, 0, BUDGET, "KTX2_NO_SUCH_IMAGE");
    expect(0, 1, 0, BUDGET, "KTX2_NO_SUCH_IMAGE");
    expect(0, 0, 1, BUDGET, "KTX2_NO_SUCH_IMAGE");
    expect(u32::MAX, u32::MAX, u32::MAX, BUDGET, "KTX2_NO_SUCH_IMAGE");
    expect(0, 0, 0, 33 * 17 * 4 - 1, "KTX2_TOO_LARGE");
    let error = open(&zstd).unwrap().transcode(0, 0, 0, Target::Bc1, BUDGET).unwrap_err();
    assert_eq!(error.code(), "KTX2_TARGET_UNSUITABLE");
    seen.extend(["KTX2_TARGET_UNSUITABLE", ""]);
    // A decompressed level counts too, although blocks of another format are smaller.
    let error = open(&zstd).unwrap().transcode(0, 0, 0, Target::Etc2Rgb8, 1599).unwrap_err();
    assert_eq!(error.code(), "KTX2_TOO_LARGE");

    let all: BTreeSet<_> = Ktx2Error::CODES.iter().copied().chain([""]).collect();
    assert_eq!(seen, all, "codes without a case");
}

#[test]
fn every_cut_is_an_error() {
    for (name, bytes) in fixtures() {
        for length in 0..bytes.len() {
            assert_ne!(code(&bytes[..length]), "", "{name} cut to {length} bytes");
        }
    }
}

#[test]
fn changed_bytes_are_an_error_or_another_picture() {
    for (name, bytes) in fixtures() {
        for at in 0..bytes.len() {
            for change in [1, 0x90] {
                let mut changed = bytes.clone();
                changed[at] ^= change;
                // Printed only if the test fails: the last line is the failing change.
                println!("{name}, byte {at} changed by {change}");
                let before = HELD_BYTES.get();
                MOST_BYTES.set(before);
                open_and_write(&changed, at);
                // The image, a decompressed level, and tables that don't depend on the file.
                let most = MOST_BYTES.get() - before;
                assert!(most < 2 * SMALL_BUDGET as isize + (2 << 20), "{most} bytes");
            }
        }
    }
}

const SMALL_BUDGET: usize = 1 << 16;

fn open_and_write(bytes: &[u8], at: usize) {
    let Ok(texture) = open(bytes) else { return };
    let (layer, face) = (texture.layer_count() - 1, texture.face_count() - 1);
    for target in [Target::Rgba8, Target::ALL[1 + at % 5]] {
        match texture.transcode(0, layer, face, target, SMALL_BUDGET) {
            Ok(image) => assert!(image.len() <= SMALL_BUDGET),
            Err(error) => check(&error),
        }
    }
}

#[test]
fn a_size_that_the_file_only_declares_takes_no_memory() {
    for name in ["etc1s-plain", "uastc-plain-zstd", "uastc-greys"] {
        let mut bytes = fixture(&format!("{name}.ktx2"));
        for at in [20, 24] {
            bytes[at..at + 4].copy_from_slice(&16384_u32.to_le_bytes());
        }
        let texture = open(&bytes).unwrap();
        let before = HELD_BYTES.get();
        MOST_BYTES.set(before);
        let error = texture.transcode(0, 0, 0, Target::Rgba8, 1 << 29).unwrap_err();
        assert_eq!(error.code(), "KTX2_TOO_LARGE");
        assert!(MOST_BYTES.get() - before < 1 << 16);
    }
}
