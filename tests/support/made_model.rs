//! Random models generated from a seed, for tests and benchmarks: every structure that a file can have, and some
//! that no file has.
use gambol::animation::{ClipCursor, LocalPose, ModelPose, Rig};
use gambol::model::{
    Clip, ClipIndex, Influences, Interpolation, Mesh, MeshIndex, Model, MorphTarget, Node, NodeIndex,
    Primitive, Skin, SkinIndex, Srt, Topology, Track, TrackValues,
};
use glam::{Affine3A, Mat3, Quat, Vec3, Vec4};
use std::sync::Arc;

/// An xorshift64* generator. A failing test prints its seed, which reproduces the failure on every machine.
#[derive(Debug)]
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        ((self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize) % end
    }

    pub fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * (self.below(1 << 24) as f32 / (1 << 24) as f32)
    }

    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub fn vec3(&mut self, reach: f32) -> Vec3 {
        Vec3::from_array(std::array::from_fn(|_| self.between(-reach, reach)))
    }

    pub fn rotation(&mut self) -> Quat {
        let axis = self.vec3(1.0).try_normalize().unwrap_or(Vec3::Y);
        Quat::from_axis_angle(axis, self.between(-3.1, 3.1))
    }

    /// Returns a scale that is mostly near 1, sometimes far from it, mirrored or with a zero component.
    pub fn scale(&mut self) -> Vec3 {
        let uneven = self.vec3(0.5) + Vec3::ONE;
        match self.below(10) {
            0 => uneven * Vec3::new(-1.0, 1.0, 1.0),
            1 => uneven * Vec3::new(1.0, 0.0, 1.0),
            2..6 => Vec3::ONE,
            _ => uneven,
        }
    }

    pub fn srt(&mut self) -> Srt {
        Srt { scale: self.scale(), rotation: self.rotation(), translation: self.vec3(2.0) }
    }
}

pub fn node(parent: Option<usize>, rest: Srt, index: usize) -> Node {
    Node {
        name: format!("node {index}"),
        parent: parent.map(NodeIndex::new),
        rest,
        sheared_rest: None,
        mesh: None,
        skin: None,
        camera: None,
        light: None,
        rest_morph_weights: Vec::new(),
        in_scene: true,
        visible: true,
        source_index: index,
        extras: None,
    }
}

pub fn track(node: usize, interpolation: Interpolation, times: &[f32], values: TrackValues) -> Track {
    Track { node: NodeIndex::new(node), interpolation, key_times_secs: times.into(), values }
}

pub fn clip(name: &str, tracks: Vec<Track>) -> Clip {
    let mut clip = Clip { name: name.into(), tracks, ..Clip::default() };
    clip.duration_secs = clip.last_key_secs();
    clip
}

/// Returns a model of nodes without meshes, in one scene.
pub fn model(nodes: Vec<Node>, clips: Vec<Clip>) -> Model {
    let node_from_source = (0..nodes.len()).map(NodeIndex::new).collect();
    Model { nodes, clips, node_from_source, ..Model::default() }
}

/// Returns a model with a random hierarchy and random tracks: partly keyed, mixed interpolations, shared and
/// separate key times, single keys, morph targets, skins.
pub fn any_model(random: &mut Random) -> Model {
    let node_count = 1 + random.below(40);
    let nodes = (0..node_count).map(|index| {
        let parent = (index > 0 && random.chance(90)).then(|| random.below(index));
        let mut node = node(parent, random.srt(), index);
        if random.chance(3) {
            let shear =
                Affine3A::from_mat3(glam::Mat3::from_cols(Vec3::X, Vec3::new(0.4, 1.0, 0.0), Vec3::Z));
            node.sheared_rest = Some(node.rest.parent_from_node() * shear);
        }
        node
    });
    let mut model = model(nodes.collect(), Vec::new());
    for target_count in 0..3 {
        add_skinned_mesh(&mut model, random, target_count * 3);
    }
    model.clips = (0..2).map(|index| any_clip(&model, random, index)).collect();
    model
}

