//! Converts curves to keys with stepped or linear interpolation, accurate enough that no difference is visible.
use super::curves::{Curve, Side, Span};
use super::sources::single_of;
use crate::import::budget::Budget;
use crate::import::matrices::decompose;
use crate::import::{ImportError, ImportProblem};
use crate::model::Interpolation;
use glam::{Affine3A, Quat, Vec3};
use std::rc::Rc;
use std::sync::Arc;

/// The range of time that a clip covers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    /// The time that becomes 0 in the clip.
    pub(super) start: f64,
    /// The time at which the clip is cut, as it is at `start`. `None` keeps all keys.
    pub(super) end: Option<f64>,
}

pub(super) struct Baked<V> {
    pub(super) times_secs: Arc<[f32]>,
    pub(super) values: Vec<V>,
    pub(super) interpolation: Interpolation,
}

/// A type that can be keyed.
pub(super) trait Value: Clone + PartialEq {
    /// Interpolates as the player does between two keys.
    fn mix(&self, to: &Self, alpha: f32) -> Self;

    /// Returns the distance between two values, from which the size of the whole motion is computed.
    fn apart(&self, other: &Self) -> f32;

    fn is_finite(&self) -> bool;

    /// Returns the error against the exact value, relative to the tolerance for a motion of this size.
    fn miss(&self, exact: &Self, motion: f32) -> f32;
}

pub(super) struct Baker<'a> {
    pub(super) curves: &'a [Rc<Curve>],
    pub(super) window: Window,
    pub(super) budget: &'a Budget,
    /// Work per value, in transforms and curves.
    pub(super) cost: usize,
    /// Returns the place for errors.
    pub(super) place: &'a dyn Fn() -> String,
}

// Relative to the size of a motion, and in radians for an angle. It is a tenth of the difference that is allowed
// between two formats of one model.
const TOLERANCE: f32 = 1e-4;

// Each halving quarters the error of a smooth curve, so seven are enough. Rough curves stop at this limit.
const MOST_HALVINGS: u32 = 10;

// Uneven parts, so that whole turns between two keys aren't taken for rest.
const PROBES: [f64; 3] = [0.2113, 0.5, 0.7887];

impl Baker<'_> {
    /// Returns keys at every key of every curve, and as many between as the motion needs.
    pub(super) fn bake<V: Value>(&self, at: impl Fn(f64, Side) -> V) -> Result<Baked<V>, ImportError> {
        self.run(&at, true)
    }

    /// Returns keys at the curves' own keys only. The player interpolates between them.
    pub(super) fn keep<V: Value>(&self, at: impl Fn(f64, Side) -> V) -> Result<Baked<V>, ImportError> {
        self.run(&at, false)
    }

    fn run<V: Value>(&self, at: &dyn Fn(f64, Side) -> V, refine: bool) -> Result<Baked<V>, ImportError> {
        let is_stepped = self.curves.iter().all(|curve| curve.uniform() == Some(Span::Step));
        let times = self.times()?;
        self.charge(times.len().saturating_mul(4))?;
        let motion = self.motion(&times, at);
        let mut keys = Keys { times_secs: Vec::new(), values: Vec::new(), start: self.window.start };
        let mut before: Option<(f64, V)> = None;
        for (index, &time) in times.iter().enumerate() {
            let is_cut = self.window.end.is_some() && index + 1 == times.len() && index > 0;
            let arriving = at(time, Side::Before);
            // At a clip's end, a value that begins there belongs to the next clip.
            let value = if is_cut { arriving.clone() } else { at(time, Side::After) };
            if let Some((from_time, from)) = before.filter(|_| refine && !is_stepped) {
                self.refine((from_time, &from), (time, &arriving), motion, at, &mut keys)?;
                if arriving != value {
                    keys.push_just_before(time, arriving);
                }
            }
            keys.push(time, value.clone());
            before = Some((time, value));
        }
        if !keys.values.iter().all(V::is_finite) {
            return Err(ImportProblem::ValueNotFinite.at((self.place)(), "a key".into()));
        }
        let interpolation = if is_stepped { Interpolation::Step } else { Interpolation::Linear };
        Ok(Baked { times_secs: keys.times_secs.into(), values: keys.values, interpolation })
    }

    fn charge(&self, count: usize) -> Result<(), ImportError> {
        self.budget.charge(count as u64, 8 * self.cost.max(4), self.place)
    }

    /// Returns each key time within the window once, and the window's ends.
    fn times(&self) -> Result<Vec<f64>, ImportError> {
        let count: usize = self.curves.iter().map(|curve| curve.times.len()).sum();
        self.budget.charge(count as u64 + 2, 2 * size_of::<f64>(), self.place)?;
        let all = self.curves.iter().flat_map(|curve| &curve.times).copied();
        let Window { start, end } = self.window;
        let mut times: Vec<f64> = match end {
            Some(end) => all.filter(|time| start < *time && *time < end).chain([start, end]).collect(),
            None => all.collect(),
        };
        times.sort_by(f64::total_cmp);
        times.dedup();
        Ok(times)
    }

    fn motion<V: Value>(&self, times: &[f64], at: &dyn Fn(f64, Side) -> V) -> f32 {
        let Some(first) = times.first().map(|time| at(*time, Side::After)) else { return 0.0 };
        let halfway = times.windows(2).map(|pair| pair.iter().sum::<f64>() / 2.0);
        let all = times.iter().copied().chain(halfway);
        all.map(|time| at(time, Side::After).apart(&first)).fold(0.0, f32::max)
    }

    fn refine<V: Value>(
        &self,
        (start, from): (f64, &V),
        (end, to): (f64, &V),
        motion: f32,
        at: &dyn Fn(f64, Side) -> V,
        keys: &mut Keys<V>,
    ) -> Result<(), ImportError> {
        let mut waiting = vec![(start, from.clone(), end, to.clone(), 0)];
        while let Some((start, from, stop, to, halvings)) = waiting.pop() {
            self.charge(PROBES.len() + 1)?;
            let span = stop - start;
            let hits = |probe: &f64| {
                from.mix(&to, single_of(*probe)).miss(&at(start + span * probe, Side::After), motion) <= 1.0
            };
            if halvings == MOST_HALVINGS || PROBES.iter().all(hits) {
                if stop < end {
                    keys.push(stop, to);
                }
                continue;
            }
            let middle = start + span / 2.0;
            let value = at(middle, Side::After);
            waiting.push((middle, value.clone(), stop, to, halvings + 1));
            waiting.push((start, from, middle, value, halvings + 1));
        }
        Ok(())
    }
}

