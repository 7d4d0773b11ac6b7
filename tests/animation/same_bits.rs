//! Palettes have the same bits on every machine: with SSE2, simd128 and plain arrays.
//!
//! The expected hashes were computed once. `cargo test --test animation same_bits --features glam/scalar-math`
//! checks the plain arrays.

use crate::support::made_model::{Random, at, clip, first_clip, model, nodes, palette, rig, track};
use crate::support::tail::joint;
use gambol::animation::{
    ClipCursor, DeadBlending, Inertia, LocalPose, Mask, MaskEntry, ModelPose, RootTrack, SpringInput,
    SpringSolver, SpringState, Travel, blend_into, blend_masked_into,
};
use gambol::model::{
    Collider, ColliderShape, Interpolation, Mesh, MeshIndex, Model, Spring, SpringEnd, SpringJoint, Srt,
    Track, TrackValues,
};
use glam::{Affine3A, Quat, Vec3};

const EXPECTED: u64 = 0x176e_79cf_ae5a_f8fd;
const EXPECTED_IN_LAYERS: u64 = 0x8b70_400e_f98e_c8b6;
const EXPECTED_OF_SPRINGS: u64 = 0xcde2_9352_2613_0d58;

#[test]
fn every_machine_gives_the_same_bits() {
    let mut random = Random::new(7);
    let rig = rig(made_of_exact_operations(&mut random));
    let mut cursor = ClipCursor::default();
    let (mut pose, mut other) = (LocalPose::rest(&rig), LocalPose::rest(&rig));
    let mut hash = Fnv::default();
    for step in 0..300 {
        rig.sample_into(first_clip(), step as f32 * 0.011, &mut cursor, &mut pose);
        rig.sample_into(first_clip(), step as f32 * 0.007, &mut cursor, &mut other);
        blend_into(&mut pose, &other, step as f32 / 300.0);
        for row in palette(&rig, &pose) {
            row.to_array().into_iter().for_each(|number| hash.add(number));
        }
    }
    assert_eq!(hash.0, EXPECTED, "{:#x}", hash.0);
}

#[test]
fn every_machine_lays_cuts_and_pins_to_the_same_bits() {
    let mut random = Random::new(11);
    let rig = rig(made_of_exact_operations(&mut random));
    let mut cursor = ClipCursor::default();
    let [mut under, mut over, mut sum] = [(); 3].map(|()| LocalPose::rest(&rig));
    let reference = under.clone();
    let mask = Mask::new(&rig, &[MaskEntry { node: at(1), weight: 0.75, subtree: true }]);
    let mut inertia = Inertia::new(&rig);
    let mut dead_blending = DeadBlending::new(&rig);
    let root = RootTrack::new(&rig, first_clip(), at(3), 0.0);
    let mut way = Travel::IDENTITY;
    let mut hash = Fnv::default();
    for step in 0..300 {
        let time = step as f32 * 0.009;
        rig.sample_into(first_clip(), time * 0.6, &mut cursor, &mut under);
        rig.sample_over(first_clip(), time, &mut cursor, &under, &mut over);
        rig.add_over(first_clip(), time, &mut cursor, &reference, &under, &mut sum);
        inertia.start([&under, &over], [&over, &sum], 1.0 / 64.0, 0.25);
        blend_masked_into(&mut sum, &over, time * 0.3, &mask);
        inertia.apply(step as f32 / 1500.0, &mut sum);
        dead_blending.start([&under, &over], &sum, 1.0 / 64.0);
        dead_blending.apply(step as f32 / 300.0, step as f32 / 400.0, &mut sum);
        root.pin(&mut sum);
        way = way.then(root.travel(f64::from(time), f64::from(time) + 0.01));
        for row in palette(&rig, &sum) {
            row.to_array().into_iter().for_each(|number| hash.add(number));
        }
        way.translation.to_array().into_iter().chain([way.yaw]).for_each(|number| hash.add(number));
    }
    assert_eq!(hash.0, EXPECTED_IN_LAYERS, "{:#x}", hash.0);
}

