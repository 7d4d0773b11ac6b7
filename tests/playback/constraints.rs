//! Constraints of the player: chains, gazes and feet by name, with weights that fade and smoothing.

use crate::support::made_model::{at, clip, model, nodes, track};
use gambol::animation::{ChainOptions, GazeJoint, JointLimit, Rig};
use gambol::import::ImportReport;
use gambol::model::{Interpolation, NodeIndex, Srt, TrackValues};
use gambol::playback::{Easing, PlayOptions};
use gambol::player::{ConstraintOptions, Crowd, Player, PlayerError};
use glam::{Affine3A, Mat4, Quat, Vec3};
use std::sync::Arc;

const HIPS: usize = 1;
const SPINE: usize = 2;
const NECK: usize = 3;
const HEAD: usize = 4;
const EYE: usize = 5;
const LEFT_FOOT: usize = 8;
const RIGHT_FOOT: usize = 11;
const SHOULDER: usize = 12;
const ELBOW: usize = 13;
const HAND: usize = 15;

/// Returns a standing person whose only clip sways the spine.
fn person() -> Player {
    let part = |parent: usize, x: f32, y: f32, z: f32| {
        (Some(parent), Srt { translation: Vec3::new(x, y, z), ..Srt::IDENTITY })
    };
    let parts = [
        (None, Srt::IDENTITY),
        part(0, 0.0, 1.0, 0.0),
        part(HIPS, 0.0, 0.2, 0.0),
        part(SPINE, 0.0, 0.3, 0.0),
        part(NECK, 0.0, 0.1, 0.0),
        part(HEAD, 0.0, 0.1, 0.05),
        part(HIPS, 0.1, 0.0, 0.0),
        part(6, 0.0, -0.5, 0.05),
        part(7, 0.0, -0.5, -0.05),
        part(HIPS, -0.1, 0.0, 0.0),
        part(9, 0.0, -0.5, 0.05),
        part(10, 0.0, -0.5, -0.05),
        part(SPINE, 0.2, 0.2, 0.0),
        part(SHOULDER, 0.25, -0.15, 0.0),
        part(ELBOW, 0.25, 0.1, 0.15),
        part(14, 0.1, 0.0, 0.0),
    ];
    let rotations = TrackValues::Rotation([-0.2, 0.2, -0.2].map(Quat::from_rotation_z).to_vec());
    let sway = clip("sway", vec![track(SPINE, Interpolation::Linear, &[0.0, 1.0, 2.0], rotations)]);
    let mut player = Player::new();
    player.show(Arc::new(Rig::new(Arc::new(model(nodes(&parts), vec![sway])))), ImportReport::default());
    player
}

const AT_ONCE: ConstraintOptions = ConstraintOptions { weight: 1.0, fade_secs: 0.0, smoothing_secs: 0.0 };

fn smooth(smoothing_secs: f32) -> ConstraintOptions {
    ConstraintOptions { smoothing_secs, ..AT_ONCE }
}

fn fading(fade_secs: f64) -> ConstraintOptions {
    ConstraintOptions { fade_secs, ..AT_ONCE }
}

fn arm() -> ChainOptions {
    ChainOptions::new(at(SHOULDER), at(HAND))
}

fn with_arm(options: &ConstraintOptions) -> Player {
    let mut player = person();
    player.set_chain("arm", &arm(), options).unwrap();
    player
}

fn matrices(player: &mut Player) -> Vec<Mat4> {
    player.world_matrices(0).unwrap()
}

fn place_of(player: &mut Player, character: usize, node: usize) -> Vec3 {
    player.world_matrices(character).unwrap()[node].w_axis.truncate()
}

fn hand(player: &mut Player) -> Vec3 {
    place_of(player, 0, HAND)
}

/// Advances by `secs` at `rate` frames per second, and takes a pose in each frame.
fn pass(player: &mut Player, secs: f64, rate: f64) {
    for _ in 0..(secs * rate).round() as usize {
        player.advance(1.0 / rate).unwrap();
        player.pose();
    }
}

