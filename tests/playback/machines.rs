//! State machines during playback: what they play, when they change state, and the events that they emit.

use crate::support::made_model::{clip, model, moved, node, track};
use gambol::animation::Rig;
use gambol::import::ImportReport;
use gambol::model::{ClipIndex, Interpolation, Model, TrackValues};
use gambol::playback::{EventKind, FinishReason, LayerIndex, State};
use gambol::player::{Crowd, Player};
use glam::Vec3;
use std::sync::Arc;

const BASE: LayerIndex = LayerIndex::BASE;
const UPPER: LayerIndex = LayerIndex(1);

/// Returns a figure with one node per layer. Each clip moves its node at a height of its own, so that a pose shows
/// what plays.
fn figure() -> Model {
    let hold = |node: usize, height: f32, secs: f32| {
        let values = TrackValues::Translation(vec![Vec3::Y * height, Vec3::Y * (height + 1.0)]);
        track(node, Interpolation::Linear, &[0.0, secs], values)
    };
    model(
        vec![node(None, moved(Vec3::ZERO), 0), node(None, moved(Vec3::ZERO), 1)],
        vec![
            clip("idle", vec![hold(0, 0.0, 2.0)]),
            clip("walk", vec![hold(0, 10.0, 1.0)]),
            clip("jump", vec![hold(0, 20.0, 0.5)]),
            clip("wave", vec![hold(1, 30.0, 1.0)]),
        ],
    )
}

fn player() -> Player {
    let mut player = Player::new();
    player.show(Arc::new(Rig::new(Arc::new(figure()))), ImportReport::default());
    player
}

fn controlled(json: &str) -> Player {
    let mut player = player();
    player.set_controller(Some(json)).unwrap_or_else(|error| panic!("{error}"));
    player
}

const LOCOMOTION: &str = r#"{
    "parameters": { "speed": 0, "jump": "trigger", "waving": false },
    "clips": { "walk": { "markers": [ { "name": "step", "time": 0.5 } ] } },
    "layers": [
        { "name": "base", "start": "Idle",
          "states": { "Idle": { "clip": "idle" }, "Walk": { "clip": "walk" },
            "Jump": { "clip": "jump", "loop": "once" } },
          "transitions": [
            { "from": ["Idle", "Walk"], "to": "Jump", "when": { "jump": true }, "fade": 0.1 },
            { "from": "Idle", "to": "Walk", "when": { "speed": { "above": 0.5 } }, "fade": 0.2 },
            { "from": "Walk", "to": "Idle", "when": { "speed": { "atMost": 0.5 } }, "fade": 0.2 },
            { "from": "Jump", "to": "Idle", "exit": 1, "fade": 0.2 } ] },
        { "name": "arms", "start": "Still", "mask": { "node 1": 1 },
          "states": { "Still": null, "Wave": { "clip": "wave" } },
          "transitions": [
            { "from": "Still", "to": "Wave", "when": { "waving": true }, "fade": 0.5 },
            { "from": "Wave", "to": "Still", "when": { "waving": false }, "fade": 0.5 } ] } ] }"#;

fn height(player: &mut Player, node: usize) -> f32 {
    player.world_matrices(0).unwrap()[node].w_axis.y
}

#[track_caller]
fn assert_height(player: &mut Player, node: usize, expected: f32) {
    let found = height(player, node);
    assert!((found - expected).abs() < 1e-4, "{found} ≠ {expected}");
}

fn state(player: &Player, layer: LayerIndex) -> &str {
    player.machine_state(layer).expect("a machine plays the layer")
}

fn changes(player: &mut Player) -> Vec<(u32, usize)> {
    let change = |event: gambol::playback::Event| match event.kind {
        EventKind::StateChange { state } => Some((event.layer.0, state)),
        _ => None,
    };
    player.drain_events().filter_map(change).collect()
}

#[test]
fn a_machine_starts_in_its_first_state_and_follows_its_parameters() {
    let mut player = controlled(LOCOMOTION);
    assert_eq!(state(&player, BASE), "Idle");
    player.set_parameter("speed", 1.0).unwrap();
    assert!(player.is_moving(), "something is to be decided");
    player.advance(0.1).unwrap();
    assert_eq!(state(&player, BASE), "Walk");
    assert_height(&mut player, 0, (0.05 + 10.1) / 2.0);
    player.advance(0.1).unwrap();
    assert_height(&mut player, 0, 10.2);
    player.set_parameter("speed", 0.0).unwrap();
    player.advance(0.0).unwrap();
    assert_eq!(state(&player, BASE), "Idle");
}

