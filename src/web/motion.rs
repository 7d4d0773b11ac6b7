//! Exports for playback: motions in layers, controllers, notes on clips, overrides of nodes and morphs, and events.

use super::player::PlayerHandle;
use super::record::PlayRecord;
use crate::model::ClipIndex;
use crate::playback::{
    Crossing, Easing, Ending, Event, EventKind, FinishReason, LayerIndex, LayerOptions, Looping, Marker,
    ParameterKind, PlayOptions, Run, State, SyncGroup,
};
use crate::player::{Clock, NodeOverride, Player, PlayerError, RelativeTo};
use glam::{Quat, Vec3};
use std::num::NonZeroU32;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

// The order of each must match the list in `wasm.ts`.
pub(super) const EASINGS: [Easing; 4] = [Easing::Linear, Easing::Smooth, Easing::In, Easing::Out];
const CROSSINGS: [Crossing; 3] = [Crossing::Fade, Crossing::Inertia, Crossing::DeadBlending];
const RELATIONS: [RelativeTo; 3] = [RelativeTo::Rest, RelativeTo::Pose, RelativeTo::Parent];

pub(super) const LENGTH: PlayerError =
    PlayerError::OutOfRange { what: "length of a list of numbers", expected: "that its type allows" };

#[wasm_bindgen]
impl PlayerHandle {
    // ── layers ──

    /// Starts a motion, which is JSON in the form of a controller's motions.
    pub fn play(&mut self, layer: &str, motion: &str, record: &PlayRecord) -> Result<(), JsValue> {
        if record.resumes() && self.actor_mut().resume_as(record.run().map(Run)) {
            return Ok(());
        }
        start(self.actor_mut(), layer, motion, record)
    }

    /// Adds a layer, or changes the options of an existing one.
    #[wasm_bindgen(js_name = setLayer)]
    pub fn set_layer(&mut self, layer: &str, options: &str) -> Result<(), JsValue> {
        let rig = self.actor_mut().rig().ok_or(PlayerError::NoModel)?;
        let options = LayerOptions::from_json(options.as_bytes(), rig);
        let options = options.map_err(PlayerError::from)?;
        self.actor_mut().set_layer(layer, &options)?;
        Ok(())
    }

    #[wasm_bindgen(js_name = removeLayer)]
    pub fn remove_layer(&mut self, layer: &str) -> Result<(), JsValue> {
        let layer = self.find_layer(layer)?;
        Ok(self.actor_mut().remove_layer(layer)?)
    }

    /// Returns the names of the layers, the base layer first.
    #[wasm_bindgen(js_name = layerNames)]
    pub fn layer_names(&self) -> Vec<String> {
        self.actor().layer_names().map(str::to_owned).collect()
    }

    /// Returns a layer's state, clip (−1 for none), run (−1 for none), time and weight.
    pub fn layer(&self, layer: &str) -> Result<Vec<f64>, JsValue> {
        let layer = self.find_layer(layer)?;
        let player = &self.actor();
        Ok(vec![
            state_number(player.layer_state(layer)).into(),
            player.layer_clip(layer).map_or(-1.0, |clip| clip.get() as f64),
            player.layer_run(layer).map_or(-1.0, |Run(run)| run.into()),
            player.layer_time_secs(layer),
            player.layer_weight(layer).into(),
        ])
    }

    #[wasm_bindgen(js_name = fadeLayer)]
    pub fn fade_layer(
        &mut self,
        layer: &str,
        weight: f32,
        fade_secs: f64,
        easing: usize,
    ) -> Result<(), JsValue> {
        let layer = self.find_layer(layer)?;
        let easing = pick(&EASINGS, easing, "easing")?;
        Ok(self.actor_mut().fade_layer(layer, weight, fade_secs, easing)?)
    }

    #[wasm_bindgen(js_name = seekLayer)]
    pub fn seek_layer(&mut self, layer: &str, time_secs: f64) -> Result<(), JsValue> {
        let layer = self.find_layer(layer)?;
        Ok(self.actor_mut().seek_layer(layer, time_secs)?)
    }