const TARGET: Vec3 = Vec3::new(0.4, 1.5, 0.5);

#[test]
fn a_chain_reaches_its_goal_in_the_world_on_every_character_while_a_clip_plays() {
    let mut player = with_arm(&AT_ONCE);
    let turned = Affine3A::from_rotation_translation(Quat::from_rotation_y(0.4), Vec3::new(0.1, 0.0, 0.1));
    let world_from_model = vec![Affine3A::IDENTITY, turned];
    player.crowd(2, &Crowd { world_from_model, ..Crowd::default() }).unwrap();
    player.play(player.find_clip("sway").unwrap(), &PlayOptions::default()).unwrap();
    player.set_goal("arm", at(HAND), Some(TARGET), 1.0).unwrap();
    for frame in 0..120 {
        for character in 0..2 {
            let error = place_of(&mut player, character, HAND).distance(TARGET);
            // The arm is 0.7 long.
            assert!(error < 1e-4, "frame {frame}, character {character}: {error}");
        }
        player.advance(1.0 / 60.0).unwrap();
        player.pose();
    }
}

#[test]
fn constraints_are_replaced_and_removed_by_name_without_a_trace() {
    let mut player = person();
    let rest = matrices(&mut player);
    player.set_chain("arm", &arm(), &AT_ONCE).unwrap();
    assert_eq!(matrices(&mut player), rest, "a chain without goals");
    player.set_goal("arm", at(HAND), Some(TARGET), 1.0).unwrap();
    let reached = matrices(&mut player);
    assert_ne!(reached, rest);
    player.set_gaze("eyes", &[GazeJoint::new(at(EYE), 1.0)], &AT_ONCE).unwrap();
    assert_eq!(player.constraint_names(), ["arm", "eyes"]);
    assert_eq!(matrices(&mut player), reached, "a gaze without a target");

    player.set_goal("arm", at(HAND), None, 1.0).unwrap();
    assert_eq!(matrices(&mut player), rest);
    player.set_goal("arm", at(HAND), Some(TARGET), 1.0).unwrap();
    assert_eq!(matrices(&mut player), reached);
    // Another chain of this name has no goals.
    player.set_chain("arm", &ChainOptions::new(at(SPINE), at(HAND)), &AT_ONCE).unwrap();
    assert_eq!(player.constraint_names(), ["arm", "eyes"]);
    assert_eq!(matrices(&mut player), rest);
    player.set_goal("arm", at(HAND), Some(TARGET), 1.0).unwrap();
    player.remove_constraint("arm", 0.0).unwrap();
    player.remove_constraint("eyes", 0.0).unwrap();
    assert!(player.constraint_names().is_empty());
    assert_eq!(matrices(&mut player), rest);
    assert!(!player.is_moving());
}

#[test]
fn the_weight_fades_in_and_out_in_its_time_at_every_frame_rate() {
    for rate in [30.0, 60.0, 144.0] {
        let mut player = with_arm(&fading(0.5));
        let rest = matrices(&mut player);
        player.set_goal("arm", at(HAND), Some(TARGET), 1.0).unwrap();
        let start = hand(&mut player).distance(TARGET);
        assert_eq!(matrices(&mut player), rest, "it begins without weight");
        assert!(player.is_moving());
        pass(&mut player, 0.25, rate);
        let half = hand(&mut player).distance(TARGET);
        assert!(half < start * 0.8 && half > start * 0.2, "{rate}: {half} of {start}");
        pass(&mut player, 0.3, rate);
        assert!(hand(&mut player).distance(TARGET) < 1e-4);
        assert!(!player.is_moving());

        player.fade_constraint("arm", 0.5, 0.2, Easing::Linear).unwrap();
        pass(&mut player, 0.25, rate);
        let kept = hand(&mut player).distance(TARGET);
        assert!(kept > 0.01, "{rate}: {kept}");
        player.remove_constraint("arm", 0.4).unwrap();
        pass(&mut player, 0.2, rate);
        assert_eq!(player.constraint_names(), ["arm"]);
        assert!(hand(&mut player).distance(TARGET) > kept);
        pass(&mut player, 0.3, rate);
        assert!(player.constraint_names().is_empty());
        assert_eq!(matrices(&mut player), rest);
    }
}

