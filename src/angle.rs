//! Angle functions from arithmetic alone. The system's own sine differs from machine to machine in the last bit.
use std::f64::consts::{FRAC_PI_2, PI};

/// The golden angle in radians. Its multiples never repeat, and fill a circle evenly, as the seeds of a sunflower do.
pub(crate) const GOLDEN_ANGLE: f32 = 2.399_963;

/// Returns the sine of an angle from −π/2 to π/2.
pub(crate) fn sine(angle: f64) -> f64 {
    let squared = angle * angle;
    // Taylor series, smallest term first. The first omitted term is below 1e-18.
    (1..=11).rev().fold(1.0, |sum, k| 1.0 - sum * squared / f64::from(2 * k * (2 * k + 1))) * angle
}

/// Returns the arc cosine of a number from 0 to 1. Greater numbers count as 1.
///
/// Near 1 the result loses digits. They don't matter there, since slerp's weights hardly depend on a small angle. The
/// glTF specification (appendix C) defines slerp with the arc cosine, and files whose rotations are not quite of unit
/// length were authored for it.
pub(crate) fn arc_cosine(cosine: f64) -> f64 {
    angle_of(((1.0 - cosine) * (1.0 + cosine)).max(0.0).sqrt(), cosine)
}

/// Returns the Euclidean remainder up to rounding, in [0, `length`). Returns 0 if `length` is 0.
///
/// `rem_euclid` is exact, but links a long division of 128-bit numbers into the wasm module.
pub(crate) fn wrapped(number: f64, length: f64) -> f64 {
    let rest = number - (number / length).floor() * length;
    if rest > 0.0 && rest < length { rest } else { 0.0 }
}

/// Returns the sine and cosine of any angle.
pub(crate) fn sine_and_cosine(angle: f64) -> (f64, f64) {
    let quarters = (angle / FRAC_PI_2 + 0.5).floor();
    let sine = sine(angle - quarters * FRAC_PI_2);
    let cosine = (1.0 - sine * sine).sqrt();
    match wrapped(quarters, 4.0) {
        0.0 => (sine, cosine),
        1.0 => (cosine, -sine),
        2.0 => (-sine, -cosine),
        _ => (-cosine, sine),
    }
}

/// Returns the sine and cosine of any angle, computed in double and rounded to single precision.
pub(crate) fn sin_cos(angle: f32) -> (f32, f32) {
    let (sine, cosine) = sine_and_cosine(f64::from(angle));
    (sine as f32, cosine as f32)
}

/// Returns the angle from −π to π with this sine and cosine, which may both be scaled by the same factor. Returns 0
/// if both are 0.
pub(crate) fn angle_of(sine: f64, cosine: f64) -> f64 {
    if cosine < 0.0 {
        let back = angle_of(sine, -cosine);
        return if back < 0.0 { -PI - back } else { PI - back };
    }
    let length = (sine * sine + cosine * cosine).sqrt();
    if length == 0.0 {
        return 0.0;
    }
    // Tangents of a half, a quarter and an eighth of the angle. The eighth is at most 11.25°, where the series
    // converges quickly.
    let half = sine / (length + cosine);
    let quarter = half / (1.0 + (1.0 + half * half).sqrt());
    let eighth = quarter / (1.0 + (1.0 + quarter * quarter).sqrt());
    let squared = eighth * eighth;
    // The first omitted term is below 1e-16.
    let series = INVERSES.iter().rev().fold(0.0, |sum, inverse| inverse - sum * squared);
    8.0 * eighth * series
}

/// Returns the arc cosine, from 0 to π, of a number from −1 to 1.
pub(crate) fn arc_cosine_single(cosine: f32) -> f32 {
    let cosine = f64::from(cosine);
    angle_of((1.0 - cosine * cosine).sqrt(), cosine) as f32
}

const INVERSES: [f64; 11] = [
    1.0,
    1.0 / 3.0,
    1.0 / 5.0,
    1.0 / 7.0,
    1.0 / 9.0,
    1.0 / 11.0,
    1.0 / 13.0,
    1.0 / 15.0,
    1.0 / 17.0,
    1.0 / 19.0,
    1.0 / 21.0,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sine_and_arc_cosine_are_right_to_the_last_digits() {
        for step in 0..=1000 {
            let angle = FRAC_PI_2 * f64::from(step) / 1000.0;
            assert!((sine(angle) - angle.sin()).abs() < 3e-16, "{angle}");
            // The cosine of a small angle has itself lost digits: an error of one ulp moves the angle by an ulp over
            // its sine.
            let error = (arc_cosine(angle.cos()) - angle).abs();
            assert!(error * angle < 1e-15, "{angle}: {error:e}");
        }
    }

    #[test]
    fn any_angle_has_its_sine_and_cosine_and_comes_back_from_them() {
        for step in -1000..=1000 {
            let angle = f64::from(step) * 0.011;
            let (sine, cosine) = sine_and_cosine(angle);
            assert!((sine - angle.sin()).abs() < 3e-15 && (cosine - angle.cos()).abs() < 3e-15, "{angle}");
            let (exact, back) = (angle.sin().atan2(angle.cos()), angle_of(sine * 7.0, cosine * 7.0));
            assert!((back - exact).abs() < 1e-14, "{angle}: {back} for {exact}");
        }
        assert_eq!(angle_of(0.0, 0.0), 0.0);
        assert_eq!(angle_of(0.0, -1.0), PI);
    }

    #[test]
    fn the_arc_cosine_of_a_single_is_the_nearest_single() {
        for step in -100_000..=100_000 {
            let cosine = step as f32 / 100_000.0;
            let exact = f64::from(cosine).acos();
            let error = (f64::from(arc_cosine_single(cosine)) - exact).abs();
            assert!(error <= exact * f64::from(f32::EPSILON) / 2.0 + 1e-15, "{cosine}: {error:e}");
        }
    }
}
