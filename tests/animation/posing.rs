//! Posing, one fact per test, on models small enough to work out by hand: spaces, palettes and vertices.

use crate::support::made_model::{
    Random, any_model, at, clip, first_clip, foxlike, model, moved, nodes, palette, resolved, rig, sampled,
    slot_matrix, track, turned,
};
use gambol::animation::ClipCursor;
use gambol::animation::{Drawable, LocalPose, ModelPose, reference_skin, skeleton_lines};
use gambol::model::{
    Influences, Interpolation, Mesh, MeshIndex, Model, MorphTarget, Primitive, Skin, SkinIndex, Srt, Track,
    TrackValues,
};
use glam::{Affine3A, Mat3, Quat, Vec3, Vec4};
use std::f32::consts::FRAC_PI_2;

fn slot(rows: &[Vec4], drawable: &Drawable, slot: usize) -> Affine3A {
    slot_matrix(rows, drawable.first_row, slot)
}

/// Returns one vertex that follows the first joint alone, with a normal along Y.
fn one_vertex(position: Vec3) -> Primitive {
    Primitive {
        positions: vec![position],
        normals: vec![Vec3::Y],
        influences: Influences { per_vertex: 4, joints: vec![0; 4], joint_weights: vec![1.0, 0.0, 0.0, 0.0] },
        indices: vec![0],
        ..Primitive::default()
    }
}

/// Adds a mesh of one vertex to a node, skinned to joints that are bound at rest.
fn skin_to(model: &mut Model, mesh_node: usize, joints: &[usize]) {
    let rig = rig(model.clone());
    let bind = ModelPose::new(&rig);
    model.nodes[mesh_node].mesh = Some(MeshIndex::new(model.meshes.len()));
    model.nodes[mesh_node].skin = Some(SkinIndex::new(model.skins.len()));
    model.meshes.push(Mesh { primitives: vec![one_vertex(Vec3::ZERO)], ..Mesh::default() });
    model.skins.push(Skin {
        joints: joints.iter().copied().map(at).collect(),
        joint_from_mesh: joints.iter().map(|&joint| bind.model_from_node(at(joint)).inverse()).collect(),
        ..Skin::default()
    });
}

// Spaces and hierarchies.

#[test]
fn S01_a_local_transform_is_scale_then_rotation_then_translation() {
    let mut random = Random::new(1);
    for _ in 0..1000 {
        let srt = random.srt();
        let point = random.vec3(2.0);
        let rig = rig(model(nodes(&[(None, srt)]), vec![]));
        let column_vector = ModelPose::new(&rig).model_from_node(at(0)).transform_point3(point);
        // Row vectors, v·S·R·T: the rows of that R are the columns of the column-vector matrix.
        let [x, y, z] = (point * srt.scale).to_array();
        let rows = Mat3::from_quat(srt.rotation);
        let row_vector = x * rows.x_axis + y * rows.y_axis + z * rows.z_axis + srt.translation;
        assert!(column_vector.abs_diff_eq(row_vector, 5e-6), "{srt:?}");
    }
}

#[test]
fn S03_an_uneven_scale_is_applied_before_the_rotation() {
    let rest = Srt { scale: Vec3::new(2.0, 1.0, 1.0), ..Srt::IDENTITY };
    let quarter = Quat::from_rotation_z(FRAC_PI_2);
    let track = track(0, Interpolation::Linear, &[0.0], TrackValues::Rotation(vec![quarter]));
    let rig = rig(model(nodes(&[(None, rest)]), vec![clip("turn", vec![track])]));
    let posed = resolved(&rig, &sampled(&rig, 0.0)).model_from_node(at(0));
    assert!(posed.transform_point3(Vec3::X).abs_diff_eq(Vec3::new(0.0, 2.0, 0.0), 1e-6));
}