#[test]
fn a_constraint_that_is_set_again_while_it_leaves_stays() {
    let mut player = with_arm(&AT_ONCE);
    player.set_goal("arm", at(HAND), Some(TARGET), 1.0).unwrap();
    player.remove_constraint("arm", 0.4).unwrap();
    pass(&mut player, 0.2, 60.0);
    player.fade_constraint("arm", 1.0, 0.2, Easing::Smooth).unwrap();
    pass(&mut player, 0.5, 60.0);
    assert_eq!(player.constraint_names(), ["arm"]);
    assert!(hand(&mut player).distance(TARGET) < 1e-4);
}

#[test]
fn a_smoothed_goal_is_followed_alike_at_every_frame_rate() {
    let mut places = Vec::new();
    for rate in [30.0, 60.0, 144.0, 1000.0] {
        let mut player = with_arm(&smooth(0.2));
        let start = hand(&mut player);
        player.set_goal("arm", at(HAND), Some(TARGET), 1.0).unwrap();
        assert!(hand(&mut player).distance(start) < 1e-5, "it begins where it was");
        pass(&mut player, 0.5, rate);
        let expected = TARGET + (start - TARGET) * (-2.5_f32).exp();
        assert!(hand(&mut player).distance(expected) < 1e-3, "{rate}");
        places.push(matrices(&mut player));
        pass(&mut player, 5.0, rate);
        assert!(!player.is_moving(), "it has arrived");
        assert!(hand(&mut player).distance(TARGET) < 1e-4);
    }
    for matrices in &places[1..] {
        for (found, expected) in matrices.iter().zip(&places[0]) {
            // Where the goal leaves the joints free, their way depends a little on its steps.
            assert!(found.abs_diff_eq(*expected, 0.02), "{found} ≠ {expected}");
        }
    }
}

#[test]
fn a_pose_without_time_passed_changes_no_bit() {
    let mut player = with_arm(&smooth(0.2));
    player.set_gaze("gaze", &gaze(), &smooth(0.1)).unwrap();
    player.set_feet("feet", at(HIPS), &[at(LEFT_FOOT), at(RIGHT_FOOT)], &smooth(0.1)).unwrap();
    player.set_goal("arm", at(HAND), Some(TARGET), 1.0).unwrap();
    player.set_gaze_target("gaze", Some(BESIDE)).unwrap();
    player.set_ground("feet", at(LEFT_FOOT), 0.2, Vec3::new(0.2, 1.0, 0.0)).unwrap();
    for _ in 0..30 {
        pass(&mut player, 0.05, 60.0);
        let posed = matrices(&mut player);
        for _ in 0..3 {
            player.set_goal("arm", at(HAND), Some(TARGET), 1.0).unwrap();
            assert_eq!(matrices(&mut player), posed);
        }
    }
}

