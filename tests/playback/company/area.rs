//! What is framed of several actors, and where their floor is.

use super::{PLAYER, add, rig_of, showing, skinned};
use crate::support::made_model::{at, clip, model, moved, node, nodes, track};
use gambol::import::ImportReport;
use gambol::model::{
    ClipIndex, Interpolation, Mesh, MeshIndex, Model, Primitive, Srt, Topology, TrackValues,
};
use gambol::playback::PlayOptions;
use gambol::player::Player;
use glam::{Affine3A, Vec3};

/// A square of four points of side 2 on the ground, on a node.
fn plate(height: f32) -> Model {
    let mut plate = model(nodes(&[(None, moved(Vec3::Y * height))]), Vec::new());
    let positions = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
    let primitive = Primitive {
        topology: Topology::Points,
        positions: positions.map(|[x, z]| Vec3::new(x, 0.0, z)).to_vec(),
        indices: vec![0, 1, 2, 3],
        ..Primitive::default()
    };
    plate.meshes.push(Mesh { primitives: vec![primitive], ..Mesh::default() });
    plate.nodes[0].mesh = Some(MeshIndex::new(0));
    plate
}

/// Returns whether a point is in the picture.
pub(super) fn is_seen(player: &Player, point: Vec3) -> bool {
    let view = player.camera.view(1.0);
    let clip = view.projection_from_view * view.view_from_world * point.extend(1.0);
    clip.w > 0.0 && (clip.truncate() / clip.w).truncate().abs().max_element() <= 1.0 + 1e-4
}

#[test]
fn all_visible_actors_are_framed_and_the_lowest_is_the_floor() {
    let mut player = showing(&rig_of(plate(0.0)));
    player.frame(1.0);
    let alone = player.camera.current();
    let far = add(&mut player, &rig_of(plate(-2.0)));
    player.place_actor(far, Affine3A::from_translation(Vec3::new(30.0, 1.0, 0.0))).unwrap();
    let corners = [Vec3::new(-1.0, 0.0, -1.0), Vec3::new(31.0, -1.0, 1.0), Vec3::new(31.0, -1.0, -1.0)];
    assert_eq!(player.camera.current(), alone, "adding an actor doesn't move the camera");
    assert!(!is_seen(&player, corners[1]));
    player.frame(1.0);
    assert!(corners.iter().all(|corner| is_seen(&player, *corner)));
    assert_eq!(player.floor(), Some(-1.0));
    player.show_actor(far, false).unwrap();
    assert!(!player.is_actor_visible(far).unwrap());
    player.frame(1.0);
    assert_eq!((player.floor(), player.camera.current()), (Some(0.0), alone));
    player.show_actor(far, true).unwrap();
    // What is held is framed where the clip carries it, and has no floor.
    let lift = TrackValues::Translation(vec![Vec3::ZERO, Vec3::Y * 20.0, Vec3::ZERO]);
    let mut holder = plate(0.0);
    holder.nodes.push(node(Some(0), moved(Vec3::X), 1));
    holder.node_from_source.push(at(1));
    holder.clips = vec![clip("lift", vec![track(1, Interpolation::Linear, &[0.0, 1.0, 2.0], lift)])];
    player.show(rig_of(holder), ImportReport::default());
    player.attach_actor(far, Some((PLAYER, at(1))), &Affine3A::IDENTITY).unwrap();
    player.play(ClipIndex::new(0), &PlayOptions::default()).unwrap();
    player.frame(1.0);
    assert_eq!(player.floor(), Some(0.0));
    player.seek(1.0).unwrap();
    player.pose();
    let top = player.actor_place(far).unwrap().translation;
    assert!(top.abs_diff_eq(Vec3::new(0.0, 20.0, 0.0).into(), 1e-4), "{top}");
    for corner in [Vec3::new(1.0, 18.0, 1.0), Vec3::new(-1.0, 18.0, -1.0), Vec3::new(1.0, -2.0, 1.0)] {
        assert!(is_seen(&player, corner), "{corner}");
    }
    player.remove_actor(far).unwrap();
    player.unload();
    let only = add(&mut player, &rig_of(plate(3.0)));
    player.frame(1.0);
    assert_eq!((player.floor(), player.actors().collect::<Vec<_>>()), (Some(3.0), vec![only]));
    assert!(is_seen(&player, Vec3::new(1.0, 3.0, 1.0)));
}

#[test]
fn shoes_lower_the_floor() {
    let body = || nodes(&[(None, Srt::IDENTITY), (Some(0), moved(Vec3::Y))]);
    let mut player = showing(&rig_of(skinned(body(), "a")));
    let floor = player.floor().unwrap();
    let mut shoes = skinned(body(), "a");
    let lowest = shoes.meshes[0].primitives[0].positions.last_mut().unwrap();
    lowest.y -= 0.05;
    let shoes = add(&mut player, &rig_of(shoes));
    player.wear_actor(shoes, Some(PLAYER)).unwrap();
    player.frame(1.0);
    assert!((player.floor().unwrap() - (floor - 0.05)).abs() < 1e-6, "{:?} {floor}", player.floor());
}