#[test]
fn a_trigger_fires_once_and_an_exit_comes_at_its_very_time() {
    for pieces in [1, 3, 70] {
        let mut player = controlled(LOCOMOTION);
        player.set_parameter("jump", 1.0).unwrap();
        changes(&mut player);
        for _ in 0..pieces {
            player.advance(0.7 / f64::from(pieces)).unwrap();
        }
        assert_eq!(player.parameter("jump").unwrap(), 0.0);
        let (idle, jump) = (0, 1);
        assert_eq!(changes(&mut player), [(0, jump), (0, idle)], "in {pieces} pieces");
        // Half a second of jump, then idle for 0.2 s: the fade is just over.
        assert_height(&mut player, 0, 0.1);
        player.advance(5.0).unwrap();
        assert_eq!(state(&player, BASE), "Idle");
    }
}

#[test]
fn layers_have_machines_of_their_own_and_a_silent_state_shows_what_lies_below() {
    let mut player = controlled(LOCOMOTION);
    assert_eq!(state(&player, UPPER), "Still");
    assert_height(&mut player, 1, 0.0);
    player.set_parameter("waving", 1.0).unwrap();
    player.advance(0.25).unwrap();
    assert_height(&mut player, 1, 30.25 / 2.0);
    player.advance(0.25).unwrap();
    assert_height(&mut player, 1, 30.5);
    player.set_parameter("waving", 0.0).unwrap();
    player.advance(0.5).unwrap();
    assert_height(&mut player, 1, 0.0);
    assert_eq!(player.layer_state(UPPER), State::Stopped);
    assert_eq!(state(&player, UPPER), "Still");
}

#[test]
fn one_huge_step_equals_many_small_ones_through_states() {
    let start = || {
        let mut player = controlled(LOCOMOTION);
        player.set_parameter("speed", 1.0).unwrap();
        player.set_parameter("jump", 1.0).unwrap();
        player.set_parameter("waving", 1.0).unwrap();
        player
    };
    let (mut whole, mut split) = (start(), start());
    whole.advance(6.4).unwrap();
    for _ in 0..640 {
        split.advance(0.01).unwrap();
    }
    assert!((height(&mut whole, 0) - height(&mut split, 0)).abs() < 1e-4);
    assert!((height(&mut whole, 1) - height(&mut split, 1)).abs() < 1e-4);
    let events = |player: &mut Player| player.drain_events().collect::<Vec<_>>();
    assert_eq!(events(&mut whole), events(&mut split));
}

#[test]
fn markers_of_a_controller_are_told_and_state_changes_close_what_played() {
    let mut player = controlled(LOCOMOTION);
    player.set_parameter("speed", 1.0).unwrap();
    player.drain_events().for_each(drop);
    player.advance(0.75).unwrap();
    let events: Vec<EventKind> = player.drain_events().map(|event| event.kind).collect();
    let (idle, walk) = (ClipIndex::new(0), ClipIndex::new(1));
    match events[..] {
        [
            EventKind::Finished { clip: left, reason: FinishReason::Replaced, .. },
            EventKind::Play { run, clip: entered },
            EventKind::StateChange { .. },
            EventKind::Marker { run: of, clip, marker: 0 },
        ] => assert_eq!((left, entered, clip, run), (idle, walk, walk, of)),
        _ => panic!("{events:?}"),
    }
}

fn interrupted(rule: &str) -> Player {
    let json = format!(
        r#"{{ "parameters": {{ "go": false, "other": false, "on": false }},
          "layers": [ {{ "name": "base", "start": "A",
            "states": {{ "A": {{ "clip": "idle" }}, "B": {{ "clip": "walk" }}, "C": {{ "clip": "jump" }} }},
            "transitions": [
              {{ "from": "A", "to": "B", "when": {{ "go": true }}, "fade": 1, "interrupt": "{rule}" }},
              {{ "from": "A", "to": "C", "when": {{ "other": true }}, "fade": 1 }},
              {{ "from": "B", "to": "C", "when": {{ "on": true }}, "fade": 1 }} ] }} ] }}"#
    );
    let mut player = controlled(&json);
    player.set_parameter("go", 1.0).unwrap();
    player.advance(0.5).unwrap();
    assert_eq!(state(&player, BASE), "B");
    player
}

#[test]
fn the_rule_says_what_may_cut_a_fade_short() {
    for (rule, by_source, by_target) in
        [("none", "B", "B"), ("source", "C", "B"), ("target", "B", "C"), ("either", "C", "C")]
    {
        let mut source = interrupted(rule);
        let before = height(&mut source, 0);
        source.set_parameter("other", 1.0).unwrap();
        source.advance(0.0).unwrap();
        assert_eq!(state(&source, BASE), by_source, "{rule}, from the source");
        assert_height(&mut source, 0, before);
        let mut target = interrupted(rule);
        target.set_parameter("on", 1.0).unwrap();
        target.advance(0.0).unwrap();
        assert_eq!(state(&target, BASE), by_target, "{rule}, from the target");
        // After the fade the rule has no effect.
        target.advance(0.6).unwrap();
        assert_eq!(state(&target, BASE), "C", "{rule}");
    }
}

