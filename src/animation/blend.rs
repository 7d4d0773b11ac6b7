//! Blending of two poses.
use super::simd::{Components, dot, normalized};
use super::{LocalPose, Mask};
use glam::Vec4;

/// Blends `pose` towards `other` by a weight from 0 to 1. Weights of 0 and 1 give exactly one of them, bit for bit.
///
/// Rotations are interpolated the short way by NLERP. At both ends and in the middle this equals SLERP. In between it
/// differs by a few hundredths of the rotation, which isn't visible while the weight changes.
pub fn blend_into(pose: &mut LocalPose, other: &LocalPose, other_weight: f32) {
    if other_weight >= 1.0 {
        pose.copy_from(other);
    } else if other_weight > 0.0 {
        let weight = Vec4::splat(other_weight);
        towards(&mut pose.translations, &other.translations, weight);
        turn_towards(&mut pose.rotations, &other.rotations, weight);
        towards(&mut pose.scales, &other.scales, weight);
        towards(&mut pose.scalars, &other.scalars, weight);
    }
}

/// Blends `pose` towards `other` by a weight for each node: `other_weight` times that of the mask.
///
/// Nodes with weight 0 keep every bit.
pub fn blend_masked_into(pose: &mut LocalPose, other: &LocalPose, other_weight: f32, mask: &Mask) {
    if other_weight > 0.0 {
        let weight = Vec4::splat(other_weight.min(1.0));
        towards_masked(&mut pose.translations, &other.translations, weight, &mask.nodes);
        turn_towards_masked(&mut pose.rotations, &other.rotations, weight, &mask.nodes);
        towards_masked(&mut pose.scales, &other.scales, weight, &mask.nodes);
        towards_masked(&mut pose.scalars, &other.scalars, weight, &mask.scalar_rows);
    }
}

fn towards<const N: usize>(held: &mut [[Vec4; N]], other: &[[Vec4; N]], weight: Vec4) {
    for (held, other) in held.as_flattened_mut().iter_mut().zip(other.as_flattened()) {
        *held += (*other - *held) * weight;
    }
}

fn turn_towards(held: &mut [[Vec4; 4]], other: &[[Vec4; 4]], weight: Vec4) {
    for (held, other) in held.iter_mut().zip(other) {
        *held = between(held, other, weight);
    }
}

#[inline(always)]
fn between(held: &[Vec4; 4], other: &[Vec4; 4], weight: Vec4) -> [Vec4; 4] {
    let is_far = dot(held, other).cmplt(Vec4::ZERO);
    let near = [
        Vec4::select(is_far, -other[0], other[0]),
        Vec4::select(is_far, -other[1], other[1]),
        Vec4::select(is_far, -other[2], other[2]),
        Vec4::select(is_far, -other[3], other[3]),
    ];
    normalized(Components::lerp(held, &near, weight))
}

fn towards_masked<const N: usize>(held: &mut [[Vec4; N]], other: &[[Vec4; N]], weight: Vec4, mask: &[Vec4])
where
    [Vec4; N]: Components,
{
    for ((held, other), mask) in held.iter_mut().zip(other).zip(mask) {
        let weight = weight * *mask;
        if weight != Vec4::ZERO {
            *held = picked(weight, held, Components::lerp(held, other, weight), other);
        }
    }
}

fn turn_towards_masked(held: &mut [[Vec4; 4]], other: &[[Vec4; 4]], weight: Vec4, mask: &[Vec4]) {
    for ((held, other), mask) in held.iter_mut().zip(other).zip(mask) {
        let weight = weight * *mask;
        if weight != Vec4::ZERO {
            *held = picked(weight, held, between(held, other, weight), other);
        }
    }
}

/// Returns `held` or `other` where the weight is 0 or 1, since arithmetic would round; elsewhere `between`.
#[inline(always)]
fn picked<C: Components>(weight: Vec4, held: &C, between: C, other: &C) -> C {
    let short_of_all = Components::merge(Vec4::ONE - weight, between, other);
    Components::merge(weight, short_of_all, held)
}
