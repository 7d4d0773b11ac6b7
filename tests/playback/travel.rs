//! Root motion through the player: what is pinned, what is returned as travel, and that both together equal the
//! clip.

use crate::support::made_model::{clip, model, moved, node, track, turned};
use gambol::animation::{Rig, Travel};
use gambol::import::ImportReport;
use gambol::model::{ClipIndex, Interpolation, Model, TrackValues};
use gambol::playback::{LayerIndex, Looping, PlayOptions, RootMotion};
use gambol::player::Player;
use glam::{Mat4, Quat, Vec3};
use std::sync::Arc;

fn stride() -> ClipIndex {
    ClipIndex::new(0)
}

/// Returns a model with hips, and a foot on them, under an armature rotated as Blender's exporters rotate it.
///
/// ```text
/// stride   1 s   two units ahead (z), bobbing             turn   2 s   a unit ahead and a quarter turn to the left
/// ```
fn walker() -> Model {
    let lying = Quat::from_rotation_x(-std::f32::consts::FRAC_PI_2);
    let from_model = lying.inverse();
    let at = |x: f32, y: f32, z: f32| from_model * Vec3::new(x, y, z);
    let quarter = from_model * Quat::from_rotation_y(std::f32::consts::FRAC_PI_2) * lying;
    let ahead = |times: &[f32], places: Vec<Vec3>| {
        track(1, Interpolation::Linear, times, TrackValues::Translation(places))
    };
    model(
        vec![
            node(None, turned(lying), 0),
            node(Some(0), moved(at(0.0, 1.0, 0.0)), 1),
            node(Some(1), moved(at(0.2, -1.0, 0.0)), 2),
        ],
        vec![
            clip(
                "stride",
                vec![ahead(&[0.0, 0.5, 1.0], vec![at(0.0, 1.0, 0.0), at(0.0, 1.2, 1.0), at(0.0, 1.0, 2.0)])],
            ),
            clip(
                "turn",
                vec![
                    ahead(&[0.0, 2.0], vec![at(0.0, 1.0, 0.0), at(0.0, 1.0, 1.0)]),
                    track(
                        1,
                        Interpolation::Linear,
                        &[0.0, 2.0],
                        TrackValues::Rotation(vec![Quat::IDENTITY, quarter]),
                    ),
                ],
            ),
        ],
    )
}

fn player(root: RootMotion) -> Player {
    let mut player = Player::new();
    player.show(Arc::new(Rig::new(Arc::new(walker()))), ImportReport::default());
    for clip in 0..2 {
        player.set_root_motion(ClipIndex::new(clip), root).unwrap();
    }
    player
}

fn playing(clip: usize, root: RootMotion) -> Player {
    let mut player = player(root);
    player.play(ClipIndex::new(clip), &PlayOptions::default()).unwrap();
    player
}

fn place_of(travel: Travel) -> Mat4 {
    Mat4::from_rotation_translation(Quat::from_rotation_y(travel.yaw), travel.translation)
}

#[track_caller]
fn assert_travel(travel: Travel, translation: Vec3, yaw: f32) {
    // Allows a few roundings of numbers up to a hundred.
    let near = travel.translation.distance(translation) < 2e-4 && (travel.yaw - yaw).abs() < 1e-4;
    assert!(near, "{travel:?} ≠ {translation}, {yaw}");
}

#[test]
fn a_kept_root_goes_and_hands_out_nothing() {
    let mut player = playing(0, RootMotion::Keep);
    player.advance(0.5).unwrap();
    assert_travel(player.take_travel(0).unwrap(), Vec3::ZERO, 0.0);
    let hips = player.world_matrices(0).unwrap()[1].w_axis;
    assert!((hips.z - 1.0).abs() < 1e-5 && (hips.y - 1.2).abs() < 1e-5, "{hips}");
}

#[test]
fn a_pinned_root_stays_over_its_start_and_keeps_its_height() {
    let mut player = playing(1, RootMotion::Pin);
    for _ in 0..40 {
        player.advance(0.11).unwrap();
        let hips = player.world_matrices(0).unwrap()[1];
        assert!(hips.w_axis.truncate().distance(Vec3::Y) < 1e-5, "{hips}");
        let facing = hips.to_scale_rotation_translation().1 * Vec3::Y;
        assert!(facing.y < 1e-5 && facing.x.abs() < 1e-5, "faces as at the start: {facing}");
    }
    assert_travel(player.take_travel(0).unwrap(), Vec3::ZERO, 0.0);
}

#[test]
fn the_way_is_right_across_loops_speeds_and_any_split() {
    for (rate, secs, ahead) in [(1.0, 0.25, 0.5), (1.0, 3.75, 7.5), (2.0, 3.0, 12.0), (-1.0, 1.5, -3.0)] {
        for pieces in [1, 2, 16, 150] {
            let mut player = player(RootMotion::Extract);
            player.set_playback_rate(rate).unwrap();
            player.play(stride(), &PlayOptions::default()).unwrap();
            let mut whole = Travel::IDENTITY;
            for _ in 0..pieces {
                player.advance(secs / f64::from(pieces)).unwrap();
                whole = whole.then(player.take_travel(0).unwrap());
            }
            assert_travel(whole, Vec3::Z * ahead, 0.0);
        }
    }
}

