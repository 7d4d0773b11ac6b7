//! Solids as signed distance fields: negative inside, positive outside, in units of the model.
//!
//! Each solid is a function of a point, so that shapes are combined by arithmetic. Ellipsoids and blends only
//! approximate true distances; code that steps along them divides by the gradient.

use glam::{Quat, Vec2, Vec3};

pub(super) fn sphere(p: Vec3, center: Vec3, radius: f32) -> f32 {
    (p - center).length() - radius
}

pub(super) fn ellipsoid(p: Vec3, center: Vec3, radii: Vec3) -> f32 {
    let local = (p - center) / radii;
    let reach = local.length();
    let slope = (local / radii).length();
    if slope < 1e-6 { -radii.min_element() } else { reach * (reach - 1.0) / slope }
}

/// Returns the distance to an ellipsoid whose axes are rotated by `turn`.
pub(super) fn turned_ellipsoid(p: Vec3, center: Vec3, turn: Quat, radii: Vec3) -> f32 {
    ellipsoid(turn.inverse() * (p - center), Vec3::ZERO, radii)
}

/// Returns the distance to a capsule whose radius goes linearly from `radius_a` to `radius_b`.
pub(super) fn limb(p: Vec3, a: Vec3, radius_a: f32, b: Vec3, radius_b: f32) -> f32 {
    let axis = b - a;
    let t = ((p - a).dot(axis) / axis.length_squared()).clamp(0.0, 1.0);
    (p - a - axis * t).length() - (radius_a + (radius_b - radius_a) * t)
}

/// Returns the distance to a box with edges rounded by `round`. `half` includes the rounding.
pub(super) fn rounded_box(p: Vec3, center: Vec3, half: Vec3, round: f32) -> f32 {
    let q = (p - center).abs() - half + Vec3::splat(round);
    q.max(Vec3::ZERO).length() + q.max_element().min(0.0) - round
}

/// Returns the distance to a ring around the Y axis, with the radii `radii` in X and Z.
pub(super) fn ring(p: Vec3, center: Vec3, radii: Vec2, thickness: Vec2) -> f32 {
    let local = p - center;
    let flat = Vec2::new(local.x, local.z);
    let outward = ellipse(flat, radii);
    (Vec2::new(outward, local.y) / thickness).length() * thickness.min_element() - thickness.min_element()
}

/// Returns the approximate signed distance to an ellipse in its plane.
pub(super) fn ellipse(p: Vec2, radii: Vec2) -> f32 {
    let reach = (p / radii).length();
    let slope = (p / (radii * radii)).length();
    if slope < 1e-6 { -radii.min_element() } else { reach * (reach - 1.0) / slope }
}

/// Returns the distance to a chain of limbs along a polyline of points and radii.
pub(super) fn bent(p: Vec3, line: &[(Vec3, f32)]) -> f32 {
    line.windows(2)
        .map(|pair| limb(p, pair[0].0, pair[0].1, pair[1].0, pair[1].1))
        .fold(f32::INFINITY, f32::min)
}

/// Returns points on a quadratic Bézier curve, each with a radius, for [`bent`].
pub(super) fn curve(ends: [Vec3; 3], radii: [f32; 3], count: usize) -> Vec<(Vec3, f32)> {
    let quadratic = |t: f32, a: f32, b: f32, c: f32| {
        let s = 1.0 - t;
        a * s * s + b * 2.0 * s * t + c * t * t
    };
    (0..=count)
        .map(|step| {
            let t = step as f32 / count as f32;
            let s = 1.0 - t;
            let place = ends[0] * (s * s) + ends[1] * (2.0 * s * t) + ends[2] * (t * t);
            (place, quadratic(t, radii[0], radii[1], radii[2]))
        })
        .collect()
}

/// Returns the smooth union of two solids, blended over about `softness`.
pub(super) fn melt(a: f32, b: f32, softness: f32) -> f32 {
    let overlap = (softness - (a - b).abs()).max(0.0) / softness;
    a.min(b) - overlap * overlap * overlap * softness / 6.0
}

/// Returns `a` minus `b`, with the edge rounded over about `softness`.
pub(super) fn carve(a: f32, b: f32, softness: f32) -> f32 {
    -melt(-a, b, softness)
}

/// Returns the intersection of `a` and `b`, with the edge rounded over about `softness`.
pub(super) fn common(a: f32, b: f32, softness: f32) -> f32 {
    -melt(-a, -b, softness)
}

/// Mirrors a point to the left half, so that a solid defined there becomes symmetric.
pub(super) fn mirrored(p: Vec3) -> Vec3 {
    Vec3::new(p.x.abs(), p.y, p.z)
}

pub(super) fn gradient(field: &dyn Fn(Vec3) -> f32, p: Vec3, step: f32) -> Vec3 {
    let along = |axis: Vec3| field(p + axis * step) - field(p - axis * step);
    Vec3::new(along(Vec3::X), along(Vec3::Y), along(Vec3::Z)) / (2.0 * step)
}

/// Moves a point onto the surface by a few Newton steps along the gradient.
pub(super) fn onto_surface(field: &dyn Fn(Vec3) -> f32, mut p: Vec3, step: f32) -> Vec3 {
    for _ in 0..4 {
        let slope = gradient(field, p, step);
        p -= slope * (field(p) / slope.length_squared().max(0.05)).clamp(-4.0 * step, 4.0 * step);
    }
    p
}

/// Returns 0 below `from`, 1 above `to` and a smooth curve between. `from` may be the greater one.
pub(super) fn smoothstep(from: f32, to: f32, x: f32) -> f32 {
    let t = ((x - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}
