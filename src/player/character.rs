use super::overrides::Turns;
use super::ragdoll::Falling;
use crate::angle::sin_cos;
use crate::animation::{SpringState, Travel};
use crate::playback::{Controller, LayerIndex};
use glam::{Affine3A, Mat3A};

/// One instance of the model: its playback state and its transform.
#[derive(Clone, Debug, Default)]
pub(super) struct Character {
    pub(super) controller: Controller,
    /// Transform in the space of the player, which is the world unless the player is an actor of another one.
    pub(super) actor_from_model: Affine3A,
    /// Offset from the first character's playback position, as a fraction of the clip.
    pub(super) phase: f64,
    pub(super) turns: Turns,
    pub(super) springs: SpringState,
    pub(super) ragdoll: Option<Box<Falling>>,
}

impl Character {
    pub(super) fn stand_at_origin(&mut self) {
        self.actor_from_model = Affine3A::IDENTITY;
        self.phase = 0.0;
        self.turns.forget();
        self.springs = SpringState::default();
        self.ragdoll = None;
    }

    pub(super) fn world_from_model(&self, world_from_actor: &Affine3A) -> Affine3A {
        *world_from_actor * self.actor_from_model
    }

    /// Returns whether advancing time would change the character's pose.
    pub(super) fn is_moving(&self) -> bool {
        self.controller.is_moving()
            || self.turns.are_turning()
            || self.springs.is_moving()
            || self.ragdoll.as_ref().is_some_and(|falling| falling.is_moving())
    }

    /// Applies the root motion of the controller's last step to `actor_from_model`.
    ///
    /// Also adds the step's length to the time that looks and constraints wait for.
    pub(super) fn apply_root_motion(&mut self, step_secs: f64) {
        self.turns.passed_secs += step_secs.abs() as f32;
        let travel = self.controller.take_applied_travel();
        if travel != Travel::IDENTITY {
            let (sine, cosine) = sin_cos(travel.yaw);
            let turn = Mat3A::from_cols_array(&[cosine, 0.0, -sine, 0.0, 1.0, 0.0, sine, 0.0, cosine]);
            self.actor_from_model *= Affine3A { matrix3: turn, translation: travel.translation.into() };
        }
    }

    /// Adds a step's length to the time that springs and ragdolls wait for.
    pub(super) fn advance_bodies(&mut self, step_secs: f64) {
        self.springs.passed_secs += step_secs.abs();
        if let Some(falling) = &mut self.ragdoll {
            falling.advance(step_secs);
        }
    }

    /// Seeks the base layer to a time of the first character, then moves it ahead by the character's own phase.
    pub(super) fn seek(&mut self, time_secs: f64) {
        self.springs.reset();
        self.controller.seek(LayerIndex::BASE, time_secs);
        if self.phase != 0.0 {
            self.controller.shift(self.phase);
        }
    }
}
