//! The map of directions: the sphere is projected onto an octahedron, which is unfolded to a square. The centre of the
//! square is up, its corners are down. `surroundings.wgsl` repeats [`place_of`].
//!
//! The octahedron ends half a texel of the smallest level before the edges of the square, and the margin continues
//! beyond its edges, so that interpolated texels have no seams on any level.

use glam::{Vec2, Vec3A};

/// Fraction of the map's side that the octahedron takes.
const SPAN: f32 = 1.0 - 1.0 / 16.0;

/// Returns the direction at a place of the map, from (0, 0) to (1, 1). Its components add up to 1 without their signs.
pub fn direction_at(place: Vec2) -> Vec3A {
    let Vec2 { mut x, y: mut z } = (place * 2.0 - 1.0) / SPAN;
    // The two halves of an edge are the same edge of the octahedron.
    if x.abs() > 1.0 {
        (x, z) = (2_f32.copysign(x) - x, -z);
    }
    if z.abs() > 1.0 {
        (x, z) = (-x, 2_f32.copysign(z) - z);
    }
    let y = 1.0 - x.abs() - z.abs();
    if y < 0.0 {
        (x, z) = ((1.0 - z.abs()).copysign(x), (1.0 - x.abs()).copysign(z));
    }
    Vec3A::new(x, y, z)
}

/// Returns the place on the map of a direction of any length but 0.
pub fn place_of(direction: Vec3A) -> Vec2 {
    let size = direction.abs();
    let on_face = direction / (size.x + size.y + size.z);
    let (mut x, mut z) = (on_face.x, on_face.z);
    if on_face.y < 0.0 {
        (x, z) = ((1.0 - z.abs()).copysign(x), (1.0 - x.abs()).copysign(z));
    }
    Vec2::new(x, z) * (0.5 * SPAN) + 0.5
}

/// Returns the solid angle around a place of the map for each unit of its area, up to a factor. It is 0 in the margin.
pub(super) fn solid_angle_at(place: Vec2) -> f32 {
    let is_in_margin = (place * 2.0 - 1.0).abs().max_element() > SPAN;
    let distance = direction_at(place).length();
    if is_in_margin { 0.0 } else { 1.0 / (distance * distance * distance) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places() -> impl Iterator<Item = Vec2> {
        (0..101 * 101).map(|at| Vec2::new((at % 101) as f32, (at / 101) as f32) / 100.0)
    }

    #[test]
    fn places_and_directions_are_inverse() {
        for place in places() {
            let found = place_of(direction_at(place));
            let is_in_margin = (place * 2.0 - 1.0).abs().max_element() > SPAN;
            assert!(is_in_margin || (found - place).length() < 1e-5, "{place} to {found}");
            let again = direction_at(found);
            assert!((again - direction_at(place)).length() < 1e-5, "{place}");
        }
    }

    #[test]
    fn the_margin_continues_beyond_the_edges() {
        // Neighbours on the map are neighbours on the sphere, across the edge too.
        let step = 1e-3;
        for at in 0..100 {
            let along = at as f32 / 100.0;
            for edge in [0.5 - SPAN / 2.0, 0.5 + SPAN / 2.0] {
                for [a, b] in [
                    [Vec2::new(edge - step, along), Vec2::new(edge + step, along)],
                    [Vec2::new(along, edge - step), Vec2::new(along, edge + step)],
                ] {
                    let apart = direction_at(a).normalize().distance(direction_at(b).normalize());
                    assert!(apart < 10.0 * step, "{a} and {b}: {apart}");
                }
            }
        }
    }

    #[test]
    fn solid_angles_add_up_to_the_sphere() {
        const SIDE: usize = 512;
        let center = |at: usize| (at as f32 + 0.5) / SIDE as f32;
        let area = (2.0 / SPAN / SIDE as f32).powi(2);
        let of_row = |y| (0..SIDE).map(|x| solid_angle_at(Vec2::new(center(x), center(y)))).sum::<f32>();
        let sum = (0..SIDE).map(of_row).sum::<f32>() * area;
        assert!((sum / (4.0 * std::f32::consts::PI) - 1.0).abs() < 1e-3, "{sum}");
    }
}
