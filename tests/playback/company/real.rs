//! Characters that other projects made, side by side, attached to and worn by each other.

use super::area::is_seen;
use super::{PLAYER, add, assert_alike, frames, matrices, place, rig_of, showing};
use crate::support::made_model::at;
use crate::support::real_models;
use gambol::animation::Rig;
use gambol::import::{Resources, import};
use gambol::model::ClipIndex;
use gambol::playback::PlayOptions;
use gambol::player::Player;
use glam::{Affine3A, Mat4, Vec3};
use std::sync::Arc;

fn real(name: &str) -> Option<Arc<Rig>> {
    let bytes = std::fs::read(real_models::model(name)?).unwrap();
    Some(rig_of(import(&bytes, &Resources::default()).unwrap().model))
}

#[test]
fn real_characters_stand_side_by_side_hold_each_other_and_wear_themselves() {
    let names = [
        "gltf/kaykit/Knight.glb",
        "gltf/robot-expressive/RobotExpressive.glb",
        "gltf/quaternius/platformer_game_pack_Character.glb",
        "gltf/quaternius/cyberpunk_pack_Enemy_Flying.glb",
        "gltf/quaternius/platformer_game_pack_Bee.glb",
        "gltf/kenney/character.glb",
        "gltf/meshopt/pirate.glb",
    ];
    let Some(rigs) = names.into_iter().map(real).collect::<Option<Vec<_>>>() else { return };
    let knight = &rigs[0];
    let mut player = showing(knight);
    let mut alone: Vec<_> = rigs.iter().map(showing).collect();
    let ids: Vec<_> = rigs.iter().map(|rig| add(&mut player, rig)).collect();
    for (nth, (&id, other)) in ids.iter().zip(&mut alone).enumerate() {
        player.place_actor(id, place(nth)).unwrap();
        for player in [player.actor_mut(id).unwrap(), other] {
            if player.rig().unwrap().clip_count() > 0 {
                player.play(ClipIndex::new(0), &PlayOptions::default()).unwrap();
            }
        }
    }
    // The knight's hand holds the bee, whose first node holds the flying enemy.
    let hand = player.find_node("handslot.r").unwrap();
    let cheer = player.find_clip("Cheer").unwrap();
    player.play(cheer, &PlayOptions::default()).unwrap();
    let [bee, enemy] = [add(&mut player, &rigs[4]), add(&mut player, &rigs[3])];
    player.attach_actor(enemy, Some((bee, at(3))), &place(0)).unwrap();
    player.attach_actor(bee, Some((PLAYER, hand)), &place(1)).unwrap();
    let outfit = add(&mut player, knight);
    player.wear_actor(outfit, Some(PLAYER)).unwrap();
    for _ in 0..40 {
        frames(&mut player, 1);
        for (nth, (&id, other)) in ids.iter().zip(&mut alone).enumerate() {
            frames(other, 1);
            let own = other.world_matrices(0).unwrap();
            let expected: Vec<_> = own.into_iter().map(|own| Mat4::from(place(nth)) * own).collect();
            assert_alike(&matrices(&mut player, id), &expected);
        }
        let worn = matrices(&mut player, PLAYER);
        assert_eq!(matrices(&mut player, outfit), worn);
        let skins = |player: &mut Player| player.skin_matrices(0, 0).unwrap();
        let of_wearer = skins(&mut player);
        assert_eq!(skins(player.actor_mut(outfit).unwrap()), of_wearer);
        let unscaled = |matrix: Mat4| {
            let (_, rotation, translation) = matrix.to_scale_rotation_translation();
            Mat4::from_rotation_translation(rotation, translation)
        };
        let source = player.model().unwrap().node(hand).source_index;
        let held = unscaled(player.world_matrix(source, 0).unwrap()) * Mat4::from(place(1));
        assert_alike(&[unscaled(player.actor_place(bee).unwrap().into())], &[unscaled(held)]);
    }
    player.frame(1.0);
    let counts: Vec<_> = rigs.iter().map(Arc::strong_count).collect();
    for id in player.actors().collect::<Vec<_>>() {
        player.remove_actor(id).unwrap();
    }
    let freed: Vec<_> = counts.iter().zip(&rigs).map(|(count, rig)| count - Arc::strong_count(rig)).collect();
    assert_eq!(freed, [2, 1, 1, 2, 2, 1, 1]);
    real_models::saw(rigs.len());
}

#[test]
fn what_a_hand_swings_is_in_the_picture_throughout_every_clip() {
    let Some(knight) = real("gltf/kaykit/Knight.glb") else { return };
    let Some(pole) = real("gltf/khronos/Box/glTF-Binary/Box.glb") else { return };
    let mut clips = 0;
    for clip in (0..knight.clip_count()).step_by(4).map(ClipIndex::new) {
        clips += 1;
        let mut player = showing(&knight);
        let hand = player.find_node("handslot.r").unwrap();
        let held = add(&mut player, &pole);
        let long = Affine3A::from_scale(Vec3::new(0.1, 3.0, 0.1));
        player.attach_actor(held, Some((PLAYER, hand)), &long).unwrap();
        player.play(clip, &PlayOptions::default()).unwrap();
        player.frame(1.0);
        let box_in_model = player.actor(held).unwrap().bounds().unwrap();
        let frame_count = 200;
        for frame in 0..frame_count {
            player.seek(player.duration_secs() * f64::from(frame) / f64::from(frame_count)).unwrap();
            player.pose();
            let place = player.actor_place(held).unwrap();
            for corner in box_in_model.corners() {
                let corner = place.transform_point3(corner);
                assert!(is_seen(&player, corner), "{clip:?} {frame}: {corner}");
            }
        }
    }
    real_models::saw(clips);
}
