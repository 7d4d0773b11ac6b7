//! A body with the skeleton of Mixamo: its 65 joints with their names and axes, in centimeters, with arms to the sides.
//! Its proportions are made up.
//!
//! The axes are those of the X Bot: y is along the limb. The spine leans back, and neck and head keep its axes. In
//! legs, x points to the right. In arms, z is down and has no part forward.

use crate::support::flesh::{self, Limb};
use crate::support::made_model::{clip, model, node, track};
use gambol::model::{
    Interpolation, Material, MaterialIndex, MeshIndex, Model, Node, NodeIndex, Skin, SkinIndex, Srt,
    TrackValues,
};
use glam::{Affine3A, Mat3, Quat, Vec3};
use std::f32::consts::FRAC_PI_2;

/// Height of the ankles, and length of a leg without the foot.
pub const ANKLE: f32 = 9.0;
pub const LEG: f32 = 84.0;
const HIPS_ABOVE_LEGS: f32 = 5.0;

/// What is above the hips.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Form {
    /// Nothing: the hips are the root, and model space is in centimeters.
    Plain,
    /// A node that is scaled to meters and rotated by this angle about x, since other programs have z up.
    Armature(f32),
}

pub const FORMS: [Form; 3] = [Form::Plain, Form::Armature(FRAC_PI_2), Form::Armature(-FRAC_PI_2)];

impl Form {
    fn model_from_armature(self) -> Srt {
        match self {
            Self::Plain => Srt::default(),
            Self::Armature(angle) => Srt {
                scale: Vec3::splat(0.01),
                rotation: Quat::from_rotation_x(angle),
                translation: Vec3::ZERO,
            },
        }
    }

    /// Length of a meter in model space.
    pub fn meter(self) -> f32 {
        if self == Self::Plain { 100.0 } else { 1.0 }
    }
}

/// Place of the hips in centimeters in a walk of straight steps in half a second each, in which the thigh of the
/// planted foot swings from 0.35 to -0.35.
pub fn walking_hips(time: f32) -> Vec3 {
    let half = (time * 2.0).floor().min(1.0);
    let thigh = 0.35 - 1.4 * (time - half * 0.5);
    let step = 2.0 * LEG * 0.35_f32.sin();
    let forward = half * step + LEG * (0.35_f32.sin() - thigh.sin());
    Vec3::new(0.0, ANKLE + LEG * thigh.cos() + HIPS_ABOVE_LEGS, forward)
}

/// A joint with arms to the sides: its place in centimeters, and its axes.
struct Joint {
    name: String,
    /// Name of the joint in a body of [`Build`](crate::support::bodies::Build) that moves as this one does.
    like: String,
    parent: Option<usize>,
    place: Vec3,
    axes: Quat,
}

