//! The box that a camera frames: no vertex of any pose outside of it, and not much air inside.
mod made_model;

use gambol::animation::{ClipCursor, LocalPose, Rig, reference_skin};
use gambol::import::{ImportReport, Resources, import};
use gambol::model::{
    Aabb, ClipIndex, Interpolation, Mesh, MeshIndex, MorphTarget, Primitive, Srt, TrackValues,
};
use gambol::playback::PlayOptions;
use gambol::player::Player;
use glam::{Quat, Vec3};
use made_model::{clip, first_clip, model, moved, nodes, palette, rig, track};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A rod one unit long from the origin of its node, which turns nearly half around between two keys.
fn turning_rod() -> Rig {
    let half_turn = vec![Quat::IDENTITY, Quat::from_rotation_z(3.0)];
    let turning = track(0, Interpolation::Linear, &[0.0, 1.0], TrackValues::Rotation(half_turn));
    let mut model = model(nodes(&[(None, Srt::IDENTITY)]), vec![clip("turn", vec![turning])]);
    let rod = Primitive { positions: vec![Vec3::ZERO, Vec3::X], indices: vec![0, 1], ..Primitive::default() };
    model.meshes.push(Mesh { primitives: vec![rod], ..Mesh::default() });
    model.nodes[0].mesh = Some(MeshIndex::new(0));
    rig(model)
}

#[test]
fn the_rest_pose_is_held_exactly() {
    assert_eq!(turning_rod().clip_bounds(None), Some(Aabb { min: Vec3::ZERO, max: Vec3::X }));
}

#[test]
#[expect(non_snake_case, reason = "named after the capability it shows")]
fn S17_what_a_camera_frames_follows_the_vertices_and_not_the_root() {
    // One that walks has its root at its feet, one that flies in its middle.
    for height in [0.0, 0.5, 20.0] {
        let mut model = turning_rod().model().as_ref().clone();
        model.nodes[0].rest.translation = Vec3::Y * height;
        for position in &mut model.meshes[0].primitives[0].positions {
            *position -= Vec3::Y * height;
        }
        assert_eq!(rig(model).clip_bounds(None), Some(Aabb { min: Vec3::ZERO, max: Vec3::X }));
    }
}

#[test]
fn what_swings_out_between_two_keys_is_inside() {
    let bounds = turning_rod().clip_bounds(Some(first_clip())).expect("a rod");
    assert!(bounds.max.y >= 1.0 && bounds.max.y < 1.1, "{bounds:?}");
}

#[test]
fn a_morph_counts_with_its_weight_and_alone_at_1() {
    let mut model = turning_rod().model().as_ref().clone();
    let mesh = &mut model.meshes[0];
    let displaced = |z| MorphTarget { positions: vec![Vec3::Z * z; 2], ..MorphTarget::default() };
    mesh.primitives[0].morph_targets = vec![displaced(1.0), displaced(-2.0)];
    mesh.morph_target_names = vec![String::new(); 2];
    model.nodes[0].rest_morph_weights = vec![3.0, 0.0];
    let bounds = rig(model).clip_bounds(None).expect("a rod");
    assert_eq!((bounds.min.z, bounds.max.z), (-2.0, 3.0));
}

#[test]
fn real_characters_are_held_and_not_lost_in_it() {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/models");
    let models = std::env::var_os("GAMBOL_MODELS").map_or(beside, PathBuf::from);
    if !models.is_dir() {
        println!("SKIPPED: no models at {}", models.display());
        return;
    }
    for name in [
        "khronos/BoxAnimated/glTF-Binary/BoxAnimated.glb",
        "khronos/CesiumMan/glTF-Binary/CesiumMan.glb",
        "khronos/Fox/glTF-Binary/Fox.glb",
        "kenney/character.glb",
        "quaternius/platformer_game_pack_Character.glb",
        "robot-expressive/RobotExpressive.glb",
    ] {
        let bytes = fs::read(models.join("gltf").join(name)).expect("a model");
        let rig = Rig::new(Arc::new(import(&bytes, &Resources::default()).expect("sound").model));
        for clip in (0..rig.model().clips.len().min(3)).map(ClipIndex::new) {
            let bounds = rig.clip_bounds(Some(clip)).expect("something drawn");
            let exact = swept(&rig, clip);
            let outside = (bounds.min - exact.min).max(exact.max - bounds.max).max_element();
            assert!(outside <= 0.0, "{name}, {clip:?}: {outside} outside");
            assert!(bounds.radius() < exact.radius() * 1.25, "{name}, {clip:?}");
        }
    }
}

