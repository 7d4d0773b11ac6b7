use crate::angle::{angle_of, sin_cos};
use glam::Vec3;

/// Position of a viewer on the sphere around a target. Angles are in radians.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Orbit {
    pub target: Vec3,
    /// Angle about +Y. 0 looks at the front of a glTF model, which faces +Z; a positive yaw moves the viewer to the
    /// model's left hand.
    pub yaw: f32,
    /// Angle above the horizontal. A positive pitch looks from above.
    pub pitch: f32,
    pub distance: f32,
}

/// Unit axes of a picture in the world: right, up, and from the target towards the viewer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Axes {
    pub(super) right: Vec3,
    pub(super) up: Vec3,
    pub(super) towards_viewer: Vec3,
}

impl Orbit {
    pub(super) fn towards_viewer(&self) -> Vec3 {
        let (pitch_sin, pitch_cos) = sin_cos(self.pitch);
        let (yaw_sin, yaw_cos) = sin_cos(self.yaw);
        Vec3::new(yaw_sin * pitch_cos, pitch_sin, yaw_cos * pitch_cos)
    }

    pub(super) fn eye(&self) -> Vec3 {
        self.target + self.towards_viewer() * self.distance
    }

    /// Returns the axes of the picture. A positive `roll` leans the camera to its right.
    pub(super) fn axes(&self, roll: f32) -> Axes {
        let towards_viewer = self.towards_viewer();
        let (yaw_sin, yaw_cos) = sin_cos(self.yaw);
        let level = Vec3::new(yaw_cos, 0.0, -yaw_sin);
        let upright = towards_viewer.cross(level);
        let (roll_sin, roll_cos) = sin_cos(roll);
        Axes {
            right: level * roll_cos - upright * roll_sin,
            up: upright * roll_cos + level * roll_sin,
            towards_viewer,
        }
    }

    /// Returns the pitch at which the viewer is at a height, or as near to it as its distance allows.
    pub(super) fn pitch_at_height(&self, height: f32) -> f32 {
        let sine = f64::from((height - self.target.y) / self.distance).clamp(-1.0, 1.0);
        angle_of(sine, (1.0 - sine * sine).sqrt()) as f32
    }
}
