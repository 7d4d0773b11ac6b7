//! Where everything is in the picture, and as large as can be.
use super::orbit::{Axes, Orbit};
use crate::angle::sin_cos;
use glam::{Vec2, Vec3};
use std::f32::consts::TAU;

/// Air around what is framed, as a share of the distance. More than what points that only stand for the others leave out.
pub(super) const FRAMING_MARGIN: f32 = 1.02;

/// Seen from higher than 60°, a line of sight hardly comes nearer to the vertical axis.
const STEEPEST_LEVEL: f32 = 0.25;

/// A circle is outside of the polygon of so many corners by 1 % of its radius.
const SIDES_SEEN: usize = 24;

/// Every point, seen from all sides.
pub(super) fn seen_from_all_sides(points: &[Vec3], axis: Vec3) -> Vec<Vec3> {
    let mut seen = Vec::with_capacity(points.len() * SIDES_SEEN);
    for side in 0..SIDES_SEEN {
        let (sine, cosine) = sin_cos(TAU * side as f32 / SIDES_SEEN as f32);
        for point in points {
            let [x, y, z] = (*point - axis).to_array();
            seen.push(axis + Vec3::new(x * cosine + z * sine, y, z * cosine - x * sine));
        }
    }
    seen
}

/// The nearest orbit in this direction from which every point is inside the picture, with as much air on either side.
///
/// - `half` is half the size of the picture, per unit of distance.
/// - `depth` is 1, or 0 where what is far away looks no smaller.
/// - The target stays near the vertical line through the orbit's own, which the camera is to turn round. With
///   `keeps_axis` it stays on it, which may cost air on one side.
///
/// A point at height `y` and depth `z` is inside while `|y − shift| ≤ (distance − z · depth) · half.y`.
pub(super) fn fitting_orbit(
    orbit: Orbit,
    axes: &Axes,
    points: &[Vec3],
    half: Vec2,
    depth: f32,
    keeps_axis: bool,
) -> Orbit {
    let seen: Vec<Vec3> = points
        .iter()
        .map(|&point| {
            let from_target = point - orbit.target;
            let z = from_target.dot(axes.towards_viewer) * depth;
            Vec3::new(from_target.dot(axes.right), from_target.dot(axes.up), z)
        })
        .collect();
    let greatest =
        |reach: &dyn Fn(Vec3) -> f32| seen.iter().fold(f32::MIN, |most, &point| most.max(reach(point)));
    let mut distance = 0.0_f32;
    let mut shift = Vec2::ZERO;
    for side in 0..2 {
        let beyond = greatest(&|point| point[side] + point.z * half[side]);
        let before = greatest(&|point| -point[side] + point.z * half[side]);
        distance = distance.max((beyond + before) * 0.5 / half[side]);
        shift[side] = (beyond - before) * 0.5;
    }
    distance *= FRAMING_MARGIN;

    // Centring at one distance uncentres at another: a few steps settle it.
    for step in 0..16 {
        let side = step % 2;
        let place = |point: Vec3| (point[side] - shift[side]) / (distance - point.z).max(f32::MIN_POSITIVE);
        let (last, first) = (greatest(&place), -greatest(&|point| -place(point)));
        shift[side] += (last + first) * 0.5 * distance;
    }
    if !shift.is_finite() {
        shift = Vec2::ZERO;
    }
    if keeps_axis {
        shift.x = 0.0;
    }
    let mut found =
        Orbit { target: orbit.target + axes.right * shift.x + axes.up * shift.y, distance, ..orbit };
    // From the same eye along the same line of sight, to where that comes nearest to the axis.
    let level = Vec3::new(axes.towards_viewer.x, 0.0, axes.towards_viewer.z);
    if level.length_squared() > STEEPEST_LEVEL {
        let back = (orbit.target - found.target).dot(level) / level.length_squared();
        found.target += axes.towards_viewer * back;
        found.distance -= back * depth;
    }
    found
}
