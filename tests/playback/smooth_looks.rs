//! Smoothed look-at: independent of the frame rate, converges to the target, and returns without a trace.

use crate::support::figure;
use crate::support::figure::*;
use crate::support::made_model::at;
use gambol::player::{Crowd, Player};
use glam::{Affine3A, Vec3};

const AHEAD: Option<Vec3> = Some(Vec3::Z);

fn look(player: &mut Player, target: Option<Vec3>, smoothing_secs: Option<f32>) {
    player.look_at(at(LEG), target, AHEAD, None, 1.0, smoothing_secs).unwrap();
}

/// Returns the direction in which a character's leg faces.
fn facing(player: &mut Player, character: usize) -> Vec3 {
    player.world_matrices(character).unwrap()[LEG].z_axis.truncate().normalize()
}

/// Returns the angle in radians from that direction to the target.
fn left(player: &mut Player, target: Vec3) -> f32 {
    let place = player.world_matrices(0).unwrap()[LEG].w_axis.truncate();
    let facing = facing(player, 0);
    facing.angle_between(target - place)
}

/// Advances by `secs` at `rate` frames per second, and takes a pose in each frame.
fn pass(player: &mut Player, secs: f64, rate: f64) {
    for _ in 0..(secs * rate).round() as usize {
        player.advance(1.0 / rate).unwrap();
        player.pose();
    }
}

const TARGET: Vec3 = Vec3::new(5.0, 0.3, 2.0);

#[test]
fn a_turn_shrinks_to_its_share_at_every_frame_rate() {
    let mut turned = Vec::new();
    for rate in [4.0, 30.0, 60.0, 144.0, 1000.0] {
        let mut player = player();
        let start = left(&mut player, TARGET);
        look(&mut player, Some(TARGET), Some(0.25));
        assert!((left(&mut player, TARGET) - start).abs() < 1e-3, "it begins where it was");
        pass(&mut player, 0.5, rate);
        let now = left(&mut player, TARGET);
        // The tangent of half the angle shrinks by the factor e⁻².
        let expected = ((start / 2.0).tan() * (-2.0_f32).exp()).atan() * 2.0;
        assert!((now - expected).abs() < 1e-3, "{rate}: {now} ≠ {expected}");
        turned.push(facing(&mut player, 0));
    }
    assert!(turned.iter().all(|facing| facing.distance(turned[0]) < 1e-3), "{turned:?}");
}

#[test]
fn as_long_as_it_follows_another_frame_looks_different() {
    let mut player = player();
    assert!(!player.advance(0.1).unwrap(), "nothing plays");
    look(&mut player, Some(TARGET), Some(0.1));
    let mut frames = 0;
    while player.advance(1.0 / 60.0).unwrap() {
        player.pose();
        frames += 1;
        assert!(frames < 600, "it never arrives");
    }
    assert!(frames > 30, "{frames}");
    let arrived = facing(&mut player, 0);
    look(&mut player, Some(TARGET), None);
    assert_eq!(facing(&mut player, 0), arrived, "as if it had jumped there");
    assert!(!player.is_moving(), "a jump is no way");

    let other = Vec3::new(-5.0, 0.0, 1.0);
    look(&mut player, Some(other), Some(0.1));
    assert!(player.is_moving());
    pass(&mut player, 0.05, 60.0);
    let between = facing(&mut player, 0);
    assert!(between.distance(arrived) > 0.1 && left(&mut player, other) > 0.1, "{between}");
}

#[test]
fn a_pose_without_time_passed_changes_nothing() {
    let mut player = player();
    look(&mut player, Some(TARGET), Some(0.25));
    pass(&mut player, 0.2, 60.0);
    let turned = player.world_matrices(0).unwrap();
    for _ in 0..20 {
        look(&mut player, Some(TARGET), Some(0.25));
        assert_eq!(player.world_matrices(0).unwrap(), turned);
    }
}

#[test]
fn without_a_target_it_goes_back_as_smoothly_and_leaves_no_trace() {
    let mut player = player();
    let rest = player.world_matrices(0).unwrap();
    look(&mut player, Some(TARGET), Some(0.1));
    pass(&mut player, 2.0, 60.0);
    let arrived = facing(&mut player, 0);
    look(&mut player, None, None);
    assert_eq!(facing(&mut player, 0), arrived, "it doesn't jump back");
    pass(&mut player, 0.1, 60.0);
    assert!(facing(&mut player, 0).angle_between(Vec3::Z) < 0.6 && player.is_moving());
    pass(&mut player, 2.0, 60.0);
    assert!(!player.is_moving());
    assert_eq!(player.world_matrices(0).unwrap(), rest);

    // Without smoothing, the turn is immediate.
    look(&mut player, Some(TARGET), Some(0.1));
    pass(&mut player, 2.0, 60.0);
    look(&mut player, None, Some(0.0));
    assert_eq!(player.world_matrices(0).unwrap(), rest);
    assert!(!player.is_moving());
}

#[test]
fn a_look_that_jumped_can_go_back_smoothly() {
    let mut player = player();
    look(&mut player, Some(TARGET), None);
    let there = facing(&mut player, 0);
    look(&mut player, None, Some(0.2));
    assert_eq!(facing(&mut player, 0), there);
    pass(&mut player, 0.1, 60.0);
    let between = facing(&mut player, 0);
    assert!(between.distance(there) > 0.1 && between.distance(Vec3::Z) > 0.1, "{between}");
}

#[test]
fn each_character_turns_by_itself_and_a_half_turn_is_begun() {
    let mut player = player();
    let world_from_model = [-4.0, 4.0].map(|x| Affine3A::from_translation(Vec3::X * x)).to_vec();
    player.crowd(2, &Crowd { world_from_model, ..Crowd::default() }).unwrap();
    look(&mut player, Some(Vec3::Z * 2.0), Some(0.2));
    pass(&mut player, 3.0, 60.0);
    let (left, right) = (facing(&mut player, 0), facing(&mut player, 1));
    assert!(left.x > 0.5 && right.x < -0.5, "{left} {right}");

    let behind = Vec3::new(0.5, 0.0, -9.0);
    let mut player = figure::player();
    look(&mut player, Some(behind), Some(0.2));
    pass(&mut player, 5.0, 60.0);
    assert!(facing(&mut player, 0).dot(Vec3::NEG_Z) > 0.999);
}

#[test]
fn time_before_the_look_does_not_count() {
    let mut player = playing("walk");
    player.advance(5.0).unwrap();
    let before = facing(&mut player, 0);
    player.advance(5.0).unwrap();
    look(&mut player, Some(TARGET), Some(0.2));
    assert_eq!(facing(&mut player, 0), before);
}
