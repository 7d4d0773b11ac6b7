//! Root motion over the ground.
use crate::angle::sine_and_cosine;
use glam::Vec3;

/// Translation and rotation about y over the ground, in the frame at the start: the translation, then the rotation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Travel {
    pub translation: Vec3,
    /// Rotation in radians, from z towards x. Whole turns are included: more than π is more than half a turn.
    pub yaw: f32,
}

impl Travel {
    pub const IDENTITY: Self = Self { translation: Vec3::ZERO, yaw: 0.0 };

    /// Returns this motion followed by the next one, which starts at the end of this one.
    #[must_use]
    pub fn then(self, next: Self) -> Self {
        let (sine, cosine) = sine_and_cosine(f64::from(self.yaw));
        let (sine, cosine) = (sine as f32, cosine as f32);
        let Vec3 { x, y, z } = next.translation;
        let turned = Vec3::new(x * cosine + z * sine, y, z * cosine - x * sine);
        Self { translation: self.translation + turned, yaw: self.yaw + next.yaw }
    }

    /// Returns this motion repeated `count` times.
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

    /// Returns the inverse of this motion.
    #[must_use]
    pub fn back(self) -> Self {
        let turned_back = Self { translation: Vec3::ZERO, yaw: -self.yaw };
        turned_back.then(Self { translation: -self.translation, yaw: 0.0 })
    }

    /// Returns the weighted motion, as a share of a blend.
    #[must_use]
    pub fn scaled(self, weight: f32) -> Self {
        Self { translation: self.translation * weight, yaw: self.yaw * weight }
    }

    /// Returns the sum of two shares of a blend, which start in the same frame at the same time.
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
