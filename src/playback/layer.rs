//! One layer: its motions, the transitions between them, and mixing with the layers below.
use super::fade::Fade;
use super::machine::MachineRun;
use super::motion::{Motion, Underlay};
use super::{ClipUse, Ending, LayerMode, LayerOptions, Reference, State};
use crate::animation::{
    ClipCursor, DeadBlending, Inertia, LocalPose, Mask, Rig, blend_into, blend_masked_into,
};
use crate::model::ClipIndex;
use std::sync::Arc;

/// Most motions in a layer: the next one replaces the oldest. If a page starts a fade of half a second in every
/// frame, less than a thousandth of the oldest is then visible.
pub(super) const MOST_MOTIONS: usize = 24;

/// Immutable properties of a layer, shared by all copies of its controller.
#[derive(Debug)]
pub(super) struct LayerProperties {
    pub(super) name: String,
    pub(super) mode: LayerMode,
    mask: Option<Mask>,
}

#[derive(Clone, Debug)]
pub(super) struct Layer {
    pub(super) properties: Arc<LayerProperties>,
    /// Weight over the layers below, multiplied by the mask.
    pub(super) weight: Fade,
    /// Motions from oldest to newest; the last is the current one.
    pub(super) motions: Vec<Motion>,
    pub(super) takeover: Option<Takeover>,
    /// State machine that controls the layer; `None` if the page does.
    pub(super) machine: Option<MachineRun>,
}

/// Transition in which only the new motion plays.
#[derive(Clone, Debug)]
pub(super) struct Takeover {
    pub(super) left: Left,
    pub(super) fade: Fade,
    /// Shares of the clips in the pose before the transition.
    pub(super) shares: Vec<(Option<ClipIndex>, f32)>,
}

/// What is left of the old motion.
#[derive(Clone, Debug)]
pub(super) enum Left {
    Inertia(Inertia),
    DeadBlending(DeadBlending),
}

/// Scratch poses for mixing. Their contents are overwritten.
#[derive(Clone, Debug)]
pub struct PoseScratch {
    layer: LocalPose,
    motion: LocalPose,
    leaf: LocalPose,
}

impl PoseScratch {
    pub fn new(rig: &Rig) -> Self {
        let rest = || LocalPose::rest(rig);
        Self { layer: rest(), motion: rest(), leaf: rest() }
    }
}

impl LayerProperties {
    /// Returns the properties of a base layer, which overrides the whole rest pose.
    pub(super) fn base() -> Self {
        Self { name: "base".to_owned(), mode: LayerMode::Override, mask: None }
    }

    pub(super) fn new(rig: &Rig, name: &str, options: &LayerOptions) -> Self {
        let mask = (!options.mask.is_empty()).then(|| Mask::new(rig, &options.mask));
        Self { name: name.to_owned(), mode: options.mode, mask }
    }

    /// Returns the reference pose of a clip; `None` unless the layer is additive.
    pub(super) fn reference(&self, rig: &Rig, clip_use: &ClipUse) -> Option<Arc<LocalPose>> {
        let LayerMode::Add(reference) = self.mode else { return None };
        let sampled = |clip: ClipIndex, time_secs: f64| {
            let mut pose = LocalPose::rest(rig);
            rig.sample_into(clip, time_secs as f32, &mut ClipCursor::default(), &mut pose);
            pose
        };
        Some(Arc::new(match reference {
            Reference::FirstFrame => sampled(clip_use.clip, clip_use.from_secs),
            Reference::Rest => LocalPose::rest(rig),
            Reference::Pose { clip, time_secs } => sampled(clip, time_secs),
        }))
    }
}

impl Layer {
    pub(super) fn new(properties: LayerProperties, weight: f32) -> Self {
        Self {
            properties: Arc::new(properties),
            weight: Fade::at(weight),
            motions: Vec::with_capacity(2),
            takeover: None,
            machine: None,
        }
    }

    pub(super) fn current(&self) -> Option<&Motion> {
        self.motions.last()
    }

    pub(super) fn state(&self, paused: bool) -> State {
        match self.current().filter(|current| current.clock().is_some()) {
            None => State::Stopped,
            Some(current) if current.is_finished() => State::Finished,
            Some(_) if paused => State::Paused,
            Some(_) => State::Playing,
        }
    }

    /// Returns whether a frame can be advanced in one step, which is the usual case: there is no state machine, and
    /// the current motion isn't released at its end.
    pub(super) fn advances_in_one_step(&self) -> bool {
        self.machine.is_none() && self.current().is_none_or(|current| matches!(current.ending, Ending::Hold))
    }

    /// Returns whether a transition between motions is in progress.
    pub(super) fn is_crossing(&self) -> bool {
        self.takeover.is_some() || self.current().is_some_and(|current| !current.fade.is_done())
    }

