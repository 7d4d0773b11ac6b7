//! Framing: the nearest orbit at which all points are in the picture.
use super::orbit::{Axes, Orbit};
use crate::angle::sin_cos;
use glam::{Vec2, Vec3};
use std::f32::consts::TAU;

/// Factor for the distance that leaves a margin around what is framed. The margin exceeds the error of framing
/// selected vertices instead of all.
pub(super) const FRAMING_MARGIN: f32 = 1.02;

/// Squared horizontal part of a line of sight at a pitch of 60°. A steeper one hardly approaches the vertical axis.
const STEEPEST_LEVEL: f32 = 0.25;

/// Number of sides for [`seen_from_all_sides`]. A polygon with so many corners is within 1 % of its circle's radius.
const SIDES_SEEN: usize = 24;

/// Returns every point rotated to [`SIDES_SEEN`] angles about the vertical line through `axis`.
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

/// Returns the nearest orbit in the direction of `orbit` at which every point is inside the picture, with equal
/// margins on opposite sides.
///
/// - `half` is half the size of the picture, per unit of distance.
/// - `depth` is 1 for a perspective and 0 for an orthographic projection.
/// - The target stays near the vertical axis through the target of `orbit`, about which the camera rotates. With
///   `keeps_axis` it stays on that axis, so that margins may be unequal.
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

    // Points at different depths shift by different amounts in the picture: a few iterations converge.
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
    // Move the target along the line of sight to its point nearest to the axis, and leave the eye where it is.
    let level = Vec3::new(axes.towards_viewer.x, 0.0, axes.towards_viewer.z);
    if level.length_squared() > STEEPEST_LEVEL {
        let back = (orbit.target - found.target).dot(level) / level.length_squared();
        found.target += axes.towards_viewer * back;
        found.distance -= back * depth;
    }
    found
}
