//! Advancing a controller, in steps so short that no transition is due within one.
use super::layer::Layer;
use super::motion::{LeafStep, Motion};
use super::phase::{Member, step_together};
use super::{
    AnimationLibrary, Controller, Ending, Event, EventKind, FinishReason, LayerIndex, Machine, PlayOptions,
    RootMotion, SyncGroup, Transition,
};
use crate::animation::Travel;
use std::sync::Arc;

/// Most steps of one call of `advance`. The remaining time then passes in a single step.
const MOST_STEPS: usize = 1000;

/// Most transitions that a layer takes between two steps: ends a cycle that wasn't found when the script was read.
const MOST_TRANSITIONS_AT_ONCE: usize = 16;

/// Longest step while weights change, since they also change the pace of clips in phase.
const FADING_STEP_SECS: f64 = 1.0 / 60.0;

impl Controller {
    /// Advances all layers by a time in seconds, backwards if it is negative. Does nothing when paused.
    pub fn advance(&mut self, library: &AnimationLibrary, dt_secs: f64, events: &mut Vec<Event>) {
        if self.paused {
            return;
        }
        let mut left_secs = dt_secs.abs();
        if left_secs <= FADING_STEP_SECS && self.layers.iter().all(Layer::advances_in_one_step) {
            self.pass(library, dt_secs, events);
            self.needs_evaluation = false;
            return;
        }
        for _ in 0..MOST_STEPS {
            self.take_transitions(library, events);
            let step_secs = self.longest_step(left_secs);
            self.pass(library, step_secs.copysign(dt_secs), events);
            left_secs -= step_secs;
            if left_secs <= 0.0 {
                break;
            }
        }
        if left_secs > 0.0 {
            self.pass(library, left_secs.copysign(dt_secs), events);
        }
        self.take_transitions(library, events);
        self.needs_evaluation = false;
    }

    /// Enters a state of a layer's machine. `by` is the transition, or `None` for the start state.
    pub(super) fn enter(
        &mut self,
        library: &AnimationLibrary,
        layer: LayerIndex,
        state: usize,
        by: Option<&Transition>,
        events: &mut Vec<Event>,
    ) {
        let Some(run) = self.layer(layer).and_then(|layer| layer.machine.as_ref()) else { return };
        let machine: Arc<Machine> = run.machine.clone();
        let entered = &machine.states[state];
        let mut options = entered.options;
        if let Some(by) = by {
            options.fade_secs = by.fade_secs;
            options.easing = by.easing;
            options.crossing = by.crossing;
        }
        let before = self
            .current(layer)
            .and_then(Motion::clock)
            .map(|clock| (clock.playhead, clock.beats_secs.clone()));
        self.cross_to(library, layer, entered.source.as_ref(), &options, FinishReason::Replaced, events);
        if by.is_some_and(|by| by.keep_phase)
            && let Some((playhead, beats)) = before
            && let Some(motion) = self.layer_mut(layer).and_then(|layer| layer.motions.last_mut())
        {
            motion.leaves.iter_mut().for_each(|leaf| leaf.follow(&playhead, &beats));
        }
        events.push(Event { layer, kind: EventKind::StateChange { state } });
    }

    /// Takes every transition that is due.
    fn take_transitions(&mut self, library: &AnimationLibrary, events: &mut Vec<Event>) {
        for index in 0..self.layers.len() {
            for _ in 0..MOST_TRANSITIONS_AT_ONCE {
                let rate = self.playback_rate;
                let layer = &mut self.layers[index];
                if layer.machine.is_none() {
                    break;
                }
                let is_crossing = layer.is_crossing();
                let progress = layer.current().map_or(f64::INFINITY, |current| current.progress(rate));
                let Some(machine) = &mut layer.machine else { break };
                let Some(due) = machine.due_transition(is_crossing, progress, &self.values) else { break };
                machine.take(due, &mut self.values);
                let machine = machine.machine.clone();
                let transition = &machine.transitions[due];
                self.enter(library, LayerIndex(index as u32), transition.to, Some(transition), events);
                self.prepare();
            }
        }
    }

