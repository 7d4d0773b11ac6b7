//! The pose in which the meshes were skinned.

use crate::support::made_model::{Random, any_model, at, model, moved, nodes, resolved, rig};
use gambol::animation::{ModelPose, Rig};
use gambol::model::{Model, Skin, Srt};
use glam::{Affine3A, Quat, Vec3};
use std::f32::consts::FRAC_PI_2;

/// Returns `model_from_mesh` of each joint of a skin: where the joint would put the whole mesh.
fn placed(rig: &Rig, pose: &ModelPose, skin: usize) -> Vec<Affine3A> {
    let Skin { joints, joint_from_mesh, .. } = &rig.model().skins[skin];
    joints.iter().zip(joint_from_mesh).map(|(&joint, matrix)| pose.model_from_node(joint) * *matrix).collect()
}

/// An arm of three joints, skinned along x, that rests bent. The first joint rests at a height of 1.
fn bent_arm(tilt: f32) -> Model {
    let bend = Srt { rotation: Quat::from_rotation_z(FRAC_PI_2), ..moved(Vec3::X) };
    let shoulder = Srt { rotation: Quat::from_rotation_z(tilt), ..moved(Vec3::Y) };
    let mut arm = model(
        nodes(&[(None, shoulder), (Some(0), bend), (Some(1), bend), (Some(2), moved(Vec3::X))]),
        vec![],
    );
    let along = |x: f32| Affine3A::from_translation(Vec3::new(-x, 0.0, 0.0));
    arm.skins.push(Skin {
        joints: vec![at(0), at(1), at(2)],
        joint_from_mesh: vec![along(0.0), along(1.0), along(2.0)],
        ..Skin::default()
    });
    arm
}

#[test]
fn a_mesh_is_undeformed_and_upright_where_its_first_joint_rests() {
    for tilt in [0.0, 0.3] {
        let arm = rig(bent_arm(tilt));
        let (local, pose) = arm.bind_pose();
        for model_from_mesh in placed(&arm, &pose, 0) {
            assert!(
                model_from_mesh.abs_diff_eq(Affine3A::from_translation(Vec3::Y), 1e-5),
                "{model_from_mesh}"
            );
        }
        // What isn't a joint rests on the joint above.
        assert!(pose.model_from_node(at(3)).translation.abs_diff_eq(Vec3::new(3.0, 1.0, 0.0).into(), 1e-5));
        let again = resolved(&arm, &local);
        for node in 0..4 {
            assert!(again.model_from_node(at(node)).abs_diff_eq(pose.model_from_node(at(node)), 1e-5));
        }
    }
}

#[test]
fn where_skins_contradict_each_other_joints_are_as_in_the_largest() {
    let mut arm = bent_arm(0.0);
    let far = |x: f32| Affine3A::from_translation(Vec3::new(x, 5.0, 0.0));
    // It agrees with the other skin about one joint at most.
    let other =
        Skin { joints: vec![at(1), at(3)], joint_from_mesh: vec![far(-1.0), far(-7.0)], ..Skin::default() };
    arm.skins.insert(0, other);
    let arm = rig(arm);
    let (_, pose) = arm.bind_pose();
    for model_from_mesh in placed(&arm, &pose, 1) {
        assert!(model_from_mesh.abs_diff_eq(Affine3A::from_translation(Vec3::Y), 1e-5), "{model_from_mesh}");
    }
    // Its own joint stands to the shared one as it was bound.
    let [shared, own] = placed(&arm, &pose, 0)[..] else { panic!("two joints") };
    assert!(shared.abs_diff_eq(own, 1e-5), "{shared} {own}");
    let between = pose.model_from_node(at(3)).translation - pose.model_from_node(at(1)).translation;
    assert!(between.abs_diff_eq(Vec3::new(6.0, 0.0, 0.0).into(), 1e-5), "{between}");
}

#[test]
fn a_model_without_skins_and_one_with_unusable_matrices_rest() {
    let mut bare = bent_arm(0.2);
    bare.skins.clear();
    let mut flat = bent_arm(0.2);
    flat.skins[0].joint_from_mesh.fill(Affine3A::from_scale(Vec3::new(1.0, 0.0, 1.0)));
    for model in [bare, flat] {
        let rig = rig(model);
        let (_, pose) = rig.bind_pose();
        let rest = ModelPose::new(&rig);
        for node in 0..4 {
            assert!(pose.model_from_node(at(node)).abs_diff_eq(rest.model_from_node(at(node)), 1e-6));
        }
    }
}

#[test]
fn the_local_pose_is_finite_whatever_the_model() {
    for seed in 0..200 {
        let rig = rig(any_model(&mut Random::new(seed)));
        let (local, _) = rig.bind_pose();
        for node in 0..rig.model().nodes.len() {
            let Srt { scale, rotation, translation } = local.srt(at(node));
            let is_finite = scale.is_finite() && rotation.is_finite() && translation.is_finite();
            assert!(is_finite, "seed {seed}, node {node}");
        }
    }
}
