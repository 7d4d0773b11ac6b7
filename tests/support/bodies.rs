//! Humanoid bodies of any proportions, joint axes, rest poses and numbers of joints, and motions that are the same for
//! all.

use crate::support::made_model::{Random, clip, model, node, track};
use gambol::animation::{ClipCursor, LocalPose, ModelPose, Rig};
use gambol::model::humanoid::{Humanoid, Role};
use gambol::model::{Clip, ClipIndex, Interpolation, Model, Node, NodeIndex, Skin, Srt, TrackValues};
use glam::{Affine3A, Quat, Vec3};
use std::sync::Arc;

/// Lengths and structure of a body. It looks along z.
#[derive(Clone, Copy, Debug)]
pub struct Build {
    pub leg: f32,
    pub ankle: f32,
    pub hip_width: f32,
    pub arm: f32,
    pub shoulder_width: f32,
    pub spine_joints: usize,
    pub has_shoulders: bool,
    pub has_fingers: bool,
    /// The feet hang from the root instead of the legs.
    pub loose_feet: bool,
}

pub const GROWN: Build = Build {
    leg: 0.8,
    ankle: 0.08,
    hip_width: 0.2,
    arm: 0.55,
    shoulder_width: 0.36,
    spine_joints: 3,
    has_shoulders: true,
    has_fingers: true,
    loose_feet: false,
};

pub const SMALL: Build = Build {
    leg: 0.3,
    ankle: 0.1,
    hip_width: 0.25,
    arm: 0.35,
    shoulder_width: 0.4,
    spine_joints: 2,
    has_shoulders: false,
    has_fingers: false,
    loose_feet: false,
};

/// A joint in the pose with arms to the sides.
#[derive(Clone, Debug)]
pub struct Made {
    pub name: String,
    pub parent: Option<usize>,
    pub place: Vec3,
}

impl Build {
    pub fn joints(&self) -> Vec<Made> {
        let mut joints: Vec<Made> = Vec::new();
        let mut add = |name: &str, parent: Option<usize>, place: Vec3| {
            joints.push(Made { name: name.into(), parent, place });
            joints.len() - 1
        };
        let hip = self.leg + self.ankle;
        let root = add("Root", None, Vec3::ZERO);
        let hips = add("Hips", Some(root), Vec3::new(0.0, hip + 0.05, 0.0));
        let (mut top, torso) = (hips, 0.45 * hip);
        for joint in 0..self.spine_joints {
            let height = hip + 0.05 + torso * (joint + 1) as f32 / (self.spine_joints + 1) as f32;
            top = add(&format!("Spine{joint}"), Some(top), Vec3::new(0.0, height, 0.0));
        }
        let shoulder = hip + 0.05 + torso;
        let neck = add("Neck", Some(top), Vec3::new(0.0, shoulder + 0.03, 0.0));
        add("Head", Some(neck), Vec3::new(0.0, shoulder + 0.12, 0.0));
        for (side, sign) in [("Left", 1.0), ("Right", -1.0)] {
            let name = |part: &str| format!("{side}{part}");
            let at = |x: f32, z: f32| Vec3::new(sign * x, shoulder, z);
            let mut above = top;
            if self.has_shoulders {
                above = add(&name("Shoulder"), Some(top), at(0.02, 0.0));
            }
            let half = self.shoulder_width / 2.0;
            let upper = add(&name("UpperArm"), Some(above), at(half, 0.0));
            let lower = add(&name("LowerArm"), Some(upper), at(half + self.arm * 0.5, 0.0));
            let hand = add(&name("Hand"), Some(lower), at(half + self.arm, 0.0));
            if self.has_fingers {
                for (finger, z) in [("Thumb", 0.04), ("Index", 0.03), ("Middle", 0.0), ("Little", -0.03)] {
                    let mut above = hand;
                    for joint in 0..2 {
                        let x = half + self.arm + 0.08 + 0.04 * joint as f32;
                        above = add(&format!("{side}{finger}{}", joint + 1), Some(above), at(x, z));
                    }
                }
            }
            let x = sign * self.hip_width / 2.0;
            let upper = add(&name("UpperLeg"), Some(hips), Vec3::new(x, hip, 0.0));
            let lower = add(&name("LowerLeg"), Some(upper), Vec3::new(x, self.ankle + self.leg * 0.5, 0.0));
            let above = if self.loose_feet { root } else { lower };
            let foot = add(&name("Foot"), Some(above), Vec3::new(x, self.ankle, 0.0));
            add(&name("Toes"), Some(foot), Vec3::new(x, 0.2 * self.ankle, 0.2 * self.leg));
        }
        joints
    }

