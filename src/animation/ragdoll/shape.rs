//! Shapes of bodies: a point, a segment or a rectangle with a radius, which is a sphere, a capsule or a box with round
//! edges.
use glam::{Mat3, Vec3};

/// Half sizes along the first two axes of a body, and the radius around what they span.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Shape {
    pub(super) half: [f32; 2],
    pub(super) radius: f32,
}

/// Cross sections up to this proportion of width to depth become circles.
const ROUND: f32 = 1.25;
/// Share of a box's depth by which its radius exceeds it, so that its flat sides have no sharp edge.
const EDGE: f32 = 1.1;
/// Smallest radius, as a share of the model's size. A thinner body would pass through others in one step.
const LEAST_RADIUS: f32 = 0.012;

/// Movement of a nearest point, as a share of the model's size, below which it is near enough.
const CLOSE: f32 = 1e-4;

/// A shape with its pose, to find the nearest points of two of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed<'a> {
    pub(super) shape: &'a Shape,
    pub(super) center: Vec3,
    pub(super) axes: &'a Mat3,
}

impl Shape {
    /// Fits a shape to points, and returns it with its center and axes. Every point is inside, up to the difference
    /// between a round and a square cross section.
    pub(super) fn fitted(points: &[Vec3]) -> (Self, Vec3, Mat3) {
        let mut axes = principal_axes(points);
        let (mut least, mut most) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        let turned = |axes: &Mat3, point: Vec3| axes.transpose() * point;
        for &point in points {
            let point = turned(&axes, point);
            (least, most) = (least.min(point), most.max(point));
        }
        // The longest axis comes first, the shortest last.
        let mut order = [0, 1, 2];
        let extent = most - least;
        for (a, b) in [(0, 1), (1, 2), (0, 1)] {
            if extent[order[a]] < extent[order[b]] {
                order.swap(a, b);
            }
        }
        let center = axes * ((least + most) * 0.5);
        let [x, y] = [order[0], order[1]].map(|axis| axes.col(axis));
        axes = Mat3::from_cols(x, y, x.cross(y));
        let half = order.map(|axis| extent[axis] * 0.5);
        let is_round = half[1] <= half[2] * ROUND;
        let radius = if is_round { around(points, center, x) } else { half[2] * EDGE };
        let radius = radius.max(LEAST_RADIUS);
        let mut shape = Self { half: [0.0; 2], radius };
        for &point in points {
            let [x, y, z] = turned(&axes, point - center).to_array().map(f32::abs);
            if is_round {
                let reach = (radius * radius - y * y - z * z).max(0.0).sqrt();
                shape.half[0] = shape.half[0].max(x - reach);
            } else {
                // At a corner, the reach is shared by both directions.
                let reach = (radius * radius - z * z).max(0.0).sqrt() * std::f32::consts::FRAC_1_SQRT_2;
                shape.half = [shape.half[0].max(x - reach), shape.half[1].max(y - reach)];
            }
        }
        (shape, center, axes)
    }

    pub(super) fn volume(&self) -> f32 {
        let ([x, y], radius) = (self.half, self.radius);
        let pi = std::f32::consts::PI;
        8.0 * x * y * radius + pi * radius * radius * (2.0 * (x + y) + 4.0 / 3.0 * radius)
    }

    /// Returns the moments of inertia about the body's axes for a mass of 1: those of a shape between the box and the
    /// ellipsoid of the same size. The smallest is raised, since a thin body would spin too easily for its joints.
    pub(super) fn inertia(&self) -> Vec3 {
        let [x, y, z] =
            [self.half[0] + self.radius, self.half[1] + self.radius, self.radius].map(|half| half * half);
        let inertia = Vec3::new(y + z, x + z, x + y) * 0.25;
        inertia.max(Vec3::splat(inertia.max_element() * 0.3))
    }

    /// Returns the distance from the center to the farthest point.
    pub(super) fn reach(&self) -> f32 {
        (self.half[0] * self.half[0] + self.half[1] * self.half[1]).sqrt() + self.radius
    }

    /// Returns the corners of what the radius is around: one, two or four.
    pub(super) fn corners(&self) -> ([Vec3; 4], usize) {
        let [x, y] = self.half;
        let corners =
            [Vec3::new(x, y, 0.0), Vec3::new(-x, y, 0.0), Vec3::new(x, -y, 0.0), Vec3::new(-x, -y, 0.0)];
        (
            corners,
            if x == 0.0 && y == 0.0 {
                1
            } else if y == 0.0 {
                2
            } else {
                4
            },
        )
    }
}