#[test]
fn four_quarter_turns_come_back_to_where_they_began() {
    for pieces in [1, 8, 100] {
        let mut player = playing(1, RootMotion::Extract);
        for _ in 0..pieces {
            player.advance(8.0 / f64::from(pieces)).unwrap();
        }
        assert_travel(player.take_travel(0).unwrap(), Vec3::ZERO, std::f32::consts::TAU);
    }
}

#[test]
fn travel_and_pinned_pose_together_are_the_clip() {
    let mut kept = playing(1, RootMotion::Keep);
    let mut extracted = playing(1, RootMotion::Extract);
    let mut place = Mat4::IDENTITY;
    for step in 0..19 {
        kept.advance(0.1).unwrap();
        extracted.advance(0.1).unwrap();
        place *= place_of(extracted.take_travel(0).unwrap());
        for node in 1..3 {
            let expected = kept.world_matrices(0).unwrap()[node];
            let found = place * extracted.world_matrices(0).unwrap()[node];
            // The figure is one metre high.
            assert!(found.abs_diff_eq(expected, 2e-5), "step {step}, node {node}: {found} ≠ {expected}");
        }
    }
}

#[test]
fn there_and_back_is_no_way_at_all() {
    let mut player = player(RootMotion::Extract);
    let bouncing = PlayOptions { looping: Looping::PING_PONG, ..PlayOptions::default() };
    player.play(stride(), &bouncing).unwrap();
    player.advance(1.0).unwrap();
    assert_travel(player.take_travel(0).unwrap(), Vec3::Z * 2.0, 0.0);
    player.advance(1.0).unwrap();
    assert_travel(player.take_travel(0).unwrap(), Vec3::Z * -2.0, 0.0);
    player.advance(1e6).unwrap();
    assert_travel(player.take_travel(0).unwrap(), Vec3::ZERO, 0.0);
}

#[test]
fn a_blend_goes_as_far_as_its_shares_say() {
    let mut player = player(RootMotion::Extract);
    let json =
        r#"{ "mix": [ { "weight": 1, "clip": "stride" }, { "weight": 3, "clip": "stride", "speed": 2 } ] }"#;
    let source = player.read_source(json).unwrap();
    player.play_in(LayerIndex::BASE, &source, &PlayOptions::default()).unwrap();
    player.advance(2.0).unwrap();
    assert_travel(player.take_travel(0).unwrap(), Vec3::Z * (4.0 + 3.0 * 8.0) / 4.0, 0.0);
}

#[test]
fn a_crossfade_goes_from_the_one_way_to_the_other() {
    let mut player = player(RootMotion::Extract);
    let still = player.read_source(r#"{ "clip": "stride", "speed": 0 }"#).unwrap();
    player.play_in(LayerIndex::BASE, &still, &PlayOptions::default()).unwrap();
    player.play(stride(), &PlayOptions { fade_secs: 1.0, ..PlayOptions::default() }).unwrap();
    player.advance(1.0).unwrap();
    // The weight goes from 0 to 1 over two units of travel: half of it, apart from the width of a step.
    let ahead = player.take_travel(0).unwrap().translation.z;
    assert!((ahead - 1.0).abs() < 0.02, "{ahead}");
}

#[test]
fn seeking_goes_no_way() {
    let mut player = playing(0, RootMotion::Extract);
    player.seek(0.75).unwrap();
    assert_travel(player.take_travel(0).unwrap(), Vec3::ZERO, 0.0);
    player.advance(0.125).unwrap();
    assert_travel(player.take_travel(0).unwrap(), Vec3::Z * 0.25, 0.0);
}

#[test]
fn a_character_that_moves_goes_the_way_that_others_hand_out_from_where_it_stands() {
    let stand = glam::Affine3A::from_scale_rotation_translation(
        Vec3::splat(0.5),
        Quat::from_rotation_y(0.3),
        Vec3::new(3.0, 0.0, -1.0),
    );
    for clip in 0..2 {
        let (mut extracted, mut moved) =
            (playing(clip, RootMotion::Extract), playing(clip, RootMotion::Move));
        moved.set_place(0, stand).unwrap();
        for step in 1..40 {
            let dt_secs = f64::from(step % 7) * 0.1;
            extracted.advance(dt_secs).unwrap();
            moved.advance(dt_secs).unwrap();
            let way = place_of(extracted.take_travel(0).unwrap());
            extracted.set_place(0, extracted.place(0).unwrap() * glam::Affine3A::from_mat4(way)).unwrap();
            for (moved, extracted) in
                moved.world_matrices(0).unwrap().iter().zip(extracted.world_matrices(0).unwrap())
            {
                let expected = Mat4::from(stand) * extracted;
                assert!(moved.abs_diff_eq(expected, 1e-3), "{step}: {moved} for {expected}");
            }
            assert_eq!(moved.take_travel(0).unwrap(), Travel::IDENTITY);
        }
    }
}