struct Keys<V> {
    times_secs: Vec<f32>,
    values: Vec<V>,
    start: f64,
}

impl<V> Keys<V> {
    /// Adds a key. Of keys at the same time as `f32`, the last is kept.
    fn push(&mut self, time: f64, value: V) {
        let time = single_of(time - self.start).max(0.0);
        if self.times_secs.last().is_some_and(|last| *last >= time) {
            self.times_secs.pop();
            self.values.pop();
        }
        self.times_secs.push(time);
        self.values.push(value);
    }

    /// Adds the value at the end of a span that a jump follows.
    fn push_just_before(&mut self, time: f64, value: V) {
        let time = single_of(time - self.start).next_down();
        if time > 0.0 && self.times_secs.last().is_none_or(|last| *last < time) {
            self.times_secs.push(time);
            self.values.push(value);
        }
    }
}

impl Value for Vec3 {
    fn mix(&self, to: &Self, alpha: f32) -> Self {
        self.lerp(*to, alpha)
    }

    fn apart(&self, other: &Self) -> f32 {
        (*self - *other).abs().max_element()
    }

    fn is_finite(&self) -> bool {
        Vec3::is_finite(*self)
    }

    fn miss(&self, exact: &Self, motion: f32) -> f32 {
        // Differences that an `f32` can't represent are tolerated.
        let tolerance = TOLERANCE * motion + 1e-6 * exact.abs().max_element();
        self.apart(exact) / tolerance.max(f32::MIN_POSITIVE)
    }
}

impl Value for Quat {
    fn mix(&self, to: &Self, alpha: f32) -> Self {
        self.slerp(*to, alpha)
    }

    fn apart(&self, other: &Self) -> f32 {
        // The chord is half the angle, for the small angles that matter here. Both signs are one rotation.
        let chord = (*self - *other).length().min((*self + *other).length());
        2.0 * chord
    }

    fn is_finite(&self) -> bool {
        Quat::is_finite(*self)
    }

    fn miss(&self, exact: &Self, _: f32) -> f32 {
        self.apart(exact) / TOLERANCE
    }
}

/// Morph weights, one per target.
impl Value for Vec<f32> {
    fn mix(&self, to: &Self, alpha: f32) -> Self {
        self.iter().zip(to).map(|(from, to)| from + (to - from) * alpha).collect()
    }

    fn apart(&self, other: &Self) -> f32 {
        self.iter().zip(other).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
    }

    fn is_finite(&self) -> bool {
        self.iter().all(|weight| weight.is_finite())
    }

    fn miss(&self, exact: &Self, motion: f32) -> f32 {
        self.apart(exact) / (TOLERANCE * motion).max(1e-6)
    }
}

impl Value for Affine3A {
    /// Interpolates scale, rotation and translation, or the elements if one of the matrices shears.
    fn mix(&self, to: &Self, alpha: f32) -> Self {
        let (from_srt, from_whole) = decompose(self);
        let (to_srt, to_whole) = decompose(to);
        if from_whole && to_whole {
            return Self::from_scale_rotation_translation(
                from_srt.scale.lerp(to_srt.scale, alpha),
                from_srt.rotation.slerp(to_srt.rotation, alpha),
                from_srt.translation.lerp(to_srt.translation, alpha),
            );
        }
        Self {
            matrix3: self.matrix3 * (1.0 - alpha) + to.matrix3 * alpha,
            translation: self.translation.lerp(to.translation, alpha),
        }
    }

    fn apart(&self, other: &Self) -> f32 {
        (self.translation - other.translation).abs().max_element()
    }

    fn is_finite(&self) -> bool {
        Affine3A::is_finite(self)
    }

    fn miss(&self, exact: &Self, motion: f32) -> f32 {
        let axes = exact.matrix3;
        let largest = |axes: glam::Mat3A| {
            let each = axes.x_axis.abs().max(axes.y_axis.abs()).max(axes.z_axis.abs());
            each.max_element()
        };
        let tolerance = (TOLERANCE * largest(axes)).max(f32::MIN_POSITIVE);
        let place = Vec3::from(self.translation).miss(&exact.translation.into(), motion);
        place.max(largest(self.matrix3 - axes) / tolerance)
    }
}