#[test]
fn S04_absolute_is_the_parents_absolute_times_relative() {
    for seed in 0..30 {
        let rig = rig(any_model(&mut Random::new(seed)));
        let local = sampled(&rig, 0.3);
        let posed = resolved(&rig, &local);
        for (index, node) in rig.model().nodes.iter().enumerate() {
            let whole = local.matrix(&rig, at(index));
            let relative = whole.unwrap_or_else(|| local.srt(at(index)).parent_from_node());
            let absolute = node.parent.map_or(relative, |parent| posed.model_from_node(parent) * relative);
            let size = absolute.translation.length().max(1.0);
            assert!(absolute.abs_diff_eq(posed.model_from_node(at(index)), 1e-5 * size), "seed {seed}");
        }
    }
}

#[test]
fn S06_turning_a_joint_moves_its_subtree_and_nothing_else_bit_for_bit() {
    let rig = rig(foxlike());
    let still = sampled(&rig, 1.0);
    let mut turned = still.clone();
    let left = 12;
    turned.set_srt(at(left), Srt { rotation: Quat::from_rotation_x(1.0), ..still.srt(at(left)) });
    let (still, turned) = (resolved(&rig, &still), resolved(&rig, &turned));
    for index in 0..rig.model().nodes.len() {
        let is_below = (left..=15).contains(&index);
        let is_same = still.model_from_node(at(index)) == turned.model_from_node(at(index));
        assert_ne!(is_same, is_below, "node {index}");
    }
}

#[test]
fn S07_the_overlay_draws_one_line_a_child_and_a_stub_at_each_leaf() {
    // 0 spine ─┬─ 1 neck        ╶─ 2 plain ── 3 shoulder
    let mut model = model(
        nodes(&[
            (None, Srt::IDENTITY),
            (Some(0), moved(Vec3::Y * 2.0)),
            (Some(0), moved(Vec3::X)),
            (Some(2), moved(Vec3::X)),
        ]),
        vec![],
    );
    skin_to(&mut model, 0, &[0, 1, 3]);
    let rig = rig(model);
    let mut lines = vec![[Vec3::NAN; 2]; 9];
    skeleton_lines(&rig, &ModelPose::new(&rig), &mut lines);
    let (neck, shoulder) = (Vec3::Y * 2.0, Vec3::X * 2.0);
    assert_eq!(lines[..2], [[Vec3::ZERO, neck], [Vec3::ZERO, shoulder]]);
    assert_eq!(lines[2..], [[neck, Vec3::Y * 3.0], [shoulder, Vec3::X * 3.0]]);
}

#[test]
fn S10_a_node_that_moves_no_vertex_still_moves_its_children() {
    let mut model = model(nodes(&[(None, Srt::IDENTITY), (Some(0), moved(Vec3::X))]), vec![]);
    skin_to(&mut model, 0, &[1]);
    let rig = rig(model);
    let mut local = LocalPose::rest(&rig);
    local.set_srt(at(0), moved(Vec3::Z * 5.0));
    assert_eq!(resolved(&rig, &local).model_from_node(at(1)).translation, Vec3::new(1.0, 0.0, 5.0).into());
}

#[test]
fn S11_a_palette_has_a_slot_for_each_joint_not_for_each_node() {
    let mut model = model(nodes(&[(None, Srt::IDENTITY); 120]), vec![]);
    skin_to(&mut model, 0, &(0..120).step_by(3).collect::<Vec<_>>());
    let layout = rig(model).palette_layout().clone();
    assert_eq!(layout.drawables[0].slot_count, 40);
    assert_eq!(layout.rows_per_character, 3 + 40 * 3);
}

#[test]
fn S14_many_poses_share_one_rig_and_leave_each_other_alone() {
    let rig = rig(foxlike());
    let mut poses = vec![LocalPose::rest(&rig); 100];
    rig.sample_into(first_clip(), 1.0, &mut ClipCursor::default(), &mut poses[50]);
    let rest = LocalPose::rest(&rig);
    assert!(poses.iter().enumerate().all(|(index, pose)| (*pose == rest) == (index != 50)));
}