#[test]
fn two_goals_a_tip_rotation_and_limits_of_one_chain() {
    let mut player = person();
    let limit = JointLimit { axis: Vec3::Y, swing_radians: 0.0, twist_radians: [-2.5, 0.1] };
    let limits = vec![(at(ELBOW), limit)];
    let chain = ChainOptions { limits, ..ChainOptions::new(at(SPINE), at(HAND)) };
    player.set_chain("arm", &chain, &AT_ONCE).unwrap();
    player.set_goal("arm", at(HAND), Some(TARGET), 1.0).unwrap();
    player.set_goal("arm", at(ELBOW), Some(Vec3::new(0.45, 1.3, 0.1)), 0.2).unwrap();
    let rotation = Quat::from_rotation_x(1.0);
    player.set_tip_rotation("arm", Some(rotation)).unwrap();
    let posed = matrices(&mut player);
    let (_, found, _) = posed[HAND].to_scale_rotation_translation();
    assert!(found.dot(rotation).abs() > 1.0 - 1e-5, "{found}");
    let elbow = (posed[SHOULDER].inverse() * posed[ELBOW]).to_scale_rotation_translation().1;
    let across = elbow.xyz() - Vec3::Y * elbow.y;
    assert!(across.length() < 1e-4 && elbow.y <= 0.06, "a hinge turns about y alone: {elbow}");
    player.set_goal("arm", at(ELBOW), None, 1.0).unwrap();
    assert!(hand(&mut player).distance(TARGET) < 1e-4);
}

/// Spine, neck, head and eye, each quicker than the one above it.
fn gaze() -> Vec<GazeJoint> {
    let parts = [(EYE, 1.0, 20.0, 0.6), (SPINE, 0.2, 1.0, 0.5), (HEAD, 0.7, 4.0, 1.2), (NECK, 0.3, 2.0, 0.8)];
    let part = |(node, share, speed, limit): (usize, f32, f32, f32)| GazeJoint {
        limit_radians: Some(limit),
        speed_radians_per_sec: Some(speed),
        ..GazeJoint::new(at(node), share)
    };
    parts.map(part).to_vec()
}

const BESIDE: Vec3 = Vec3::new(3.0, 1.7, 2.0);

/// Returns the angle from where a node faces to a point.
fn off(player: &mut Player, node: usize, target: Vec3) -> f32 {
    let matrix = matrices(player)[node];
    matrix.z_axis.truncate().angle_between(target - matrix.w_axis.truncate())
}

fn facing(player: &mut Player, node: usize) -> Quat {
    matrices(player)[node].to_scale_rotation_translation().1
}

#[test]
fn a_gaze_is_spread_over_its_nodes_and_each_keeps_its_speed() {
    let mut player = person();
    let rest = matrices(&mut player);
    player.set_gaze("gaze", &gaze(), &AT_ONCE).unwrap();
    player.set_gaze_target("gaze", Some(BESIDE)).unwrap();
    assert_eq!(matrices(&mut player), rest, "no time has passed");
    let mut before = [SPINE, NECK, HEAD, EYE].map(|node| facing(&mut player, node));
    for frame in 0..120 {
        pass(&mut player, 1.0 / 60.0, 60.0);
        let now = [SPINE, NECK, HEAD, EYE].map(|node| facing(&mut player, node));
        // Each node turns with those above it.
        for (nth, speed) in [1.0, 3.0, 7.0, 27.0].into_iter().enumerate() {
            let turn = now[nth].angle_between(before[nth]);
            assert!(turn <= speed / 60.0 + 1e-3, "frame {frame}, node {nth}: {turn}");
        }
        before = now;
        if frame == 12 {
            let (eye, head) = (off(&mut player, EYE, BESIDE), off(&mut player, HEAD, BESIDE));
            assert!(eye < head, "the eye leads: {eye}, {head}");
        }
    }
    assert!(off(&mut player, EYE, BESIDE) < 1e-3);
    let (spine, head) = (facing(&mut player, SPINE), facing(&mut player, HEAD));
    let (spine, head) = (spine.angle_between(Quat::IDENTITY), head.angle_between(Quat::IDENTITY));
    assert!(spine > 0.1 && spine < 0.4 && head > 2.0 * spine, "{spine}, {head}");
    assert!(!player.is_moving());

    player.set_gaze_target("gaze", None).unwrap();
    pass(&mut player, 3.0, 60.0);
    assert_eq!(matrices(&mut player), rest);
    assert!(!player.is_moving());
}

