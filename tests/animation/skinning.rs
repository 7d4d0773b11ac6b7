//! Dual quaternion skinning beside linear skinning, on joints whose matrices are given.

use crate::support::made_model::{self, Random, at, nodes, palette, rig};
use crate::support::real_models::{files_below, model, saw};
use gambol::animation::{
    ClipCursor, LocalPose, Rig, SkinnedVertices, Skinning, reference_skin, reference_skin_by,
};
use gambol::import::{Resources, import};
use gambol::model::{ClipIndex, Influences, Mesh, MeshIndex, Primitive, Skin, SkinIndex, Srt};
use glam::{Affine3A, DMat3, DQuat, DVec3, Mat3, Quat, Vec3, Vec4};
use std::f32::consts::{FRAC_PI_2, PI, TAU};
use std::sync::Arc;

const BOTH: [Skinning; 2] = [Skinning::Linear, Skinning::DualQuaternion];

/// A vertex with the weights of the first joints.
type Vertex = (Vec3, Vec<f32>);

/// Returns the vertices, moved by joints with these matrices from mesh to model.
fn skinned(skinning: Skinning, joints: &[Affine3A], vertices: &[Vertex]) -> SkinnedVertices {
    let (rig, rows) = posed(joints, vertices);
    let drawable = &rig.palette_layout().drawables[0];
    match skinning {
        Skinning::Linear => reference_skin(&rig, drawable, 0, &rows),
        Skinning::DualQuaternion => reference_skin_by(skinning, &rig, drawable, 0, &rows),
    }
}

fn posed(joints: &[Affine3A], vertices: &[Vertex]) -> (Rig, Vec<Vec4>) {
    const SLOTS: usize = 8;
    let mut influences = Influences { per_vertex: SLOTS, ..Influences::default() };
    for (_, weights) in vertices {
        let mut heaviest_first: Vec<usize> = (0..weights.len()).collect();
        heaviest_first.sort_by(|&a, &b| weights[b].total_cmp(&weights[a]));
        for slot in 0..SLOTS {
            let joint = heaviest_first.get(slot).copied();
            influences.joints.push(joint.unwrap_or_default() as u16);
            influences.joint_weights.push(joint.map_or(0.0, |joint| weights[joint]));
        }
    }
    let primitive = Primitive {
        positions: vertices.iter().map(|(position, _)| *position).collect(),
        normals: vec![Vec3::Y; vertices.len()],
        indices: (0..vertices.len() as u32).collect(),
        influences,
        ..Primitive::default()
    };
    let mut model = made_model::model(nodes(&vec![(None, Srt::IDENTITY); joints.len()]), vec![]);
    model.nodes[0].mesh = Some(MeshIndex::new(0));
    model.nodes[0].skin = Some(SkinIndex::new(0));
    model.meshes.push(Mesh { primitives: vec![primitive], ..Mesh::default() });
    model.skins.push(Skin {
        joints: (0..joints.len()).map(at).collect(),
        joint_from_mesh: vec![Affine3A::IDENTITY; joints.len()],
        ..Skin::default()
    });
    let rig = rig(model);
    let mut rows = vec![Vec4::NAN; rig.palette_layout().rows_per_character];
    let first_row = rig.palette_layout().drawables[0].first_row;
    for (slot, joint) in joints.iter().enumerate() {
        for (row, axis) in joint.matrix3.transpose().to_cols_array_2d().into_iter().enumerate() {
            rows[first_row + slot * 3 + row] = Vec3::from_array(axis).extend(joint.translation[row]);
        }
    }
    (rig, rows)
}

/// Returns a matrix that turns about a point.
fn turn_about(pivot: Vec3, rotation: Quat) -> Affine3A {
    Affine3A::from_translation(pivot) * Affine3A::from_quat(rotation) * Affine3A::from_translation(-pivot)
}

fn any_rigid(random: &mut Random) -> Affine3A {
    Affine3A::from_rotation_translation(random.rotation(), random.vec3(2.0))
}

fn any_weights(random: &mut Random, count: usize) -> Vec<f32> {
    let weights: Vec<f32> = (0..count).map(|_| random.between(0.01, 1.0)).collect();
    let sum: f32 = weights.iter().sum();
    weights.iter().map(|weight| weight / sum).collect()
}

