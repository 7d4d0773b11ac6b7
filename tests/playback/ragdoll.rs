//! Ragdolls in the player: start from what plays, crowds, pushes, fades, and refused calls.

use crate::support::doll::doll;
use crate::support::made_model::{Random, at, model as made, moved, node};
use gambol::animation::{MaskEntry, RagdollOptions, Rig};
use gambol::import::ImportReport;
use gambol::model::{Model, Spring, SpringEnd, SpringJoint};
use gambol::playback::PlayOptions;
use gambol::player::{Crowd, Player, RagdollMotion};
use glam::{Affine3A, Mat4, Vec3};
use std::sync::Arc;

const HIPS: usize = 0;
const HEAD: usize = 2;
const LEFT_HAND: usize = 5;
const RIGHT_HAND: usize = 11;

fn showing(model: Model) -> Player {
    let mut player = Player::new();
    player.show(Arc::new(Rig::new(Arc::new(model))), ImportReport::default());
    player
}

fn running() -> Player {
    let mut player = showing(doll(&mut Random::new(3)));
    let run = player.find_clip("run").unwrap();
    player.play(run, &PlayOptions::default()).unwrap();
    pass(&mut player, 20, 60);
    player
}

fn pass(player: &mut Player, frames: usize, rate: usize) {
    for _ in 0..frames {
        player.advance(1.0 / rate as f64).unwrap();
        player.pose();
    }
}

fn place(player: &mut Player, character: usize, node: usize) -> Vec3 {
    player.world_matrices(character).unwrap()[node].w_axis.truncate()
}

fn farthest(a: &[Mat4], b: &[Mat4]) -> f32 {
    a.iter().zip(b).map(|(a, b)| (a.w_axis - b.w_axis).length()).fold(0.0, f32::max)
}

/// Passes time until the ragdoll sleeps.
fn settle(player: &mut Player) -> usize {
    let mut frames = 0;
    while player.ragdoll_motion() == RagdollMotion::Falling {
        pass(player, 1, 60);
        frames += 1;
        assert!(frames <= 600, "it never comes to rest");
    }
    frames
}

#[test]
fn a_ragdoll_starts_at_the_pose_that_is_shown_and_with_its_motion() {
    let mut player = running();
    let shown = player.world_matrices(0).unwrap();
    assert_eq!(player.ragdoll_motion(), RagdollMotion::None);
    let options =
        RagdollOptions { gravity: Some(Vec3::ZERO), ground_height: None, ..RagdollOptions::default() };
    player.start_ragdoll(&options).unwrap();
    assert_eq!(player.ragdoll_motion(), RagdollMotion::Falling);
    let started = player.world_matrices(0).unwrap();
    let off = farthest(&started, &shown);
    assert!(off < 1e-4, "{off}");
    pass(&mut player, 12, 60);
    // The clip runs at a speed of 2 along x. The step before the last is shown.
    let way = place(&mut player, 0, HIPS) - shown[HIPS].w_axis.truncate();
    assert!((way - Vec3::X * (2.0 * 11.0 / 60.0)).length() < 0.01, "{way}");
    assert!(player.is_moving());
}

#[test]
fn it_falls_sleeps_and_wakes_while_playback_is_paused() {
    let mut player = running();
    player.pause();
    player.start_ragdoll(&RagdollOptions::default()).unwrap();
    let frames = settle(&mut player);
    println!("at rest after {frames} frames");
    assert_eq!(player.ragdoll_motion(), RagdollMotion::Asleep);
    assert!(!player.is_moving());
    assert!(place(&mut player, 0, HEAD).y < 0.6);
    let lying = player.world_matrices(0).unwrap();
    assert!(player.push_ragdoll(at(HEAD), Vec3::Y * 2.0).unwrap());
    assert!(player.is_moving());
    pass(&mut player, 10, 60);
    assert!(farthest(&player.world_matrices(0).unwrap(), &lying) > 0.1);
    // It lies in the world, wherever its character is moved.
    settle(&mut player);
    let lying = player.world_matrices(0).unwrap();
    player.set_place(0, Affine3A::from_translation(Vec3::X * 3.0)).unwrap();
    // The last node is that of the mesh, which no joint moves.
    let off = farthest(&player.world_matrices(0).unwrap()[..=RIGHT_HAND], &lying);
    assert!(off < 1e-4, "{off}");
}

