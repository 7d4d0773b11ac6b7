//! Constraints in each frame: their state on each character, and how they change its pose.
use crate::animation::{
    Chain, ChainAim, ChainGoal, ChainTurns, Foot, Gaze, GazeJoint, LocalPose, LookTurn, MOST_GOALS,
    ModelPose, Rig, Stance, rotation_of,
};
use crate::camera::decay;
use crate::model::NodeIndex;
use crate::playback::Fade;
use glam::{Affine3A, Quat, Vec3};

/// All constraints, shared by all characters, in the order in which they are applied among those of one stage.
#[derive(Debug, Default)]
pub(in crate::player) struct Constraints {
    pub(super) all: Vec<Constraint>,
    pub(super) next_id: u32,
}

#[derive(Debug)]
pub(super) struct Constraint {
    pub(super) id: u32,
    pub(super) name: String,
    pub(super) weight: Fade,
    /// Whether the constraint is removed once it has faded out.
    pub(super) is_leaving: bool,
    pub(super) smoothing_secs: f32,
    pub(super) kind: Kind,
}

#[derive(Debug)]
pub(super) enum Kind {
    Chain { chain: Chain, goals: Vec<GoalInWorld>, tip_rotation_in_world: Option<Quat> },
    Gaze { joints: Vec<GazeJoint>, target_in_world: Option<Vec3> },
    Feet { hips: NodeIndex, feet: Vec<NodeIndex> },
}

/// [`ChainGoal`] before its target is transformed to the model space of each character.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct GoalInWorld {
    pub(super) node: NodeIndex,
    pub(super) target_in_world: Vec3,
    pub(super) weight: f32,
}

/// Ground below a foot, in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ground {
    pub(super) height: f32,
    pub(super) normal: Vec3,
}

/// Kinds of constraints, in the order in which they are applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::player) enum Stage {
    Feet,
    Gaze,
    Chain,
}

/// What a constraint needs besides the pose of a character.
pub(in crate::player) struct Scene<'a> {
    pub(in crate::player) rig: &'a Rig,
    pub(in crate::player) world_from_model: &'a Affine3A,
    pub(in crate::player) model_from_world: &'a Affine3A,
    pub(in crate::player) passed_secs: f32,
}

/// State of a constraint on one character.
#[derive(Clone, Debug)]
pub(in crate::player) struct HeldConstraint {
    pub(super) id: u32,
    state: State,
    /// Whether smoothing has come to its end.
    arrived: bool,
}

#[derive(Clone, Debug)]
enum State {
    Chain(HeldChain),
    Gaze(Vec<LookTurn>),
    Feet(HeldFeet),
}

#[derive(Clone, Debug)]
struct HeldChain {
    turns: ChainTurns,
    /// The smoothed goals, in any order.
    goals: Vec<GoalInWorld>,
    tip_rotation_in_world: Option<LookTurn>,
}

#[derive(Clone, Debug)]
struct HeldFeet {
    /// The ground below each foot as it is set, and smoothed.
    grounds: Vec<[Ground; 2]>,
    /// Buffer for [`Rig::stand`].
    feet: Vec<Foot>,
}

impl Constraints {
    pub(in crate::player) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    pub(in crate::player) fn are_fading(&self) -> bool {
        self.all.iter().any(|constraint| !constraint.weight.is_done())
    }

    pub(super) fn find(&self, name: &str) -> Option<usize> {
        self.all.iter().position(|constraint| constraint.name == name)
    }

    /// Applies the constraints of one kind. `model` is the resolved `local`, before and after.
    pub(in crate::player) fn apply(
        &self,
        stage: Stage,
        scene: &Scene,
        held: &mut Vec<HeldConstraint>,
        local: &mut LocalPose,
        model: &mut ModelPose,
    ) {
        if !self.is_empty() {
            self.apply_stage(stage, scene, held, local, model);
        }
    }

