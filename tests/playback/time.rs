//! Time and its events: markers, ranges of clips, clocks, and one large step compared with many small ones.

use crate::support::figure::*;
use gambol::playback::{Easing, EventKind, LayerOptions, Looping, Marker, PlayOptions, Source, State};
use gambol::player::{Clock, Player};

fn markers(player: &mut Player, name: &str, times_secs: &[f64]) {
    let clip = clip_named(player, name);
    let markers = times_secs.iter().map(|&time_secs| Marker { name: "here".into(), time_secs });
    player.set_markers(clip, markers.collect()).unwrap();
}

/// Returns the events as text: a letter for each marker by its index, `|` for a loop, `.` for the end.
fn story(player: &mut Player) -> String {
    let letter = |kind: EventKind| match kind {
        EventKind::Marker { marker, .. } => char::from(b'a' + marker as u8),
        EventKind::Loop { .. } => '|',
        EventKind::Finished { .. } => '.',
        _ => '?',
    };
    event_kinds(player).into_iter().map(letter).collect()
}

#[test]
fn markers_come_in_order_exactly_once_whatever_the_step() {
    for (rate, looping, expected) in [
        (1.0, Looping::REPEAT, "abcd|abcd|ab"),
        (-1.0, Looping::REPEAT, "dcba|dcba|dc"),
        (1.0, Looping::PING_PONG, "abcd|cba|b"),
        (1.0, Looping::ONCE, "abcd."),
        (2.0, Looping::REPEAT, "abcd|abcd|abcd|abcd|abc"),
    ] {
        for pieces in [1, 2, 3, 10, 97] {
            let mut player = player();
            markers(&mut player, "walk", &[0.0, 0.5, 1.25, 2.0]);
            player.set_playback_rate(rate).unwrap();
            player
                .play(clip_named(&player, "walk"), &PlayOptions { looping, ..PlayOptions::default() })
                .unwrap();
            event_kinds(&mut player);
            let mut told = String::new();
            for _ in 0..pieces {
                player.advance(4.9 / f64::from(pieces)).unwrap();
                told += &story(&mut player);
            }
            assert_eq!(told, expected, "rate {rate}, {looping:?}, {pieces} pieces");
        }
    }
}

#[test]
fn seeking_passes_no_marker() {
    let mut player = playing("walk");
    markers(&mut player, "walk", &[0.5, 1.0]);
    player.seek(1.5).unwrap();
    player.seek(0.25).unwrap();
    assert_eq!(story(&mut player), "");
    player.advance(0.5).unwrap();
    assert_eq!(story(&mut player), "a");
}

#[test]
fn events_of_two_layers_come_in_the_order_of_time() {
    let mut player = playing("walk");
    markers(&mut player, "walk", &[0.2, 0.6]);
    markers(&mut player, "run", &[0.0, 0.4, 0.8]);
    let layer = player.set_layer("over", &LayerOptions::default()).unwrap();
    let run = Source::from(clip_named(&player, "run"));
    player.play_in(layer, &run, &PlayOptions::default()).unwrap();
    event_kinds(&mut player);
    player.advance(0.9).unwrap();
    let layers: Vec<u32> = player.drain_events().map(|event| event.layer.0).collect();
    assert_eq!(layers, [1, 0, 1, 0, 1]);
}

#[test]
fn only_the_heaviest_of_a_blend_tells_its_markers() {
    let mut player = player();
    markers(&mut player, "walk", &[0.5]);
    markers(&mut player, "run", &[0.5]);
    let json =
        r#"{ "along": "speed", "motions": [ { "at": 0, "clip": "walk" }, { "at": 1, "clip": "run" } ] }"#;
    play_json(&mut player, BASE, json, &PlayOptions::default());
    player.set_parameter("speed", 0.9).unwrap();
    event_kinds(&mut player);
    player.advance(1.0).unwrap();
    let clips: Vec<_> = event_kinds(&mut player)
        .into_iter()
        .filter_map(|kind| match kind {
            EventKind::Marker { clip, .. } => Some(clip),
            _ => None,
        })
        .collect();
    assert_eq!(clips, [clip_named(&player, "run")]);
}

#[test]
fn a_part_of_a_clip_plays_in_the_clips_own_time() {
    let mut player = player();
    play_json(&mut player, BASE, r#"{ "clip": "walk", "from": 0.5, "to": 1.5 }"#, &PlayOptions::default());
    assert_near(player.time_secs() as f32, 0.5);
    player.advance(1.25).unwrap();
    assert_near(player.time_secs() as f32, 0.75);
    assert_x(&mut player, LEG, 0.75);
    player.seek(9.0).unwrap();
    assert_near(player.time_secs() as f32, 1.5);
    let offset = PlayOptions { start_secs: 0.25, ..PlayOptions::default() };
    play_json(&mut player, BASE, r#"{ "clip": "walk", "from": 0.5 }"#, &offset);
    assert_near(player.time_secs() as f32, 0.75);
}

#[test]
fn S60_speed_is_settable_and_a_paused_clip_can_be_stepped() {
    let mut player = player();
    let walk = clip_named(&player, "walk");
    player.play(walk, &PlayOptions { speed: 0.5, ..PlayOptions::default() }).unwrap();
    player.set_playback_rate(3.0).unwrap();
    player.advance(0.5).unwrap();
    assert_x(&mut player, LEG, 0.75);
    player.pause();
    player.seek(player.time_secs() + 1.0 / 30.0).unwrap();
    assert_x(&mut player, LEG, 0.75 + 1.0 / 30.0);
    assert_eq!(player.state(), State::Paused);
}

#[test]
fn a_fixed_clock_takes_equal_steps_and_keeps_the_rest() {
    let mut player = playing("walk");
    player.set_clock(Clock::Fixed { step_secs: 0.25, left_secs: 0.0 }).unwrap();
    player.advance(0.3).unwrap();
    assert_x(&mut player, LEG, 0.25);
    player.advance(0.1).unwrap();
    assert_x(&mut player, LEG, 0.25);
    player.advance(0.11).unwrap();
    assert_x(&mut player, LEG, 0.5);
    player.advance(1e9).unwrap();
    assert!(x_of(&mut player, LEG).is_finite());
    let zero = player.set_clock(Clock::Fixed { step_secs: 0.0, left_secs: 0.0 });
    assert_eq!(zero.unwrap_err().code(), "OUT_OF_RANGE");
}

#[test]
fn S58_one_huge_step_equals_many_small_ones_with_layers_and_fades() {
    let start = || {
        let mut player = playing("walk");
        let layer = upper(&mut player, LayerOptions { weight: 0.2, ..LayerOptions::default() });
        let run = Source::from(clip_named(&player, "run"));
        player.play_in(layer, &run, &fading(0.7)).unwrap();
        player.fade_layer(layer, 0.9, 3.0, Easing::Smooth).unwrap();
        player.play(clip_named(&player, "stand"), &fading(5.0)).unwrap();
        event_kinds(&mut player);
        player
    };
    let (mut whole, mut split) = (start(), start());
    whole.advance(4.0).unwrap();
    for _ in 0..400 {
        split.advance(0.01).unwrap();
    }
    for node in [SPINE, ARM, LEG] {
        assert_near(x_of(&mut whole, node), x_of(&mut split, node));
    }
    assert_eq!(event_kinds(&mut whole), event_kinds(&mut split));
}
