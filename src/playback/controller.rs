use super::fade::Fade;
use super::layer::{Lapse, Layer, LayerForm, MOST_MOTIONS, PoseScratch};
use super::machine::MachineRun;
use super::motion::Motion;
use super::{
    Crossing, Easing, Event, FinishReason, Happening, LayerIndex, LayerOptions, Looping, ParameterIndex,
    PlayOptions, Repertoire, Run, Script, Source,
};
use crate::animation::{Inertia, LocalPose, Travel};
use crate::model::ClipIndex;
use std::sync::Arc;

/// What moves on by its inertia for longer has left the character behind.
const LONGEST_INERTIA_SECS: f64 = 1.0;

/// For telling how fast a pose moves. Short against any motion, long against the rounding of a pose.
const VELOCITY_STEP_SECS: f64 = 1.0 / 512.0;

/// What one character plays, in layers: each lies over those before it, the first over the file's rest pose.
///
/// - In a layer the oldest motion lies lowest, each younger one over it by the weight of its fade.
/// - All motions run on while they fade; when a fade is done what lies under it is dropped.
/// - One step equals any number of smaller ones, but for rounding.
/// - Steady play allocates nothing.
#[derive(Clone, Debug)]
pub struct Controller {
    /// Never empty.
    pub(super) layers: Vec<Layer>,
    /// By [`ParameterIndex`]; those that were never set are missing at the end.
    pub(super) values: Vec<f32>,
    pub(super) paused: bool,
    pub(super) playback_rate: f64,
    next_run: u32,
    /// A machine may have something to do before any time passes.
    pub(super) stirred: bool,
    /// Over the ground, since it was last taken.
    pub(super) travel: Travel,
    /// The same, of what the character goes by itself.
    pub(super) moved: Travel,
    /// What a step tells, with how much of the step had gone by: kept for its memory.
    pub(super) told: Vec<(f64, Event)>,
}

/// What a layer is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// No clip: what lies below shows, at last the rest pose.
    Stopped,
    Playing,
    Paused,
    /// The current clip has ended and its last pose is held.
    Finished,
}

impl Default for Controller {
    fn default() -> Self {
        Self {
            layers: vec![Layer::new(LayerForm::base(), 1.0)],
            values: Vec::new(),
            paused: false,
            playback_rate: 1.0,
            next_run: 0,
            stirred: false,
            travel: Travel::IDENTITY,
            moved: Travel::IDENTITY,
            told: Vec::new(),
        }
    }
}

impl Controller {
    // ── what plays ──

    pub fn state(&self, layer: LayerIndex) -> State {
        self.layer(layer).map_or(State::Stopped, |layer| layer.state(self.paused))
    }

    /// The clip whose passes count.
    pub fn clip(&self, layer: LayerIndex) -> Option<ClipIndex> {
        self.current(layer)?.clip()
    }

    /// The current run; `None` when stopped.
    pub fn run(&self, layer: LayerIndex) -> Option<Run> {
        self.current(layer).filter(|current| current.clock().is_some()).map(|current| current.run)
    }

    /// Where the current clip stands, in its own time; 0 when stopped.
    pub fn time_secs(&self, layer: LayerIndex) -> f64 {
        let clock = self.current(layer).and_then(Motion::clock);
        clock.map_or(0.0, |clock| clock.playhead.time_secs())
    }

    /// Where a state machine plays the layer, the state it is in.
    pub fn machine_state(&self, layer: LayerIndex) -> Option<usize> {
        Some(self.layer(layer)?.machine.as_ref()?.state)
    }

    /// Of the machine's states.
    pub fn state_name(&self, layer: LayerIndex, state: usize) -> Option<&str> {
        let machine = &self.layer(layer)?.machine.as_ref()?.machine;
        machine.states.get(state).map(|state| state.name.as_str())
    }

    /// Every clip that plays or that a state machine may play; some come more than once.
    pub fn each_clip(&self, tell: &mut dyn FnMut(ClipIndex)) {
        for layer in &self.layers {
            for leaf in layer.motions.iter().flat_map(|motion| &motion.leaves) {
                tell(leaf.clip);
            }
            for state in layer.machine.iter().flat_map(|run| &run.machine.states) {
                if let Some(source) = &state.source {
                    source.each_clip(tell);
                }
            }
        }
    }

