//! Encoding of keys for [`interpolate`](super::interpolate): computes all that depends on the keys alone.
//!
//! Runs once per clip. Elements and keys are stored as flat numbers: if this code were generic in their width, the
//! shipped module would contain it ten times.
use super::Rotations;
use super::cursor::Timeline;
use crate::angle::{arc_cosine, sine};
use crate::model::Interpolation;

/// Kind of interpolation. Batches are sampled in this order, and a group's first kind writes its constants.
///
/// Stepped lanes have any kind except a spline: alpha is always 0 on their timeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Straight,
    Chord,
    ShortArc,
    LongArc,
    Spline,
}

/// Cosine of the widest short arc, 0.35 radians on the unit sphere of quaternions (half the angle of rotation). Up to
/// here two coefficients keep the error below 2e-8, less than half a unit in the last place of 1. Four coefficients do
/// so up to a right angle.
pub(super) const COSINE_OF_SHORT_ARC: f64 = 0.939_372_712_847_378_9;
/// Number of coefficients of a long arc.
const MOST_COEFFICIENTS: usize = 4;

impl Kind {
    pub(super) const ALL: [Self; 5] =
        [Self::Straight, Self::Chord, Self::ShortArc, Self::LongArc, Self::Spline];

    /// Returns the kind for a track. `rotations` is `None` unless the elements are rotations.
    pub(super) fn of(interpolation: Interpolation, elements: &[f32], rotations: Option<Rotations>) -> Self {
        match (interpolation, rotations) {
            (Interpolation::CubicSpline, _) => Self::Spline,
            (_, None) => Self::Straight,
            (_, Some(Rotations::Chord)) => Self::Chord,
            (Interpolation::Linear, Some(Rotations::Arc)) if has_long_arc(elements) => Self::LongArc,
            (_, Some(Rotations::Arc)) => Self::ShortArc,
        }
    }

    pub(super) fn elements_per_key(self) -> usize {
        if self == Self::Spline { 3 } else { 1 }
    }

    /// Returns how many numbers a key stores, for elements with `width` components.
    pub(super) fn numbers_per_key(self, width: usize) -> usize {
        match self {
            Self::Straight | Self::Chord => width,
            Self::ShortArc => width + 2,
            Self::LongArc => width + 4,
            Self::Spline => width * 3,
        }
    }

    /// Encodes the keys of one lane. A spline has three elements per key, the other kinds one.
    pub(super) fn encode(self, timeline: &Timeline, elements: &[f32], width: usize) -> Vec<f32> {
        match self {
            Self::Straight => elements.to_vec(),
            Self::Chord => short_way(elements),
            Self::ShortArc => encode_arcs(timeline, elements, 2),
            Self::LongArc => encode_arcs(timeline, elements, 4),
            Self::Spline => encode_spline(&timeline.key_times_secs, elements, width),
        }
    }
}

/// Encodes rotations, each with the coefficients of the arc to the next one.
///
/// SLERP weights its ends by `sin(α·θ) / sin(θ)`, with 1 − α and with α. For one arc it depends on alpha alone:
///
/// ```text
/// sin(α·θ) / sin(θ)  =  α + α·(α² − 1) · R(α²)
/// ```
///
/// R is so smooth that a few coefficients, fitted once per arc, are exact to the last bit. The evaluation needs no
/// branch, no sine and no division, and is exact at the ends. Between equal keys it is linear interpolation.
fn encode_arcs(timeline: &Timeline, rotations: &[f32], coefficient_count: usize) -> Vec<f32> {
    // Stepped keys aren't interpolated, and stay as they are in the file.
    let rotations = if timeline.is_stepped { rotations.to_vec() } else { short_way(rotations) };
    let (rotations, _) = rotations.as_chunks::<4>();
    let alphas = alphas_to_fit(coefficient_count);
    let alphas = &alphas[..coefficient_count];
    let mut keys = Vec::with_capacity(rotations.len() * (4 + coefficient_count));
    for (index, rotation) in rotations.iter().enumerate() {
        let mut coefficients = [0.0; MOST_COEFFICIENTS];
        if let Some(next) = rotations.get(index + 1).filter(|_| !timeline.is_stepped) {
            let angle = arc_cosine(dot(rotation, next));
            fit_arc(angle, alphas, &mut coefficients[..coefficient_count]);
        }
        keys.extend(rotation);
        keys.extend(coefficients[..coefficient_count].iter().map(|&coefficient| coefficient as f32));
    }
    keys
}

