//! Curves of any kind become keys that straight lines and arcs join, close enough that no one can tell.
use super::curves::{Curve, Side, Span};
use super::sources::single_of;
use crate::import::budget::Budget;
use crate::import::matrices::decompose;
use crate::import::{ImportError, ImportProblem};
use crate::model::Interpolation;
use glam::{Affine3A, Quat, Vec3};
use std::rc::Rc;
use std::sync::Arc;

/// The stretch of time that a clip shows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    /// What becomes 0.
    pub(super) start: f64,
    /// Where the clip is cut, on both sides; `None` takes all keys there are.
    pub(super) end: Option<f64>,
}

pub(super) struct Baked<V> {
    pub(super) times_secs: Arc<[f32]>,
    pub(super) values: Vec<V>,
    pub(super) interpolation: Interpolation,
}

/// What can be keyed.
pub(super) trait Value: Clone + PartialEq {
    /// As the player will have it between two keys.
    fn mix(&self, to: &Self, alpha: f32) -> Self;

    /// How far two of them are apart, for the size of the whole motion.
    fn apart(&self, other: &Self) -> f32;

    fn is_finite(&self) -> bool;

    /// How far it is from the exact one in parts of what may be missed, given the size of the motion.
    fn miss(&self, exact: &Self, motion: f32) -> f32;
}

pub(super) struct Baker<'a> {
    pub(super) curves: &'a [Rc<Curve>],
    pub(super) window: Window,
    pub(super) budget: &'a Budget,
    /// How much work a value is, in transforms and curves.
    pub(super) cost: usize,
    /// Of the error where the keys would be too many.
    pub(super) place: &'a dyn Fn() -> String,
}

// Of a straight motion's length, and of an angle in radians: a tenth of what two formats of one model may differ by.
const TOLERANCE: f32 = 1e-4;

// Each halving takes the error of a smooth curve to a quarter: seven are enough. Wild ones stop here.
const MOST_HALVINGS: u32 = 10;

// Not even parts, so that whole turns between two keys don't look like rest.
const PROBES: [f64; 3] = [0.2113, 0.5, 0.7887];

impl Baker<'_> {
    /// Keys at every key of every curve, and as many between as the motion needs.
    pub(super) fn bake<V: Value>(&self, at: impl Fn(f64, Side) -> V) -> Result<Baked<V>, ImportError> {
        self.run(&at, true)
    }

    /// Keys at the curves' own, and none between: what lies there is the player's to say.
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
            // Where a clip ends, what begins there belongs to the next.
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

    /// Each key time within the window, once, and the window's ends.
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
    /// Of keys that fall on one time in singles the last stays.
    fn push(&mut self, time: f64, value: V) {
        let time = single_of(time - self.start).max(0.0);
        if self.times_secs.last().is_some_and(|last| *last >= time) {
            self.times_secs.pop();
            self.values.pop();
        }
        self.times_secs.push(time);
        self.values.push(value);
    }

    /// The end of what a jump cuts off.
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
        // What singles can't tell apart isn't missed.
        let tolerance = TOLERANCE * motion + 1e-6 * exact.abs().max_element();
        self.apart(exact) / tolerance.max(f32::MIN_POSITIVE)
    }
}

impl Value for Quat {
    fn mix(&self, to: &Self, alpha: f32) -> Self {
        self.slerp(*to, alpha)
    }

    fn apart(&self, other: &Self) -> f32 {
        // Half the angle is twice the chord, for angles that matter here; both signs are one rotation.
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

/// Morph weights, one a target.
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
    /// Taken apart, or element by element where one of them shears.
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
