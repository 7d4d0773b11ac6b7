//! Playback in layers. Each layer is applied over the ones below it, to the nodes that its mask selects.

use super::{Player, PlayerError, Value};
use crate::model::ClipIndex;
use crate::playback::{
    Easing, Ending, LayerIndex, LayerMode, LayerOptions, PlayOptions, Reference, Run, Source, State,
};

/// Largest number of layers. Each one adds a pose to blend for every character.
const MOST_LAYERS: usize = 64;

impl Player {
    /// Parses a motion from JSON: a clip's name, or a blend. Parameters that the JSON names and that don't exist yet
    /// are created as numbers that start at 0.
    ///
    /// # Errors
    /// When there is no model, or the JSON isn't a motion of this model.
    pub fn read_source(&mut self, json: &str) -> Result<Source, PlayerError> {
        let loaded = self.loaded.as_mut().ok_or(PlayerError::NoModel)?;
        let mut parameters = loaded.library.parameters().to_vec();
        let source = Source::from_json(json.as_bytes(), loaded.rig(), &mut parameters)?;
        loaded.library.set_parameters(parameters);
        Ok(source)
    }

    /// Plays a source in a layer of every character, each at its own phase. Returns the number of the run.
    ///
    /// # Errors
    /// When there is no model, no such clip or layer, or an option isn't finite or is out of range.
    pub fn play_in(
        &mut self,
        layer: LayerIndex,
        source: &Source,
        options: &PlayOptions,
    ) -> Result<Run, PlayerError> {
        Value::Fade.check(options.fade_secs)?;
        Value::Speed.check(options.speed)?;
        Value::Start.check(options.start_secs)?;
        Value::Phase.check(options.phase)?;
        if let Ending::Release(fade_secs) = options.ending {
            Value::Release.check(fade_secs)?;
        }
        self.check_source(source)?;
        self.check_layer(layer)?;
        self.command(&mut |character, library, events| {
            let own = PlayOptions { phase: options.phase + character.phase, ..*options };
            character.controller.play(library, layer, source, &own, events);
        });
        self.first_controller().run(layer).ok_or(PlayerError::NoModel)
    }

    /// Stops a layer by fading it out to the layers below it.
    ///
    /// # Errors
    /// When there is no such layer, or the time isn't finite or is out of range.
    pub fn stop_layer(&mut self, layer: LayerIndex, fade_secs: f64) -> Result<(), PlayerError> {
        Value::Fade.check(fade_secs)?;
        self.check_layer(layer)?;
        self.command(&mut |character, library, events| {
            character.controller.stop_layer(library, layer, fade_secs, events);
        });
        Ok(())
    }

    /// Moves a layer's current clip to a time and ends its crossfades. In the base layer, each character's time
    /// is ahead by its phase. In other layers, all characters get the same time.
    ///
    /// # Errors
    /// When there is no such layer, or the time isn't finite.
    pub fn seek_layer(&mut self, layer: LayerIndex, time_secs: f64) -> Result<(), PlayerError> {
        self.check_layer(layer)?;
        if layer == LayerIndex::BASE {
            return self.seek(time_secs);
        }
        let time_secs = Value::Time.check(time_secs)?;
        self.command(&mut |character, _, _| character.controller.seek(layer, time_secs));
        Ok(())
    }

