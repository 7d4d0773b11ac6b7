//! Mixing two poses.
use super::LocalPose;
use super::simd::{Components, dot, normalized};
use glam::Vec4;

/// Moves `pose` towards `other` by a weight from 0 to 1. At the ends the result is the one or the other, bit for bit.
///
/// Rotations go the short way, along the chord (NLERP): at the ends and in the middle that is SLERP, and in between
/// the pace differs by a few hundredths of the turn, which no eye sees in a weight that itself moves.
pub fn blend_into(pose: &mut LocalPose, other: &LocalPose, other_weight: f32) {
    if other_weight >= 1.0 {
        pose.copy_from(other);
    } else if other_weight > 0.0 {
        let weight = Vec4::splat(other_weight);
        towards(&mut pose.translations, &other.translations, weight);
        turn_towards(&mut pose.rotations, &other.rotations, weight);
        towards(&mut pose.scales, &other.scales, weight);
        towards(&mut pose.morph_weights, &other.morph_weights, weight);
    }
}

fn towards<const N: usize>(held: &mut [[Vec4; N]], other: &[[Vec4; N]], weight: Vec4) {
    for (held, other) in held.as_flattened_mut().iter_mut().zip(other.as_flattened()) {
        *held += (*other - *held) * weight;
    }
}

fn turn_towards(held: &mut [[Vec4; 4]], other: &[[Vec4; 4]], weight: Vec4) {
    for (held, other) in held.iter_mut().zip(other) {
        let is_far = dot(held, other).cmplt(Vec4::ZERO);
        let near = [
            Vec4::select(is_far, -other[0], other[0]),
            Vec4::select(is_far, -other[1], other[1]),
            Vec4::select(is_far, -other[2], other[2]),
            Vec4::select(is_far, -other[3], other[3]),
        ];
        *held = normalized(Components::lerp(held, &near, weight));
    }
}