#[test]
fn S15_skinning_matrices_are_the_identity_at_bind() {
    let mut model = foxlike();
    skin_to(&mut model, 1, &(2..26).collect::<Vec<_>>());
    let rig = rig(model);
    let rows = palette(&rig, &LocalPose::rest(&rig));
    let drawable = &rig.palette_layout().drawables[1];
    for joint in 0..drawable.slot_count {
        assert!(slot(&rows, drawable, joint).abs_diff_eq(Affine3A::IDENTITY, 2e-6), "joint {joint}");
    }
}

#[test]
fn S16_a_rigid_hierarchy_needs_no_skin() {
    let mut model = model(nodes(&[(None, moved(Vec3::Y)), (Some(0), moved(Vec3::X))]), vec![]);
    for crane in &mut model.nodes {
        crane.mesh = Some(MeshIndex::new(0));
    }
    let unskinned = Primitive { influences: Influences::default(), ..one_vertex(Vec3::ZERO) };
    model.meshes.push(Mesh { primitives: vec![unskinned], ..Mesh::default() });
    let rig = rig(model);
    let mut local = LocalPose::rest(&rig);
    local.set_srt(at(0), turned(Quat::from_rotation_z(FRAC_PI_2)));
    let rows = palette(&rig, &local);
    let boom = &rig.palette_layout().drawables[1];
    assert_eq!((boom.skin, boom.slot_count), (None, 1));
    assert!(reference_skin(&rig, boom, 0, &rows).positions[0].abs_diff_eq(Vec3::Y, 1e-6));
}

#[test]
fn S20_a_mesh_under_a_turned_and_scaled_node_is_brought_to_model_space() {
    let crooked = Srt { scale: Vec3::new(2.0, 3.0, 4.0), ..turned(Quat::from_rotation_x(0.7)) };
    let place = Vec3::new(1.0, 2.0, 3.0);
    let shown = [Srt::IDENTITY, crooked].map(|rest| {
        let mut model = model(nodes(&[(None, moved(Vec3::Y)), (Some(0), rest)]), vec![]);
        model.nodes[1].mesh = Some(MeshIndex::new(0));
        let place_in_mesh = rest.parent_from_node().inverse().transform_point3(place);
        let vertex = Primitive { influences: Influences::default(), ..one_vertex(place_in_mesh) };
        model.meshes.push(Mesh { primitives: vec![vertex], ..Mesh::default() });
        let rig = rig(model);
        let rows = palette(&rig, &LocalPose::rest(&rig));
        reference_skin(&rig, &rig.palette_layout().drawables[0], 0, &rows).positions[0]
    });
    assert!(shown[0].abs_diff_eq(shown[1], 1e-6) && shown[0].abs_diff_eq(place + Vec3::Y, 1e-6));
}

#[test]
fn S21_the_mesh_nodes_own_transform_is_not_applied_to_skinned_vertices() {
    let mut model = model(nodes(&[(None, Srt::IDENTITY), (None, moved(Vec3::X * 100.0))]), vec![]);
    skin_to(&mut model, 1, &[0]);
    let rig = rig(model);
    let rows = palette(&rig, &LocalPose::rest(&rig));
    let skinned = reference_skin(&rig, &rig.palette_layout().drawables[0], 0, &rows);
    assert_eq!(skinned.positions, [Vec3::ZERO]);
}

