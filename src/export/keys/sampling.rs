//! Values of tracks at a time.
use crate::model::{Interpolation, Srt, Track, TrackValues};
use glam::{Affine3A, DVec4, Quat, Vec4};

/// Properties of a node at a time.
#[derive(Clone, Debug)]
pub(super) struct Sampled {
    pub(super) srt: Srt,
    /// Replaces `srt` for nodes that shear.
    pub(super) matrix: Option<Affine3A>,
    pub(super) morph_weights: Vec<f32>,
}

impl Sampled {
    /// Sets the property of a track. Others stay.
    pub(super) fn set(&mut self, track: &Track, time_secs: f32) {
        let times = &*track.key_times_secs;
        let span = Span::at(times, time_secs, track.interpolation);
        let vector = |values: &[glam::Vec3]| {
            span.value(&|at| values.get(at).map_or(Vec4::ZERO, |value| value.extend(0.0))).truncate()
        };
        match &track.values {
            TrackValues::Translation(values) => self.srt.translation = vector(values),
            TrackValues::Scale(values) => self.srt.scale = vector(values),
            TrackValues::Rotation(values) => self.srt.rotation = span.rotation(values),
            TrackValues::MorphWeights(values) => {
                let count = values.len() / (times.len() * track.interpolation.elements_per_key()).max(1);
                self.morph_weights.resize(count, 0.0);
                for (target, morph_weight) in self.morph_weights.iter_mut().enumerate() {
                    let number = |at: usize| values.get(at * count + target).copied().unwrap_or_default();
                    *morph_weight = span.value(&|at| Vec4::splat(number(at))).x;
                }
            }
            TrackValues::Matrix(values) => {
                let element = |at: usize| values.get(at).copied().unwrap_or(Affine3A::IDENTITY);
                let (from, to) = (element(span.from), element(span.to));
                let columns = from.to_cols_array().into_iter().zip(to.to_cols_array());
                let mut between = columns.map(|(from, to)| from + (to - from) * span.alpha);
                self.matrix = Some(Affine3A::from_cols_array(&std::array::from_fn(|_| {
                    between.next().unwrap_or_default()
                })));
            }
        }
    }
}

/// Returns the rotation between two on the shorter arc, in double precision, since singles would be off by as much as
/// rounded keys are.
///
/// Like many players, it doesn't normalise. Rotations of 16 bits are a little too short or too long, which scales.
pub(super) fn slerp(from: Quat, to: Quat, alpha: f32) -> Quat {
    let (from, to) = (DVec4::from(from.as_dquat()), DVec4::from(to.as_dquat()));
    let cos = from.dot(to) / (from.length() * to.length()).max(f64::MIN_POSITIVE);
    let to = if cos < 0.0 { -to } else { to };
    let (arc, alpha) = (cos.abs().min(1.0).acos(), f64::from(alpha));
    let sin = arc.sin();
    let between = if sin < 1e-6 {
        from.lerp(to, alpha)
    } else {
        (from * ((1.0 - alpha) * arc).sin() + to * (alpha * arc).sin()) / sin
    };
    Quat::from_vec4(between.as_vec4())
}

/// The keys around a time.
struct Span {
    from: usize,
    to: usize,
    alpha: f32,
    secs: f32,
    interpolation: Interpolation,
}

impl Span {
    fn at(times_secs: &[f32], time_secs: f32, interpolation: Interpolation) -> Self {
        let after = times_secs.partition_point(|&key_secs| key_secs <= time_secs);
        let last = times_secs.len().saturating_sub(1);
        let (from, to) = (after.saturating_sub(1), after.min(last));
        let time = |at: usize| times_secs.get(at).copied().unwrap_or_default();
        let secs = time(to) - time(from);
        let alpha = if secs > 0.0 && interpolation != Interpolation::Step {
            ((time_secs - time(from)) / secs).clamp(0.0, 1.0)
        } else {
            0.0
        };
        Self { from, to, alpha, secs, interpolation }
    }

    fn value(&self, element: &dyn Fn(usize) -> Vec4) -> Vec4 {
        let &Self { from, to, alpha, secs, interpolation } = self;
        match interpolation {
            Interpolation::CubicSpline => {
                let (squared, cubed) = (alpha * alpha, alpha * alpha * alpha);
                let (value, out) = (element(from * 3 + 1), element(from * 3 + 2));
                let (into, next) = (element(to * 3), element(to * 3 + 1));
                value * (2.0 * cubed - 3.0 * squared + 1.0)
                    + out * ((cubed - 2.0 * squared + alpha) * secs)
                    + next * (3.0 * squared - 2.0 * cubed)
                    + into * ((cubed - squared) * secs)
            }
            _ => element(from).lerp(element(to), alpha),
        }
    }

    fn rotation(&self, values: &[Quat]) -> Quat {
        let element = |at: usize| values.get(at).copied().unwrap_or(Quat::IDENTITY);
        let unit = |value: Vec4| value.try_normalize().map_or(Quat::IDENTITY, Quat::from_vec4);
        match self.interpolation {
            Interpolation::CubicSpline => unit(self.value(&|at| Vec4::from(element(at)))),
            _ => slerp(element(self.from), element(self.to), self.alpha),
        }
    }
}