#[test]
fn any_state_goes_everywhere_but_to_itself() {
    let json = r#"{ "parameters": { "fall": false }, "layers": [ { "name": "base", "start": "A",
        "states": { "A": { "clip": "idle" }, "B": { "clip": "walk" } },
        "transitions": [ { "from": "*", "to": "B", "when": { "fall": true } } ] } ] }"#;
    let mut player = controlled(json);
    player.set_parameter("fall", 1.0).unwrap();
    player.advance(0.5).unwrap();
    let run = player.run();
    player.advance(0.5).unwrap();
    assert_eq!((state(&player, BASE), player.run()), ("B", run), "entered once");
}

#[test]
fn the_phase_is_kept_where_the_transition_says_so() {
    let json = r#"{ "parameters": { "run": false }, "layers": [ { "name": "base", "start": "A",
        "states": { "A": { "clip": "idle" }, "B": { "clip": "walk" } },
        "transitions": [ { "from": "A", "to": "B", "when": { "run": true }, "keepPhase": true } ] } ] }"#;
    let mut player = controlled(json);
    player.advance(1.5).unwrap();
    player.set_parameter("run", 1.0).unwrap();
    player.advance(0.0).unwrap();
    assert_height(&mut player, 0, 10.75);
}

#[test]
fn an_exit_waits_for_its_share_of_the_pass_and_for_its_condition() {
    let json = r#"{ "parameters": { "go": false }, "layers": [ { "name": "base", "start": "A",
        "states": { "A": { "clip": "idle" }, "B": { "clip": "walk" } },
        "transitions": [ { "from": "A", "to": "B", "when": { "go": true }, "exit": 0.75 } ] } ] }"#;
    let mut player = controlled(json);
    player.set_parameter("go", 1.0).unwrap();
    player.advance(1.4).unwrap();
    assert_eq!(state(&player, BASE), "A");
    player.advance(0.3).unwrap();
    assert_eq!(state(&player, BASE), "B");
    assert_height(&mut player, 0, 10.2);
}

#[test]
fn a_page_that_plays_a_clip_takes_the_layer_from_its_machine() {
    let mut player = controlled(LOCOMOTION);
    player.play(ClipIndex::new(1), &Default::default()).unwrap();
    assert_eq!(player.machine_state(BASE), None);
    player.set_parameter("speed", 0.0).unwrap();
    player.advance(0.25).unwrap();
    assert_height(&mut player, 0, 10.25);
    assert_eq!(state(&player, UPPER), "Still", "the other layer keeps its own");
    player.set_controller(None).unwrap();
    assert_eq!((player.state(), player.layer_names().count()), (State::Stopped, 1));
}

#[test]
fn a_controller_that_cannot_be_leaves_everything_as_it_was() {
    let mut player = controlled(LOCOMOTION);
    player.set_parameter("speed", 1.0).unwrap();
    player.advance(0.35).unwrap();
    let before = player.world_matrices(0).unwrap();
    for (json, code) in [
        ("{", "CONTROLLER_JSON_INVALID"),
        (&LOCOMOTION.replace("\"walk\" }", "\"fly\" }"), "UNKNOWN_CLIP"),
        (&LOCOMOTION.replace("node 1", "tail"), "UNKNOWN_NODE"),
        (
            r#"{ "layers": [ { "name": "base", "start": "A",
               "states": { "A": { "clip": "idle" }, "B": { "clip": "walk" } },
               "transitions": [ { "from": "A", "to": "B" }, { "from": "B", "to": "A" } ] } ] }"#,
            "CONTROLLER_INSTANT_CYCLE",
        ),
    ] {
        let error = player.set_controller(Some(json)).unwrap_err();
        assert_eq!(error.code(), code, "{error}");
        assert_eq!(player.world_matrices(0).unwrap(), before);
        assert_eq!(state(&player, BASE), "Walk");
    }
    player.advance(0.1).unwrap();
    assert_height(&mut player, 0, 10.45);
}

#[test]
fn a_crowd_follows_one_controller_each_at_its_own_phase() {
    let mut player = controlled(LOCOMOTION);
    player.crowd(3, &Crowd { phases: vec![0.0, 0.25, 0.5], ..Crowd::default() }).unwrap();
    player.set_parameter("speed", 1.0).unwrap();
    player.advance(0.3).unwrap();
    let heights: Vec<f32> =
        (0..3).map(|character| player.world_matrices(character).unwrap()[0].w_axis.y).collect();
    assert!(heights.iter().all(|height| *height > 9.9), "{heights:?}");
    assert_eq!(changes(&mut player).len(), 3, "the lead alone speaks: two first states and one change");
}
