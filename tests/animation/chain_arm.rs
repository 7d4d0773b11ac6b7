//! An arm of random joints, and paths and limits for it: what the tests of chains share.

use crate::support::made_model::{Random, at, model, nodes, rig};
use gambol::animation::{
    Chain, ChainAim, ChainGoal, ChainOptions, ChainSolver, ChainTurns, JointLimit, LocalPose, ModelPose, Rig,
};
use gambol::model::{NodeIndex, Srt};
use glam::{Quat, Vec3};
use std::f32::consts::PI;

pub(crate) const SOLVERS: [ChainSolver; 3] =
    [ChainSolver::CyclicDescent, ChainSolver::ForwardBackward, ChainSolver::LeastSquares];

/// Largest error of a reached goal, as a fraction of the chain's length.
pub(crate) const REACHED: f32 = 1e-4;

/// A chain below a rotated and scaled body, with its poses.
pub(crate) struct Arm {
    pub(crate) rig: Rig,
    pub(crate) joint_count: usize,
    pub(crate) chain: Chain,
    pub(crate) held: ChainTurns,
    pub(crate) local: LocalPose,
    pub(crate) model: ModelPose,
}

impl Arm {
    /// Returns an arm of parts with random lengths and rotations.
    pub(crate) fn random(random: &mut Random, joint_count: usize) -> Rig {
        let body =
            Srt { rotation: random.rotation(), scale: Vec3::splat(0.5), translation: random.vec3(2.0) };
        let mut parts = vec![(None, body)];
        for index in 0..=joint_count {
            let way = random.vec3(1.0).normalize_or(Vec3::Y) * random.between(0.3, 1.5);
            parts.push((Some(index), Srt { rotation: random.rotation(), translation: way, ..Srt::IDENTITY }));
        }
        rig(model(nodes(&parts), Vec::new()))
    }

    pub(crate) fn new(rig: Rig, edit: impl FnOnce(&mut ChainOptions)) -> Self {
        let joint_count = rig.model().nodes.len() - 2;
        let mut options = ChainOptions::new(at(1), at(joint_count + 1));
        edit(&mut options);
        let chain = Chain::new(&rig, &options).expect("a valid chain");
        let (held, local, model) = (chain.turns(), LocalPose::rest(&rig), ModelPose::new(&rig));
        Self { rig, joint_count, chain, held, local, model }
    }

    pub(crate) fn tip(&self) -> NodeIndex {
        at(self.joint_count + 1)
    }

    pub(crate) fn place(&self, node: usize) -> Vec3 {
        self.model.model_from_node(at(node)).translation.into()
    }

    pub(crate) fn root(&self) -> Vec3 {
        self.place(1)
    }

    pub(crate) fn lengths(&self) -> Vec<f32> {
        (1..=self.joint_count).map(|node| self.place(node).distance(self.place(node + 1))).collect()
    }

    pub(crate) fn length(&self) -> f32 {
        self.lengths().iter().sum()
    }

    /// Returns the least distance from root to tip: that of the longest part less the others.
    pub(crate) fn hole(&self) -> f32 {
        let longest = self.lengths().into_iter().fold(0.0, f32::max);
        (2.0 * longest - self.length()).max(0.0)
    }

    pub(crate) fn rotations(&self) -> Vec<Quat> {
        (1..=self.joint_count).map(|node| self.local.srt(at(node)).rotation).collect()
    }

    /// Solves in the rest pose, after this time.
    pub(crate) fn solve_after(
        &mut self,
        passed_secs: f32,
        goals: &[ChainGoal],
        tip: Option<Quat>,
        weight: f32,
    ) {
        self.local = LocalPose::rest(&self.rig);
        self.rig.resolve_into(&self.local, &mut self.model);
        let aim = ChainAim {
            goals,
            tip_rotation_in_model: tip,
            weight,
            passed_secs,
            rest_share: (-passed_secs / Chain::RELAX_SECS).exp(),
        };
        self.chain.solve(&self.rig, &aim, &mut self.held, &mut self.local, &mut self.model);
    }

    pub(crate) fn reach_after(&mut self, passed_secs: f32, target: Vec3) {
        self.solve_after(passed_secs, &[goal(self.tip(), target)], None, 1.0);
    }

    /// Returns the distance from the tip to a point, as a fraction of the chain's length.
    pub(crate) fn error(&self, target: Vec3) -> f32 {
        self.place(self.joint_count + 1).distance(target) / self.length()
    }
}

pub(crate) fn goal(node: NodeIndex, target_in_model: Vec3) -> ChainGoal {
    ChainGoal { node, target_in_model, weight: 1.0 }
}

pub(crate) fn solver(solver: ChainSolver) -> impl FnOnce(&mut ChainOptions) {
    move |options| options.solver = solver
}

/// Returns a random point that the chain can reach, up to a share of its length.
pub(crate) fn within_reach(arm: &Arm, random: &mut Random, share: f32) -> Vec3 {
    let length = arm.length();
    let away = random.between(arm.hole() + 0.02 * length, share * length);
    arm.root() + random.vec3(1.0).normalize_or(Vec3::X) * away
}

/// Returns random cones and hinges, whose ranges include the rest pose.
pub(crate) fn random_limits(rig: &Rig, random: &mut Random) -> Vec<(NodeIndex, JointLimit)> {
    let joint_count = rig.model().nodes.len() - 2;
    let limit = |node: usize| {
        let along = rig.model().node(at(node + 1)).rest.translation;
        let limit = match random.below(3) {
            0 => JointLimit {
                axis: along.any_orthonormal_vector() * 3.0,
                swing_radians: 0.0,
                twist_radians: [random.between(-1.0, 0.0), random.between(0.5, 2.5)],
            },
            _ => JointLimit {
                axis: along,
                swing_radians: random.between(0.3, 1.5),
                twist_radians: [random.between(-0.5, 0.0), random.between(0.0, 0.5)],
            },
        };
        (at(node), limit)
    };
    (1..=joint_count).map(limit).collect()
}

/// A smooth random path around a point: the sum of three slow waves in random directions.
pub(crate) struct Path {
    middle: Vec3,
    waves: [(Vec3, f32, f32); 3],
}

impl Path {
    pub(crate) fn random(random: &mut Random, middle: Vec3, extent: f32) -> Self {
        let wave = |_| (random.vec3(extent * 0.4), random.between(0.1, 0.6), random.between(0.0, 2.0 * PI));
        Self { middle, waves: std::array::from_fn(wave) }
    }

    pub(crate) fn at(&self, secs: f32) -> Vec3 {
        let waves = self.waves.iter();
        self.middle
            + waves.map(|(way, rate, phase)| *way * (secs * rate * 2.0 * PI + phase).sin()).sum::<Vec3>()
    }
}

pub(crate) fn greatest_turn(before: &[Quat], after: &[Quat]) -> f32 {
    let angles = before
        .iter()
        .zip(after)
        .map(|(before, after)| 2.0 * (*after * before.inverse()).xyz().length().min(1.0).asin());
    angles.fold(0.0, f32::max)
}
