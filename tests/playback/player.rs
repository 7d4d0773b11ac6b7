//! The public `Player` API: commands, time, events, crowds, and refused calls.

use crate::support::made_model;
use gambol::animation::{Rig, Skinning};
use gambol::import::{ImportReport, Resources};
use gambol::model::{ClipIndex, Model, Skin, SkinIndex};
#[cfg(feature = "render")]
use gambol::model::{Material, MaterialIndex};
use gambol::playback::{EventKind, FinishReason, LayerOptions, Looping, PlayOptions, Run, Source, State};
use gambol::player::{Crowd, MOST_CHARACTERS, Player, PlayerError};
#[cfg(feature = "render")]
use gambol::render::Picture;
use glam::{Affine3A, Vec3};
use std::sync::Arc;

const SLIDE: usize = 0;
const STAY: usize = 1;
const POSE: usize = 2;

fn player() -> Player {
    let mut player = Player::new();
    player.show(Arc::new(Rig::new(Arc::new(made_model::slider()))), ImportReport::default());
    player
}

fn playing(clip: usize, options: &PlayOptions) -> Player {
    let mut player = player();
    player.play(ClipIndex::new(clip), options).expect("the clip exists");
    player.drain_events().for_each(drop);
    player
}

fn x_of(player: &mut Player, character: usize) -> f32 {
    player.world_matrices(character).expect("the character exists")[0].w_axis.x
}

#[track_caller]
fn assert_x(player: &mut Player, expected: f32) {
    let x = x_of(player, 0);
    // f32 interpolation between keys a few units apart.
    assert!((x - expected).abs() < 1e-5, "{x} ≠ {expected}");
}

fn events(player: &mut Player) -> Vec<EventKind> {
    player.drain_events().map(|event| event.kind).collect()
}

#[test]
fn a_new_model_shows_its_rest_pose() {
    let mut player = player();
    assert_eq!(player.state(), State::Stopped);
    assert_eq!((player.time_secs(), player.duration_secs()), (0.0, 0.0));
    assert_x(&mut player, 0.0);
}

#[test]
fn time_moves_the_pose_and_repeats() {
    let mut player = playing(SLIDE, &PlayOptions::default());
    player.advance(0.5).unwrap();
    assert_x(&mut player, 0.5);
    player.advance(4.0).unwrap();
    assert_x(&mut player, 0.5);
    let passes: Vec<u32> = events(&mut player)
        .iter()
        .map(|event| match event {
            EventKind::Loop { passes, .. } => *passes,
            other => panic!("only loops were expected, not {other:?}"),
        })
        .collect();
    assert_eq!(passes, [1, 2]);
}

#[test]
fn seeking_to_a_time_equals_playing_to_it() {
    for time_secs in [0.0, 0.3, 1.999, 2.0] {
        let mut played = playing(SLIDE, &PlayOptions { looping: Looping::ONCE, ..PlayOptions::default() });
        played.advance(time_secs).unwrap();
        let mut sought = playing(SLIDE, &PlayOptions::default());
        sought.advance(1.3).unwrap();
        sought.seek(time_secs).unwrap();
        assert_eq!(x_of(&mut played, 0), x_of(&mut sought, 0), "at {time_secs} s");
    }
}

#[test]
fn seeking_causes_no_event_and_is_clamped() {
    let mut player = playing(SLIDE, &PlayOptions::default());
    player.seek(99.0).unwrap();
    assert_x(&mut player, 2.0);
    player.seek(-99.0).unwrap();
    assert_x(&mut player, 0.0);
    assert_eq!(events(&mut player), []);
}

#[test]
fn once_finishes_after_its_last_pose_and_resumes_from_the_beginning() {
    let mut player = playing(SLIDE, &PlayOptions { looping: Looping::ONCE, ..PlayOptions::default() });
    player.advance(3.0).unwrap();
    let clip = ClipIndex::new(SLIDE);
    let run = player.run().unwrap();
    assert_eq!(events(&mut player), [EventKind::Finished { run, clip, reason: FinishReason::Ended }]);
    assert_eq!(player.state(), State::Finished);
    assert!(!player.is_moving());
    assert_x(&mut player, 2.0);
    player.resume();
    assert_eq!(player.state(), State::Playing);
    assert_x(&mut player, 0.0);
}