#[test]
fn S22_offsets_are_computed_once_and_no_pose_moves_them() {
    let mut model = foxlike();
    skin_to(&mut model, 1, &(2..26).collect::<Vec<_>>());
    let rig = rig(model);
    let drawable = &rig.palette_layout().drawables[1];
    let offsets = &rig.model().skins[1].joint_from_mesh;
    for step in 0..100 {
        let local = sampled(&rig, step as f32 * 0.03);
        let (rows, posed) = (palette(&rig, &local), resolved(&rig, &local));
        for (index, (&joint, joint_from_mesh)) in rig.model().skins[1].joints.iter().zip(offsets).enumerate()
        {
            let expected = posed.model_from_node(joint) * *joint_from_mesh;
            assert!(slot(&rows, drawable, index).abs_diff_eq(expected, 1e-5), "{joint:?} at step {step}");
        }
    }
    // Joints with scale 0 have no inverse, so the offset couldn't be computed again from the pose.
    let mut flat = LocalPose::rest(&rig);
    flat.set_srt(at(2), Srt { scale: Vec3::ZERO, ..Srt::IDENTITY });
    assert!(palette(&rig, &flat).iter().all(|row| row.is_finite()));
}

#[test]
fn S23_one_joint_may_have_another_offset_in_each_skin() {
    let mut model = model(nodes(&[(None, Srt::IDENTITY), (None, Srt::IDENTITY)]), vec![]);
    skin_to(&mut model, 0, &[0]);
    skin_to(&mut model, 1, &[0]);
    model.skins[1].joint_from_mesh = vec![Affine3A::from_translation(Vec3::X)];
    let rig = rig(model);
    let rows = palette(&rig, &LocalPose::rest(&rig));
    let places = rig.palette_layout().drawables.iter().map(|drawable| slot(&rows, drawable, 0).translation);
    assert_eq!(places.collect::<Vec<_>>(), [Vec3::ZERO.into(), Vec3::X.into()]);
}

#[test]
fn S30_an_unskinned_mesh_follows_the_joint_that_it_hangs_on() {
    let mut model = model(nodes(&[(None, Srt::IDENTITY), (Some(0), moved(Vec3::X))]), vec![]);
    skin_to(&mut model, 0, &[0]);
    model.nodes[1].mesh = Some(MeshIndex::new(1));
    let sword = Primitive { influences: Influences::default(), ..one_vertex(Vec3::X) };
    model.meshes.push(Mesh { primitives: vec![sword], ..Mesh::default() });
    let rig = rig(model);
    let mut local = LocalPose::rest(&rig);
    local.set_srt(at(0), turned(Quat::from_rotation_y(FRAC_PI_2)));
    let drawable = &rig.palette_layout().drawables[1];
    let posed = reference_skin(&rig, drawable, 0, &palette(&rig, &local));
    assert!(posed.positions[0].abs_diff_eq(Vec3::Z * -2.0, 1e-6));
}

#[test]
fn drawables_of_one_skin_share_its_slots() {
    let mut model = foxlike();
    model.nodes[1].mesh = model.nodes[0].mesh;
    model.nodes[1].skin = model.nodes[0].skin;
    let layout = rig(model).palette_layout().clone();
    assert_eq!(layout.drawables[0].first_row, layout.drawables[1].first_row);
    assert_eq!(layout.rows_per_character, 3 + 24 * 3);
}

// Vertices.

#[test]
fn S34_the_reference_skinner_begins_anew_each_time() {
    for seed in 0..20 {
        let rig = rig(any_model(&mut Random::new(seed)));
        let file = rig.model().meshes.clone();
        let rows = [0.1, 0.7].map(|time| palette(&rig, &sampled(&rig, time)));
        for drawable in &rig.palette_layout().drawables {
            let first = reference_skin(&rig, drawable, 0, &rows[0]);
            let between = reference_skin(&rig, drawable, 0, &rows[1]);
            assert_eq!(reference_skin(&rig, drawable, 0, &rows[0]), first, "seed {seed}");
            assert_eq!(reference_skin(&rig, drawable, 0, &rows[1]), between, "seed {seed}");
        }
        assert_eq!(rig.model().meshes, file);
    }
}