/// The box around every vertex at many times.
fn swept(rig: &Rig, clip: ClipIndex) -> Aabb {
    let duration_secs = rig.model().clip(clip).duration_secs;
    let (mut pose, mut cursor) = (LocalPose::rest(rig), ClipCursor::default());
    let mut positions = Vec::new();
    for step in 0..=60 {
        rig.sample_into(clip, duration_secs * step as f32 / 60.0, &mut cursor, &mut pose);
        let rows = palette(rig, &pose);
        for drawable in &rig.palette_layout().drawables {
            for primitive in 0..rig.model().mesh(drawable.mesh).primitives.len() {
                let skinned = reference_skin(rig, drawable, primitive, &rows);
                positions.extend(Aabb::around(skinned.positions).into_iter().flat_map(|it| [it.min, it.max]));
            }
        }
    }
    Aabb::around(positions).expect("something drawn")
}

#[test]
fn framing_makes_room_for_whatever_a_controller_may_play() {
    let mut model = turning_rod().model().as_ref().clone();
    let lift = TrackValues::Translation(vec![Vec3::ZERO, Vec3::Y * 500.0]);
    model.clips.push(clip("leap", vec![track(0, Interpolation::Linear, &[0.0, 1.0], lift)]));
    let mut player = Player::new();
    player.show(Arc::new(Rig::new(Arc::new(model))), ImportReport::default());
    player.play(ClipIndex::new(0), &PlayOptions::default()).unwrap();
    player.frame(1.0);
    let standing = player.bounds().expect("something is drawn");
    let controller = r#"{ "parameters": { "jump": "trigger" }, "layers": [ { "start": "Stand",
        "states": { "Stand": { "clip": 0 }, "Leap": { "mix": [ { "weight": 1, "clip": "leap" } ] } },
        "transitions": [ { "from": "Stand", "to": "Leap", "when": { "jump": true } } ] } ] }"#;
    player.set_controller(Some(controller)).unwrap();
    player.frame(1.0);
    let leaping = player.bounds().expect("something is drawn");
    assert!(leaping.max.y > standing.max.y + 100.0, "{leaping:?} is no larger than {standing:?}");
}

#[test]
#[expect(non_snake_case, reason = "named after the capability it shows")]
fn S77_a_skeleton_alone_is_framed_by_its_joints_wherever_a_clip_takes_them() {
    let turn = Quat::from_rotation_z(3.0);
    let track =
        track(0, Interpolation::Linear, &[0.0, 1.0], TrackValues::Rotation(vec![Quat::IDENTITY, turn]));
    let bare = rig(model(
        nodes(&[(None, Srt::IDENTITY), (Some(0), moved(Vec3::X)), (Some(1), moved(Vec3::X))]),
        vec![clip("turn", vec![track])],
    ));
    let rest = bare.clip_bounds(None).unwrap();
    assert_eq!((rest.min, rest.max), (Vec3::ZERO, Vec3::X * 2.0));
    let swept = bare.clip_bounds(Some(first_clip())).unwrap();
    assert!(swept.min.x < -1.97 && swept.max.x > 1.99 && swept.max.y > 1.97, "{swept:?}");
    let point = rig(model(nodes(&[(None, moved(Vec3::Y))]), Vec::new()));
    assert_eq!(point.clip_bounds(None), None, "a point has no size to frame");
}
