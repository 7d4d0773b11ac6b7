//! A rigid body and what constraints do to it. Lengths are in sizes of the model.
use crate::animation::turn;
use glam::{Mat3, Quat, Vec3};

/// Greatest speed in sizes per second, and greatest spin in radians per second. Faster bodies would pass through
/// others.
const MOST_SPEED: f32 = 12.0;
const MOST_SPIN: f32 = 40.0;

/// Place of the center of mass, and rotation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Place {
    pub(super) center: Vec3,
    pub(super) rotation: Quat,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Body {
    pub(super) now: Place,
    /// Matrix of the rotation in `now`.
    pub(super) axes: Mat3,
    pub(super) speed: Vec3,
    pub(super) spin: Vec3,
    /// 0 if the body is driven by the animation.
    pub(super) inverse_mass: f32,
    pub(super) inverse_inertia: Vec3,
    /// Places before this part of the step, and before the step.
    pub(super) before: Place,
    pub(super) axes_before: Mat3,
    pub(super) step_before: Place,
}

impl Place {
    pub(super) fn is_finite(&self) -> bool {
        self.center.is_finite() && self.rotation.is_finite()
    }

    /// Returns the greatest distance by which a point of a body with this reach has moved, or a little more.
    pub(super) fn distance(&self, other: &Self, reach: f32) -> f32 {
        let turned = turn::product(self.rotation, turn::inverse(other.rotation));
        self.center.distance(other.center) + Vec3::new(turned.x, turned.y, turned.z).length() * 2.0 * reach
    }

    pub(super) fn between(from: &Self, to: &Self, share: f32) -> Self {
        Self {
            center: from.center.lerp(to.center, share),
            rotation: turn::between(from.rotation, to.rotation, share),
        }
    }
}

impl Body {
    pub(super) fn at(now: Place) -> Self {
        let axes = Mat3::from_quat(now.rotation);
        Self {
            now,
            axes,
            speed: Vec3::ZERO,
            spin: Vec3::ZERO,
            inverse_mass: 0.0,
            inverse_inertia: Vec3::ZERO,
            before: now,
            axes_before: axes,
            step_before: now,
        }
    }

    /// Sets the speeds with which a body gets from `before` to `now`.
    pub(super) fn move_as(&mut self, before: &Place, now: &Place, secs: f32) {
        self.speed = (now.center - before.center) / secs;
        self.spin = spin_between(before.rotation, now.rotation, secs);
        self.limit_speed();
    }

    /// Moves the body freely for a part of a step.
    pub(super) fn fly(&mut self, gravity: Vec3, [kept, kept_spin]: [f32; 2], secs: f32) {
        self.before = self.now;
        self.axes_before = self.axes;
        self.speed = (self.speed + gravity * secs) * kept;
        self.spin *= kept_spin;
        self.limit_speed();
        self.now.center += self.speed * secs;
        self.rotate(self.spin * secs);
    }

    pub(super) fn set(&mut self, place: &Place) {
        self.now = *place;
        self.axes = Mat3::from_quat(place.rotation);
    }

    /// Computes the speeds from the movement in this part of the step.
    pub(super) fn measure(&mut self, secs: f32) {
        self.speed = (self.now.center - self.before.center) / secs;
        self.spin = spin_between(self.before.rotation, self.now.rotation, secs);
    }

    fn limit_speed(&mut self) {
        self.speed = self.speed.clamp_length_max(MOST_SPEED);
        self.spin = self.spin.clamp_length_max(MOST_SPIN);
    }

    /// Returns the change of spin that an angular impulse causes.
    pub(super) fn turned_by(&self, impulse: Vec3) -> Vec3 {
        self.axes * (self.inverse_inertia * (self.axes.transpose() * impulse))
    }

    /// Returns the moment of inertia about an axis through the center.
    pub(super) fn inertia_about(&self, axis: Vec3) -> f32 {
        let axis = self.axes.transpose() * axis;
        (axis * axis).dot(self.inverse_inertia.recip())
    }

    /// Returns the movement of a point of the body along `way` for an impulse of 1 in this direction.
    pub(super) fn give(&self, arm: Vec3, way: Vec3) -> f32 {
        let lever = arm.cross(way);
        self.inverse_mass + lever.dot(self.turned_by(lever))
    }

    /// Moves the body by an impulse on a point.
    pub(super) fn pull(&mut self, arm: Vec3, impulse: Vec3) {
        self.now.center += impulse * self.inverse_mass;
        self.rotate(self.turned_by(arm.cross(impulse)));
    }

    /// Changes the speeds by an impulse on a point.
    pub(super) fn hit(&mut self, arm: Vec3, impulse: Vec3) {
        self.speed += impulse * self.inverse_mass;
        self.spin += self.turned_by(arm.cross(impulse));
    }

    /// Returns the speed of a point.
    pub(super) fn speed_at(&self, arm: Vec3) -> Vec3 {
        self.speed + self.spin.cross(arm)
    }

    /// Returns the way of a point in this part of the step.
    pub(super) fn way_of(&self, arm: Vec3) -> Vec3 {
        let arm_before = self.axes_before * (self.axes.transpose() * arm);
        (self.now.center - self.before.center) + (arm - arm_before)
    }

    /// Rotates the body by a small rotation vector.
    pub(super) fn rotate(&mut self, by: Vec3) {
        let half = by * 0.5;
        let turned = turn::product(Quat::from_xyzw(half.x, half.y, half.z, 1.0), self.now.rotation);
        self.now.rotation = turn::unit(turned);
        self.axes = Mat3::from_quat(self.now.rotation);
    }
}

fn spin_between(before: Quat, now: Quat, secs: f32) -> Vec3 {
    let way = turn::product(now, turn::inverse(before));
    let axis = Vec3::new(way.x, way.y, way.z) * (2.0 / secs);
    if way.w < 0.0 { -axis } else { axis }
}