    /// Stops a layer by fading it out to the layers below it.
    #[wasm_bindgen(js_name = stopLayer)]
    pub fn stop_layer(&mut self, layer: &str, fade_secs: f64) -> Result<(), JsValue> {
        let layer = self.find_layer(layer)?;
        Ok(self.actor_mut().stop_layer(layer, fade_secs)?)
    }

    /// Returns the name of a state of the layer's state machine: the state with the given index, or else the current
    /// one.
    #[wasm_bindgen(js_name = stateName)]
    pub fn state_name(&self, layer: &str, state: Option<usize>) -> Result<Option<String>, JsValue> {
        let layer = self.find_layer(layer)?;
        let name = match state {
            Some(state) => self.actor().state_name(layer, state),
            None => self.actor().machine_state(layer),
        };
        Ok(name.map(str::to_owned))
    }

    // ── controllers ──

    /// Replaces all layers by a controller in JSON. Without JSON, removes the controller. On failure, nothing is
    /// changed.
    #[wasm_bindgen(js_name = setController)]
    pub fn set_controller(&mut self, json: Option<String>) -> Result<(), JsValue> {
        Ok(self.actor_mut().set_controller(json.as_deref())?)
    }

    #[wasm_bindgen(js_name = parameterNames)]
    pub fn parameter_names(&self) -> Vec<String> {
        self.actor().parameters().iter().map(|parameter| parameter.name.clone()).collect()
    }

    /// Returns a parameter's kind (0 is a number, 1 a boolean, 2 a trigger) and its value.
    pub fn parameter(&self, name: &str) -> Result<Vec<f32>, JsValue> {
        let value = self.actor().parameter(name)?;
        let parameter = self.actor().parameters().iter().find(|parameter| parameter.name == name);
        let kind = parameter.map_or(ParameterKind::Number, |parameter| parameter.kind);
        Ok(vec![f32::from(kind as u8), value])
    }

    #[wasm_bindgen(js_name = setParameter)]
    pub fn set_parameter(&mut self, name: &str, value: f32) -> Result<(), JsValue> {
        Ok(self.actor_mut().set_parameter(name, value)?)
    }

    // ── notes on clips ──

    /// Updates the notes on a clip from JSON, in the form of a controller's notes. Keys that are missing keep their
    /// values.
    #[wasm_bindgen(js_name = setNotes)]
    pub fn set_notes(&mut self, clip: usize, json: &str) -> Result<(), JsValue> {
        Ok(self.actor_mut().read_notes(ClipIndex::new(clip), json)?)
    }

    #[wasm_bindgen(js_name = markerNames)]
    pub fn marker_names(&self, clip: usize) -> Vec<String> {
        self.markers(clip).iter().map(|marker| marker.name.as_ref().to_owned()).collect()
    }

    #[wasm_bindgen(js_name = markerTimes)]
    pub fn marker_times(&self, clip: usize) -> Vec<f64> {
        self.markers(clip).iter().map(|marker| marker.time_secs).collect()
    }

    /// Returns the index of the root node, or −1 if there is none.
    #[wasm_bindgen(getter, js_name = rootNode)]
    pub fn root_node(&self) -> i32 {
        let root = self.actor().root().zip(self.actor().model());
        root.map_or(-1, |(root, model)| model.node(root).source_index as i32)
    }

    /// Sets the root node. −1 selects the detected one.
    #[wasm_bindgen(setter, js_name = rootNode)]
    pub fn set_root_node(&mut self, node: i32) -> Result<(), JsValue> {
        let node = usize::try_from(node).ok().map(|node| self.actor_mut().node_at(node)).transpose()?;
        self.actor_mut().set_root(node);
        Ok(())
    }

    /// Returns a character's root motion since the last call: x, y, z, and the turn in radians, counter-clockwise
    /// seen from above.
    #[wasm_bindgen(js_name = takeTravel)]
    pub fn take_travel(&mut self, character: usize) -> Result<Vec<f32>, JsValue> {
        let travel = self.actor_mut().take_travel(character)?;
        let [x, y, z] = travel.translation.to_array();
        Ok(vec![x, y, z, travel.yaw])
    }

    // ── overrides of the pose ──

