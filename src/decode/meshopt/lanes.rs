//! The arithmetic of attributes, 16 bytes at a time. Its results equal those of `scalar`.
use super::attributes::{Coding, GROUP, Plane, WINDOW};
use core::arch::wasm32::*;

/// Reads codes of `BITS` bits. Returns the number of bytes that were used.
pub(super) fn read_group<const BITS: usize>(window: &[u8; WINDOW], group: &mut [u8; GROUP]) -> usize {
    let code_bytes = GROUP * BITS / 8;
    let packed = load(window, 0);
    if BITS == 8 {
        store(packed, group);
        return code_bytes;
    }
    let escape = u8x16_splat(u8::MAX >> (8 - BITS));
    let codes = match BITS {
        1 => {
            let bytes = i8x16_shuffle::<0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1>(packed, packed);
            let bits = u8x16(1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128);
            v128_and(u8x16_eq(v128_and(bytes, bits), bits), escape)
        }
        2 => {
            let halves = interleave(u8x16_shr(packed, 4), packed);
            v128_and(interleave(u8x16_shr(halves, 2), halves), escape)
        }
        _ => v128_and(interleave(u8x16_shr(packed, 4), packed), escape),
    };
    let is_escape = u8x16_eq(codes, escape);
    // Each escape takes the byte whose number is that of the escapes before it.
    let ones = v128_and(is_escape, u8x16_splat(1));
    let mut sums = ones;
    sums = u8x16_add(sums, after::<1>(sums));
    sums = u8x16_add(sums, after::<2>(sums));
    sums = u8x16_add(sums, after::<4>(sums));
    sums = u8x16_add(sums, after::<8>(sums));
    let bytes = u8x16_swizzle(load(window, code_bytes), u8x16_sub(sums, ones));
    store(v128_bitselect(bytes, codes, is_escape), group);
    code_bytes + usize::from(u8x16_extract_lane::<15>(sums))
}

/// Writes a channel of all elements. `target` begins with the channel of the first.
pub(super) fn undo_differences(
    planes: &[Plane; 4],
    coding: Coding,
    last: &mut [u8; 4],
    target: &mut [u8],
    stride: usize,
) {
    let [first, second, third, fourth] = planes;
    let mut sum = u32x4_splat(u32::from_le_bytes(*last));
    let groups = first.iter().zip(second).zip(third).zip(fourth);
    for (targets, (((a, b), c), d)) in target.chunks_mut(GROUP * stride).zip(groups) {
        let [a, b, c, d] = [a, b, c, d].map(|bytes| load(bytes, 0));
        let low = [interleave(a, b), interleave(c, d)];
        let high = [interleave_high(a, b), interleave_high(c, d)];
        let mut targets = targets.chunks_mut(stride).filter_map(<[u8]>::first_chunk_mut::<4>);
        for codes in [
            interleave_pairs(low),
            interleave_pairs_high(low),
            interleave_pairs(high),
            interleave_pairs_high(high),
        ] {
            let elements = match coding {
                Coding::Bytes => {
                    let sign = i8x16_neg(v128_and(codes, u8x16_splat(1)));
                    sums(v128_xor(u8x16_shr(codes, 1), sign), sum, |a, b| i8x16_add(a, b))
                }
                Coding::Shorts => {
                    let sign = i16x8_neg(v128_and(codes, u16x8_splat(1)));
                    sums(v128_xor(u16x8_shr(codes, 1), sign), sum, |a, b| i16x8_add(a, b))
                }
                Coding::Bits { rotation } => {
                    let changed = v128_or(u32x4_shr(codes, rotation), u32x4_shl(codes, 32 - rotation));
                    sums(if rotation == 0 { codes } else { changed }, sum, |a, b| v128_xor(a, b))
                }
            };
            sum = i32x4_shuffle::<3, 3, 3, 3>(elements, elements);
            let lanes = [
                u32x4_extract_lane::<0>(elements),
                u32x4_extract_lane::<1>(elements),
                u32x4_extract_lane::<2>(elements),
                u32x4_extract_lane::<3>(elements),
            ];
            for (element, target) in lanes.into_iter().zip(&mut targets) {
                *target = element.to_le_bytes();
            }
        }
    }
    *last = u32x4_extract_lane::<0>(sum).to_le_bytes();
}

pub(super) fn square_root(number: f32) -> f32 {
    f32x4_extract_lane::<0>(f32x4_sqrt(f32x4_splat(number)))
}

/// Adds to each number those before it, and `first`.
fn sums(numbers: v128, first: v128, add: impl Fn(v128, v128) -> v128) -> v128 {
    let pairs = add(numbers, after::<4>(numbers));
    add(add(pairs, after::<8>(pairs)), first)
}

/// Moves the bytes up by `COUNT` places. Zeros follow.
fn after<const COUNT: usize>(bytes: v128) -> v128 {
    let zero = u64x2_splat(0);
    match COUNT {
        1 => i8x16_shuffle::<0, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30>(zero, bytes),
        2 => i8x16_shuffle::<0, 0, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29>(zero, bytes),
        4 => i32x4_shuffle::<0, 4, 5, 6>(zero, bytes),
        _ => i64x2_shuffle::<0, 2>(zero, bytes),
    }
}

fn interleave(a: v128, b: v128) -> v128 {
    i8x16_shuffle::<0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23>(a, b)
}

fn interleave_high(a: v128, b: v128) -> v128 {
    i8x16_shuffle::<8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31>(a, b)
}

fn interleave_pairs([a, b]: [v128; 2]) -> v128 {
    i16x8_shuffle::<0, 8, 1, 9, 2, 10, 3, 11>(a, b)
}

fn interleave_pairs_high([a, b]: [v128; 2]) -> v128 {
    i16x8_shuffle::<4, 12, 5, 13, 6, 14, 7, 15>(a, b)
}

/// Loads 16 bytes. Missing ones are 0.
fn load(bytes: &[u8], from: usize) -> v128 {
    let half = |at: usize| {
        let chunk = bytes.get(at..).and_then(<[u8]>::first_chunk);
        chunk.copied().map_or(0, u64::from_le_bytes)
    };
    u64x2(half(from), half(from + 8))
}

fn store(lanes: v128, bytes: &mut [u8; GROUP]) {
    let halves = [u64x2_extract_lane::<0>(lanes), u64x2_extract_lane::<1>(lanes)];
    for (half, bytes) in halves.into_iter().zip(bytes.as_chunks_mut().0) {
        *bytes = half.to_le_bytes();
    }
}
