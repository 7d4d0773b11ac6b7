//! Matrix keys that shear, converted to keys of two nodes.
use super::split::{Split, to_f64};
use crate::model::Interpolation;
use glam::{Affine3A, DMat3, DVec3};

/// A pair of nodes at each key, and at additional keys where interpolating between pairs would deviate from the
/// interpolated matrices.
pub(super) struct Baked {
    pub(super) keys: Vec<(f32, Split)>,
    /// Largest remaining error between keys, relative to the largest element of the matrices.
    pub(super) worst: f64,
}

/// Converts matrix keys to keys of two nodes. The first pair is the one most similar to `near`.
pub(super) fn baked(
    key_times_secs: &[f32],
    parent_from_node: &[Affine3A],
    interpolation: Interpolation,
    near: &Split,
    halvings_left: &mut HalvingsLeft,
) -> Baked {
    let mut matrices = key_times_secs.iter().copied().zip(parent_from_node.iter().map(Key::of));
    let Some((first_secs, mut from)) = matrices.next() else { return Baked { keys: Vec::new(), worst: 0.0 } };
    let largest = parent_from_node.iter().map(|matrix| largest(&to_f64(matrix).0)).fold(0.0, f64::max);
    halvings_left.0 = halvings_left.0.saturating_add(parent_from_node.len() * MOST_HALVINGS_OF_KEY);
    let mut baker = Baker {
        keys: vec![(first_secs, Split::of(&from.linear, from.translation, near))],
        worst: 0.0,
        largest: largest.max(f64::MIN_POSITIVE),
        halvings_left,
    };
    let mut from_secs = first_secs;
    for (to_secs, to) in matrices {
        match interpolation {
            Interpolation::Step => baker.push(to_secs, &to),
            _ => baker.bake_to(&Segment { from_secs, from, to_secs, to }, to_secs, MOST_HALVINGS),
        }
        (from_secs, from) = (to_secs, to);
    }
    Baked { keys: baker.keys, worst: baker.worst }
}

/// Largest error allowed, relative to the matrices' largest element. Children are off by the same fraction of their
/// distance from the node. This is a quarter of the error that the whole file may have, since such nodes may be
/// nested.
const TOLERANCE: f64 = 2.5e-5;

/// Most halvings of the time between two keys. They are all needed where axes of the stretch nearly cross.
const MOST_HALVINGS: u32 = 12;

/// Time between two keys that express the same matrix by different pairs. The interpolation between them is wrong,
/// but shorter than any frame. The time isn't 0, since players may divide by it.
const JUMP_SECS: f32 = 1e-6;

/// Halvings allowed for a whole file, to which each key adds [`MOST_HALVINGS_OF_KEY`]. They bound the size of the
/// output for a hostile file.
const MOST_HALVINGS_OF_FILE: usize = 50_000;
const MOST_HALVINGS_OF_KEY: usize = 32;

/// Number of keys that may still be added.
pub(super) struct HalvingsLeft(usize);

impl Default for HalvingsLeft {
    fn default() -> Self {
        Self(MOST_HALVINGS_OF_FILE)
    }
}

#[derive(Clone, Copy)]
struct Key {
    linear: DMat3,
    translation: DVec3,
}

impl Key {
    fn of(parent_from_node: &Affine3A) -> Self {
        let (linear, translation) = to_f64(parent_from_node);
        Self { linear, translation }
    }
}

/// The time between two consecutive keys of the file.
struct Segment {
    from_secs: f32,
    from: Key,
    to_secs: f32,
    to: Key,
}

impl Segment {
    /// Interpolates element by element, as matrix keys are defined.
    fn at(&self, secs: f64) -> Key {
        let (from_secs, to_secs) = (f64::from(self.from_secs), f64::from(self.to_secs));
        let alpha = (secs - from_secs) / (to_secs - from_secs);
        Key {
            linear: self.from.linear * (1.0 - alpha) + self.to.linear * alpha,
            translation: self.from.translation.lerp(self.to.translation, alpha),
        }
    }
}

struct Baker<'a> {
    keys: Vec<(f32, Split)>,
    worst: f64,
    largest: f64,
    halvings_left: &'a mut HalvingsLeft,
}

