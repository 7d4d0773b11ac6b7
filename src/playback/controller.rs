use super::fade::Fade;
use super::layer::{Layer, LayerProperties, Left, MOST_MOTIONS, PoseScratch, Takeover};
use super::machine::MachineRun;
use super::motion::Motion;
use super::{
    AnimationLibrary, Crossing, Easing, Event, EventKind, FinishReason, LayerIndex, LayerMode, LayerOptions,
    Looping, ParameterIndex, PlayOptions, Run, Script, Source,
};
use crate::animation::{DeadBlending, Inertia, LocalPose, Travel};
use crate::model::ClipIndex;
use std::sync::Arc;

/// Longest inertialized transition: over a longer one, the old velocity carries the pose too far.
const LONGEST_INERTIA_SECS: f64 = 1.0;

/// Time step for measuring the velocity of a pose: short for any motion, and long compared to rounding errors.
const VELOCITY_STEP_SECS: f64 = 1.0 / 512.0;

/// Playback state of one character: layers of motions, mixed in order over the rest pose.
///
/// - Within a layer, motions are ordered from oldest to newest. Each is mixed over the older ones by the weight of
///   its fade.
/// - All motions keep playing while they fade. When a fade is done, the motions below it are dropped.
/// - Splitting a step into smaller ones changes the result by rounding alone, except during transitions. There the
///   pace of clips in phase and root motion are approximated, in steps of 1/60 s.
/// - Steady playback doesn't allocate.
#[derive(Clone, Debug)]
pub struct Controller {
    /// Layers from the base upwards. There is at least one.
    pub(super) layers: Vec<Layer>,
    /// Parameter values by [`ParameterIndex`]. Values past the end were never set.
    pub(super) values: Vec<f32>,
    pub(super) paused: bool,
    pub(super) playback_rate: f64,
    next_run: u32,
    /// Whether transitions must be re-evaluated even if no time passes: a parameter or the script has changed.
    pub(super) needs_evaluation: bool,
    /// Extracted root motion since [`take_travel`](Self::take_travel) was last called.
    pub(super) travel: Travel,
    /// Root motion that moves the character, since [`take_applied_travel`](Self::take_applied_travel) was last called.
    pub(super) applied_travel: Travel,
    /// Events of the current step, each with its time within the step in seconds. Kept to reuse the allocation.
    pub(super) pending_events: Vec<(f64, Event)>,
}

/// Playback state of a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// No clip plays: the layers below are visible, or the rest pose.
    Stopped,
    Playing,
    Paused,
    /// The current clip has ended and its last pose is held.
    Finished,
}

impl Default for Controller {
    fn default() -> Self {
        Self {
            layers: vec![Layer::new(LayerProperties::base(), 1.0)],
            values: Vec::new(),
            paused: false,
            playback_rate: 1.0,
            next_run: 0,
            needs_evaluation: false,
            travel: Travel::IDENTITY,
            applied_travel: Travel::IDENTITY,
            pending_events: Vec::new(),
        }
    }
}

impl Controller {
    // ── what plays ──

    pub fn state(&self, layer: LayerIndex) -> State {
        self.layer(layer).map_or(State::Stopped, |layer| layer.state(self.paused))
    }

    /// Returns the clip that defines the length and loops of the current motion.
    pub fn clip(&self, layer: LayerIndex) -> Option<ClipIndex> {
        self.current(layer)?.clip()
    }

    /// Returns the current run; `None` when stopped.
    pub fn run(&self, layer: LayerIndex) -> Option<Run> {
        self.current(layer).filter(|current| current.plays()).map(|current| current.run)
    }

    /// Returns the time of the current clip in seconds; 0 when stopped.
    pub fn time_secs(&self, layer: LayerIndex) -> f64 {
        let clock = self.current(layer).and_then(Motion::clock);
        clock.map_or(0.0, |clock| clock.playhead.time_secs())
    }

    /// Returns the index of the current state; `None` if no state machine controls the layer.
    pub fn machine_state(&self, layer: LayerIndex) -> Option<usize> {
        Some(self.layer(layer)?.machine.as_ref()?.state)
    }

    /// Returns the name of a state of the layer's machine.
    pub fn state_name(&self, layer: LayerIndex, state: usize) -> Option<&str> {
        let machine = &self.layer(layer)?.machine.as_ref()?.machine;
        machine.states.get(state).map(|state| state.name.as_str())
    }

