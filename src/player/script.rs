//! Controllers read from JSON, their parameters, and notes on clips: markers, beats and root motion.

use super::{Player, PlayerError, Value};
use crate::animation::Travel;
use crate::model::{ClipIndex, NodeIndex};
use crate::order::sort;
use crate::playback::{
    ClipNotes, LayerIndex, Marker, Parameter, ParameterIndex, ParameterKind, RootMotion, Script,
};

impl Player {
    /// Replaces all layers by a controller in JSON, whose state machines then control playback. `None` removes all
    /// state machines and layers and shows the rest pose.
    ///
    /// # Errors
    /// When there is no model, or the JSON isn't a controller for it. The player is then unchanged.
    pub fn set_controller(&mut self, json: Option<&str>) -> Result<(), PlayerError> {
        let loaded = self.loaded.as_mut().ok_or(PlayerError::NoModel)?;
        let Some(json) = json else {
            self.command(&mut |character, _, events| {
                character.controller.stop(events);
                character.controller.forget();
            });
            return Ok(());
        };
        let mut script = Script::from_json(json.as_bytes(), loaded.rig())?;
        loaded.library.set_parameters(std::mem::take(&mut script.parameters));
        loaded.library.set_root(script.root);
        for (clip, notes) in std::mem::take(&mut script.notes) {
            *loaded.library.notes_mut(clip) = notes;
        }
        self.command(&mut |character, library, events| {
            character.controller.set_script(library, &script, events);
            character.controller.shift(character.phase);
        });
        Ok(())
    }

    /// Returns the name of the current state of a layer's state machine, or `None` if the layer has no state machine.
    pub fn machine_state(&self, layer: LayerIndex) -> Option<&str> {
        self.state_name(layer, self.first_controller().machine_state(layer)?)
    }

    /// Returns the name of a state of a layer's state machine.
    pub fn state_name(&self, layer: LayerIndex, state: usize) -> Option<&str> {
        self.first_controller().state_name(layer, state)
    }

    pub fn parameters(&self) -> &[Parameter] {
        self.loaded.as_ref().map_or(&[], |loaded| loaded.library.parameters())
    }

    /// Returns the value of a parameter on the first character. Booleans and triggers are 0 or 1.
    ///
    /// # Errors
    /// When there is no such parameter.
    pub fn parameter(&self, name: &str) -> Result<f32, PlayerError> {
        let parameter = self.find_parameter(name)?;
        let loaded = self.loaded.as_ref().ok_or(PlayerError::NoModel)?;
        Ok(self.first_controller().value(&loaded.library, parameter))
    }

    /// Sets the value of a parameter. Booleans and triggers are set to 1 by every value but 0.
    ///
    /// # Errors
    /// When there is no such parameter, or the value isn't finite or is out of range.
    pub fn set_parameter(&mut self, name: &str, value: f32) -> Result<(), PlayerError> {
        let parameter = self.find_parameter(name)?;
        Value::Parameter.check(value.into())?;
        let is_switch = self.parameters()[parameter.0].kind != ParameterKind::Number;
        let value = if is_switch { f32::from(u8::from(value != 0.0)) } else { value };
        self.command(&mut |character, library, _| {
            character.controller.set_value(library, parameter, value);
        });
        Ok(())
    }

    /// Returns the notes on a clip.
    ///
    /// # Errors
    /// When there is no such clip.
    pub fn notes(&self, clip: ClipIndex) -> Result<&ClipNotes, PlayerError> {
        let loaded = self.loaded.as_ref().ok_or(PlayerError::NoModel)?;
        self.clip_at(clip.get())?;
        Ok(loaded.library.notes(clip))
    }

    /// Updates the notes on a clip from JSON, in the form of a controller's notes. Keys that are missing keep their
    /// values.
    ///
    /// # Errors
    /// When there is no such clip, or the JSON isn't valid for it.
    pub fn read_notes(&mut self, clip: ClipIndex, json: &str) -> Result<(), PlayerError> {
        let before = self.notes(clip)?;
        let rig = self.rig().ok_or(PlayerError::NoModel)?;
        let mut notes = ClipNotes::from_json(json.as_bytes(), rig, clip, before)?;
        self.note(clip, &mut |held| *held = std::mem::take(&mut notes))
    }