#[test]
fn resuming_numbers_only_what_restarts_or_what_it_is_told_to() {
    let given = |number| Run(Run::FIRST_GIVEN + number);
    let once = PlayOptions { looping: Looping::ONCE, run: Some(given(0)), ..PlayOptions::default() };
    let mut player = playing(SLIDE, &once);
    let upper = player.set_layer("upper", &LayerOptions::default()).unwrap();
    player.play_in(upper, &Source::from(ClipIndex::new(STAY)), &PlayOptions::default()).unwrap();
    let above = player.layer_run(upper);
    assert_eq!(player.run(), Some(given(0)));
    player.pause();
    assert!(player.resume());
    assert_eq!(player.run(), Some(given(0)), "a pause ends no run");

    player.advance(3.0).unwrap();
    events(&mut player);
    assert!(player.resume());
    let restarted = player.run().unwrap();
    assert!(restarted != given(0) && restarted.0 < Run::FIRST_GIVEN, "{restarted:?}");
    assert_eq!(events(&mut player), [EventKind::Play { run: restarted, clip: ClipIndex::new(SLIDE) }]);

    player.advance(3.0).unwrap();
    events(&mut player);
    assert!(player.resume_as(Some(given(1))));
    assert_eq!(player.run(), Some(given(1)));
    assert_eq!(player.layer_run(upper), above, "it restarts in the base alone");

    player.stop();
    assert!(!player.resume(), "there is nothing to continue");
    player.play_in(upper, &Source::from(ClipIndex::new(STAY)), &PlayOptions::default()).unwrap();
    assert!(player.resume_as(Some(given(2))));
    assert_eq!((player.run(), player.layer_run(upper)), (None, Some(given(2))));
}

#[test]
fn looping_can_change_while_playing() {
    let mut player = playing(SLIDE, &PlayOptions::default());
    player.advance(1.0).unwrap();
    player.set_looping(Looping::ONCE);
    player.advance(5.0).unwrap();
    assert_eq!(player.state(), State::Finished);
    assert_x(&mut player, 2.0);
}

#[test]
fn a_replaced_run_is_told_so_before_the_next_plays() {
    let mut player = playing(SLIDE, &PlayOptions::default());
    let first = player.run().unwrap();
    let second = player.play(ClipIndex::new(STAY), &PlayOptions::default()).unwrap();
    assert_eq!(
        events(&mut player),
        [
            EventKind::Finished { run: first, clip: ClipIndex::new(SLIDE), reason: FinishReason::Replaced },
            EventKind::Play { run: second, clip: ClipIndex::new(STAY) },
        ]
    );
}

#[test]
fn a_pause_holds_pose_and_fade() {
    let mut player = playing(SLIDE, &PlayOptions::default());
    player.advance(1.0).unwrap();
    player.play(ClipIndex::new(STAY), &PlayOptions { fade_secs: 1.0, ..PlayOptions::default() }).unwrap();
    player.advance(0.5).unwrap();
    player.pause();
    let held = x_of(&mut player, 0);
    assert!(!player.advance(10.0).unwrap());
    assert_eq!(x_of(&mut player, 0), held);
    assert_eq!(player.state(), State::Paused);
    player.resume();
    player.advance(0.5).unwrap();
    assert_x(&mut player, 10.0);
}

#[test]
fn a_crossfade_keeps_both_sides_running() {
    let mut player = playing(SLIDE, &PlayOptions::default());
    player.play(ClipIndex::new(STAY), &PlayOptions { fade_secs: 1.0, ..PlayOptions::default() }).unwrap();
    player.advance(0.25).unwrap();
    assert_x(&mut player, 0.25 * 0.75 + 10.0 * 0.25);
    player.advance(0.5).unwrap();
    assert_x(&mut player, 0.75 * 0.25 + 10.0 * 0.75);
    player.advance(0.25).unwrap();
    assert_x(&mut player, 10.0);
}

