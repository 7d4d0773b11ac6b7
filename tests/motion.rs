//! Layers, blends, fades and time, heard and seen from outside through the player.
#![allow(non_snake_case, reason = "tests name the rows of the capabilities")]

mod made_model;

use gambol::animation::{MaskEntry, Rig};
use gambol::import::ImportReport;
use gambol::model::{ClipIndex, Interpolation, Model, TrackValues};
use gambol::playback::{
    Crossing, Easing, Ending, FinishReason, Happening, LayerIndex, LayerMode, LayerOptions, Looping, Marker,
    PlayOptions, Reference, Source, State, SyncGroup,
};
use gambol::player::{ByHand, Clock, Player, RelativeTo};
use glam::{Quat, Vec3};
use made_model::{at, clip, model, moved, node, track};
use std::sync::Arc;

const BASE: LayerIndex = LayerIndex::BASE;

/// Hips, a spine on them with an arm, and a leg. Everything moves along x alone, so that a pose is three numbers.
///
/// ```text
/// walk   2 s   spine, arm and leg go from 0 to 2        run    1 s   from 10 to 11
/// stand  2 s   all at 5, held                           shoot  1 s   arm alone, from 100 to 101
/// ```
fn figure() -> Model {
    let nodes = vec![
        node(None, moved(Vec3::ZERO), 0),
        node(Some(0), moved(Vec3::X * 0.5), 1),
        node(Some(1), moved(Vec3::X * 0.5), 2),
        node(Some(0), moved(Vec3::X * 0.5), 3),
    ];
    let slide = |node: usize, from: f32, to: f32, secs: f32| {
        let values = TrackValues::Translation(vec![Vec3::X * from, Vec3::X * to]);
        track(node, Interpolation::Linear, &[0.0, secs], values)
    };
    let all = |from, to, secs| (1..4).map(|node| slide(node, from, to, secs)).collect();
    model(
        nodes,
        vec![
            clip("walk", all(0.0, 2.0, 2.0)),
            clip("run", all(10.0, 11.0, 1.0)),
            clip("stand", all(5.0, 5.0, 2.0)),
            clip("shoot", vec![slide(2, 100.0, 101.0, 1.0)]),
        ],
    )
}

const SPINE: usize = 1;
const ARM: usize = 2;
const LEG: usize = 3;

fn player() -> Player {
    let mut player = Player::new();
    player.show(Arc::new(Rig::new(Arc::new(figure()))), ImportReport::default());
    player
}

fn clip_named(player: &Player, name: &str) -> ClipIndex {
    player.find_clip(name).expect("the figure has it")
}

fn playing(name: &str) -> Player {
    let mut player = player();
    player.play(clip_named(&player, name), &PlayOptions::default()).unwrap();
    player.drain_events().for_each(drop);
    player
}

/// Relative to its parent.
fn x_of(player: &mut Player, node: usize) -> f32 {
    let matrices = player.world_matrices(0).unwrap();
    let x = |node: usize| matrices[node].w_axis.x;
    match node {
        ARM => x(ARM) - x(SPINE),
        _ => x(node) - x(0),
    }
}

#[track_caller]
fn assert_near(found: f32, expected: f32) {
    // A few roundings of numbers up to a hundred.
    assert!((found - expected).abs() < 1e-4, "{found} ≠ {expected}");
}

#[track_caller]
fn assert_x(player: &mut Player, node: usize, expected: f32) {
    let found = x_of(player, node);
    assert!((found - expected).abs() < 1e-4, "{found} ≠ {expected}");
}

fn fading(secs: f64) -> PlayOptions {
    PlayOptions { fade_secs: secs, ..PlayOptions::default() }
}

fn upper(player: &mut Player, options: LayerOptions) -> LayerIndex {
    let mask = vec![MaskEntry { node: at(SPINE), weight: 1.0, subtree: true }];
    player.set_layer("upper", &LayerOptions { mask, ..options }).unwrap()
}

fn play_json(player: &mut Player, layer: LayerIndex, json: &str, options: &PlayOptions) {
    let source = player.read_source(json).unwrap_or_else(|error| panic!("{json}: {error}"));
    player.play_in(layer, &source, options).unwrap();
}

fn happenings(player: &mut Player) -> Vec<Happening> {
    player.drain_events().map(|event| event.what).collect()
}