    /// Replaces the markers of a clip. They may be in any order. Their times are clamped to the clip.
    ///
    /// # Errors
    /// When there is no such clip, or a time isn't finite.
    pub fn set_markers(&mut self, clip: ClipIndex, mut markers: Vec<Marker>) -> Result<(), PlayerError> {
        for marker in &mut markers {
            marker.time_secs = self.time_in(clip, marker.time_secs)?;
        }
        sort_markers(&mut markers);
        self.note(clip, &mut |notes| notes.markers = std::mem::take(&mut markers))
    }

    /// Replaces the beats of a clip: times, such as footfalls, that correspond between clips played in phase.
    ///
    /// They may be in any order and are clamped to the clip. They take effect the next time the clip is played.
    ///
    /// # Errors
    /// When there is no such clip, or a time isn't finite.
    pub fn set_beats(&mut self, clip: ClipIndex, mut beats_secs: Vec<f64>) -> Result<(), PlayerError> {
        for beat in &mut beats_secs {
            *beat = self.time_in(clip, *beat)?;
        }
        sort(&mut beats_secs, |a, b| a < b);
        beats_secs.dedup();
        self.note(clip, &mut |notes| notes.beats_secs = std::mem::take(&mut beats_secs))
    }

    /// Sets how a clip's root motion is applied. It takes effect the next time the clip is played.
    ///
    /// # Errors
    /// When there is no such clip.
    pub fn set_root_motion(&mut self, clip: ClipIndex, root: RootMotion) -> Result<(), PlayerError> {
        self.note(clip, &mut |notes| notes.root = root)
    }

    /// Returns the root node, whose motion over the ground can be pinned or extracted.
    pub fn root(&self) -> Option<NodeIndex> {
        self.loaded.as_ref()?.library.root()
    }

    /// Sets the root node, or detects it if `root` is `None`. It takes effect the next time a clip is played.
    pub fn set_root(&mut self, root: Option<NodeIndex>) {
        if let Some(loaded) = &mut self.loaded {
            loaded.library.set_root(root);
        }
    }

    /// Returns a character's root motion since the last call, in the character's frame at that time, and resets it.
    ///
    /// # Errors
    /// When there is no such character.
    pub fn take_travel(&mut self, character: usize) -> Result<Travel, PlayerError> {
        let character_count = self.characters.len();
        let held = self.characters.get_mut(character);
        let held = held.ok_or(PlayerError::CharacterOutOfRange { asked: character, character_count })?;
        Ok(held.controller.take_travel())
    }

    fn note(&mut self, clip: ClipIndex, edit: &mut dyn FnMut(&mut ClipNotes)) -> Result<(), PlayerError> {
        self.notes(clip)?;
        if let Some(loaded) = &mut self.loaded {
            edit(loaded.library.notes_mut(clip));
        }
        Ok(())
    }

    fn time_in(&self, clip: ClipIndex, time_secs: f64) -> Result<f64, PlayerError> {
        let clip = self.clip_at(clip.get())?;
        let rig = self.rig().ok_or(PlayerError::NoModel)?;
        Ok(Value::Time.check(time_secs)?.max(0.0).min(f64::from(rig.clip(clip).duration_secs)))
    }

    fn find_parameter(&self, name: &str) -> Result<ParameterIndex, PlayerError> {
        let loaded = self.loaded.as_ref().ok_or(PlayerError::NoModel)?;
        loaded.library.find_parameter(name).ok_or_else(|| PlayerError::UnknownParameter {
            asked: name.to_owned(),
            available: self.parameters().iter().map(|parameter| parameter.name.clone()).collect(),
        })
    }
}

/// Sorts markers by time. The sort is stable.
fn sort_markers(markers: &mut [Marker]) {
    for end in 1..markers.len() {
        let mut at = end;
        while at > 0 && markers[at - 1].time_secs > markers[at].time_secs {
            markers.swap(at - 1, at);
            at -= 1;
        }
    }
}
