//! Chain: joints from a root to a tip, with limits, that bring points of the chain to goals.
//!
//! A solve starts from the animated pose, rotated by what the last solve added, so that the joints follow a moving
//! goal without jumps. What the last solve added shrinks with time, so that the chain returns to the animated pose as
//! far as the goals leave it free, and an old goal has no lasting effect.
use super::limit::{JointLimit, Limit};
use super::steps::{Goal, Link, Work};
use super::turned_within;
use crate::animation::{LocalPose, ModelPose, Rig};
use crate::model::NodeIndex;
use glam::{Affine3A, Quat, Vec3};

/// Largest number of goals of a chain: their equations have a fixed place in memory.
pub const MOST_GOALS: usize = 8;

/// Tolerance of a solve, as a fraction of the chain's length. Rounding in single precision is a tenth of it.
const TOLERANCE: f32 = 1e-5;

/// Method by which a chain approaches distant goals. Near a goal, and where a method is slow, all of them go on with
/// the damped least squares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ChainSolver {
    /// Cyclic coordinate descent: one joint after another, from the tip to the root, turns the tip to the goal.
    /// Joints near the tip turn most.
    CyclicDescent,
    /// FABRIK: moves the joints' places along lines, from the tip to the root and back.
    ForwardBackward,
    /// Damped least squares: all joints turn together, as little as possible.
    #[default]
    LeastSquares,
}

/// Description of a [`Chain`].
#[derive(Clone, Debug, PartialEq)]
pub struct ChainOptions {
    /// First joint that turns.
    pub root: NodeIndex,
    /// Last node, below the root.
    pub tip: NodeIndex,
    pub solver: ChainSolver,
    /// Largest number of iterations of a solve.
    pub iterations: u32,
    /// Greatest speed at which a solve changes a joint's rotation. It matters where a chain with limits has to take
    /// another way to its goal.
    pub speed_radians_per_sec: f32,
    /// Limits of single joints. Joints without one turn freely.
    pub limits: Vec<(NodeIndex, JointLimit)>,
}

impl ChainOptions {
    /// Returns the options of a chain between two nodes, without limits.
    pub fn new(root: NodeIndex, tip: NodeIndex) -> Self {
        Self {
            root,
            tip,
            solver: ChainSolver::default(),
            iterations: 40,
            speed_radians_per_sec: 20.0,
            limits: Vec::new(),
        }
    }
}

/// Goal of one node of a chain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChainGoal {
    /// Node of the chain below its root.
    pub node: NodeIndex,
    pub target_in_model: Vec3,
    /// Weight relative to the other goals of the chain; a goal of weight 0 has no effect.
    pub weight: f32,
}

/// What a chain is to do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChainAim<'a> {
    /// At most [`MOST_GOALS`]; further ones have no effect.
    pub goals: &'a [ChainGoal],
    /// Rotation of the tip in model space. It comes after the goals and turns the tip alone.
    pub tip_rotation_in_model: Option<Quat>,
    /// Blend factor between the animated pose (0) and the solved one (1).
    pub weight: f32,
    /// Time since the last solve. If none has passed, that solve is repeated, with the same bits for the same pose and
    /// goals.
    pub passed_secs: f32,
    /// Share of what the last solve added that is left after this time: e^−x after x times [`Chain::RELAX_SECS`].
    pub rest_share: f32,
}

/// A chain of one rig, prepared for solving.
#[derive(Clone, Debug)]
pub struct Chain {
    /// Parent of the root.
    parent: Option<NodeIndex>,
    joints: Vec<Joint>,
    solver: ChainSolver,
    iterations: u32,
    speed_radians_per_sec: f32,
}

/// A node of a chain. The last one is the tip.
#[derive(Clone, Copy, Debug)]
pub(super) struct Joint {
    node: NodeIndex,
    pub(super) limit: Option<Limit>,
}

