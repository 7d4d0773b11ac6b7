//! The arithmetic of attributes, one number at a time. Its results equal those of `lanes`.
use super::attributes::{Coding, GROUP, Plane, WINDOW};

/// Reads codes of `BITS` bits. Returns the number of bytes that were used.
pub(super) fn read_group<const BITS: usize>(window: &[u8; WINDOW], group: &mut [u8; GROUP]) -> usize {
    let mut next = GROUP * BITS / 8;
    let escape = u8::MAX >> (8 - BITS);
    let per_byte = 8 / BITS;
    for (at, slot) in group.iter_mut().enumerate() {
        let byte = window.get(at / per_byte).copied().unwrap_or_default();
        // Codes of one bit begin with the lowest, others with the highest.
        let place = if BITS == 1 { at % per_byte } else { per_byte - 1 - at % per_byte };
        let code = byte >> (place * BITS) & escape;
        *slot = code;
        if BITS < 8 && code == escape {
            *slot = window.get(next).copied().unwrap_or_default();
            next += 1;
        }
    }
    next
}

/// Writes a channel of all elements. `target` begins with the channel of the first.
pub(super) fn undo_differences(
    planes: &[Plane; 4],
    coding: Coding,
    last: &mut [u8; 4],
    target: &mut [u8],
    stride: usize,
) {
    let [first, second, third, fourth] = planes.each_ref().map(|plane| plane.as_flattened());
    let codes = first.iter().zip(second).zip(third).zip(fourth).map(|(((&a, &b), &c), &d)| [a, b, c, d]);
    for (target, code) in target.chunks_mut(stride).filter_map(<[u8]>::first_chunk_mut).zip(codes) {
        *last = next(coding, *last, code);
        *target = *last;
    }
}

fn next(coding: Coding, last: [u8; 4], code: [u8; 4]) -> [u8; 4] {
    let ([a, b, c, d], [e, f, g, h]) = (last, code);
    match coding {
        Coding::Bytes => [(a, e), (b, f), (c, g), (d, h)]
            .map(|(last, code)| last.wrapping_add((code >> 1) ^ (code & 1).wrapping_neg())),
        Coding::Shorts => {
            let [[a, b], [c, d]] = [([a, b], [e, f]), ([c, d], [g, h])].map(|(last, code)| {
                let code = u16::from_le_bytes(code);
                let difference = (code >> 1) ^ (code & 1).wrapping_neg();
                u16::from_le_bytes(last).wrapping_add(difference).to_le_bytes()
            });
            [a, b, c, d]
        }
        Coding::Bits { rotation } => {
            let changed = u32::from_le_bytes(code).rotate_right(rotation);
            (u32::from_le_bytes(last) ^ changed).to_le_bytes()
        }
    }
}

pub(super) fn square_root(number: f32) -> f32 {
    number.sqrt()
}
