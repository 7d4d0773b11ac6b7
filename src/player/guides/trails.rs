//! The paths of joints over the clip that plays.

use super::joints::Joints;
use crate::animation::{LocalPose, ModelPose, Rig, skeleton_starts};
use crate::model::humanoid::{Humanoid, Part, Role, Side};
use crate::model::{ClipIndex, Model, NodeIndex};
use crate::playback::{AnimationLibrary, Controller, LayerIndex, PoseScratch, Run};
use crate::render::{GuideContent, Stroke};
use glam::{Affine3A, Vec3, Vec4};
use std::sync::{Arc, Weak};

/// Samples per second, and most samples of a clip. Longer clips have fewer per second.
const SAMPLES_PER_SEC: f64 = 30.0;
const MOST_SAMPLES: usize = 300;
/// Number of paths of a model without hands, feet and head: those of the leaf joints that move farthest.
const MOST_FOUND: usize = 6;
/// Most leaf joints whose paths are compared.
const MOST_LEAVES: usize = 64;
/// Time around the present in which paths are bright.
const BRIGHT_SECS: f64 = 0.4;

const COLORS: [Vec4; 6] = [
    Vec4::new(1.0, 0.42, 0.3, 1.0),
    Vec4::new(0.3, 0.7, 1.0, 1.0),
    Vec4::new(1.0, 0.8, 0.25, 1.0),
    Vec4::new(0.5, 0.9, 0.4, 1.0),
    Vec4::new(0.85, 0.5, 1.0, 1.0),
    Vec4::new(0.3, 0.9, 0.8, 1.0),
];
const WIDTH: f32 = 2.4;
const DOT: f32 = 5.0;
/// Diameter of the dot at the present place.
const PRESENT: f32 = 9.0;

/// Paths, which are computed again when another motion plays.
#[derive(Debug, Default)]
pub(super) struct Trails {
    /// Nodes whose paths are shown; empty for those that are found.
    chosen: Vec<NodeIndex>,
    paths: Option<Paths>,
}

#[derive(Debug)]
struct Paths {
    of: (Weak<Model>, ClipIndex, Option<Run>),
    step_secs: f64,
    /// Positions in model space, one for each step.
    paths: Vec<(NodeIndex, Vec<Vec3>)>,
}

impl Trails {
    pub(super) fn new(chosen: Vec<NodeIndex>) -> Self {
        Self { chosen, paths: None }
    }

    /// Returns whether the nodes are found in each model.
    pub(super) fn are_found(&self) -> bool {
        self.chosen.is_empty()
    }

    /// Adds the paths of a character's joints over the current clip of its base layer.
    pub(super) fn trace(
        &mut self,
        content: &mut GuideContent,
        library: &AnimationLibrary,
        controller: &Controller,
        joints: &Joints,
    ) {
        let Some(clip) = controller.clip(LayerIndex::BASE) else { return };
        let model = Arc::downgrade(library.rig().model());
        let run = controller.run(LayerIndex::BASE);
        let is_known =
            |paths: &Paths| Weak::ptr_eq(&paths.of.0, &model) && (paths.of.1, paths.of.2) == (clip, run);
        if !self.paths.as_ref().is_some_and(is_known) {
            self.paths = Some(Paths::new((model, clip, run), library, controller, &self.chosen));
        }
        let Some(paths) = &self.paths else { return };
        let now_secs = controller.time_secs(LayerIndex::BASE);
        for (nth, (node, path)) in paths.paths.iter().enumerate() {
            let color = COLORS[nth % COLORS.len()];
            paths.trace(content, path, now_secs, color, &joints.world_from_model);
            let place = joints.place(*node);
            let bright = color.lerp(Vec4::ONE, 0.5);
            content.overlay.push(Stroke { ends: [place; 2], colors: [bright; 2], width: 0.0, dot: PRESENT });
        }
    }
}

impl Paths {
    fn new(
        of: (Weak<Model>, ClipIndex, Option<Run>),
        library: &AnimationLibrary,
        controller: &Controller,
        chosen: &[NodeIndex],
    ) -> Self {
        let rig = library.rig();
        let duration_secs = f64::from(rig.clip(of.1).duration_secs);
        let count = ((duration_secs * SAMPLES_PER_SEC).ceil() as usize).clamp(1, MOST_SAMPLES);
        let step_secs = duration_secs / count as f64;
        let (nodes, most) = followed(rig, chosen);
        let mut paths: Vec<_> = nodes.into_iter().map(|node| (node, Vec::with_capacity(count + 1))).collect();
        // What plays stays as it is.
        let mut ghost = controller.clone();
        let (mut local, mut model) = (LocalPose::rest(rig), ModelPose::new(rig));
        let mut scratch = PoseScratch::new(rig);
        for step in 0..=count {
            ghost.seek(LayerIndex::BASE, step as f64 * step_secs);
            ghost.pose_into(library, &mut local, &mut scratch);
            rig.resolve_into(&local, &mut model);
            for (node, path) in &mut paths {
                path.push(Vec3::from(model.model_from_node(*node).translation));
            }
        }
        while paths.len() > most {
            let shortest = (0..paths.len()).fold(0, |shortest, nth| {
                if length(&paths[nth].1) < length(&paths[shortest].1) { nth } else { shortest }
            });
            paths.remove(shortest);
        }
        Self { of, step_secs, paths }
    }

