use super::hand::Turns;
use crate::angle::sin_cos;
use crate::animation::Travel;
use crate::playback::{Controller, LayerIndex};
use glam::{Affine3A, Mat3A};

/// One who plays the model: what it plays, and where it stands.
#[derive(Clone, Debug, Default)]
pub(super) struct Character {
    pub(super) controller: Controller,
    pub(super) world_from_model: Affine3A,
    /// How far ahead of the lead it is, as a fraction of the clip.
    pub(super) phase: f64,
    pub(super) turns: Turns,
}

impl Character {
    pub(super) fn stand_at_origin(&mut self) {
        self.world_from_model = Affine3A::IDENTITY;
        self.phase = 0.0;
        self.turns.forget();
    }

    /// Whether passing time would change its pose.
    pub(super) fn is_moving(&self) -> bool {
        self.controller.is_moving() || self.turns.are_under_way()
    }

    /// After a step of the controller: over the ground, as the root motion has it.
    pub(super) fn go(&mut self, step_secs: f64) {
        self.turns.passed_secs += step_secs.abs() as f32;
        let moved = self.controller.take_moved();
        if moved != Travel::IDENTITY {
            let (sine, cosine) = sin_cos(moved.yaw);
            let turn = Mat3A::from_cols_array(&[cosine, 0.0, -sine, 0.0, 1.0, 0.0, sine, 0.0, cosine]);
            self.world_from_model *= Affine3A { matrix3: turn, translation: moved.translation.into() };
        }
    }

    /// To a time of the lead's: its own is ahead by its phase.
    pub(super) fn seek(&mut self, time_secs: f64) {
        self.controller.seek(LayerIndex::BASE, time_secs);
        if self.phase != 0.0 {
            self.controller.shift(self.phase);
        }
    }
}
