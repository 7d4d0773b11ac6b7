//! Mode 2 of the extension: indices that aren't triangles.
use super::{push_varint, zigzag};

/// Encodes indices below 2³⁰.
///
/// Each index is stored as its difference from one of two earlier ones, whichever is nearer. The list of a strip or of
/// lines often consists of two lists that ascend.
pub fn encode_sequence(indices: impl IntoIterator<Item = u32>) -> Vec<u8> {
    let mut encoded = vec![0xd1];
    let (mut even, mut odd) = (0, 0);
    for index in indices {
        let (from_even, from_odd) = (zigzag(index.wrapping_sub(even)), zigzag(index.wrapping_sub(odd)));
        if from_even <= from_odd {
            push_varint(&mut encoded, from_even << 1);
            even = index;
        } else {
            push_varint(&mut encoded, from_odd << 1 | 1);
            odd = index;
        }
    }
    encoded.extend([0; 4]);
    encoded
}
