//! Motions: what a layer plays at a time, which is a clip, a blend of several, or nothing.
use super::fade::Fade;
use super::phase::{Member, step_together};
use super::{
    Advanced, AnimationLibrary, Blend, ClipUse, Ending, PlayOptions, Playhead, RootMotion, Run, Source,
    Space, Stretch, SyncGroup, Weight,
};
use crate::animation::{ClipCursor, LocalPose, Rig, RootTrack, Travel, blend_into};
use crate::model::ClipIndex;
use glam::Vec2;
use std::sync::Arc;

/// One start of a source in a layer. It is kept until a newer motion has fully faded in over it.
#[derive(Clone, Debug)]
pub(super) struct Motion {
    pub(super) run: Run,
    /// `None` plays nothing and shows the layers below.
    source: Option<Source>,
    /// Clips of the source, in its order.
    pub(super) leaves: Vec<Leaf>,
    /// Index of the leaf that defines the motion's length and loops.
    clock: usize,
    pub(super) speed: f64,
    pub(super) ending: Ending,
    pub(super) sync: Option<SyncGroup>,
    /// Weight over the older motions of the layer.
    pub(super) fade: Fade,
}

/// One clip of a motion.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    pub(super) clip: ClipIndex,
    pub(super) speed: f64,
    pub(super) playhead: Playhead,
    /// Share in the motion. All shares add up to 1, or are all 0.
    pub(super) share: f32,
    /// Next step of the playhead, in seconds of the clip.
    pub(super) step_secs: f64,
    /// Phase group: leaves of one group play at the same phase. `None` plays independently.
    pub(super) phase_group: Option<u32>,
    /// Beats within the part that is played, in seconds from its start. Empty without a phase group.
    pub(super) beats_secs: Arc<[f64]>,
    cursor: ClipCursor,
    /// Reference pose in an additive layer.
    reference: Option<Arc<LocalPose>>,
    root: Option<Arc<RootTrack>>,
}

/// Pose below a layer, and how the layer is mixed with it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Underlay<'a> {
    /// Base layer: lanes without keys take the rest pose.
    Rest,
    /// Override: lanes without keys take the pose below.
    Over(&'a LocalPose),
    /// Additive: changes are added to the pose below.
    Added(&'a LocalPose),
}

impl Underlay<'_> {
    /// Writes the pose of a layer that plays nothing.
    pub(super) fn write_into(self, rig: &Rig, pose: &mut LocalPose) {
        match self {
            Self::Rest => pose.set_to_rest(rig),
            Self::Over(under) | Self::Added(under) => pose.copy_from(under),
        }
    }
}

impl Motion {
    /// Returns a motion at its start. `reference` returns the reference pose of a leaf, if the layer is additive.
    pub(super) fn new(
        run: Run,
        source: Option<&Source>,
        options: &PlayOptions,
        playback_rate: f64,
        library: &AnimationLibrary,
        reference: impl Fn(&ClipUse) -> Option<Arc<LocalPose>>,
    ) -> Self {
        let mut motion = Self {
            run,
            source: source.cloned(),
            leaves: Vec::new(),
            clock: 0,
            speed: options.speed,
            ending: options.ending,
            sync: options.sync,
            fade: Fade::over(options.fade_secs, options.easing),
        };
        let rate = playback_rate * options.speed;
        if let Some(source) = source {
            let mut next_group = 0;
            let all = options.sync.map(|_| 0);
            each_clip(source, all, &mut next_group, &mut |clip_use, phase_group| {
                let reference = reference(clip_use);
                motion.leaves.push(Leaf::new(clip_use, phase_group, options, rate, library, reference));
            });
        }
        if motion.leaves.first().is_some_and(|leaf| leaf.phase_group.is_none()) {
            motion.clock = longest(&motion.leaves);
        }
        motion.align(playback_rate);
        motion
    }

    pub(super) fn clock(&self) -> Option<&Leaf> {
        self.leaves.get(self.clock)
    }

    /// Whether there is a clip in it. A layer that was stopped fades to a motion without any.
    pub(super) fn plays(&self) -> bool {
        self.clock().is_some()
    }

    pub(super) fn clip(&self) -> Option<ClipIndex> {
        self.clock().map(|leaf| leaf.clip)
    }

    pub(super) fn is_finished(&self) -> bool {
        self.clock().is_some_and(|leaf| leaf.playhead.is_finished())
    }

    /// Returns whether advancing moves any leaf, regardless of the fade.
    pub(super) fn is_moving(&self, playback_rate: f64) -> bool {
        let moves = |leaf: &Leaf| leaf.speed != 0.0 && leaf.playhead.is_moving();
        playback_rate * self.speed != 0.0 && !self.is_finished() && self.leaves.iter().any(moves)
    }

