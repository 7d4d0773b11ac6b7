//! Nodes set by hand over the playing clip, and the values that are refused.

use crate::support::figure::*;
use crate::support::made_model::at;
use gambol::animation::MaskEntry;
use gambol::model::ClipIndex;
use gambol::playback::{LayerIndex, LayerOptions, PlayOptions, Source, State};
use gambol::player::{NodeOverride, RelativeTo};
use glam::{Quat, Vec3};

#[test]
fn S69_a_joint_is_set_by_hand_over_what_plays() {
    let turn = Quat::from_rotation_z(0.5);
    for (relative_to, expected_x) in
        [(RelativeTo::Rest, 0.5 + 2.0), (RelativeTo::Pose, 0.25 + 2.0), (RelativeTo::Parent, 2.0)]
    {
        let mut player = playing("walk");
        let node_override = NodeOverride {
            relative_to,
            rotation: Some(turn),
            translation: Some(Vec3::X * 2.0),
            ..NodeOverride::default()
        };
        player.set_node(at(SPINE), &node_override).unwrap();
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
    let node_override =
        NodeOverride { translation: Some(Vec3::X * 2.0), weight: 0.5, ..NodeOverride::default() };
    player.set_node(at(LEG), &node_override).unwrap();
    assert_x(&mut player, LEG, (5.0 + 2.5) / 2.0);
}

#[test]
fn what_cannot_be_is_refused_and_the_pose_stays() {
    let mut player = playing("walk");
    player.advance(0.5).unwrap();
    let nan = NodeOverride { translation: Some(Vec3::NAN), ..NodeOverride::default() };
    let nothing =
        NodeOverride { rotation: Some(Quat::from_xyzw(0.0, 0.0, 0.0, 0.0)), ..NodeOverride::default() };
    let heavy = NodeOverride { weight: 2.0, ..NodeOverride::default() };
    let bad_mask = vec![MaskEntry { node: at(99), weight: 1.0, subtree: true }];
    let whole = Source::from(ClipIndex::new(0));
    let no_time = PlayOptions { start_secs: f64::NAN, ..PlayOptions::default() };
    let codes = [
        player.set_node(at(SPINE), &nan).unwrap_err().code(),
        player.set_node(at(SPINE), &nothing).unwrap_err().code(),
        player.set_node(at(SPINE), &heavy).unwrap_err().code(),
        player.set_node(at(99), &NodeOverride::default()).unwrap_err().code(),
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
            "OUT_OF_RANGE",
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
