//! What the camera makes room for, and where the floor lies.
use super::{Loaded, Player, PlayerError, Value};
use crate::animation::Sweep;
use crate::camera::Insets;
use crate::model::{Aabb, ClipIndex};
use glam::Vec3;

/// In a larger crowd a character is so small that its box will do.
const MOST_SEEN_EXACTLY: usize = 16;

impl Player {
    /// In model space: whatever plays, or may play by its state machines, over the whole of its clips; else the rest pose.
    pub fn bounds(&self) -> Option<Aabb> {
        let loaded = self.loaded.as_ref()?;
        let may_play = self.may_play();
        loaded.bounds_of(&may_play)
    }

    /// Puts the camera where the whole of what plays, or may play by its state machines, is in view, and all the crowd.
    pub fn frame(&mut self, aspect: f32) {
        let may_play = self.may_play();
        let Some(loaded) = &mut self.loaded else { return };
        loaded.framed = may_play;
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

    /// The height in the world of the ground under the characters' feet; `None` without anything to see.
    ///
    /// A clip touches the ground with its lowest vertex at the lowest moment. Where several give way to each other, the
    /// ground goes from one's height to the other's.
    pub fn floor(&self) -> Option<f32> {
        let loaded = self.loaded.as_ref()?;
        let mut floor: Option<f32> = None;
        for character in &self.characters {
            let mut height = None;
            character.controller.each_share(&mut |clip, share| {
                if share > 0.0
                    && let Some(sweep) = loaded.sweep(clip)
                {
                    let lowest = sweep.lowest_in_world(&character.world_from_model);
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

    /// Around every character, each swept over the framed clips.
    #[cfg(feature = "render")]
    pub(super) fn framed_in_world(&self) -> Option<Aabb> {
        let loaded = self.loaded.as_ref()?;
        let corners = loaded.bounds_of(&loaded.framed)?.corners();
        let mut framed = None;
        for character in &self.characters {
            let placed =
                Aabb::around(corners.map(|corner| character.world_from_model.transform_point3(corner)))?;
            Aabb::join(&mut framed, placed);
        }
        framed
    }

    /// In model space: what was framed, and what plays.
    #[cfg(feature = "render")]
    pub(super) fn bounds_in_picture(&self) -> Option<Aabb> {
        let loaded = self.loaded.as_ref()?;
        let mut bounds = loaded.bounds_of(&loaded.framed);
        for character in &self.characters {
            character.controller.each_playing(&mut |clip| {
                if let Some(sweep) = loaded.sweep(Some(clip)) {
                    Aabb::join(&mut bounds, sweep.bounds);
                }
            });
        }
        bounds
    }

    /// The same for another shape of the picture.
    pub(super) fn reframe(&mut self, aspect: f32) {
        self.camera.floor = self.floor();
        self.camera.frame(&self.outermost_in_world(), aspect);
    }

    fn aim(&mut self, aspect: f32, wanted: bool) {
        if wanted {
            self.camera.aim(&self.outermost_in_world(), aspect);
        }
    }

    /// Of all characters, each swept over the framed clips.
    fn outermost_in_world(&self) -> Vec<Vec3> {
        let mut in_world = Vec::new();
        let Some(loaded) = &self.loaded else { return in_world };
        let seen_exactly = self.characters.len() <= MOST_SEEN_EXACTLY;
        for sweep in loaded.framed.iter().filter_map(|&clip| loaded.sweep(clip)) {
            let corners = sweep.bounds.corners();
            let in_model = if seen_exactly { &sweep.support } else { corners.as_slice() };
            for character in &self.characters {
                for &point in in_model {
                    in_world.push(character.world_from_model.transform_point3(point));
                }
            }
        }
        in_world
    }

    /// Every clip that plays or may play; `None`, the rest pose, when there is none.
    fn may_play(&self) -> Vec<Option<ClipIndex>> {
        let mut clips = Vec::new();
        self.lead().each_clip(&mut |clip| add(&mut clips, Some(clip)));
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

    /// Of one character, swept over these clips.
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
