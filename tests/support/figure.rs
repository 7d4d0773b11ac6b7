//! A figure whose pose is three numbers, and short words for playing it.

use crate::support::made_model::{at, clip, model, moved, node, track};
use gambol::animation::{MaskEntry, Rig};
use gambol::import::ImportReport;
use gambol::model::{ClipIndex, Interpolation, Model, TrackValues};
use gambol::playback::{EventKind, LayerIndex, LayerOptions, PlayOptions};
use gambol::player::Player;
use glam::Vec3;
use std::sync::Arc;

pub const BASE: LayerIndex = LayerIndex::BASE;

/// Hips, a spine on them with an arm, and a leg. Everything moves along x alone, so that a pose is three numbers.
///
/// ```text
/// walk   2 s   spine, arm and leg go from 0 to 2        run    1 s   from 10 to 11
/// stand  2 s   all at 5, held                           shoot  1 s   arm alone, from 100 to 101
/// ```
pub fn figure() -> Model {
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

pub const SPINE: usize = 1;
pub const ARM: usize = 2;
pub const LEG: usize = 3;

pub fn player() -> Player {
    let mut player = Player::new();
    player.show(Arc::new(Rig::new(Arc::new(figure()))), ImportReport::default());
    player
}

pub fn clip_named(player: &Player, name: &str) -> ClipIndex {
    player.find_clip(name).expect("the figure has it")
}

pub fn playing(name: &str) -> Player {
    let mut player = player();
    player.play(clip_named(&player, name), &PlayOptions::default()).unwrap();
    player.drain_events().for_each(drop);
    player
}

/// Relative to its parent.
pub fn x_of(player: &mut Player, node: usize) -> f32 {
    let matrices = player.world_matrices(0).unwrap();
    let x = |node: usize| matrices[node].w_axis.x;
    match node {
        ARM => x(ARM) - x(SPINE),
        _ => x(node) - x(0),
    }
}

#[track_caller]
pub fn assert_near(found: f32, expected: f32) {
    // A few roundings of numbers up to a hundred.
    assert!((found - expected).abs() < 1e-4, "{found} ≠ {expected}");
}

#[track_caller]
pub fn assert_x(player: &mut Player, node: usize, expected: f32) {
    let found = x_of(player, node);
    assert!((found - expected).abs() < 1e-4, "{found} ≠ {expected}");
}

pub fn fading(secs: f64) -> PlayOptions {
    PlayOptions { fade_secs: secs, ..PlayOptions::default() }
}

pub fn upper(player: &mut Player, options: LayerOptions) -> LayerIndex {
    let mask = vec![MaskEntry { node: at(SPINE), weight: 1.0, subtree: true }];
    player.set_layer("upper", &LayerOptions { mask, ..options }).unwrap()
}

pub fn play_json(player: &mut Player, layer: LayerIndex, json: &str, options: &PlayOptions) {
    let source = player.read_source(json).unwrap_or_else(|error| panic!("{json}: {error}"));
    player.play_in(layer, &source, options).unwrap();
}

pub fn event_kinds(player: &mut Player) -> Vec<EventKind> {
    player.drain_events().map(|event| event.kind).collect()
}
