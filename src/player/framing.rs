//! What the camera makes room for.
use super::{Player, PlayerError, Value};
use crate::camera::Insets;
use crate::model::Aabb;
use glam::Vec3;

impl Player {
    /// In model space, swept over the whole of the clip that was framed and of those played since.
    pub fn bounds(&self) -> Option<Aabb> {
        self.loaded.as_ref().and_then(|loaded| loaded.bounds)
    }

    /// Puts the camera where the whole of what plays, or may play by its state machines, is in view, and all the crowd.
    pub fn frame(&mut self, aspect: f32) {
        let Some(loaded) = &mut self.loaded else { return };
        let mut bounds: Option<Aabb> = None;
        self.characters[0].controller.each_clip(&mut |clip| {
            let swept = loaded.swept(clip);
            bounds = bounds.into_iter().chain(swept).reduce(|held, next| held.union(&next));
        });
        loaded.bounds = bounds.or_else(|| loaded.rig().clip_bounds(None));
        self.reframe(aspect);
    }

    /// Room at the sides of the canvas that is to stay free. What nobody has moved goes to the middle of what is left.
    ///
    /// # Errors
    /// When a number isn't finite or is below 0.
    pub fn set_insets(&mut self, insets: Insets, aspect: f32) -> Result<(), PlayerError> {
        let Insets { top, right, bottom, left } = insets;
        Value::Inset.check_all(&[top, right, bottom, left])?;
        let is_home = self.camera.is_home();
        self.camera.set_insets(insets);
        self.aim(aspect, is_home);
        Ok(())
    }

    /// Radians a second that the camera goes round by itself. When it begins to, what nobody has moved goes to where it
    /// is in view from every side.
    ///
    /// # Errors
    /// When it isn't finite or too large.
    pub fn set_spin(&mut self, spin: f32, aspect: f32) -> Result<(), PlayerError> {
        Value::AutoRotate.check(spin.into())?;
        let begins = self.camera.spin == 0.0 && spin != 0.0;
        self.camera.spin = spin;
        self.aim(aspect, begins && self.camera.is_home());
        Ok(())
    }

    fn aim(&mut self, aspect: f32, wanted: bool) {
        if wanted {
            let corners: Vec<Vec3> = self.corners_in_world().collect();
            self.camera.aim(&corners, aspect);
        }
    }

    /// The same for another shape of the picture.
    pub(super) fn reframe(&mut self, aspect: f32) {
        let corners: Vec<Vec3> = self.corners_in_world().collect();
        self.camera.frame(&corners, aspect);
    }

    /// Of every character's box, each swept over the framed clip.
    pub(super) fn corners_in_world(&self) -> impl Iterator<Item = Vec3> + '_ {
        let corners = self.bounds().map(|bounds| bounds.corners());
        self.characters.iter().flat_map(move |character| {
            let place = character.world_from_model;
            corners.into_iter().flatten().map(move |corner| place.transform_point3(corner))
        })
    }
}
