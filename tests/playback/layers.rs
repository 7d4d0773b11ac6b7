//! Layers: weight, mask and mode, fading, removal, seeking and pausing.

use crate::support::figure::*;
use crate::support::made_model::at;
use gambol::animation::MaskEntry;
use gambol::model::ClipIndex;
use gambol::playback::{
    Easing, Ending, EventKind, FinishReason, LayerIndex, LayerMode, LayerOptions, Looping, PlayOptions,
    Reference, Source, State,
};
use gambol::player::Player;
use std::sync::Arc;

#[test]
fn S65_S67_two_clips_play_at_once_each_where_its_mask_lets_it() {
    let mut alone = playing("walk");
    let mut both = playing("walk");
    let layer = upper(&mut both, LayerOptions::default());
    let run = Source::from(clip_named(&both, "run"));
    both.play_in(layer, &run, &PlayOptions::default()).unwrap();
    for _ in 0..50 {
        alone.advance(0.037).unwrap();
        both.advance(0.037).unwrap();
        let (alone, both) = (alone.world_matrices(0).unwrap(), both.world_matrices(0).unwrap());
        assert_eq!(alone[LEG], both[LEG], "what isn't masked keeps its every bit");
        assert!(both[SPINE].w_axis.x > 9.0, "the mask's part runs");
    }
}

#[test]
fn what_a_layers_clip_does_not_key_shows_what_lies_below() {
    let mut player = playing("walk");
    let layer = player.set_layer("whole", &LayerOptions::default()).unwrap();
    let shoot = Source::from(clip_named(&player, "shoot"));
    player.play_in(layer, &shoot, &PlayOptions::default()).unwrap();
    player.advance(0.5).unwrap();
    assert_x(&mut player, LEG, 0.5);
    assert_x(&mut player, SPINE, 0.5);
    assert_x(&mut player, ARM, 100.5);
}

#[test]
fn the_weight_of_a_layer_fades() {
    let mut player = playing("walk");
    let layer = upper(&mut player, LayerOptions { weight: 0.0, ..LayerOptions::default() });
    let run = Source::from(clip_named(&player, "run"));
    player.play_in(layer, &run, &PlayOptions::default()).unwrap();
    assert_x(&mut player, SPINE, 0.0);
    player.fade_layer(layer, 1.0, 1.0, Easing::Linear).unwrap();
    player.advance(0.5).unwrap();
    assert_x(&mut player, SPINE, (0.5 + 10.5) / 2.0);
    assert_near(player.layer_weight(layer), 0.5);
    player.advance(0.25).unwrap();
    assert_x(&mut player, SPINE, 0.75 * 0.25 + 10.75 * 0.75);
}

#[test]
fn a_layer_that_adds_changes_what_lies_below_by_what_its_clip_changes() {
    for (reference, expected) in [
        (Reference::FirstFrame, 0.5 + 0.5),
        (Reference::Rest, 0.5 + 10.5 - 0.5),
        (Reference::Pose { clip: ClipIndex::new(2), time_secs: 0.0 }, 0.5 + 10.5 - 5.0),
    ] {
        let mut player = playing("walk");
        let layer =
            upper(&mut player, LayerOptions { mode: LayerMode::Add(reference), ..LayerOptions::default() });
        let run = Source::from(clip_named(&player, "run"));
        player.play_in(layer, &run, &PlayOptions::default()).unwrap();
        player.advance(0.5).unwrap();
        assert_x(&mut player, SPINE, expected);
        assert_x(&mut player, LEG, 0.5);
    }
}

#[test]
fn a_layer_crosses_fades_out_and_is_gone() {
    let mut player = playing("stand");
    let layer = upper(&mut player, LayerOptions::default());
    let source = |player: &Player, name: &str| Source::from(clip_named(player, name));
    let (walk, run) = (source(&player, "walk"), source(&player, "run"));
    player.play_in(layer, &run, &fading(1.0)).unwrap();
    player.advance(0.5).unwrap();
    assert_x(&mut player, SPINE, (5.0 + 10.5) / 2.0);
    player.advance(0.5).unwrap();
    player.play_in(layer, &walk, &fading(1.0)).unwrap();
    player.advance(0.5).unwrap();
    assert_x(&mut player, SPINE, (10.5 + 0.5) / 2.0);
    player.advance(0.5).unwrap();
    player.stop_layer(layer, 0.5).unwrap();
    player.advance(0.25).unwrap();
    assert_x(&mut player, SPINE, (1.25 + 5.0) / 2.0);
    player.advance(0.25).unwrap();
    assert_x(&mut player, SPINE, 5.0);
    assert_eq!(player.layer_state(layer), State::Stopped);
    assert_x(&mut player, LEG, 5.0);
}