#[test]
fn a_gaze_turns_alike_at_every_frame_rate() {
    let mut ends = Vec::new();
    for rate in [30.0, 60.0, 144.0] {
        let mut player = person();
        player.set_gaze("gaze", &gaze(), &smooth(0.15)).unwrap();
        player.set_gaze_target("gaze", Some(BESIDE)).unwrap();
        pass(&mut player, 0.5, rate);
        ends.push([SPINE, NECK, HEAD, EYE].map(|node| facing(&mut player, node)));
    }
    for end in &ends[1..] {
        for (found, expected) in end.iter().zip(&ends[0]) {
            // Where a turn passes from its speed to its smoothing, a frame of either is between the two.
            let apart = found.angle_between(*expected);
            assert!(apart < 0.03, "{apart}");
        }
    }
}

#[test]
fn limits_of_a_gaze_hold_for_what_is_behind() {
    let mut player = person();
    player.set_gaze("gaze", &gaze(), &AT_ONCE).unwrap();
    player.set_gaze_target("gaze", Some(Vec3::new(0.1, 1.7, -4.0))).unwrap();
    pass(&mut player, 3.0, 60.0);
    let turns = matrices(&mut player);
    for (node, above, limit) in [(SPINE, HIPS, 0.5), (NECK, SPINE, 0.8), (HEAD, NECK, 1.2), (EYE, HEAD, 0.6)]
    {
        let turn = (turns[above].inverse() * turns[node]).to_scale_rotation_translation().1;
        let turn = turn.angle_between(Quat::IDENTITY);
        assert!(turn < limit + 1e-3, "{node}: {turn}");
    }
}

fn on_feet(options: &ConstraintOptions) -> Player {
    let mut player = person();
    player.set_feet("feet", at(HIPS), &[at(LEFT_FOOT), at(RIGHT_FOOT)], options).unwrap();
    player
}

#[test]
fn on_flat_ground_feet_change_no_bit() {
    let mut player = person();
    let rest = matrices(&mut player);
    player.set_feet("feet", at(HIPS), &[at(LEFT_FOOT), at(RIGHT_FOOT)], &AT_ONCE).unwrap();
    assert_eq!(matrices(&mut player), rest);
    assert!(!player.is_moving());
}

#[test]
fn feet_stand_on_their_ground_and_the_hips_follow_the_lower_one() {
    let mut player = on_feet(&AT_ONCE);
    let rest = matrices(&mut player);
    let slope = Vec3::new(0.3, 1.0, 0.2).normalize();
    player.set_ground("feet", at(LEFT_FOOT), 0.2, slope).unwrap();
    player.set_ground("feet", at(RIGHT_FOOT), -0.15, Vec3::Y).unwrap();
    let posed = matrices(&mut player);
    let moved = |node: usize| (posed[node].w_axis - rest[node].w_axis).truncate();
    for (node, expected) in [(HIPS, -0.15), (LEFT_FOOT, 0.2), (RIGHT_FOOT, -0.15)] {
        assert!(moved(node).distance(Vec3::Y * expected) < 1e-4, "{node}: {}", moved(node));
    }
    assert!(posed[LEFT_FOOT].y_axis.truncate().distance(slope) < 1e-4);
    assert!(posed[RIGHT_FOOT].y_axis.truncate().distance(Vec3::Y) < 1e-4);

    player.fade_constraint("feet", 0.5, 0.0, Easing::Linear).unwrap();
    let half = place_of(&mut player, 0, LEFT_FOOT) - rest[LEFT_FOOT].w_axis.truncate();
    assert!(half.distance(Vec3::Y * 0.1) < 1e-4, "{half}");
}

