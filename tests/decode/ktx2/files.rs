//! Files that the tests of KTX2 read, and hashes of what they make of them.
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/ktx2")
}

/// Returns a file of `tests/fixtures/ktx2`.
pub(super) fn fixture(name: &str) -> Vec<u8> {
    let path = folder().join(name);
    fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns all textures of `tests/fixtures/ktx2` with their names.
pub(super) fn fixtures() -> Vec<(String, Vec<u8>)> {
    let names =
        fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = names.filter(|name| name.ends_with(".ktx2")).collect();
    names.sort();
    assert!(names.len() >= 15);
    names.into_iter().map(|name| (name.clone(), fixture(&name))).collect()
}

/// Returns the KTX2 textures of a .glb, or of a .gltf with data URIs.
pub(super) fn textures_of(path: &Path) -> Vec<Vec<u8>> {
    let file = fs::read(path).unwrap();
    let (json, binary) = match file.strip_prefix(b"glTF") {
        None => (&file[..], &[][..]),
        Some(rest) => {
            let (json, rest) = chunk(&rest[8..]);
            (json, if rest.is_empty() { rest } else { chunk(rest).0 })
        }
    };
    let document: Value = serde_json::from_slice(json).unwrap();
    let mut found = Vec::new();
    for image in
        document["images"].as_array().unwrap().iter().filter(|image| image["mimeType"] == "image/ktx2")
    {
        let bytes = match image["uri"].as_str() {
            Some(uri) => from_base64(uri.split_once("base64,").unwrap().1),
            None => {
                let view = &document["bufferViews"][image["bufferView"].as_u64().unwrap() as usize];
                let at = view["byteOffset"].as_u64().unwrap_or(0) as usize;
                let length = view["byteLength"].as_u64().unwrap() as usize;
                match document["buffers"][0]["uri"].as_str() {
                    Some(uri) => from_base64(uri.split_once("base64,").unwrap().1)[at..at + length].to_vec(),
                    None => binary[at..at + length].to_vec(),
                }
            }
        };
        found.push(bytes);
    }
    assert!(!found.is_empty(), "{} has no textures", path.display());
    found
}

/// Splits the content of a .glb's chunk from what follows it.
fn chunk(bytes: &[u8]) -> (&[u8], &[u8]) {
    let length = u32::from_le_bytes(bytes[..4].try_into().unwrap()) as usize;
    bytes[8..].split_at(length)
}

fn from_base64(text: &str) -> Vec<u8> {
    let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digits = text.bytes().filter_map(|letter| alphabet.iter().position(|&other| other == letter));
    let digits: Vec<_> = digits.collect();
    let mut bytes = Vec::new();
    for four in digits.chunks(4) {
        let number =
            four.iter().fold(0, |number, &digit| number << 6 | digit as u32) << (6 * (4 - four.len()));
        bytes.extend(&number.to_be_bytes()[1..four.len()]);
    }
    bytes
}

/// Returns the SHA-1 (FIPS 180-4) in hexadecimal digits.
pub(super) fn sha1(bytes: &[u8]) -> String {
    let mut state = [0x6745_2301_u32, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0];
    let mut padded = bytes.to_vec();
    padded.push(0x80);
    padded.resize((bytes.len() + 9).next_multiple_of(64) - 8, 0);
    padded.extend((bytes.len() as u64 * 8).to_be_bytes());
    for block in padded.chunks(64) {
        let mut words = [0_u32; 80];
        for (word, bytes) in words.iter_mut().zip(block.as_chunks().0) {
            *word = u32::from_be_bytes(*bytes);
        }
        for at in 16..80 {
            words[at] = (words[at - 3] ^ words[at - 8] ^ words[at - 14] ^ words[at - 16]).rotate_left(1);
        }
        let [mut a, mut b, mut c, mut d, mut e] = state;
        for (at, word) in words.into_iter().enumerate() {
            let (mixed, constant) = match at / 20 {
                0 => (b & c | !b & d, 0x5a82_7999),
                1 => (b ^ c ^ d, 0x6ed9_eba1),
                2 => (b & c | b & d | c & d, 0x8f1b_bcdc),
                _ => (b ^ c ^ d, 0xca62_c1d6_u32),
            };
            let next = a.rotate_left(5).wrapping_add(mixed).wrapping_add(e);
            let next = next.wrapping_add(constant).wrapping_add(word);
            (a, b, c, d, e) = (next, a, b.rotate_left(30), c, d);
        }
        for (state, value) in state.iter_mut().zip([a, b, c, d, e]) {
            *state = state.wrapping_add(value);
        }
    }
    state.map(|word| format!("{word:08x}")).concat()
}

#[test]
fn sha1_is_that_of_the_standard() {
    assert_eq!(sha1(b"abc"), "a9993e364706816aba3e25717850c26c9cd0d89d");
    assert_eq!(sha1(&[b'a'; 56]), "c2db330f6083854c99d4b5bfb6e8f29f201be699");
}