#[test]
fn S35_a_vertex_half_on_each_of_two_joints_lies_midway() {
    let mut model = model(nodes(&[(None, Srt::IDENTITY), (None, moved(Vec3::X))]), vec![]);
    skin_to(&mut model, 0, &[0, 1]);
    model.meshes[0].primitives[0].influences =
        Influences { per_vertex: 4, joints: vec![0, 1, 0, 0], joint_weights: vec![0.5, 0.5, 0.0, 0.0] };
    let rig = rig(model);
    let mut local = LocalPose::rest(&rig);
    // One joint moves up, the other turns half round: linear blending gives the midpoint of the two positions.
    local.set_srt(at(0), moved(Vec3::Y * 4.0));
    local.set_srt(at(1), Srt { translation: Vec3::X, ..turned(Quat::from_rotation_z(2.0 * FRAC_PI_2)) });
    let drawable = &rig.palette_layout().drawables[0];
    let skinned = reference_skin(&rig, drawable, 0, &palette(&rig, &local));
    let (alone, other) = (Vec3::Y * 4.0, Vec3::X * 2.0);
    assert!(skinned.positions[0].abs_diff_eq((alone + other) * 0.5, 1e-6), "{}", skinned.positions[0]);
}

#[test]
fn S32_a_normal_turns_with_its_joint() {
    let mut model = model(nodes(&[(None, Srt::IDENTITY)]), vec![]);
    skin_to(&mut model, 0, &[0]);
    let rig = rig(model);
    let mut local = LocalPose::rest(&rig);
    local.set_srt(at(0), turned(Quat::from_rotation_x(FRAC_PI_2)));
    let posed = reference_skin(&rig, &rig.palette_layout().drawables[0], 0, &palette(&rig, &local));
    assert!(posed.normals[0].abs_diff_eq(Vec3::Z, 1e-6));
}

#[test]
fn S31_a_normal_stays_perpendicular_under_uneven_and_mirrored_scale() {
    let slope = Vec3::new(1.0, 1.0, 0.0).normalize();
    let along = Vec3::new(-1.0, 1.0, 0.0).normalize();
    for scale in [Vec3::new(3.0, 1.0, 1.0), Vec3::new(-1.0, 2.0, 1.0), Vec3::new(-1.0, -2.0, -3.0)] {
        let mut model = model(nodes(&[(None, Srt::IDENTITY)]), vec![]);
        skin_to(&mut model, 0, &[0]);
        let vertex = &mut model.meshes[0].primitives[0];
        vertex.normals = vec![slope];
        vertex.tangents = vec![along.extend(1.0)];
        let rig = rig(model);
        let mut local = LocalPose::rest(&rig);
        local.set_srt(at(0), Srt { scale, ..Srt::IDENTITY });
        let posed = reference_skin(&rig, &rig.palette_layout().drawables[0], 0, &palette(&rig, &local));
        let (normal, tangent) = (posed.normals[0], posed.tangents[0]);
        assert!(normal.is_normalized() && normal.dot(tangent.truncate()).abs() < 1e-6, "{scale}");
        // The normal stays on the outside, whichever way the triangle now winds.
        assert!(normal.dot(slope * scale) > 0.0, "{scale}");
        // The bitangent computed by a shader equals the transformed bitangent of the file.
        let bitangent = normal.cross(tangent.truncate()) * tangent.w;
        assert!(bitangent.dot(slope.cross(along) * scale) > 0.0, "{scale}");
    }
}

#[test]
fn morphs_come_before_the_skin() {
    let mut model = model(nodes(&[(None, Srt::IDENTITY)]), vec![]);
    skin_to(&mut model, 0, &[0]);
    let displaced = |offset| MorphTarget { positions: vec![offset], ..Default::default() };
    model.meshes[0].primitives[0].morph_targets = vec![displaced(Vec3::X), displaced(Vec3::Y)];
    model.meshes[0].morph_target_names = vec![String::new(); 2];
    model.nodes[0].rest_morph_weights = vec![0.0, 0.5];
    let rig = rig(model);
    let mut local = LocalPose::rest(&rig);
    local.set_srt(at(0), turned(Quat::from_rotation_z(FRAC_PI_2)));
    assert_eq!(local.morph_weights(&rig, at(0)), [0.0, 0.5]);
    local.morph_weights_mut(&rig, at(0))[0] = 2.0;
    let posed = reference_skin(&rig, &rig.palette_layout().drawables[0], 0, &palette(&rig, &local));
    assert!(posed.positions[0].abs_diff_eq(Vec3::new(-0.5, 2.0, 0.0), 1e-6));
}

