//! Drops ragdolls from random poses and measures what they do.

use gambol::animation::{
    Drawable, LocalPose, ModelPose, Ragdoll, RagdollInput, RagdollOptions, RagdollState, Rig, reference_skin,
};
use gambol::model::NodeIndex;
use glam::{Affine3A, Quat, Vec3, Vec4};
use std::ops::Range;

/// A character that falls, at 60 frames a second.
pub struct Falling<'a> {
    pub rig: &'a Rig,
    pub ragdoll: &'a Ragdoll,
    pub state: RagdollState,
    pub world_from_model: Affine3A,
    pub played: LocalPose,
    pub local: LocalPose,
    pub model: ModelPose,
}

/// What drops have shown at worst. Lengths are in sizes of the model.
#[derive(Clone, Copy, Debug, Default)]
pub struct Measured {
    /// Distance between the two bodies of a joint.
    pub gap: f32,
    /// Depth of a node below the ground.
    pub depth: f32,
    /// Depth of a vertex below the ground, when everything has come to rest.
    pub vertex_depth: f32,
    /// Angle by which a joint exceeds its limit, from a second after the start, and at rest.
    pub excess_radians: f32,
    pub rest_excess_radians: f32,
    /// Time until everything is at rest. Infinite if it never is.
    pub rest_secs: f32,
}

impl Measured {
    pub fn worst(&self, other: &Self) -> Self {
        Self {
            gap: self.gap.max(other.gap),
            depth: self.depth.max(other.depth),
            vertex_depth: self.vertex_depth.max(other.vertex_depth),
            excess_radians: self.excess_radians.max(other.excess_radians),
            rest_excess_radians: self.rest_excess_radians.max(other.rest_excess_radians),
            rest_secs: self.rest_secs.max(other.rest_secs),
        }
    }
}

impl<'a> Falling<'a> {
    /// Starts a ragdoll at a pose without motion.
    pub fn new(
        rig: &'a Rig,
        ragdoll: &'a Ragdoll,
        options: &RagdollOptions,
        pose: &LocalPose,
        world_from_model: Affine3A,
    ) -> Self {
        let mut model = ModelPose::new(rig);
        rig.resolve_into(pose, &mut model);
        let mut state = RagdollState::default();
        let input = RagdollInput {
            local: pose,
            model: &model,
            world_from_model,
            later_model: &model,
            later_world_from_model: world_from_model,
            secs: 0.0,
        };
        ragdoll.start(rig, options, &input, &mut state);
        let (played, local) = (pose.clone(), pose.clone());
        Self { rig, ragdoll, state, world_from_model, played, local, model }
    }

    pub fn pass(&mut self, secs: f64) {
        self.local.copy_from(&self.played);
        self.rig.resolve_into(&self.local, &mut self.model);
        self.state.passed_secs += secs;
        let Self { rig, ragdoll, state, world_from_model, local, model, .. } = self;
        ragdoll.apply(rig, state, world_from_model, 1.0, local, model);
    }

    pub fn size_in_world(&self) -> f32 {
        self.ragdoll.size() * self.world_from_model.matrix3.determinant().abs().cbrt()
    }

    pub fn node_in_world(&self, node: NodeIndex) -> Vec3 {
        (self.world_from_model * self.model.model_from_node(node)).translation.into()
    }

    pub fn gap(&self) -> f32 {
        let gaps = (0..self.ragdoll.bodies().len()).map(|body| {
            let [parent, own] = self.state.joint_in_world(body);
            parent.distance(own)
        });
        gaps.fold(0.0, f32::max) / self.size_in_world()
    }

    /// Returns the angle by which a joint exceeds its limit, from the angles between directions.
    pub fn excess_radians(&self) -> f32 {
        self.worst_excess().map_or(0.0, |(excess, _)| excess)
    }

    /// Returns the body whose joint exceeds its limit most, with the angle.
    pub fn worst_excess(&self) -> Option<(f32, usize)> {
        let mut worst: Option<(f32, usize)> = None;
        for (index, body) in self.ragdoll.bodies().iter().enumerate() {
            let Some(parent) = body.parent else { continue };
            let middle = self.state.body_in_world(parent).1 * body.parent_from_body;
            let turned = self.state.body_in_world(index).1;
            let (from, to) = (middle * body.axis, turned * body.axis);
            let mut excess = from.angle_between(to) - body.swing_radians;
            // The twist is what is left when the axes are brought together.
            let together = Quat::from_rotation_arc(from, to) * middle;
            let side = body.axis.any_orthonormal_vector();
            if from.dot(to) > -0.9 {
                excess = excess.max((together * side).angle_between(turned * side) - body.twist_radians);
            }
            if worst.is_none_or(|(worst, _)| excess > worst) {
                worst = Some((excess, index));
            }
        }
        worst
    }