    /// Calls `visit` with every clip that plays or that a state machine may play, some more than once.
    pub fn each_clip(&self, visit: &mut dyn FnMut(ClipIndex)) {
        for layer in &self.layers {
            for leaf in layer.motions.iter().flat_map(|motion| &motion.leaves) {
                visit(leaf.clip);
            }
            for state in layer.machine.iter().flat_map(|run| &run.machine.states) {
                if let Some(source) = &state.source {
                    source.each_clip(visit);
                }
            }
        }
    }

    /// Calls `visit` with every clip that plays in any layer, some more than once.
    pub fn each_playing_clip(&self, visit: &mut dyn FnMut(ClipIndex)) {
        for leaf in self.layers.iter().flat_map(|layer| &layer.motions).flat_map(|motion| &motion.leaves) {
            visit(leaf.clip);
        }
    }

    /// Calls `visit` with the share of each clip in the pose of the base layer; `None` is the rest pose.
    ///
    /// The shares add up to 1.
    pub fn each_share(&self, visit: &mut dyn FnMut(Option<ClipIndex>, f32)) {
        self.layers[0].each_share(visit);
    }

    /// Returns whether advancing can change the pose.
    pub fn is_moving(&self) -> bool {
        !self.paused
            && (self.needs_evaluation || self.layers.iter().any(|layer| layer.is_moving(self.playback_rate)))
    }

    /// Returns whether a layer adds to those below it.
    pub fn is_additive(&self) -> bool {
        self.layers.iter().any(|layer| matches!(layer.properties.mode, LayerMode::Add(_)))
    }

    pub fn playback_rate(&self) -> f64 {
        self.playback_rate
    }

    /// Sets the playback rate of all layers, which must be finite. A negative rate plays backwards.
    pub fn set_playback_rate(&mut self, rate: f64) {
        self.playback_rate = rate;
    }

    /// Starts a source with a transition from what the layer plays now.
    ///
    /// Removes the layer's state machine and ends a pause.
    pub fn play(
        &mut self,
        library: &AnimationLibrary,
        layer: LayerIndex,
        source: &Source,
        options: &PlayOptions,
        events: &mut Vec<Event>,
    ) -> Run {
        if let Some(layer) = self.layer_mut(layer) {
            layer.machine = None;
        }
        self.paused = false;
        let run = self.cross_to(library, layer, Some(source), options, FinishReason::Replaced, events);
        self.prepare();
        run
    }

    /// Fades a layer out to the layers below, and removes its state machine.
    pub fn stop_layer(
        &mut self,
        library: &AnimationLibrary,
        layer: LayerIndex,
        fade_secs: f64,
        events: &mut Vec<Event>,
    ) {
        let Some(held) = self.layer_mut(layer) else { return };
        held.machine = None;
        if held.motions.is_empty() {
            return;
        }
        let options = PlayOptions { fade_secs, ..PlayOptions::default() };
        self.cross_to(library, layer, None, &options, FinishReason::Stopped, events);
        if let Some(held) = self.layer_mut(layer) {
            held.pass_fades(0.0);
        }
    }

    /// Ends a pause in all layers and restarts what has ended in the base layer.
    ///
    /// With `run`, the lowest layer that plays anything continues under that number. Without it, only a motion that is
    /// restarted gets a new number. Returns false where there is nothing to continue.
    pub fn resume(&mut self, run: Option<Run>, events: &mut Vec<Event>) -> bool {
        let was_paused = std::mem::take(&mut self.paused);
        let Some(lowest) = self.layers.iter().position(|layer| layer.current().is_some_and(Motion::plays))
        else {
            return false;
        };
        let restarts = self.current(LayerIndex::BASE).is_some_and(Motion::is_finished);
        let run = run.or_else(|| restarts.then(|| self.number_run()));
        let rate = self.playback_rate;
        let Some(current) = self.layers[lowest].motions.last_mut() else { return false };
        if restarts {
            current.rewind(rate);
        }
        current.run = run.unwrap_or(current.run);
        if let Some(clip) = current.clip()
            && lowest == 0
            && (restarts || was_paused)
        {
            events.push(Event { layer: LayerIndex::BASE, kind: EventKind::Play { run: current.run, clip } });
        }
        true
    }