impl Placed<'_> {
    /// Returns the point of the segment or rectangle that is nearest to a point.
    fn nearest(&self, point: Vec3) -> Vec3 {
        let [x, y] = self.shape.half;
        let local = self.axes.transpose() * (point - self.center);
        self.center + self.axes.x_axis * local.x.max(-x).min(x) + self.axes.y_axis * local.y.max(-y).min(y)
    }

    /// Returns the distance of a point from the surface; negative inside.
    pub(super) fn distance(&self, point: Vec3) -> f32 {
        self.nearest(point).distance(point) - self.shape.radius
    }

    /// Returns the nearest points of two segments or rectangles, without their radii.
    ///
    /// Projecting a point from one to the other in turn converges, since both are convex, but slowly where they are
    /// nearly parallel. What is left of the error after these rounds is small beside the radii.
    pub(super) fn nearest_points(&self, other: &Self) -> [Vec3; 2] {
        let mut on_other = other.nearest(self.center);
        let mut on_self = self.nearest(on_other);
        let mut last_way = f32::INFINITY;
        for _ in 0..10 {
            let before = on_self;
            on_other = other.nearest(on_self);
            on_self = self.nearest(on_other);
            let way = on_self.distance(before);
            // On straight lines each way is the same share of the last, and all that follow add up to this.
            let share = way / last_way;
            let ahead = share / (1.0 - share);
            if way < 1e-7 || (share > 0.0 && share < 1.0 && way * ahead < CLOSE) {
                break;
            }
            last_way = way;
            if share > 0.0 && share < 1.0 {
                let jumped = self.nearest(on_self + (on_self - before) * ahead);
                if jumped.distance_squared(other.nearest(jumped)) < on_self.distance_squared(on_other) {
                    on_self = jumped;
                    last_way = f32::INFINITY;
                }
            }
        }
        [on_self, other.nearest(on_self)]
    }
}

/// Returns a radius between the quadratic mean of the distances from an axis and the greatest.
fn around(points: &[Vec3], center: Vec3, axis: Vec3) -> f32 {
    let (mut sum, mut most) = (0.0, 0.0_f32);
    for &point in points {
        let squared = (point - center).cross(axis).length_squared();
        sum += squared;
        most = most.max(squared);
    }
    (sum / points.len().max(1) as f32).sqrt() * 0.15 + most.sqrt() * 0.85
}