#[test]
fn the_ground_is_y_0_of_the_world_and_each_character_can_have_its_own() {
    let mut player = on_feet(&AT_ONCE);
    let world_from_model = [0.0, 0.3].map(|y| {
        Affine3A::from_scale_rotation_translation(Vec3::splat(2.0), Quat::from_rotation_y(1.0), Vec3::Y * y)
    });
    player.crowd(2, &Crowd { world_from_model: world_from_model.to_vec(), ..Crowd::default() }).unwrap();
    for character in 0..2 {
        let foot = place_of(&mut player, character, LEFT_FOOT).y;
        assert!(foot.abs() < 1e-4, "character {character} stands on y = 0: {foot}");
    }
    let set = |player: &mut Player| player.set_ground("feet", at(LEFT_FOOT), 0.25, Vec3::Y);
    player.alone(1, set).unwrap().unwrap();
    let feet = [0, 1].map(|character| place_of(&mut player, character, LEFT_FOOT).y);
    assert!(feet[0].abs() < 1e-4 && (feet[1] - 0.25).abs() < 1e-4, "{feet:?}");
}

#[test]
fn smoothed_ground_rises_alike_at_every_frame_rate() {
    for rate in [30.0, 60.0, 144.0] {
        let mut player = on_feet(&smooth(0.1));
        let start = place_of(&mut player, 0, LEFT_FOOT).y;
        player.set_ground("feet", at(LEFT_FOOT), 0.2, Vec3::Y).unwrap();
        pass(&mut player, 0.5, rate);
        let risen = place_of(&mut player, 0, LEFT_FOOT).y - start;
        let expected = 0.2 * (1.0 - (-5.0_f32).exp());
        assert!((risen - expected).abs() < 1e-4, "{rate}: {risen} ≠ {expected}");
        pass(&mut player, 3.0, rate);
        assert!(!player.is_moving());
    }
}

#[test]
fn feet_chains_gazes_looks_and_reaches_work_together() {
    let mut player = on_feet(&AT_ONCE);
    player.set_chain("arm", &arm(), &AT_ONCE).unwrap();
    player.set_gaze("gaze", &gaze(), &AT_ONCE).unwrap();
    player.set_ground("feet", at(LEFT_FOOT), -0.2, Vec3::Y).unwrap();
    player.set_gaze_target("gaze", Some(BESIDE)).unwrap();
    let target = TARGET - Vec3::Y * 0.2;
    player.set_goal("arm", at(HAND), Some(target), 1.0).unwrap();
    player.play(player.find_clip("sway").unwrap(), &PlayOptions::default()).unwrap();
    pass(&mut player, 2.0, 60.0);
    assert!(hand(&mut player).distance(target) < 1e-4);
    assert!(off(&mut player, EYE, BESIDE) < 1e-2);
    assert!((place_of(&mut player, 0, LEFT_FOOT).y + 0.2).abs() < 1e-4);
}

#[test]
fn the_same_calls_give_the_same_bits() {
    let run = || {
        let mut player = on_feet(&smooth(0.1));
        player.set_chain("arm", &arm(), &smooth(0.1)).unwrap();
        player.set_gaze("gaze", &gaze(), &fading(0.2)).unwrap();
        player.play(player.find_clip("sway").unwrap(), &PlayOptions::default()).unwrap();
        let mut all = Vec::new();
        for frame in 0..90 {
            let along = Vec3::X * frame as f32 * 0.01;
            player.set_goal("arm", at(HAND), Some(TARGET + along), 1.0).unwrap();
            player.set_gaze_target("gaze", Some(BESIDE - along)).unwrap();
            player.set_ground("feet", at(LEFT_FOOT), along.x * 0.2, Vec3::Y).unwrap();
            pass(&mut player, 1.0 / 60.0, 60.0);
            all.push(matrices(&mut player));
        }
        all
    };
    assert_eq!(run(), run());
}

