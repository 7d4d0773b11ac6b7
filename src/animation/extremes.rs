//! Search for the outermost points in many directions.
use crate::angle::sin_cos;
use crate::model::Aabb;
use glam::{Vec3, Vec4};
use std::f32::consts::{PI, TAU};

/// Directions of unit length, four at a time: their x, their y and their z. Each stands for its opposite as well.
pub(super) type Directions = Vec<[Vec4; 3]>;

/// Returns directions that with their opposites point to all sides, `steps` per half turn, in circles of latitude up to
/// +Y. If `steps` is even, the axes are among them.
pub(super) fn around(steps: usize) -> Directions {
    let step = PI / steps as f32;
    let (mut groups, mut count) = (Directions::new(), 0);
    for latitude in steps.div_ceil(2)..=steps {
        let (height, radius) = sin_cos(latitude as f32 * step - PI * 0.5);
        // A multiple of four, so that the axes and the opposites are among the directions.
        let on_circle = (4 * ((radius * TAU / step / 4.0 + 0.5) as usize)).max(1);
        let is_equator = latitude * 2 == steps;
        for nth in 0..on_circle >> usize::from(is_equator) {
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

/// Farthest points in each of many directions and their opposites.
///
/// If a box reaches no farther than these points, neither does any point inside. One test of the box replaces the
/// tests of its points.
pub(super) struct Extremes<'a> {
    directions: &'a [[Vec4; 3]],
    /// The greatest and the least place along each direction.
    ranges: Vec<[Vec4; 2]>,
    points: Vec<[[Option<Point>; 4]; 2]>,
}

/// Number of points in one box. The test of a box costs as much as that of three points.
const BLOCK: usize = 32;

impl<'a> Extremes<'a> {
    pub(super) fn new(directions: &'a [[Vec4; 3]]) -> Self {
        Self {
            directions,
            ranges: vec![[Vec4::NEG_INFINITY, Vec4::INFINITY]; directions.len()],
            points: vec![[[None; 4]; 2]; directions.len()],
        }
    }

    /// Includes points. A point that is exactly as far as an earlier one doesn't replace it.
    #[inline(never)] // `docs/START.md` says why.
    pub(super) fn include(&mut self, points: &[Point]) {
        let mut positions = [[Vec4::ZERO; 3]; BLOCK];
        for block in points.chunks(BLOCK) {
            let (mut min, mut max) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
            for (nth, point) in block.iter().enumerate() {
                (min, max) = (min.min(point.position), max.max(point.position));
                positions[nth] = splat(point.position);
            }
            let bounds = SplatBox::new(&Aabb { min, max });
            for group in 0..self.ranges.len() {
                let (directions, [most, least]) = (self.directions[group], self.ranges[group]);
                if bounds.is_within(&directions, [most, least]) {
                    continue;
                }
                // Few blocks reach farther. This loop has no branches; if needed, the next one finds the point.
                let mut is_beyond = most.cmpgt(most);
                for position in &positions[..block.len()] {
                    let places = dot(&directions, position);
                    is_beyond |= places.cmpgt(most) | places.cmplt(least);
                }
                if is_beyond.any() {
                    for (point, position) in block.iter().zip(&positions) {
                        self.replace(group, dot(&directions, position), *point);
                    }
                }
            }
        }
    }

    /// Returns whether nothing in a box reaches farther in any direction. False for a box that isn't finite.
    pub(super) fn encloses(&self, bounds: &Aabb) -> bool {
        let bounds = SplatBox::new(bounds);
        for group in 0..self.ranges.len() {
            if !bounds.is_within(&self.directions[group], self.ranges[group]) {
                return false;
            }
        }
        true
    }

    /// Returns the distance between the farthest points along the last direction, +Y.
    pub(super) fn height(&self) -> f32 {
        self.ranges.last().map_or(0.0, |[most, least]| most.w - least.w)
    }

    /// Returns the farthest points of each direction, so that many points occur more than once.
    pub(super) fn points(&self) -> impl Iterator<Item = Point> {
        self.points.iter().flatten().flatten().flatten().copied()
    }

    /// Lets a point at these places along the directions of a group replace those that are less far.
    fn replace(&mut self, group: usize, places: Vec4, point: Point) {
        let ([most, least], [at_most, at_least]) = (&mut self.ranges[group], &mut self.points[group]);
        if !(places.cmpgt(*most) | places.cmplt(*least)).any() {
            return;
        }
        for lane in 0..4 {
            if places[lane] > most[lane] {
                (most[lane], at_most[lane]) = (places[lane], Some(point));
            }
            if places[lane] < least[lane] {
                (least[lane], at_least[lane]) = (places[lane], Some(point));
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

    /// Returns whether the box reaches no farther than these places along any of four directions.
    #[inline(always)]
    fn is_within(&self, directions: &[Vec4; 3], [most, least]: [Vec4; 2]) -> bool {
        let [x, y, z] = directions;
        let beyond = dot(&[x.abs(), y.abs(), z.abs()], &self.half);
        let center = dot(directions, &self.center);
        ((center + beyond).cmple(most) & (center - beyond).cmpge(least)).all()
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
            let is_axis = |direction: &Vec3| direction.distance(axis).min(direction.distance(-axis)) < 1e-6;
            assert!(all.iter().any(is_axis), "{axis}");
        }
        assert!((30..=70).contains(&all.len()), "{}", all.len());
    }

    #[test]
    fn the_directions_and_their_opposites_point_to_all_sides() {
        for steps in [5, 8, 14] {
            let directions = around(steps);
            // The farthest direction is half a step away in latitude and in longitude.
            let least = (PI / steps as f32 * 0.85).cos();
            for nth in 0..1000 {
                let (height, turn) = (nth as f32 / 499.5 - 1.0, nth as f32 * 2.4);
                let (sin, cos) = sin_cos(turn);
                let radius = (1.0 - height * height).max(0.0).sqrt();
                let side = splat(Vec3::new(cos * radius, height, sin * radius));
                let nearest = directions.iter().map(|group| dot(group, &side).abs().max_element());
                assert!(nearest.fold(0.0, f32::max) > least, "{steps} steps, {nth}");
            }
        }
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
        for (([x, y, z], [most, least]), held) in
            directions.iter().zip(&extremes.ranges).zip(&extremes.points)
        {
            for lane in 0..4 {
                let direction = Vec3::new(x[lane], y[lane], z[lane]);
                let places = || points.iter().map(|point| point.position.dot(direction));
                let exact = [places().fold(f32::MIN, f32::max), places().fold(f32::MAX, f32::min)];
                for (nth, found) in [most[lane], least[lane]].into_iter().enumerate() {
                    assert!((found - exact[nth]).abs() < 1e-5, "{found} for {}", exact[nth]);
                    let point = held[nth][lane].expect("there are points").position;
                    assert!((point.dot(direction) - exact[nth]).abs() < 1e-5, "{point} along {direction}");
                }
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
