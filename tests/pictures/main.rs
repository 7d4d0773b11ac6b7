//! Pictures from bytes written here, against the pixels that they mean; and each of them as a PNG that is read back.

mod bmp;
mod dds;
mod png_reader;
#[path = "../support/mod.rs"]
mod support;
mod tga;

use gambol::picture::{Picture, PictureError, decode, to_png};
use png_reader::read_png;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use support::real_models::{model, saw};

type Pixel = [u8; 4];

const RED: Pixel = [255, 0, 0, 255];
const GREEN: Pixel = [0, 255, 0, 255];
const BLUE: Pixel = [0, 0, 255, 255];
const WHITE: Pixel = [255; 4];
const BLACK: Pixel = [0, 0, 0, 255];
const CLEAR: Pixel = [0; 4];

/// What most pictures here show: two rows of three.
const SIX: [Pixel; 6] = [RED, GREEN, BLUE, WHITE, BLACK, RED];

fn expect(bytes: &[u8], width: u32, pixels: &[Pixel], what: &str) {
    let picture = decode(bytes).unwrap_or_else(|error| panic!("{what}: {error}"));
    assert_eq!((picture.width, picture.height), (width, pixels.len() as u32 / width), "{what}");
    assert_eq!(picture.rgba, pixels.concat(), "{what}");
    assert_eq!(read_png(&to_png(&picture)), picture, "{what}, by way of PNG");
    survives_every_cut(bytes);
}

fn code(bytes: &[u8]) -> &'static str {
    decode(bytes).map_or_else(|error| error.code(), |_| "")
}

/// However little is left of the file, the answer is a picture or an error that names a place.
fn survives_every_cut(bytes: &[u8]) {
    for length in 0..bytes.len() {
        if let Err(error) = decode(&bytes[..length]) {
            assert!(error.place().starts_with("byte "), "{error}");
        }
    }
}

/// The rows from the bottom up.
fn upside_down(pixels: &[Pixel], width: usize) -> Vec<Pixel> {
    pixels.chunks(width).rev().flatten().copied().collect()
}

fn mirrored(pixels: &[Pixel], width: usize) -> Vec<Pixel> {
    pixels.chunks(width).flat_map(|row| row.iter().rev()).copied().collect()
}

fn bgra([red, green, blue, alpha]: Pixel) -> Pixel {
    [blue, green, red, alpha]
}

fn bgr(pixels: &[Pixel]) -> Vec<u8> {
    pixels.iter().flat_map(|&pixel| bgra(pixel)[..3].to_owned()).collect()
}

fn rgb_555([red, green, blue, alpha]: Pixel) -> u16 {
    u16::from(alpha & 0x80) << 8
        | u16::from(red >> 3) << 10
        | u16::from(green >> 3) << 5
        | u16::from(blue >> 3)
}

#[test]
fn other_content_is_refused_by_name() {
    for bytes in [&b""[..], b"B", b"\x89PNG\r\n\x1a\n", b"{}", &[0; 64], &[255; 64]] {
        assert_eq!(code(bytes), "NOT_A_PICTURE");
    }
}

#[test]
fn every_code_has_a_test() {
    let source =
        [include_str!("tga.rs"), include_str!("bmp.rs"), include_str!("dds.rs"), include_str!("main.rs")]
            .concat();
    let missing: BTreeSet<_> =
        PictureError::CODES.iter().filter(|code| !source.contains(&format!("\"{code}\""))).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn a_png_of_noise_and_of_gradients_reads_back() {
    let mut state = 1_u32;
    let mut noise = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    for (width, height) in [(1, 1), (7, 5), (64, 3)] {
        let rgba = (0..width * height * 4).map(|_| noise()).collect();
        let picture = Picture { width, height, rgba };
        assert_eq!(read_png(&to_png(&picture)), picture);
    }
    let rgba = (0..64 * 64_u32).flat_map(|at| [at as u8, (at / 64) as u8, (at % 64 + at / 64) as u8, 255]);
    let picture = Picture { width: 64, height: 64, rgba: rgba.collect() };
    let png = to_png(&picture);
    assert_eq!(read_png(&png), picture);
    assert!(png.len() < 2_000, "{} bytes for a gradient", png.len());
}

/// Textures that no one here wrote. `PICTURES_OUT` names a folder for their PNGs, to be looked at.
#[test]
fn real_textures_decode_to_pictures() {
    let mut seen = 0;
    for (name, width, height) in [
        ("iqm/Body.tga", 1024, 1024),
        ("iqm/Head.tga", 512, 512),
        ("iqm/notexture.tga", 1, 1),
        ("x/tiny/Tiny_skin.dds", 256, 256),
    ] {
        let Some(path) = model(name) else { continue };
        let bytes = fs::read(path).unwrap();
        seen += 1;
        let picture = decode(&bytes).unwrap();
        assert_eq!((picture.width, picture.height), (width, height), "{name}");
        let png = to_png(&picture);
        assert_eq!(read_png(&png), picture, "{name}");
        println!("{name}: {} bytes, as PNG {}", bytes.len(), png.len());
        if let Some(folder) = std::env::var_os("PICTURES_OUT") {
            fs::write(Path::new(&folder).join(name.replace('/', "-")).with_extension("png"), png).unwrap();
        }
        assert!(picture.rgba.iter().skip(3).step_by(4).all(|&alpha| alpha == 255), "{name} is opaque");
    }
    if seen > 0 {
        saw(seen);
    }
}
