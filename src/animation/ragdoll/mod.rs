//! Ragdolls: rigid bodies that fall, joined as the skeleton is, whose poses replace those of the animation.
//!
//! Bodies are fitted to the vertices of each joint. They are simulated by extended position-based dynamics (XPBD) in
//! steps of 1/60 s, each of which has several parts with two passes over all joints and one over all contacts. The
//! method is unconditionally stable, and small parts converge better than repeated passes.
//!
//! ```text
//! frames     │         │         │        bodies that are driven move between the poses of two frames
//! steps      │      │      │      │       the first step begins at the start
//! shown      ●         ●         ●        places are interpolated between the last two steps
//! ```
//!
//! Lengths are in sizes of the model, so that a character behaves alike at every scale. Places are relative to where
//! the character was at the start.

mod body;
mod fit;
mod limits;
mod shape;
mod show;
mod step;

use super::fixed_steps::{FixedSteps, STEP_SECS};
use super::{LocalPose, Mask, MaskEntry, ModelPose, Rig, turn};
use crate::model::{NodeIndex, Srt};
use body::{Body, Place};
use glam::{Affine3A, Mat3, Quat, Vec3};
use shape::Shape;
use step::{Contact, Joint};

/// Acceleration of gravity in sizes of the model: a character counts as 1.75 m high.
const GRAVITY: f32 = 9.81 / 1.75;
/// Movements of driven bodies in one frame are jumps from this number of sizes,
const LEAST_JUMP: f32 = 0.25;
/// and from this number of sizes per second.
const JUMP_PER_SEC: f32 = 10.0;

/// Bodies fitted to a rig. All characters share them.
#[derive(Debug)]
pub struct Ragdoll {
    bodies: Vec<RagdollBody>,
    /// Pairs of bodies that may collide.
    pairs: Vec<[usize; 2]>,
    /// Body at or above each node.
    body_of: Vec<Option<usize>>,
    /// Longest side of the box around the model at rest.
    size: f32,
}

/// One body of a [`Ragdoll`].
#[derive(Clone, Debug)]
pub struct RagdollBody {
    /// Node whose joint connects the body with its parent, and which the body moves.
    pub node: NodeIndex,
    /// Index of the body that it hangs on.
    pub parent: Option<usize>,
    /// Mass as a share of the whole.
    pub mass: f32,
    /// Largest angle of the cone of the joint. 0 makes a hinge.
    pub swing_radians: f32,
    /// Largest angle of the twist about the axis, or of a hinge, to each side of the middle.
    pub twist_radians: f32,
    /// Axis of the cone and the twist in the body's own space.
    pub axis: Vec3,
    /// Rotation of the body relative to its parent in the middle of the joint's range.
    pub parent_from_body: Quat,
    /// Whether the parent is the body of a node above.
    is_attached: bool,
    center_in_node: Vec3,
    node_from_body: Quat,
    shape: Shape,
    inverse_inertia: Vec3,
}

/// Options of a ragdoll.
#[derive(Clone, Debug, PartialEq)]
pub struct RagdollOptions {
    /// Nodes that are simulated, together with all below them. Others are driven by the animation. Empty for all.
    pub mask: Vec<MaskEntry>,
    /// Acceleration in the world. `None` pulls down as if the model were 1.75 m high.
    pub gravity: Option<Vec3>,
    /// Height at which the ground crosses the world's y axis. `None` for no ground.
    pub ground_height: Option<f32>,
    /// Direction away from the ground, of any length but 0.
    pub ground_normal: Vec3,
    /// Coefficient of friction, from 0.
    pub friction: f32,
    /// Share of a joint's rotation that is lost in a second, as an exponent: 0 for joints without friction.
    pub damping: f32,
}

impl Default for RagdollOptions {
    fn default() -> Self {
        Self {
            mask: Vec::new(),
            gravity: None,
            ground_height: Some(0.0),
            ground_normal: Vec3::Y,
            friction: 0.8,
            damping: 8.0,
        }
    }
}

