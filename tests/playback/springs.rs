//! Springs in the player: those of the file, those of JSON, time, crowds, weight and wind.

use crate::support::made_model::at;
use crate::support::tail::{TIP, pulled, tail};
use gambol::animation::Rig;
use gambol::import::ImportReport;
use gambol::model::{Collider, ColliderShape, Model, Spring, SpringEnd, SpringJoint, Springs};
use gambol::playback::PlayOptions;
use gambol::player::{Clock, Crowd, Player};
use glam::{Affine3A, Mat4, Vec3};
use std::sync::Arc;

const FRAME_SECS: f64 = 1.0 / 60.0;

fn showing(model: Model) -> Player {
    let mut player = Player::new();
    player.show(Arc::new(Rig::new(Arc::new(model))), ImportReport::default());
    player
}

fn swaying() -> Player {
    let mut player = showing(pulled(tail(), 0.5));
    let sway = player.find_clip("sway").unwrap();
    player.play(sway, &PlayOptions::default()).unwrap();
    player
}

fn pass(player: &mut Player, frames: usize) {
    for _ in 0..frames {
        player.advance(FRAME_SECS).unwrap();
        player.pose();
    }
}

/// Returns the tip of the tail in the world.
fn tip(player: &mut Player, character: usize) -> Vec3 {
    player.world_matrices(character).unwrap()[TIP].w_axis.truncate()
}

fn without_springs() -> Model {
    Model { springs: Springs::default(), ..tail() }
}

#[test]
fn springs_of_the_file_swing_unless_others_are_set() {
    let mut player = showing(pulled(tail(), 1.0));
    let straight = tip(&mut showing(without_springs()), 0);
    let hanging = tip(&mut player, 0);
    assert!(hanging.y < straight.y - 0.3, "{hanging} {straight}");
    player.set_springs(Some(&Springs::default())).unwrap();
    assert_eq!(tip(&mut player, 0), straight);
    player.set_springs(None).unwrap();
    assert_eq!(tip(&mut player, 0), hanging);
}

#[test]
fn a_model_without_springs_plays_as_ever() {
    let frames = |mut player: Player| -> Vec<Vec<Mat4>> {
        let sway = player.find_clip("sway").unwrap();
        player.play(sway, &PlayOptions::default()).unwrap();
        let frames = (0..100).map(|_| {
            pass(&mut player, 1);
            player.world_matrices(0).unwrap()
        });
        frames.collect()
    };
    let mut still = showing(tail());
    still.fade_springs(0.0, 0.0).unwrap();
    let expected = frames(showing(without_springs()));
    assert_eq!(frames(still), expected);
    assert_ne!(frames(showing(tail())), expected);
}

#[test]
fn they_go_on_while_playback_is_paused_and_come_to_rest() {
    let mut player = swaying();
    pass(&mut player, 60);
    player.pause();
    let at_pause = tip(&mut player, 0);
    assert!(player.is_moving());
    pass(&mut player, 5);
    assert_ne!(tip(&mut player, 0), at_pause);
    let mut frames = 0;
    while player.is_moving() {
        pass(&mut player, 1);
        frames += 1;
        assert!(frames < 1000, "it never comes to rest");
    }
    // Whatever moves a character moves its springs.
    player.set_place(0, Affine3A::from_translation(Vec3::X * 0.2)).unwrap();
    player.pose();
    assert!(player.is_moving());
    let before = tip(&mut player, 0);
    pass(&mut player, 4);
    assert_ne!(tip(&mut player, 0), before);
}

#[test]
fn a_sought_time_shows_the_same_whatever_was_before() {
    let mut player = swaying();
    player.pause();
    player.seek(0.7).unwrap();
    let expected = player.world_matrices(0).unwrap();
    for before in [0.1, 1.9, 0.7, 1.3] {
        player.seek(before).unwrap();
        pass(&mut player, 7);
        player.seek(0.7).unwrap();
        assert_eq!(player.world_matrices(0).unwrap(), expected, "after {before}");
    }
}

#[test]
fn reading_a_pose_passes_no_time() {
    let mut player = swaying();
    let mut read = swaying();
    for _ in 0..60 {
        pass(&mut player, 1);
        pass(&mut read, 1);
        for _ in 0..3 {
            read.world_matrices(0).unwrap();
        }
        assert_eq!(read.world_matrices(0).unwrap(), player.world_matrices(0).unwrap());
    }
}

#[test]
fn frame_rates_and_the_clock_show_the_same() {
    let tips = |rate: usize, clock: Clock| -> Vec<Vec3> {
        let mut player = swaying();
        player.set_clock(clock).unwrap();
        player.pose();
        let tips = (1..=4 * rate).filter_map(|frame| {
            player.advance(1.0 / rate as f64).unwrap();
            player.pose();
            (frame * 2 % rate == 0).then(|| tip(&mut player, 0))
        });
        tips.collect()
    };
    let expected = tips(60, Clock::Free);
    // The clip turns at its keys, where frames at 30 Hz may miss half a frame. Measured: 0.003, 0.0008, 0.
    for (rate, clock, bound) in [
        (30, Clock::Free, 0.006),
        (144, Clock::Free, 0.002),
        (30, Clock::Fixed { step_secs: FRAME_SECS, left_secs: 1e-9 }, 0.006),
    ] {
        let tips = tips(rate, clock);
        assert_eq!(tips.len(), expected.len());
        let errors = tips.iter().zip(&expected).map(|(found, expected)| found.distance(*expected));
        let worst = errors.fold(0.0, f32::max);
        println!("{rate} Hz, {clock:?}: {worst:.1e}");
        assert!(worst < bound, "{rate} Hz: {worst}");
    }
}