mod layers {
    use super::*;

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
            let layer = upper(
                &mut player,
                LayerOptions { mode: LayerMode::Add(reference), ..LayerOptions::default() },
            );
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
        happenings(&mut player);
        player.remove_layer(first).unwrap();
        assert!(matches!(
            happenings(&mut player)[..],
            [Happening::Finished { reason: FinishReason::Stopped, .. }]
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
            happenings(&mut player);
            for _ in 0..pieces {
                player.advance(1.5 / f64::from(pieces)).unwrap();
            }
            assert_x(&mut player, SPINE, (11.0 + 1.5) / 2.0);
            let ended = happenings(&mut player);
            let finished =
                |what: &Happening| matches!(what, Happening::Finished { reason: FinishReason::Ended, .. });
            assert_eq!(ended.iter().filter(|what| finished(what)).count(), 1, "{ended:?}");
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
        assert_eq!(
            player.set_layer("upper", &LayerOptions { mask, ..LayerOptions::default() }).unwrap(),
            layer
        );
        assert_x(&mut player, SPINE, (0.5 + 10.5) / 2.0);
        assert_x(&mut player, ARM, 0.5);
    }
}

mod blends {
    use super::*;

    const LINE: &str = r#"{ "along": "speed", "motions": [
        { "at": 0, "clip": "stand" }, { "at": 1, "clip": "walk" }, { "at": 3, "clip": "run" } ] }"#;

    #[test]
    fn S66_along_a_line_the_neighbours_share() {
        let mut player = player();
        play_json(&mut player, BASE, LINE, &PlayOptions::default());
        for (speed, expected) in
            [(-5.0, 5.0), (0.0, 5.0), (0.25, 3.75), (1.0, 0.0), (2.0, 5.0), (3.0, 10.0), (9.0, 10.0)]
        {
            player.set_parameter("speed", speed).unwrap();
            player.advance(0.0).unwrap();
            assert_x(&mut player, LEG, expected);
        }
    }

    #[test]
    fn on_a_plane_a_child_at_the_point_has_all_the_weight() {
        let mut player = player();
        let json = r#"{ "across": ["x", "y"], "motions": [
            { "at": [0, 0], "clip": "stand" }, { "at": [0, 1], "clip": "walk" }, { "at": [1, 0], "clip": "run" } ] }"#;
        play_json(&mut player, BASE, json, &PlayOptions::default());
        for (x, y, expected) in
            [(0.0, 0.0, 5.0), (0.0, 1.0, 0.0), (1.0, 0.0, 10.0), (0.0, 7.0, 0.0), (0.0, 0.5, 2.5)]
        {
            player.set_parameter("x", x).unwrap();
            player.set_parameter("y", y).unwrap();
            player.advance(0.0).unwrap();
            assert_x(&mut player, LEG, expected);
        }
    }

    #[test]
    fn explicit_weights_count_by_their_share() {
        let mut player = player();
        let json =
            r#"{ "mix": [ { "weight": 1, "clip": "stand" }, { "weight": "running", "clip": "run" } ] }"#;
        play_json(&mut player, BASE, json, &PlayOptions::default());
        assert_x(&mut player, LEG, 5.0);
        player.set_parameter("running", 3.0).unwrap();
        player.advance(0.0).unwrap();
        assert_x(&mut player, LEG, 5.0 * 0.25 + 10.0 * 0.75);
        player.set_parameter("running", -3.0).unwrap();
        player.advance(0.0).unwrap();
        assert_x(&mut player, LEG, 5.0);
        let nothing = r#"{ "mix": [ { "weight": 0, "clip": "stand" } ] }"#;
        play_json(&mut player, BASE, nothing, &PlayOptions::default());
        assert_x(&mut player, LEG, 0.5);
    }

    #[test]
    fn blends_nest() {
        let mut player = player();
        let json = r#"{ "mix": [ { "weight": 0.5, "clip": "stand" },
            { "weight": 0.5, "along": "speed", "motions": [ { "at": 0, "clip": "walk" }, { "at": 1, "clip": "run" } ] } ] }"#;
        play_json(&mut player, BASE, json, &PlayOptions::default());
        player.set_parameter("speed", 0.5).unwrap();
        player.advance(0.0).unwrap();
        assert_x(&mut player, LEG, 2.5 + 2.5);
    }

    #[test]
    fn those_in_phase_take_as_long_as_they_do_on_average() {
        let mut player = player();
        let json =
            r#"{ "along": "speed", "motions": [ { "at": 0, "clip": "walk" }, { "at": 1, "clip": "run" } ] }"#;
        play_json(&mut player, BASE, json, &PlayOptions::default());
        player.set_parameter("speed", 0.5).unwrap();
        // Half of 2 s and of 1 s: a pass takes 1.5 s, and after 0.75 s both are half-way.
        player.advance(0.75).unwrap();
        assert_x(&mut player, LEG, (1.0 + 10.5) / 2.0);
        assert_near(player.time_secs() as f32, 1.0);
        player.advance(0.75).unwrap();
        let loops = happenings(&mut player);
        assert!(loops.iter().any(|what| matches!(what, Happening::Loop { passes: 1, .. })), "{loops:?}");
    }

    #[test]
    fn beats_meet_and_one_huge_step_equals_many_small_ones() {
        let json = r#"{ "mix": [ { "weight": 1, "clip": "walk" }, { "weight": 3, "clip": "run" } ], "inPhase": true }"#;
        let start = || {
            let mut player = player();
            let (walk, run) = (clip_named(&player, "walk"), clip_named(&player, "run"));
            player.set_beats(walk, vec![0.5, 1.0]).unwrap();
            player.set_beats(run, vec![0.1, 0.9]).unwrap();
            play_json(&mut player, BASE, json, &PlayOptions::default());
            player
        };
        let mut player = start();
        // From 0 to walk's first beat: a third of 1.5 s of walk, a third of the 0.2 s before run's.
        let first_beat_secs = (1.5 / 3.0 + 3.0 * 0.2 / 3.0) / 4.0;
        player.advance(first_beat_secs).unwrap();
        assert_near(player.time_secs() as f32, 0.5);
        assert_x(&mut player, LEG, (0.5 + 3.0 * 10.1) / 4.0);
        player.advance((0.5 + 3.0 * 0.8) / 4.0).unwrap();
        assert_x(&mut player, LEG, (1.0 + 3.0 * 10.9) / 4.0);

        for direction in [1.0, -1.0] {
            let mut whole = start();
            whole.advance(direction * 17.3).unwrap();
            let mut split = start();
            for _ in 0..173 {
                split.advance(direction * 0.1).unwrap();
            }
            assert_near(x_of(&mut whole, LEG), x_of(&mut split, LEG));
        }
    }

    #[test]
    fn motions_of_a_group_stay_in_phase_while_they_cross() {
        let feet = PlayOptions { sync: Some(SyncGroup::named("feet")), ..PlayOptions::default() };
        let mut player = player();
        let (walk, run) = (clip_named(&player, "walk"), clip_named(&player, "run"));
        player.play(walk, &feet).unwrap();
        player.advance(0.5).unwrap();
        player.play(run, &PlayOptions { fade_secs: 1.0, ..feet }).unwrap();
        assert_near(player.time_secs() as f32, 0.25);
        for _ in 0..50 {
            player.advance(0.01).unwrap();
        }
        // Both at one phase: leg = (1 − w)·2p + w·(10 + p), at w = 1/2.
        let phase = player.time_secs() as f32;
        assert_x(&mut player, LEG, phase + 5.0 + phase * 0.5);
        let mut leap = playing("walk");
        leap.play(walk, &feet).unwrap();
        leap.advance(0.5).unwrap();
        leap.play(run, &PlayOptions { fade_secs: 1.0, ..feet }).unwrap();
        leap.advance(0.5).unwrap();
        // Weights move within a step of a sixtieth: the pace is that of its beginning.
        assert!((leap.time_secs() - player.time_secs()).abs() < 0.01);
    }

    #[test]
    fn lone_clips_keep_their_own_time() {
        let mut player = player();
        let json =
            r#"{ "mix": [ { "weight": 1, "clip": "walk" }, { "weight": 1, "clip": "run", "speed": 0.5 } ] }"#;
        play_json(&mut player, BASE, json, &PlayOptions { looping: Looping::ONCE, ..PlayOptions::default() });
        player.advance(1.0).unwrap();
        assert_x(&mut player, LEG, (1.0 + 10.5) / 2.0);
        player.advance(9.0).unwrap();
        assert_x(&mut player, LEG, (2.0 + 11.0) / 2.0);
        assert_eq!(player.state(), State::Finished);
    }
}