#[test]
fn one_joint_moves_a_vertex_by_its_matrix() {
    let mut random = Random::new(1);
    for _ in 0..500 {
        // Scales of any sign, and shear.
        let joint = any_rigid(&mut random) * Affine3A::from_scale(random.scale());
        let joint = joint * Affine3A::from_rotation_translation(random.rotation(), Vec3::ONE);
        let joint = joint * Affine3A::from_scale(random.scale());
        let vertices = [(random.vec3(2.0), vec![1.0])];
        let [linear, dual] = BOTH.map(|skinning| skinned(skinning, &[joint], &vertices));
        let size = 1.0 + linear.positions[0].length();
        assert!(dual.positions[0].distance(linear.positions[0]) < 3e-6 * size, "{joint:?}");
        // Without a volume, rounding decides on the direction.
        let is_flat = joint.matrix3.determinant().abs() < 0.05;
        assert!(is_flat || dual.normals[0].distance(linear.normals[0]) < 1e-3, "{joint:?}");
    }
}

/// Kavan et al., “Geometric Skinning with Approximate Dual Quaternion Blending”, with dual parts.
fn by_dual_parts(joints: &[(DQuat, DVec3)], (position, weights): &Vertex) -> DVec3 {
    let heaviest = (0..weights.len()).max_by(|&a, &b| weights[a].total_cmp(&weights[b])).unwrap();
    let (mut real, mut dual) = (DQuat::from_array([0.0; 4]), DQuat::from_array([0.0; 4]));
    for (&(rotation, t), &weight) in joints.iter().zip(weights) {
        let side = if rotation.dot(joints[heaviest].0) < 0.0 { -1.0 } else { 1.0 };
        let half = DQuat::from_xyzw(t.x * 0.5, t.y * 0.5, t.z * 0.5, 0.0);
        real += rotation * (side * f64::from(weight));
        dual += (half * rotation) * (side * f64::from(weight));
    }
    let length = real.length();
    let (real, dual) = (real / length, dual / length);
    real * position.as_dvec3() + (dual * real.conjugate()).xyz() * 2.0
}

#[test]
fn rigid_joints_are_blended_as_dual_quaternions() {
    let mut random = Random::new(2);
    let mut worst = 0.0_f64;
    for _ in 0..2000 {
        let count = 2 + random.below(6);
        let joints: Vec<Affine3A> = (0..count).map(|_| any_rigid(&mut random)).collect();
        let vertex = (random.vec3(2.0), any_weights(&mut random, count));
        let parts: Vec<_> = joints
            .iter()
            .map(|joint| {
                let rotation =
                    DQuat::from_mat3(&DMat3::from_cols_array(&joint.matrix3.to_cols_array().map(f64::from)));
                (rotation.normalize(), joint.translation.as_dvec3())
            })
            .collect();
        // At half a turn from the heaviest, rounding decides on the side.
        let heaviest = (0..count).max_by(|&a, &b| vertex.1[a].total_cmp(&vertex.1[b])).unwrap();
        if parts.iter().any(|(rotation, _)| rotation.dot(parts[heaviest].0).abs() < 1e-4) {
            continue;
        }
        let found = skinned(Skinning::DualQuaternion, &joints, std::slice::from_ref(&vertex)).positions[0];
        worst = worst.max((found.as_dvec3() - by_dual_parts(&parts, &vertex)).length());
    }
    // Where the others are almost opposite to the heaviest, the sum is short and its rounding grows.
    assert!(worst < 3e-5, "{worst}");
}

/// A tube along X with rings at x from −1 to 1, of radius 1. The weight goes from the first joint to the second.
fn tube() -> Vec<Vertex> {
    let mut vertices = Vec::new();
    for ring in 0..=20 {
        let share = ring as f32 / 20.0;
        for nth in 0..24 {
            let (y, z) = (TAU * nth as f32 / 24.0).sin_cos();
            vertices.push((Vec3::new(share * 2.0 - 1.0, y, z), vec![1.0 - share, share]));
        }
    }
    vertices
}