    /// Overrides a part of a node's transform: 0 is the translation, 1 the rotation, 2 the scale.
    ///
    /// Parts that were set before are kept. `relation` and `weight` apply to all of them.
    #[wasm_bindgen(js_name = setNode)]
    pub fn set_node(
        &mut self,
        node: usize,
        part: u32,
        value: &[f32],
        relation: usize,
        weight: f32,
    ) -> Result<(), JsValue> {
        let node = self.actor_mut().node_at(node)?;
        let relative_to = pick(&RELATIONS, relation, "relation")?;
        let held = self.actor_mut().node_override(node).copied().unwrap_or_default();
        let mut node_override = NodeOverride { relative_to, weight, ..held };
        match (part, value) {
            (0, &[x, y, z]) => node_override.translation = Some(Vec3::new(x, y, z)),
            (1, &[x, y, z, w]) => node_override.rotation = Some(Quat::from_xyzw(x, y, z, w)),
            (2, &[x, y, z]) => node_override.scale = Some(Vec3::new(x, y, z)),
            _ => return Err(LENGTH.into()),
        }
        Ok(self.actor_mut().set_node(node, &node_override)?)
    }

    #[wasm_bindgen(js_name = releaseNode)]
    pub fn release_node(&mut self, node: usize) -> Result<(), JsValue> {
        let node = self.actor_mut().node_at(node)?;
        self.actor_mut().release_node(node);
        Ok(())
    }

    /// Shows or hides a node and its descendants.
    #[wasm_bindgen(js_name = setVisible)]
    pub fn set_visible(&mut self, node: usize, visible: bool) -> Result<(), JsValue> {
        let node = self.actor_mut().node_at(node)?;
        Ok(self.actor_mut().set_visible(node, visible)?)
    }

    /// Returns the indices of the nodes that were hidden themselves, without their descendants.
    #[wasm_bindgen(js_name = hiddenNodes)]
    pub fn hidden_nodes(&self) -> Vec<u32> {
        let Some(model) = self.actor().model() else { return Vec::new() };
        let hidden = self.actor().hidden_nodes().iter();
        hidden.map(|&node| model.node(node).source_index as u32).collect()
    }

    /// Turns a node towards a point in the world. Vectors may be empty: without a target the look is removed.
    #[wasm_bindgen(js_name = lookAt)]
    pub fn look_at(
        &mut self,
        node: usize,
        target: &[f32],
        forward: &[f32],
        limit_radians: Option<f32>,
        weight: f32,
        smoothing_secs: Option<f32>,
    ) -> Result<(), JsValue> {
        let node = self.actor_mut().node_at(node)?;
        let (target, forward) = (vector_of(target), vector_of(forward));
        Ok(self.actor_mut().look_at(node, target, forward, limit_radians, weight, smoothing_secs)?)
    }

    /// Bends a limb to a point in the world. Vectors may be empty: without a target the reach is removed.
    pub fn reach(&mut self, node: usize, target: &[f32], pole: &[f32], weight: f32) -> Result<(), JsValue> {
        let node = self.actor_mut().node_at(node)?;
        let (target, pole) = (vector_of(target), vector_of(pole));
        Ok(self.actor_mut().reach(node, target, pole, weight)?)
    }

    #[wasm_bindgen(js_name = nodeMatrix)]
    pub fn node_matrix(&mut self, node: usize) -> Result<Vec<f32>, JsValue> {
        let matrix = self.posed_actor().world_matrix(node, 0)?;
        Ok(matrix.to_cols_array().to_vec())
    }

    #[wasm_bindgen(js_name = morphNames)]
    pub fn morph_names(&self) -> Vec<String> {
        self.actor().morph_names().into_iter().map(str::to_owned).collect()
    }

    pub fn morph(&mut self, name: &str) -> Result<f32, JsValue> {
        Ok(self.posed_actor().morph(name)?)
    }

    /// Overrides the weight of a morph target. Without a weight, removes the override.
    #[wasm_bindgen(js_name = setMorph)]
    pub fn set_morph(&mut self, name: &str, weight: Option<f32>) -> Result<(), JsValue> {
        Ok(self.actor_mut().set_morph(name, weight)?)
    }

    // ── time ──

    /// Returns the length of the clock's fixed steps in seconds, or 0 if steps aren't fixed.
    #[wasm_bindgen(getter, js_name = clockStep)]
    pub fn clock_step(&self) -> f64 {
        match self.actor().clock() {
            Clock::Free => 0.0,
            Clock::Fixed { step_secs, .. } => step_secs,
        }
    }