fn joints() -> Vec<Joint> {
    let mut joints: Vec<Joint> = Vec::new();
    let mut add = |name: &str, like: &str, parent: Option<usize>, place: Vec3, axes: Quat| {
        let (name, like) = (format!("mixamorig:{name}"), like.to_owned());
        joints.push(Joint { name, like, parent, place, axes });
        joints.len() - 1
    };
    let up = |y: f32, z: f32| Vec3::new(0.0, y, z);
    let hips = add("Hips", "Hips", None, up(ANKLE + LEG + HIPS_ABOVE_LEGS, 0.0), Quat::IDENTITY);
    let back = Quat::from_rotation_x(-0.12);
    let spine = add("Spine", "Spine0", Some(hips), up(108.0, -1.0), back);
    let spine = add("Spine1", "Spine1", Some(spine), up(120.0, -2.5), back);
    let chest = add("Spine2", "Spine2", Some(spine), up(133.0, -4.0), back);
    let neck = add("Neck", "Neck", Some(chest), up(148.0, -6.0), back);
    let head = add("Head", "Head", Some(neck), up(157.0, -3.0), back);
    add("HeadTop_End", "Head", Some(head), up(178.0, 0.0), back);
    for (side, sign) in [("Left", 1.0), ("Right", -1.0)] {
        let name = |part: &str| format!("{side}{part}");
        let towards = |way: Vec3| {
            let down = (way.cross(Vec3::Z) * sign).normalize();
            Quat::from_mat3(&Mat3::from_cols(way.cross(down), way, down))
        };
        let (at, arm) = (|x: f32, y: f32, z: f32| Vec3::new(sign * x, y, z), towards(Vec3::X * sign));
        let start = at(5.0, 143.6, -3.5);
        let axes = towards((at(17.0, 143.0, -6.0) - start).normalize());
        let shoulder = add(&name("Shoulder"), &name("Shoulder"), Some(chest), start, axes);
        let mut limb = |part: &str, like: &str, parent, x| {
            add(&name(part), &name(like), Some(parent), at(x, 143.0, -6.0), arm)
        };
        let upper = limb("Arm", "UpperArm", shoulder, 17.0);
        let lower = limb("ForeArm", "LowerArm", upper, 44.0);
        let hand = limb("Hand", "Hand", lower, 70.0);
        for (finger, z, length) in [
            ("Thumb", 4.0, 3.0),
            ("Index", 3.0, 3.5),
            ("Middle", 0.5, 4.0),
            ("Ring", -1.5, 3.5),
            ("Pinky", -3.5, 3.0),
        ] {
            let is_thumb = finger == "Thumb";
            let along = if is_thumb { Vec3::new(sign, -0.6, 0.6).normalize() } else { Vec3::X * sign };
            let axes = towards(along);
            let start = at(if is_thumb { 73.0 } else { 79.0 }, 143.0, z - 6.0);
            let mut parent = hand;
            for joint in 1..=4 {
                let place = start + along * length * (joint - 1) as f32;
                let like = format!("{side}{finger}{}", joint.min(2));
                parent = add(&format!("{side}Hand{finger}{joint}"), &like, Some(parent), place, axes);
            }
        }
    }
    for (side, x) in [("Left", 9.0), ("Right", -9.0)] {
        let name = |part: &str| format!("{side}{part}");
        let towards = |way: Vec3| Quat::from_mat3(&Mat3::from_cols(Vec3::NEG_X, way, Vec3::NEG_X.cross(way)));
        let at = |y: f32, z: f32| Vec3::new(x, y, z);
        let [ankle, ball, tip] = [at(ANKLE, 0.0), at(2.0, 12.0), at(2.0, 20.0)];
        let (down, foot) = (towards(Vec3::NEG_Y), towards((ball - ankle).normalize()));
        let upper = add(&name("UpLeg"), &name("UpperLeg"), Some(hips), at(ANKLE + LEG, 0.0), down);
        let lower = add(&name("Leg"), &name("LowerLeg"), Some(upper), at(ANKLE + LEG / 2.0, 0.0), down);
        let ankle = add(&name("Foot"), &name("Foot"), Some(lower), ankle, foot);
        let ball = add(&name("ToeBase"), &name("Toes"), Some(ankle), ball, towards(Vec3::Z));
        add(&name("Toe_End"), &name("Toes"), Some(ball), tip, towards(Vec3::Z));
    }
    joints
}

/// Returns the body in its rest pose, with a skin.
pub fn body(form: Form) -> Model {
    let joints = joints();
    let first = usize::from(form != Form::Plain);
    let mut nodes = Vec::new();
    let above = form.model_from_armature();
    if first > 0 {
        nodes.push(Node { name: "Armature".into(), ..node(None, above, 0) });
    }
    for (index, joint) in joints.iter().enumerate() {
        let (axes, place) = match joint.parent {
            Some(parent) => (joints[parent].axes, joints[parent].place),
            None => (above.rotation, Vec3::ZERO),
        };
        let rotation = (axes.inverse() * joint.axes).normalize();
        let local = Srt { scale: Vec3::ONE, rotation, translation: axes.inverse() * (joint.place - place) };
        let parent = joint.parent.map(|parent| parent + first).or((first > 0).then_some(0));
        nodes.push(Node { name: joint.name.clone(), ..node(parent, local, nodes.len()) });
        assert_eq!(nodes.len(), index + first + 1);
    }
    let mut model = model(nodes, Vec::new());
    let bound = |joint: &Joint| {
        let model_from_node = Affine3A::from_rotation_translation(joint.axes, joint.place);
        (Affine3A::from_scale(above.scale) * model_from_node).inverse()
    };
    model.skins.push(Skin {
        joints: (0..joints.len()).map(|joint| NodeIndex::new(joint + first)).collect(),
        joint_from_mesh: joints.iter().map(bound).collect(),
        ..Skin::default()
    });
    model
}

