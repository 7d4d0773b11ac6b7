//! Bounds that the camera frames, and the height of the floor.
use super::{Loaded, Player, PlayerError, Value};
use crate::animation::Sweep;
use crate::camera::Insets;
use crate::model::{Aabb, ClipIndex};
use glam::Vec3;

/// Largest crowd that is framed by its vertices. In a larger one, characters are so small that bounding boxes
/// suffice.
const MOST_SEEN_EXACTLY: usize = 16;

impl Player {
    /// Returns the bounds in model space of every clip that the first character plays or that its state machines may
    /// play, over the whole length of each clip. Without a clip, returns the bounds of the rest pose.
    ///
    /// Returns `None` if there is no model or nothing visible.
    pub fn bounds(&self) -> Option<Aabb> {
        let loaded = self.loaded.as_ref()?;
        let may_play = self.may_play();
        loaded.bounds_of(&may_play)
    }

    /// Moves the camera so that all characters of all visible actors are in view during every clip that the first
    /// character of each plays or that its state machines may play. A camera of the file isn't used any more.
    pub fn frame(&mut self, aspect: f32) {
        self.leave_file_camera(None);
        let may_play = self.may_play();
        if let Some(loaded) = &mut self.loaded {
            loaded.framed = may_play;
        } else if !self.has_company() {
            return;
        }
        if self.has_company() {
            self.frame_company();
        }
        self.reframe(aspect);
    }

    /// Sets the margins of the canvas that framing keeps free. A camera that hasn't been moved since it was framed is
    /// framed again.
    ///
    /// # Errors
    /// When a number isn't finite, is below 0 or is above 1e9.
    pub fn set_insets(&mut self, insets: Insets, aspect: f32) -> Result<(), PlayerError> {
        let Insets { top, right, bottom, left } = insets;
        Value::Inset.check_all(&[top, right, bottom, left])?;
        let is_home = self.camera.is_home();
        self.camera.set_insets(insets);
        self.aim(aspect, is_home);
        Ok(())
    }

    /// Sets the speed of the camera's automatic orbit, in radians per second.
    ///
    /// When the orbit starts and the camera hasn't been moved since it was framed, the camera is framed again so that
    /// the model stays in view from every side.
    ///
    /// # Errors
    /// When the speed isn't finite or its magnitude is above 1e9.
    pub fn set_spin(&mut self, spin: f32, aspect: f32) -> Result<(), PlayerError> {
        Value::AutoRotate.check(spin.into())?;
        let begins = self.camera.spin == 0.0 && spin != 0.0;
        self.camera.spin = spin;
        self.aim(aspect, begins && self.camera.is_home());
        Ok(())
    }

    /// Returns the height of the ground in the world, or `None` if there is nothing visible.
    ///
    /// The ground of a clip is the lowest height that any vertex reaches during the clip. While clips blend in the
    /// base layer, their heights are blended with the same weights. The ground of a crowd is the lowest of its
    /// characters' grounds, and that of several actors the lowest of theirs.
    pub fn floor(&self) -> Option<f32> {
        let floor = self.floor_itself();
        if self.has_company() { self.lowest_floor(floor) } else { floor }
    }

    pub(super) fn floor_itself(&self) -> Option<f32> {
        let loaded = self.loaded.as_ref()?;
        let mut floor: Option<f32> = None;
        for character in &self.characters {
            let world_from_model = character.world_from_model(&self.world_from_actor);
            let mut height = None;
            character.controller.each_share(&mut |clip, share| {
                if share > 0.0
                    && let Some(sweep) = loaded.sweep(clip)
                {
                    let lowest = sweep.lowest_in_world(&world_from_model);
                    height = Some(height.unwrap_or(0.0) + share * lowest);
                }
            });
            floor = match (floor, height) {
                (Some(floor), Some(height)) => Some(height.min(floor)),
                _ => floor.or(height),
            };
        }
        floor
    }