// Degenerate cases.

#[test]
fn a_model_of_nothing_can_be_posed() {
    let rig = rig(model(vec![], vec![clip("empty", vec![])]));
    let pose = sampled(&rig, 0.0);
    assert_eq!(palette(&rig, &pose).len(), 3);
    assert_eq!(rig.sweep(Some(first_clip())), None);
}

#[test]
fn two_thousand_joints_in_one_chain() {
    let count = 2000;
    let step = turned(Quat::IDENTITY);
    let chain: Vec<_> =
        (0..count).map(|index: usize| (index.checked_sub(1), Srt { translation: Vec3::X, ..step })).collect();
    let tracks: Vec<Track> = (0..count)
        .map(|node| {
            let values = [0.0, 0.001].map(Quat::from_rotation_z).to_vec();
            track(node, Interpolation::Linear, &[0.0, 1.0], TrackValues::Rotation(values))
        })
        .collect();
    let mut model = model(nodes(&chain), vec![clip("curl", tracks)]);
    skin_to(&mut model, 0, &(0..count).collect::<Vec<_>>());
    let rig = rig(model);
    assert_eq!(palette(&rig, &LocalPose::rest(&rig)).len(), 3 + 3 * count);
    let straight = resolved(&rig, &sampled(&rig, 0.0)).model_from_node(at(count - 1)).translation;
    assert_eq!(straight, Vec3::new(2000.0, 0.0, 0.0).into());
    let curled = resolved(&rig, &sampled(&rig, 1.0)).model_from_node(at(count - 1));
    // 2,000 rotations of a thousandth of a radian: an arc of 2 radians on a circle of radius 1,000.
    let angle = curled.matrix3.x_axis.y.atan2(curled.matrix3.x_axis.x);
    assert!((angle - 2.0).abs() < 1e-3, "{angle}");
}

#[test]
fn a_flat_and_a_mirrored_parent_keep_everything_finite() {
    for scale in [Vec3::ZERO, Vec3::new(1.0, 0.0, 1.0), Vec3::new(-1.0, 1.0, 1.0)] {
        let mut model =
            model(nodes(&[(None, Srt { scale, ..Srt::IDENTITY }), (Some(0), moved(Vec3::X))]), vec![]);
        model.nodes[1].mesh = Some(MeshIndex::new(0));
        let vertex = Primitive { influences: Influences::default(), ..one_vertex(Vec3::ONE) };
        model.meshes.push(Mesh { primitives: vec![vertex], ..Mesh::default() });
        let rig = rig(model);
        let rows = palette(&rig, &LocalPose::rest(&rig));
        let posed = reference_skin(&rig, &rig.palette_layout().drawables[0], 0, &rows);
        assert_eq!(posed.positions[0], Vec3::new(2.0, 1.0, 1.0) * scale);
        assert!(posed.normals[0].is_finite());
        assert!(rig.sweep(None).is_some_and(|sweep| sweep.bounds.radius().is_finite()));
    }
}

#[test]
fn a_sheared_rest_is_taken_as_it_is() {
    let shear = Affine3A::from_mat3(Mat3::from_cols(Vec3::X, Vec3::new(0.5, 1.0, 0.0), Vec3::Z));
    let mut model = model(nodes(&[(None, moved(Vec3::Y)), (Some(0), Srt::IDENTITY)]), vec![]);
    model.nodes[1].sheared_rest = Some(shear);
    let rig = rig(model);
    let posed = ModelPose::new(&rig).model_from_node(at(1));
    assert_eq!(posed.transform_point3(Vec3::Y), Vec3::new(0.5, 2.0, 0.0));
}