/// What the last solve added to the joints of one character's chain, and the buffers of a solve.
#[derive(Clone, Debug)]
pub struct ChainTurns {
    links: Vec<Link>,
    /// Greatest angle by which the rotations may have changed since time last passed.
    most_radians: f32,
    /// Whether there is a last solve.
    is_solved: bool,
    /// Whether no joint of the last solve was held back by the greatest speed.
    pub arrived: bool,
}

impl ChainTurns {
    /// Forgets the last solve.
    pub fn forget(&mut self) {
        self.links.fill(Link::default());
        self.most_radians = f32::INFINITY;
        self.is_solved = false;
        self.arrived = true;
    }
}

impl Chain {
    /// Time after which 1/e of what a solve added is left, where the goals leave the chain free.
    pub const RELAX_SECS: f32 = 0.5;

    /// Prepares a chain, or returns `None` if
    ///
    /// - the tip isn't below the root,
    /// - a node of the chain has a sheared rest transform, which no rotation expresses,
    /// - a limit belongs to no joint of the chain, its axis has no length, or a range is empty.
    pub fn new(rig: &Rig, options: &ChainOptions) -> Option<Self> {
        let model = rig.model();
        let mut joints = Vec::new();
        let mut next = Some(options.tip);
        while let Some(node) = next {
            let held = model.nodes.get(node.get())?;
            if held.sheared_rest.is_some() {
                return None;
            }
            joints.push(Joint { node, limit: None });
            next = if node == options.root { None } else { Some(held.parent?) };
        }
        if joints.len() < 2 {
            return None;
        }
        joints.reverse();
        for (node, limit) in &options.limits {
            let joint = joints.iter_mut().find(|joint| joint.node == *node)?;
            joint.limit = Some(Limit::new(limit, model.node(*node).rest.rotation)?);
        }
        let parent = model.node(options.root).parent;
        let ChainOptions { solver, iterations, speed_radians_per_sec, .. } = *options;
        Some(Self { parent, joints, solver, iterations, speed_radians_per_sec })
    }

    pub fn tip(&self) -> NodeIndex {
        self.joints[self.joints.len() - 1].node
    }

    /// Returns whether a node can have a goal: a node of the chain below its root.
    pub fn can_reach(&self, node: NodeIndex) -> bool {
        self.joints[1..].iter().any(|joint| joint.node == node)
    }

    /// Returns the state of a chain that hasn't been solved.
    pub fn turns(&self) -> ChainTurns {
        let links = vec![Link::default(); self.joints.len()];
        ChainTurns { links, most_radians: f32::INFINITY, is_solved: false, arrived: true }
    }

    /// Rotates the joints so that the goals are reached, or approached as closely as the joints allow. Without goals,
    /// the chain keeps its animated pose, and the last solve is forgotten. A first solve takes no time.
    ///
    /// The solved rotations are within the limits. With a weight below 1, those of the animated pose show through.
    /// `model` must be the resolved `local`, and is updated with it.
    pub fn solve(
        &self,
        rig: &Rig,
        aim: &ChainAim,
        held: &mut ChainTurns,
        local: &mut LocalPose,
        model: &mut ModelPose,
    ) {
        if aim.weight <= 0.0 || aim.goals.is_empty() && aim.tip_rotation_in_model.is_none() {
            held.forget();
            return;
        }
        if aim.passed_secs > 0.0 && held.is_solved {
            for link in &mut held.links {
                (link.before, link.start) = (link.turn, shrunk(link.turn, aim.rest_share));
            }
            held.most_radians = self.speed_radians_per_sec * aim.passed_secs;
        }
        held.is_solved = true;
        for (joint, link) in self.joints.iter().zip(&mut held.links) {
            link.srt = local.srt(joint.node);
            link.srt.rotation = joint.limited(link.srt.rotation * link.start);
        }
        let model_from_parent = self.parent.map_or(Affine3A::IDENTITY, |node| model.model_from_node(node));
        let mut work = Work::new(model_from_parent, &self.joints, &mut held.links);
        let mut goals = [Goal::default(); MOST_GOALS];
        let count = self.goals_into(aim.goals, &work, &mut goals);
        self.iterate(&mut work, &goals[..count], local);
        if let Some(rotation) = aim.tip_rotation_in_model {
            work.turn_tip(rotation);
        }

        held.arrived = true;
        for (joint, link) in self.joints.iter().zip(&mut held.links) {
            let mut srt = local.srt(joint.node);
            let before = joint.limited(srt.rotation * link.before);
            let within = turned_within(before, link.srt.rotation, held.most_radians);
            held.arrived &= within == link.srt.rotation;
            let solved = srt.rotation.inverse() * joint.limited(within);
            let solved = if solved.w < 0.0 { -solved } else { solved }.normalize();
            if solved.is_finite() {
                link.turn = solved;
                let share = Quat::IDENTITY * (1.0 - aim.weight) + solved * aim.weight;
                srt.rotation = (srt.rotation * share).normalize();
                local.set_srt(joint.node, srt);
            }
        }
        rig.resolve_into(local, model);
    }