    /// Returns the bounds in the world of all characters over the framed clips.
    #[cfg(feature = "render")]
    pub(super) fn framed_in_world(&mut self) -> Option<Aabb> {
        let mut framed = None;
        if let Some(loaded) = &self.loaded
            && let Some(bounds) = loaded.bounds_of(&loaded.framed)
        {
            for character in &self.characters {
                let world_from_model = character.world_from_model(&self.world_from_actor);
                let corners = bounds.corners().map(|corner| world_from_model.transform_point3(corner));
                Aabb::join(&mut framed, Aabb::around(corners)?);
            }
        }
        if self.has_company() {
            self.outermost_of_company(&mut |point| Aabb::join(&mut framed, Aabb { min: point, max: point }));
        }
        framed
    }

    /// Returns the bounds in model space of the framed clips and of every clip that some character plays.
    pub(super) fn bounds_in_picture(&self) -> Option<Aabb> {
        let loaded = self.loaded.as_ref()?;
        let mut bounds = loaded.bounds_of(&loaded.framed);
        for character in &self.characters {
            character.controller.each_playing_clip(&mut |clip| {
                if let Some(sweep) = loaded.sweep(Some(clip)) {
                    Aabb::join(&mut bounds, sweep.bounds);
                }
            });
        }
        bounds
    }

    /// Frames the same clips again, for a picture with another aspect ratio (width over height).
    pub(super) fn reframe(&mut self, aspect: f32) {
        self.camera.floor = self.floor();
        let outermost = self.outermost_in_world();
        self.camera.frame(&outermost, aspect);
    }

    fn aim(&mut self, aspect: f32, wanted: bool) {
        if wanted {
            let outermost = self.outermost_in_world();
            self.camera.aim(&outermost, aspect);
        }
    }

    /// Returns the outermost points in the world of all characters over the framed clips.
    pub(super) fn outermost_in_world(&mut self) -> Vec<Vec3> {
        let mut in_world = Vec::new();
        self.each_outermost(&mut |point| in_world.push(point));
        if self.has_company() {
            self.outermost_of_company(&mut |point| in_world.push(point));
        }
        in_world
    }

    /// Calls `add` with the points of this player's model.
    pub(super) fn each_outermost(&self, add: &mut dyn FnMut(Vec3)) {
        let Some(loaded) = &self.loaded else { return };
        let seen_exactly = self.characters.len() <= MOST_SEEN_EXACTLY;
        for sweep in loaded.framed.iter().filter_map(|&clip| loaded.sweep(clip)) {
            let corners = sweep.bounds.corners();
            let in_model = if seen_exactly { &sweep.support } else { corners.as_slice() };
            for character in &self.characters {
                let world_from_model = character.world_from_model(&self.world_from_actor);
                for &point in in_model {
                    add(world_from_model.transform_point3(point));
                }
            }
        }
    }

    /// Returns every clip that plays or may play. Without a clip, returns `None`, which stands for the rest pose.
    pub(super) fn may_play(&self) -> Vec<Option<ClipIndex>> {
        let mut clips = Vec::new();
        self.first_controller().each_clip(&mut |clip| add(&mut clips, Some(clip)));
        if clips.is_empty() {
            clips.push(None);
        }
        clips
    }
}

impl Loaded {
    fn sweep(&self, clip: Option<ClipIndex>) -> Option<&Sweep> {
        self.rig().sweep(clip)
    }

    /// Returns the bounds of one character over the clips, in model space.
    fn bounds_of(&self, clips: &[Option<ClipIndex>]) -> Option<Aabb> {
        let mut bounds = None;
        for sweep in clips.iter().filter_map(|&clip| self.sweep(clip)) {
            Aabb::join(&mut bounds, sweep.bounds);
        }
        bounds
    }
}

fn add(clips: &mut Vec<Option<ClipIndex>>, clip: Option<ClipIndex>) {
    if !clips.contains(&clip) {
        clips.push(clip);
    }
}