/// Returns the volume of a tube of 24-sided rings across X.
fn volume(points: &[Vec3]) -> f32 {
    let rings: Vec<&[Vec3]> = points.chunks(24).collect();
    let area = |ring: &[Vec3]| {
        let pairs = (0..24).map(|nth| (ring[nth], ring[(nth + 1) % 24]));
        pairs.map(|(a, b)| (a.z * b.y - a.y * b.z) * 0.5).sum::<f32>()
    };
    rings.windows(2).map(|pair| (area(pair[0]) + area(pair[1])) * 0.5 * (pair[1][0].x - pair[0][0].x)).sum()
}

#[test]
fn a_twisted_wrist_keeps_its_volume() {
    let vertices = tube();
    let at_rest = volume(&skinned(Skinning::Linear, &[Affine3A::IDENTITY; 2], &vertices).positions);
    // Share of the volume that linear skinning leaves: the mean over the weights w of |w + (1 − w)·e^(iθ)|², which is
    // (2 + cos θ) / 3.
    for (angle, linear_share) in [(FRAC_PI_2, 2.0 / 3.0), (PI * 0.75, 0.431), (PI * 0.99, 0.3335)] {
        let joints = [Affine3A::IDENTITY, Affine3A::from_rotation_x(angle)];
        let [linear, dual] =
            BOTH.map(|skinning| volume(&skinned(skinning, &joints, &vertices).positions) / at_rest);
        assert!((linear - linear_share).abs() < 0.005, "{angle}: {linear}");
        assert!((dual - 1.0).abs() < 1e-5, "{angle}: {dual}");
    }
}

#[test]
fn a_blend_of_rigid_joints_is_rigid() {
    let mut random = Random::new(3);
    for _ in 0..500 {
        let joints: Vec<Affine3A> = (0..3).map(|_| any_rigid(&mut random)).collect();
        let weights = any_weights(&mut random, 3);
        let corners = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
        let vertices = corners.map(|corner| (corner, weights.clone()));
        let [zero, x, y, z] = *skinned(Skinning::DualQuaternion, &joints, &vertices).positions else {
            panic!("four of them")
        };
        let linear = Mat3::from_cols(x - zero, y - zero, z - zero);
        assert!((linear.transpose() * linear).abs_diff_eq(Mat3::IDENTITY, 2e-5), "{linear}");
        assert!(linear.determinant() > 0.0);
    }
}

#[test]
fn joints_with_the_same_rotation_are_blended_linearly() {
    let mut random = Random::new(4);
    for _ in 0..200 {
        let rotation = Affine3A::from_quat(random.rotation());
        let [one, other] = [(); 2].map(|()| {
            let size = Affine3A::from_scale(Vec3::splat(random.between(0.2, 3.0)));
            Affine3A::from_translation(random.vec3(2.0)) * rotation * size
        });
        let vertices = [(random.vec3(2.0), any_weights(&mut random, 2))];
        let [linear, dual] = BOTH.map(|skinning| skinned(skinning, &[one, other], &vertices).positions[0]);
        assert!(linear.distance(dual) < 1e-5, "{linear} {dual}");
    }
}

#[test]
fn units_of_the_mesh_make_no_difference() {
    let mut random = Random::new(5);
    for _ in 0..200 {
        let joints = [(); 2].map(|()| any_rigid(&mut random));
        let (position, weights) = (random.vec3(2.0), any_weights(&mut random, 2));
        // A mesh in centimetres, for joints in metres.
        let scaled = joints.map(|joint| joint * Affine3A::from_scale(Vec3::splat(0.01)));
        let whole = skinned(Skinning::DualQuaternion, &joints, &[(position, weights.clone())]);
        let small = skinned(Skinning::DualQuaternion, &scaled, &[(position * 100.0, weights)]);
        assert!(whole.positions[0].distance(small.positions[0]) < 1e-5);
    }
}

#[test]
fn a_vertex_at_the_joint_of_two_bones_stays_there_whatever_their_scales() {
    let mut random = Random::new(6);
    for _ in 0..500 {
        let pivot = random.vec3(3.0);
        let joints = [(); 2].map(|()| {
            let scaled = Affine3A::from_quat(random.rotation()) * Affine3A::from_scale(random.scale());
            Affine3A::from_translation(pivot) * scaled * Affine3A::from_translation(-pivot)
        });
        let vertices = [(pivot, any_weights(&mut random, 2))];
        let found = skinned(Skinning::DualQuaternion, &joints, &vertices).positions[0];
        assert!(found.distance(pivot) < 3e-5, "{found} for {pivot}");
    }
}