mod crossings {
    use super::*;

    fn speed_of(player: &Player, secs: f64) -> f32 {
        let mut before = twin(player);
        let from = x_of(&mut before, LEG);
        before.advance(secs).unwrap();
        (x_of(&mut before, LEG) - from) / secs as f32
    }

    /// Players can't be cloned; the same commands make the same player.
    fn twin(of: &Player) -> Player {
        let mut player = playing("walk");
        player.advance(0.5).unwrap();
        if of.clip() == Some(clip_named(&player, "run")) {
            let run = clip_named(&player, "run");
            player.play(run, &inertial()).unwrap();
        }
        player
    }

    fn inertial() -> PlayOptions {
        PlayOptions { crossing: Crossing::Inertia, ..fading(0.5) }
    }

    #[test]
    fn inertia_keeps_value_and_speed_and_then_nothing_is_left() {
        let mut player = playing("walk");
        player.advance(0.5).unwrap();
        let (value, speed) = (x_of(&mut player, LEG), speed_of(&player, 1e-3));
        let run = clip_named(&player, "run");
        player.play(run, &inertial()).unwrap();
        assert_near(x_of(&mut player, LEG), value);
        // A difference quotient of numbers of ten, in 32 bits, over a thousandth of a second.
        assert!((speed_of(&player, 1e-3) - speed).abs() < 0.05, "{} ≠ {speed}", speed_of(&player, 1e-3));
        player.advance(0.5).unwrap();
        assert_x(&mut player, LEG, 10.5);
    }

