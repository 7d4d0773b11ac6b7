//! The bounds that a camera frames: they contain every vertex of every pose, with little space to spare.

use crate::support::made_model::{clip, first_clip, model, moved, nodes, rig, track};
use gambol::animation::Rig;
use gambol::import::ImportReport;
use gambol::model::{
    Aabb, ClipIndex, Interpolation, Mesh, MeshIndex, MorphTarget, Primitive, Srt, TrackValues,
};
use gambol::playback::{Crossing, PlayOptions};
use gambol::player::{Crowd, Player};
use glam::{Affine3A, Quat, Vec3};
use std::f32::consts::FRAC_PI_2;
use std::sync::Arc;

/// Returns a rod one unit long that starts at its node's origin. The node turns nearly half around between two
/// keys.
fn turning_rod() -> Rig {
    let half_turn = vec![Quat::IDENTITY, Quat::from_rotation_z(3.0)];
    let turning = track(0, Interpolation::Linear, &[0.0, 1.0], TrackValues::Rotation(half_turn));
    let mut model = model(nodes(&[(None, Srt::IDENTITY)]), vec![clip("turn", vec![turning])]);
    let rod = Primitive { positions: vec![Vec3::ZERO, Vec3::X], indices: vec![0, 1], ..Primitive::default() };
    model.meshes.push(Mesh { primitives: vec![rod], ..Mesh::default() });
    model.nodes[0].mesh = Some(MeshIndex::new(0));
    rig(model)
}

fn bounds(rig: &Rig, clip: Option<ClipIndex>) -> Option<Aabb> {
    rig.sweep(clip).map(|sweep| sweep.bounds)
}

#[test]
fn the_rest_pose_is_held_exactly() {
    assert_eq!(bounds(&turning_rod(), None), Some(Aabb { min: Vec3::ZERO, max: Vec3::X }));
}

#[test]
#[expect(non_snake_case, reason = "named after the capability it shows")]
fn S17_what_a_camera_frames_follows_the_vertices_and_not_the_root() {
    // Root at the feet, as in a walking character; in the middle, as in a flying one; and far above.
    for height in [0.0, 0.5, 20.0] {
        let mut model = turning_rod().model().as_ref().clone();
        model.nodes[0].rest.translation = Vec3::Y * height;
        for position in &mut model.meshes[0].primitives[0].positions {
            *position -= Vec3::Y * height;
        }
        assert_eq!(bounds(&rig(model), None), Some(Aabb { min: Vec3::ZERO, max: Vec3::X }));
    }
}

#[test]
fn what_swings_out_between_two_keys_is_inside() {
    let bounds = bounds(&turning_rod(), Some(first_clip())).expect("a rod");
    assert!(bounds.max.y > 0.99 && bounds.max.y < 1.001, "{bounds:?}");
}

#[test]
fn a_morph_counts_with_the_weight_that_it_has() {
    let mut model = turning_rod().model().as_ref().clone();
    let mesh = &mut model.meshes[0];
    let displaced = |z| MorphTarget { positions: vec![Vec3::Z * z; 2], ..MorphTarget::default() };
    mesh.primitives[0].morph_targets = vec![displaced(1.0), displaced(-2.0)];
    mesh.morph_target_names = vec![String::new(); 2];
    model.nodes[0].rest_morph_weights = vec![3.0, 0.0];
    let bounds = bounds(&rig(model), None).expect("a rod");
    assert_eq!((bounds.min.z, bounds.max.z), (3.0, 3.0));
}

#[test]
fn framing_makes_room_for_whatever_a_controller_may_play() {
    let mut model = turning_rod().model().as_ref().clone();
    let lift = TrackValues::Translation(vec![Vec3::ZERO, Vec3::Y * 500.0]);
    model.clips.push(clip("leap", vec![track(0, Interpolation::Linear, &[0.0, 1.0], lift)]));
    let mut player = Player::new();
    player.show(Arc::new(Rig::new(Arc::new(model))), ImportReport::default());
    player.play(ClipIndex::new(0), &PlayOptions::default()).unwrap();
    player.frame(1.0);
    let standing = player.bounds().expect("something is drawn");
    let controller = r#"{ "parameters": { "jump": "trigger" }, "layers": [ { "start": "Stand",
        "states": { "Stand": { "clip": 0 }, "Leap": { "mix": [ { "weight": 1, "clip": "leap" } ] } },
        "transitions": [ { "from": "Stand", "to": "Leap", "when": { "jump": true } } ] } ] }"#;
    player.set_controller(Some(controller)).unwrap();
    player.frame(1.0);
    let leaping = player.bounds().expect("something is drawn");
    assert!(leaping.max.y > standing.max.y + 100.0, "{leaping:?} is no larger than {standing:?}");
}