#[test]
fn an_interrupted_fade_does_not_pop() {
    let mut player = playing(SLIDE, &PlayOptions::default());
    let fading = PlayOptions { fade_secs: 1.0, ..PlayOptions::default() };
    player.play(ClipIndex::new(STAY), &fading).unwrap();
    player.advance(0.5).unwrap();
    let before = x_of(&mut player, 0);
    player.play(ClipIndex::new(POSE), &fading).unwrap();
    assert_x(&mut player, before);
    for _ in 0..100 {
        // Nested fades stay bounded and finite.
        player.play(ClipIndex::new(SLIDE), &fading).unwrap();
        player.advance(0.001).unwrap();
    }
    assert!(x_of(&mut player, 0).is_finite());
}

#[test]
fn a_negative_rate_runs_backwards() {
    let mut player = player();
    player.set_playback_rate(-1.0).unwrap();
    player.play(ClipIndex::new(SLIDE), &PlayOptions::default()).unwrap();
    assert_x(&mut player, 2.0);
    player.advance(0.5).unwrap();
    assert_x(&mut player, 1.5);
    player.advance(2.0).unwrap();
    assert_x(&mut player, 1.5);
}

#[test]
fn what_stands_still_says_so() {
    let mut pose = playing(POSE, &PlayOptions::default());
    assert!(!pose.advance(1.0).unwrap(), "a pose held for ever");
    pose.play(ClipIndex::new(POSE), &PlayOptions { looping: Looping::ONCE, ..PlayOptions::default() })
        .unwrap();
    assert!(pose.advance(1.0).unwrap(), "a pose that will finish");
    assert!(!pose.advance(1.0).unwrap());

    let mut stopped = playing(SLIDE, &PlayOptions::default());
    stopped.set_playback_rate(0.0).unwrap();
    assert!(!stopped.advance(1.0).unwrap(), "no rate");
    stopped.play(ClipIndex::new(STAY), &PlayOptions { fade_secs: 1.0, ..PlayOptions::default() }).unwrap();
    assert!(stopped.advance(0.5).unwrap(), "a fade takes its time at any rate");
    assert_x(&mut stopped, 5.0);
}

#[test]
fn one_huge_step_reports_a_bounded_number_of_loops() {
    let mut player = playing(SLIDE, &PlayOptions::default());
    player.advance(2e9).unwrap();
    let events = events(&mut player);
    assert!(events.len() < 100);
    assert!(matches!(events.last(), Some(EventKind::Loop { passes: 1_000_000_000, .. })));
}

#[test]
fn the_members_of_a_crowd_keep_their_phase_and_place() {
    let mut player = playing(SLIDE, &PlayOptions::default());
    let crowd = Crowd {
        clip: None,
        phases: vec![0.0, 0.25, 0.5],
        world_from_model: (0..3).map(|i| Affine3A::from_translation(Vec3::X * 100.0 * i as f32)).collect(),
    };
    player.crowd(3, &crowd).unwrap();
    player.crowd(3, &crowd).unwrap();
    player.advance(0.25).unwrap();
    let xs: Vec<f32> = (0..3).map(|character| x_of(&mut player, character)).collect();
    for (x, expected) in xs.iter().zip([0.25, 100.75, 201.25]) {
        // Half an ulp of 200 is 8e-6.
        assert!((x - expected).abs() < 2e-5, "{xs:?}");
    }
    player.seek(1.5).unwrap();
    assert!((x_of(&mut player, 2) - 200.5).abs() < 2e-5);
    player.play(ClipIndex::new(SLIDE), &PlayOptions::default()).unwrap();
    assert_eq!(events(&mut player).len(), 2, "the lead alone speaks");
    assert!((x_of(&mut player, 1) - 100.5).abs() < 2e-5);
    player.crowd(1, &Crowd::default()).unwrap();
    assert_eq!(player.character_count(), 1);
}

