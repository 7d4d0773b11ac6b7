//! Dolls: skeletons with a skin of points, whose sizes are random.

use crate::support::made_model::{Random, clip, model, moved, node, track};
use gambol::model::{
    Influences, Interpolation, Mesh, MeshIndex, Model, NodeIndex, Primitive, Skin, SkinIndex, Srt, Topology,
    TrackValues,
};
use glam::{Affine3A, Quat, Vec3};

/// A joint: its name, its parent, its place relative to the parent, and the end and thickness of what it moves.
type Limb = (&'static str, Option<usize>, Vec3, Vec3, f32);

/// Returns a human doll of about 1.8 that faces +z, with its arms to the sides. In the clip "run", it moves along x at
/// a speed of 2 and turns an elbow.
pub fn doll(random: &mut Random) -> Model {
    let v = Vec3::new;
    let mut limbs: Vec<Limb> = vec![
        ("Hips", None, v(0.0, 1.0, 0.0), v(0.0, 0.12, 0.0), 0.13),
        ("Spine", Some(0), v(0.0, 0.15, 0.0), v(0.0, 0.35, 0.0), 0.14),
        ("Head", Some(1), v(0.0, 0.4, 0.0), v(0.0, 0.2, 0.0), 0.1),
    ];
    for (side, [arm, forearm, hand, thigh, shank, foot]) in [
        (1.0, ["LeftUpperArm", "LeftLowerArm", "LeftHand", "LeftUpperLeg", "LeftLowerLeg", "LeftFoot"]),
        (
            -1.0,
            ["RightUpperArm", "RightLowerArm", "RightHand", "RightUpperLeg", "RightLowerLeg", "RightFoot"],
        ),
    ] {
        let first = limbs.len();
        limbs.extend([
            (arm, Some(1), v(side * 0.2, 0.33, 0.0), v(side * 0.28, 0.0, 0.0), 0.05),
            (forearm, Some(first), v(side * 0.28, 0.0, 0.0), v(side * 0.25, 0.0, 0.0), 0.04),
            (hand, Some(first + 1), v(side * 0.25, 0.0, 0.0), v(side * 0.15, 0.0, 0.0), 0.035),
            (thigh, Some(0), v(side * 0.1, -0.05, 0.0), v(0.0, -0.42, 0.0), 0.075),
            (shank, Some(first + 3), v(0.0, -0.42, 0.0), v(0.0, -0.4, 0.0), 0.055),
            (foot, Some(first + 4), v(0.0, -0.42, 0.0), v(0.0, -0.04, 0.18), 0.04),
        ]);
    }
    let mut model = skinned(&limbs, random, 0.2);
    let hips = model.nodes[0].rest.translation;
    let way = TrackValues::Translation(vec![hips, hips + Vec3::X * 2.0]);
    let bend = TrackValues::Rotation(vec![Quat::IDENTITY, Quat::from_rotation_y(-1.5)]);
    model.clips = vec![clip(
        "run",
        vec![
            track(0, Interpolation::Linear, &[0.0, 1.0], way),
            track(4, Interpolation::Linear, &[0.0, 1.0], bend),
        ],
    )];
    model
}

/// Returns a doll with a long sword in its right hand and a shield at its left forearm. Neither has a skin.
pub fn knight(random: &mut Random) -> Model {
    let mut model = doll(random);
    for (name, joint, place, half) in [
        ("Sword", "RightHand", Vec3::new(-0.12, 0.0, 0.4), Vec3::new(0.02, 0.01, 0.5)),
        ("Shield", "LeftLowerArm", Vec3::new(0.15, 0.0, 0.1), Vec3::new(0.25, 0.35, 0.02)),
    ] {
        let parent = model.find_node(joint).expect("the doll has it");
        let index = model.nodes.len();
        let mut held = node(Some(parent.get()), moved(place), index);
        held.name = name.to_owned();
        held.mesh = Some(MeshIndex::new(model.meshes.len()));
        model.nodes.push(held);
        model.node_from_source.push(NodeIndex::new(index));
        let corners = (0..8).map(|corner| {
            let side = |bit: usize| if corner >> bit & 1 == 1 { 1.0 } else { -1.0 };
            Vec3::new(side(0), side(1), side(2)) * half
        });
        model.meshes.push(Mesh { primitives: vec![points_of(corners.collect())], ..Mesh::default() });
    }
    model
}

/// Returns a chain of joints that hangs down from a height of 2.
pub fn rope(joints: usize) -> Model {
    let way = Vec3::NEG_Y * (1.0 / joints as f32);
    let limbs: Vec<Limb> = (0..joints)
        .map(|nth| {
            let place = if nth == 0 { Vec3::Y * 2.0 } else { way };
            ("Link", nth.checked_sub(1), place, way, 0.03)
        })
        .collect();
    skinned(&limbs, &mut Random::new(1), 0.0)
}

/// Returns boxes on nodes without a skin: a table with a drawer that moves with it.
pub fn table() -> Model {
    let mut model = rope(1);
    model.skins.clear();
    let points: Vec<Vec3> = (0..8)
        .map(|corner| {
            let side = |bit: usize| if corner >> bit & 1 == 1 { 0.5 } else { -0.5 };
            Vec3::new(side(0), side(1) * 0.4, side(2) * 0.7)
        })
        .collect();
    model.meshes = vec![Mesh { primitives: vec![points_of(points)], ..Mesh::default() }];
    model.nodes = vec![
        node(None, moved(Vec3::Y * 2.0), 0),
        node(Some(0), Srt { scale: Vec3::splat(0.4), ..moved(Vec3::new(0.8, 0.0, 0.0)) }, 1),
    ];
    model.nodes.iter_mut().for_each(|node| node.mesh = Some(MeshIndex::new(0)));
    model.node_from_source = (0..2).map(NodeIndex::new).collect();
    model
}

fn points_of(positions: Vec<Vec3>) -> Primitive {
    let indices = (0..positions.len() as u32).collect();
    Primitive { topology: Topology::Points, indices, positions, ..Primitive::default() }
}

/// Returns joints with rings of points around them. Lengths vary by a share.
fn skinned(limbs: &[Limb], random: &mut Random, share: f32) -> Model {
    let mut nodes = Vec::new();
    let mut places: Vec<Vec3> = Vec::new();
    let (mut positions, mut joints) = (Vec::new(), Vec::new());
    for (index, &(name, parent, place, end, thickness)) in limbs.iter().enumerate() {
        let size = 1.0 + random.between(-share, share);
        let mut joint = node(parent, moved(place * size), index);
        joint.name = name.to_owned();
        nodes.push(joint);
        let at = parent.map_or(Vec3::ZERO, |parent| places[parent]) + place * size;
        places.push(at);
        let thickness = thickness * (1.0 + random.between(-share, share));
        let along = end.normalize();
        let (side, other) = along.any_orthonormal_pair();
        for ring in 0..=6 {
            for corner in 0..10 {
                let (sine, cosine) = (std::f32::consts::TAU * corner as f32 / 10.0).sin_cos();
                positions.push(at + end * (ring as f32 / 6.0) + (side * cosine + other * sine) * thickness);
                joints.extend([index as u16, 0, 0, 0]);
            }
        }
    }
    nodes.push(node(None, Srt::IDENTITY, nodes.len()));
    let mut model = model(nodes, Vec::new());
    let joint_weights = positions.iter().flat_map(|_| [1.0, 0.0, 0.0, 0.0]).collect();
    let influences = Influences { per_vertex: 4, joints, joint_weights };
    let primitive = Primitive { influences, ..points_of(positions) };
    model.meshes = vec![Mesh { primitives: vec![primitive], ..Mesh::default() }];
    model.skins = vec![Skin {
        name: String::new(),
        joints: (0..limbs.len()).map(NodeIndex::new).collect(),
        joint_from_mesh: places.iter().map(|&place| Affine3A::from_translation(-place)).collect(),
        skeleton_root: None,
    }];
    let last = model.nodes.last_mut().expect("there is one");
    (last.mesh, last.skin) = (Some(MeshIndex::new(0)), Some(SkinIndex::new(0)));
    model
}