/// Returns the body with a clip of a second. `motion` gives the rotation of a joint in model space from the pose with
/// arms to the sides, by the name of a joint of [`Build`](crate::support::bodies::Build), and `hips` the place of the
/// hips in centimeters.
pub fn moved(form: Form, motion: &dyn Fn(&str, f32) -> Quat, hips: &dyn Fn(f32) -> Vec3) -> Model {
    let joints = joints();
    let first = usize::from(form != Form::Plain);
    let above = form.model_from_armature().rotation;
    let times: Vec<f32> = (0..=30).map(|key| key as f32 / 30.0).collect();
    let mut tracks = Vec::new();
    for (index, joint) in joints.iter().enumerate() {
        let rotation = |&time: &f32| {
            let turned = |joint: &Joint| motion(&joint.like, time) * joint.axes;
            let above = joint.parent.map_or(above, |parent| turned(&joints[parent]));
            (above.inverse() * turned(joint)).normalize()
        };
        let rotations = TrackValues::Rotation(times.iter().map(rotation).collect());
        tracks.push(track(index + first, Interpolation::Linear, &times, rotations));
    }
    let places = times.iter().map(|&time| above.inverse() * hips(time)).collect();
    tracks.push(track(first, Interpolation::Linear, &times, TrackValues::Translation(places)));
    Model { clips: vec![clip("moved", tracks)], ..body(form) }
}

/// Returns a body with a mesh, upright in the space of its bind pose.
pub fn fleshed(form: Form, mut body: Model) -> Model {
    let joints = joints();
    let mut limbs = Vec::new();
    for (index, joint) in joints.iter().enumerate() {
        let short = joint.name.trim_start_matches("mixamorig:");
        let color = match short {
            _ if short.starts_with("Left") => Vec3::new(0.7, 0.15, 0.1),
            _ if short.starts_with("Right") => Vec3::new(0.1, 0.25, 0.7),
            _ => Vec3::new(0.5, 0.45, 0.35),
        };
        let mut limb = |joint: usize, end: Vec3, halves| {
            let Joint { place: start, axes, .. } = joints[joint];
            limbs.push(Limb { joint, start, end, axes, halves, color });
        };
        if let Some(parent) = joint.parent {
            limb(parent, joint.place, halves(joints[parent].name.trim_start_matches("mixamorig:")));
        }
        if short.ends_with("Foot") {
            limb(index, joint.place.with_y(2.0) - 5.0 * Vec3::Z, [3.0, 2.0]);
        } else if short == "Head" {
            limb(index, joint.place + Vec3::new(0.0, 9.0, 14.0), [2.0, 2.0]);
        }
    }
    let unit = form.model_from_armature().scale.x;
    for limb in &mut limbs {
        limb.start *= unit;
        limb.end *= unit;
        limb.halves = limb.halves.map(|half| half * unit);
    }
    let mut mesh = flesh::mesh(&limbs);
    mesh.primitives[0].material = Some(MaterialIndex::new(0));
    body.materials.push(Material { metallic: 0.0, ..Material::default() });
    body.meshes.push(mesh);
    let count = body.nodes.len();
    let mesh = Some(MeshIndex::new(0));
    body.nodes.push(Node { mesh, skin: Some(SkinIndex::new(0)), ..node(None, Srt::default(), count) });
    body.node_from_source.push(NodeIndex::new(count));
    body
}

/// Half of the widths of a joint's limbs in centimeters.
fn halves(joint: &str) -> [f32; 2] {
    match joint.trim_start_matches("Left").trim_start_matches("Right") {
        "Hips" => [7.0, 6.0],
        "Spine" | "Spine1" => [13.0, 8.0],
        "Spine2" => [9.0, 7.0],
        "Head" => [8.0, 9.0],
        "UpLeg" => [7.0, 7.0],
        "Leg" => [5.0, 5.0],
        "Foot" => [4.0, 3.0],
        "ToeBase" => [3.5, 2.0],
        "Neck" | "Shoulder" | "Arm" => [4.5, 4.5],
        "ForeArm" => [3.5, 3.0],
        "Hand" => [1.5, 1.2],
        _ => [0.9, 0.8],
    }
}