    /// Every clip that plays in any layer; some come more than once.
    pub fn each_playing(&self, tell: &mut dyn FnMut(ClipIndex)) {
        for leaf in self.layers.iter().flat_map(|layer| &layer.motions).flat_map(|motion| &motion.leaves) {
            tell(leaf.clip);
        }
    }

    /// What the pose of the base layer is made of, `None` for the rest pose; the shares add up to 1.
    pub fn each_share(&self, tell: &mut dyn FnMut(Option<ClipIndex>, f32)) {
        self.layers[0].each_share(tell);
    }

    /// Whether passing time would change the pose.
    pub fn is_moving(&self) -> bool {
        !self.paused && (self.stirred || self.layers.iter().any(|layer| layer.is_moving(self.playback_rate)))
    }

    pub fn playback_rate(&self) -> f64 {
        self.playback_rate
    }

    /// Negative runs backwards. The caller has made sure that it is finite.
    pub fn set_playback_rate(&mut self, rate: f64) {
        self.playback_rate = rate;
    }

    /// Starts a source, crossing over from what the layer plays now; takes the layer from its machine. Ends a pause.
    pub fn play(
        &mut self,
        repertoire: &Repertoire,
        layer: LayerIndex,
        source: &Source,
        options: &PlayOptions,
        events: &mut Vec<Event>,
    ) -> Run {
        if let Some(layer) = self.layer_mut(layer) {
            layer.machine = None;
        }
        self.paused = false;
        let run = self.cross_to(repertoire, layer, Some(source), options, FinishReason::Replaced, events);
        self.prepare();
        run
    }

    /// Fades a layer to what lies below it.
    pub fn stop_layer(
        &mut self,
        repertoire: &Repertoire,
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
        self.cross_to(repertoire, layer, None, &options, FinishReason::Stopped, events);
        if let Some(held) = self.layer_mut(layer) {
            held.pass_fades(0.0);
        }
    }

    /// Goes on after a pause; what the base layer has ended it plays from the beginning.
    pub fn resume(&mut self, events: &mut Vec<Event>) {
        let was_paused = std::mem::take(&mut self.paused);
        let next_run = Run(self.next_run);
        let Some(current) = self.layers[0].motions.last_mut() else { return };
        let ended = current.is_finished();
        if ended {
            current.rewind(self.playback_rate);
            current.run = next_run;
            self.next_run = next_run.0.wrapping_add(1);
        }
        if let Some(clip) = current.clip()
            && (ended || was_paused)
        {
            let what = Happening::Play { run: current.run, clip };
            events.push(Event { layer: LayerIndex::BASE, what });
        }
    }

    /// Holds every layer.
    pub fn pause(&mut self, events: &mut Vec<Event>) {
        let playing = self.layers.iter().position(|layer| layer.state(self.paused) == State::Playing);
        let Some(layer) = playing else { return };
        self.paused = true;
        if let Some(Motion { run, .. }) = self.layers[layer].current()
            && let Some(clip) = self.clip(LayerIndex(layer as u32))
        {
            let what = Happening::Pause { run: *run, clip };
            events.push(Event { layer: LayerIndex(layer as u32), what });
        }
    }

    /// Back to the rest pose, at once and in all layers.
    pub fn stop(&mut self, events: &mut Vec<Event>) {
        for (index, layer) in self.layers.iter_mut().enumerate() {
            report_end(layer, LayerIndex(index as u32), FinishReason::Stopped, events);
            layer.motions.clear();
            layer.lapse = None;
            layer.machine = None;
        }
        self.paused = false;
    }

    /// Shows a layer's current clip at a time, exactly: its crossings under way end here. Causes no event.
    pub fn seek(&mut self, layer: LayerIndex, time_secs: f64) {
        let rate = self.playback_rate;
        let Some(layer) = self.layer_mut(layer) else { return };
        layer.drop_all_but_current();
        layer.lapse = None;
        if let Some(current) = layer.motions.last_mut() {
            current.fade = Fade::DONE;
            current.seek(time_secs, rate);
        }
    }

    /// For the clip that the base layer plays now.
    pub fn set_looping(&mut self, looping: Looping) {
        for leaf in self.layers[0].motions.last_mut().into_iter().flat_map(|current| &mut current.leaves) {
            leaf.playhead.set_looping(looping);
        }
    }