/// Returns the rotations, each negated if that brings it to the hemisphere of the one before. q and −q are the same
/// rotation, but only one of them is near.
fn short_way(rotations: &[f32]) -> Vec<f32> {
    let mut near = rotations.to_vec();
    let (rotations, _) = near.as_chunks_mut::<4>();
    for index in 1..rotations.len() {
        if dot(&rotations[index - 1], &rotations[index]) < 0.0 {
            rotations[index].iter_mut().for_each(|component| *component = -*component);
        }
    }
    near
}

/// Returns whether any arc between neighbouring keys, the short way, is wider than a short one.
fn has_long_arc(rotations: &[f32]) -> bool {
    let ends = rotations.as_chunks::<4>().0.windows(2);
    ends.map(|ends| dot(&ends[0], &ends[1]).abs()).any(|cosine| cosine < COSINE_OF_SHORT_ARC)
}

fn dot(a: &[f32; 4], b: &[f32; 4]) -> f64 {
    a.iter().zip(b).map(|(&a, &b)| f64::from(a) * f64::from(b)).sum()
}

/// Returns the alphas to which R is fitted: the square roots of as many Chebyshev nodes from 0 to 1. Those beyond the
/// count mean nothing.
fn alphas_to_fit(count: usize) -> [f64; MOST_COEFFICIENTS] {
    let step = std::f64::consts::FRAC_PI_2 / (2 * count) as f64;
    std::array::from_fn(|k| sine((2 * k + 1) as f64 * step))
}

/// Fits R of an arc by a polynomial of alpha's square through some alphas, one for each of its coefficients.
fn fit_arc(angle: f64, alphas: &[f64], powers: &mut [f64]) {
    let count = powers.len();
    let whole = sine(angle);
    let r = |alpha: f64, y: f64| {
        if angle < 1e-4 {
            return -angle * angle / 6.0;
        }
        (sine(alpha * angle) / (alpha * whole) - 1.0) / (y - 1.0)
    };
    let (mut nodes, mut differences) = ([0.0; MOST_COEFFICIENTS], [0.0; MOST_COEFFICIENTS]);
    for (k, &alpha) in alphas.iter().enumerate() {
        nodes[k] = alpha * alpha;
        differences[k] = r(alpha, nodes[k]);
    }
    for order in 1..count {
        for k in (order..count).rev() {
            differences[k] = (differences[k] - differences[k - 1]) / (nodes[k] - nodes[k - order]);
        }
    }
    // Conversion from Newton's form to powers, innermost first.
    for (difference, node) in differences[..count].iter().zip(&nodes[..count]).rev() {
        for k in (0..count).rev() {
            powers[k] = if k > 0 { powers[k - 1] } else { 0.0 } - node * powers[k];
        }
        powers[0] += difference;
    }
}

/// Encodes a spline, with tangents multiplied by the length of their interval as in the glTF specification.
fn encode_spline(times_secs: &[f32], elements: &[f32], width: usize) -> Vec<f32> {
    let span = |key: Option<usize>| {
        let ends = key.and_then(|key| Some((times_secs.get(key)?, times_secs.get(key + 1)?)));
        ends.map_or(0.0, |(start, end)| end - start)
    };
    let mut keys = elements.to_vec();
    for (key, numbers) in keys.chunks_exact_mut(3 * width).enumerate() {
        numbers[..width].iter_mut().for_each(|arriving| *arriving *= span(key.checked_sub(1)));
        numbers[2 * width..].iter_mut().for_each(|leaving| *leaving *= span(Some(key)));
    }
    keys
}
