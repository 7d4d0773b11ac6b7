//! The binary container: a header, the JSON and the buffer.
//!
//! ```text
//! 0      4        8       12            16      20
//! "glTF" version  length  chunk length  "JSON"  {…}  chunk length  "BIN\0"  bytes …
//! ```
use super::binary::pad;
use super::json_text::Json;

const HEADER_LEN: usize = 12;
const CHUNK_HEADER_LEN: usize = 8;

pub(super) fn glb(json: Json, binary: &[u8]) -> Vec<u8> {
    let mut json = json.into_text().into_bytes();
    pad(&mut json, b' ');
    let mut length = HEADER_LEN + CHUNK_HEADER_LEN + json.len();
    if !binary.is_empty() {
        length += CHUNK_HEADER_LEN + binary.len();
    }
    let mut glb = Vec::with_capacity(length);
    glb.extend_from_slice(b"glTF");
    push_word(&mut glb, 2);
    push_word(&mut glb, length);
    push_word(&mut glb, json.len());
    glb.extend_from_slice(b"JSON");
    glb.extend_from_slice(&json);
    if !binary.is_empty() {
        push_word(&mut glb, binary.len());
        glb.extend_from_slice(b"BIN\0");
        glb.extend_from_slice(binary);
    }
    glb
}

/// Appends a 32-bit number. The format limits files to 4 GiB, and no imported model exceeds that.
fn push_word(glb: &mut Vec<u8>, number: usize) {
    glb.extend_from_slice(&u32::try_from(number).unwrap_or(u32::MAX).to_le_bytes());
}