fn any_clip(model: &Model, random: &mut Random, index: usize) -> Clip {
    let shared = any_times(random);
    let mut tracks = Vec::new();
    for node in 0..model.nodes.len() {
        let is_whole = model.nodes[node].sheared_rest.is_some();
        for property in if is_whole { 4..5 } else { 0..4 } {
            if random.chance(40) {
                continue;
            }
            let times = if random.chance(60) { shared.clone() } else { any_times(random) };
            let interpolation = match random.below(6) {
                0 => Interpolation::Step,
                1 if !is_whole => Interpolation::CubicSpline,
                _ => Interpolation::Linear,
            };
            let target_count = model.morph_target_count(NodeIndex::new(node));
            if property == 3 && target_count == 0 {
                continue;
            }
            let values = any_values(random, property, interpolation, times.len(), target_count);
            tracks.push(Track { node: NodeIndex::new(node), interpolation, key_times_secs: times, values });
        }
    }
    clip(&format!("clip {index}"), tracks)
}

fn any_times(random: &mut Random) -> Arc<[f32]> {
    let mut time = if random.chance(70) { 0.0 } else { random.between(0.0, 0.5) };
    let count = 1 + random.below(12);
    (0..count)
        .map(|_| {
            let now = time;
            time += random.between(0.01, 0.4);
            now
        })
        .collect()
}

fn any_values(
    random: &mut Random,
    property: usize,
    interpolation: Interpolation,
    key_count: usize,
    target_count: usize,
) -> TrackValues {
    let elements = 0..key_count * interpolation.elements_per_key();
    // A cubic spline key has three elements. The first and the last are tangents.
    let is_value = |element: usize| interpolation != Interpolation::CubicSpline || element % 3 == 1;
    match property {
        0 => TrackValues::Translation(elements.map(|_| random.vec3(2.0)).collect()),
        1 => {
            let near = random.chance(50).then(|| random.rotation());
            let rotation = |element| {
                let value = match near {
                    Some(near) => near * Quat::from_rotation_x(random.between(-0.2, 0.2)),
                    None => random.rotation(),
                };
                let value = if random.chance(20) { -value } else { value };
                if is_value(element) { value.normalize() } else { value * 0.5 }
            };
            TrackValues::Rotation(elements.map(rotation).collect())
        }
        2 => TrackValues::Scale(elements.map(|_| random.scale()).collect()),
        4 => {
            let matrix = |_| {
                let mut matrix = random.srt().parent_from_node();
                matrix.matrix3.y_axis.x += random.between(-0.5, 0.5);
                matrix
            };
            TrackValues::Matrix(elements.map(matrix).collect())
        }
        _ => {
            let weights = 0..elements.end * target_count;
            TrackValues::MorphWeights(weights.map(|_| random.between(-0.5, 1.5)).collect())
        }
    }
}

/// Attaches a mesh of random vertices to a random node, skinned to random joints in most cases.
fn add_skinned_mesh(model: &mut Model, random: &mut Random, target_count: usize) {
    let skinned = random.chance(70);
    let joint_count = 1 + random.below(model.nodes.len());
    let vertex_count = 3 + random.below(9);
    let per_vertex = if skinned { 4 * (1 + random.below(2)) } else { 0 };
    let mut influences = Influences { per_vertex, ..Influences::default() };
    for _ in 0..vertex_count * per_vertex / 4 {
        let a = random.between(0.5, 1.0);
        let share = 4.0 / per_vertex as f32;
        influences.joints.extend((0..4).map(|_| random.below(joint_count) as u16));
        influences.joint_weights.extend([a, 1.0 - a, 0.0, 0.0].map(|weight| weight * share));
    }
    let vectors = |random: &mut Random, reach: f32| -> Vec<Vec3> {
        (0..vertex_count).map(|_| random.vec3(reach)).collect()
    };
    let primitive = Primitive {
        topology: Topology::Points,
        positions: vectors(random, 1.0),
        normals: vectors(random, 1.0)
            .into_iter()
            .map(|normal| normal.try_normalize().unwrap_or(Vec3::Y))
            .collect(),
        influences,
        indices: (0..vertex_count as u32).collect(),
        morph_targets: (0..target_count)
            .map(|_| MorphTarget { positions: vectors(random, 0.3), ..MorphTarget::default() })
            .collect(),
        ..Primitive::default()
    };
    let mesh = MeshIndex::new(model.meshes.len());
    model.meshes.push(Mesh {
        name: String::new(),
        primitives: vec![primitive],
        morph_target_names: vec![String::new(); target_count],
    });
    let node = random.below(model.nodes.len());
    let node = &mut model.nodes[node];
    if node.mesh.is_some() {
        return;
    }
    node.mesh = Some(mesh);
    node.rest_morph_weights = (0..target_count).map(|_| random.between(0.0, 1.0)).collect();
    if skinned {
        node.skin = Some(SkinIndex::new(model.skins.len()));
        let joints: Vec<_> = (0..joint_count).map(NodeIndex::new).collect();
        let joint_from_mesh =
            joints.iter().map(|_| Affine3A::from_rotation_translation(random.rotation(), random.vec3(1.0)));
        model.skins.push(Skin {
            name: String::new(),
            joint_from_mesh: joint_from_mesh.collect(),
            joints,
            skeleton_root: None,
        });
    }
}