    /// Not inlined: in a page, this is in the file that is fetched with the first constraint.
    #[inline(never)]
    fn apply_stage(
        &self,
        stage: Stage,
        scene: &Scene,
        held: &mut Vec<HeldConstraint>,
        local: &mut LocalPose,
        model: &mut ModelPose,
    ) {
        for constraint in self.all.iter().filter(|constraint| constraint.kind.stage() == stage) {
            constraint.apply(scene, constraint.held_in(held), local, model);
        }
    }
}

impl Kind {
    fn stage(&self) -> Stage {
        match self {
            Self::Chain { .. } => Stage::Chain,
            Self::Gaze { .. } => Stage::Gaze,
            Self::Feet { .. } => Stage::Feet,
        }
    }
}

impl HeldConstraint {
    /// Returns whether passing time would change the pose.
    pub(in crate::player) fn is_moving(&self) -> bool {
        let rests = match &self.state {
            State::Chain(chain) => chain.turns.arrived,
            State::Gaze(turns) => turns.iter().all(|turn| turn.arrived),
            State::Feet(_) => true,
        };
        !(rests && self.arrived)
    }

    /// Notes that the goals have changed. The next pose determines whether time matters.
    pub(super) fn set_off(&mut self) {
        self.arrived = false;
    }

    pub(super) fn set_ground(&mut self, foot: usize, ground: Ground) {
        if let State::Feet(held) = &mut self.state {
            held.grounds[foot][0] = ground;
        }
    }
}

impl Constraint {
    /// Returns the state on one character, which is added if it is missing.
    pub(super) fn held_in<'a>(&self, held: &'a mut Vec<HeldConstraint>) -> &'a mut HeldConstraint {
        let at = held.iter().position(|held| held.id == self.id).unwrap_or_else(|| {
            let state = match &self.kind {
                Kind::Chain { chain, .. } => State::Chain(HeldChain {
                    turns: chain.turns(),
                    goals: Vec::with_capacity(MOST_GOALS),
                    tip_rotation_in_world: None,
                }),
                Kind::Gaze { joints, .. } => State::Gaze(vec![LookTurn::default(); joints.len()]),
                Kind::Feet { feet, .. } => State::Feet(HeldFeet {
                    grounds: vec![[Ground { height: 0.0, normal: Vec3::Y }; 2]; feet.len()],
                    feet: Vec::with_capacity(feet.len()),
                }),
            };
            held.push(HeldConstraint { id: self.id, state, arrived: false });
            held.len() - 1
        });
        &mut held[at]
    }

    fn apply(&self, scene: &Scene, held: &mut HeldConstraint, local: &mut LocalPose, model: &mut ModelPose) {
        let weight = self.weight.weight();
        let rest_share = match self.smoothing_secs {
            0.0 => 0.0,
            smoothing_secs => decay(scene.passed_secs / smoothing_secs),
        };
        held.arrived = match (&self.kind, &mut held.state) {
            (Kind::Chain { chain, goals, tip_rotation_in_world }, State::Chain(held)) => {
                let arrived = held.follow(chain, goals, *tip_rotation_in_world, rest_share, scene, model);
                held.solve(chain, weight, scene, local, model);
                arrived
            }
            (Kind::Gaze { joints, target_in_world }, State::Gaze(turns)) => {
                let target_in_model =
                    target_in_world.map(|target| scene.model_from_world.transform_point3(target));
                let passed_secs = scene.passed_secs;
                let gaze = Gaze { joints, target_in_model, weight, passed_secs, rest_share };
                scene.rig.gaze(&gaze, turns, local, model);
                true
            }
            (Kind::Feet { hips, feet }, State::Feet(held)) => {
                let arrived = held.follow(rest_share);
                held.stand(*hips, feet, weight, scene, local, model);
                arrived
            }
            _ => true,
        };
    }
}

