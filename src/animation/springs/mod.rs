//! Springs: nodes that swing after the animation has moved them.
//!
//! The simulation is Verlet integration of the end of each joint, at steps of 1/60 s, as `VRMC_springBone` describes
//! it. It is computed in model space, so that a character behaves alike at every place and scale.
//!
//! ```text
//! frames        │         │         │          nodes are interpolated between two frames
//! steps      │      │      │      │            a step takes the nodes at its own time
//! shown         ●         ●         ●          rotations are interpolated between the last two steps
//! ```
//!
//! Each step therefore depends on the time alone, and what is shown is smooth at every frame rate.

mod reference;
mod shapes;
mod step;

use super::fixed_steps::{FixedSteps, STEP_SECS};
use super::{LocalPose, ModelPose, Rig, turn};
use crate::model::{ColliderShape, NodeIndex, Spring, SpringEnd, Springs};
use glam::{Affine3A, Quat, Vec3};
pub use reference::ReferenceSprings;
use shapes::Shape;

/// Movements in one frame are jumps from this share of the model's size,
const LEAST_JUMP: f32 = 0.25;
/// and from this number of its sizes per second.
const JUMP_PER_SEC: f32 = 10.0;

/// Springs compiled for a rig, with the buffers of the simulation. All characters use it in turn.
#[derive(Debug)]
pub struct SpringSolver {
    /// Number of steps for which springs hang down when they are placed anew.
    pub settling_steps: usize,
    joints: Vec<Joint>,
    springs: Vec<Group>,
    colliders: Vec<(usize, ColliderShape)>,
    /// Nodes that the simulation reads: the joints in the order of `joints`, then those of colliders and centers.
    frames: Vec<Frame>,
    /// Diameter of the rest pose.
    size: f32,
    buffers: Buffers,
}

#[derive(Debug)]
struct Joint {
    /// End at rest, in the joint's space.
    end: Vec3,
    /// Whether the end is a node, not a point.
    ends_at_node: bool,
    spring: usize,
    /// Distance for each step.
    stiffness: f32,
    /// Distance for each step, in the world.
    gravity: Vec3,
    /// Share of the speed that is kept in each step.
    kept: f32,
    radius: f32,
}

#[derive(Debug)]
struct Group {
    colliders: Vec<usize>,
    /// Index of a frame.
    center: Option<usize>,
}

/// A node whose transform the simulation reads.
#[derive(Clone, Copy, Debug)]
struct Frame {
    node: NodeIndex,
    /// Index of the nearest joint above. The transform is relative to that joint, or else to the model.
    joint_above: Option<usize>,
}

#[derive(Debug, Default)]
struct Buffers {
    /// Transform of each frame in the animated pose. Those of joints are without scale.
    animated: Vec<Affine3A>,
    /// Scale of each joint in the animated pose.
    scales: Vec<Vec3>,
    /// `model_from_node` of each frame in a step.
    posed: Vec<Affine3A>,
    shapes: Vec<Shape>,
    /// Movement in model space of what each spring is relative to, since the last step.
    carried: Vec<Option<Affine3A>>,
}

/// What the springs of one character depend on, besides its pose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpringInput {
    pub world_from_model: Affine3A,
    /// A speed in the world, which is added to gravity.
    pub wind: Vec3,
    /// Share of the rotations that is applied, from 0 to 1. With 0, nothing is simulated.
    pub weight: f32,
}

/// Springs of one character.
#[derive(Clone, Debug, Default)]
pub struct SpringState {
    /// End of each joint in model space, in the last two steps.
    ends: Vec<[Vec3; 2]>,
    /// Rotation of each joint from the animated pose, in the last two steps.
    turns: Vec<[Quat; 2]>,
    /// [`Buffers::animated`] of the last frame.
    animated: Vec<Affine3A>,
    /// `model_from_node` of the center of each spring in the last step.
    centers: Vec<Affine3A>,
    /// `world_from_model` of the last frame and of the last step.
    worlds: [Affine3A; 2],
    /// Time of the last frame after the last step.
    left_secs: f64,
    /// Time since the last frame.
    pub passed_secs: f64,
    is_placed: bool,
    is_moving: bool,
}

impl SpringState {
    /// Places the springs anew in the next frame, where they then hang still.
    pub fn reset(&mut self) {
        self.is_placed = false;
    }

    /// Lets the springs move after forces have changed.
    pub fn wake(&mut self) {
        self.is_moving |= self.is_placed;
    }