/// Returns the axes of the ellipsoid of inertia of some points, by Jacobi's method.
fn principal_axes(points: &[Vec3]) -> Mat3 {
    let count = points.len().max(1) as f32;
    let mean = points.iter().sum::<Vec3>() / count;
    let mut covariance = Mat3::ZERO;
    for &point in points {
        let way = point - mean;
        covariance += Mat3::from_cols(way * way.x, way * way.y, way * way.z);
    }
    let scale = covariance.x_axis.x + covariance.y_axis.y + covariance.z_axis.z;
    let mut axes = Mat3::IDENTITY;
    if !(scale > 0.0 && scale.is_finite()) {
        return axes;
    }
    covariance *= 1.0 / scale;
    for (p, q) in [(0, 1), (0, 2), (1, 2)].into_iter().cycle().take(24) {
        let off = covariance.col(p)[q];
        if off.abs() < 1e-9 {
            continue;
        }
        // Tangent of the angle that makes the element zero.
        let theta = (covariance.col(q)[q] - covariance.col(p)[p]) / (2.0 * off);
        let tangent = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
        let cosine = 1.0 / (tangent * tangent + 1.0).sqrt();
        let sine = tangent * cosine;
        let mut turn = Mat3::IDENTITY;
        turn.col_mut(p)[p] = cosine;
        turn.col_mut(q)[q] = cosine;
        turn.col_mut(p)[q] = -sine;
        turn.col_mut(q)[p] = sine;
        covariance = turn.transpose() * covariance * turn;
        axes *= turn;
    }
    let x = axes.x_axis.normalize_or(Vec3::X);
    let z = x.cross(axes.y_axis).normalize_or(x.any_orthonormal_vector());
    Mat3::from_cols(x, z.cross(x), z)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Quat;

    fn numbers(seed: &mut u32) -> f32 {
        *seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (*seed >> 8) as f32 / (1 << 24) as f32 * 2.0 - 1.0
    }

    fn vector(seed: &mut u32) -> Vec3 {
        Vec3::new(numbers(seed), numbers(seed), numbers(seed))
    }

    fn rotation(seed: &mut u32) -> Mat3 {
        let axis = vector(seed).normalize_or(Vec3::X);
        Mat3::from_quat(Quat::from_axis_angle(axis, numbers(seed) * 3.0))
    }

    #[test]
    fn a_cloud_of_points_gives_its_own_shape() {
        let mut seed = 7;
        for half in [[0.3, 0.0], [0.3, 0.2], [0.0, 0.0]] {
            let axes = rotation(&mut seed);
            let center = vector(&mut seed);
            // Points on the surface: those at a distance of the radius from a point within.
            let points: Vec<Vec3> = (0..4000)
                .map(|_| {
                    let within = Vec3::new(numbers(&mut seed) * half[0], numbers(&mut seed) * half[1], 0.0);
                    center + axes * (within + vector(&mut seed).normalize_or(Vec3::Z) * 0.05)
                })
                .collect();
            let (shape, found, found_axes) = Shape::fitted(&points);
            assert!(found.distance(center) < 0.02, "{half:?}: {found} {center}");
            assert!((shape.radius - 0.05).abs() < 0.01, "{half:?}: {shape:?}");
            for axis in 0..2 {
                assert!((shape.half[axis] - half[axis]).abs() < 0.03, "{half:?}: {shape:?}");
                if half[axis] > 0.0 {
                    assert!(found_axes.col(axis).dot(axes.col(axis)).abs() > 0.98, "{half:?}");
                }
            }
            assert!((found_axes.determinant() - 1.0).abs() < 1e-4);
        }
    }

    #[test]
    fn points_without_size_give_a_small_sphere() {
        for points in [&[][..], &[Vec3::ONE], &[Vec3::ONE; 5]] {
            let (shape, center, axes) = Shape::fitted(points);
            assert_eq!((shape.half, shape.radius), ([0.0; 2], LEAST_RADIUS));
            assert!(axes.is_finite() && (center.is_finite() || points.is_empty()));
        }
    }

    #[test]
    fn volumes_and_inertias_are_near_those_of_many_points() {
        let mut seed = 3;
        for half in [[0.0, 0.0], [0.5, 0.0], [2.0, 0.0], [0.5, 0.4], [1.0, 0.2]] {
            let shape = Shape { half, radius: 0.3 };
            let most = Vec3::new(half[0] + 0.3, half[1] + 0.3, 0.3);
            let (mut inside, mut sum, count) = (0, Vec3::ZERO, 200_000);
            for _ in 0..count {
                let point = vector(&mut seed) * most;
                let [x, y] = [0, 1].map(|axis| (point[axis].abs() - half[axis]).max(0.0));
                if x * x + y * y + point.z * point.z <= 0.09 {
                    let [x, y, z] = (point * point).to_array();
                    sum += Vec3::new(y + z, x + z, x + y);
                    inside += 1;
                }
            }
            let volume = 8.0 * most.element_product() * inside as f32 / count as f32;
            assert!((shape.volume() / volume - 1.0).abs() < 0.02, "{half:?}: {} {volume}", shape.volume());
            let (found, exact) = (shape.inertia(), sum / inside as f32);
            for axis in 0..3 {
                let least = found.max_element() * 0.3;
                assert!(
                    (0.6..1.6).contains(&(found[axis] / exact[axis].max(least))),
                    "{half:?}: {found} {exact}"
                );
            }
        }
    }

    #[test]
    fn nearest_points_are_as_near_as_the_nearest_of_many() {
        let mut seed = 11;
        let mut worst = 0.0_f32;
        for round in 0..300 {
            let halves: [[f32; 2]; 2] = std::array::from_fn(|nth| match (round + nth) % 3 {
                0 => [0.2, 0.0],
                1 => [0.2, 0.1],
                _ => [0.0, 0.0],
            });
            let shapes = halves.map(|half| Shape { half, radius: 0.05 });
            let axes = [rotation(&mut seed), rotation(&mut seed)];
            let centers = [vector(&mut seed) * 0.2, vector(&mut seed) * 0.2];
            let [a, b]: [Placed<'_>; 2] = std::array::from_fn(|nth| Placed {
                shape: &shapes[nth],
                center: centers[nth],
                axes: &axes[nth],
            });
            let [on_a, on_b] = a.nearest_points(&b);
            assert!(on_a.distance(a.nearest(on_a)) < 1e-5 && on_b.distance(b.nearest(on_b)) < 1e-5);
            let mut least = f32::INFINITY;
            let grid = |index: usize| index as f32 / 40.0 * 2.0 - 1.0;
            for x in 0..=40 {
                for y in 0..=40 {
                    let on_a =
                        centers[0] + axes[0] * Vec3::new(grid(x) * halves[0][0], grid(y) * halves[0][1], 0.0);
                    least = least.min(on_a.distance(b.nearest(on_a)));
                }
            }
            worst = worst.max(on_a.distance(on_b) - least);
        }
        println!("off by {worst:.1e}");
        // A tenth of the radius of a limb.
        assert!(worst < 0.005, "{worst}");
    }
}