    /// Returns the depth of the lowest node of a body below the ground.
    pub fn depth(&self) -> f32 {
        let lowest = self
            .ragdoll
            .bodies()
            .iter()
            .map(|body| self.node_in_world(body.node).y)
            .fold(f32::INFINITY, f32::min);
        -lowest / self.size_in_world()
    }

    /// Returns the height of the lowest vertex.
    pub fn lowest(&self) -> f32 {
        self.vertices().iter().map(|vertex| vertex.y).fold(f32::INFINITY, f32::min)
    }

    /// Returns all vertices in the world.
    pub fn vertices(&self) -> Vec<Vec3> {
        let mut rows = vec![Vec4::NAN; self.rig.palette_layout().rows_per_character];
        self.rig.palette_into(&self.local, &self.model, &self.world_from_model, &mut rows);
        let mut found = Vec::new();
        for drawable in &self.rig.palette_layout().drawables {
            found.extend(self.vertices_of(drawable, &rows));
        }
        found
    }

    fn vertices_of(&self, drawable: &Drawable, rows: &[Vec4]) -> Vec<Vec3> {
        let mesh = self.rig.model().mesh(drawable.mesh);
        let skinned =
            (0..mesh.primitives.len()).map(|primitive| reference_skin(self.rig, drawable, primitive, rows));
        let places = skinned.flat_map(|skinned| skinned.positions);
        places.map(|place| self.world_from_model.transform_point3(place)).collect()
    }

    /// Passes time until everything is at rest, but not more than some seconds.
    pub fn measure(&mut self, most_secs: f32) -> Measured {
        let mut measured = Measured { rest_secs: f32::INFINITY, ..Measured::default() };
        for frame in 1..=(most_secs * 60.0) as usize {
            self.pass(1.0 / 60.0);
            measured.gap = measured.gap.max(self.gap());
            measured.depth = measured.depth.max(self.depth());
            if frame > 60 {
                measured.excess_radians = measured.excess_radians.max(self.excess_radians());
            }
            assert!(self.gap().is_finite() && self.depth().is_finite(), "frame {frame}");
            if self.state.is_asleep() {
                measured.rest_secs = frame as f32 / 60.0;
                break;
            }
        }
        measured.rest_excess_radians = self.excess_radians();
        measured.vertex_depth = -self.lowest() / self.size_in_world();
        measured
    }
}

/// Numbers from a seed: the least that random poses need.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// Returns a number from −1 to 1.
    pub fn roll(&mut self) -> f32 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 40) as f32 / (1 << 23) as f32 - 1.0
    }

    pub fn rotation(&mut self, most_radians: f32) -> Quat {
        let axis = Vec3::new(self.roll(), self.roll(), self.roll()).try_normalize().unwrap_or(Vec3::Y);
        Quat::from_axis_angle(axis, self.roll() * most_radians)
    }
}

/// Starts a character in a random pose, at a random height and rotation.
pub fn dropped<'a>(rig: &'a Rig, ragdoll: &'a Ragdoll, seed: u64, scale: f32) -> Falling<'a> {
    let mut dice = Dice::new(seed + 1);
    let mut pose = LocalPose::rest(rig);
    for body in ragdoll.bodies() {
        let mut srt = pose.srt(body.node);
        srt.rotation = (srt.rotation * dice.rotation(0.6)).normalize();
        pose.set_srt(body.node, srt);
    }
    let turned = Affine3A::from_scale_rotation_translation(
        Vec3::splat(scale),
        dice.rotation(std::f32::consts::PI),
        Vec3::ZERO,
    );
    let lying = Falling::new(rig, ragdoll, &RagdollOptions::default(), &pose, turned);
    let height = ragdoll.size() * scale * (0.05 + 0.5 * (dice.roll() + 1.0)) - lying.lowest();
    let place = Affine3A::from_translation(Vec3::new(dice.roll() * 9.0, height, dice.roll() * 9.0));
    Falling::new(rig, ragdoll, &RagdollOptions::default(), &pose, place * turned)
}

/// Drops a character many times, each for ten seconds at most. Returns what was measured at worst.
pub fn drop_often(rig: &Rig, ragdoll: &Ragdoll, seeds: Range<u64>, scale: f32) -> Measured {
    let mut worst = Measured::default();
    for seed in seeds {
        let measured = dropped(rig, ragdoll, seed, scale).measure(10.0);
        worst = worst.worst(&measured);
    }
    worst
}
