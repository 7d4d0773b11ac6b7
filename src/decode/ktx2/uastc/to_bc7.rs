//! UASTC as BC7. The results equal those of Basis Universal, whose rules the specification of UASTC describes.
use super::block::{Block, SOLID};
use crate::decode::ktx2::bc7::Bc7;
use crate::decode::ktx2::bc7_solid::SolidBc7;
use crate::decode::ktx2::bits::{at, low_byte};

/// Indices of four bits for weights of two, three and five bits.
const FROM_2_BITS: [u8; 4] = [0, 5, 10, 15];
const FROM_3_BITS: [u8; 8] = [0, 2, 4, 6, 9, 11, 13, 15];
const FROM_5_BITS: [u8; 32] = [
    0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 6, 7, 8, 9, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13, 14, 14, 15,
    15,
];

pub(super) fn write(block: &Block, solid: &SolidBc7) -> [u8; 16] {
    let mode = match block.number {
        SOLID => return solid.write(block.solid),
        0 | 5 | 10 | 12 | 14 | 15 | 18 => 6,
        1 | 4 => 3,
        2 => 1,
        3 | 7 => 2,
        6 | 11 | 13 | 17 => 5,
        _ => 7,
    };
    let partition = block.partition;
    let mut out = Bc7 { mode, partition: partition.bc7, pattern: partition.bc7_pattern, ..Bc7::default() };
    out.anchors = partition.anchors;
    for subset in 0..3 {
        // The subset of UASTC that has the same texels. Mode 3 has two subsets in BC7 even for one here.
        let texel = (0..16).find(|texel| partition.bc7_pattern >> (2 * texel) & 3 == subset).unwrap_or(0);
        let ends = block.ends((partition.pattern >> (2 * texel) & 3) as usize);
        let (ends, lowest) = match mode {
            1 => quantized::<true>(ends, 6, 3),
            2 => (ends.map(|end| end.map(|value| scaled(value, 31))), [0; 2]),
            3 => quantized::<false>(ends, 7, 3),
            5 => (ends.map(|end| rotated(end, block.second_plane)), [0; 2]),
            6 => quantized::<false>(ends, 7, block.mode.channels),
            _ => quantized::<false>(ends, 5, 4),
        };
        if let (Some(to), Some(to_lowest)) =
            (out.ends.get_mut(subset as usize), out.lowest.get_mut(subset as usize))
        {
            (*to, *to_lowest) = (ends, lowest);
        }
    }
    if block.number == 1 {
        // Two subsets with the same ends. Partition 0 has its second anchor at the last texel.
        (out.pattern, out.anchors) = (0x5050_5050, [15, 0]);
    }
    if block.mode.has_two_planes {
        out.rotation = (block.second_plane + 1) & 3;
        // The indices of two bits for weights of one bit are the outermost ones.
        let step = if block.mode.weight_bits == 1 { 3 } else { 1 };
        let (pairs, _) = block.weights.as_chunks();
        for ((&[first, second], index), alpha) in pairs.iter().zip(&mut out.indices).zip(&mut out.alphas) {
            (*index, *alpha) = (first * step, second * step);
        }
        return out.write();
    }
    let table: &[u8] = match block.number {
        5 | 12 => &FROM_3_BITS,
        14 => &FROM_2_BITS,
        18 => &FROM_5_BITS,
        _ => &[],
    };
    for (index, weight) in out.indices.iter_mut().zip(block.weights) {
        *index = if table.is_empty() { weight } else { at(table, usize::from(weight)) };
    }
    out.write()
}

/// Scales a value to a number of at most `most`.
fn scaled(value: u8, most: u32) -> u8 {
    low_byte((u32::from(value) * most + 127) / 255)
}

/// Exchanges a channel with alpha. Colours then have seven bits.
fn rotated([red, green, blue, alpha]: [u8; 4], channel: u8) -> [u8; 4] {
    let [red, green, blue, alpha] = match channel {
        0 => [alpha, green, blue, red],
        1 => [red, alpha, blue, green],
        2 => [red, green, alpha, blue],
        _ => [red, green, blue, alpha],
    };
    [scaled(red, 127), scaled(green, 127), scaled(blue, 127), alpha]
}

/// Returns numbers of `bits` bits for both ends, and the bit below them, which both ends may have to share.
/// The errors are compared as singles, as Basis Universal does, so that ties have the same winner.
fn quantized<const IS_SHARED: bool>(ends: [[u8; 4]; 2], bits: u32, channels: u8) -> ([[u8; 4]; 2], [u8; 2]) {
    let compared = if channels == 3 { 3 } else { 4 };
    let [low, high] = ends.map(|end| end.map(|value| f32::from(value) / 255.0));
    let codes = |end: [f32; 4], lowest: u8| {
        let [red, green, blue, alpha] = end.map(|value| code(value, lowest, bits));
        [red, green, blue, if channels == 3 { 127 } else { alpha }]
    };
    if IS_SHARED {
        let error = |lowest: u8| {
            let difference = |value: f32| full(code(value, lowest, bits), lowest, bits) / 255.0 - value;
            let mut sum = 0.0;
            for (low, high) in low.into_iter().zip(high).take(compared) {
                let (low, high) = (difference(low), difference(high));
                sum += low * low + high * high;
            }
            sum
        };
        let lowest = u8::from(error(1) < error(0));
        return ([codes(low, lowest), codes(high, lowest)], [lowest; 2]);
    }
    let best = |end: [f32; 4]| {
        let error = |lowest: u8| {
            let mut sum = 0.0;
            for value in end.into_iter().take(compared) {
                let difference = full(code(value, lowest, bits), lowest, bits) - value * 255.0;
                sum += difference * difference;
            }
            sum
        };
        u8::from(error(1) < error(0))
    };
    let lowest = [best(low), best(high)];
    let [low_bit, high_bit] = lowest;
    ([codes(low, low_bit), codes(high, high_bit)], lowest)
}

/// Returns the number of `bits` bits for a value from 0 to 1, if the bit below it is `lowest`.
fn code(value: f32, lowest: u8, bits: u32) -> u8 {
    let most = f32::from(low_byte((2 << bits) - 1));
    let wanted = (value * most - f32::from(lowest)) / 2.0 + 0.5;
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 128")]
    let code = wanted as u8;
    code.min(low_byte((1 << bits) - 1))
}

/// Returns the value from 0 to 255 that a number and the bit below it stand for.
fn full(code: u8, lowest: u8, bits: u32) -> f32 {
    let number = u32::from(code << 1 | lowest) << (7 - bits);
    f32::from(low_byte(number | number >> (bits + 1)))
}
