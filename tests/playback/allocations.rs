//! Steady playback allocates no memory: a counting global allocator covers sampling, posing, fades, crowds and
//! layers.

use crate::support::allocator::allocations;
use crate::support::doll::doll;
use crate::support::made_model::{Random, any_model, foxlike, slider};
use crate::support::tail::{pulled, tail};
use gambol::animation::{
    ChainOptions, ClipCursor, DeadBlending, GazeJoint, Inertia, LocalPose, Mask, MaskEntry, ModelPose,
    RagdollOptions, Rig, RootTrack, blend_into, blend_masked_into, skeleton_lines,
};
use gambol::import::ImportReport;
use gambol::model::{Clip, ClipIndex, NodeIndex};
use gambol::playback::{Crossing, Easing, LayerOptions, Marker, PlayOptions, RootMotion, SyncGroup};
use gambol::player::{ConstraintOptions, Crowd, NodeOverride, Player};
use glam::{Affine3A, Quat, Vec3, Vec4};
use std::sync::Arc;

#[test]
fn the_counter_sees_an_allocation() {
    assert_eq!(allocations(|| drop(std::hint::black_box(vec![1, 2, 3]))), 1);
}

#[test]
fn sampling_blending_posing_and_the_palette_allocate_nothing() {
    let made_up = (0..20).map(|seed| any_model(&mut Random::new(seed)));
    for model in made_up.chain([foxlike()]) {
        let rig = Rig::new(Arc::new(model));
        let clips: Vec<_> = (0..rig.model().clips.len()).map(ClipIndex::new).collect();
        let (mut pose, mut other) = (LocalPose::rest(&rig), LocalPose::rest(&rig));
        let mut cursor = ClipCursor::default();
        let mut posed = ModelPose::new(&rig);
        let mut rows = vec![Vec4::ZERO; rig.palette_layout().rows_per_character];
        let mut lines = Vec::new();
        let (mut over, mut sum) = (pose.clone(), pose.clone());
        let half = MaskEntry { node: NodeIndex::new(0), weight: 0.5, subtree: true };
        let mask = Mask::new(&rig, &[half]);
        let mut inertia = Inertia::new(&rig);
        let mut dead_blending = DeadBlending::new(&rig);
        let roots: Vec<_> =
            clips.iter().map(|&clip| RootTrack::new(&rig, clip, NodeIndex::new(0), 0.0)).collect();
        let mut frame = |time_secs: f32| {
            for &clip in &clips {
                rig.sample_into(clip, time_secs, &mut cursor, &mut pose);
                rig.sample_into(clip, time_secs * 0.7, &mut cursor, &mut other);
                blend_into(&mut pose, &other, 0.3);
                rig.sample_over(clip, time_secs, &mut cursor, &pose, &mut over);
                rig.add_over(clip, time_secs, &mut cursor, &other, &over, &mut sum);
                blend_masked_into(&mut pose, &sum, 0.7, &mask);
                inertia.start([&pose, &sum], [&over, &other], 0.01, 0.5);
                inertia.apply(0.1, &mut pose);
                dead_blending.start([&pose, &sum], &over, 0.01);
                dead_blending.apply(0.1, 0.3, &mut pose);
                roots[clip.get()].pin(&mut pose);
                std::hint::black_box(roots[clip.get()].travel(0.0, time_secs.into()));
                rig.resolve_into(&pose, &mut posed);
                rig.palette_into(&pose, &posed, &Affine3A::IDENTITY, &mut rows);
                skeleton_lines(&rig, &posed, &mut lines);
            }
        };
        // The first frame compiles the clips and gives every buffer its size.
        frame(0.0);
        // Jumps forwards and backwards, with a switch of clips within each frame.
        let steady = allocations(|| (0..1000).for_each(|step| frame((step * 37 % 400) as f32 * 0.01)));
        assert_eq!(steady, 0);
    }
}

fn allocations_of_frames(player: &mut Player, frame_count: usize) -> usize {
    allocations(|| {
        for _ in 0..frame_count {
            player.advance(1.0 / 60.0).unwrap();
            player.pose();
            player.drain_events().for_each(drop);
        }
    })
}

fn playing() -> Player {
    let mut player = Player::new();
    player.show(Arc::new(Rig::new(Arc::new(slider()))), ImportReport::default());
    player.play(ClipIndex::new(0), &PlayOptions::default()).unwrap();
    allocations_of_frames(&mut player, 2);
    player
}

#[test]
#[allow(non_snake_case)]
fn S86_one_character_allocates_nothing_through_loops() {
    let mut player = playing();
    // Five passes: the first loop event has allocated the event buffer.
    allocations_of_frames(&mut player, 300);
    assert_eq!(allocations_of_frames(&mut player, 600), 0);
}