#[test]
#[expect(non_snake_case, reason = "named after the capability it shows")]
fn S77_a_skeleton_alone_is_framed_by_its_joints_wherever_a_clip_takes_them() {
    let turn = Quat::from_rotation_z(3.0);
    let track =
        track(0, Interpolation::Linear, &[0.0, 1.0], TrackValues::Rotation(vec![Quat::IDENTITY, turn]));
    let bare = rig(model(
        nodes(&[(None, Srt::IDENTITY), (Some(0), moved(Vec3::X)), (Some(1), moved(Vec3::X))]),
        vec![clip("turn", vec![track])],
    ));
    let rest = bounds(&bare, None).unwrap();
    assert_eq!((rest.min, rest.max), (Vec3::ZERO, Vec3::X * 2.0));
    let swept = bounds(&bare, Some(first_clip())).unwrap();
    assert!(swept.min.x < -1.97 && swept.max.x > 1.99 && swept.max.y > 1.97, "{swept:?}");
    let point = rig(model(nodes(&[(None, moved(Vec3::Y))]), Vec::new()));
    assert_eq!(bounds(&point, None), None, "a point has no size to frame");
}

/// Returns a player with the rod and one clip for each height.
fn rod_at(heights: &[f32]) -> Player {
    let mut model = turning_rod().model().as_ref().clone();
    model.clips = heights
        .iter()
        .map(|&height| {
            let kept = TrackValues::Translation(vec![Vec3::Y * height; 2]);
            clip("kept", vec![track(0, Interpolation::Linear, &[0.0, 1.0], kept)])
        })
        .collect();
    let mut player = Player::new();
    player.show(Arc::new(rig(model)), ImportReport::default());
    player
}

#[test]
fn the_floor_is_where_what_plays_touches_it_and_goes_along_with_a_fade() {
    for crossing in [Crossing::Fade, Crossing::Inertia, Crossing::DeadBlending] {
        let mut player = rod_at(&[0.5, -2.0]);
        assert_eq!(player.floor(), Some(0.0), "of the rest pose");
        player.play(ClipIndex::new(0), &PlayOptions::default()).unwrap();
        assert_eq!(player.floor(), Some(0.5));
        let options = PlayOptions { fade_secs: 1.0, crossing, ..PlayOptions::default() };
        player.play(ClipIndex::new(1), &options).unwrap();
        let mut before = 0.5;
        for step in 1..=10 {
            player.advance(0.1).unwrap();
            let floor = player.floor().unwrap();
            // Linear, but for dead blending: its weight is smooth.
            let least = if crossing == Crossing::DeadBlending { 0.01 } else { 0.249 };
            assert!((least..0.5 - least).contains(&(before - floor)), "{crossing:?}, step {step}: {floor}");
            before = floor;
        }
        // The current clip counts, not the previous one.
        player.play(ClipIndex::new(0), &PlayOptions::default()).unwrap();
        assert_eq!(player.floor(), Some(0.5));
        let bounds = player.bounds().unwrap();
        assert_eq!((bounds.min.y, bounds.max.y), (0.5, 0.5));
        player.stop();
        assert_eq!(player.floor(), Some(0.0));
    }
}

#[test]
fn the_floor_is_under_the_lowest_of_a_crowd_however_it_stands() {
    let mut player = rod_at(&[0.5]);
    let lifted = Affine3A::from_translation(Vec3::Y * 3.0);
    let hanging = Affine3A::from_rotation_z(-FRAC_PI_2) * Affine3A::from_scale(Vec3::splat(2.0));
    let crowd = |places: &[Affine3A]| Crowd { world_from_model: places.to_vec(), ..Crowd::default() };
    player.crowd(2, &crowd(&[lifted, lifted])).unwrap();
    assert_eq!(player.floor(), Some(3.0));
    player.crowd(2, &crowd(&[lifted, hanging])).unwrap();
    assert!((player.floor().unwrap() + 2.0).abs() < 1e-5);
}

#[test]
fn a_vertex_that_touches_the_ground_for_a_moment_is_found() {
    // At the lowest height for less than an 80th of the clip, between the times that are sampled first.
    let keys = [0.0, 5.013, 5.05, 5.087, 10.0];
    let heights = [0.1, 0.1, 0.0, 0.1, 0.1].map(|height| Vec3::Y * height);
    let mut model = turning_rod().model().as_ref().clone();
    let mut tracks = vec![track(0, Interpolation::Linear, &keys, TrackValues::Translation(heights.to_vec()))];
    // More keys than are sampled one by one.
    let many: Vec<f32> = (0..=1000).map(|key| key as f32 / 100.0).collect();
    let scales = TrackValues::Scale(vec![Vec3::ONE; many.len()]);
    tracks.insert(0, track(0, Interpolation::Linear, &many, scales));
    model.clips = vec![clip("stamp", tracks)];
    let rig = rig(model);
    let lowest = rig.sweep(Some(first_clip())).unwrap().lowest;
    assert!((0.0..0.02).contains(&lowest), "{lowest}");
}
