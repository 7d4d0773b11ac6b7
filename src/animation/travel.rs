//! A way over the ground.
use crate::angle::sine_and_cosine;
use glam::Vec3;

/// How far something went and how far it turned about y, in the frame where it began: first the step, then the turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Travel {
    pub translation: Vec3,
    /// In radians, from z towards x. Whole turns count: more than π is more than half a turn.
    pub yaw: f32,
}

impl Travel {
    pub const IDENTITY: Self = Self { translation: Vec3::ZERO, yaw: 0.0 };

    /// This way and then, from where it ends, the next.
    #[must_use]
    pub fn then(self, next: Self) -> Self {
        let (sine, cosine) = sine_and_cosine(f64::from(self.yaw));
        let (sine, cosine) = (sine as f32, cosine as f32);
        let Vec3 { x, y, z } = next.translation;
        let turned = Vec3::new(x * cosine + z * sine, y, z * cosine - x * sine);
        Self { translation: self.translation + turned, yaw: self.yaw + next.yaw }
    }

    /// This way so many times, one after the other.
    #[must_use]
    pub fn times(self, count: u32) -> Self {
        let (mut whole, mut doubled, mut left) = (Self::IDENTITY, self, count);
        while left > 0 {
            if left % 2 == 1 {
                whole = whole.then(doubled);
            }
            doubled = doubled.then(doubled);
            left /= 2;
        }
        whole
    }

    /// The way back, from where it ends.
    #[must_use]
    pub fn back(self) -> Self {
        let turned_back = Self { translation: Vec3::ZERO, yaw: -self.yaw };
        turned_back.then(Self { translation: -self.translation, yaw: 0.0 })
    }

    /// A share in a blend of ways.
    #[must_use]
    pub fn scaled(self, weight: f32) -> Self {
        Self { translation: self.translation * weight, yaw: self.yaw * weight }
    }

    /// Shares put together: both begin in one frame and go on at once.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self { translation: self.translation + other.translation, yaw: self.yaw + other.yaw }
    }
}

impl Default for Travel {
    fn default() -> Self {
        Self::IDENTITY
    }
}