impl HeldChain {
    /// Moves the smoothed goals towards the set ones. A new goal begins at the node's played place. Returns whether all
    /// have arrived.
    fn follow(
        &mut self,
        chain: &Chain,
        goals: &[GoalInWorld],
        tip_rotation_in_world: Option<Quat>,
        rest_share: f32,
        scene: &Scene,
        model: &ModelPose,
    ) -> bool {
        let mut arrived = true;
        self.goals.retain(|held| goals.iter().any(|goal| goal.node == held.node));
        for goal in goals {
            let at = self.goals.iter().position(|held| held.node == goal.node).unwrap_or_else(|| {
                let place = model.model_from_node(goal.node).translation.into();
                let target_in_world = scene.world_from_model.transform_point3(place);
                self.goals.push(GoalInWorld { target_in_world, ..*goal });
                self.goals.len() - 1
            });
            arrived &= follow(&mut self.goals[at].target_in_world, goal.target_in_world, rest_share);
            self.goals[at].weight = goal.weight;
        }
        self.tip_rotation_in_world = tip_rotation_in_world.map(|wanted| {
            let mut held = self.tip_rotation_in_world.unwrap_or_else(|| {
                let model_from_tip = model.model_from_node(chain.tip());
                LookTurn::at(rotation_of(scene.world_from_model) * rotation_of(&model_from_tip))
            });
            held.follow(wanted, rest_share);
            arrived &= held.arrived;
            held
        });
        arrived
    }

    fn solve(
        &mut self,
        chain: &Chain,
        weight: f32,
        scene: &Scene,
        local: &mut LocalPose,
        model: &mut ModelPose,
    ) {
        let none = ChainGoal { node: chain.tip(), target_in_model: Vec3::ZERO, weight: 0.0 };
        let mut goals = [none; MOST_GOALS];
        for (goal, held) in goals.iter_mut().zip(&self.goals) {
            let target_in_model = scene.model_from_world.transform_point3(held.target_in_world);
            *goal = ChainGoal { node: held.node, target_in_model, weight: held.weight };
        }
        let model_from_world = rotation_of(scene.world_from_model).inverse();
        let aim = ChainAim {
            goals: &goals[..self.goals.len()],
            tip_rotation_in_model: self.tip_rotation_in_world.map(|held| model_from_world * held.rotation()),
            weight,
            passed_secs: scene.passed_secs,
            rest_share: decay(scene.passed_secs / Chain::RELAX_SECS),
        };
        chain.solve(scene.rig, &aim, &mut self.turns, local, model);
    }
}

impl HeldFeet {
    /// Moves the smoothed ground towards the set one. Returns whether it has arrived.
    fn follow(&mut self, rest_share: f32) -> bool {
        let mut arrived = true;
        for [set, held] in &mut self.grounds {
            let mut height = Vec3::Y * held.height;
            arrived &= follow(&mut height, Vec3::Y * set.height, rest_share);
            arrived &= follow(&mut held.normal, set.normal, rest_share);
            held.height = height.y;
        }
        arrived
    }

    fn stand(
        &mut self,
        hips: NodeIndex,
        nodes: &[NodeIndex],
        weight: f32,
        scene: &Scene,
        local: &mut LocalPose,
        model: &mut ModelPose,
    ) {
        let to_model = |way: Vec3| scene.model_from_world.transform_vector3(way);
        let up_in_model = to_model(Vec3::Y).normalize_or(Vec3::Y);
        let origin = scene.world_from_model.translation.y;
        self.feet.clear();
        self.feet.extend(nodes.iter().zip(&self.grounds).map(|(&node, [_, ground])| Foot {
            node,
            lift_in_model: to_model(Vec3::Y * (ground.height - origin)),
            normal_in_model: to_model(ground.normal).normalize_or(up_in_model),
        }));
        scene.rig.stand(&Stance { hips, feet: &self.feet, up_in_model, weight }, local, model);
    }
}

/// Moves a point towards another, and leaves a share of the way. Returns whether it has arrived.
fn follow(point: &mut Vec3, wanted: Vec3, rest_share: f32) -> bool {
    let next = wanted + (*point - wanted) * rest_share;
    // In the end, a step is too short to change any digit.
    let arrived = next == wanted || (next == *point && rest_share < 1.0);
    *point = if arrived { wanted } else { next };
    arrived
}