impl Baker<'_> {
    /// Adds keys from the last one to `to_secs`, a time within the segment, which gets a key.
    fn bake_to(&mut self, segment: &Segment, to_secs: f32, halvings: u32) {
        let Some(&(from_secs, from)) = self.keys.last() else { return };
        let key = segment.at(to_secs.into());
        let to = Split::of(&key.linear, key.translation, &from);
        let error = self.error(segment, (from_secs, &from), (to_secs, &to));
        if error <= TOLERANCE {
            return self.keys.push((to_secs, to));
        }
        // A matrix that doesn't shear has many pairs. If one of them can be interpolated to the next key, switch to
        // it at once.
        let start = segment.at(from_secs.into());
        let other = Split::of(&start.linear, start.translation, &to);
        let after_secs = from_secs.next_up().max(from_secs + JUMP_SECS);
        if after_secs < to_secs && self.error(segment, (from_secs, &other), (to_secs, &to)) <= TOLERANCE {
            return self.keys.extend([(after_secs, other), (to_secs, to)]);
        }
        let middle_secs = from_secs + (to_secs - from_secs) / 2.0;
        let between = from_secs < middle_secs && middle_secs < to_secs;
        if !between || halvings == 0 || self.halvings_left.0 == 0 {
            self.worst = self.worst.max(error);
            return self.keys.push((to_secs, to));
        }
        self.halvings_left.0 -= 1;
        self.bake_to(segment, middle_secs, halvings - 1);
        self.bake_to(segment, to_secs, halvings - 1);
    }

    fn push(&mut self, secs: f32, key: &Key) {
        let Some((_, last)) = self.keys.last() else { return };
        let split = Split::of(&key.linear, key.translation, last);
        self.keys.push((secs, split));
    }

    fn error(&self, segment: &Segment, from: (f32, &Split), to: (f32, &Split)) -> f64 {
        let (from_secs, to_secs) = (f64::from(from.0), f64::from(to.0));
        let at = |alpha: f64| {
            let meant = segment.at(from_secs + (to_secs - from_secs) * alpha).linear;
            largest(&(from.1.linear_between(to.1, alpha) - meant)) / self.largest
        };
        [0.25, 0.5, 0.75].map(at).into_iter().fold(0.0, f64::max)
    }
}

fn largest(linear: &DMat3) -> f64 {
    linear.to_cols_array().into_iter().map(f64::abs).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{Quat, Vec3};

    fn sheared(by: f32, turn: f32, scale: Vec3) -> Affine3A {
        let mut shear = Affine3A::IDENTITY;
        shear.matrix3.y_axis.x = by;
        Affine3A::from_rotation_y(turn) * shear * Affine3A::from_scale(scale)
    }

    fn max_error(keys: &[(f32, Split)], times: &[f32], matrices: &[Affine3A]) -> f64 {
        let key = |at: usize| Key::of(&matrices[at]);
        let mut worst = 0.0_f64;
        for at in 1..times.len() {
            let segment =
                Segment { from_secs: times[at - 1], from: key(at - 1), to_secs: times[at], to: key(at) };
            for step in 0..=500 {
                let (from_secs, to_secs) = (f64::from(times[at - 1]), f64::from(times[at]));
                let secs = from_secs + (to_secs - from_secs) * f64::from(step) / 500.0;
                let after = keys.partition_point(|key| f64::from(key.0) <= secs).clamp(1, keys.len() - 1);
                let ((a_secs, a), (b_secs, b)) = (keys[after - 1], keys[after]);
                let alpha = (secs - f64::from(a_secs)) / f64::from(b_secs - a_secs);
                worst = worst.max(largest(&(a.linear_between(&b, alpha) - segment.at(secs).linear)));
            }
        }
        worst
    }

    #[test]
    fn a_clip_that_shears_and_turns_is_followed_between_its_keys() {
        let times: Vec<f32> = (0..8).map(|key| key as f32 * 0.25).collect();
        let matrices: Vec<Affine3A> = times
            .iter()
            .map(|time| sheared((time * 3.0).sin(), time * 1.5, Vec3::new(1.0, 1.0 + time * 0.2, 1.0)))
            .collect();
        let baked =
            baked(&times, &matrices, Interpolation::Linear, &Split::NONE, &mut HalvingsLeft::default());
        assert!(baked.worst <= TOLERANCE);
        assert!(baked.keys.len() < 400, "{} keys", baked.keys.len());
        assert!(max_error(&baked.keys, &times, &matrices) <= 1e-4);
        assert!(baked.keys.windows(2).all(|pair| pair[0].0 < pair[1].0));
    }

    #[test]
    fn a_way_through_a_flat_and_a_mirrored_matrix_is_followed_too() {
        let times = [0.0, 1.0, 2.0];
        let turned = Affine3A::from_quat(Quat::from_rotation_z(2.0));
        let matrices = [
            sheared(0.3, 0.0, Vec3::ONE),
            turned * sheared(0.5, 0.0, Vec3::new(-1.0, 1.0, 1.0)),
            sheared(0.0, 0.0, Vec3::ZERO),
        ];
        let baked =
            baked(&times, &matrices, Interpolation::Linear, &Split::NONE, &mut HalvingsLeft::default());
        let worst = max_error(&baked.keys, &times, &matrices);
        assert!(worst <= 1e-4, "{worst} {} {}", baked.worst, baked.keys.len());
    }

    #[test]
    fn steps_need_no_keys_between() {
        let matrices = [sheared(0.1, 0.0, Vec3::ONE), sheared(0.9, 2.0, Vec3::ONE)];
        let baked =
            baked(&[0.0, 1.0], &matrices, Interpolation::Step, &Split::NONE, &mut HalvingsLeft::default());
        assert_eq!((baked.keys.len(), baked.worst), (2, 0.0));
    }
}
