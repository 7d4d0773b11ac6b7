use crate::playback::{Controller, LayerIndex};
use glam::Affine3A;

/// One who plays the model: what it plays, and where it stands.
#[derive(Clone, Debug, Default)]
pub(super) struct Character {
    pub(super) controller: Controller,
    pub(super) world_from_model: Affine3A,
    /// How far ahead of the lead it is, as a fraction of the clip.
    pub(super) phase: f64,
}

impl Character {
    pub(super) fn stand_at_origin(&mut self) {
        self.world_from_model = Affine3A::IDENTITY;
        self.phase = 0.0;
    }

    /// To a time of the lead's: its own is ahead by its phase.
    pub(super) fn seek(&mut self, time_secs: f64) {
        self.controller.seek(LayerIndex::BASE, time_secs);
        if self.phase != 0.0 {
            self.controller.shift(self.phase);
        }
    }
}