    /// Returns whether the next step would move a joint.
    pub fn is_moving(&self) -> bool {
        self.is_moving
    }
}

impl SpringSolver {
    // `new` and `apply` aren't inlined: in a page, they are in the file that is fetched with the first springs.

    /// Compiles springs. Joints that can't be rotated are left out: nodes that shear, and those without length.
    #[inline(never)]
    pub fn new(rig: &Rig, springs: &Springs) -> Self {
        let model = rig.model();
        let mut is_joint = vec![None; model.nodes.len()];
        for (index, spring) in springs.springs.iter().enumerate() {
            for joint in &spring.joints {
                let end = joint.end_at_rest(&model.nodes).filter(|end| *end != Vec3::ZERO);
                if let (Some(end), None) = (end, model.node(joint.node).sheared_rest) {
                    is_joint[joint.node.get()] = Some((index, joint, end));
                }
            }
        }
        let mut solver = Self {
            settling_steps: 60,
            joints: Vec::new(),
            springs: Vec::new(),
            colliders: Vec::new(),
            frames: Vec::new(),
            size: 0.0,
            buffers: Buffers::default(),
        };
        // Nearest joint of each node: the node itself or one above it.
        let mut nearest: Vec<Option<usize>> = Vec::with_capacity(model.nodes.len());
        let mut longest = 0.0_f32;
        for (index, node) in model.nodes.iter().enumerate() {
            let joint_above = node.parent.and_then(|parent| nearest[parent.get()]);
            nearest.push(joint_above);
            if let Some((spring, joint, end)) = is_joint[index] {
                nearest[index] = Some(solver.joints.len());
                solver.frames.push(Frame { node: joint.node, joint_above });
                let step_secs = STEP_SECS as f32;
                solver.joints.push(Joint {
                    end,
                    ends_at_node: matches!(joint.end, SpringEnd::Node(_)),
                    spring,
                    stiffness: joint.stiffness * step_secs,
                    gravity: joint.gravity * step_secs,
                    kept: 1.0 - joint.drag,
                    radius: joint.radius,
                });
                longest = longest.max(end.length());
            }
        }
        let mut frame_of = |node: NodeIndex| {
            solver.frames.push(Frame { node, joint_above: nearest[node.get()] });
            solver.frames.len() - 1
        };
        for Spring { colliders, center, .. } in &springs.springs {
            solver.springs.push(Group { colliders: colliders.clone(), center: center.map(&mut frame_of) });
        }
        for collider in &springs.colliders {
            solver.colliders.push((frame_of(collider.node), collider.shape));
        }
        let rest = ModelPose::new(rig);
        let places =
            || (0..model.nodes.len()).map(|node| rest.model_from_node(NodeIndex::new(node)).translation);
        let first = places().next().unwrap_or_default();
        let (least, most) = places().fold((first, first), |(least, most), at| (least.min(at), most.max(at)));
        solver.size = (most - least).length() + longest;
        solver
    }

    /// Moves a character's springs by the time that has passed since the last frame, and rotates their joints.
    ///
    /// `model` must be the resolved `local`, and is updated with it. Calls without passed time show the same pose
    /// again. The first call for a character allocates.
    #[inline(never)]
    pub fn apply(
        &mut self,
        rig: &Rig,
        state: &mut SpringState,
        input: &SpringInput,
        local: &mut LocalPose,
        model: &mut ModelPose,
    ) {
        let passed_secs = std::mem::take(&mut state.passed_secs);
        let weight = input.weight;
        if self.joints.is_empty() || weight <= 0.0 {
            state.is_placed = false;
            state.is_moving = false;
            return;
        }
        self.read(rig, local, model);
        if !self.follows(state, &input.world_from_model, passed_secs) {
            self.place(state, input);
        } else if passed_secs > 0.0 && state.is_moving {
            self.pass(state, input, passed_secs);
        }
        let share = (state.left_secs / STEP_SECS) as f32;
        for (frame, [before, now]) in self.frames.iter().zip(&state.turns) {
            // Turns have a w from 0, so that those of two steps are near each other and near the identity.
            let turn = turn::unit(*before * (1.0 - share) + *now * share);
            let turn = Quat::IDENTITY * (1.0 - weight) + turn * weight;
            let mut srt = local.srt(frame.node);
            let turned = turn::unit(turn::product(srt.rotation, turn));
            if turned.is_finite() {
                srt.rotation = turned;
                local.set_srt(frame.node, srt);
            }
        }
        rig.resolve_into(local, model);
    }