/// Poses of a character at the start and some time later, from which the ragdoll has its first speeds.
#[derive(Clone, Copy, Debug)]
pub struct RagdollInput<'a> {
    pub local: &'a LocalPose,
    /// The resolved `local`.
    pub model: &'a ModelPose,
    pub world_from_model: Affine3A,
    pub later_model: &'a ModelPose,
    pub later_world_from_model: Affine3A,
    /// Time between the two poses. Without time, the ragdoll starts at rest.
    pub secs: f64,
}

/// Ragdoll of one character.
#[derive(Clone, Debug, Default)]
pub struct RagdollState {
    /// One for each body, then the ground. Empty before the start.
    bodies: Vec<Body>,
    /// One for each body.
    joints: Vec<Joint>,
    /// Place of each body in the animated pose, in the last frame and in this one.
    animated: [Vec<Place>; 2],
    /// Transform of the node of each body relative to the body.
    body_from_node: Vec<Affine3A>,
    /// Local transforms of all nodes at the start.
    locals: Vec<Srt>,
    /// `model_from_node` of the simulated nodes, while they are shown.
    posed: Vec<Affine3A>,
    /// Vertices outside the shapes of their bodies, in the spaces of those.
    tips: Vec<(usize, Vec3)>,
    contacts: Vec<Contact>,
    near_pairs: Vec<[usize; 2]>,
    /// Place and size of the model in the world at the start.
    origin_in_world: Vec3,
    scale: f32,
    gravity: Vec3,
    ground: Option<(Vec3, f32)>,
    friction: f32,
    damping: f32,
    /// Time of the last frame after the last step.
    left_secs: f64,
    /// Time since the last frame.
    pub passed_secs: f64,
    /// Time for which the bodies have moved little, and hardly at all.
    calm_secs: f32,
    still_secs: f32,
    /// Time since the start, the last push or the last movement of driven bodies.
    awake_secs: f32,
    /// Place of each body from which it hasn't moved far for `still_secs`.
    places: Vec<Place>,
    is_asleep: bool,
}

impl Ragdoll {
    /// Fits bodies to a rig. Returns `None` if it has no vertices, or if none of them belongs to a node that can be
    /// moved.
    pub fn new(rig: &Rig) -> Option<Self> {
        fit::fit(rig)
    }

    pub fn bodies(&self) -> &[RagdollBody] {
        &self.bodies
    }

    /// Returns the longest side of the box around the model at rest. Distances in the simulation are relative to it.
    pub fn size(&self) -> f32 {
        self.size
    }

    /// Starts a ragdoll at a pose, with the motion that it has. Allocates.
    pub fn start(
        &self,
        rig: &Rig,
        options: &RagdollOptions,
        input: &RagdollInput<'_>,
        state: &mut RagdollState,
    ) {
        let mask = (!options.mask.is_empty()).then(|| Mask::new(rig, &options.mask));
        let Mat3 { x_axis, y_axis, z_axis } = input.world_from_model.matrix3.into();
        let squared = x_axis.length_squared() + y_axis.length_squared() + z_axis.length_squared();
        let scale = (squared / 3.0).sqrt() * self.size;
        *state = RagdollState {
            origin_in_world: input.world_from_model.translation.into(),
            scale: if scale > 1e-9 && scale.is_finite() { scale } else { 1.0 },
            friction: options.friction,
            damping: options.damping,
            ..RagdollState::default()
        };
        state.gravity = options.gravity.map_or(Vec3::NEG_Y * GRAVITY, |gravity| gravity / state.scale);
        let normal = options.ground_normal.normalize_or(Vec3::Y);
        state.ground = options
            .ground_height
            .map(|height| (normal, normal.dot(Vec3::Y * height - state.origin_in_world) / state.scale));
        let [now, later] =
            [(input.model, input.world_from_model), (input.later_model, input.later_world_from_model)].map(
                |(model, world_from_model)| {
                    let sim_from_model = state.sim_from_world() * world_from_model;
                    let mut places = Vec::with_capacity(self.bodies.len());
                    self.read(&sim_from_model, model, &mut places);
                    places
                },
            );
        let sim_from_model = state.sim_from_world() * input.world_from_model;
        for (index, part) in self.bodies.iter().enumerate() {
            let mut body = Body::at(now[index]);
            if self.is_simulated(index, mask.as_ref()) {
                body.inverse_mass = 1.0 / part.mass;
                body.inverse_inertia = part.inverse_inertia;
            }
            if input.secs > 0.0 {
                body.move_as(&now[index], &later[index], input.secs as f32);
            }
            let node = sim_from_model * input.model.model_from_node(part.node);
            state.body_from_node.push(fit::relative(now[index].center, now[index].rotation, &node));
            state.bodies.push(body);
        }
        state.bodies.push(Body::at(Place { center: Vec3::ZERO, rotation: Quat::IDENTITY }));
        for (index, part) in self.bodies.iter().enumerate() {
            let node = sim_from_model * input.model.model_from_node(part.node);
            let parent = part.parent.unwrap_or(index);
            state.joints.push(Joint::new(part, [parent, index], &state.bodies, node.translation.into()));
        }
        state.locals.extend((0..rig.model().nodes.len()).map(|node| input.local.srt(NodeIndex::new(node))));
        state.posed.resize(state.locals.len(), Affine3A::IDENTITY);
        fit::find_tips(self, rig, input.model, &state.body_from_node, &mut state.tips);
        state.contacts.reserve(self.bodies.len() * 4 + state.tips.len() + self.pairs.len());
        state.near_pairs.reserve(self.pairs.len());
        state.places.clone_from(&now);
        state.animated = [now.clone(), now];
    }