#[test]
fn a_removed_layer_leaves_those_above_it() {
    let mut player = playing("walk");
    let first = player.set_layer("first", &LayerOptions::default()).unwrap();
    let second = player.set_layer("second", &LayerOptions::default()).unwrap();
    let (run, shoot) = (clip_named(&player, "run"), clip_named(&player, "shoot"));
    player.play_in(first, &Source::from(run), &PlayOptions::default()).unwrap();
    player.play_in(second, &Source::from(shoot), &PlayOptions::default()).unwrap();
    event_kinds(&mut player);
    player.remove_layer(first).unwrap();
    assert!(matches!(
        event_kinds(&mut player)[..],
        [EventKind::Finished { reason: FinishReason::Stopped, .. }]
    ));
    assert_eq!(player.layer_names().collect::<Vec<_>>(), ["base", "second"]);
    player.advance(0.5).unwrap();
    assert_x(&mut player, SPINE, 0.5);
    assert_x(&mut player, ARM, 100.5);
}

#[test]
fn a_released_clip_fades_to_what_lies_below() {
    let mut player = playing("walk");
    let layer = upper(&mut player, LayerOptions::default());
    let run = Source::from(clip_named(&player, "run"));
    let options =
        PlayOptions { looping: Looping::ONCE, ending: Ending::Release(1.0), ..PlayOptions::default() };
    for pieces in [1, 7, 90] {
        player.seek(0.0).unwrap();
        player.play_in(layer, &run, &options).unwrap();
        event_kinds(&mut player);
        for _ in 0..pieces {
            player.advance(1.5 / f64::from(pieces)).unwrap();
        }
        assert_x(&mut player, SPINE, (11.0 + 1.5) / 2.0);
        let ended = event_kinds(&mut player);
        let finished =
            |kind: &EventKind| matches!(kind, EventKind::Finished { reason: FinishReason::Ended, .. });
        assert_eq!(ended.iter().filter(|kind| finished(kind)).count(), 1, "{ended:?}");
        player.advance(0.49).unwrap();
        player.advance(0.02).unwrap();
        assert_eq!(player.layer_state(layer), State::Stopped);
    }
}

#[test]
fn changing_a_mask_leaves_what_plays() {
    let mut player = playing("walk");
    let layer = upper(&mut player, LayerOptions::default());
    let run = Source::from(clip_named(&player, "run"));
    player.play_in(layer, &run, &PlayOptions::default()).unwrap();
    player.advance(0.5).unwrap();
    let mask = vec![
        MaskEntry { node: at(SPINE), weight: 0.5, subtree: true },
        MaskEntry { node: at(ARM), weight: 0.0, subtree: true },
    ];
    assert_eq!(player.set_layer("upper", &LayerOptions { mask, ..LayerOptions::default() }).unwrap(), layer);
    assert_x(&mut player, SPINE, (0.5 + 10.5) / 2.0);
    assert_x(&mut player, ARM, 0.5);
}

#[test]
fn S14_a_hundred_characters_share_one_rig_and_obey_layers_alike() {
    let mut player = playing("walk");
    player.crowd(100, &gambol::player::Crowd { phases: vec![0.0; 100], ..Default::default() }).unwrap();
    let layer = upper(&mut player, LayerOptions::default());
    let run = Source::from(clip_named(&player, "run"));
    player.play_in(layer, &run, &fading(0.5)).unwrap();
    player.advance(0.25).unwrap();
    let lead = player.world_matrices(0).unwrap();
    let other = player.world_matrices(99).unwrap();
    let local = |matrices: &[glam::Mat4]| matrices[SPINE].w_axis - matrices[0].w_axis;
    assert!((local(&lead) - local(&other)).length() < 1e-4);
    assert_eq!(Arc::strong_count(player.rig().unwrap()), 1);
}

#[test]
fn a_layer_is_sought_alone() {
    let mut player = playing("walk");
    let layer = upper(&mut player, LayerOptions::default());
    let run = Source::from(clip_named(&player, "run"));
    player.play_in(layer, &run, &fading(1.0)).unwrap();
    event_kinds(&mut player);
    player.seek_layer(layer, 0.75).unwrap();
    assert_x(&mut player, SPINE, 10.75);
    assert_x(&mut player, LEG, 0.0);
    player.seek_layer(BASE, 0.5).unwrap();
    assert_x(&mut player, LEG, 0.5);
    assert_eq!(event_kinds(&mut player), []);
    assert_eq!(player.seek_layer(layer, f64::NAN).unwrap_err().code(), "NOT_FINITE");
    assert_eq!(player.seek_layer(LayerIndex(9), 0.0).unwrap_err().code(), "UNKNOWN_LAYER");
}

#[test]
fn a_pause_holds_every_layer_and_ends_for_all() {
    let mut player = player();
    let layer = player.set_layer("over", &LayerOptions::default()).unwrap();
    let run = Source::from(clip_named(&player, "run"));
    player.play_in(layer, &run, &PlayOptions::default()).unwrap();
    player.advance(0.25).unwrap();
    player.pause();
    player.advance(0.25).unwrap();
    assert_x(&mut player, LEG, 10.25);
    assert_eq!(player.layer_state(layer), State::Paused);
    player.resume();
    player.advance(0.25).unwrap();
    assert_x(&mut player, LEG, 10.5);
}