    #[test]
    fn a_crossing_can_be_cut_short_at_any_moment() {
        for crossing in [Crossing::Fade, Crossing::Inertia] {
            let options = PlayOptions { crossing, ..fading(0.4) };
            let mut player = playing("walk");
            let names = ["run", "stand", "walk"];
            for step in 0..60 {
                let before = x_of(&mut player, LEG);
                let clip = clip_named(&player, names[step % 3]);
                player.play(clip, &options).unwrap();
                assert_near(x_of(&mut player, LEG), before);
                player.advance(0.03).unwrap();
                assert!((x_of(&mut player, LEG) - before).abs() < 3.0, "a leap");
            }
        }
    }

    #[test]
    fn easing_bends_the_way_and_not_its_ends() {
        for (easing, expected) in
            [(Easing::Linear, 0.25), (Easing::Smooth, 0.15625), (Easing::In, 0.0625), (Easing::Out, 0.4375)]
        {
            let mut player = playing("stand");
            let run = clip_named(&player, "run");
            player.play(run, &PlayOptions { easing, speed: 0.0, ..fading(1.0) }).unwrap();
            player.advance(0.25).unwrap();
            assert_x(&mut player, LEG, 5.0 + 5.0 * expected);
            player.advance(0.75).unwrap();
            assert_x(&mut player, LEG, 10.0);
        }
    }
}

mod time {
    use super::*;

    fn markers(player: &mut Player, name: &str, times_secs: &[f64]) {
        let clip = clip_named(player, name);
        let markers = times_secs.iter().map(|&time_secs| Marker { name: "here".into(), time_secs });
        player.set_markers(clip, markers.collect()).unwrap();
    }

    /// A letter for a marker by its number, `|` for the border between two passes, `.` for the end.
    fn story(player: &mut Player) -> String {
        let letter = |what: Happening| match what {
            Happening::Marker { marker, .. } => char::from(b'a' + marker as u8),
            Happening::Loop { .. } => '|',
            Happening::Finished { .. } => '.',
            _ => '?',
        };
        happenings(player).into_iter().map(letter).collect()
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
                happenings(&mut player);
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
        happenings(&mut player);
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
        happenings(&mut player);
        player.advance(1.0).unwrap();
        let clips: Vec<_> = happenings(&mut player)
            .into_iter()
            .filter_map(|what| match what {
                Happening::Marker { clip, .. } => Some(clip),
                _ => None,
            })
            .collect();
        assert_eq!(clips, [clip_named(&player, "run")]);
    }

