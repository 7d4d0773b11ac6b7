//! Setters of the camera that check their numbers. The camera then clamps them to its limits. After a move, the picture
//! is seen from the orbit, and not from a camera of the file.

use super::{Player, PlayerError, Value};
use crate::camera::{HomeView, Limits, Orbit};

impl Player {
    /// Turns the camera around its target: `yaw` radians counter-clockwise, seen from above, and `pitch` radians up.
    ///
    /// # Errors
    /// When a number isn't finite or its magnitude is above 1e9.
    pub fn orbit(&mut self, yaw: f32, pitch: f32) -> Result<(), PlayerError> {
        Value::Yaw.check(yaw.into())?;
        Value::Pitch.check(pitch.into())?;
        self.file_camera = None;
        self.camera.orbit(yaw, pitch);
        Ok(())
    }

    /// Moves the content of the picture to the right and down, by fractions of the picture's height.
    ///
    /// # Errors
    /// When a number isn't finite or its magnitude is above 1e9.
    pub fn pan(&mut self, x: f32, y: f32) -> Result<(), PlayerError> {
        Value::Pan.check_all(&[x, y])?;
        self.file_camera = None;
        self.camera.pan(x, y);
        Ok(())
    }

    /// Divides the distance to the target by a factor: above 1 moves the camera closer.
    ///
    /// # Errors
    /// When the factor isn't between 1e-9 and 1e9.
    pub fn zoom(&mut self, factor: f32) -> Result<(), PlayerError> {
        Value::Zoom.check(factor.into())?;
        self.file_camera = None;
        self.camera.zoom(factor.recip());
        Ok(())
    }

    /// Moves the camera to an orbit without damping, clamped to the camera's limits. Components of the orbit that
    /// don't change aren't checked, since gestures may have moved them out of range. Another lens is kept by framing.
    ///
    /// # Errors
    /// When a number isn't finite or is out of range. The camera is then unchanged.
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
        self.file_camera = None;
        if vertical_fov != self.camera.vertical_fov() || roll != self.camera.roll() {
            self.saved_orbit = None;
        }
        self.camera.set_vertical_fov(vertical_fov);
        self.camera.set_roll(roll);
        self.camera.set_goal(orbit);
        self.camera.jump_to_goal();
        Ok(())
    }

    /// Selects an orthographic or a perspective projection. Both show the same extent at the target.
    pub fn set_orthographic(&mut self, orthographic: bool) {
        self.file_camera = None;
        if orthographic != self.camera.is_orthographic() {
            self.saved_orbit = None;
        }
        self.camera.set_orthographic(orthographic);
    }

    /// Sets the view to which framing moves the camera. Components that are NaN are computed by framing.
    ///
    /// # Errors
    /// When a number is infinite or out of range.
    pub fn set_home(&mut self, home_view: HomeView) -> Result<(), PlayerError> {
        let HomeView { target, yaw, pitch, distance, distance_share } = home_view;
        Value::Point.check_some(&target.to_array())?;
        Value::Yaw.check_some(&[yaw])?;
        Value::Pitch.check_some(&[pitch])?;
        Value::Distance.check_some(&[distance, distance_share])?;
        self.camera.set_home_view(home_view);
        Ok(())
    }

    /// Sets the range in which the camera can be moved. NaN stands for the default limit.
    ///
    /// # Errors
    /// When a number is infinite or out of range.
    pub fn set_limits(&mut self, limits: Limits) -> Result<(), PlayerError> {
        Value::Yaw.check_some(&limits.yaw)?;
        Value::Pitch.check_some(&limits.pitch)?;
        Value::Distance.check_some(&limits.distance)?;
        self.camera.set_limits(limits);
        Ok(())
    }
}
