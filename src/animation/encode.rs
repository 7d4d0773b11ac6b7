//! What the keys of a track store, so that [`interpolate`](super::interpolate) has little left to do.
//!
//! Runs once for each clip. Elements and keys lie flat, so many numbers each: were it generic in how many, the shipped
//! module would hold it ten times over.
use super::Rotations;
use super::cursor::Timeline;
use crate::angle::{arc_cosine, sine};
use crate::model::Interpolation;

/// How lanes are interpolated. Batches are sampled in this order, so a group's first kind lays down its constants.
///
/// Lanes that hold each value until the next key are of any kind but a spline: their timeline never leaves a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Straight,
    Chord,
    ShortArc,
    LongArc,
    Spline,
}

/// In radians on the quaternions' sphere (half the turn): up to here two coefficients keep the error below 2e-8,
/// less than half a unit in the last place of 1. Four coefficients keep it there up to a right angle.
pub(super) const SHORT_ARC: f64 = 0.35;

impl Kind {
    pub(super) const ALL: [Self; 5] =
        [Self::Straight, Self::Chord, Self::ShortArc, Self::LongArc, Self::Spline];

    /// `rotations` for elements that are rotations.
    pub(super) fn of(interpolation: Interpolation, elements: &[f32], rotations: Option<Rotations>) -> Self {
        match (interpolation, rotations) {
            (Interpolation::CubicSpline, _) => Self::Spline,
            (_, None) => Self::Straight,
            (_, Some(Rotations::Chord)) => Self::Chord,
            (Interpolation::Linear, Some(Rotations::Arc)) if widest_arc(elements) > SHORT_ARC => {
                Self::LongArc
            }
            (_, Some(Rotations::Arc)) => Self::ShortArc,
        }
    }

    pub(super) fn elements_per_key(self) -> usize {
        if self == Self::Spline { 3 } else { 1 }
    }

    /// How many numbers a key stores, of elements with `width` components.
    pub(super) fn numbers_per_key(self, width: usize) -> usize {
        match self {
            Self::Straight | Self::Chord => width,
            Self::ShortArc => width + 2,
            Self::LongArc => width + 4,
            Self::Spline => width * 3,
        }
    }

    /// What each key of one lane stores. A spline has three elements a key, the others one.
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

/// SLERP weighs its ends by `sin(α·θ) / sin(θ)`, of 1 − α and of α. For one arc that is a function of alpha alone:
///
/// ```text
/// sin(α·θ) / sin(θ)  =  α + α·(α² − 1) · R(α²)
/// ```
///
/// where R is so smooth that a few coefficients, fitted once per arc, hold it to the last bit. No branch, no
/// sine, no division, and the ends come out exact; where the keys are equal it is the straight line.
fn encode_arcs(timeline: &Timeline, rotations: &[f32], coefficient_count: usize) -> Vec<f32> {
    // Where nothing lies between two keys, each stays as it is in the file.
    let rotations = if timeline.is_stepped { rotations.to_vec() } else { short_way(rotations) };
    let (rotations, _) = rotations.as_chunks::<4>();
    let mut keys = Vec::with_capacity(rotations.len() * (4 + coefficient_count));
    for (index, rotation) in rotations.iter().enumerate() {
        let mut coefficients = [0.0; 4];
        if let Some(next) = rotations.get(index + 1).filter(|_| !timeline.is_stepped) {
            fit_arc(arc_angle(rotation, next), &mut coefficients[..coefficient_count]);
        }
        keys.extend(rotation);
        keys.extend(coefficients[..coefficient_count].iter().map(|&coefficient| coefficient as f32));
    }
    keys
}

/// The same rotations, each in the hemisphere of the one before it: q and −q turn alike, but only one is near.
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

/// The widest arc between neighbouring keys, the short way.
fn widest_arc(rotations: &[f32]) -> f64 {
    let rotations = short_way(rotations);
    let arcs = rotations.as_chunks::<4>().0.windows(2).map(|ends| arc_angle(&ends[0], &ends[1]));
    arcs.fold(0.0, f64::max)
}

/// Between two quaternions of one hemisphere, 0 to π/2.
fn arc_angle(a: &[f32; 4], b: &[f32; 4]) -> f64 {
    arc_cosine(dot(a, b))
}

fn dot(a: &[f32; 4], b: &[f32; 4]) -> f64 {
    a.iter().zip(b).map(|(&a, &b)| f64::from(a) * f64::from(b)).sum()
}

/// R of an arc, as a polynomial through as many Chebyshev nodes as it gets coefficients, four at most.
fn fit_arc(angle: f64, powers: &mut [f64]) {
    let count = powers.len();
    let r = |y: f64| {
        if angle < 1e-4 {
            return -angle * angle / 6.0;
        }
        let alpha = y.sqrt();
        (sine(alpha * angle) / (alpha * sine(angle)) - 1.0) / (y - 1.0)
    };
    let (mut nodes, mut differences) = ([0.0; 4], [0.0; 4]);
    for k in 0..count {
        let quarter = sine((2 * k + 1) as f64 * std::f64::consts::FRAC_PI_2 / (2 * count) as f64);
        nodes[k] = quarter * quarter;
        differences[k] = r(nodes[k]);
    }
    for order in 1..count {
        for k in (order..count).rev() {
            differences[k] = (differences[k] - differences[k - 1]) / (nodes[k] - nodes[k - order]);
        }
    }
    // From Newton's form to powers, innermost first.
    for (difference, node) in differences[..count].iter().zip(&nodes[..count]).rev() {
        for k in (0..count).rev() {
            powers[k] = if k > 0 { powers[k - 1] } else { 0.0 } - node * powers[k];
        }
        powers[0] += difference;
    }
}

/// The specification multiplies tangents by the length of their interval; that is done here, once.
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
