//! Filters: numbers are rounded to codes from which readers compute them again. The functions `decode_…` do the same
//! as a reader.
use glam::{Quat, Vec3, Vec4};
use std::f32::consts::{FRAC_1_SQRT_2, SQRT_2};

/// Rounds a direction to two coordinates of 8 bits on an octahedron. `last` is passed through.
///
/// The direction that readers compute is off by less than 1°.
pub fn encode_octahedral(direction: Vec3, last: i8) -> [i8; 4] {
    let direction = direction.try_normalize().unwrap_or(Vec3::Z);
    let on_octahedron = direction / direction.abs().element_sum();
    let Vec3 { x, y, z } = on_octahedron;
    let (x, y) = if z < 0.0 {
        ((1.0 - y.abs()) * 1_f32.copysign(x), (1.0 - x.abs()) * 1_f32.copysign(y))
    } else {
        (x, y)
    };
    // The nearest code isn't always the nearest direction.
    let (left, below) = ((x * 127.0).floor(), (y * 127.0).floor());
    let codes = [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)];
    let codes = codes.map(|(right, up)| [short(left + right), short(below + up), 127, last]);
    let likeness = |code: &[i8; 4]| on_octahedron_from(*code).dot(direction);
    codes.into_iter().max_by(|a, b| likeness(a).total_cmp(&likeness(b))).unwrap_or([0, 0, 127, last])
}

/// Returns what a reader makes of a code: a direction in normalised bytes, and the last number.
pub fn decode_octahedral(code: [i8; 4]) -> [i8; 4] {
    let [x, y, z] = (on_octahedron_from(code) * 127.0).to_array().map(|number| short(number.round()));
    let [.., last] = code;
    [x, y, z, last]
}

fn on_octahedron_from([x, y, one, _]: [i8; 4]) -> Vec3 {
    let [x, y] = [x, y].map(|number| f32::from(number) / f32::from(one));
    let z = 1.0 - x.abs() - y.abs();
    let over = z.min(0.0);
    Vec3::new(x - over.copysign(x), y - over.copysign(y), z).normalize_or(Vec3::Z)
}

/// Rounds a rotation to three components of `bits` bits, from 4 to 16; the largest component follows from them. Its
/// opposite means the same rotation.
pub fn encode_quaternion(rotation: Quat, bits: u32) -> [i16; 4] {
    let one = largest(bits);
    let components = rotation.normalize().to_array();
    let by_size = |a: &(i16, f32), b: &(i16, f32)| a.1.abs().total_cmp(&b.1.abs());
    let (place, greatest) = (0..).zip(components).max_by(by_size).unwrap_or_default();
    let scale = f32::from(one) * SQRT_2 * 1_f32.copysign(greatest);
    let mut rest = components.into_iter().cycle().skip(usize::from(place.unsigned_abs()) + 1);
    let mut code = || middle(rest.next().unwrap_or_default() * scale, one);
    [code(), code(), code(), one & !3 | place]
}

/// Returns what a reader makes of a code: a rotation in normalised 16-bit components.
pub fn decode_quaternion([x, y, z, last]: [i16; 4]) -> [i16; 4] {
    let unit = FRAC_1_SQRT_2 / f32::from(last | 3);
    let [x, y, z] = [x, y, z].map(|number| f32::from(number) * unit);
    let w = (1.0 - x * x - y * y - z * z).max(0.0).sqrt();
    let mut components = Vec4::new(x, y, z, w).to_array().map(|number| middle(number * 32767.0, i16::MAX));
    components.rotate_right(usize::from((last & 3).unsigned_abs() + 1) % 4);
    components
}

/// Returns the code of the largest number of so many bits, which means 1.
fn largest(bits: u32) -> i16 {
    i16::MAX >> 16_u32.saturating_sub(bits.clamp(4, 16))
}

/// Rounds a number to a multiple of 2 to the power of `exponent`, from -100 to 100.
///
/// Numbers above 2²³ of these steps get a larger step. Numbers above 2¹²³, the largest code, become that.
pub fn encode_exponential(number: f32, exponent: i32) -> [u8; 4] {
    const MOST: f64 = 8_388_607.0;
    let mut exponent = exponent.clamp(-100, 100);
    let steps = loop {
        let steps = (f64::from(number) * 2_f64.powi(-exponent)).round();
        if steps.abs() <= MOST || exponent == 100 {
            break steps.clamp(-MOST, MOST);
        }
        exponent += 1;
    };
    #[allow(clippy::cast_possible_truncation, reason = "a whole number of 24 bits")]
    let [low, middle, high, _] = (steps as i32).to_le_bytes();
    let [exponent, ..] = exponent.to_le_bytes();
    [low, middle, high, exponent]
}

/// Returns what a reader makes of a code.
pub fn decode_exponential([low, middle, high, exponent]: [u8; 4]) -> f32 {
    let steps = i32::from_le_bytes([0, low, middle, high]) >> 8;
    #[allow(clippy::cast_possible_truncation, reason = "exact: 24 bits, and an exponent that singles have")]
    let number = (f64::from(steps) * 2_f64.powi(i8::from_le_bytes([exponent]).into())) as f32;
    // There is one zero, so that equal codes give equal bits.
    number + 0.0
}

/// Returns the exponent of the largest power of two that isn't above `step`.
pub fn exponent_of_step(step: f64) -> i32 {
    let mut exponent = -100;
    while exponent < 100 && 2_f64.powi(exponent + 1) <= step {
        exponent += 1;
    }
    exponent
}

#[allow(clippy::cast_possible_truncation, reason = "within the range of the type")]
fn short(number: f32) -> i8 {
    number.clamp(-127.0, 127.0) as i8
}

#[allow(clippy::cast_possible_truncation, reason = "within the range of the type")]
fn middle(number: f32, most: i16) -> i16 {
    number.round().clamp(-f32::from(most), f32::from(most)) as i16
}