#[test]
fn frame_rates_show_the_same() {
    let shown_at = |rate: usize| {
        let mut player = running();
        player.start_ragdoll(&RagdollOptions::default()).unwrap();
        let shown: Vec<_> = (0..6)
            .map(|_| {
                pass(&mut player, rate / 2, rate);
                player.world_matrices(0).unwrap()
            })
            .collect();
        shown
    };
    let at_60 = shown_at(60);
    for rate in [30, 144] {
        let errors = shown_at(rate).into_iter().zip(&at_60).map(|(shown, at_60)| farthest(&shown, at_60));
        let error = errors.fold(0.0, f32::max);
        println!("{rate} Hz: {error:.1e}");
        assert!(error < 1e-4, "{rate} Hz: {error}");
    }
}

#[test]
fn it_blends_back_to_what_plays_without_a_jump() {
    let mut player = running();
    player.start_ragdoll(&RagdollOptions::default()).unwrap();
    settle(&mut player);
    player.pause();
    pass(&mut player, 1, 60);
    let mut plain = player.world_matrices(0).unwrap();
    let lying = plain.clone();
    player.stop_ragdoll(0.5).unwrap();
    assert!(farthest(&player.world_matrices(0).unwrap(), &lying) < 1e-5);
    let mut longest = 0.0_f32;
    for _ in 0..31 {
        assert!(player.is_moving() || player.ragdoll_motion() == RagdollMotion::None);
        pass(&mut player, 1, 60);
        let now = player.world_matrices(0).unwrap();
        longest = longest.max(farthest(&now, &plain));
        plain = now;
    }
    let whole = farthest(&plain, &lying);
    println!("{longest} of {whole}");
    // The steepest part of the smooth fade is 1.5 times the mean, of 30 frames. Joints move along arcs.
    assert!(longest < whole * 0.12 && whole > 0.5, "{longest} of {whole}");
    assert_eq!(player.ragdoll_motion(), RagdollMotion::None);
    assert!(!player.is_moving());
    let mut never = running();
    never.pause();
    never.seek(player.time_secs()).unwrap();
    assert_eq!(player.world_matrices(0).unwrap(), never.world_matrices(0).unwrap());
}

#[test]
fn each_of_a_crowd_has_its_own() {
    let mut player = running();
    let world_from_model = [0.0, 5.0, 10.0].map(|x| Affine3A::from_translation(Vec3::X * x)).to_vec();
    player.crowd(3, &Crowd { world_from_model, phases: vec![0.0; 3], ..Crowd::default() }).unwrap();
    player.pause();
    let before: Vec<_> = (0..3).map(|one| player.world_matrices(one).unwrap()).collect();
    player.alone(1, |player| player.start_ragdoll(&RagdollOptions::default())).unwrap().unwrap();
    pass(&mut player, 60, 60);
    for one in [0, 2] {
        assert_eq!(player.world_matrices(one).unwrap(), before[one]);
    }
    assert!(farthest(&player.world_matrices(1).unwrap(), &before[1]) > 0.2);
    assert_eq!(player.ragdoll_motion(), RagdollMotion::None);
    assert_eq!(player.alone(1, |player| player.ragdoll_motion()).unwrap(), RagdollMotion::Falling);
    // All of them, the same from the same pose.
    player.alone(1, |player| player.stop_ragdoll(0.0)).unwrap().unwrap();
    player.pose();
    player.start_ragdoll(&RagdollOptions::default()).unwrap();
    pass(&mut player, 60, 60);
    let first = place(&mut player, 0, HEAD);
    let third = place(&mut player, 2, HEAD) - Vec3::X * 10.0;
    assert!(first.distance(third) < 1e-3, "{first} {third}");
    // Another crowd and another model have none.
    player.crowd(2, &Crowd::default()).unwrap();
    assert_eq!(player.ragdoll_motion(), RagdollMotion::None);
}

#[test]
fn a_part_falls_while_the_rest_plays_and_may_grow() {
    let mut player = running();
    let arm = player.find_node("LeftUpperArm").unwrap();
    let mask = vec![MaskEntry { node: arm, weight: 1.0, subtree: true }];
    player.start_ragdoll(&RagdollOptions { mask, ..RagdollOptions::default() }).unwrap();
    let mut plain = running();
    for _ in 0..40 {
        pass(&mut player, 1, 60);
        pass(&mut plain, 1, 60);
        for node in [HIPS, HEAD, RIGHT_HAND] {
            assert_eq!(place(&mut player, 0, node), place(&mut plain, 0, node));
        }
    }
    assert!(place(&mut player, 0, LEFT_HAND).y < place(&mut plain, 0, LEFT_HAND).y - 0.2);
    assert!(!player.push_ragdoll(at(HIPS), Vec3::Y).unwrap(), "the hips are driven");
    let shown = player.world_matrices(0).unwrap();
    player.start_ragdoll(&RagdollOptions::default()).unwrap();
    let off = farthest(&player.world_matrices(0).unwrap(), &shown);
    assert!(off < 1e-4, "{off}");
    settle(&mut player);
    assert!(place(&mut player, 0, HEAD).y < 0.6);
}