#[test]
fn wrong_calls_are_refused_with_a_code_and_change_nothing() {
    let mut player = on_feet(&AT_ONCE);
    player.set_chain("arm", &arm(), &AT_ONCE).unwrap();
    player.set_gaze("gaze", &gaze(), &AT_ONCE).unwrap();
    player.set_goal("arm", at(HAND), Some(TARGET), 1.0).unwrap();
    let before = matrices(&mut player);
    let chain = |root: usize, tip: usize| ChainOptions::new(at(root), at(tip));
    let limit = |axis: Vec3, swing_radians: f32, twist_radians: [f32; 2]| ChainOptions {
        limits: vec![(at(ELBOW), JointLimit { axis, swing_radians, twist_radians })],
        ..arm()
    };
    let elsewhere = ChainOptions {
        limits: vec![(at(HEAD), JointLimit { axis: Vec3::Y, swing_radians: 1.0, twist_radians: [0.0, 1.0] })],
        ..arm()
    };
    let nan_look = GazeJoint { forward: Some(Vec3::NAN), ..GazeJoint::new(at(HEAD), 1.0) };
    let no_look = GazeJoint { forward: Some(Vec3::ZERO), ..GazeJoint::new(at(HEAD), 1.0) };
    let backwards = GazeJoint { speed_radians_per_sec: Some(-1.0), ..GazeJoint::new(at(HEAD), 1.0) };
    let feet = [at(LEFT_FOOT)];
    let zero = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    let slow = ChainOptions { speed_radians_per_sec: f32::NAN, ..arm() };
    let found: Vec<(&str, Result<(), PlayerError>)> = vec![
        ("NO_CHAIN", player.set_chain("arm", &chain(HAND, SHOULDER), &AT_ONCE)),
        ("NO_CHAIN", player.set_chain("arm", &chain(HAND, HAND), &AT_ONCE)),
        ("NO_CHAIN", player.set_chain("arm", &chain(HEAD, HAND), &AT_ONCE)),
        ("NO_CHAIN", player.set_chain("arm", &elsewhere, &AT_ONCE)),
        ("UNKNOWN_NODE", player.set_chain("arm", &chain(HEAD, 99), &AT_ONCE)),
        ("NOT_FINITE", player.set_chain("arm", &slow, &AT_ONCE)),
        ("NOT_FINITE", player.set_chain("arm", &limit(Vec3::NAN, 1.0, [0.0, 1.0]), &AT_ONCE)),
        ("OUT_OF_RANGE", player.set_chain("arm", &limit(Vec3::ZERO, 1.0, [0.0, 1.0]), &AT_ONCE)),
        ("OUT_OF_RANGE", player.set_chain("arm", &limit(Vec3::Y, -1.0, [0.0, 1.0]), &AT_ONCE)),
        ("OUT_OF_RANGE", player.set_chain("arm", &limit(Vec3::Y, 1.0, [1.0, 0.0]), &AT_ONCE)),
        ("OUT_OF_RANGE", player.set_chain("arm", &arm(), &ConstraintOptions { weight: 1.1, ..AT_ONCE })),
        ("NOT_FINITE", player.set_chain("arm", &arm(), &fading(f64::NAN))),
        ("OUT_OF_RANGE", player.set_chain("arm", &arm(), &smooth(-1.0))),
        ("UNKNOWN_CONSTRAINT", player.set_goal("leg", at(HAND), Some(TARGET), 1.0)),
        ("UNKNOWN_CONSTRAINT", player.set_goal("gaze", at(HAND), Some(TARGET), 1.0)),
        ("NO_CHAIN", player.set_goal("arm", at(SHOULDER), Some(TARGET), 1.0)),
        ("NO_CHAIN", player.set_goal("arm", at(HEAD), Some(TARGET), 1.0)),
        ("UNKNOWN_NODE", player.set_goal("arm", at(99), Some(TARGET), 1.0)),
        ("NOT_FINITE", player.set_goal("arm", at(HAND), Some(Vec3::NAN), 1.0)),
        ("OUT_OF_RANGE", player.set_goal("arm", at(HAND), Some(TARGET), 2.0)),
        ("OUT_OF_RANGE", player.set_tip_rotation("arm", Some(zero))),
        ("UNKNOWN_CONSTRAINT", player.set_tip_rotation("feet", None)),
        ("UNKNOWN_NODE", player.set_gaze("gaze", &[GazeJoint::new(at(99), 1.0)], &AT_ONCE)),
        ("OUT_OF_RANGE", player.set_gaze("gaze", &[GazeJoint::new(at(HEAD), 2.0)], &AT_ONCE)),
        ("NOT_FINITE", player.set_gaze("gaze", &[nan_look], &AT_ONCE)),
        ("OUT_OF_RANGE", player.set_gaze("gaze", &[no_look], &AT_ONCE)),
        ("OUT_OF_RANGE", player.set_gaze("gaze", &[backwards], &AT_ONCE)),
        ("UNKNOWN_CONSTRAINT", player.set_gaze_target("arm", None)),
        ("NOT_FINITE", player.set_gaze_target("gaze", Some(Vec3::INFINITY))),
        ("NO_LIMB", player.set_feet("feet", at(0), &[at(HIPS)], &AT_ONCE)),
        ("NO_CHAIN", player.set_feet("feet", at(SPINE), &feet, &AT_ONCE)),
        ("UNKNOWN_NODE", player.set_feet("feet", at(99), &feet, &AT_ONCE)),
        ("NO_CHAIN", player.set_ground("feet", at(HAND), 0.0, Vec3::Y)),
        ("OUT_OF_RANGE", player.set_ground("feet", at(LEFT_FOOT), 0.0, Vec3::ZERO)),
        ("NOT_FINITE", player.set_ground("feet", at(LEFT_FOOT), f32::NAN, Vec3::Y)),
        ("UNKNOWN_CONSTRAINT", player.fade_constraint("leg", 1.0, 0.0, Easing::Linear)),
        ("OUT_OF_RANGE", player.fade_constraint("arm", -1.0, 0.0, Easing::Linear)),
        ("NOT_FINITE", player.remove_constraint("arm", f64::INFINITY)),
        ("NO_MODEL", Player::new().set_chain("arm", &arm(), &AT_ONCE)),
        ("NO_MODEL", Player::new().remove_constraint("arm", 0.0)),
    ];
    for (nth, (code, result)) in found.into_iter().enumerate() {
        let error = result.expect_err(code);
        assert_eq!(error.code(), code, "call {nth}: {error}");
    }
    assert_eq!(player.constraint_names(), ["feet", "arm", "gaze"]);
    assert_eq!(matrices(&mut player), before);
    // Another model has no constraints.
    let rig = player.rig().unwrap().clone();
    player.show(rig, ImportReport::default());
    assert!(player.constraint_names().is_empty());
}

#[test]
fn a_ninth_goal_is_refused() {
    let parts: Vec<(Option<usize>, Srt)> = (0..12)
        .map(|index: usize| (index.checked_sub(1), Srt { translation: Vec3::Y, ..Srt::IDENTITY }))
        .collect();
    let mut player = Player::new();
    player.show(Arc::new(Rig::new(Arc::new(model(nodes(&parts), Vec::new())))), ImportReport::default());
    player.set_chain("tail", &ChainOptions::new(at(0), at(11)), &AT_ONCE).unwrap();
    for node in 1..=8 {
        player.set_goal("tail", NodeIndex::new(node), Some(TARGET), 1.0).unwrap();
    }
    let refused = player.set_goal("tail", at(9), Some(TARGET), 1.0).unwrap_err();
    assert_eq!(refused.code(), "OUT_OF_RANGE");
    player.set_goal("tail", at(1), None, 1.0).unwrap();
    player.set_goal("tail", at(9), Some(TARGET), 1.0).unwrap();
    assert!(player.world_matrices(0).unwrap().iter().all(|matrix| matrix.is_finite()));
}
