//! Places of pins in the picture, and what covers them.

use super::pick::{along_z, perform, showing, square};
use crate::support::made_model::{Random, any_model, at};
use gambol::animation::Rig;
use gambol::camera::{Orbit, View};
use gambol::import::ImportReport;
use gambol::player::{ActorId, Anchor, PlacedPin, Player, SurfacePoint};
use glam::{Affine3A, Vec3};
use std::sync::Arc;

/// Returns where a pin is, tested.
fn placed(player: &mut Player, view: &View, anchor: Anchor) -> Option<PlacedPin> {
    let placed = player.place_pins(view, &[anchor], 0..1);
    assert_eq!(placed.len(), 1);
    placed[0]
}

#[test]
fn pins_are_hidden_behind_other_surfaces_only() {
    let mut player = showing(square(true));
    player.set_view(Orbit { target: Vec3::ZERO, yaw: 0.0, pitch: 0.0, distance: 5.0 }, 0.8, 0.0).unwrap();
    let other =
        player.add_actor(Arc::new(Rig::new(Arc::new(square(true)))), ImportReport::default()).unwrap();
    player.camera.frame(&[Vec3::splat(-4.0), Vec3::splat(4.0)], 1.0);
    player.set_view(Orbit { target: Vec3::ZERO, yaw: 0.0, pitch: 0.0, distance: 9.0 }, 0.8, 0.0).unwrap();
    let view = player.camera.view(1.0);
    let surface = player.pick(&along_z(1.0)).unwrap().surface;
    let node = |node| Anchor::Node {
        actor: ActorId::PLAYER,
        character: 0,
        node: at(node),
        offset: Vec3::new(-0.25, 0.0, -0.5),
    };
    let covered = |player: &mut Player, anchor| placed(player, &view, anchor).unwrap().covered;
    // The other square is at the same place. A surface doesn't cover one at its own distance.
    assert_eq!(covered(&mut player, Anchor::Surface(surface)), Some(false));
    player.place_actor(other, Affine3A::from_translation(Vec3::Z)).unwrap();
    assert_eq!(covered(&mut player, Anchor::Surface(surface)), Some(true));
    assert_eq!(covered(&mut player, node(0)), Some(true), "by another actor");
    player.place_actor(other, Affine3A::from_translation(Vec3::NEG_Z)).unwrap();
    assert_eq!(covered(&mut player, Anchor::Surface(surface)), Some(false));
    assert_eq!(covered(&mut player, node(0)), Some(false), "its own mesh");
    assert_eq!(covered(&mut player, node(1)), Some(false), "that of its parent");
    assert_eq!(covered(&mut player, node(2)), Some(true), "that of an ancestor further up");

    let untested = player.place_pins(&view, &[node(0), Anchor::Surface(surface), node(2)], 1..2);
    assert_eq!(
        untested.iter().map(|pin| pin.unwrap().covered).collect::<Vec<_>>(),
        [None, Some(false), None]
    );
    let middle = placed(&mut player, &view, Anchor::Surface(surface)).unwrap().place;
    let expected = view.place(Vec3::new(0.5, 0.25, 0.0));
    assert!(middle.position.distance(expected.position) < 1e-4, "{middle:?} ≠ {expected:?}");
    assert!((middle.depth - 9.0).abs() < 1e-4 && middle.in_front);

    for odd in [
        Anchor::Node { actor: ActorId::new(9), character: 0, node: at(0), offset: Vec3::ZERO },
        Anchor::Node { actor: ActorId::PLAYER, character: 1, node: at(0), offset: Vec3::ZERO },
        Anchor::Node { actor: ActorId::PLAYER, character: 0, node: at(99), offset: Vec3::ZERO },
        Anchor::Node { actor: ActorId::PLAYER, character: 0, node: at(0), offset: Vec3::NAN },
        Anchor::Surface(SurfacePoint { triangle: 2, ..surface }),
    ] {
        assert_eq!(placed(&mut player, &view, odd), None, "{odd:?}");
    }
    let behind = Anchor::Node { actor: ActorId::PLAYER, character: 0, node: at(0), offset: Vec3::Z * 20.0 };
    let behind = placed(&mut player, &view, behind).unwrap();
    assert!(!behind.place.in_front && behind.place.depth < 0.0 && behind.covered.is_none());
}

#[test]
fn pins_of_nodes_follow_each_character() {
    let random = &mut Random::new(3);
    let mut player = showing(any_model(random));
    perform(&mut player, random, 3);
    let view = player.camera.view(1.5);
    let mut pins = Vec::new();
    let mut expected = Vec::new();
    for nth in 0..12 {
        let (character, offset) = (nth / 4, random.vec3(1.0));
        let node = at(nth % player.rig().unwrap().model().nodes.len());
        let matrix = player.world_matrices(character).unwrap()[node.get()];
        expected.push(view.place(matrix.transform_point3(offset)));
        pins.push(Anchor::Node { actor: ActorId::PLAYER, character, node, offset });
    }
    for (pin, expected) in player.place_pins(&view, &pins, 0..0).into_iter().zip(expected) {
        let place = pin.unwrap().place;
        let size = expected.position.length().max(1.0);
        assert!(place.position.distance(expected.position) < size * 1e-3, "{place:?} ≠ {expected:?}");
    }
}