#[test]
fn a_crossfade_allocates_nothing_once_it_runs() {
    let mut player = playing();
    player.play(ClipIndex::new(1), &PlayOptions { fade_secs: 2.0, ..PlayOptions::default() }).unwrap();
    allocations_of_frames(&mut player, 1);
    assert_eq!(allocations_of_frames(&mut player, 100), 0);
}

#[test]
fn a_crowd_allocates_nothing() {
    let mut player = playing();
    player.crowd(100, &Crowd::default()).unwrap();
    allocations_of_frames(&mut player, 300);
    assert_eq!(allocations_of_frames(&mut player, 300), 0);
}

#[test]
fn members_by_themselves_and_looks_that_follow_allocate_nothing() {
    let mut player = playing();
    player.crowd(10, &Crowd::default()).unwrap();
    player.set_tint(3, Vec4::new(1.0, 0.5, 0.5, 1.0)).unwrap();
    player.set_present(4, false).unwrap();
    let slower = |player: &mut Player| {
        player.play(ClipIndex::new(1), &PlayOptions::default()).unwrap();
        player.set_playback_rate(0.5)
    };
    player.alone(5, slower).unwrap().unwrap();
    player.look_at(NodeIndex::new(0), Some(Vec3::ONE), None, None, 1.0, Some(0.3)).unwrap();
    // Ten seconds: the slowest character has emitted its first loop event.
    allocations_of_frames(&mut player, 600);
    let mut frame = |nth: usize| {
        let place = Affine3A::from_translation(Vec3::X * nth as f32);
        player.set_place(nth % 10, place).unwrap();
        player.set_tint(nth % 10, Vec4::splat(nth as f32 / 300.0)).unwrap();
        allocations_of_frames(&mut player, 1);
    };
    assert_eq!(allocations(|| (0..300).for_each(&mut frame)), 0);
}

#[test]
fn constraints_whose_goals_move_allocate_nothing() {
    let mut player = Player::new();
    player.show(Arc::new(Rig::new(Arc::new(foxlike()))), ImportReport::default());
    player.play(ClipIndex::new(0), &PlayOptions::default()).unwrap();
    player.crowd(3, &Crowd::default()).unwrap();
    let node = NodeIndex::new;
    let options = ConstraintOptions { fade_secs: 20.0, smoothing_secs: 0.1, ..ConstraintOptions::default() };
    player.set_chain("leg", &ChainOptions::new(node(4), node(11)), &options).unwrap();
    let gaze = [GazeJoint::new(node(3), 0.3), GazeJoint::new(node(5), 1.0)];
    player.set_gaze("gaze", &gaze, &options).unwrap();
    player.set_feet("feet", node(2), &[node(11), node(15)], &options).unwrap();
    let mut frame = |nth: usize| {
        let target = Vec3::new(nth as f32 * 0.01, 1.0, 0.5);
        player.set_goal("leg", node(11), Some(target), 1.0).unwrap();
        player.set_goal("leg", node(8 + nth % 3), (nth % 7 > 2).then_some(target), 0.5).unwrap();
        player.set_tip_rotation("leg", Some(Quat::from_rotation_y(target.x))).unwrap();
        player.set_gaze_target("gaze", (nth % 50 > 5).then_some(target)).unwrap();
        player.set_ground("feet", node(11), target.x * 0.1, Vec3::Y).unwrap();
        player.fade_constraint("gaze", 0.5, 1.0, Easing::Smooth).unwrap();
        allocations_of_frames(&mut player, 1);
    };
    (0..600).for_each(&mut frame);
    assert_eq!(allocations(|| (600..1200).for_each(&mut frame)), 0);
}

#[test]
fn springs_allocate_nothing_once_they_are_placed() {
    let mut player = Player::new();
    player.show(Arc::new(Rig::new(Arc::new(pulled(tail(), 0.5)))), ImportReport::default());
    player.play(ClipIndex::new(0), &PlayOptions::default()).unwrap();
    player.crowd(10, &Crowd::default()).unwrap();
    allocations_of_frames(&mut player, 300);
    let mut frame = |nth: usize| {
        let jump = if nth.is_multiple_of(50) { 100.0 } else { 0.01 };
        player.set_place(nth % 10, Affine3A::from_translation(Vec3::X * nth as f32 * jump)).unwrap();
        player.set_wind(Vec3::Z * (nth % 7) as f32).unwrap();
        allocations_of_frames(&mut player, 1);
    };
    assert_eq!(allocations(|| (0..300).for_each(&mut frame)), 0);
}