#[test]
fn every_machine_swings_springs_to_the_same_bits() {
    let random = &mut Random::new(13);
    let mut model = made_of_exact_operations(random);
    for node in 0..2 {
        let ends = [random.vec3(1.0), random.vec3(1.0)];
        let shape = ColliderShape::Capsule { ends, radius: 0.5, inside: node == 1 };
        model.springs.colliders.push(Collider { node: at(node), shape });
    }
    for (first, center) in [(1, None), (6, Some(at(0)))] {
        let joints = (first..first + 4).map(|node| SpringJoint {
            gravity: Vec3::new(0.25, -0.5, 0.0),
            ..joint(node, SpringEnd::Point(random.vec3(0.5)))
        });
        model.springs.springs.push(Spring { joints: joints.collect(), colliders: vec![0, 1], center });
    }
    let rig = rig(model);
    let mut solver = SpringSolver::new(&rig, &rig.model().springs);
    let (mut state, mut cursor) = (SpringState::default(), ClipCursor::default());
    let (mut local, mut posed) = (LocalPose::rest(&rig), ModelPose::new(&rig));
    let mut hash = Fnv::default();
    for frame in 0..300 {
        rig.sample_into(first_clip(), frame as f32 * 0.01, &mut cursor, &mut local);
        rig.resolve_into(&local, &mut posed);
        let place = Vec3::new(frame as f32 * 0.01, 0.0, 0.0);
        let world_from_model = Affine3A::from_rotation_translation(rotation(random), place);
        let input = SpringInput { world_from_model, wind: Vec3::Z * 0.5, weight: 0.75 };
        state.passed_secs += 1.0 / 64.0;
        solver.apply(&rig, &mut state, &input, &mut local, &mut posed);
        for row in palette(&rig, &local) {
            row.to_array().into_iter().for_each(|number| hash.add(number));
        }
    }
    assert_eq!(hash.0, EXPECTED_OF_SPRINGS, "{:#x}", hash.0);
}

/// Returns a model built without sines and reordered sums, so that the input has the same bits everywhere.
fn made_of_exact_operations(random: &mut Random) -> Model {
    let parents = [None, Some(0), Some(1), Some(1), Some(3), Some(2), None, Some(6), Some(4), Some(8)];
    let hierarchy = parents.map(|parent| {
        let rest = Srt { rotation: rotation(random), translation: random.vec3(1.0), scale: Vec3::ONE };
        (parent, rest)
    });
    let mut model = model(nodes(&hierarchy), vec![]);
    let mut tracks: Vec<Track> = Vec::new();
    for node in 0..parents.len() {
        // Neighbouring nodes keyed together and separately, in every combination.
        let times: &[f32] =
            if node < 6 { &[0.0, 0.5, 1.25, 3.0] } else { &[0.1, 0.6 + node as f32 * 0.1, 2.5] };
        let interpolation = match node {
            5 => Interpolation::Step,
            3 | 7 => Interpolation::CubicSpline,
            _ => Interpolation::Linear,
        };
        let elements = times.len() * interpolation.elements_per_key();
        tracks.push(track(node, interpolation, times, rotations(random, elements)));
        let places = (0..elements).map(|_| random.vec3(1.0)).collect();
        tracks.push(track(node, interpolation, times, TrackValues::Translation(places)));
        if node % 2 == 0 {
            let scales = (0..elements).map(|_| random.vec3(1.0)).collect();
            tracks.push(track(node, interpolation, times, TrackValues::Scale(scales)));
        }
    }
    let weights = (0..15).map(|_| random.between(0.0, 1.0)).collect();
    tracks.push(track(0, Interpolation::Linear, &[0.0, 1.0, 2.0], TrackValues::MorphWeights(weights)));
    model.clips.push(clip("all", tracks));
    model.meshes.push(Mesh { morph_target_names: vec![String::new(); 5], ..Mesh::default() });
    for (node, _) in hierarchy.iter().enumerate() {
        model.nodes[node].mesh = Some(MeshIndex::new(0));
    }
    assert_eq!(model.morph_target_count(at(0)), 5);
    model
}

fn rotations(random: &mut Random, count: usize) -> TrackValues {
    TrackValues::Rotation((0..count).map(|_| rotation(random)).collect())
}

fn rotation(random: &mut Random) -> Quat {
    let [x, y, z, w] = std::array::from_fn(|_| random.between(-1.0, 1.0));
    let length = (x * x + y * y + z * z + w * w).sqrt();
    Quat::from_xyzw(x / length, y / length, z / length, w / length)
}

/// Fowler–Noll–Vo hash of the bits of numbers.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    fn add(&mut self, number: f32) {
        for byte in number.to_bits().to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}