    pub(super) fn has_phase_group(&self) -> bool {
        self.leaves.iter().any(|leaf| leaf.phase_group.is_some())
    }

    /// Returns whether any leaf has root motion that isn't kept in the pose.
    pub(super) fn travels(&self) -> bool {
        self.leaves.iter().any(|leaf| leaf.root.is_some())
    }

    /// Returns the number of ended passes plus the played fraction of the current one.
    pub(super) fn progress(&self, playback_rate: f64) -> f64 {
        self.clock().map_or(0.0, |leaf| leaf.playhead.progress(playback_rate * self.speed * leaf.speed))
    }

    /// Returns the seconds until a progress is reached, if speeds and shares don't change; infinite without a clip.
    pub(super) fn secs_until(&self, progress: f64, playback_rate: f64) -> f64 {
        let Some(clock) = self.clock() else { return f64::INFINITY };
        let passes = progress - self.progress(playback_rate);
        // The pace of a phase group depends on its shares; a leaf without a group has its own.
        let shares = || self.leaves.iter().filter(|leaf| leaf.phase_group == clock.phase_group);
        let pass_secs = match clock.phase_group {
            None => clock.pass_secs(),
            Some(_) => shares().map(|leaf| f64::from(leaf.share) * leaf.pass_secs()).sum(),
        };
        passes * pass_secs / (playback_rate * self.speed).abs()
    }

    pub(super) fn seek(&mut self, time_secs: f64, playback_rate: f64) {
        if let Some(clock) = self.leaves.get_mut(self.clock) {
            clock.playhead.seek(time_secs);
            self.align(playback_rate);
        }
    }

    /// Shifts the clock by a fraction of its pass, wrapped at its end.
    pub(super) fn shift(&mut self, phase: f64, playback_rate: f64) {
        if let Some(clock) = self.leaves.get_mut(self.clock) {
            clock.playhead.shift(phase);
            self.align(playback_rate);
        }
    }

    pub(super) fn rewind(&mut self, playback_rate: f64) {
        if let Some(clock) = self.leaves.get_mut(self.clock) {
            clock.playhead.rewind(playback_rate * self.speed * clock.speed);
            self.align(playback_rate);
        }
    }

    /// Sets all other leaves to where they would be after playing since the start of the clock's current pass.
    fn align(&mut self, playback_rate: f64) {
        let Some(clock) = self.leaves.get(self.clock) else { return };
        if self.leaves.len() == 1 {
            return;
        }
        let rate = playback_rate * self.speed;
        let played_secs = clock.played_secs(rate);
        let direction = 1.0_f64.copysign(rate);
        let (group, playhead, beats) = (clock.phase_group, clock.playhead, clock.beats_secs.clone());
        let in_group_of_clock = |leaf: &Leaf| group.is_some() && leaf.phase_group == group;
        for (index, leaf) in self.leaves.iter_mut().enumerate() {
            if in_group_of_clock(leaf) {
                if index != self.clock {
                    leaf.follow(&playhead, &beats);
                }
            } else if index != self.clock {
                leaf.playhead.rewind(rate * leaf.speed);
                leaf.step_secs = played_secs * direction * leaf.speed;
            }
        }
        self.step_groups(played_secs, direction);
        for (index, leaf) in self.leaves.iter_mut().enumerate() {
            if index != self.clock && !in_group_of_clock(leaf) {
                leaf.playhead.advance(leaf.step_secs);
                leaf.playhead.mark_unpassed();
            }
        }
    }

    /// Updates the shares from the parameters, and sets the step that each leaf takes without a phase group.
    pub(super) fn prepare(&mut self, step_secs: f64, values: &[f32]) {
        if let Some(Source::Blend(blend)) = &self.source {
            let mut leaves = self.leaves.iter_mut();
            distribute_shares(blend, 1.0, values, &mut leaves);
        }
        let finished = self.is_finished();
        for leaf in &mut self.leaves {
            leaf.step_secs = if finished { 0.0 } else { step_secs * self.speed * leaf.speed };
        }
    }

    /// Replaces the steps of leaves in phase groups by those that keep each group in phase.
    pub(super) fn step_together(&mut self, dt_secs: f64, playback_rate: f64) {
        if !self.is_finished() {
            self.step_groups(dt_secs, playback_rate * self.speed);
        }
    }

    fn step_groups(&mut self, dt_secs: f64, rate: f64) {
        let most = self.leaves.iter().filter_map(|leaf| leaf.phase_group).max();
        for group in 1..=most.unwrap_or(0) {
            let leaves = &mut self.leaves;
            step_together(
                &mut |visit| {
                    for leaf in leaves.iter_mut().filter(|leaf| leaf.phase_group == Some(group)) {
                        let weight = f64::from(leaf.share);
                        visit(Member { leaf, weight, rate });
                    }
                },
                dt_secs,
            );
        }
    }

