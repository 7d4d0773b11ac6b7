//! Blends of motions, and transitions from one motion to another by crossfade, inertia or dead
//! blending.

use crate::support::figure::*;
use gambol::playback::{
    Crossing, Easing, EventKind, LayerMode, LayerOptions, Looping, PlayOptions, Reference, State, SyncGroup,
};
use gambol::player::Player;

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
    let json = r#"{ "mix": [ { "weight": 1, "clip": "stand" }, { "weight": "running", "clip": "run" } ] }"#;
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
        { "weight": 0.5, "along": "speed",
          "motions": [ { "at": 0, "clip": "walk" }, { "at": 1, "clip": "run" } ] } ] }"#;
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
    // Half of 2 s plus half of 1 s: a pass takes 1.5 s, and after 0.75 s both clips are halfway.
    player.advance(0.75).unwrap();
    assert_x(&mut player, LEG, (1.0 + 10.5) / 2.0);
    assert_near(player.time_secs() as f32, 1.0);
    player.advance(0.75).unwrap();
    let loops = event_kinds(&mut player);
    assert!(loops.iter().any(|kind| matches!(kind, EventKind::Loop { passes: 1, .. })), "{loops:?}");
}

#[test]
fn beats_meet_and_one_huge_step_equals_many_small_ones() {
    let json =
        r#"{ "mix": [ { "weight": 1, "clip": "walk" }, { "weight": 3, "clip": "run" } ], "inPhase": true }"#;
    let start = || {
        let mut player = player();
        let (walk, run) = (clip_named(&player, "walk"), clip_named(&player, "run"));
        player.set_beats(walk, vec![0.5, 1.0]).unwrap();
        player.set_beats(run, vec![0.1, 0.9]).unwrap();
        play_json(&mut player, BASE, json, &PlayOptions::default());
        player
    };
    let mut player = start();
    // The first beat: a third of walk's 1.5 s, and a third of run's 0.2 s.
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
    // Weights change within a step of a sixtieth of a second; the speed is that at its start.
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

fn speed_of(player: &Player, secs: f64) -> f32 {
    let mut before = twin(player);
    let from = x_of(&mut before, LEG);
    before.advance(secs).unwrap();
    (x_of(&mut before, LEG) - from) / secs as f32
}

/// Returns a player with the same state: `Player` isn't `Clone`, so the commands are repeated.
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
    // A difference quotient in f32 of values around 10, over a thousandth of a second.
    assert!((speed_of(&player, 1e-3) - speed).abs() < 0.05, "{} ≠ {speed}", speed_of(&player, 1e-3));
    player.advance(0.5).unwrap();
    assert_x(&mut player, LEG, 10.5);
}

fn dead() -> PlayOptions {
    PlayOptions { crossing: Crossing::DeadBlending, ..fading(0.5) }
}

#[test]
fn dead_blending_extrapolates_the_old_motion_and_ends_in_the_new_one() {
    let mut player = playing("walk");
    player.advance(0.5).unwrap();
    let run = clip_named(&player, "run");
    player.play(run, &dead()).unwrap();
    assert_x(&mut player, LEG, 0.5);
    // The leg is at 0.5 and moves by 1 per second towards 10: the velocity decays with the longest half-life, 1 s.
    let rate = std::f64::consts::LN_2;
    for step in 1..=50 {
        player.advance(0.01).unwrap();
        let time = f64::from(step) * 0.01;
        let old = 0.5 + (1.0 - (-rate * time).exp()) / rate;
        let share = time / 0.5;
        let weight = share * share * (3.0 - 2.0 * share);
        let expected = old + (10.0 + time - old) * weight;
        let found = x_of(&mut player, LEG);
        // The velocity is a difference of numbers around 1, over 1/512 s.
        assert!((f64::from(found) - expected).abs() < 2e-4, "{time}: {found} ≠ {expected}");
    }
    assert_x(&mut player, LEG, 10.5);
}