/// Returns the pose of the formula of `Skinning::DualQuaternion`, with rotations that are known.
fn by_rotations(joints: &[(DQuat, Affine3A)], (position, weights): &Vertex) -> DVec3 {
    let zero = DQuat::from_array([0.0; 4]);
    let (mut sum, mut products) = (zero, zero);
    for (&(rotation, matrix), &weight) in joints.iter().zip(weights) {
        let moved = matrix.transform_point3(*position).as_dvec3();
        sum += rotation * f64::from(weight);
        products += DQuat::from_xyzw(moved.x, moved.y, moved.z, 0.0) * rotation * f64::from(weight);
    }
    (products * sum.conjugate()).xyz() / sum.length_squared()
}

#[test]
fn scale_is_told_from_rotation() {
    let mut random = Random::new(7);
    for _ in 0..500 {
        // Rotations by less than half a turn, so that none is taken on the other side.
        let joints: Vec<(DQuat, Affine3A)> = (0..2)
            .map(|_| {
                let axis = random.vec3(1.0).try_normalize().unwrap_or(Vec3::Y);
                let rotation = Quat::from_axis_angle(axis, random.between(0.0, 1.5));
                // A stretch along any three axes.
                let along = Mat3::from_quat(random.rotation());
                let sizes = Vec3::from_array([(); 3].map(|()| random.between(0.5, 2.0)));
                let stretch = along * Mat3::from_diagonal(sizes) * along.transpose();
                let matrix = Mat3::from_quat(rotation) * stretch;
                (rotation.as_dquat(), Affine3A::from_mat3_translation(matrix, random.vec3(1.0)))
            })
            .collect();
        let vertex = (random.vec3(1.0), any_weights(&mut random, 2));
        let matrices: Vec<Affine3A> = joints.iter().map(|(_, matrix)| *matrix).collect();
        let found = skinned(Skinning::DualQuaternion, &matrices, std::slice::from_ref(&vertex)).positions[0];
        let apart = (found.as_dvec3() - by_rotations(&joints, &vertex)).length();
        assert!(apart < 2e-5, "{apart}");
    }
}

#[test]
fn rotations_are_blended_the_short_way_from_the_heaviest() {
    // From 100° to 260° it is shorter over 180° than over 0°, though the quaternions of the matrices may be opposite.
    let joints = [100.0_f32, 260.0].map(|degrees| Affine3A::from_rotation_x(degrees.to_radians()));
    for (share, expected) in [(0.5, 180.0_f32), (0.0, 100.0), (1.0, 260.0)] {
        let vertices = [(Vec3::Y, vec![1.0 - share, share])];
        let found = skinned(Skinning::DualQuaternion, &joints, &vertices).positions[0];
        let expected = Quat::from_rotation_x(expected.to_radians()) * Vec3::Y;
        assert!(found.distance(expected) < 1e-5, "{share}: {found}");
    }
}

#[test]
fn no_seam_opens_where_another_joint_becomes_the_heaviest() {
    let mut random = Random::new(8);
    for _ in 0..100 {
        // Three joints that share a pivot and are turned by less than 90° each.
        let pivot = random.vec3(1.0);
        let joints = [(); 3].map(|()| {
            let axis = random.vec3(1.0).try_normalize().unwrap_or(Vec3::Y);
            turn_about(pivot, Quat::from_axis_angle(axis, random.between(-1.5, 1.5)))
        });
        let position = pivot + random.vec3(1.0);
        let vertices: Vec<Vertex> = (0..=400)
            .map(|step| {
                let share = step as f32 / 400.0;
                (position, vec![(1.0 - share) * 0.7, share * 0.7, 0.3])
            })
            .collect();
        let found = skinned(Skinning::DualQuaternion, &joints, &vertices).positions;
        let whole: f32 = found.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
        let most = found.windows(2).map(|pair| pair[0].distance(pair[1])).fold(0.0, f32::max);
        assert!(most < 5.0 * whole / 400.0 + 1e-6, "a leap of {most} on a way of {whole}");
    }
}

