//! Transforms of decoded elements, in place.
//!
//! Numbers are rounded to the nearest, ties to even, as the reference decoder does with SIMD.
#![allow(clippy::cast_possible_truncation, reason = "results are the lowest bits of numbers")]

use core::f32::consts::FRAC_1_SQRT_2;

use super::arithmetic::square_root;
use super::{Filter, MeshoptError, MeshoptProblem};

pub(super) fn apply(filter: Filter, stride: usize, elements: &mut [u8]) -> Result<(), MeshoptError> {
    match (filter, stride) {
        (Filter::None, _) => {}
        (Filter::Octahedral, 4) => {
            each(elements, |[x, y, one, w]: [u8; 4]| {
                let [x, y, z] = octahedral([x, y, one].map(|part| f32::from(part.cast_signed())), 127.0);
                [x as u8, y as u8, z as u8, w]
            });
        }
        (Filter::Octahedral, 8) => {
            each(elements, |bytes| {
                let [x, y, one, w] = numbers(bytes);
                // The reference decoder ignores the sign of the third number.
                let [x, y, z] = octahedral([x, y, one & 0x7fff].map(f32::from), 32_767.0);
                from_numbers([x as i16, y as i16, z as i16, w])
            });
        }
        (Filter::Quaternion, 8) => each(elements, |bytes| from_numbers(quaternion(numbers(bytes)))),
        (Filter::Exponential, _) => {
            each(elements, |bytes| exponential(u32::from_le_bytes(bytes)).to_le_bytes())
        }
        (Filter::Color, 4) => {
            each(elements, |[luma, orange, green, alpha]: [u8; 4]| {
                let differences = [orange, green].map(|part| i32::from(part.cast_signed()));
                color(luma.into(), differences, alpha.into(), 255.0).map(|part| part as u8)
            });
        }
        (Filter::Color, 8) => {
            each(elements, |bytes| {
                let [luma, orange, green, alpha] = numbers(bytes);
                let differences = [orange, green].map(i32::from);
                let [luma, alpha] = [luma, alpha].map(|part| i32::from(part.cast_unsigned()));
                from_numbers(color(luma, differences, alpha, 65_535.0).map(|part| part as i16))
            });
        }
        (Filter::Octahedral | Filter::Quaternion | Filter::Color, _) => {
            return Err(MeshoptProblem::Filter.found(stride));
        }
    }
    Ok(())
}

fn each<const N: usize>(elements: &mut [u8], filtered: impl Fn([u8; N]) -> [u8; N]) {
    let (elements, _) = elements.as_chunks_mut();
    for element in elements {
        *element = filtered(*element);
    }
}

fn numbers([a, b, c, d, e, f, g, h]: [u8; 8]) -> [i16; 4] {
    [[a, b], [c, d], [e, f], [g, h]].map(i16::from_le_bytes)
}

fn from_numbers(numbers: [i16; 4]) -> [u8; 8] {
    let [[a, b], [c, d], [e, f], [g, h]] = numbers.map(i16::to_le_bytes);
    [a, b, c, d, e, f, g, h]
}

/// Returns the unit vector, times `max`, of a point on an octahedron whose corners are at distance `one`.
fn octahedral([x, y, one]: [f32; 3], max: f32) -> [u32; 3] {
    let z = one - (x.abs() + y.abs());
    // The lower half is folded outwards.
    let fold = z.min(0.0);
    let x = x + if x.is_sign_negative() { -fold } else { fold };
    let y = y + if y.is_sign_negative() { -fold } else { fold };
    let scale = max / square_root(x * x + (y * y + z * z));
    [x, y, z].map(|part| rounded(part * scale))
}

/// Returns the unit quaternion, times 32,767, of its three smallest components. The last number has the place of the
/// largest one in its two lowest bits, and is the scale of the others with those bits set.
fn quaternion([x, y, z, scale]: [i16; 4]) -> [i16; 4] {
    let place = scale & 3;
    let scale = f32::from(scale | 3);
    let [x, y, z] = [x, y, z].map(f32::from);
    let rest = scale * scale * 2.0 - (x * x + (y * y + z * z));
    let w = square_root(rest.max(0.0));
    let scale = 32_767.0 * FRAC_1_SQRT_2 / scale;
    let [x, y, z, w] = [x, y, z, w].map(|part| rounded(part * scale) as i16);
    match place {
        0 => [w, x, y, z],
        1 => [z, w, x, y],
        2 => [y, z, w, x],
        _ => [x, y, z, w],
    }
}

/// Returns the bits of a floating point number.
fn exponential(number: u32) -> u32 {
    let mantissa = (number << 8).cast_signed() >> 8;
    let exponent = number.cast_signed() >> 24;
    let power = f32::from_bits((exponent.wrapping_add(127).cast_unsigned()) << 23);
    (power * mantissa as f32).to_bits()
}

/// Returns red, green, blue and alpha. The highest bit of `alpha` gives the scale of all four.
fn color(luma: i32, [orange, green]: [i32; 2], alpha: i32, max: f32) -> [u32; 4] {
    let scale = [1, 2, 4, 8].into_iter().fold(alpha, |bits, shift| bits | bits >> shift);
    let (red, green, blue) = (luma + orange - green, luma + green, luma - orange - green);
    let alpha = alpha << 1 & scale | alpha & 1;
    let factor = max / scale as f32;
    [red, green, blue, alpha].map(|part| rounded(part as f32 * factor))
}

/// Returns the nearest integer. Only its lowest 16 bits are meaningful.
///
/// The sum has no bits for a fraction, so that the lowest bits of its mantissa are the integer.
fn rounded(number: f32) -> u32 {
    (number + 12_582_912.0).to_bits()
}