    /// Moves what the base layer plays by a fraction of its length, round its end.
    pub fn shift(&mut self, phase: f64) {
        let rate = self.playback_rate;
        if let Some(current) = self.layers[0].motions.last_mut() {
            current.shift(phase, rate);
        }
    }

    // ── layers ──

    /// Makes a layer above all others, or changes the one of that name: what it plays goes on.
    pub fn set_layer(&mut self, repertoire: &Repertoire, name: &str, options: &LayerOptions) -> LayerIndex {
        let form = LayerForm::new(repertoire.rig(), name, options);
        let index = self.find_layer(name).map_or(self.layers.len(), |LayerIndex(index)| index as usize);
        match self.layers.get_mut(index) {
            Some(layer) => {
                layer.form = Arc::new(form);
                layer.weight = Fade::at(options.weight);
            }
            None => self.layers.push(Layer::new(form, options.weight)),
        }
        LayerIndex(index as u32)
    }

    pub fn find_layer(&self, name: &str) -> Option<LayerIndex> {
        self.layers.iter().position(|layer| layer.form.name == name).map(|index| LayerIndex(index as u32))
    }

    /// Lowest first.
    pub fn layer_names(&self) -> impl Iterator<Item = &str> {
        self.layers.iter().map(|layer| layer.form.name.as_str())
    }

    pub fn layer_weight(&self, layer: LayerIndex) -> f32 {
        self.layer(layer).map_or(0.0, |layer| layer.weight.weight())
    }

    pub fn fade_layer(&mut self, layer: LayerIndex, weight: f32, fade_secs: f64, easing: Easing) {
        if let Some(layer) = self.layer_mut(layer) {
            layer.weight = layer.weight.towards(weight, fade_secs, easing);
        }
    }

    /// What it shows ends at once; the layers above it move down by one. The base can only be emptied.
    pub fn remove_layer(&mut self, LayerIndex(layer): LayerIndex, events: &mut Vec<Event>) {
        let index = layer as usize;
        let Some(held) = self.layers.get_mut(index) else { return };
        report_end(held, LayerIndex(layer), FinishReason::Stopped, events);
        if index == 0 {
            held.motions.clear();
            held.machine = None;
        } else {
            self.layers.remove(index);
        }
    }

    /// Everything but the rate: what was made for one model fits no other.
    pub fn forget(&mut self) {
        *self = Self { playback_rate: self.playback_rate, next_run: self.next_run, ..Self::default() };
    }

    // ── state machines ──

    /// Replaces all layers by a script's, each in its machine's first state.
    pub fn set_script(&mut self, repertoire: &Repertoire, script: &Script, events: &mut Vec<Event>) {
        self.stop(events);
        self.values = repertoire.parameters().iter().map(|parameter| parameter.start).collect();
        self.layers.truncate(1);
        for (index, layer) in script.layers.iter().enumerate() {
            let form = LayerForm::new(repertoire.rig(), &layer.name, &layer.options);
            let mut made = Layer::new(form, layer.options.weight);
            made.machine = Some(MachineRun::new(Arc::new(layer.machine.clone())));
            match index {
                0 => self.layers[0] = made,
                _ => self.layers.push(made),
            }
            let index = LayerIndex(index as u32);
            self.enter(repertoire, index, layer.machine.start, None, events);
        }
        self.stirred = true;
        self.prepare();
    }

    /// 0 where it was never set and doesn't start otherwise.
    pub fn value(&self, repertoire: &Repertoire, parameter: ParameterIndex) -> f32 {
        let start = || repertoire.parameters().get(parameter.0).map_or(0.0, |parameter| parameter.start);
        self.values.get(parameter.0).copied().unwrap_or_else(start)
    }

    /// What it changes shows when time next passes, be it 0 seconds.
    pub fn set_value(&mut self, repertoire: &Repertoire, parameter: ParameterIndex, value: f32) {
        let starts = repertoire.parameters().iter().map(|parameter| parameter.start);
        self.values.extend(starts.skip(self.values.len()));
        if let Some(held) = self.values.get_mut(parameter.0) {
            *held = value;
            self.stirred = true;
        }
    }

    /// The way over the ground since this was last asked, in the character's frame at that time.
    pub fn take_travel(&mut self) -> Travel {
        std::mem::replace(&mut self.travel, Travel::IDENTITY)
    }

    /// The same of the way that the character itself goes.
    pub fn take_moved(&mut self) -> Travel {
        std::mem::replace(&mut self.moved, Travel::IDENTITY)
    }