    /// Advances every playhead by its step, and calls `visit` for each leaf that moved.
    pub(super) fn step(&mut self, mut visit: impl FnMut(&LeafStep)) {
        let heaviest = if self.leaves.len() == 1 { 0 } else { self.heaviest() };
        let motion = self.run;
        for (index, leaf) in self.leaves.iter_mut().enumerate() {
            let advanced = leaf.playhead.advance(leaf.step_secs);
            if !advanced.moved() {
                continue;
            }
            visit(&LeafStep {
                run: motion,
                clip: leaf.clip,
                advanced,
                after: &leaf.playhead,
                step_secs: leaf.step_secs,
                is_clock: index == self.clock,
                is_heaviest: index == heaviest,
                share: leaf.share,
                root: leaf.root.as_deref(),
            });
        }
    }

    fn heaviest(&self) -> usize {
        let mut heaviest = 0;
        for (index, leaf) in self.leaves.iter().enumerate() {
            if leaf.share > self.leaves[heaviest].share {
                heaviest = index;
            }
        }
        heaviest
    }

    /// Writes the whole pose. `scratch` is overwritten.
    pub(super) fn pose_into(
        &mut self,
        rig: &Rig,
        underlay: Underlay<'_>,
        pose: &mut LocalPose,
        scratch: &mut LocalPose,
    ) {
        let mut sum = 0.0;
        for leaf in &mut self.leaves {
            if leaf.share <= 0.0 {
                continue;
            }
            if sum == 0.0 {
                leaf.sample_into(rig, underlay, pose);
            } else {
                leaf.sample_into(rig, underlay, scratch);
                blend_into(pose, scratch, leaf.share / (sum + leaf.share));
            }
            sum += leaf.share;
        }
        if sum == 0.0 {
            underlay.write_into(rig, pose);
        }
    }
}

/// Result of a step of one leaf.
pub(super) struct LeafStep<'a> {
    pub(super) run: Run,
    pub(super) clip: ClipIndex,
    advanced: Advanced,
    after: &'a Playhead,
    step_secs: f64,
    pub(super) is_clock: bool,
    pub(super) is_heaviest: bool,
    pub(super) share: f32,
    root: Option<&'a RootTrack>,
}

impl LeafStep<'_> {
    pub(super) fn ended_passes(&self) -> u32 {
        self.advanced.ended
    }

    pub(super) fn finished(&self) -> bool {
        self.after.is_finished()
    }

    /// Calls `visit` with each stretch, the time in seconds within the step at its start, and the seconds that pass
    /// for each second of the clip.
    pub(super) fn stretches(&self, dt_secs: f64, mut visit: impl FnMut(Stretch, f64, f64)) {
        let pace = (dt_secs / self.step_secs).abs();
        self.advanced.stretches(self.after, |stretch| visit(stretch, stretch.since_secs * pace, pace));
    }

    /// Returns the root motion of the step; `None` unless it is extracted or moves the character.
    pub(super) fn travel(&self, library: &AnimationLibrary) -> Option<(RootMotion, Travel)> {
        let noted = library.notes(self.clip).root;
        let root = self.root.filter(|_| matches!(noted, RootMotion::Extract | RootMotion::Move))?;
        let mut travel = Travel::IDENTITY;
        self.advanced.stretches(self.after, |stretch| {
            // A forward and a backward pass cancel each other out.
            let times = if self.after.looping().bounce { stretch.times % 2 } else { stretch.times };
            travel = travel.then(root.travel(stretch.from_secs, stretch.to_secs).times(times));
        });
        Some((noted, travel))
    }
}

impl Leaf {
    fn new(
        clip_use: &ClipUse,
        phase_group: Option<u32>,
        options: &PlayOptions,
        rate: f64,
        library: &AnimationLibrary,
        reference: Option<Arc<LocalPose>>,
    ) -> Self {
        let duration_secs = library.duration_secs(clip_use.clip);
        let from_secs = clip_use.from_secs.max(0.0).min(duration_secs);
        let to_secs = clip_use.to_secs.unwrap_or(duration_secs).max(from_secs).min(duration_secs);
        let mut playhead = Playhead::new(from_secs..to_secs, options.looping, rate * clip_use.speed);
        if options.start_secs != 0.0 {
            let start_secs =
                if rate * clip_use.speed < 0.0 { -options.start_secs } else { options.start_secs };
            playhead.seek(playhead.time_secs() + start_secs);
        }
        playhead.shift(options.phase);
        let within = |&&beat: &&f64| from_secs <= beat && beat < to_secs;
        let beats =
            library.notes(clip_use.clip).beats_secs.iter().filter(within).map(|beat| beat - from_secs);
        Self {
            clip: clip_use.clip,
            speed: clip_use.speed,
            playhead,
            share: 1.0,
            step_secs: 0.0,
            phase_group,
            beats_secs: if phase_group.is_some() { beats.collect() } else { Arc::default() },
            cursor: ClipCursor::default(),
            reference,
            root: library.root_track(clip_use.clip, from_secs),
        }
    }