/// Returns a model of the size of the Khronos Fox: 26 nodes, 24 joints, 21 tracks of 83 keys, all but two of them
/// rotations.
pub fn foxlike() -> Model {
    let mut random = Random::new(1);
    let parents = [
        None,
        None,
        Some(1),
        Some(2),
        Some(3),
        Some(4),
        Some(5),
        Some(6),
        Some(4),
        Some(8),
        Some(9),
        Some(10),
        Some(4),
        Some(12),
        Some(13),
        Some(14),
        Some(3),
        Some(16),
        Some(17),
        Some(3),
        Some(19),
        Some(20),
        Some(21),
        Some(3),
        Some(23),
        Some(24),
    ];
    let nodes = parents.iter().enumerate().map(|(index, &parent)| {
        let rest = Srt { scale: Vec3::ONE, ..random.srt() };
        node(parent, rest, index)
    });
    let mut model = model(nodes.collect(), Vec::new());
    let times: Arc<[f32]> = (0..83).map(|key| key as f32 / 24.0).collect();
    let tracks = (3..24).map(|node| {
        let values = if node == 3 || node == 5 {
            TrackValues::Translation(times.iter().map(|_| random.vec3(1.0)).collect())
        } else {
            let near = random.rotation();
            let rotation = |_| (near * Quat::from_rotation_x(random.between(-0.2, 0.2))).normalize();
            TrackValues::Rotation(times.iter().map(rotation).collect())
        };
        Track {
            node: NodeIndex::new(node),
            interpolation: Interpolation::Linear,
            key_times_secs: times.clone(),
            values,
        }
    });
    model.clips = vec![clip("Survey", tracks.collect())];
    let joints: Vec<_> = (2..26).map(NodeIndex::new).collect();
    model.skins.push(Skin {
        name: String::new(),
        joint_from_mesh: joints.iter().map(|_| random.srt().parent_from_node()).collect(),
        joints,
        skeleton_root: None,
    });
    let primitive = Primitive {
        topology: Topology::Points,
        positions: vec![Vec3::ZERO],
        influences: Influences { per_vertex: 4, joints: vec![0; 4], joint_weights: vec![1.0, 0.0, 0.0, 0.0] },
        indices: vec![0],
        ..Primitive::default()
    };
    model.meshes.push(Mesh { primitives: vec![primitive], ..Mesh::default() });
    model.nodes[0].mesh = Some(MeshIndex::new(0));
    model.nodes[0].skin = Some(SkinIndex::new(0));
    model
}

// Short helpers for frequent expressions in tests.

pub fn at(index: usize) -> NodeIndex {
    NodeIndex::new(index)
}

pub fn first_clip() -> ClipIndex {
    ClipIndex::new(0)
}

pub fn moved(translation: Vec3) -> Srt {
    Srt { translation, ..Srt::IDENTITY }
}

pub fn turned(rotation: Quat) -> Srt {
    Srt { rotation, ..Srt::IDENTITY }
}

/// Returns nodes with the given parents and rest transforms.
pub fn nodes(of: &[(Option<usize>, Srt)]) -> Vec<Node> {
    of.iter().enumerate().map(|(index, &(parent, rest))| node(parent, rest, index)).collect()
}

