//! Precision of rounded keys, so that each moves nothing farther than a tolerance.
use super::reach::Lever;
use crate::export::binary::Element;
use crate::export::meshopt::{
    decode_exponential, decode_quaternion, encode_exponential, encode_quaternion, exponent_of_step,
};
use crate::export::streams::Stream;
use crate::model::{Interpolation, Track, TrackValues};
use glam::{Quat, Vec3};

/// The precision of a node's keys. Rotations have a number of bits; everything else is rounded to multiples of 2 to
/// the power of an exponent.
#[derive(Clone, Copy, Debug)]
pub(in crate::export) struct Precision {
    rotation_bits: u32,
    translation: i32,
    scale: i32,
    morph_weight: i32,
}

impl Precision {
    /// Returns the lowest precision that moves nothing farther than `metres`.
    pub(super) fn of(lever: &Lever, metres: f32) -> Self {
        let exponent = |lever: f32, coarsest: f64| {
            let step = f64::from(metres) * 2.0 / f64::from(lever).max(1e-30);
            exponent_of_step(step.min(coarsest))
        };
        // Largest error of a rotation of so many bits, in radians, besides that of its 16-bit output.
        let turn = |bits: &u32| 1.5 / f64::from((1_u32 << (bits - 1)) - 1);
        let is_enough = |bits: &u32| turn(bits) * f64::from(lever.rotation) <= f64::from(metres);
        let morph_lever = lever.morph_weights.iter().sum();
        Self {
            rotation_bits: (10..16).find(is_enough).unwrap_or(16),
            translation: exponent(lever.translation, f64::INFINITY),
            scale: exponent(lever.scale, 1.0 / 256.0),
            morph_weight: exponent(morph_lever, 1.0 / 256.0),
        }
    }

    /// Returns the numbers of a track as they are stored; `None` for matrices. Splines aren't rounded, since their
    /// tangents would have to be rounded with the values.
    pub(in crate::export) fn stream(&self, values: &TrackValues, numbers: &[f32]) -> Option<Stream> {
        Some(match values {
            TrackValues::Translation(_) => Stream::exponential(Element::Vec3, numbers, self.translation),
            TrackValues::Scale(_) => Stream::exponential(Element::Vec3, numbers, self.scale),
            TrackValues::Rotation(_) => Stream::rotations(numbers, self.rotation_bits),
            TrackValues::MorphWeights(_) => Stream::exponential(Element::Scalar, numbers, self.morph_weight),
            TrackValues::Matrix(_) => return None,
        })
    }
}

/// Returns a track as a reader finds it.
pub(super) fn rounded(track: &Track, precision: Option<&Precision>) -> Track {
    let Some(precision) = precision.filter(|_| track.interpolation != Interpolation::CubicSpline) else {
        return track.clone();
    };
    let number = |number: f32, exponent: i32| decode_exponential(encode_exponential(number, exponent));
    let vectors = |values: &[Vec3], exponent: i32| -> Vec<Vec3> {
        values.iter().map(|value| value.map(|part| number(part, exponent))).collect()
    };
    let rotation = |&rotation: &Quat| {
        let code = encode_quaternion(rotation, precision.rotation_bits);
        Quat::from_array(decode_quaternion(code).map(|part| f32::from(part) / f32::from(i16::MAX)))
    };
    let values = match &track.values {
        TrackValues::Translation(values) => TrackValues::Translation(vectors(values, precision.translation)),
        TrackValues::Scale(values) => TrackValues::Scale(vectors(values, precision.scale)),
        TrackValues::Rotation(values) => TrackValues::Rotation(values.iter().map(rotation).collect()),
        TrackValues::MorphWeights(values) => TrackValues::MorphWeights(
            values.iter().map(|&morph_weight| number(morph_weight, precision.morph_weight)).collect(),
        ),
        TrackValues::Matrix(values) => TrackValues::Matrix(values.clone()),
    };
    Track { values, ..track.clone() }
}
