//! Keys before time 0, which glTF forbids. A key at 0 replaces them.
use crate::model::Interpolation;
use glam::{Quat, Vec4};

/// Returns the times and numbers of a track from time 0 on; `None` if no key is before 0.
///
/// The motion stays exactly the same, except that the new key of a rotation spline is normalised.
pub(super) fn from_zero(
    times_secs: &[f32],
    numbers: &[f32],
    interpolation: Interpolation,
    is_rotation: bool,
) -> Option<(Vec<f32>, Vec<f32>)> {
    let after = times_secs.iter().filter(|time_secs| **time_secs <= 0.0).count();
    let (last, first_secs) = (after.checked_sub(1)?, times_secs.first()?);
    if *first_secs >= 0.0 {
        return None;
    }
    let per_key = numbers.len() / times_secs.len();
    let mut keys = numbers.chunks(per_key.max(1)).skip(last);
    let (from, to) = (keys.next()?, keys.next());
    let from_secs = *times_secs.get(last)?;
    let between = to.zip(times_secs.get(after)).filter(|_| from_secs < 0.0);
    let at_zero = match (between, interpolation) {
        (None, _) | (_, Interpolation::Step) => from.to_vec(),
        (Some((to, to_secs)), Interpolation::Linear) => {
            let alpha = -from_secs / (to_secs - from_secs);
            match (from, to) {
                (&[ax, ay, az, aw], &[bx, by, bz, bw]) if is_rotation => {
                    let (from, to) = (Quat::from_xyzw(ax, ay, az, aw), Quat::from_xyzw(bx, by, bz, bw));
                    from.slerp(to, alpha).to_array().to_vec()
                }
                _ => from.iter().zip(to).map(|(from, to)| from + (to - from) * alpha).collect(),
            }
        }
        (Some((to, to_secs)), Interpolation::CubicSpline) => {
            let span_secs = to_secs - from_secs;
            let alpha = -from_secs / span_secs;
            let third = per_key / 3;
            let part = |key: &[f32], nth: usize| {
                key.iter().skip(third * nth).take(third).copied().collect::<Vec<f32>>()
            };
            let (from, out_tangent) = (part(from, 1), part(from, 2));
            let (in_tangent, to) = (part(to, 0), part(to, 1));
            let ends = from.iter().zip(&out_tangent).zip(to.iter().zip(&in_tangent));
            let (mut value, mut slope): (Vec<f32>, Vec<f32>) =
                ends.map(|((a, out), (b, into))| hermite([*a, *out, *b, *into], alpha, span_secs)).unzip();
            if let (&[x, y, z, w], true) = (&*value, is_rotation) {
                let length = Vec4::new(x, y, z, w).length();
                value
                    .iter_mut()
                    .chain(&mut slope)
                    .for_each(|number| *number /= length.max(f32::MIN_POSITIVE));
            }
            [&*slope, &value, &slope].concat()
        }
    };
    let times_secs = [0.0].iter().chain(times_secs.iter().skip(after)).copied().collect();
    Some((times_secs, at_zero.iter().chain(numbers.iter().skip(after * per_key)).copied().collect()))
}

/// Returns value and slope of a Hermite segment, given its start, the slope there, its end and the slope there.
fn hermite([a, out, b, into]: [f32; 4], alpha: f32, span_secs: f32) -> (f32, f32) {
    let (squared, cubed) = (alpha * alpha, alpha * alpha * alpha);
    let value = a * (2.0 * cubed - 3.0 * squared + 1.0)
        + b * (3.0 * squared - 2.0 * cubed)
        + span_secs * (out * (cubed - 2.0 * squared + alpha) + into * (cubed - squared));
    let slope = (a - b) * (6.0 * squared - 6.0 * alpha) / span_secs
        + out * (3.0 * squared - 4.0 * alpha + 1.0)
        + into * (3.0 * squared - 2.0 * alpha);
    (value, slope)
}