    /// Returns the duration of a pass at the leaf's own speed. A speed of 0 counts as 1.
    pub(super) fn pass_secs(&self) -> f64 {
        let speed = self.speed.abs();
        self.playhead.duration_secs() / if speed > 0.0 { speed } else { 1.0 }
    }

    /// Returns how long the current pass has been playing, at a rate of ±1.
    fn played_secs(&self, rate: f64) -> f64 {
        let share = self.playhead.progress(rate * self.speed);
        (share - f64::from(self.playhead.passes())) * self.pass_secs()
    }

    fn sample_into(&mut self, rig: &Rig, underlay: Underlay<'_>, pose: &mut LocalPose) {
        let time_secs = self.playhead.time_secs() as f32;
        match (underlay, &self.reference) {
            (Underlay::Rest, _) => {
                rig.sample_into(self.clip, time_secs, &mut self.cursor, pose);
                if let Some(root) = &self.root {
                    root.pin(pose);
                }
            }
            (Underlay::Added(under), Some(reference)) => {
                rig.add_over(self.clip, time_secs, &mut self.cursor, reference, under, pose);
            }
            (Underlay::Over(under) | Underlay::Added(under), _) => {
                rig.sample_over(self.clip, time_secs, &mut self.cursor, under, pose);
            }
        }
    }
}

/// Calls `visit` with each clip in order and its phase group: `group`, or else that of the outermost blend in phase.
fn each_clip(
    source: &Source,
    group: Option<u32>,
    next_group: &mut u32,
    visit: &mut impl FnMut(&ClipUse, Option<u32>),
) {
    match source {
        Source::Clip(clip_use) => visit(clip_use, group),
        Source::Blend(blend) => {
            let own = blend.in_phase.then(|| {
                *next_group += 1;
                *next_group
            });
            for child in &blend.children {
                each_clip(&child.source, group.or(own), next_group, visit);
            }
        }
    }
}

fn longest(leaves: &[Leaf]) -> usize {
    let mut longest = 0;
    for (index, leaf) in leaves.iter().enumerate() {
        if leaf.pass_secs() > leaves[longest].pass_secs() {
            longest = index;
        }
    }
    longest
}

fn distribute_shares(blend: &Blend, share: f32, values: &[f32], leaves: &mut std::slice::IterMut<'_, Leaf>) {
    let sum: f32 = (0..blend.children.len()).map(|index| blend.weight_of(index, values)).sum();
    for (index, child) in blend.children.iter().enumerate() {
        let weight = blend.weight_of(index, values);
        let share = if sum > 0.0 { share * weight / sum } else { 0.0 };
        match &child.source {
            Source::Blend(blend) => distribute_shares(blend, share, values, leaves),
            Source::Clip(_) => {
                if let Some(leaf) = leaves.next() {
                    leaf.share = share;
                }
            }
        }
    }
}

impl Blend {
    /// Returns the weight of a child before division by the sum of all.
    fn weight_of(&self, index: usize, values: &[f32]) -> f32 {
        let value = |parameter: super::ParameterIndex| values.get(parameter.0).copied().unwrap_or(0.0);
        match self.space {
            Space::Line(parameter) => self.weight_on_line(index, value(parameter)),
            Space::Plane([x, y]) => self.weight_on_plane(index, Vec2::new(value(x), value(y))),
            Space::Weights => match self.children[index].weight {
                Weight::Fixed(weight) => weight.max(0.0),
                Weight::Parameter(parameter) => value(parameter).max(0.0),
            },
        }
    }

    fn weight_on_line(&self, index: usize, value: f32) -> f32 {
        let at = self.children[index].at.x;
        let adjacent = if value < at { index.checked_sub(1) } else { Some(index + 1) };
        match adjacent.and_then(|adjacent| self.children.get(adjacent)) {
            // Beyond the first or last child.
            None => 1.0,
            Some(adjacent) => (1.0 - (value - at) / (adjacent.at.x - at)).max(0.0),
        }
    }

    /// Returns a weight by gradient band interpolation: 1 minus the point's greatest progress towards another child.
    fn weight_on_plane(&self, index: usize, point: Vec2) -> f32 {
        let at = self.children[index].at;
        let others = self.children.iter().enumerate().filter(|&(other, _)| other != index);
        others.fold(1.0, |weight: f32, (_, other)| {
            let to_other = other.at - at;
            weight.min(1.0 - (point - at).dot(to_other) / to_other.length_squared()).max(0.0)
        })
    }
}