    /// Returns the longest step after which transitions must be checked again.
    fn longest_step(&self, left_secs: f64) -> f64 {
        let mut step_secs = left_secs;
        for layer in &self.layers {
            let Some(current) = layer.current() else { continue };
            let is_crossing = layer.is_crossing();
            let mut waits = false;
            if let Some(machine) = &layer.machine {
                let progress = current.progress(self.playback_rate);
                if let Some(exit) = machine.next_exit(is_crossing, progress, &self.values) {
                    step_secs = step_secs.min(current.secs_until(exit, self.playback_rate).max(0.0));
                    waits = true;
                }
                if is_crossing {
                    let takeover_secs =
                        layer.takeover.as_ref().map_or(0.0, |takeover| takeover.fade.left_secs());
                    step_secs = step_secs.min(current.fade.left_secs().max(takeover_secs));
                }
            }
            if let Ending::Release(_) = current.ending
                && let Some(clock) = current.clock()
                && let Some(passes) = clock.playhead.looping().passes
                && !current.is_finished()
            {
                let end = f64::from(passes.get());
                step_secs = step_secs.min(current.secs_until(end, self.playback_rate).max(0.0));
            }
            // Fades change the pace of clips in phase and the shares of root motion. In a phase group the time of an
            // exit can't be computed exactly either, since the pace depends on the beats and the other members.
            let changes = is_crossing || !layer.weight.is_done();
            let uneven = |motion: &Motion| {
                (changes && motion.travels()) || ((changes || waits) && motion.has_phase_group())
            };
            if step_secs > FADING_STEP_SECS && layer.motions.iter().any(uneven) {
                step_secs = FADING_STEP_SECS;
            }
        }
        // A minimum, so that rounding can't stop the time.
        step_secs.max(left_secs.min(1e-9))
    }

    /// Updates all shares from the parameters, so that a pose can be computed before time passes.
    pub(super) fn prepare(&mut self) {
        for motion in self.layers.iter_mut().flat_map(|layer| &mut layer.motions) {
            motion.prepare(0.0, &self.values);
        }
    }

    /// Advances all layers by one step without checking transitions.
    pub(super) fn pass(&mut self, library: &AnimationLibrary, dt_secs: f64, events: &mut Vec<Event>) {
        let step_secs = dt_secs * self.playback_rate;
        let mut together = false;
        for layer in &mut self.layers {
            for motion in &mut layer.motions {
                motion.prepare(step_secs, &self.values);
                together |= motion.leaves.len() > 1 || motion.sync.is_some();
            }
        }
        if together {
            self.step_groups(dt_secs);
        }
        for index in 0..self.layers.len() {
            let weights_base = index == 0;
            // Root motion for the page, and for the character.
            let mut travelled: [Option<Travel>; 2] = [None; 2];
            let layer = &mut self.layers[index];
            let current = layer.motions.len().saturating_sub(1);
            for depth in 0..layer.motions.len() {
                let weight =
                    if weights_base && layer.motions.len() > 1 { layer.weight_of(depth) } else { 1.0 };
                let pending_events = &mut self.pending_events;
                layer.motions[depth].step(|leaf| {
                    if weights_base && let Some((noted, travel)) = leaf.travel(library) {
                        let own = travel.scaled(weight * leaf.share);
                        let sum = &mut travelled[usize::from(noted == RootMotion::Move)];
                        *sum = Some(sum.map_or(own, |sum| sum.plus(own)));
                    }
                    if depth == current {
                        push_events(leaf, LayerIndex(index as u32), dt_secs, library, pending_events);
                    }
                });
            }
            for (held, travelled) in [&mut self.travel, &mut self.applied_travel].into_iter().zip(travelled) {
                if let Some(travelled) = travelled {
                    *held = held.then(travelled);
                }
            }
            let layer = &mut self.layers[index];
            layer.pass_fades(dt_secs);
            if let Some(Motion { ending: Ending::Release(fade_secs), .. }) =
                layer.current().filter(|current| current.is_finished())
            {
                let options = PlayOptions { fade_secs: *fade_secs, ..PlayOptions::default() };
                let layer = LayerIndex(index as u32);
                self.cross_to(library, layer, None, &options, FinishReason::Stopped, events);
                self.layers[index].pass_fades(0.0);
            }
        }
        if !self.pending_events.is_empty() {
            sort_by_time(&mut self.pending_events);
            events.extend(self.pending_events.drain(..).map(|(_, event)| event));
        }
    }