    /// Returns the body. `axes` has the rotation of each joint with arms to the sides, and `rest` the rotation of each
    /// in model space from there to the rest pose. With `skinned`, a skin is bound with the arms to the sides.
    pub fn model(&self, axes: &[Quat], rest: &[Quat], skinned: bool) -> Model {
        let joints = self.joints();
        let mut posed: Vec<(Quat, Vec3)> = Vec::new();
        let mut nodes: Vec<Node> = Vec::new();
        for (index, joint) in joints.iter().enumerate() {
            let (above, from, turn) = match joint.parent {
                Some(parent) => (posed[parent].0, posed[parent].1, rest[parent]),
                None => (Quat::IDENTITY, Vec3::ZERO, Quat::IDENTITY),
            };
            let start = joint.parent.map_or(Vec3::ZERO, |parent| joints[parent].place);
            let (rotation, place) = (rest[index] * axes[index], from + turn * (joint.place - start));
            posed.push((rotation, place));
            let local = Srt {
                scale: Vec3::ONE,
                rotation: (above.inverse() * rotation).normalize(),
                translation: above.inverse() * (place - from),
            };
            nodes.push(Node { name: joint.name.clone(), ..node(joint.parent, local, index) });
        }
        let mut model = model(nodes, Vec::new());
        if skinned {
            let bound = |(joint, axes): (&Made, &Quat)| {
                Affine3A::from_rotation_translation(*axes, joint.place).inverse()
            };
            model.skins.push(Skin {
                joints: (0..joints.len()).map(NodeIndex::new).collect(),
                joint_from_mesh: joints.iter().zip(axes).map(bound).collect(),
                ..Skin::default()
            });
        }
        model
    }

    pub fn upright(&self) -> Model {
        let same = vec![Quat::IDENTITY; self.joints().len()];
        self.model(&same, &same, false)
    }

    /// Returns a clip. `motion` gives the rotation of a joint in model space from the pose with arms to the sides, and
    /// `hips` the place of the hips, at a time in seconds.
    pub fn clip(
        &self,
        axes: &[Quat],
        secs: f32,
        motion: &dyn Fn(&str, f32) -> Quat,
        hips: &dyn Fn(f32) -> Vec3,
    ) -> Clip {
        let joints = self.joints();
        let times: Vec<f32> = (0..=30).map(|key| secs * key as f32 / 30.0).collect();
        let mut tracks = Vec::new();
        for (index, joint) in joints.iter().enumerate().skip(1) {
            let rotation = |time: &f32| {
                let turned = |at: usize| motion(&joints[at].name, *time) * axes[at];
                let parent = joint.parent.unwrap();
                let above = if parent == 0 { axes[0] } else { turned(parent) };
                (above.inverse() * turned(index)).normalize()
            };
            let rotations = TrackValues::Rotation(times.iter().map(rotation).collect());
            tracks.push(track(index, Interpolation::Linear, &times, rotations));
        }
        let places = times.iter().map(|&time| axes[0].inverse() * hips(time)).collect();
        tracks.push(track(1, Interpolation::Linear, &times, TrackValues::Translation(places)));
        clip("moved", tracks)
    }

    pub fn any_axes(&self, random: &mut Random) -> Vec<Quat> {
        self.joints().iter().map(|_| random.rotation()).collect()
    }

    pub fn own_axes(&self) -> Vec<Quat> {
        vec![Quat::IDENTITY; self.joints().len()]
    }
}

/// A body that shows poses: places of its roles and rotations of its nodes, in model space.
pub struct Shown {
    pub rig: Rig,
    pub roles: Humanoid,
}

impl Shown {
    pub fn new(model: Model) -> Self {
        let roles = Humanoid::find(&model, &[]);
        Self { rig: Rig::new(Arc::new(model)), roles }
    }

    /// Returns the body with more clips, which come first in [`pose`](Self::pose).
    pub fn with(&self, clips: Vec<Clip>) -> Self {
        let bare = Model { clips: Vec::new(), properties: Vec::new(), ..(**self.rig.model()).clone() };
        Self { rig: Rig::new(Arc::new(bare)).with_clips(clips), roles: self.roles.clone() }
    }

    pub fn pose(&self, clip: usize, time_secs: f32) -> Posed<'_> {
        let (mut local, mut model) = (LocalPose::rest(&self.rig), ModelPose::new(&self.rig));
        self.rig.sample_into(ClipIndex::new(clip), time_secs, &mut ClipCursor::default(), &mut local);
        self.rig.resolve_into(&local, &mut model);
        Posed { shown: self, model }
    }
}

pub struct Posed<'a> {
    shown: &'a Shown,
    model: ModelPose,
}

impl Posed<'_> {
    pub fn transform(&self, node: usize) -> Affine3A {
        self.model.model_from_node(NodeIndex::new(node))
    }

    pub fn place(&self, role: Role) -> Option<Vec3> {
        let node = self.shown.roles.node(role)?;
        Some(self.model.model_from_node(node).translation.into())
    }
}