#[test]
fn springs_swing_on_a_ragdoll() {
    let mut model = doll(&mut Random::new(3));
    let joint = SpringJoint {
        node: at(HEAD),
        end: SpringEnd::Point(Vec3::Y * 0.2),
        stiffness: 0.5,
        drag: 0.4,
        gravity: Vec3::ZERO,
        radius: 0.0,
    };
    model.springs.springs.push(Spring { joints: vec![joint], ..Spring::default() });
    let mut player = showing(model);
    pass(&mut player, 200, 60);
    let shown = player.world_matrices(0).unwrap();
    player.start_ragdoll(&RagdollOptions::default()).unwrap();
    let off = farthest(&player.world_matrices(0).unwrap(), &shown);
    assert!(off < 1e-4, "{off}");
    settle(&mut player);
    pass(&mut player, 300, 60);
    assert!(player.world_matrices(0).unwrap().iter().all(Mat4::is_finite));
    assert!(!player.is_moving());
}

#[test]
fn refused_calls_have_a_code_and_change_nothing() {
    let mut player = running();
    player.pause();
    let before = player.world_matrices(0).unwrap();
    let none = RagdollOptions::default();
    let far = MaskEntry { node: at(99), weight: 1.0, subtree: true };
    let heavy = MaskEntry { node: at(0), weight: 2.0, subtree: true };
    for (code, options) in [
        ("UNKNOWN_NODE", RagdollOptions { mask: vec![far], ..none.clone() }),
        ("OUT_OF_RANGE", RagdollOptions { mask: vec![heavy], ..none.clone() }),
        ("OUT_OF_RANGE", RagdollOptions { ground_normal: Vec3::ZERO, ..none.clone() }),
        ("OUT_OF_RANGE", RagdollOptions { friction: -1.0, ..none.clone() }),
        ("OUT_OF_RANGE", RagdollOptions { damping: -1.0, ..none.clone() }),
        ("NOT_FINITE", RagdollOptions { gravity: Some(Vec3::NAN), ..none.clone() }),
        ("NOT_FINITE", RagdollOptions { ground_height: Some(f32::INFINITY), ..none.clone() }),
    ] {
        assert_eq!(player.start_ragdoll(&options).map_err(|error| error.code()), Err(code), "{options:?}");
    }
    assert_eq!(player.push_ragdoll(at(99), Vec3::Y).map_err(|error| error.code()), Err("UNKNOWN_NODE"));
    assert_eq!(player.push_ragdoll(at(0), Vec3::NAN).map_err(|error| error.code()), Err("NOT_FINITE"));
    assert_eq!(player.stop_ragdoll(f64::NAN).map_err(|error| error.code()), Err("NOT_FINITE"));
    assert_eq!(player.fade_ragdoll(2.0, 0.0).map_err(|error| error.code()), Err("OUT_OF_RANGE"));
    assert!(!player.push_ragdoll(at(0), Vec3::Y).unwrap(), "there is none yet");
    player.stop_ragdoll(1.0).unwrap();
    assert_eq!((player.ragdoll_motion(), player.world_matrices(0).unwrap()), (RagdollMotion::None, before));

    let mut bare = showing(made(vec![node(None, moved(Vec3::Y), 0)], Vec::new()));
    let refused = bare.start_ragdoll(&none).expect_err("it has no vertices");
    assert_eq!(refused.code(), "NO_BODIES");
    assert!(refused.to_string().contains("mesh"), "{refused}");
    let mut nobody = Player::new();
    assert_eq!(nobody.start_ragdoll(&none).map_err(|error| error.code()), Err("NO_MODEL"));
    assert_eq!(nobody.stop_ragdoll(0.0).map_err(|error| error.code()), Err("NO_MODEL"));
    assert_eq!(nobody.push_ragdoll(at(0), Vec3::Y).map_err(|error| error.code()), Err("NO_MODEL"));
}