    /// Moves the bodies by the time that has passed since the last frame, and blends their pose over the played one.
    ///
    /// `model` must be the resolved `local`, and is updated with it. Calls without passed time show the same pose
    /// again. Allocates nothing.
    pub fn apply(
        &self,
        rig: &Rig,
        state: &mut RagdollState,
        world_from_model: &Affine3A,
        weight: f32,
        local: &mut LocalPose,
        model: &mut ModelPose,
    ) {
        let passed_secs = std::mem::take(&mut state.passed_secs);
        if state.bodies.is_empty() {
            return;
        }
        self.follow(state, world_from_model, passed_secs, model);
        if passed_secs > 0.0 && !state.is_asleep {
            self.pass(state, passed_secs);
        }
        self.show(rig, state, world_from_model, weight, local, model);
    }

    /// Adds an impulse in the world to the body of a node, in units of the whole mass times a speed. Returns whether
    /// the node belongs to a simulated body.
    pub fn push(&self, state: &mut RagdollState, node: NodeIndex, impulse_in_world: Vec3) -> bool {
        let body =
            self.body_of.get(node.get()).copied().flatten().and_then(|body| state.bodies.get_mut(body));
        let Some(body) = body.filter(|body| body.inverse_mass > 0.0) else { return false };
        body.speed += impulse_in_world / state.scale * body.inverse_mass;
        state.wake();
        true
    }

    /// Returns whether a mask selects a body or one that it hangs on.
    fn is_simulated(&self, body: usize, mask: Option<&Mask>) -> bool {
        let Some(mask) = mask else { return true };
        let mut bodies = std::iter::successors(Some(body), |&body| self.bodies[body].parent);
        bodies.any(|body| mask.weight(self.bodies[body].node) > 0.0)
    }

    /// Reads the places of all bodies in a pose.
    fn read(&self, sim_from_model: &Affine3A, model: &ModelPose, places: &mut Vec<Place>) {
        places.clear();
        for part in &self.bodies {
            let node = *sim_from_model * model.model_from_node(part.node);
            let place = Place {
                center: node.transform_point3(part.center_in_node),
                rotation: turn::unit(turn::product(turn::of(&node), part.node_from_body)),
            };
            let none = Place { center: Vec3::ZERO, rotation: Quat::IDENTITY };
            places.push(if place.is_finite() { place } else { none });
        }
    }

