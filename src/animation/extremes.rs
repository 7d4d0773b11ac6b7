//! The outermost points in many directions.
use crate::angle::sin_cos;
use glam::{Vec3, Vec4};
use std::f32::consts::{PI, TAU};

/// Directions of unit length, four at a time: their x, their y and their z.
pub(super) type Directions = Vec<[Vec4; 3]>;

/// Around all sides, `steps` to half a turn, in circles of latitude from −Y to +Y. With an even number the six axes are
/// among them.
pub(super) fn around(steps: usize) -> Directions {
    let step = PI / steps as f32;
    let mut found = Vec::new();
    for latitude in 0..=steps {
        let (height, radius) = sin_cos(latitude as f32 * step - PI * 0.5);
        // In quarters, so that the axes are met.
        let count = 4 * ((radius * TAU / step / 4.0 + 0.5) as usize);
        for nth in 0..count.max(1) {
            let (x, z) = sin_cos(TAU * nth as f32 / count.max(1) as f32);
            found.push(Vec3::new(x * radius, height, z * radius));
        }
    }
    grouped(&found)
}

pub(super) fn downwards() -> Directions {
    grouped(&[Vec3::NEG_Y])
}

fn grouped(directions: &[Vec3]) -> Directions {
    let groups = directions.chunks(4).map(|four| {
        let lane = |component: usize| {
            Vec4::from_array(std::array::from_fn(|lane| four[lane.min(four.len() - 1)][component]))
        };
        [lane(0), lane(1), lane(2)]
    });
    groups.collect()
}

/// For each direction how far the points reach in it, and something of the one that reaches farthest.
pub(super) struct Extremes<'a, T> {
    directions: &'a [[Vec4; 3]],
    reach: Vec<Vec4>,
    held: Vec<Option<T>>,
    /// Whatever is within this ellipsoid is outermost in no direction.
    middle: Vec3,
    per_radius: Vec3,
    news: usize,
}

/// After so many points further out, the ellipsoid is made larger.
const NEWS: usize = 128;

impl<'a, T: Copy> Extremes<'a, T> {
    pub(super) fn new(directions: &'a [[Vec4; 3]]) -> Self {
        Self {
            directions,
            reach: vec![Vec4::NEG_INFINITY; directions.len()],
            held: vec![None; directions.len() * 4],
            middle: Vec3::ZERO,
            per_radius: Vec3::INFINITY,
            news: 0,
        }
    }

    /// A point that isn't finite reaches nowhere.
    pub(super) fn include(&mut self, point: Vec3, what: T) {
        let from_middle = (point - self.middle) * self.per_radius;
        if from_middle.length_squared() < 1.0 || !point.is_finite() {
            return;
        }
        let (x, y, z) = (Vec4::splat(point.x), Vec4::splat(point.y), Vec4::splat(point.z));
        let mut is_new = false;
        for (group, [dx, dy, dz]) in self.directions.iter().enumerate() {
            let reach = x * *dx + y * *dy + z * *dz;
            if reach.cmpgt(self.reach[group]).any() {
                is_new = true;
                for lane in 0..4 {
                    if reach[lane] > self.reach[group][lane] {
                        self.reach[group][lane] = reach[lane];
                        self.held[group * 4 + lane] = Some(what);
                    }
                }
            }
        }
        self.news += usize::from(is_new);
        if self.news == NEWS {
            self.news = 0;
            self.widen();
        }
    }

    /// Whether some point of a sphere may be the outermost in some direction.
    pub(super) fn may_hold(&self, center: Vec3, radius: f32) -> bool {
        let (x, y, z) = (Vec4::splat(center.x), Vec4::splat(center.y), Vec4::splat(center.z));
        let radius = Vec4::splat(radius);
        let groups = self.directions.iter().zip(&self.reach);
        groups
            .into_iter()
            .any(|([dx, dy, dz], held)| (x * *dx + y * *dy + z * *dz + radius).cmpgt(*held).any())
    }

    /// How far the points reach in the first direction.
    pub(super) fn first_reach(&self) -> f32 {
        self.reach.first().map_or(f32::NEG_INFINITY, |reach| reach.x)
    }

    /// From the outermost point in the first direction to that in the last one, along the first.
    pub(super) fn height(&self) -> f32 {
        self.first_reach() + self.reach.last().map_or(0.0, |reach| reach.w)
    }

    /// One for each direction, so that many come more than once; none without points.
    pub(super) fn held(self) -> impl Iterator<Item = T> + use<T> {
        self.held.into_iter().flatten()
    }

    /// As large an ellipsoid as fits between the planes that touch the outermost points.
    fn widen(&mut self) {
        let (mut most, mut least) = (Vec3::NEG_INFINITY, Vec3::INFINITY);
        let lanes = || (0..self.reach.len() * 4).map(|at| (at / 4, at % 4));
        for (group, lane) in lanes() {
            let [dx, dy, dz] = self.directions[group];
            let direction = Vec3::new(dx[lane], dy[lane], dz[lane]);
            for axis in 0..3 {
                if direction[axis] > 0.999 {
                    most[axis] = self.reach[group][lane];
                } else if direction[axis] < -0.999 {
                    least[axis] = -self.reach[group][lane];
                }
            }
        }
        let (middle, half) = ((most + least) * 0.5, (most - least) * 0.5);
        let mut share = f32::MAX;
        for (group, lane) in lanes() {
            let [dx, dy, dz] = self.directions[group];
            let direction = Vec3::new(dx[lane], dy[lane], dz[lane]);
            let room = self.reach[group][lane] - direction.dot(middle);
            share = share.min(room / (direction * half).length());
        }
        // Rounded down, for the rounding of what is compared with it.
        let radius = half * (share * 0.999);
        if radius.is_finite() && radius.min_element() > 0.0 {
            self.middle = middle;
            self.per_radius = radius.recip();
        }
    }
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
    fn the_ellipsoid_hides_nothing_that_is_outermost() {
        let directions = around(8);
        let mut seed = 1_u32;
        let mut number = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) as f32 / (1 << 23) as f32 - 1.0
        };
        let points: Vec<Vec3> =
            (0..20_000).map(|_| Vec3::new(number() * 3.0, number() + 5.0, number() * number())).collect();
        let mut extremes = Extremes::new(&directions);
        points.iter().for_each(|&point| extremes.include(point, point));
        assert!(extremes.per_radius.is_finite(), "it was never widened");
        for ([x, y, z], reach) in directions.iter().zip(&extremes.reach) {
            for lane in 0..4 {
                let direction = Vec3::new(x[lane], y[lane], z[lane]);
                let exact = points.iter().map(|point| point.dot(direction)).fold(f32::MIN, f32::max);
                assert!((reach[lane] - exact).abs() < 1e-5, "{} for {exact}", reach[lane]);
            }
        }
    }
}