/// What the documentation of `Skinning::DualQuaternion` says about bounds.
#[test]
fn a_bend_leaves_the_linear_bounds_by_little() {
    let mut random = Random::new(9);
    let mut largest = 0.0_f32;
    for _ in 0..1000 {
        let pivot = random.vec3(1.0);
        let angle = random.between(0.0, 3.1);
        let axis = random.vec3(1.0).try_normalize().unwrap_or(Vec3::Y);
        let joints = [Affine3A::IDENTITY, turn_about(pivot, Quat::from_axis_angle(axis, angle))];
        let vertex = (random.vec3(1.0), any_weights(&mut random, 2));
        let found = skinned(Skinning::DualQuaternion, &joints, std::slice::from_ref(&vertex)).positions[0];
        let [from, to] = joints.map(|joint| joint.transform_point3(vertex.0));
        let along = (found - from).dot(to - from) / (to - from).length_squared().max(1e-12);
        let apart = found.distance(from.lerp(to, along.clamp(0.0, 1.0)));
        let radius = vertex.0.distance(pivot);
        assert!((found.distance(pivot) - radius).abs() < 1e-5);
        assert!(apart <= radius * (1.0 - (angle / 2.0).cos()) + 1e-5, "{apart} at {angle}");
        largest = largest.max(apart / radius);
    }
    assert!(largest > 0.8, "the bound is reached: {largest}");
}

/// Bounds are those of linear skinning.
#[test]
fn real_models_hardly_leave_the_bounds_of_their_clips() {
    let Some(folder) = model("gltf") else { return };
    let (mut count, mut farthest) = (0, 0.0_f32);
    for path in files_below(&folder, &["glb"]) {
        let Ok(imported) = import(&std::fs::read(&path).unwrap(), &Resources::default()) else { continue };
        if imported.model.skins.is_empty() || imported.model.clips.is_empty() {
            continue;
        }
        let rig = Rig::new(Arc::new(imported.model));
        count += 1;
        for clip in (0..rig.model().clips.len().min(4)).map(ClipIndex::new) {
            let Some(sweep) = rig.sweep(Some(clip)) else { continue };
            let (bounds, size) = (sweep.bounds, sweep.bounds.radius() * 2.0);
            let mut pose = LocalPose::rest(&rig);
            for step in 0..5 {
                let time = rig.clip(clip).duration_secs * step as f32 / 4.0;
                rig.sample_into(clip, time, &mut ClipCursor::default(), &mut pose);
                let rows = palette(&rig, &pose);
                for drawable in &rig.palette_layout().drawables {
                    for primitive in 0..rig.model().mesh(drawable.mesh).primitives.len() {
                        let skinned =
                            reference_skin_by(Skinning::DualQuaternion, &rig, drawable, primitive, &rows);
                        for place in skinned.positions {
                            let outside = (bounds.min - place).max(place - bounds.max).max_element();
                            assert!(place.is_finite(), "{}", path.display());
                            farthest = farthest.max(outside / size);
                        }
                    }
                }
            }
        }
    }
    saw(count);
    // Found: 0.0021 of the size.
    assert!(farthest < 0.005, "{farthest}");
}

#[test]
fn matrices_without_a_rotation_give_finite_vertices() {
    let flat = Affine3A::from_scale(Vec3::new(1.0, 0.0, 1.0));
    let line = Affine3A::from_scale(Vec3::new(0.0, 0.0, 2.0));
    let point = Affine3A::from_scale_rotation_translation(Vec3::ZERO, Quat::IDENTITY, Vec3::ONE);
    let tiny = Affine3A::from_scale(Vec3::splat(1e-25));
    let mirrored = Affine3A::from_scale(Vec3::new(-1.0, 1.0, 1.0));
    for one in [flat, line, point, tiny, mirrored] {
        for other in [flat, line, point, tiny, mirrored, Affine3A::from_rotation_z(2.0)] {
            let vertices = [(Vec3::ONE, vec![0.5, 0.5]), (Vec3::ONE, vec![0.0, 0.0]), (Vec3::Z, vec![1.0])];
            let found = skinned(Skinning::DualQuaternion, &[one, other], &vertices);
            assert!(found.positions.iter().all(|position| position.is_finite()), "{one:?} {other:?}");
            assert!(found.positions[0].length() < 4.0, "{one:?} {other:?}: {}", found.positions[0]);
        }
    }
}
