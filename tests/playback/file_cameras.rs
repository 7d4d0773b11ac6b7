//! Pictures seen from cameras of the file, against matrices of the glTF specification.

use crate::support::gltf_file::{File, le};
use gambol::animation::Rig;
use gambol::camera::{Insets, Orbit, View};
use gambol::import::ImportReport;
use gambol::model::{ClipIndex, Model, Projection};
use gambol::playback::PlayOptions;
use gambol::player::{Player, PlayerError};
use glam::{Affine3A, Mat4, Quat, Vec2, Vec3, Vec4};
use std::f32::consts::FRAC_PI_2;
use std::sync::Arc;

/// Nodes: a triangle, a tripod that a clip turns and moves, a perspective camera on it, an orthographic camera, and
/// another place of the first camera.
const CAMERA: usize = 2;
const ORTHOGRAPHIC: usize = 3;

fn model() -> Model {
    let mut file = File::default();
    let positions = file.positions();
    let times = file.floats("SCALAR", 2, &[0.0, 2.0]);
    let turn = Quat::from_euler(glam::EulerRot::YXZ, 1.0, -0.4, 0.3).to_array();
    let turns = file.accessor("VEC4", 5126, 2, &le(&[&[0.0, 0.0, 0.0, 1.0][..], &turn].concat()), "");
    let moves = file.floats("VEC3", 2, &[0.0, 0.0, 0.0, 1.0, 2.0, -0.5]);
    let lens = file.floats("SCALAR", 2, &[0.5, 1.0]);
    file.model(&format!(
        r#""extensionsUsed":["KHR_animation_pointer"],"extensionsRequired":["KHR_animation_pointer"],
        "cameras":[
            {{"name":"Shot","type":"perspective","perspective":{{"yfov":0.5,"aspectRatio":1.5,"znear":0.2,"zfar":40}}}},
            {{"type":"orthographic","orthographic":{{"xmag":2,"ymag":1,"znear":0.5,"zfar":30}}}}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":{positions}}}}}]}}],
        "nodes":[{{"mesh":0}},{{"children":[2],"scale":[2,3,2]}},
            {{"camera":0,"translation":[0.5,1,2],"rotation":[0,0.6,0,0.8]}},
            {{"name":"Plan","camera":1,"translation":[0,9,0],"rotation":[-0.70710678,0,0,0.70710678]}},
            {{"name":"Twin","camera":0}}],
        "animations":[{{"samplers":[{{"input":{times},"output":{turns}}},{{"input":{times},"output":{moves}}},
                {{"input":{times},"output":{lens}}}],
            "channels":[{{"sampler":0,"target":{{"node":1,"path":"rotation"}}}},
                {{"sampler":1,"target":{{"node":1,"path":"translation"}}}},
                {{"sampler":2,"target":{{"path":"pointer","extensions":{{"KHR_animation_pointer":
                    {{"pointer":"/cameras/0/perspective/yfov"}}}}}}}}]}}]"#
    ))
}

fn player() -> Player {
    showing(model())
}

fn showing(model: Model) -> Player {
    let mut player = Player::new();
    player.show(Arc::new(Rig::new(Arc::new(model))), ImportReport::default());
    player
}

/// Returns the view from a node's matrix without its scale, and section 3.10.3 of the specification.
fn specified(world_from_node: Mat4, projection: &Projection, aspect: f32) -> Mat4 {
    let towards_viewer = world_from_node.z_axis.truncate().normalize();
    let right = world_from_node.y_axis.truncate().cross(towards_viewer).normalize();
    let world_from_view = Mat4::from_cols(
        right.extend(0.0),
        towards_viewer.cross(right).extend(0.0),
        towards_viewer.extend(0.0),
        world_from_node.w_axis,
    );
    // The specification's depth is from −1 to 1, and this one from 0 to 1.
    let projection_from_view = match *projection {
        Projection::Perspective { vertical_fov, near, far, .. } => {
            let (far, height) = (far.expect("a far plane"), 1.0 / (vertical_fov * 0.5).tan());
            Mat4::from_cols(
                Vec4::X * height / aspect,
                Vec4::Y * height,
                Vec4::new(0.0, 0.0, far / (near - far), -1.0),
                Vec4::Z * (far * near / (near - far)),
            )
        }
        Projection::Orthographic { half_height, near, far, .. } => Mat4::from_cols(
            Vec4::X / (half_height * aspect),
            Vec4::Y / half_height,
            Vec4::Z / (near - far),
            Vec4::new(0.0, 0.0, near / (near - far), 1.0),
        ),
    };
    projection_from_view * world_from_view.inverse()
}

fn assert_shows(view: &View, expected: &Mat4, context: &str) {
    let shown = view.projection_from_view * view.view_from_world;
    for point in [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z, Vec3::new(-3.0, 2.0, 5.0)] {
        let (seen, wanted) = (shown * point.extend(1.0), *expected * point.extend(1.0));
        assert!(
            seen.abs_diff_eq(wanted, 2e-4 * wanted.abs().max_element().max(1.0)),
            "{context}: {seen}, {wanted}"
        );
    }
}

#[test]
fn the_view_is_that_of_the_animated_node() {
    let mut player = player();
    player.play(ClipIndex::new(0), &PlayOptions::default()).expect("a clip");
    let placed = Affine3A::from_rotation_translation(Quat::from_rotation_y(0.7), Vec3::new(3.0, -1.0, 2.0));
    player.set_place(0, placed).expect("a place");
    for time in [0.0, 0.5, 1.1, 1.9] {
        player.seek(time).expect("a time");
        for (node, aspect) in [(CAMERA, 1.5), (CAMERA, 2.5), (ORTHOGRAPHIC, 2.0), (ORTHOGRAPHIC, 3.0)] {
            player.use_file_camera(Some(node), aspect).expect("a camera");
            assert_eq!(player.file_camera(), Some(node));
            let world_from_node = player.world_matrices(0).expect("a pose")[node];
            let mut projection =
                player.model().expect("a model").cameras[usize::from(node != CAMERA)].projection;
            if let Projection::Perspective { vertical_fov, .. } = &mut projection {
                *vertical_fov = 0.5 + 0.25 * time as f32;
            }
            let expected = specified(world_from_node, &projection, aspect);
            assert_shows(&player.view(aspect), &expected, &format!("node {node} at {time} s"));
            let eye = world_from_node.w_axis.truncate();
            let seen_from = player.view(aspect).eye();
            assert!(seen_from.abs_diff_eq(eye, 1e-4), "{seen_from} {eye}");
        }
    }
}

#[test]
fn the_whole_frame_is_in_the_free_part_of_the_picture() {
    let mut player = player();
    for (left, bottom) in [(0.0, 0.0), (0.3, 0.2)] {
        let insets = Insets { left, bottom, ..Insets::default() };
        player.set_insets(insets, 1.0).expect("insets");
        player.camera.jump_to_goal();
        for (node, half_frame) in
            [(CAMERA, Vec2::new(1.5, 1.0) * 0.25_f32.tan()), (ORTHOGRAPHIC, Vec2::new(2.0, 1.0))]
        {
            for aspect in [0.3, 1.0, 1.5, 4.0] {
                player.use_file_camera(Some(node), aspect).expect("a camera");
                let view = player.view(aspect);
                let corner_at = |side: Vec2| {
                    let corner = (half_frame * side).extend(-1.0).extend(1.0);
                    let seen = view.projection_from_view * corner;
                    seen.truncate().truncate() / seen.w
                };
                let (low, high) = (corner_at(Vec2::NEG_ONE), corner_at(Vec2::ONE));
                let (least, most) = (Vec2::new(2.0 * left - 1.0, 2.0 * bottom - 1.0), Vec2::ONE);
                assert!(
                    (low - least).min_element() > -1e-4 && (most - high).min_element() > -1e-4,
                    "{low} {high}"
                );
                // It touches two opposite edges of that part, and is in the middle between the others.
                let (before, beyond) = (low - least, most - high);
                assert!(before.abs_diff_eq(beyond, 1e-4), "{before} {beyond}");
                assert!(before.min_element() < 1e-4, "{before}");
            }
        }
    }
}

#[test]
fn any_move_goes_on_from_what_is_seen() {
    for node in [CAMERA, ORTHOGRAPHIC] {
        for by in 0..3 {
            let mut player = player();
            player.use_file_camera(Some(node), 1.5).expect("a camera");
            let shown = player.view(1.5);
            match by {
                0 => player.orbit(0.0, 0.0),
                1 => player.pan(0.0, 0.0),
                _ => player.zoom(1.0),
            }
            .expect("a move");
            assert_eq!(player.file_camera(), None);
            let left = player.view(1.5);
            assert_eq!(left.view_from_world, shown.view_from_world);
            let (now, then) = (left.projection_from_view, shown.projection_from_view);
            assert_eq!([now.x_axis, now.y_axis], [then.x_axis, then.y_axis]);
            player.orbit(0.5, 0.0).expect("a move");
            assert!(player.advance(0.1).expect("a step"), "the orbit follows");
        }
    }
}

#[test]
fn the_orbit_comes_back_with_its_own_lens() {
    let orbit = Orbit { target: Vec3::ONE, yaw: 1.0, pitch: 0.25, distance: 3.0 };
    for is_moved in [false, true] {
        for how in 0..4 {
            let mut player = player();
            player.frame(1.5);
            let home = player.camera.current();
            if is_moved {
                player.set_view(orbit, 0.7, 0.1).expect("an orbit");
            }
            let before = (player.camera.current(), player.camera.vertical_fov(), player.camera.roll());
            for (node, is_left) in [(ORTHOGRAPHIC, true), (CAMERA, false), (CAMERA, how == 3)] {
                player.use_file_camera(Some(node), 1.5).expect("a camera");
                player.view(1.5);
                if is_left {
                    player.orbit(0.3, 0.1).expect("a move");
                    player.advance(0.02).expect("a step");
                }
            }
            let expected = match how {
                0 => {
                    player.use_file_camera(None, 1.5).expect("the orbit");
                    before.0
                }
                1 => {
                    player.frame(1.5);
                    player.camera.current()
                }
                _ => {
                    player.reset_camera(1.5);
                    while player.advance(0.1).expect("a step") {}
                    home
                }
            };
            assert_eq!(player.file_camera(), None);
            let now = (player.camera.current(), player.camera.vertical_fov(), player.camera.roll());
            assert_eq!(now, (expected, before.1, before.2), "moved: {is_moved}, {how}");
            assert!(!player.camera.is_orthographic());
        }
    }
}

#[test]
fn a_lens_that_the_page_sets_stays() {
    for (fov, is_orthographic) in [(None, false), (Some(0.9), false), (None, true)] {
        let mut player = player();
        let own = player.camera.vertical_fov();
        player.use_file_camera(Some(CAMERA), 1.5).expect("a camera");
        let seen = player.camera.vertical_fov();
        let orbit = Orbit { yaw: 1.0, ..player.camera.current() };
        player.set_view(orbit, fov.unwrap_or(seen), player.camera.roll()).expect("a view");
        player.set_orthographic(is_orthographic);
        assert_eq!((player.file_camera(), player.camera.current()), (None, orbit));
        player.frame(1.5);
        let expected = fov.unwrap_or(if is_orthographic { seen } else { own });
        assert_eq!(player.camera.vertical_fov(), expected);
        assert_eq!(player.camera.is_orthographic(), is_orthographic);
    }
}

#[test]
fn another_model_and_an_unknown_camera_leave_nothing_behind() {
    let mut player = player();
    let fov = player.camera.vertical_fov();
    for (node, code) in [(0, "OUT_OF_RANGE"), (9, "UNKNOWN_NODE")] {
        let refused = player.use_file_camera(Some(node), 1.0).map_err(|error| error.code());
        assert_eq!(refused, Err(code));
        assert_eq!(player.file_camera(), None);
    }
    player.use_file_camera(Some(CAMERA), 1.0).expect("a camera");
    player.show(Arc::new(Rig::new(Arc::new(model()))), ImportReport::default());
    assert_eq!((player.file_camera(), player.camera.vertical_fov()), (None, fov));
    player.use_file_camera(Some(CAMERA), 1.0).expect("a camera");
    player.unload();
    assert_eq!((player.file_camera(), player.camera.vertical_fov()), (None, fov));
    assert!(matches!(player.use_file_camera(Some(CAMERA), 1.0), Err(PlayerError::NoModel)));
    player.use_file_camera(None, 1.0).expect("there is nothing to do");
}

#[test]
fn names_are_those_of_cameras_or_else_of_nodes() {
    let model = model();
    let names =
        [CAMERA, ORTHOGRAPHIC, 4].map(|node| model.camera_name(model.node(model.node_from_source[node])));
    assert_eq!(names, ["Shot", "Plan", "Shot"]);
}

#[test]
fn mirrored_and_scaled_nodes_look_the_same_way() {
    let rotation = Quat::from_euler(glam::EulerRot::YXZ, 0.5, 0.2, -0.3);
    let mut player = player();
    let projection = player.model().expect("a model").cameras[0].projection;
    let node = Mat4::from_rotation_translation(rotation, Vec3::new(1.0, 2.0, 3.0));
    let expected = specified(node, &projection, 1.5);
    for scale in [Vec3::splat(7.0), Vec3::new(-1.0, 1.0, 1.0), Vec3::new(1e-20, 1e20, 3.0)] {
        let scaled = Affine3A::from_scale_rotation_translation(scale, rotation, Vec3::new(1.0, 2.0, 3.0));
        assert_shows(&player.camera.look_through(&scaled, &projection, 1.5), &expected, &format!("{scale}"));
    }
    // Straight up and down, where the yaw of an orbit is undefined.
    for pitch in [-FRAC_PI_2, FRAC_PI_2] {
        for turn in [0.0, 1.0, 3.0] {
            let rotation = Quat::from_rotation_y(turn) * Quat::from_rotation_x(pitch);
            let node = Mat4::from_rotation_translation(rotation, Vec3::new(1.0, 2.0, 3.0));
            let view = player.camera.look_through(&Affine3A::from_mat4(node), &projection, 1.5);
            assert_shows(&view, &specified(node, &projection, 1.5), &format!("{pitch} {turn}"));
        }
    }
}

#[test]
fn nonsense_makes_a_view_of_numbers() {
    let mut player = player();
    let numbers = [f32::NAN, f32::INFINITY, f32::MIN, f32::MAX, -1.0, 0.0, 1e-40, 1e-6, 1.0, 1e12];
    let mut count = 0_usize;
    let mut next = || {
        count += 1;
        numbers[(count * 7 + count / 10 * 3 + count / 100) % numbers.len()]
    };
    for round in 0..3000 {
        let columns = [(); 4].map(|()| Vec4::new(next(), next(), next(), 0.0));
        let [x, y, z, w] = columns.map(Vec4::truncate);
        let world_from_camera = Affine3A::from_mat3_translation(glam::Mat3::from_cols(x, y, z), w);
        let projection = match round % 2 {
            0 => Projection::Perspective {
                vertical_fov: next(),
                aspect: (round % 3 > 0).then(&mut next),
                near: next(),
                far: (round % 5 > 0).then(&mut next),
            },
            _ => Projection::Orthographic {
                half_width: next(),
                half_height: next(),
                near: next(),
                far: next(),
            },
        };
        let aspect = [f32::NAN, 0.0, 1e-5, 1.0, 1e5][round % 5];
        let view = player.camera.look_through(&world_from_camera, &projection, aspect);
        let context = format!("{world_from_camera:?} {projection:?} {aspect}");
        assert!(
            view.view_from_world.is_finite() && view.position_in_world.is_finite(),
            "{context}: {view:?}"
        );
        assert!(view.projection_from_view.is_finite(), "{context}: {view:?}");
        let [right, up] = [view.projection_from_view.x_axis.x, view.projection_from_view.y_axis.y];
        assert!(right > 0.0 && up > 0.0, "{context}: {view:?}");
        let orbit = player.camera.current();
        assert!(
            orbit.target.is_finite() && orbit.yaw.is_finite() && orbit.pitch.is_finite(),
            "{context}: {orbit:?}"
        );
        assert!(
            orbit.distance.is_finite() && orbit.distance > 0.0 && player.camera.roll().is_finite(),
            "{context}"
        );
        player.orbit(0.1, 0.1).expect("a move");
        player.advance(0.1).expect("a step");
        assert!(player.view(1.0).view_from_world.is_finite(), "{context}");
    }
}

#[test]
fn an_endless_view_ends_behind_the_model() {
    let mut player = player();
    let away = Affine3A::from_translation(Vec3::new(0.0, 0.0, 50.0));
    for near in [1e-6, 0.1, 10.0] {
        let projection = Projection::Perspective { vertical_fov: 0.5, aspect: None, near, far: None };
        let view = player.camera.look_through(&away, &projection, 1.0);
        let [first, last] = view.ray(0.5, 0.5).range;
        assert!(first > 0.0 && first < 20.0 && last > 51.0, "from {first} to {last}");
        assert!(view.place(Vec3::ZERO).in_front);
    }
}
