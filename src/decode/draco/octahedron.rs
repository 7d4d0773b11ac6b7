//! Unit vectors as points of a square, onto which an octahedron is unfolded.
//!
//! ```text
//!  t
//!  ▲ ┌────┬────┐   The diamond in the middle is the half of the octahedron with positive x; its centre is +x. The
//!  │ │  ╱ │ ╲  │   triangles around it are the other half, folded outwards; all corners of the square are -x.
//!    ├─╱──┼──╲─┤
//!    │ ╲  │  ╱ │   The square has an odd number of columns and rows, so that its centre is one of them.
//!    └───╲┴╱───┘──▶ s
//! ```
use super::error::{Result, invalid};

#[derive(Clone, Copy)]
pub(super) struct Octahedron {
    /// Column and row of the centre.
    centre: i32,
}

impl Octahedron {
    /// # Errors
    /// If numbers of so many bits can't be the coordinates.
    pub(super) fn with_bits(bits: u32) -> Result<Self> {
        if !(2..=30).contains(&bits) {
            return Err(invalid!("normals of too few or too many bits"));
        }
        Ok(Self { centre: (1 << (bits - 1)) - 1 })
    }

    /// Returns the point that is `correction` away from `predicted`. The correction is that of a point in the bottom
    /// left quarter of the diamond, to which each prediction is moved, and its coordinates wrap around.
    pub(super) fn restore(self, predicted: [i32; 2], correction: [i32; 2]) -> [i32; 2] {
        let mut predicted = predicted.map(|coordinate| coordinate.wrapping_sub(self.centre));
        let [s, t] = predicted.map(i32::unsigned_abs);
        let is_in_diamond = s.wrapping_add(t) <= self.centre.cast_unsigned();
        if !is_in_diamond {
            predicted = self.unfold(predicted);
        }
        let mut turns = 0;
        while turns < 3 && !is_bottom_left(predicted) {
            predicted = turn(predicted);
            turns += 1;
        }
        let [s, t] = predicted;
        let [ds, dt] = correction;
        let mut point = [s.wrapping_add(ds), t.wrapping_add(dt)].map(|coordinate| self.wrap(coordinate));
        if turns > 0 {
            for _ in turns..4 {
                point = turn(point);
            }
        }
        if !is_in_diamond {
            point = self.unfold(point);
        }
        point.map(|coordinate| coordinate.wrapping_add(self.centre))
    }

    fn wrap(self, coordinate: i32) -> i32 {
        let size = 2 * self.centre + 1;
        if coordinate > self.centre {
            coordinate.wrapping_sub(size)
        } else if coordinate < -self.centre {
            coordinate.wrapping_add(size)
        } else {
            coordinate
        }
    }

    /// Mirrors a point at the edge of the diamond in its quadrant. The origin is the centre.
    fn unfold(self, [s, t]: [i32; 2]) -> [i32; 2] {
        let (right, top) = match (s.signum(), t.signum()) {
            (0, t) => (t >= 0, t >= 0),
            (s, 0) => (s >= 0, s >= 0),
            (s, t) => (s > 0, t > 0),
        };
        let corner = if right { self.centre } else { -self.centre };
        if right == top {
            [corner.wrapping_sub(t), corner.wrapping_sub(s)]
        } else {
            [t.wrapping_add(corner), s.wrapping_sub(corner)]
        }
    }

    /// Returns the point of a direction of any length, or of the opposite direction.
    pub(super) fn point(self, direction: [i64; 3], opposite: bool) -> [i32; 2] {
        let length =
            direction.iter().fold(0, |sum: i64, component| sum.saturating_add(component.saturating_abs()));
        // The sum of the components is limited so that products fit.
        let divisor = (length >> 29).max(1);
        let direction = direction.map(|component| component.wrapping_div(divisor));
        let length: i64 = direction.iter().map(|component| component.abs()).sum();
        let centre = i64::from(self.centre);
        let [x, y, z] = direction;
        let [x, y, z] = if length == 0 {
            [centre, 0, 0]
        } else {
            let (x, y) = ((x * centre).wrapping_div(length), (y * centre).wrapping_div(length));
            let rest = centre - x.abs() - y.abs();
            [x, y, if z >= 0 { rest } else { -rest }]
        };
        let [x, y, z] = if opposite { [-x, -y, -z] } else { [x, y, z] };
        let last = 2 * centre;
        let (mut s, mut t) = if x >= 0 {
            (y + centre, z + centre)
        } else {
            let fold = |own: i64, other: i64| if own < 0 { other.abs() } else { last - other.abs() };
            (fold(y, z), fold(z, y))
        };
        // Points of the square's edge that are the same direction have one representative.
        if (s == 0 || s == last) && (t == 0 || t == last) && s.min(t) == 0 {
            (s, t) = (last, last);
        } else if (s == 0 && t > centre) || (s == last && t < centre) {
            t = last - t;
        } else if (t == last && s < centre) || (t == 0 && s > centre) {
            s = last - s;
        }
        [s, t].map(|coordinate| i32::try_from(coordinate).unwrap_or_default())
    }

