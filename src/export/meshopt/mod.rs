//! Encoder of the bitstreams of `EXT_meshopt_compression` and `KHR_meshopt_compression`.
//!
//! Each stream is the content of one buffer view. The three codecs are lossless, except that triangles may begin with
//! another of their corners. The filters round, and their results are input for [`encode_attributes`].
//!
//! The formats are those of the extensions' appendix A (bitstream) and B (filters).

mod attributes;
mod filters;
mod sequence;
mod triangles;

pub use attributes::{Version, encode_attributes};
pub use filters::{
    decode_exponential, decode_octahedral, decode_quaternion, encode_exponential, encode_octahedral,
    encode_quaternion, exponent_of_step,
};
pub use sequence::encode_sequence;
pub use triangles::encode_triangles;

/// Appends a number in groups of 7 bits, lowest first. All bytes but the last have their highest bit set.
fn push_varint(bytes: &mut Vec<u8>, mut number: u32) {
    loop {
        let [low, ..] = number.to_le_bytes();
        number >>= 7;
        if number == 0 {
            return bytes.push(low & 0x7f);
        }
        bytes.push(low | 0x80);
    }
}

/// Maps differences to numbers that are small for small differences: 0, -1, 1, -2, 2, …
fn zigzag(difference: u32) -> u32 {
    difference << 1 ^ if difference >> 31 == 1 { u32::MAX } else { 0 }
}