    /// Mixes everything into `pose`.
    pub fn pose_into(&mut self, repertoire: &Repertoire, pose: &mut LocalPose, scratch: &mut PoseScratch) {
        let count = self.layers.len();
        self.pose_layers_into(count, repertoire, pose, scratch);
    }

    fn pose_layers_into(
        &mut self,
        count: usize,
        repertoire: &Repertoire,
        pose: &mut LocalPose,
        scratch: &mut PoseScratch,
    ) {
        let rig = repertoire.rig();
        let Some((base, above)) = self.layers[..count].split_first_mut() else { return };
        base.lay_ground(rig, pose, scratch);
        for layer in above {
            layer.lay_over(rig, pose, scratch);
        }
    }

    // ── inside ──

    pub(super) fn layer(&self, LayerIndex(layer): LayerIndex) -> Option<&Layer> {
        self.layers.get(layer as usize)
    }

    pub(super) fn layer_mut(&mut self, LayerIndex(layer): LayerIndex) -> Option<&mut Layer> {
        self.layers.get_mut(layer as usize)
    }

    pub(super) fn current(&self, layer: LayerIndex) -> Option<&Motion> {
        self.layer(layer)?.current()
    }

    /// Puts another motion on top of a layer. `None` is silence.
    pub(super) fn cross_to(
        &mut self,
        repertoire: &Repertoire,
        index: LayerIndex,
        source: Option<&Source>,
        options: &PlayOptions,
        reason: FinishReason,
        events: &mut Vec<Event>,
    ) -> Run {
        let run = Run(self.next_run);
        self.next_run = self.next_run.wrapping_add(1);
        // A base that plays nothing has nothing that would be worth a fade.
        let fades = options.fade_secs > 0.0 && (index != LayerIndex::BASE || self.current(index).is_some());
        let poses =
            (fades && options.crossing == Crossing::Inertia).then(|| self.poses_of(index, repertoire));
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
            layer.lapse = None;
        } else if layer.motions.len() == MOST_MOTIONS {
            layer.motions.remove(0);
        }
        let inertia_secs = options.fade_secs.min(LONGEST_INERTIA_SECS);
        if !fades || poses.is_some() {
            options.fade_secs = 0.0;
        }
        let form = layer.form.clone();
        let reference = |clip_use: &_| form.reference(repertoire.rig(), clip_use);
        let mut motion = Motion::new(run, source, &options, rate, repertoire, reference);
        if let Some((playhead, beats)) = group_phase {
            motion.leaves.iter_mut().for_each(|leaf| leaf.follow(&playhead, &beats));
            motion.shift(options.phase, rate);
        }
        let clip = motion.clip();
        layer.motions.push(motion);
        if let Some(clip) = clip {
            events.push(Event { layer: index, what: Happening::Play { run, clip } });
        }
        if let Some(before) = poses {
            self.prepare();
            let after = self.poses_of(index, repertoire);
            if let Some(layer) = self.layer_mut(index) {
                let mut inertia = Inertia::new(repertoire.rig());
                inertia.start(
                    [&before[0], &before[1]],
                    [&after[0], &after[1]],
                    VELOCITY_STEP_SECS as f32,
                    inertia_secs as f32,
                );
                layer.lapse = Some(Lapse { inertia, fade: Fade::over(inertia_secs, Easing::Linear), shares });
            }
        }
        run
    }

    /// Of a layer with all below it: now, and a moment later if nothing else happens.
    fn poses_of(&self, LayerIndex(layer): LayerIndex, repertoire: &Repertoire) -> [LocalPose; 2] {
        let mut twin = self.clone();
        let mut scratch = PoseScratch::new(repertoire.rig());
        let mut poses = [LocalPose::rest(repertoire.rig()), LocalPose::rest(repertoire.rig())];
        twin.pose_layers_into(layer as usize + 1, repertoire, &mut poses[0], &mut scratch);
        twin.pass(repertoire, VELOCITY_STEP_SECS, &mut Vec::new());
        twin.pose_layers_into(layer as usize + 1, repertoire, &mut poses[1], &mut scratch);
        poses
    }

    /// The place of the motion that weighs most among those in phase with one about to start.
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
        let what = Happening::Finished { run: current.run, clip, reason };
        events.push(Event { layer: index, what });
    }
}