    /// Pauses all layers, unless none is playing.
    pub fn pause(&mut self, events: &mut Vec<Event>) {
        let playing = self.layers.iter().position(|layer| layer.state(self.paused) == State::Playing);
        let Some(layer) = playing else { return };
        self.paused = true;
        if let Some(Motion { run, .. }) = self.layers[layer].current()
            && let Some(clip) = self.clip(LayerIndex(layer as u32))
        {
            let kind = EventKind::Pause { run: *run, clip };
            events.push(Event { layer: LayerIndex(layer as u32), kind });
        }
    }

    /// Stops all layers at once and removes their state machines. The pose is then the rest pose.
    pub fn stop(&mut self, events: &mut Vec<Event>) {
        for (index, layer) in self.layers.iter_mut().enumerate() {
            report_end(layer, LayerIndex(index as u32), FinishReason::Stopped, events);
            layer.motions.clear();
            layer.takeover = None;
            layer.machine = None;
        }
        self.paused = false;
    }

    /// Sets the time of a layer's current clip in seconds, and ends the layer's transitions. Causes no event.
    pub fn seek(&mut self, layer: LayerIndex, time_secs: f64) {
        let rate = self.playback_rate;
        let Some(layer) = self.layer_mut(layer) else { return };
        layer.drop_all_but_current();
        layer.takeover = None;
        if let Some(current) = layer.motions.last_mut() {
            current.fade = Fade::DONE;
            current.seek(time_secs, rate);
        }
    }

    /// Sets the looping of the base layer's current motion.
    pub fn set_looping(&mut self, looping: Looping) {
        for leaf in self.layers[0].motions.last_mut().into_iter().flat_map(|current| &mut current.leaves) {
            leaf.playhead.set_looping(looping);
        }
    }

    /// Shifts the base layer's current motion by a fraction of its length, wrapped at its end.
    pub fn shift(&mut self, phase: f64) {
        let rate = self.playback_rate;
        if let Some(current) = self.layers[0].motions.last_mut() {
            current.shift(phase, rate);
        }
    }

    // ── layers ──

    /// Adds a layer above all others, or changes the options of the layer with that name, which keeps playing.
    pub fn set_layer(
        &mut self,
        library: &AnimationLibrary,
        name: &str,
        options: &LayerOptions,
    ) -> LayerIndex {
        let properties = LayerProperties::new(library.rig(), name, options);
        let index = self.find_layer(name).map_or(self.layers.len(), |LayerIndex(index)| index as usize);
        match self.layers.get_mut(index) {
            Some(layer) => {
                layer.properties = Arc::new(properties);
                layer.weight = Fade::at(options.weight);
            }
            None => self.layers.push(Layer::new(properties, options.weight)),
        }
        LayerIndex(index as u32)
    }

    pub fn find_layer(&self, name: &str) -> Option<LayerIndex> {
        self.layers
            .iter()
            .position(|layer| layer.properties.name == name)
            .map(|index| LayerIndex(index as u32))
    }

    /// Returns the names of the layers from the base upwards.
    pub fn layer_names(&self) -> impl Iterator<Item = &str> {
        self.layers.iter().map(|layer| layer.properties.name.as_str())
    }

    pub fn layer_weight(&self, layer: LayerIndex) -> f32 {
        self.layer(layer).map_or(0.0, |layer| layer.weight.weight())
    }

    pub fn fade_layer(&mut self, layer: LayerIndex, weight: f32, fade_secs: f64, easing: Easing) {
        if let Some(layer) = self.layer_mut(layer) {
            layer.weight = layer.weight.towards(weight, fade_secs, easing);
        }
    }

    /// Removes a layer without a fade, and decrements the indices of the layers above it.
    ///
    /// The base layer is emptied instead.
    pub fn remove_layer(&mut self, LayerIndex(layer): LayerIndex, events: &mut Vec<Event>) {
        let index = layer as usize;
        let Some(held) = self.layers.get_mut(index) else { return };
        report_end(held, LayerIndex(layer), FinishReason::Stopped, events);
        if index == 0 {
            held.motions.clear();
            held.takeover = None;
            held.machine = None;
        } else {
            self.layers.remove(index);
        }
    }

    /// Resets everything except the playback rate and the numbering of runs: layers are valid for one model only.
    pub fn forget(&mut self) {
        *self = Self { playback_rate: self.playback_rate, next_run: self.next_run, ..Self::default() };
    }

