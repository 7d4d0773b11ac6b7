//! Inverse kinematics: reaching a target, targets out of reach, look-at limits, and what stays unchanged.

use crate::support::made_model::{Random, at, bits, model, nodes, rig};
use gambol::animation::{LocalPose, LookAt, LookTurn, ModelPose, Reach, Rig};
use gambol::import::ImportReport;
use gambol::model::{NodeIndex, Srt};
use gambol::player::Player;
use glam::{Quat, Vec3};
use std::sync::Arc;

const SHOULDER: usize = 1;
const ELBOW: usize = 2;
const HAND: usize = 3;

/// Returns a rotated and scaled body with an arm of two parts.
fn arm(random: &mut Random) -> Rig {
    let part = |random: &mut Random, length: f32| Srt {
        rotation: random.rotation(),
        translation: Vec3::Y * length,
        ..Srt::IDENTITY
    };
    let body = Srt { rotation: random.rotation(), scale: Vec3::splat(0.5), translation: random.vec3(2.0) };
    let parts = [body, part(random, 1.0), part(random, 1.2), part(random, 0.8)];
    let chain: Vec<_> =
        parts.into_iter().enumerate().map(|(index, rest)| (index.checked_sub(1), rest)).collect();
    rig(model(nodes(&chain), Vec::new()))
}

fn posed(rig: &Rig) -> (LocalPose, ModelPose) {
    (LocalPose::rest(rig), ModelPose::new(rig))
}

fn place(model: &ModelPose, node: usize) -> Vec3 {
    model.model_from_node(at(node)).translation.into()
}

fn reach(target_in_model: Vec3) -> Reach {
    Reach { node: at(HAND), target_in_model, pole_in_model: None, weight: 1.0 }
}

#[test]
fn S82_a_hand_comes_to_every_point_within_reach_and_the_limb_keeps_its_lengths() {
    for seed in 0..200 {
        let random = &mut Random::new(seed);
        let rig = arm(random);
        let (mut local, mut model) = posed(&rig);
        // In model space, the upper and lower arm measure 0.6 and 0.4.
        let way = random.vec3(1.0).normalize_or(Vec3::X) * random.between(0.21, 0.99);
        let target = place(&model, SHOULDER) + way;
        rig.reach(&reach(target), &mut local, &mut model);
        let error = place(&model, HAND).distance(target);
        assert!(error < 1e-5, "seed {seed}: {error}");
        let upper = place(&model, SHOULDER).distance(place(&model, ELBOW));
        let lower = place(&model, ELBOW).distance(place(&model, HAND));
        assert!((upper - 0.6).abs() < 1e-5 && (lower - 0.4).abs() < 1e-5, "seed {seed}: {upper}, {lower}");
    }
}

#[test]
fn out_of_reach_the_limb_points_at_its_target() {
    let random = &mut Random::new(7);
    let rig = arm(random);
    for (distance, expected) in [(9.0, 1.0), (0.05, 0.2)] {
        let (mut local, mut model) = posed(&rig);
        let ahead = Vec3::new(0.6, 0.0, 0.8);
        let shoulder = place(&model, SHOULDER);
        rig.reach(&reach(shoulder + ahead * distance), &mut local, &mut model);
        assert!(place(&model, HAND).distance(shoulder + ahead * expected) < 1e-4);
    }
}

#[test]
fn the_elbow_bends_towards_its_pole() {
    for seed in 0..50 {
        let random = &mut Random::new(seed);
        let rig = arm(random);
        let (mut local, mut model) = posed(&rig);
        let shoulder = place(&model, SHOULDER);
        let target = shoulder + Vec3::X * 0.7;
        let pole = shoulder + Vec3::new(0.3, 0.0, 5.0);
        let goal = Reach { pole_in_model: Some(pole), ..reach(target) };
        rig.reach(&goal, &mut local, &mut model);
        let elbow = place(&model, ELBOW) - shoulder;
        assert!(elbow.z > 0.1 && elbow.y.abs() < 1e-4, "seed {seed}: {elbow}");
    }
}

/// Applies a look-at without smoothing.
fn look(rig: &Rig, aim: &LookAt, local: &mut LocalPose, model: &mut ModelPose) {
    rig.look_at(at(ELBOW), Some(aim), &mut LookTurn::default(), 0.0, local, model);
}