#[test]
fn each_of_a_crowd_has_its_own() {
    let mut player = showing(tail());
    let world_from_model = [0.0, 5.0, 10.0].map(|x| Affine3A::from_translation(Vec3::X * x)).to_vec();
    player.crowd(3, &Crowd { world_from_model, ..Crowd::default() }).unwrap();
    pass(&mut player, 3);
    let rest: Vec<Vec3> = (0..3).map(|character| tip(&mut player, character)).collect();
    player.set_place(1, Affine3A::from_translation(Vec3::X * 5.3)).unwrap();
    pass(&mut player, 4);
    assert_eq!([tip(&mut player, 0), tip(&mut player, 2)], [rest[0], rest[2]]);
    let behind = tip(&mut player, 1) - rest[1];
    assert!(behind.x < 0.25, "the tip lags: {behind}");
    player.alone(1, |player| player.reset_springs()).unwrap().unwrap();
    assert!((tip(&mut player, 1) - rest[1] - Vec3::X * 0.3).length() < 1e-4);
}

#[test]
fn weights_fade_and_wind_blows() {
    let mut player = showing(pulled(tail(), 1.0));
    let hanging = tip(&mut player, 0).y;
    // It ends within the thirtieth frame, whatever the rounding of their sum.
    player.fade_springs(0.0, 29.5 / 60.0).unwrap();
    let mut last = hanging;
    for _ in 0..30 {
        assert!(player.is_moving());
        pass(&mut player, 1);
        let y = tip(&mut player, 0).y;
        assert!(y > last - 1e-3, "{y} after {last}");
        last = y;
    }
    assert_eq!((last, player.spring_weight()), (1.0, 0.0));
    assert!(!player.is_moving());
    player.fade_springs(1.0, 0.0).unwrap();
    assert!((tip(&mut player, 0).y - hanging).abs() < 1e-4, "they hang at once");

    pass(&mut player, 1000);
    assert!(!player.is_moving());
    player.set_wind(Vec3::X * 2.0).unwrap();
    assert!(player.is_moving());
    pass(&mut player, 60);
    assert!(tip(&mut player, 0).x > 0.5);
    // The wind blows in the world, wherever the character heads.
    player.set_place(0, Affine3A::from_rotation_y(2.0)).unwrap();
    player.reset_springs().unwrap();
    assert!(tip(&mut player, 0).x > 0.5);
}

#[test]
fn springs_are_read_by_the_names_of_their_nodes() {
    let player = showing(tail());
    let springs = player
        .read_springs(
            r#"{ "colliders": {
                "ball": { "node": "node 0", "radius": 0.5, "offset": [0, 1, 0] },
                "hull": { "node": "node 0", "radius": 2, "tail": [0, 0, 1], "inside": true },
                "floor": { "node": "node 0", "normal": [0, 2, 0], "offset": [0, -1, 0] } },
            "springs": [
                { "nodes": ["node 1", "node 3"], "stiffness": 2, "drag": 0.25, "gravity": [0, -1, 0],
                  "radius": 0.5, "colliders": ["floor", "ball"], "center": "node 0" },
                { "root": "node 4" } ] }"#,
        )
        .unwrap();
    let shapes = [
        ColliderShape::Capsule { ends: [Vec3::Y; 2], radius: 0.5, inside: false },
        ColliderShape::Plane { point: Vec3::NEG_Y, normal: Vec3::Y },
        ColliderShape::Capsule { ends: [Vec3::ZERO, Vec3::Z], radius: 2.0, inside: true },
    ];
    // Colliders are in the order of their names.
    let colliders = shapes.map(|shape| Collider { node: at(0), shape }).to_vec();
    let joint = |node, end| SpringJoint {
        node: at(node),
        end,
        stiffness: 2.0,
        drag: 0.25,
        gravity: Vec3::NEG_Y,
        radius: 0.5,
    };
    let last = SpringJoint {
        node: at(4),
        end: SpringEnd::Point(Vec3::NEG_Z * 0.5),
        stiffness: 1.0,
        drag: 0.5,
        gravity: Vec3::ZERO,
        radius: 0.0,
    };
    let first = vec![joint(1, SpringEnd::Node(at(3))), joint(3, SpringEnd::Node(at(4)))];
    let springs_expected = vec![
        Spring { joints: first, colliders: vec![1, 0], center: Some(at(0)) },
        Spring { joints: vec![last], colliders: vec![0, 1, 2], center: None },
    ];
    assert_eq!(springs, Springs { springs: springs_expected, colliders });
    let whole = player.read_springs(r#"{ "springs": [{ "root": "node 1" }] }"#).unwrap();
    let joints = whole.springs[0].joints.iter().map(|joint| joint.node);
    assert_eq!(joints.collect::<Vec<_>>(), (1..=4).map(at).collect::<Vec<_>>());
}