    // ── state machines ──

    /// Replaces all layers by those of a script, each in the start state of its machine.
    pub fn set_script(&mut self, library: &AnimationLibrary, script: &Script, events: &mut Vec<Event>) {
        self.stop(events);
        self.values = library.parameters().iter().map(|parameter| parameter.start).collect();
        self.layers.truncate(1);
        for (index, layer) in script.layers.iter().enumerate() {
            let properties = LayerProperties::new(library.rig(), &layer.name, &layer.options);
            let mut made = Layer::new(properties, layer.options.weight);
            made.machine = Some(MachineRun::new(Arc::clone(&layer.machine)));
            match index {
                0 => self.layers[0] = made,
                _ => self.layers.push(made),
            }
            let index = LayerIndex(index as u32);
            self.enter(library, index, layer.machine.start, None, events);
        }
        self.needs_evaluation = true;
        self.prepare();
    }

    /// Returns the value of a parameter: its start value if it was never set, or 0 if there is no such parameter.
    pub fn value(&self, library: &AnimationLibrary, parameter: ParameterIndex) -> f32 {
        let start = || library.parameters().get(parameter.0).map_or(0.0, |parameter| parameter.start);
        self.values.get(parameter.0).copied().unwrap_or_else(start)
    }

    /// Sets a parameter. Takes effect in the next [`advance`](Self::advance), even one of 0 seconds.
    pub fn set_value(&mut self, library: &AnimationLibrary, parameter: ParameterIndex, value: f32) {
        let starts = library.parameters().iter().map(|parameter| parameter.start);
        self.values.extend(starts.skip(self.values.len()));
        if let Some(held) = self.values.get_mut(parameter.0) {
            *held = value;
            self.needs_evaluation = true;
        }
    }

    /// Returns the extracted root motion since the last call, in the character's frame at that time.
    pub fn take_travel(&mut self) -> Travel {
        std::mem::replace(&mut self.travel, Travel::IDENTITY)
    }

    /// Returns the root motion that moves the character since the last call, in its frame at that time.
    pub fn take_applied_travel(&mut self) -> Travel {
        std::mem::replace(&mut self.applied_travel, Travel::IDENTITY)
    }

    /// Writes the mix of all layers to `pose`. `scratch` is overwritten.
    #[inline(always)]
    pub fn pose_into(&mut self, library: &AnimationLibrary, pose: &mut LocalPose, scratch: &mut PoseScratch) {
        let count = self.layers.len();
        self.pose_layers_into(count, library, pose, scratch);
    }

    fn pose_layers_into(
        &mut self,
        count: usize,
        library: &AnimationLibrary,
        pose: &mut LocalPose,
        scratch: &mut PoseScratch,
    ) {
        let rig = library.rig();
        let Some((base, above)) = self.layers[..count].split_first_mut() else { return };
        base.pose_into(rig, pose, scratch);
        for layer in above {
            layer.blend_over(rig, pose, scratch);
        }
    }

    // ── internals ──

    pub(super) fn layer(&self, LayerIndex(layer): LayerIndex) -> Option<&Layer> {
        self.layers.get(layer as usize)
    }

    pub(super) fn layer_mut(&mut self, LayerIndex(layer): LayerIndex) -> Option<&mut Layer> {
        self.layers.get_mut(layer as usize)
    }

    pub(super) fn current(&self, layer: LayerIndex) -> Option<&Motion> {
        self.layer(layer)?.current()
    }

    fn number_run(&mut self) -> Run {
        let run = Run(self.next_run);
        self.next_run = (self.next_run + 1) % Run::FIRST_GIVEN;
        run
    }

