//! Search for the outermost points in many directions.
use crate::angle::sin_cos;
use crate::model::Aabb;
use glam::{Vec3, Vec4};
use std::f32::consts::{PI, TAU};

/// Directions of unit length, four at a time: their x, their y and their z.
pub(super) type Directions = Vec<[Vec4; 3]>;

/// Returns directions to all sides, `steps` per half turn, in circles of latitude from −Y to +Y. If `steps` is even,
/// the six axes are among them.
pub(super) fn around(steps: usize) -> Directions {
    let step = PI / steps as f32;
    let (mut groups, mut count) = (Directions::new(), 0);
    for latitude in 0..=steps {
        let (height, radius) = sin_cos(latitude as f32 * step - PI * 0.5);
        // A multiple of four, so that the axes are among the directions.
        let on_circle = (4 * ((radius * TAU / step / 4.0 + 0.5) as usize)).max(1);
        for nth in 0..on_circle {
            let (x, z) = sin_cos(TAU * nth as f32 / on_circle as f32);
            if count % 4 == 0 {
                groups.push([Vec4::ZERO; 3]);
            }
            let parts = [x * radius, height, z * radius];
            for (lanes, part) in groups[count / 4].iter_mut().zip(parts) {
                // The last direction fills up the last group.
                for lane in count % 4..4 {
                    lanes[lane] = part;
                }
            }
            count += 1;
        }
    }
    groups
}

/// A finite position, and a label that identifies its source.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    pub(super) position: Vec3,
    pub(super) label: u32,
}

/// Adds a point to a list, unless its position isn't finite.
pub(super) fn push(points: &mut Vec<Point>, position: Vec3, label: u32) {
    if position.is_finite() {
        points.push(Point { position, label });
    }
}

/// Farthest point in each of many directions.
///
/// If a box reaches no farther than these points, neither does any point inside. One test of the box replaces the
/// tests of its points.
pub(super) struct Extremes<'a> {
    directions: &'a [[Vec4; 3]],
    reach: Vec<Vec4>,
    points: Vec<[Option<Point>; 4]>,
}

/// Number of points in one box. The test of a box costs as much as that of three points.
const BLOCK: usize = 32;

impl<'a> Extremes<'a> {
    pub(super) fn new(directions: &'a [[Vec4; 3]]) -> Self {
        Self {
            directions,
            reach: vec![Vec4::NEG_INFINITY; directions.len()],
            points: vec![[None; 4]; directions.len()],
        }
    }

    /// Includes points. A point that is exactly as far as an earlier one doesn't replace it.
    pub(super) fn include(&mut self, points: &[Point]) {
        let mut positions = [[Vec4::ZERO; 3]; BLOCK];
        for block in points.chunks(BLOCK) {
            let (mut min, mut max) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
            for (nth, point) in block.iter().enumerate() {
                (min, max) = (min.min(point.position), max.max(point.position));
                positions[nth] = splat(point.position);
            }
            let bounds = SplatBox::new(&Aabb { min, max });
            for group in 0..self.reach.len() {
                let (directions, held) = (self.directions[group], self.reach[group]);
                if bounds.is_within(&directions, held) {
                    continue;
                }
                // Few blocks reach farther. This loop has no branches; if needed, the next one finds the point.
                let mut is_beyond = held.cmpgt(held);
                for position in &positions[..block.len()] {
                    is_beyond |= dot(&directions, position).cmpgt(held);
                }
                if is_beyond.any() {
                    for (point, position) in block.iter().zip(&positions) {
                        let reach = dot(&directions, position);
                        if reach.cmpgt(self.reach[group]).any() {
                            self.replace(group, reach, *point);
                        }
                    }
                }
            }
        }
    }

    /// Returns whether nothing in a box reaches farther in any direction. False for a box that isn't finite.
    pub(super) fn encloses(&self, bounds: &Aabb) -> bool {
        let bounds = SplatBox::new(bounds);
        for group in 0..self.reach.len() {
            if !bounds.is_within(&self.directions[group], self.reach[group]) {
                return false;
            }
        }
        true
    }

