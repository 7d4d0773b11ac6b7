//! Where the page wants the camera: the numbers are checked here, before the camera brings them to where it may stand.

use super::{Player, PlayerError, Value};
use crate::camera::{Limits, Orbit, Wish};

impl Player {
    /// Turns the camera round what it looks at: radians to the left, and up.
    ///
    /// # Errors
    /// When a number isn't finite or too large, as for all others here.
    pub fn orbit(&mut self, yaw: f32, pitch: f32) -> Result<(), PlayerError> {
        Value::Yaw.check(yaw.into())?;
        Value::Pitch.check(pitch.into())?;
        self.camera.orbit(yaw, pitch);
        Ok(())
    }

    /// Moves what is seen, right and down, by fractions of the picture's height.
    ///
    /// # Errors
    /// As [`orbit`](Self::orbit).
    pub fn pan(&mut self, x: f32, y: f32) -> Result<(), PlayerError> {
        Value::Pan.check_all(&[x, y])?;
        self.camera.pan(x, y);
        Ok(())
    }

    /// Above 1 goes nearer.
    ///
    /// # Errors
    /// When the factor isn't a number above 0.
    pub fn zoom(&mut self, factor: f32) -> Result<(), PlayerError> {
        Value::Zoom.check(factor.into())?;
        self.camera.zoom(factor.recip());
        Ok(())
    }

    /// Jumps there, or to the nearest place where the camera may stand. What stays as it is needs no check: gestures may
    /// have brought it anywhere.
    ///
    /// # Errors
    /// As [`orbit`](Self::orbit); all of it is taken, or nothing.
    pub fn set_view(&mut self, orbit: Orbit, vertical_fov: f32, roll: f32) -> Result<(), PlayerError> {
        let now = self.camera.current();
        for (number, held) in orbit.target.to_array().into_iter().zip(now.target.to_array()) {
            Value::Point.check_change(number, held)?;
        }
        Value::Yaw.check_change(orbit.yaw, now.yaw)?;
        Value::Pitch.check_change(orbit.pitch, now.pitch)?;
        Value::Distance.check_change(orbit.distance, now.distance)?;
        Value::FieldOfView.check(vertical_fov.into())?;
        Value::Roll.check(roll.into())?;
        self.camera.set_vertical_fov(vertical_fov);
        self.camera.set_roll(roll);
        self.camera.set_goal(orbit);
        self.camera.jump_to_goal();
        Ok(())
    }

    /// Where framing puts the camera from now on. NaN is found by framing.
    ///
    /// # Errors
    /// As [`orbit`](Self::orbit).
    pub fn set_home(&mut self, wish: Wish) -> Result<(), PlayerError> {
        let Wish { target, yaw, pitch, distance, distance_share } = wish;
        Value::Point.check_some(&target.to_array())?;
        Value::Yaw.check_some(&[yaw])?;
        Value::Pitch.check_some(&[pitch])?;
        Value::Distance.check_some(&[distance, distance_share])?;
        self.camera.set_wish(wish);
        Ok(())
    }

    /// How far the camera can be moved. NaN limits as if nothing was said.
    ///
    /// # Errors
    /// As [`orbit`](Self::orbit).
    pub fn set_limits(&mut self, limits: Limits) -> Result<(), PlayerError> {
        Value::Yaw.check_some(&limits.yaw)?;
        Value::Pitch.check_some(&limits.pitch)?;
        Value::Distance.check_some(&limits.distance)?;
        self.camera.set_limits(limits);
        Ok(())
    }
}