    /// Reads the animated transforms of all frames.
    fn read(&mut self, rig: &Rig, local: &LocalPose, model: &ModelPose) {
        let Buffers { animated, scales, .. } = &mut self.buffers;
        animated.clear();
        scales.clear();
        for (index, &Frame { node, joint_above }) in self.frames.iter().enumerate() {
            let joint_above = joint_above.map(|joint| self.frames[joint].node);
            let mut above = Some(node);
            let mut above_from_node = Affine3A::IDENTITY;
            if index < self.joints.len() {
                let srt = local.srt(node);
                scales.push(srt.scale);
                above_from_node = Affine3A::from_rotation_translation(srt.rotation, srt.translation);
                above = rig.model().node(node).parent;
            }
            let in_model =
                |node: Option<NodeIndex>| node.map_or(Affine3A::IDENTITY, |node| model.model_from_node(node));
            let read = match joint_above {
                Some(_) if above == joint_above => above_from_node,
                Some(_) => in_model(joint_above).inverse() * in_model(above) * above_from_node,
                None => in_model(above) * above_from_node,
            };
            // A joint with scale 0 has no inverse.
            animated.push(if read.is_finite() { read } else { Affine3A::IDENTITY });
        }
    }

    /// Returns whether the springs go on from the last frame, and sets whether they move. They don't go on if a joint
    /// has jumped.
    fn follows(&self, state: &mut SpringState, world_from_model: &Affine3A, passed_secs: f64) -> bool {
        let animated = &self.buffers.animated;
        if !state.is_placed || state.animated.len() != animated.len() {
            return false;
        }
        let is_same = state.worlds[0] == *world_from_model;
        if is_same && state.animated == *animated {
            return true;
        }
        state.is_moving = true;
        let carried =
            if is_same { Affine3A::IDENTITY } else { step::relative(&state.worlds[0], world_from_model) };
        let far = self.size * LEAST_JUMP.max(JUMP_PER_SEC * passed_secs as f32);
        let joints = self.frames.iter().zip(state.animated.iter().zip(animated)).take(self.joints.len());
        passed_secs <= 0.0
            || joints.filter(|(frame, _)| frame.joint_above.is_none()).all(|(_, (before, now))| {
                let before = carried.transform_point3a(before.translation);
                before.distance_squared(now.translation) <= far * far
            })
    }

    /// Places the springs at the animated pose, and lets them hang down.
    fn place(&mut self, state: &mut SpringState, input: &SpringInput) {
        let count = self.joints.len();
        state.ends.clear();
        state.ends.resize(count, [Vec3::ZERO; 2]);
        state.turns.clear();
        state.turns.resize(count, [Quat::IDENTITY; 2]);
        state.worlds = [input.world_from_model; 2];
        state.animated.clone_from(&self.buffers.animated);
        self.pose(state, 1.0);
        state.centers.clear();
        let posed = &self.buffers.posed;
        let center = |spring: &Group| spring.center.map_or(Affine3A::IDENTITY, |center| posed[center]);
        state.centers.extend(self.springs.iter().map(center));
        for (index, ends) in state.ends.iter_mut().enumerate() {
            *ends = [posed[index].transform_point3(self.joints[index].end); 2];
        }
        for _ in 0..self.settling_steps {
            if !self.step(state, input, 1.0) {
                break;
            }
        }
        for ([before, now], [turn_before, turn]) in state.ends.iter_mut().zip(&mut state.turns) {
            (*before, *turn_before) = (*now, *turn);
        }
        state.left_secs = 0.0;
        state.is_placed = true;
        state.is_moving = true;
    }

    /// Performs the steps between two frames.
    fn pass(&mut self, state: &mut SpringState, input: &SpringInput, passed_secs: f64) {
        let steps = FixedSteps::new(state.left_secs, passed_secs);
        for nth in 1..=steps.count {
            let share = steps.share(nth);
            let world_from_model = step::between(&state.worlds[0], &input.world_from_model, share);
            state.is_moving = self.step(state, &SpringInput { world_from_model, ..*input }, share);
        }
        state.left_secs = steps.left_secs();
        state.worlds[0] = input.world_from_model;
        state.is_moving |= state.animated != self.buffers.animated;
        state.animated.copy_from_slice(&self.buffers.animated);
    }
}