#[test]
fn ragdolls_allocate_nothing_once_they_fall() {
    let mut player = Player::new();
    player.show(Arc::new(Rig::new(Arc::new(doll(&mut Random::new(1))))), ImportReport::default());
    player.play(ClipIndex::new(0), &PlayOptions::default()).unwrap();
    player.crowd(5, &Crowd::default()).unwrap();
    let arm = player.find_node("LeftUpperArm").unwrap();
    let mask = vec![MaskEntry { node: arm, weight: 1.0, subtree: true }];
    let part = RagdollOptions { mask, ..RagdollOptions::default() };
    player.start_ragdoll(&RagdollOptions::default()).unwrap();
    player.alone(2, |player| player.start_ragdoll(&part)).unwrap().unwrap();
    allocations_of_frames(&mut player, 60);
    let mut frame = |nth: usize| {
        player.push_ragdoll(arm, Vec3::Y * (nth % 7) as f32).unwrap();
        if nth == 200 {
            player.stop_ragdoll(1.0).unwrap();
        }
        allocations_of_frames(&mut player, 1);
    };
    assert_eq!(allocations(|| (0..300).for_each(&mut frame)), 0);
}

/// Combines every feature: a crowd in a crossfade of beat-synchronized blends, extracted root motion, markers, a
/// masked layer that fades, an additive layer, a state machine that waits, and a joint and a parameter set by hand.
#[test]
fn layers_blends_fades_beats_and_root_motion_allocate_nothing() {
    let mut player = Player::new();
    let mut model = foxlike();
    model.clips.push(Clip { name: "the same".to_owned(), ..model.clips[0].clone() });
    player.show(Arc::new(Rig::new(Arc::new(model))), ImportReport::default());
    let clips = player.model().unwrap().clips.len();
    for clip in (0..clips).map(ClipIndex::new) {
        let duration_secs = f64::from(player.model().unwrap().clip(clip).duration_secs);
        player.set_beats(clip, vec![duration_secs * 0.1, duration_secs * 0.6]).unwrap();
        player
            .set_markers(clip, vec![Marker { name: "step".into(), time_secs: duration_secs * 0.5 }])
            .unwrap();
        player.set_root_motion(clip, RootMotion::Extract).unwrap();
    }
    let machine = r#"{ "parameters": { "speed": 0.4, "go": false }, "layers": [
        { "name": "base", "start": "Move", "states": { "Move": { "clip": 0 }, "Else": { "clip": 1 } },
          "transitions": [ { "from": "Move", "to": "Else", "when": { "go": true }, "exit": 0.5 } ] },
        { "name": "adding", "mode": "add", "start": "Sway", "states": { "Sway": { "clip": 1 } } } ] }"#;
    player.set_controller(Some(machine)).unwrap();
    player.crowd(3, &Crowd::default()).unwrap();
    let mask = vec![MaskEntry { node: NodeIndex::new(2), weight: 0.7, subtree: true }];
    let layer = player.set_layer("upper", &LayerOptions { mask, ..LayerOptions::default() }).unwrap();
    let blend = r#"{ "along": "speed", "motions": [ { "at": 0, "clip": 0 }, { "at": 1, "clip": 1 } ] }"#;
    let blend = player.read_source(blend).unwrap();
    let options =
        PlayOptions { fade_secs: 30.0, sync: Some(SyncGroup::named("feet")), ..PlayOptions::default() };
    for _ in 0..2 {
        player.play_in(layer, &blend, &options).unwrap();
    }
    player.play_in(layer, &blend, &PlayOptions { crossing: Crossing::Inertia, ..options }).unwrap();
    let dead_blending = PlayOptions { crossing: Crossing::DeadBlending, ..options };
    player.play_in(gambol::playback::LayerIndex::BASE, &blend, &dead_blending).unwrap();
    player.fade_layer(layer, 0.5, 40.0, Easing::Smooth).unwrap();
    let node_override =
        NodeOverride { rotation: Some(Quat::from_rotation_x(0.1)), ..NodeOverride::default() };
    player.set_node(NodeIndex::new(3), &node_override).unwrap();
    // Every clip has looped, so the event buffers have reached their size.
    allocations_of_frames(&mut player, 600);
    let steady = allocations(|| {
        for frame in 0..600 {
            player.set_parameter("speed", frame as f32 / 600.0).unwrap();
            player.advance(1.0 / 60.0).unwrap();
            player.pose();
            player.take_travel(0).unwrap();
            player.drain_events().for_each(drop);
        }
    });
    assert_eq!(steady, 0);
}