    /// Returns the distance along y between the farthest points in the first direction, −Y, and in the last, +Y.
    pub(super) fn height(&self) -> f32 {
        self.reach[0].x + self.reach[self.reach.len() - 1].w
    }

    /// Returns the farthest point of each direction, so that many points occur more than once.
    pub(super) fn points(&self) -> impl Iterator<Item = Point> {
        self.points.iter().flatten().flatten().copied()
    }

    fn replace(&mut self, group: usize, reach: Vec4, point: Point) {
        for lane in 0..4 {
            if reach[lane] > self.reach[group][lane] {
                self.reach[group][lane] = reach[lane];
                self.points[group][lane] = Some(point);
            }
        }
    }
}

/// The center of a box and half its size, each component in all four lanes.
struct SplatBox {
    center: [Vec4; 3],
    half: [Vec4; 3],
}

impl SplatBox {
    fn new(bounds: &Aabb) -> Self {
        let half = (bounds.max - bounds.min) * 0.5;
        Self { center: splat(bounds.min + half), half: splat(half) }
    }

    /// Returns whether the box reaches no farther than `held` in any of four directions.
    #[inline(always)]
    fn is_within(&self, directions: &[Vec4; 3], held: Vec4) -> bool {
        let [x, y, z] = directions;
        let beyond = dot(&[x.abs(), y.abs(), z.abs()], &self.half);
        (dot(directions, &self.center) + beyond).cmple(held).all()
    }
}

/// Always inlined, as in `simd`: the wasm is built for size, where a call costs more than what it computes.
#[inline(always)]
fn dot(a: &[Vec4; 3], b: &[Vec4; 3]) -> Vec4 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline(always)]
fn splat(position: Vec3) -> [Vec4; 3] {
    [Vec4::splat(position.x), Vec4::splat(position.y), Vec4::splat(position.z)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_axes_are_among_the_directions_and_all_have_unit_length() {
        let directions = around(10);
        let all: Vec<Vec3> = directions
            .iter()
            .flat_map(|[x, y, z]| (0..4).map(|lane| Vec3::new(x[lane], y[lane], z[lane])))
            .collect();
        assert!(all.iter().all(|direction| (direction.length() - 1.0).abs() < 1e-6));
        for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
            for wanted in [axis, -axis] {
                assert!(all.iter().any(|direction| direction.distance(wanted) < 1e-6), "{wanted}");
            }
        }
        assert!((60..=140).contains(&all.len()), "{}", all.len());
    }

    #[test]
    fn a_box_hides_nothing_that_is_outermost() {
        let directions = around(8);
        let mut seed = 1_u32;
        let mut number = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) as f32 / (1 << 23) as f32 - 1.0
        };
        let points: Vec<Point> = (0..20_000)
            .map(|label| Point {
                position: Vec3::new(number() * 3.0, number() + 5.0, number() * number()),
                label,
            })
            .collect();
        let mut extremes = Extremes::new(&directions);
        extremes.include(&points);
        for ([x, y, z], reach) in directions.iter().zip(&extremes.reach) {
            for lane in 0..4 {
                let direction = Vec3::new(x[lane], y[lane], z[lane]);
                let exact = points.iter().map(|point| point.position.dot(direction)).fold(f32::MIN, f32::max);
                assert!((reach[lane] - exact).abs() < 1e-5, "{} for {exact}", reach[lane]);
            }
        }
        assert!((extremes.height() - points_height(&points)).abs() < 1e-5);
        let around = Aabb::around(points.iter().map(|point| point.position)).unwrap();
        assert!(!extremes.encloses(&around), "its corners are outside");
        assert!(extremes.encloses(&Aabb { min: around.center() - 0.1, max: around.center() + 0.1 }));
        assert!(!extremes.encloses(&Aabb { min: Vec3::NAN, max: Vec3::NAN }));
    }
    fn points_height(points: &[Point]) -> f32 {
        let heights = || points.iter().map(|point| point.position.y);
        heights().fold(f32::MIN, f32::max) - heights().fold(f32::MAX, f32::min)
    }
}
