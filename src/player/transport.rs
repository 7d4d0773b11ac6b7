//! The buttons: play, pause, stop, seek. All characters obey; the lead answers.

use super::{Player, PlayerError, Value};
use crate::model::ClipIndex;
use crate::playback::{Controller, LayerIndex, Looping, PlayOptions, Run, Source, State};

/// How passing time is cut into steps.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Clock {
    /// As it comes.
    #[default]
    Free,
    /// In equal steps: the same moments whatever the frame rate. What doesn't fill a step is left for the next.
    Fixed { step_secs: f64, left_secs: f64 },
}

/// A fixed clock that falls further behind than this leaps.
const MOST_FIXED_STEPS: usize = 1000;

impl Player {
    /// The first clip of that name.
    ///
    /// # Errors
    /// When there is no model or no such clip.
    pub fn find_clip(&self, name: &str) -> Result<ClipIndex, PlayerError> {
        let model = self.model().ok_or(PlayerError::NoModel)?;
        model.find_clip(name).ok_or_else(|| PlayerError::UnknownClip {
            asked: name.to_owned(),
            available: model.clips.iter().map(|clip| clip.name.clone()).collect(),
        })
    }

    /// The clip of that number.
    ///
    /// # Errors
    /// When there is no model or no such clip.
    pub fn clip_at(&self, index: usize) -> Result<ClipIndex, PlayerError> {
        let model = self.model().ok_or(PlayerError::NoModel)?;
        if index < model.clips.len() {
            Ok(ClipIndex::new(index))
        } else {
            Err(PlayerError::ClipOutOfRange { asked: index, clip_count: model.clips.len() })
        }
    }

    /// Starts a clip on every character, each at its own phase.
    ///
    /// # Errors
    /// When there is no model, no such clip, or an option isn't a finite number.
    pub fn play(&mut self, clip: ClipIndex, options: &PlayOptions) -> Result<Run, PlayerError> {
        self.play_in(LayerIndex::BASE, &Source::from(clip), options)
    }

    /// Goes on after a pause, or from the beginning of a clip that has ended.
    pub fn resume(&mut self) {
        self.command(&mut |character, _, events| character.controller.resume(events));
    }

    /// Holds all layers.
    pub fn pause(&mut self) {
        self.command(&mut |character, _, events| character.controller.pause(events));
    }

    /// Back to the rest pose; also the layers fall silent, and no state machine decides any more.
    pub fn stop(&mut self) {
        self.command(&mut |character, _, events| character.controller.stop(events));
    }

    /// Shows a time of the current clip; each character of a crowd as far ahead of it as its phase says.
    ///
    /// # Errors
    /// When the time isn't a finite number.
    pub fn seek(&mut self, time_secs: f64) -> Result<(), PlayerError> {
        let time_secs = Value::Time.check(time_secs)?;
        self.command(&mut |character, _, _| character.seek(time_secs));
        Ok(())
    }

    /// For the clip that plays now; the next `play` brings its own.
    pub fn set_looping(&mut self, looping: Looping) {
        self.command(&mut |character, _, _| character.controller.set_looping(looping));
    }

    pub fn state(&self) -> State {
        self.lead().state(LayerIndex::BASE)
    }

    pub fn clip(&self) -> Option<ClipIndex> {
        self.lead().clip(LayerIndex::BASE)
    }

    pub fn run(&self) -> Option<Run> {
        self.lead().run(LayerIndex::BASE)
    }

    pub fn time_secs(&self) -> f64 {
        self.lead().time_secs(LayerIndex::BASE)
    }

    /// Of the current clip; 0 without one.
    pub fn duration_secs(&self) -> f64 {
        let clip = self.clip().and_then(|clip| self.model().map(|model| model.clip(clip)));
        clip.map_or(0.0, |clip| f64::from(clip.duration_secs))
    }

    pub fn playback_rate(&self) -> f64 {
        self.lead().playback_rate()
    }

    /// Negative runs backwards.
    ///
    /// # Errors
    /// When the rate isn't a finite number.
    pub fn set_playback_rate(&mut self, rate: f64) -> Result<(), PlayerError> {
        let rate = Value::PlaybackRate.check(rate)?;
        // Outlives the model, and so doesn't wait for one.
        let addressed = self.addressed();
        for character in &mut self.characters[addressed] {
            character.controller.set_playback_rate(rate);
        }
        Ok(())
    }

    pub fn clock(&self) -> Clock {
        self.clock
    }

    /// # Errors
    /// When a fixed step isn't a finite number above 0.
    pub fn set_clock(&mut self, clock: Clock) -> Result<(), PlayerError> {
        if let Clock::Fixed { step_secs, left_secs } = clock {
            Value::TimeStep.check(left_secs)?;
            Value::ClockStep.check(step_secs)?;
        }
        self.clock = clock;
        Ok(())
    }

    pub(super) fn pass_time(&mut self, dt_secs: f64) {
        let (mut count, mut step_secs) = (1, dt_secs);
        if let Clock::Fixed { step_secs: fixed_secs, left_secs } = &mut self.clock {
            *left_secs += dt_secs;
            let steps = (*left_secs / *fixed_secs).trunc();
            *left_secs -= steps * *fixed_secs;
            step_secs = fixed_secs.copysign(steps);
            count = steps.abs() as usize;
            if count > MOST_FIXED_STEPS {
                // So much at once is a leap, however it is made.
                (count, step_secs) = (1, step_secs * steps.abs());
            }
        }
        for _ in 0..count {
            self.command(&mut |character, repertoire, events| {
                character.controller.advance(repertoire, step_secs, events);
                character.go(step_secs);
            });
        }
    }

    /// Who answers.
    pub(super) fn lead(&self) -> &Controller {
        &self.characters[self.alone.unwrap_or(0)].controller
    }
}