#[test]
fn what_cannot_be_is_refused_with_a_code_and_changes_nothing() {
    let mut empty = Player::new();
    assert_eq!(empty.find_clip("slide").unwrap_err().code(), "NO_MODEL");
    assert_eq!(empty.crowd(2, &Crowd::default()).unwrap_err().code(), "NO_MODEL");

    let mut player = playing(SLIDE, &PlayOptions::default());
    player.advance(0.5).unwrap();
    let nan = PlayOptions { fade_secs: f64::NAN, ..PlayOptions::default() };
    let codes = [
        player.find_clip("fly").unwrap_err().code(),
        player.clip_at(3).unwrap_err().code(),
        player.play(ClipIndex::new(9), &PlayOptions::default()).unwrap_err().code(),
        player.play(ClipIndex::new(STAY), &nan).unwrap_err().code(),
        player.advance(f64::NAN).unwrap_err().code(),
        player.seek(f64::INFINITY).unwrap_err().code(),
        player.set_playback_rate(f64::NAN).unwrap_err().code(),
        player.crowd(0, &Crowd::default()).unwrap_err().code(),
        player.crowd(MOST_CHARACTERS + 1, &Crowd::default()).unwrap_err().code(),
        player.crowd(3, &Crowd { phases: vec![0.0], ..Crowd::default() }).unwrap_err().code(),
        player.world_matrices(1).unwrap_err().code(),
        player.skin_matrices(0, 0).unwrap_err().code(),
        player.morph_weights(1, 0).unwrap_err().code(),
        player.load(b"not a model", &Resources::default()).unwrap_err().code(),
    ];
    assert_eq!(
        codes[..13],
        [
            "UNKNOWN_CLIP",
            "UNKNOWN_CLIP",
            "UNKNOWN_CLIP",
            "NOT_FINITE",
            "NOT_FINITE",
            "NOT_FINITE",
            "NOT_FINITE",
            "CROWD_SIZE",
            "CROWD_SIZE",
            "CROWD_LIST",
            "UNKNOWN_CHARACTER",
            "UNKNOWN_SKIN",
            "UNKNOWN_NODE",
        ]
    );
    assert_x(&mut player, 0.5);
    player.advance(0.5).unwrap();
    assert_x(&mut player, 1.0);
}

#[test]
fn skins_are_blended_alike_unless_one_has_a_setting_of_its_own() {
    let [first, second, none] = [0, 1, 2].map(SkinIndex::new);
    let model = Model { skins: vec![Skin::default(); 2], ..made_model::slider() };
    let rig = Arc::new(Rig::new(Arc::new(model)));
    let mut player = Player::new();
    let code = |result: Result<(), PlayerError>| result.unwrap_err().code();
    assert_eq!(code(player.set_skinning_of(first, Skinning::DualQuaternion)), "NO_MODEL");
    player.show(rig.clone(), ImportReport::default());
    assert_eq!(player.skinning(None), Skinning::Linear);
    player.set_skinning_of(second, Skinning::DualQuaternion).unwrap();
    assert_eq!(code(player.set_skinning_of(none, Skinning::Linear)), "UNKNOWN_SKIN");
    let all = |player: &Player| [None, Some(first), Some(second)].map(|skin| player.skinning(skin));
    assert_eq!(all(&player), [Skinning::Linear, Skinning::Linear, Skinning::DualQuaternion]);
    // Another model has the setting of all skins.
    player.show(rig.clone(), ImportReport::default());
    assert_eq!(all(&player), [Skinning::Linear; 3]);
    player.set_skinning(Skinning::DualQuaternion);
    assert_eq!(all(&player), [Skinning::DualQuaternion; 3]);
    player.show(rig, ImportReport::default());
    assert_eq!(all(&player), [Skinning::DualQuaternion; 3]);
    player.set_skinning_of(first, Skinning::Linear).unwrap();
    assert_eq!(all(&player), [Skinning::DualQuaternion, Skinning::Linear, Skinning::DualQuaternion]);
}

#[test]
#[cfg(feature = "render")]
fn a_picture_without_pixels_is_refused_before_there_is_a_gpu() {
    let model = Model { materials: vec![Material::default()], ..made_model::slider() };
    let mut player = Player::new();
    player.show(Arc::new(Rig::new(Arc::new(model))), ImportReport::default());
    let mut set = |width, height| {
        let pixels = vec![255; width as usize * height as usize * 4];
        player.set_picture(MaterialIndex::new(0), Some(Picture::Rgba8 { width, height, pixels }))
    };
    assert!(set(1, 1).is_ok());
    for (width, height) in [(0, 4), (4, 0), (0, 0)] {
        assert_eq!(set(width, height).unwrap_err().code(), "GPU_IMAGE_EMPTY");
    }
}