pub fn rig(model: Model) -> Rig {
    Rig::new(Arc::new(model))
}

/// Samples the first clip at a time, with a new cursor.
pub fn sampled(rig: &Rig, time_secs: f32) -> LocalPose {
    let mut pose = LocalPose::rest(rig);
    rig.sample_into(first_clip(), time_secs, &mut ClipCursor::default(), &mut pose);
    pose
}

pub fn resolved(rig: &Rig, local: &LocalPose) -> ModelPose {
    let mut pose = ModelPose::new(rig);
    rig.resolve_into(local, &mut pose);
    pose
}

/// Returns the palette rows of one character whose model is at the world's origin.
pub fn palette(rig: &Rig, local: &LocalPose) -> Vec<Vec4> {
    palette_at(rig, local, &Affine3A::IDENTITY)
}

pub fn palette_at(rig: &Rig, local: &LocalPose, world_from_model: &Affine3A) -> Vec<Vec4> {
    let mut rows = vec![Vec4::NAN; rig.palette_layout().rows_per_character];
    rig.palette_into(local, &resolved(rig, local), world_from_model, &mut rows);
    rows
}

/// Returns the matrix in one slot of palette rows.
pub fn slot_matrix(rows: &[Vec4], first_row: usize, slot: usize) -> Affine3A {
    let [x, y, z] = std::array::from_fn(|row| rows[first_row + slot * 3 + row]);
    let linear = Mat3::from_cols(x.truncate(), y.truncate(), z.truncate()).transpose();
    Affine3A::from_mat3_translation(linear, Vec3::new(x.w, y.w, z.w))
}

/// Returns a model of one node that moves along x: in clip `slide` by one unit per second for two seconds. In clip
/// `stay` it is at x = 10 for four seconds. Clip `pose` is one key at x = 5.
pub fn slider() -> Model {
    let moves = |name: &str, keys: &[(f32, f32)]| {
        let (times, xs): (Vec<f32>, Vec<f32>) = keys.iter().copied().unzip();
        let values = TrackValues::Translation(xs.into_iter().map(|x| Vec3::X * x).collect());
        clip(name, vec![track(0, Interpolation::Linear, &times, values)])
    };
    Model {
        nodes: vec![node(None, Srt::IDENTITY, 0)],
        clips: vec![
            moves("slide", &[(0.0, 0.0), (2.0, 2.0)]),
            moves("stay", &[(0.0, 10.0), (4.0, 10.0)]),
            moves("pose", &[(0.0, 5.0)]),
        ],
        node_from_source: vec![NodeIndex::new(0)],
        ..Model::default()
    }
}

/// Fills a pose with NaN, so that reading a value before it is written becomes visible.
pub fn poison(rig: &Rig, pose: &mut LocalPose) {
    let nan = Srt { scale: Vec3::NAN, rotation: Quat::NAN, translation: Vec3::NAN };
    for node in every_node(rig) {
        pose.set_srt(node, nan);
        pose.morph_weights_mut(rig, node).fill(f32::NAN);
    }
}

pub fn all_weights(rig: &Rig, pose: &LocalPose) -> Vec<f32> {
    every_node(rig).flat_map(|node| pose.morph_weights(rig, node).to_vec()).collect()
}

/// Returns the bits of a pose, so that NaN equals itself and 0 differs from −0.
pub fn bits(rig: &Rig, pose: &LocalPose) -> Vec<u32> {
    let srts = every_node(rig).flat_map(|node| {
        let Srt { scale, rotation, translation } = pose.srt(node);
        [scale.to_array(), translation.to_array()].concat().into_iter().chain(rotation.to_array())
    });
    let matrices = every_node(rig).filter_map(|node| pose.matrix(rig, node));
    let matrices = matrices.flat_map(|matrix| matrix.to_cols_array());
    srts.chain(all_weights(rig, pose)).chain(matrices).map(f32::to_bits).collect()
}

pub fn every_node(rig: &Rig) -> impl Iterator<Item = NodeIndex> {
    (0..rig.model().nodes.len()).map(NodeIndex::new)
}