    #[wasm_bindgen(setter, js_name = clockStep)]
    pub fn set_clock_step(&mut self, step_secs: f64) -> Result<(), JsValue> {
        let clock = if step_secs == 0.0 { Clock::Free } else { Clock::Fixed { step_secs, left_secs: 0.0 } };
        Ok(self.actor_mut().set_clock(clock)?)
    }

    /// Returns whether there are events. This is twenty times cheaper than an empty `drainEvents`, which allocates an
    /// array.
    #[wasm_bindgen(getter, js_name = hasEvents)]
    pub fn has_events(&self) -> bool {
        self.actor().has_events()
    }

    /// Removes and returns the events, five numbers for each: kind, layer, run, clip, and the number of passes, the
    /// reason, or the index of the marker or the state.
    #[wasm_bindgen(js_name = drainEvents)]
    pub fn drain_events(&mut self) -> Vec<f64> {
        self.actor_mut().drain_events().flat_map(numbers_of).collect()
    }
}

/// Starts a motion with the parameters of [`PlayerHandle::play`].
pub(super) fn start(
    player: &mut Player,
    layer: &str,
    motion: &str,
    record: &PlayRecord,
) -> Result<(), JsValue> {
    let options = PlayOptions {
        looping: looping(record.passes(), record.bounce()),
        fade_secs: record.fade(),
        easing: pick(&EASINGS, record.easing(), "easing")?,
        crossing: pick(&CROSSINGS, record.crossing(), "crossing")?,
        speed: record.speed(),
        start_secs: record.start(),
        ending: record.release().map_or(Ending::Hold, Ending::Release),
        sync: record.sync().as_deref().map(SyncGroup::named),
        run: record.run().map(Run),
        ..PlayOptions::default()
    };
    let layer = player.find_layer(layer)?;
    let source = player.read_source(motion)?;
    player.play_in(layer, &source, &options)?;
    Ok(())
}

impl PlayerHandle {
    fn find_layer(&self, name: &str) -> Result<LayerIndex, JsValue> {
        Ok(self.actor().find_layer(name)?)
    }

    fn markers(&self, clip: usize) -> &[Marker] {
        self.actor().notes(ClipIndex::new(clip)).map_or(&[], |notes| &notes.markers)
    }
}

pub(super) fn vector_of(numbers: &[f32]) -> Option<Vec3> {
    numbers.try_into().ok().map(Vec3::from_array)
}

pub(super) fn looping(passes: u32, bounce: bool) -> Looping {
    Looping { passes: NonZeroU32::new(passes), bounce }
}

/// Returns the entry at an index. TypeScript passes an index outside of the list for an unknown word.
pub(super) fn pick<T: Copy>(all: &[T], index: usize, what: &'static str) -> Result<T, JsValue> {
    let expected = "one of the words that its type lists";
    Ok(all.get(index).copied().ok_or(PlayerError::OutOfRange { what, expected })?)
}

pub(super) fn state_number(state: State) -> u32 {
    match state {
        State::Stopped => 0,
        State::Playing => 1,
        State::Paused => 2,
        State::Finished => 3,
    }
}

fn numbers_of(Event { layer: LayerIndex(layer), kind }: Event) -> [f64; 5] {
    let none = (Run(0), ClipIndex::new(0));
    let (number, (Run(run), clip), extra): (u32, (Run, ClipIndex), usize) = match kind {
        EventKind::Play { run, clip } => (0, (run, clip), 0),
        EventKind::Pause { run, clip } => (1, (run, clip), 0),
        EventKind::Loop { run, clip, passes } => (2, (run, clip), passes as usize),
        EventKind::Finished { run, clip, reason } => (3, (run, clip), reason_number(reason)),
        EventKind::Marker { run, clip, marker } => (4, (run, clip), marker),
        EventKind::StateChange { state } => (5, none, state),
    };
    [number.into(), layer.into(), run.into(), clip.get() as f64, extra as f64]
}

fn reason_number(reason: FinishReason) -> usize {
    match reason {
        FinishReason::Ended => 0,
        FinishReason::Replaced => 1,
        FinishReason::Stopped => 2,
    }
}
