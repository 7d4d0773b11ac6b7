//! Limits of a joint: a cone for its axis, and a range for the twist about it. A hinge is a cone without width.
use crate::angle::{angle_of, sin_cos, wrapped};
use glam::{Quat, Vec3};
use std::f64::consts::TAU;

/// Range of a joint's rotation, relative to its rest rotation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointLimit {
    /// Axis in the node's own space, of any length but 0. For a cone, it usually points to the next joint.
    pub axis: Vec3,
    /// Largest angle between the axis and its direction at rest, up to π. 0 makes a hinge.
    pub swing_radians: f32,
    /// Least and greatest angle of the rotation about the axis, from −π to π.
    pub twist_radians: [f32; 2],
}

/// A [`JointLimit`] prepared for one joint.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limit {
    rest: Quat,
    axis: Vec3,
    is_hinge: bool,
    /// Sine and cosine of half the swing.
    half_swing: (f32, f32),
    twist_radians: [f64; 2],
}

impl Limit {
    /// Returns `None` if the axis has no length, an angle isn't finite, or a range is empty.
    pub(super) fn new(limit: &JointLimit, rest: Quat) -> Option<Self> {
        let JointLimit { axis, swing_radians, twist_radians } = *limit;
        let has_range = swing_radians >= 0.0 && twist_radians[0] <= twist_radians[1];
        let pi = std::f32::consts::PI;
        has_range.then_some(Self {
            rest,
            axis: axis.try_normalize()?,
            is_hinge: swing_radians == 0.0,
            half_swing: sin_cos(swing_radians.min(pi) * 0.5),
            twist_radians: twist_radians.map(|angle| f64::from(angle.clamp(-pi, pi))),
        })
    }

    /// Returns the only axis about which a hinge turns, in the space of the joint's parent.
    pub(super) fn hinge(&self, rotation: Quat) -> Option<Vec3> {
        self.is_hinge.then(|| rotation * self.axis)
    }

    /// Returns the rotation if it is within the limit, otherwise one at the limit.
    pub(super) fn apply(&self, rotation: Quat) -> Quat {
        let turn = self.rest.inverse() * rotation;
        let turn = if turn.w < 0.0 { -turn } else { turn };
        let along = turn.xyz().dot(self.axis);
        // The twist comes first: `turn = swing · twist`. A swing by a half turn has no certain twist.
        let twist = Quat::from_vec4((self.axis * along).extend(turn.w));
        let twist = if twist.length_squared() > 1e-12 { twist.normalize() } else { Quat::IDENTITY };
        let swing = turn * twist.inverse();
        let (sine, cosine) = self.half_swing;
        let swings_too_far = swing.w < cosine;
        let swing = match swings_too_far {
            true => Quat::from_vec4((swing.xyz().normalize_or_zero() * sine).extend(cosine)),
            false => swing,
        };
        match self.nearest_twist(2.0 * angle_of(twist.xyz().dot(self.axis).into(), twist.w.into())) {
            None if !swings_too_far => rotation,
            None => self.rest * swing * twist,
            Some(angle) => {
                let (sine, cosine) = sin_cos(angle as f32 * 0.5);
                self.rest * swing * Quat::from_vec4((self.axis * sine).extend(cosine))
            }
        }
    }

    /// Returns the end of the range that is nearer to an angle outside of it, also across ±π.
    fn nearest_twist(&self, angle: f64) -> Option<f64> {
        let [least, most] = self.twist_radians;
        if (least..=most).contains(&angle) {
            return None;
        }
        let [below, above] = [least - angle, angle - most].map(|way| wrapped(way, TAU));
        Some(if below < above { least } else { most })
    }
}