#[test]
fn a_look_turns_what_faces_forward_to_the_target_and_no_farther_than_it_may() {
    for seed in 0..100 {
        let random = &mut Random::new(seed);
        let rig = arm(random);
        let (mut local, mut model) = posed(&rig);
        let target = random.vec3(5.0);
        let forward = model.model_from_node(at(ELBOW)).inverse().transform_vector3(Vec3::Z).normalize();
        let aim = LookAt { target_in_model: target, forward: None, least_cosine: -1.0, weight: 1.0 };
        look(&rig, &aim, &mut local, &mut model);
        let looks =
            |model: &ModelPose| model.model_from_node(at(ELBOW)).transform_vector3(forward).normalize();
        let wanted = (target - place(&model, ELBOW)).normalize();
        assert!(looks(&model).dot(wanted) > 1.0 - 1e-5, "seed {seed}");

        let (mut local, mut model) = posed(&rig);
        look(&rig, &LookAt { least_cosine: 0.8, ..aim }, &mut local, &mut model);
        let away = looks(&model).dot(Vec3::Z);
        assert!(away > 0.8 - 1e-4, "seed {seed}: {away}");
    }
}

#[test]
fn no_weight_changes_no_bit_and_nonsense_changes_nothing() {
    let random = &mut Random::new(3);
    let rig = arm(random);
    let (rest, resolved) = posed(&rig);
    let shoulder = place(&resolved, SHOULDER);
    let elbow = place(&resolved, ELBOW);
    let aim = |target_in_model: Vec3, weight: f32| LookAt {
        target_in_model,
        forward: None,
        least_cosine: -1.0,
        weight,
    };
    let (mut local, mut model) = posed(&rig);
    rig.reach(&Reach { weight: 0.0, ..reach(Vec3::ONE) }, &mut local, &mut model);
    rig.reach(&reach(shoulder), &mut local, &mut model);
    rig.reach(&Reach { node: at(1), ..reach(Vec3::ONE) }, &mut local, &mut model);
    look(&rig, &aim(Vec3::ONE, 0.0), &mut local, &mut model);
    look(&rig, &aim(elbow, 1.0), &mut local, &mut model);
    assert_eq!(bits(&rig, &local), bits(&rig, &rest));
    assert_eq!(model, resolved);
}

#[test]
fn half_a_weight_goes_part_of_the_way() {
    let random = &mut Random::new(11);
    let rig = arm(random);
    let (mut local, mut model) = posed(&rig);
    let target = place(&model, SHOULDER) + Vec3::new(0.5, 0.4, 0.0);
    let before = place(&model, HAND).distance(target);
    rig.reach(&Reach { weight: 0.5, ..reach(target) }, &mut local, &mut model);
    let after = place(&model, HAND).distance(target);
    assert!(after < before && after > 1e-3, "{before} → {after}");
}

#[test]
fn a_player_aims_and_reaches_over_what_plays_wherever_it_stands() {
    let random = &mut Random::new(5);
    let mut player = Player::new();
    player.show(Arc::new(arm(random)), ImportReport::default());
    let world_from_model =
        glam::Affine3A::from_rotation_translation(Quat::from_rotation_y(1.0), Vec3::X * 3.0);
    let crowd = gambol::player::Crowd { world_from_model: vec![world_from_model], ..Default::default() };
    player.crowd(1, &crowd).unwrap();
    let rest = player.world_matrices(0).unwrap();
    let target = rest[SHOULDER].w_axis.truncate() + Vec3::new(0.3, 0.3, 0.3);
    player.reach(at(HAND), Some(target), None, 1.0).unwrap();
    let hand = player.world_matrices(0).unwrap()[HAND].w_axis.truncate();
    assert!(hand.distance(target) < 1e-5, "{hand} ≠ {target}");
    player.reach(at(HAND), None, None, 1.0).unwrap();
    assert_eq!(player.world_matrices(0).unwrap(), rest);

    player.look_at(at(ELBOW), Some(target), None, None, 1.0, None).unwrap();
    assert_ne!(player.world_matrices(0).unwrap(), rest);
    player.look_at(at(ELBOW), None, None, None, 1.0, None).unwrap();
    assert_eq!(player.world_matrices(0).unwrap(), rest);
    for error in [
        player.reach(NodeIndex::new(99), Some(target), None, 1.0),
        player.reach(at(HAND), Some(Vec3::NAN), None, 1.0),
        player.reach(at(HAND), Some(target), None, 7.0),
        player.reach(at(0), Some(target), None, 1.0),
        player.look_at(at(ELBOW), Some(target), Some(Vec3::ZERO), None, 1.0, None),
        player.look_at(at(ELBOW), Some(target), None, None, 1.0, Some(-0.1)),
        player.look_at(at(ELBOW), Some(target), None, None, 1.0, Some(f32::NAN)),
    ] {
        assert!(error.is_err());
    }
    assert_eq!(player.world_matrices(0).unwrap(), rest);
}