#[test]
fn refused_springs_have_a_code_and_a_place_and_change_nothing() {
    let mut player = showing(tail());
    let expected = player.world_matrices(0).unwrap();
    let spring = |spring: &str| format!(r#"{{ "springs": [{spring}] }}"#);
    let collider = |collider: &str| format!(r#"{{ "springs": [], "colliders": {{ "a": {collider} }} }}"#);
    let with = |property: &str| spring(&format!(r#"{{ "root": "node 1", {property} }}"#));
    for (json, code, place) in [
        ("{".into(), "CONTROLLER_JSON_INVALID", "line 1 column 2"),
        ("{}".into(), "CONTROLLER_PROPERTY_MISSING", "/springs"),
        (spring("{}"), "CONTROLLER_PROPERTY_MISSING", "/springs/0/nodes"),
        (spring(r#"{ "root": "Tail" }"#), "UNKNOWN_NODE", "/springs/0/root"),
        (spring(r#"{ "nodes": ["node 1", "Tail"] }"#), "UNKNOWN_NODE", "/springs/0/nodes/1"),
        (spring(r#"{ "nodes": ["node 2", "node 1"] }"#), "CONTROLLER_VALUE_WRONG", "/springs/0/nodes/0"),
        (spring(r#"{ "nodes": ["node 1", "node 1"] }"#), "CONTROLLER_VALUE_WRONG", "/springs/0/nodes/0"),
        (spring(r#"{ "nodes": [] }"#), "CONTROLLER_VALUE_WRONG", "/springs/0/nodes"),
        (
            spring(r#"{ "root": "node 2" }, { "root": "node 3" }"#),
            "CONTROLLER_VALUE_WRONG",
            "/springs/1/root",
        ),
        (with(r#""nodes": ["node 2"]"#), "CONTROLLER_VALUE_WRONG", "/springs/0/root"),
        (with(r#""stiffness": -1"#), "CONTROLLER_VALUE_WRONG", "/springs/0/stiffness"),
        (with(r#""drag": 1.5"#), "CONTROLLER_VALUE_WRONG", "/springs/0/drag"),
        (with(r#""radius": "big""#), "CONTROLLER_VALUE_WRONG", "/springs/0/radius"),
        (with(r#""gravity": [0, -1]"#), "CONTROLLER_VALUE_WRONG", "/springs/0/gravity"),
        (with(r#""gravity": [0, -1e10, 0]"#), "CONTROLLER_VALUE_WRONG", "/springs/0/gravity/1"),
        (with(r#""center": "Hips""#), "UNKNOWN_NODE", "/springs/0/center"),
        (with(r#""colliders": ["Head"]"#), "CONTROLLER_VALUE_WRONG", "/springs/0/colliders/0"),
        (with(r#""wind": 1"#), "CONTROLLER_PROPERTY_UNKNOWN", "/springs/0/wind"),
        (collider("{}"), "CONTROLLER_PROPERTY_MISSING", "/colliders/a/node"),
        (collider(r#"{ "node": "Head", "radius": 1 }"#), "UNKNOWN_NODE", "/colliders/a/node"),
        (collider(r#"{ "node": "node 0" }"#), "CONTROLLER_PROPERTY_MISSING", "/colliders/a/radius"),
        (
            collider(r#"{ "node": "node 0", "normal": [0, 0, 0] }"#),
            "CONTROLLER_VALUE_WRONG",
            "/colliders/a/normal",
        ),
        (
            collider(r#"{ "node": "node 0", "normal": [0, 1, 0], "radius": 1 }"#),
            "CONTROLLER_VALUE_WRONG",
            "/colliders/a/radius",
        ),
    ] {
        let error = player.read_springs(&json).expect_err(&json);
        assert_eq!((error.code(), error.place()), (code, place), "{json}: {error}");
    }
    let mut wrong = tail().springs;
    wrong.springs[0].joints[0].drag = f32::NAN;
    assert_eq!(player.set_springs(Some(&wrong)).map_err(|error| error.code()), Err("OUT_OF_RANGE"));
    wrong = tail().springs;
    wrong.springs[0].joints[0].node = at(9);
    assert_eq!(player.set_springs(Some(&wrong)).map_err(|error| error.code()), Err("OUT_OF_RANGE"));
    assert_eq!(player.world_matrices(0).unwrap(), expected);
    let mut nobody = Player::new();
    for result in [
        nobody.set_springs(None),
        nobody.set_wind(Vec3::X),
        nobody.fade_springs(0.5, 0.0),
        nobody.reset_springs(),
    ] {
        assert_eq!(result.map_err(|error| error.code()), Err("NO_MODEL"));
    }
}