    /// Writes the goals that have an effect, and returns how many there are.
    fn goals_into(&self, asked: &[ChainGoal], work: &Work, goals: &mut [Goal; MOST_GOALS]) -> usize {
        let mut count = 0;
        for goal in asked {
            let joint = self.joints.iter().position(|joint| joint.node == goal.node).unwrap_or(0);
            let reach = work.length_to(joint);
            // Farther targets have the same direction, and their squares might be infinite.
            let way = (goal.target_in_model - work.place(0)).clamp_length_max(2.0 * reach);
            if count < MOST_GOALS && reach > 0.0 && goal.weight > 0.0 && way.is_finite() {
                goals[count] = Goal { joint, target: work.place(0) + way, weight: goal.weight };
                count += 1;
            }
        }
        count
    }

    /// Approaches the goals until they are reached, nothing changes, or the iterations are used up.
    fn iterate(&self, work: &mut Work, goals: &[Goal], animated: &LocalPose) {
        if goals.is_empty() {
            return;
        }
        let is_free = self.joints.iter().all(|joint| joint.limit.is_none());
        let length = work.length_to(self.joints.len() - 1);
        let tolerance = length * TOLERANCE;
        let least = match goals {
            [goal] => work.least_error(goal),
            _ => 0.0,
        };
        if least > 0.0 && is_free {
            work.point_at(&goals[0]);
        } else if goals.iter().all(|goal| work.is_straight_past(goal)) {
            // No turn brings the tip of a straight chain nearer to a goal inside it: the first bend is given.
            for (joint, link) in self.joints.iter().zip(&mut *work.links) {
                let toward = link.srt.rotation.lerp(animated.srt(joint.node).rotation, 0.1);
                link.srt.rotation = joint.limited(toward);
            }
            work.resolve_from(0);
            if goals.iter().all(|goal| work.is_straight_past(goal)) {
                work.bend();
            }
        }
        let mut last = f32::INFINITY;
        let mut stalls = 0;
        for _ in 0..self.iterations {
            let error = work.error(goals);
            stalls = if error > last * 0.99 { stalls + 1 } else { 0 };
            if error <= least + tolerance || stalls > 3 {
                break;
            }
            // Near a goal, the least squares turn the joints least and converge quickly, also where the other methods
            // are slow.
            let suits_all = error < 0.1 * length || error > last * 0.5;
            last = error;
            match self.solver {
                ChainSolver::CyclicDescent if !suits_all => work.descend(goals),
                ChainSolver::ForwardBackward if !suits_all => work.reach_back_and_forth(goals),
                _ => work.turn_together(goals),
            }
        }
    }
}

impl Joint {
    pub(super) fn limited(&self, rotation: Quat) -> Quat {
        self.limit.map_or(rotation, |limit| limit.apply(rotation))
    }
}

/// Returns a rotation of which a share is left: the tangent of half the angle is multiplied by it, so that two steps
/// leave the product of their shares.
fn shrunk(turn: Quat, share: f32) -> Quat {
    Quat::from_vec4((turn.xyz() * share).extend(turn.w.max(1e-3))).normalize()
}