    pub(super) fn is_moving(&self, playback_rate: f64) -> bool {
        let moves = |motion: &Motion| !motion.fade.is_done() || motion.is_moving(playback_rate);
        self.takeover.is_some() || !self.weight.is_done() || self.motions.iter().any(moves)
    }

    /// Returns the weight of a motion in the pose of the layer, reduced by the newer motions over it.
    pub(super) fn weight_of(&self, motion: usize) -> f32 {
        let above = self.motions[motion + 1..].iter();
        above.fold(self.motions[motion].fade.weight(), |weight, above| weight * (1.0 - above.fade.weight()))
    }

    /// Calls `visit` with the share of each clip in the pose of the layer; `None` is the pose below.
    ///
    /// The shares add up to 1.
    pub(super) fn each_share(&self, visit: &mut dyn FnMut(Option<ClipIndex>, f32)) {
        let arrived = self.takeover.as_ref().map_or(1.0, |takeover| takeover.fade.weight());
        let mut left = arrived;
        for (index, motion) in self.motions.iter().enumerate() {
            let weight = self.weight_of(index) * arrived;
            for leaf in motion.leaves.iter().filter(|leaf| leaf.share > 0.0) {
                visit(Some(leaf.clip), leaf.share * weight);
                left -= leaf.share * weight;
            }
        }
        visit(None, left);
        for &(clip, share) in self.takeover.iter().flat_map(|takeover| &takeover.shares) {
            visit(clip, share * (1.0 - arrived));
        }
    }

    pub(super) fn pass_fades(&mut self, dt_secs: f64) {
        self.weight.advance(dt_secs);
        for motion in &mut self.motions {
            motion.fade.advance(dt_secs);
        }
        if let Some(takeover) = &mut self.takeover {
            takeover.fade.advance(dt_secs);
            if takeover.fade.is_done() {
                self.takeover = None;
            }
        }
        if self.motions.len() > 1 && self.motions.last().is_some_and(|current| current.fade.is_done()) {
            self.drop_all_but_current();
        }
        if self.motions.len() == 1 && self.motions[0].clock().is_none() && self.motions[0].fade.is_done() {
            self.motions.clear();
        }
    }

    pub(super) fn drop_all_but_current(&mut self) {
        let current = self.motions.len().saturating_sub(1);
        self.motions.drain(..current);
    }

    /// Writes the whole pose, for the base layer.
    pub(super) fn pose_into(&mut self, rig: &Rig, pose: &mut LocalPose, scratch: &mut PoseScratch) {
        let PoseScratch { motion, leaf, .. } = scratch;
        self.mix(rig, Underlay::Rest, pose, motion, leaf);
    }

    /// Mixes the layer into `pose`, which holds the layers below.
    pub(super) fn blend_over(&mut self, rig: &Rig, pose: &mut LocalPose, scratch: &mut PoseScratch) {
        let weight = self.weight.weight();
        if weight <= 0.0 || (self.motions.is_empty() && self.takeover.is_none()) {
            return;
        }
        let PoseScratch { layer, motion, leaf } = scratch;
        let underlay = match self.properties.mode {
            LayerMode::Override => Underlay::Over(pose),
            LayerMode::Add(_) => Underlay::Added(pose),
        };
        self.mix(rig, underlay, layer, motion, leaf);
        match &self.properties.mask {
            None => blend_into(pose, layer, weight),
            Some(mask) => blend_masked_into(pose, layer, weight, mask),
        }
    }

    fn mix(
        &mut self,
        rig: &Rig,
        underlay: Underlay<'_>,
        pose: &mut LocalPose,
        motion_pose: &mut LocalPose,
        leaf_pose: &mut LocalPose,
    ) {
        // Motions under one with full weight are invisible and needn't be sampled.
        let first = self.motions.iter().rposition(|motion| motion.fade.is_done()).unwrap_or(0);
        let mut written = false;
        for motion in &mut self.motions[first..] {
            let weight = motion.fade.weight();
            if weight >= 1.0 {
                motion.pose_into(rig, underlay, pose, leaf_pose);
                written = true;
                continue;
            }
            if !written {
                underlay.write_into(rig, pose);
                written = true;
            }
            motion.pose_into(rig, underlay, motion_pose, leaf_pose);
            blend_into(pose, motion_pose, weight);
        }
        if !written {
            underlay.write_into(rig, pose);
        }
        if let Some(Takeover { left, fade, .. }) = &self.takeover {
            let elapsed_secs = fade.elapsed_secs() as f32;
            match left {
                Left::Inertia(inertia) => inertia.apply(elapsed_secs, pose),
                Left::DeadBlending(blending) => blending.apply(elapsed_secs, fade.weight(), pose),
            }
        }
    }
}