    /// Starts a motion on top of the layer's other motions. A `source` of `None` plays nothing.
    pub(super) fn cross_to(
        &mut self,
        library: &AnimationLibrary,
        index: LayerIndex,
        source: Option<&Source>,
        options: &PlayOptions,
        reason: FinishReason,
        events: &mut Vec<Event>,
    ) -> Run {
        let run = options.run.unwrap_or_else(|| self.number_run());
        // A base layer that plays nothing cuts rather than fading from the rest pose.
        let fades = options.fade_secs > 0.0 && (index != LayerIndex::BASE || self.current(index).is_some());
        let poses = (fades && options.crossing != Crossing::Fade).then(|| self.poses_of(index, library));
        let mut shares = Vec::new();
        if poses.is_some()
            && let Some(layer) = self.layer(index)
        {
            layer.each_share(&mut |clip, share| shares.push((clip, share)));
        }
        let rate = self.playback_rate;
        let group_phase = options.sync.and_then(|_| self.leader_of(options));
        let Some(layer) = self.layer_mut(index) else { return run };
        report_end(layer, index, reason, events);
        let mut options = *options;
        if !fades || poses.is_some() {
            layer.motions.clear();
            layer.takeover = None;
        } else if layer.motions.len() == MOST_MOTIONS {
            layer.motions.remove(0);
        }
        let fade_secs = options.fade_secs;
        if !fades || poses.is_some() {
            options.fade_secs = 0.0;
        }
        let properties = layer.properties.clone();
        let reference = |clip_use: &_| properties.reference(library.rig(), clip_use);
        let mut motion = Motion::new(run, source, &options, rate, library, reference);
        if let Some((playhead, beats)) = group_phase {
            motion.leaves.iter_mut().for_each(|leaf| leaf.follow(&playhead, &beats));
            motion.shift(options.phase, rate);
        }
        let clip = motion.clip();
        layer.motions.push(motion);
        if let Some(clip) = clip {
            events.push(Event { layer: index, kind: EventKind::Play { run, clip } });
        }
        if let Some(before) = poses {
            self.prepare();
            let after = self.poses_of(index, library);
            if let Some(layer) = self.layer_mut(index) {
                let (before, after) = ([&before[0], &before[1]], [&after[0], &after[1]]);
                let dt_secs = VELOCITY_STEP_SECS as f32;
                // An additive layer has no pose of its own that could be extrapolated.
                let has_pose = matches!(layer.properties.mode, LayerMode::Override);
                layer.takeover = Some(if options.crossing == Crossing::DeadBlending && has_pose {
                    let mut blending = DeadBlending::new(library.rig());
                    blending.start(before, after[0], dt_secs);
                    let fade = Fade::over(fade_secs, Easing::Smooth);
                    Takeover { left: Left::DeadBlending(blending), fade, shares }
                } else {
                    let fade_secs = fade_secs.min(LONGEST_INERTIA_SECS);
                    let mut inertia = Inertia::new(library.rig());
                    inertia.start(before, after, dt_secs, fade_secs as f32);
                    let fade = Fade::over(fade_secs, Easing::Linear);
                    Takeover { left: Left::Inertia(inertia), fade, shares }
                });
            }
        }
        run
    }

    /// Returns the pose of a layer with all layers below it, now and [`VELOCITY_STEP_SECS`] later.
    fn poses_of(&self, LayerIndex(layer): LayerIndex, library: &AnimationLibrary) -> [LocalPose; 2] {
        let mut twin = self.clone();
        let mut scratch = PoseScratch::new(library.rig());
        let mut poses = [LocalPose::rest(library.rig()), LocalPose::rest(library.rig())];
        twin.pose_layers_into(layer as usize + 1, library, &mut poses[0], &mut scratch);
        twin.pass(library, VELOCITY_STEP_SECS, &mut Vec::new());
        twin.pose_layers_into(layer as usize + 1, library, &mut poses[1], &mut scratch);
        poses
    }

    /// Returns the playhead and beats of the motion with the greatest weight in the sync group of `options`.
    fn leader_of(&self, options: &PlayOptions) -> Option<(super::Playhead, Arc<[f64]>)> {
        let mut leader: Option<(f32, &Motion)> = None;
        for layer in &self.layers {
            for (index, motion) in layer.motions.iter().enumerate() {
                let weight = layer.weight_of(index) * layer.weight.weight();
                let heavier = leader.is_none_or(|(most, _)| weight > most);
                if motion.sync == options.sync && motion.clock().is_some() && heavier {
                    leader = Some((weight, motion));
                }
            }
        }
        let clock = leader?.1.clock()?;
        Some((clock.playhead, clock.beats_secs.clone()))
    }
}

fn report_end(layer: &Layer, index: LayerIndex, reason: FinishReason, events: &mut Vec<Event>) {
    if let Some(current) = layer.current().filter(|current| !current.is_finished())
        && let Some(clip) = current.clip()
    {
        let kind = EventKind::Finished { run: current.run, clip, reason };
        events.push(Event { layer: index, kind });
    }
}