#[test]
fn dead_blending_is_the_same_at_every_frame_rate() {
    let at = |rate: u32| {
        let mut player = playing("walk");
        player.advance(0.5).unwrap();
        for name in ["run", "stand", "walk"] {
            let clip = clip_named(&player, name);
            player.play(clip, &dead()).unwrap();
            (0..rate / 4).for_each(|_| {
                player.advance(1.0 / f64::from(rate)).unwrap();
            });
        }
        x_of(&mut player, LEG)
    };
    let slow = at(20);
    for rate in [60, 144, 1000] {
        assert!((at(rate) - slow).abs() < 1e-3, "{rate}: {} ≠ {slow}", at(rate));
    }
}

#[test]
fn dead_blending_in_a_layer_leaves_alone_what_the_layer_does_not_move() {
    let mut player = playing("walk");
    let upper = player.set_layer("upper", &LayerOptions::default()).unwrap();
    let shoot = clip_named(&player, "shoot");
    player.play_in(upper, &shoot.into(), &PlayOptions::default()).unwrap();
    player.advance(0.5).unwrap();
    // The arm alone is keyed in both motions of the layer; the leg belongs to the layer below.
    player.play_in(upper, &shoot.into(), &dead()).unwrap();
    assert_x(&mut player, ARM, 100.5);
    for step in 1..=5 {
        player.advance(0.1).unwrap();
        assert_x(&mut player, LEG, 0.5 + step as f32 * 0.1);
    }
    assert_x(&mut player, ARM, 100.5);
}

#[test]
fn dead_blending_of_additive_motions_is_inertia() {
    let arm = |crossing: Crossing| {
        let mut player = playing("walk");
        let options = LayerOptions { mode: LayerMode::Add(Reference::FirstFrame), ..LayerOptions::default() };
        let adding = upper(&mut player, options);
        let (shoot, run) = (clip_named(&player, "shoot"), clip_named(&player, "run"));
        player.play_in(adding, &shoot.into(), &PlayOptions::default()).unwrap();
        player.advance(0.5).unwrap();
        player.play_in(adding, &run.into(), &PlayOptions { crossing, ..fading(0.5) }).unwrap();
        player.advance(0.2).unwrap();
        x_of(&mut player, ARM)
    };
    assert_eq!(arm(Crossing::DeadBlending), arm(Crossing::Inertia));
    assert_ne!(arm(Crossing::DeadBlending), arm(Crossing::Fade));
}

#[test]
fn with_nothing_to_cross_from_the_base_cuts() {
    for crossing in [Crossing::Fade, Crossing::Inertia, Crossing::DeadBlending] {
        let mut player = player();
        let run = clip_named(&player, "run");
        player.play(run, &PlayOptions { crossing, ..fading(0.5) }).unwrap();
        assert_x(&mut player, LEG, 10.0);
    }
}

#[test]
fn a_crossing_can_be_cut_short_at_any_moment() {
    for crossing in [Crossing::Fade, Crossing::Inertia, Crossing::DeadBlending] {
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

#[test]
fn seeking_a_blend_equals_having_played_it() {
    let lone =
        r#"{ "mix": [ { "weight": 1, "clip": "walk" }, { "weight": 1, "clip": "run", "speed": 0.7 } ] }"#;
    let nested = r#"{ "mix": [ { "weight": 1, "clip": "walk" }, { "weight": 2, "inPhase": true, "mix": [
        { "weight": 1, "clip": "run" }, { "weight": 3, "clip": "stand" } ] } ] }"#;
    for json in [lone, nested] {
        for rate in [1.0, -1.0] {
            for time_secs in [0.0, 0.4, 1.3, 1.9] {
                let mut played = player();
                played.set_playback_rate(rate).unwrap();
                play_json(&mut played, BASE, json, &PlayOptions::default());
                played.advance(if rate > 0.0 { time_secs } else { 2.0 - time_secs }).unwrap();
                let mut sought = player();
                sought.set_playback_rate(rate).unwrap();
                play_json(&mut sought, BASE, json, &PlayOptions::default());
                sought.advance(0.77).unwrap();
                sought.seek(time_secs).unwrap();
                assert_near(x_of(&mut sought, LEG), x_of(&mut played, LEG));
            }
        }
    }
}