    fn trace(
        &self,
        content: &mut GuideContent,
        path: &[Vec3],
        now_secs: f64,
        color: Vec4,
        world_from_model: &Affine3A,
    ) {
        let duration_secs = self.step_secs * (path.len() - 1) as f64;
        let color_at = |step: usize| {
            let apart = (step as f64 * self.step_secs - now_secs).abs();
            // Most clips loop.
            let apart = apart.min((duration_secs - apart).abs());
            let bright = (1.0 - apart / BRIGHT_SECS).max(0.0) as f32;
            color.truncate().extend(0.5 + 0.5 * bright)
        };
        for (step, ends) in path.windows(2).enumerate() {
            let ends = [ends[0], ends[1]].map(|end| world_from_model.transform_point3(end));
            if ends[0].is_finite() && ends[1].is_finite() {
                let colors = [color_at(step), color_at(step + 1)];
                content.strokes.push(Stroke { ends, colors, width: WIDTH, dot: DOT });
            }
        }
    }
}

/// Returns the nodes whose paths are computed, and how many of them are shown.
fn followed(rig: &Rig, chosen: &[NodeIndex]) -> (Vec<NodeIndex>, usize) {
    if !chosen.is_empty() {
        return (chosen.to_vec(), chosen.len());
    }
    let body = Humanoid::find(rig.model(), &[]);
    let limb = |part| Side::BOTH.map(|side| body.node(Role::of(side, part)));
    let ends: Option<Vec<NodeIndex>> =
        [limb(Part::Hand), limb(Part::Foot)].into_iter().flatten().chain([body.node(Role::HEAD)]).collect();
    match ends {
        Some(ends) => (ends, MOST_FOUND),
        None => (leaves(rig), MOST_FOUND),
    }
}

/// Returns the joints without joints below them, up to a number.
fn leaves(rig: &Rig) -> Vec<NodeIndex> {
    let nodes = &rig.model().nodes;
    let mut is_joint: Vec<bool> = nodes.iter().map(|_| false).collect();
    let mut is_above: Vec<bool> = nodes.iter().map(|_| false).collect();
    skeleton_starts(rig).for_each(|start| is_joint[start.get()] = true);
    // Parents come before children.
    for (index, node) in nodes.iter().enumerate().rev() {
        if let Some(parent) = node.parent {
            is_above[parent.get()] |= is_joint[index] || is_above[index];
        }
    }
    let leaves = (0..nodes.len()).filter(|&index| !is_above[index] && (is_joint[index] || nodes.len() == 1));
    leaves.take(MOST_LEAVES).map(NodeIndex::new).collect()
}

fn length(path: &[Vec3]) -> f32 {
    path.windows(2).map(|ends| ends[0].distance(ends[1])).sum()
}

#[cfg(test)]
mod tests {
    use super::super::made;
    use super::*;
    use crate::model::NodeIndex;

    #[test]
    fn a_path_has_the_places_of_the_clip_and_is_bright_at_the_present() {
        let mut player = made::player_at(0.5);
        player.pose();
        let loaded = player.loaded.as_ref().expect("a model");
        let world_from_model = Affine3A::from_translation(Vec3::Z);
        let joints = Joints::new(loaded.rig(), &loaded.workspace.model, world_from_model);
        for chosen in [Vec::new(), vec![NodeIndex::new(0)]] {
            let mut content = GuideContent::default();
            let controller = &player.characters[0].controller;
            Trails::new(chosen).trace(&mut content, &loaded.library, controller, &joints);
            assert_eq!(content.strokes.len(), 30, "thirty for a second");
            for (step, stroke) in content.strokes.iter().enumerate() {
                let place = Vec3::new(4.0 * step as f32 / 30.0, 0.0, 1.0);
                assert!(stroke.ends[0].abs_diff_eq(place, 1e-4), "{step}: {}", stroke.ends[0]);
            }
            let brightness = |step: usize| content.strokes[step].colors[0].w;
            assert!(brightness(15) > 0.99 && brightness(0) < 0.6 && brightness(20) > brightness(25));
            assert_eq!(content.overlay[0].ends[0], Vec3::new(2.0, 0.0, 1.0), "the present place");
        }
    }
}