    /// Reads where the animation has moved the driven bodies. If they have jumped, the others jump with them.
    fn follow(
        &self,
        state: &mut RagdollState,
        world_from_model: &Affine3A,
        passed_secs: f64,
        model: &ModelPose,
    ) {
        let first = self.driven(state).next();
        let Some(first) = first else { return };
        let sim_from_model = state.sim_from_world() * *world_from_model;
        let [before, now] = &mut state.animated;
        self.read(&sim_from_model, model, now);
        if before == now {
            return;
        }
        let far = LEAST_JUMP.max(JUMP_PER_SEC * passed_secs as f32);
        let has_jumped = (0..now.len()).any(|body| {
            state.bodies[body].inverse_mass == 0.0 && before[body].center.distance(now[body].center) > far
        });
        if has_jumped {
            let carried = turn::product(now[first].rotation, turn::inverse(before[first].rotation));
            let axes = Mat3::from_quat(turn::unit(carried));
            let (from, to) = (before[first].center, now[first].center);
            for (index, body) in state.bodies.iter_mut().enumerate().take(now.len()) {
                let place = Place {
                    center: to + axes * (body.now.center - from),
                    rotation: turn::unit(turn::product(carried, body.now.rotation)),
                };
                body.set(if body.inverse_mass == 0.0 { &now[index] } else { &place });
                body.step_before = body.now;
                (body.speed, body.spin) = (Vec3::ZERO, Vec3::ZERO);
            }
            before.clone_from(now);
        }
        state.wake();
    }

    fn driven<'a>(&'a self, state: &'a RagdollState) -> impl Iterator<Item = usize> + 'a {
        (0..self.bodies.len()).filter(|&body| state.bodies[body].inverse_mass == 0.0)
    }

    /// Performs the steps between two frames.
    fn pass(&self, state: &mut RagdollState, passed_secs: f64) {
        let steps = FixedSteps::new(state.left_secs, passed_secs);
        for nth in 1..=steps.count {
            self.step(state, steps.share(nth));
            if state.is_asleep {
                break;
            }
        }
        state.left_secs = steps.left_secs();
        let [before, now] = &mut state.animated;
        before.copy_from_slice(now);
    }
}

impl RagdollState {
    pub fn is_on(&self) -> bool {
        !self.bodies.is_empty()
    }

    /// Returns whether the bodies have come to rest. A push or a driven body that moves ends the sleep.
    pub fn is_asleep(&self) -> bool {
        self.is_asleep
    }

    /// Lets the bodies move again.
    pub fn wake(&mut self) {
        self.is_asleep = false;
        (self.calm_secs, self.still_secs, self.awake_secs) = (0.0, 0.0, 0.0);
    }

    /// Takes over the motion of another state of the same bodies.
    pub fn keep_motion(&mut self, before: &Self) {
        let scale = before.scale / self.scale;
        for (body, before) in self.bodies.iter_mut().zip(&before.bodies) {
            (body.speed, body.spin) = (before.speed * scale, before.spin);
        }
    }

    /// Returns the center and the rotation of a body in the world, after the last step.
    pub fn body_in_world(&self, body: usize) -> (Vec3, Quat) {
        let Place { center, rotation } = self.bodies[body].now;
        (self.origin_in_world + center * self.scale, rotation)
    }

    /// Returns the speed of a body in the world.
    pub fn speed_in_world(&self, body: usize) -> Vec3 {
        self.bodies[body].speed * self.scale
    }

    /// Returns the place of a body's joint in the world: as its parent has it, and as it has it itself.
    pub fn joint_in_world(&self, body: usize) -> [Vec3; 2] {
        self.joints[body].ends(&self.bodies).map(|end| self.origin_in_world + end * self.scale)
    }

    fn world_from_sim(&self) -> Affine3A {
        Affine3A::from_mat3_translation(Mat3::from_diagonal(Vec3::splat(self.scale)), self.origin_in_world)
    }

    fn sim_from_world(&self) -> Affine3A {
        let scale = 1.0 / self.scale;
        Affine3A::from_mat3_translation(
            Mat3::from_diagonal(Vec3::splat(scale)),
            self.origin_in_world * -scale,
        )
    }
}