    /// Adds a layer above all others, or changes the options of the layer with that name, which keeps playing.
    /// The lowest layer is named `base`.
    ///
    /// # Errors
    /// When there is no model, no such node or clip, a weight isn't between 0 and 1, a time isn't finite, or
    /// there are too many layers.
    pub fn set_layer(&mut self, name: &str, options: &LayerOptions) -> Result<LayerIndex, PlayerError> {
        let model = self.model().ok_or(PlayerError::NoModel)?;
        Value::Weight.check(options.weight.into())?;
        for entry in &options.mask {
            Value::Weight.check(entry.weight.into())?;
            if entry.node.get() >= model.nodes.len() {
                let node_count = model.nodes.len();
                return Err(PlayerError::NodeOutOfRange { asked: entry.node.get(), node_count });
            }
        }
        if let LayerMode::Add(Reference::Pose { clip, time_secs }) = options.mode {
            Value::Time.check(time_secs)?;
            self.clip_at(clip.get())?;
        }
        if self.first_controller().find_layer(name).is_none()
            && self.first_controller().layer_names().count() >= MOST_LAYERS
        {
            return Err(PlayerError::TooManyLayers { most: MOST_LAYERS });
        }
        let mut index = LayerIndex::BASE;
        self.command(&mut |character, library, _| {
            index = character.controller.set_layer(library, name, options);
        });
        Ok(index)
    }

    /// Removes a layer, which ends its playback at once. The base layer is emptied and stays.
    ///
    /// # Errors
    /// When there is no such layer.
    pub fn remove_layer(&mut self, layer: LayerIndex) -> Result<(), PlayerError> {
        self.check_layer(layer)?;
        self.command(&mut |character, _, events| character.controller.remove_layer(layer, events));
        Ok(())
    }

    /// Fades a layer's weight to `weight` in `fade_secs` seconds.
    ///
    /// # Errors
    /// When there is no such layer, the weight isn't between 0 and 1, or the time isn't finite or is out of range.
    pub fn fade_layer(
        &mut self,
        layer: LayerIndex,
        weight: f32,
        fade_secs: f64,
        easing: Easing,
    ) -> Result<(), PlayerError> {
        Value::Weight.check(weight.into())?;
        Value::Fade.check(fade_secs)?;
        self.check_layer(layer)?;
        self.command(&mut |character, _, _| {
            character.controller.fade_layer(layer, weight, fade_secs, easing);
        });
        Ok(())
    }

    /// Returns the index of the layer with the given name.
    ///
    /// # Errors
    /// When there is no such layer.
    pub fn find_layer(&self, name: &str) -> Result<LayerIndex, PlayerError> {
        self.first_controller().find_layer(name).ok_or_else(|| PlayerError::UnknownLayer {
            asked: name.to_owned(),
            available: self.layer_names().map(str::to_owned).collect(),
        })
    }

    /// Returns the names of the layers, lowest first.
    pub fn layer_names(&self) -> impl Iterator<Item = &str> {
        self.first_controller().layer_names()
    }

    pub fn layer_weight(&self, layer: LayerIndex) -> f32 {
        self.first_controller().layer_weight(layer)
    }

    pub fn layer_state(&self, layer: LayerIndex) -> State {
        self.first_controller().state(layer)
    }

    pub fn layer_clip(&self, layer: LayerIndex) -> Option<ClipIndex> {
        self.first_controller().clip(layer)
    }

    pub fn layer_run(&self, layer: LayerIndex) -> Option<Run> {
        self.first_controller().run(layer)
    }

    pub fn layer_time_secs(&self, layer: LayerIndex) -> f64 {
        self.first_controller().time_secs(layer)
    }

    fn check_layer(&self, LayerIndex(layer): LayerIndex) -> Result<(), PlayerError> {
        if (layer as usize) < self.layer_names().count() {
            return Ok(());
        }
        let available = self.layer_names().map(str::to_owned).collect();
        Err(PlayerError::UnknownLayer { asked: layer.to_string(), available })
    }

    fn check_source(&self, source: &Source) -> Result<(), PlayerError> {
        match source {
            Source::Clip(clip_use) => {
                Value::Time.check(clip_use.from_secs)?;
                Value::Time.check(clip_use.to_secs.unwrap_or(0.0))?;
                Value::Speed.check(clip_use.speed)?;
                self.clip_at(clip_use.clip.get())?;
                Ok(())
            }
            Source::Blend(blend) => {
                blend.children.iter().try_for_each(|child| self.check_source(&child.source))
            }
        }
    }
}
