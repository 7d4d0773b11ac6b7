//! Clips of other humanoid bodies in the player: names, the map, what goes on meanwhile, and what is refused.

use crate::support::bodies::{Build, GROWN, SMALL};
use crate::support::figure::figure;
use gambol::animation::{RetargetOptions, Rig};
use gambol::import::ImportReport;
use gambol::model::Model;
use gambol::model::humanoid::Role;
use gambol::playback::PlayOptions;
use gambol::player::{Player, PlayerError};
use glam::{Quat, Vec3};
use std::sync::Arc;

/// A body that turns its head and moves forward by the length of its legs.
fn walking(build: &Build) -> Rig {
    let turn = |joint: &str, time: f32| match joint {
        "Head" => Quat::from_rotation_y(time),
        _ => Quat::IDENTITY,
    };
    let hips = |time: f32| Vec3::new(0.0, build.leg + build.ankle + 0.05, time * build.leg);
    let clip = build.clip(&build.own_axes(), 1.0, &turn, &hips);
    Rig::new(Arc::new(Model { clips: vec![clip], ..build.upright() }))
}

fn showing(rig: Rig) -> Player {
    let mut player = Player::new();
    player.show(Arc::new(rig), ImportReport::default());
    player
}

#[test]
fn borrowed_clips_play_like_the_models_own() {
    let mut player = showing(walking(&SMALL));
    let map =
        player.borrow_clips(&walking(&GROWN), &["borrowed".into()], &RetargetOptions::default()).unwrap();
    let head = map.iter().find(|pair| pair.role == Role::HEAD).unwrap();
    assert_eq!(player.model().unwrap().node(head.to.unwrap()).name, "Head");
    let clip = player.find_clip("borrowed").unwrap();
    assert_eq!(clip.get(), 1);
    player.play(clip, &PlayOptions::default()).unwrap();
    player.advance(0.5).unwrap();
    let hips = player.model().unwrap().find_node("Hips").unwrap().get();
    let place = player.world_matrices(0).unwrap()[hips].w_axis;
    assert!((place.z - 0.5 * SMALL.leg).abs() < 1e-4, "{place}");
    let turned = player.world_matrices(0).unwrap()[head.to.unwrap().get()];
    let expected = Quat::from_rotation_y(0.5) * Vec3::Z;
    assert!(turned.transform_vector3(Vec3::Z).distance(expected) < 1e-4, "{turned}");
}

#[test]
fn refusals_change_nothing_and_name_what_is_missing() {
    let options = RetargetOptions::default();
    let mut player = Player::new();
    assert!(matches!(player.borrow_clips(&walking(&GROWN), &[], &options), Err(PlayerError::NoModel)));
    player = showing(walking(&SMALL));
    let bare = Rig::new(Arc::new(GROWN.upright()));
    assert_eq!(player.borrow_clips(&bare, &[], &options).unwrap_err().code(), "NO_FITTING_CLIPS");
    let figure = || Rig::new(Arc::new(figure()));
    let error = player.borrow_clips(&figure(), &[], &options).unwrap_err();
    assert_eq!(error.code(), "NOT_HUMANOID");
    let text = error.to_string();
    assert!(text.starts_with("the file of the clips has no nodes for hips, leftUpperArm, "), "{text}");
    let error = showing(figure()).borrow_clips(&walking(&GROWN), &[], &options).unwrap_err();
    assert!(error.to_string().starts_with("the model has no nodes for hips, "), "{error}");
    assert_eq!(player.rig().unwrap().clip_count(), 1);
}