    /// Replaces the steps of leaves in phase groups by those that keep each group in phase.
    fn step_groups(&mut self, dt_secs: f64) {
        let rate = self.playback_rate;
        for layer in 0..self.layers.len() {
            for depth in 0..self.layers[layer].motions.len() {
                let motion = &mut self.layers[layer].motions[depth];
                let sync = motion.sync;
                match sync {
                    None => motion.step_together(dt_secs, rate),
                    Some(sync) if !self.has_group_before(sync, layer, depth) => {
                        step_together(&mut |visit| self.each_of_group(sync, visit), dt_secs);
                    }
                    Some(_) => {}
                }
            }
        }
    }

    fn has_group_before(&self, sync: SyncGroup, layer: usize, depth: usize) -> bool {
        let within = |motion: &Motion| motion.sync == Some(sync);
        self.layers[..layer].iter().any(|layer| layer.motions.iter().any(within))
            || self.layers[layer].motions[..depth].iter().any(within)
    }

    fn each_of_group(&mut self, sync: SyncGroup, visit: &mut dyn FnMut(Member<'_>)) {
        let playback_rate = self.playback_rate;
        for layer in &mut self.layers {
            for depth in 0..layer.motions.len() {
                let weight = layer.weight_of(depth) * layer.weight.weight();
                let motion = &mut layer.motions[depth];
                if motion.sync != Some(sync) || motion.is_finished() {
                    continue;
                }
                let rate = playback_rate * motion.speed;
                for leaf in &mut motion.leaves {
                    let weight = f64::from(weight * leaf.share);
                    visit(Member { leaf, weight, rate });
                }
            }
        }
    }
}

/// Adds the events of a leaf of the current motion to `pending_events`.
fn push_events(
    leaf: &LeafStep<'_>,
    layer: LayerIndex,
    dt_secs: f64,
    library: &AnimationLibrary,
    pending_events: &mut Vec<(f64, Event)>,
) {
    let markers = &library.notes(leaf.clip).markers;
    let has_passes = leaf.is_clock && leaf.ended_passes() > 0;
    let has_markers = leaf.is_heaviest && !markers.is_empty();
    if !has_passes && !has_markers {
        return;
    }
    let (run, clip) = (leaf.run, leaf.clip);
    let passes_of_run = leaf.ended_passes();
    let mut passes_pushed = 0;
    leaf.stretches(dt_secs, |stretch, since_secs, pace| {
        let mut push =
            |after_secs: f64, kind: EventKind| pending_events.push((after_secs, Event { layer, kind }));
        if leaf.is_heaviest && stretch.times == 1 {
            let forwards = stretch.from_secs <= stretch.to_secs;
            for nth in 0..markers.len() {
                let marker = if forwards { nth } else { markers.len() - 1 - nth };
                let time_secs = markers[marker].time_secs;
                if stretch.passes(time_secs) {
                    let after_secs = since_secs + (time_secs - stretch.from_secs).abs() * pace;
                    push(after_secs, EventKind::Marker { run, clip, marker });
                }
            }
        }
        if let Some(passes) = stretch.ended_pass.filter(|_| leaf.is_clock) {
            passes_pushed += stretch.times;
            let after_secs =
                since_secs + (stretch.to_secs - stretch.from_secs).abs() * pace * f64::from(stretch.times);
            push(
                after_secs,
                match leaf.finished() && passes_pushed == passes_of_run {
                    true => EventKind::Finished { run, clip, reason: FinishReason::Ended },
                    false => EventKind::Loop { run, clip, passes },
                },
            );
        }
    });
}

/// Sorts events by time with insertion sort, which is stable, and fast for a list that is nearly sorted.
fn sort_by_time(pending_events: &mut [(f64, Event)]) {
    for end in 1..pending_events.len() {
        let mut at = end;
        while at > 0 && pending_events[at - 1].0 > pending_events[at].0 {
            pending_events.swap(at - 1, at);
            at -= 1;
        }
    }
}