    /// Returns the unit vector of a point.
    #[expect(clippy::cast_precision_loss, reason = "the format rounds in this place")]
    pub(super) fn direction(self, point: [i32; 2]) -> [f32; 3] {
        let scale = 2.0 / (2 * self.centre) as f32;
        let [y, z] = point.map(|coordinate| coordinate as f32 * scale - 1.0);
        let x = 1.0 - y.abs() - z.abs();
        let fold = (-x).max(0.0);
        let [y, z] = [y, z].map(|coordinate| coordinate + if coordinate < 0.0 { fold } else { -fold });
        let squared = x * x + y * y + z * z;
        if f64::from(squared) < 1e-6 {
            return [0.0; 3];
        }
        let scale = 1.0 / squared.sqrt();
        [x * scale, y * scale, z * scale]
    }
}

/// Turns a point around the centre by a quarter.
fn turn([s, t]: [i32; 2]) -> [i32; 2] {
    [t, s.wrapping_neg()]
}

fn is_bottom_left([s, t]: [i32; 2]) -> bool {
    (s < 0 && t <= 0) || (s == 0 && t == 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn corrections_lead_to_every_direction() {
        for bits in [2, 3, 5] {
            let octahedron = Octahedron::with_bits(bits).unwrap();
            let size = (1 << bits) - 1;
            let square = || (0..size).flat_map(|s| (0..size).map(move |t| [s, t]));
            // Two points of the square's edge can be the same direction.
            let name = |point| octahedron.direction(point).map(|axis| (axis * 1e4).round() as i32);
            let all: BTreeSet<_> = square().map(name).collect();
            for predicted in square() {
                assert_eq!(name(octahedron.restore(predicted, [0, 0])), name(predicted));
                let reached = square().map(|correction| name(octahedron.restore(predicted, correction)));
                assert!(reached.collect::<BTreeSet<_>>() == all, "{predicted:?} of {bits} bits");
            }
        }
    }

    #[test]
    fn points_and_directions_correspond() {
        let octahedron = Octahedron::with_bits(10).unwrap();
        for (direction, point) in [
            ([1, 0, 0], [511, 511]),
            ([-1, 0, 0], [1022, 1022]),
            ([0, 5, 0], [1022, 511]),
            ([0, 0, -1 << 40], [511, 0]),
            ([0, 0, 0], [511, 511]),
        ] {
            assert_eq!(octahedron.point(direction, false), point, "{direction:?}");
        }
        for direction in [[3, 4, -5], [-3, 2, 1], [-1, -9, 0], [i64::MIN, 0, i64::MAX]] {
            for opposite in [false, true] {
                let length = direction.iter().map(|axis| (*axis as f64).powi(2)).sum::<f64>().sqrt();
                let sign = if opposite { -1.0 } else { 1.0 };
                let found = octahedron.direction(octahedron.point(direction, opposite));
                for (found, axis) in found.iter().zip(direction) {
                    // Half a step of the square is 1/1022; a diagonal of the octahedron makes it 1.7 times longer.
                    assert!((f64::from(*found) - sign * axis as f64 / length).abs() < 4e-3, "{direction:?}");
                }
            }
        }
    }

    #[test]
    fn no_numbers_overflow() {
        for bits in [2, 30] {
            let octahedron = Octahedron::with_bits(bits).unwrap();
            for number in [i32::MIN, -1, 0, 1, i32::MAX] {
                for other in [i32::MIN, -1, 0, 1, i32::MAX] {
                    let point = octahedron.restore([number, other], [other, number]);
                    assert!(octahedron.direction(point).iter().all(|axis| axis.is_finite()));
                }
            }
        }
        assert!(Octahedron::with_bits(1).is_err() && Octahedron::with_bits(31).is_err());
    }
}