    #[test]
    fn a_part_of_a_clip_plays_in_the_clips_own_time() {
        let mut player = player();
        play_json(
            &mut player,
            BASE,
            r#"{ "clip": "walk", "from": 0.5, "to": 1.5 }"#,
            &PlayOptions::default(),
        );
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
            happenings(&mut player);
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
        assert_eq!(happenings(&mut whole), happenings(&mut split));
    }
}

mod by_hand {
    use super::*;

    #[test]
    fn S69_a_joint_is_set_by_hand_over_what_plays() {
        let turn = Quat::from_rotation_z(0.5);
        for (relative_to, expected_x) in
            [(RelativeTo::Rest, 0.5 + 2.0), (RelativeTo::Pose, 0.25 + 2.0), (RelativeTo::Parent, 2.0)]
        {
            let mut player = playing("walk");
            let by_hand = ByHand {
                relative_to,
                rotation: Some(turn),
                translation: Some(Vec3::X * 2.0),
                ..ByHand::default()
            };
            player.set_node(at(SPINE), &by_hand).unwrap();
            player.advance(0.25).unwrap();
            assert_x(&mut player, SPINE, expected_x);
            let spine = player.world_matrices(0).unwrap()[SPINE];
            assert!(spine.to_scale_rotation_translation().1.angle_between(turn) < 1e-3);
            assert_x(&mut player, LEG, 0.25);
            player.release_node(at(SPINE));
            assert_x(&mut player, SPINE, 0.25);
        }
    }

    #[test]
    fn half_a_weight_goes_half_the_way() {
        let mut player = playing("stand");
        let by_hand = ByHand { translation: Some(Vec3::X * 2.0), weight: 0.5, ..ByHand::default() };
        player.set_node(at(LEG), &by_hand).unwrap();
        assert_x(&mut player, LEG, (5.0 + 2.5) / 2.0);
    }

    #[test]
    fn what_cannot_be_is_refused_and_the_pose_stays() {
        let mut player = playing("walk");
        player.advance(0.5).unwrap();
        let nan = ByHand { translation: Some(Vec3::NAN), ..ByHand::default() };
        let nothing = ByHand { rotation: Some(Quat::from_xyzw(0.0, 0.0, 0.0, 0.0)), ..ByHand::default() };
        let heavy = ByHand { weight: 2.0, ..ByHand::default() };
        let bad_mask = vec![MaskEntry { node: at(99), weight: 1.0, subtree: true }];
        let whole = Source::from(ClipIndex::new(0));
        let no_time = PlayOptions { start_secs: f64::NAN, ..PlayOptions::default() };
        let codes = [
            player.set_node(at(SPINE), &nan).unwrap_err().code(),
            player.set_node(at(SPINE), &nothing).unwrap_err().code(),
            player.set_node(at(SPINE), &heavy).unwrap_err().code(),
            player.set_node(at(99), &ByHand::default()).unwrap_err().code(),
            player.find_node("tail").unwrap_err().code(),
            player.set_morph("smile", Some(1.0)).unwrap_err().code(),
            player.set_parameter("speed", 1.0).unwrap_err().code(),
            player
                .set_layer("x", &LayerOptions { mask: bad_mask, ..LayerOptions::default() })
                .unwrap_err()
                .code(),
            player.play_in(LayerIndex(7), &whole, &PlayOptions::default()).unwrap_err().code(),
            player.play_in(BASE, &whole, &no_time).unwrap_err().code(),
            player.read_source(r#"{ "clip": "fly" }"#).unwrap_err().code(),
            player.find_layer("lower").unwrap_err().code(),
            player.advance(f64::NAN).unwrap_err().code(),
        ];
        assert_eq!(
            codes,
            [
                "NOT_FINITE",
                "NOT_FINITE",
                "OUT_OF_RANGE",
                "UNKNOWN_NODE",
                "UNKNOWN_NODE",
                "UNKNOWN_MORPH",
                "UNKNOWN_PARAMETER",
                "UNKNOWN_NODE",
                "UNKNOWN_LAYER",
                "NOT_FINITE",
                "UNKNOWN_CLIP",
                "UNKNOWN_LAYER",
                "NOT_FINITE",
            ]
        );
        assert_x(&mut player, SPINE, 0.5);
        assert_eq!(player.state(), State::Playing);
    }
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
