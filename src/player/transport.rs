//! The buttons: play, pause, stop, seek. All characters obey; the lead answers.

use super::Player;
use super::error::{PlayerError, finite};
use crate::model::ClipIndex;
use crate::playback::{Controller, Looping, PlayOptions, Run, State};

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
        finite("fade", options.fade_secs)?;
        finite("speed", options.speed)?;
        finite("phase", options.phase)?;
        self.clip_at(clip.get())?;
        let rig = self.rig().cloned().ok_or(PlayerError::NoModel)?;
        self.command(|character, events| {
            let own = PlayOptions { phase: options.phase + character.phase, ..*options };
            character.controller.play(&rig, clip, &own, events);
        });
        if let Some(loaded) = &mut self.loaded {
            loaded.grow_bounds(clip);
        }
        self.run().ok_or(PlayerError::NoModel)
    }

    /// Goes on after a pause, or from the beginning of a clip that has ended.
    pub fn resume(&mut self) {
        self.command(|character, events| character.controller.resume(events));
    }

    pub fn pause(&mut self) {
        self.command(|character, events| character.controller.pause(events));
    }

    /// Back to the rest pose.
    pub fn stop(&mut self) {
        self.command(|character, events| character.controller.stop(events));
    }

    /// Shows a time of the current clip; each character of a crowd as far ahead of it as its phase says.
    ///
    /// # Errors
    /// When the time isn't a finite number.
    pub fn seek(&mut self, time_secs: f64) -> Result<(), PlayerError> {
        let time_secs = finite("time", time_secs)?;
        self.command(|character, _| character.seek(time_secs));
        Ok(())
    }

    /// For the clip that plays now; the next `play` brings its own.
    pub fn set_looping(&mut self, looping: Looping) {
        self.command(|character, _| character.controller.set_looping(looping));
    }

    pub fn state(&self) -> State {
        self.lead().state()
    }

    pub fn clip(&self) -> Option<ClipIndex> {
        self.lead().clip()
    }

    pub fn run(&self) -> Option<Run> {
        self.lead().run()
    }

    pub fn time_secs(&self) -> f64 {
        self.lead().time_secs()
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
        let rate = finite("playback rate", rate)?;
        self.command(|character, _| character.controller.set_playback_rate(rate));
        Ok(())
    }

    fn lead(&self) -> &Controller {
        &self.characters[0].controller
    }
}
