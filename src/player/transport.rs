//! Transport controls of the base layer: play, pause, stop, seek. Commands apply to all characters, getters return
//! the state of the first one.

use super::{Player, PlayerError, Value};
use crate::model::ClipIndex;
use crate::playback::{Controller, LayerIndex, Looping, PlayOptions, Run, Source, State};

/// The division of time into steps.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Clock {
    /// Each call of [`Player::advance`] is one step.
    #[default]
    Free,
    /// Steps of equal length, so that results don't depend on the frame rate. `left_secs` is the time that is carried
    /// over to the next step.
    Fixed { step_secs: f64, left_secs: f64 },
}

/// Largest number of fixed steps in one call. Beyond it, a single step covers the whole time.
const MOST_FIXED_STEPS: usize = 1000;

impl Player {
    /// Returns the first clip with the given name.
    ///
    /// # Errors
    /// When there is no model or no such clip.
    pub fn find_clip(&self, name: &str) -> Result<ClipIndex, PlayerError> {
        let rig = self.rig().ok_or(PlayerError::NoModel)?;
        rig.find_clip(name).ok_or_else(|| PlayerError::UnknownClip {
            asked: name.to_owned(),
            available: rig.clips().map(|clip| clip.name.clone()).collect(),
        })
    }

    /// Returns the index of a clip, after checking that the clip exists.
    ///
    /// # Errors
    /// When there is no model or no such clip.
    pub fn clip_at(&self, index: usize) -> Result<ClipIndex, PlayerError> {
        let clip_count = self.rig().ok_or(PlayerError::NoModel)?.clip_count();
        if index < clip_count {
            Ok(ClipIndex::new(index))
        } else {
            Err(PlayerError::ClipOutOfRange { asked: index, clip_count })
        }
    }

    /// Plays a clip on every character, each at its own phase. Returns the number of the run.
    ///
    /// # Errors
    /// When there is no model, no such clip, or an option isn't finite or is out of range.
    pub fn play(&mut self, clip: ClipIndex, options: &PlayOptions) -> Result<Run, PlayerError> {
        self.play_in(LayerIndex::BASE, &Source::from(clip), options)
    }

    /// Ends a pause, and restarts the base layer's clip where it has ended. Returns false where there is nothing to
    /// continue.
    pub fn resume(&mut self) -> bool {
        self.resume_as(None)
    }

    /// Like [`resume`](Self::resume); what the lowest playing layer plays continues under the number `run`.
    pub fn resume_as(&mut self, run: Option<Run>) -> bool {
        let mut resumed = false;
        self.command(&mut |character, _, events| resumed |= character.controller.resume(run, events));
        resumed
    }

    /// Pauses all layers.
    pub fn pause(&mut self) {
        self.command(&mut |character, _, events| character.controller.pause(events));
    }

    /// Stops all layers at once, removes their state machines, and returns to the rest pose.
    pub fn stop(&mut self) {
        self.command(&mut |character, _, events| character.controller.stop(events));
    }

    /// Moves the base layer's current clip to a time. In a crowd, each character's time is ahead by its phase.
    ///
    /// # Errors
    /// When the time isn't finite.
    pub fn seek(&mut self, time_secs: f64) -> Result<(), PlayerError> {
        let time_secs = Value::Time.check(time_secs)?;
        self.command(&mut |character, _, _| character.seek(time_secs));
        Ok(())
    }

    /// Sets the looping of the current clip. The next `play` replaces it.
    pub fn set_looping(&mut self, looping: Looping) {
        self.command(&mut |character, _, _| character.controller.set_looping(looping));
    }

    pub fn state(&self) -> State {
        self.first_controller().state(LayerIndex::BASE)
    }

    pub fn clip(&self) -> Option<ClipIndex> {
        self.first_controller().clip(LayerIndex::BASE)
    }

    pub fn run(&self) -> Option<Run> {
        self.first_controller().run(LayerIndex::BASE)
    }

    pub fn time_secs(&self) -> f64 {
        self.first_controller().time_secs(LayerIndex::BASE)
    }

    /// Returns the duration of the current clip in seconds, or 0 without one.
    pub fn duration_secs(&self) -> f64 {
        let clip = self.clip().and_then(|clip| self.rig().map(|rig| rig.clip(clip)));
        clip.map_or(0.0, |clip| f64::from(clip.duration_secs))
    }

    pub fn playback_rate(&self) -> f64 {
        self.first_controller().playback_rate()
    }

    /// Sets the factor of time for all layers. Negative rates play backwards.
    ///
    /// # Errors
    /// When the rate isn't finite or its magnitude is above 1e9.
    pub fn set_playback_rate(&mut self, rate: f64) -> Result<(), PlayerError> {
        let rate = Value::PlaybackRate.check(rate)?;
        // Not through `command`, which needs a model: the rate is independent of the model.
        let addressed = self.addressed();
        for character in &mut self.characters[addressed] {
            character.controller.set_playback_rate(rate);
        }
        Ok(())
    }

    pub fn clock(&self) -> Clock {
        self.clock
    }

    /// Sets how time is divided into steps.
    ///
    /// # Errors
    /// When a fixed step isn't between 1e-9 and 1e9, or the time carried over isn't finite.
    pub fn set_clock(&mut self, clock: Clock) -> Result<(), PlayerError> {
        if let Clock::Fixed { step_secs, left_secs } = clock {
            Value::TimeStep.check(left_secs)?;
            Value::ClockStep.check(step_secs)?;
        }
        self.clock = clock;
        Ok(())
    }

    /// Divides a time by the clock into steps, and passes it to every actor that moves. `moves_itself` says whether
    /// this player's own model does.
    pub(super) fn pass_time(&mut self, dt_secs: f64, moves_itself: bool) {
        let (mut count, mut step_secs) = (1, dt_secs);
        if let Clock::Fixed { step_secs: fixed_secs, left_secs } = &mut self.clock {
            *left_secs += dt_secs;
            let steps = (*left_secs / *fixed_secs).trunc();
            *left_secs -= steps * *fixed_secs;
            step_secs = fixed_secs.copysign(steps);
            count = steps.abs() as usize;
            if count > MOST_FIXED_STEPS {
                // The time is too long for the steps to matter, and looping over all of them would block.
                (count, step_secs) = (1, step_secs * steps.abs());
            }
        }
        if moves_itself {
            self.step(count, step_secs);
        }
        if self.has_company() {
            self.step_company(moves_itself, count, step_secs);
        }
    }

    /// Passes time to this player's own model, which must move.
    #[inline(always)]
    pub(super) fn step(&mut self, count: usize, step_secs: f64) {
        for _ in 0..count {
            self.command(&mut |character, library, events| {
                character.controller.advance(library, step_secs, events);
                character.apply_root_motion(step_secs);
            });
        }
        if self.loaded.as_ref().is_some_and(|loaded| loaded.has_extras) {
            self.step_extras(count, step_secs);
        }
    }

    /// Passes time to constraints, springs and ragdolls.
    #[inline(never)]
    fn step_extras(&mut self, count: usize, step_secs: f64) {
        if let Some(loaded) = &mut self.loaded {
            loaded.springs.advance(step_secs * count as f64);
        }
        for _ in 0..count {
            self.command(&mut |character, _, _| character.advance_bodies(step_secs));
            self.fade_constraints(step_secs);
        }
    }

    /// Returns the controller that getters read: the first character's, or that of the character in
    /// [`alone`](Self::alone()).
    pub(super) fn first_controller(&self) -> &Controller {
        &self.characters[self.alone.unwrap_or(0)].controller
    }
}
