//! Range checks of every number that comes from outside, by one table: [`Value`].
#![cfg(feature = "render")]

use crate::support::figure::*;
use crate::support::made_model::at;
use crate::support::tail::joint;
use gambol::animation::{ChainOptions, GazeJoint, JointLimit, RagdollOptions, Rig};
use gambol::camera::{HomeView, Insets, Limits, Orbit};
use gambol::import::ImportReport;
use gambol::model::{
    ClipIndex, Material, MaterialIndex, Mesh, MeshIndex, MorphTarget, Primitive, Spring, SpringEnd,
};
use gambol::playback::{Easing, Ending, LayerMode, LayerOptions, Marker, PlayOptions, Reference};
use gambol::player::{
    Clock, ConstraintOptions, Crowd, Look, MaterialChange, NodeOverride, Player, PlayerError, Range, Value,
};
use glam::{Affine3A, Mat4, Quat, Vec3, Vec4};
use std::sync::Arc;

const NUMBERS: [f64; 14] = [
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::MAX,
    f64::MIN,
    1e300,
    -1e300,
    1e39,
    2e9,
    -2e9,
    -1.0,
    1.5,
    0.0,
    5e-324,
];

/// Returns the figure with a morph target, walking.
fn dancer() -> Player {
    let mut model = figure();
    model.materials.push(Material::default());
    let triangle = vec![Vec3::ZERO, Vec3::X, Vec3::Y];
    model.meshes.push(Mesh {
        primitives: vec![Primitive {
            normals: vec![Vec3::Z; 3],
            positions: triangle.clone(),
            indices: vec![0, 1, 2],
            morph_targets: vec![MorphTarget { positions: triangle, ..MorphTarget::default() }],
            ..Primitive::default()
        }],
        morph_target_names: vec!["smile".into()],
        ..Mesh::default()
    });
    model.nodes[SPINE].mesh = Some(MeshIndex::new(0));
    model.nodes[SPINE].rest_morph_weights = vec![0.0];
    let joints = vec![joint(ARM, SpringEnd::Point(Vec3::Y))];
    model.springs.springs.push(Spring { joints, ..Spring::default() });
    let mut player = Player::new();
    player.show(Arc::new(Rig::new(Arc::new(model))), ImportReport::default());
    play_json(
        &mut player,
        BASE,
        r#"{ "mix": [{ "clip": "walk", "weight": "haste" }] }"#,
        &PlayOptions::default(),
    );
    player
}

/// Calls every setter that takes such a number, and returns the results.
fn setters(value: Value, player: &mut Player, number: f64) -> Vec<Result<(), PlayerError>> {
    let single = number as f32;
    let clip = ClipIndex::new(0);
    let (base, head, hand) = (BASE, at(SPINE), at(ARM));
    let vector = Vec3::new(0.0, single, 0.0);
    let node_override = NodeOverride::default();
    let orbit = Orbit { target: Vec3::ZERO, yaw: 0.0, pitch: 0.0, distance: 3.0 };
    let home_view = HomeView { target: Vec3::NAN, yaw: 0.0, pitch: 0.0, distance: 3.0, distance_share: 1.0 };
    let look = *player.look();
    // The figure's arm, below its spine.
    let arm = ChainOptions::new(head, hand);
    let options = ConstraintOptions::default();
    let gaze = GazeJoint::new(head, 1.0);
    player.set_chain("arm", &arm, &options).expect("a chain");
    player.set_gaze("gaze", &[gaze], &options).expect("a gaze");
    player.set_feet("feet", at(0), &[hand], &options).expect("a foot");
    let change = MaterialChange::default();
    // NaN is valid in a home view and in limits, where it stands for a number that framing determines.
    let set_home = |home_view: HomeView, player: &mut Player| match single.is_nan() {
        true => Err(PlayerError::NotFinite { what: value.row().0 }),
        false => player.set_home(home_view),
    };
    let none = Limits { yaw: [f32::NAN; 2], pitch: [f32::NAN; 2], distance: [f32::NAN; 2] };
    let limited = |limits: Limits, player: &mut Player| match single.is_nan() {
        true => Err(PlayerError::NotFinite { what: value.row().0 }),
        false => player.set_limits(limits),
    };
    match value {
        Value::Time => vec![
            player.seek(number),
            player.seek_layer(base, number),
            player.set_markers(clip, vec![Marker { name: "here".into(), time_secs: number }]),
            player.set_beats(clip, vec![number]),
            player
                .set_layer(
                    "sum",
                    &LayerOptions {
                        mode: LayerMode::Add(Reference::Pose { clip, time_secs: number }),
                        ..LayerOptions::default()
                    },
                )
                .map(drop),
        ],
        Value::TimeStep => vec![player.advance(number).map(drop)],
        Value::ClockStep => vec![player.set_clock(Clock::Fixed { step_secs: number, left_secs: 0.0 })],
        Value::PlaybackRate => vec![player.set_playback_rate(number)],
        Value::Fade => vec![
            player.fade_springs(0.5, number),
            player.stop_ragdoll(number),
            player.play(clip, &PlayOptions { fade_secs: number, ..PlayOptions::default() }).map(drop),
            player.stop_layer(base, number),
            player.fade_layer(base, 1.0, number, Easing::Linear),
            player.set_chain("arm", &arm, &ConstraintOptions { fade_secs: number, ..options }),
            player.fade_constraint("gaze", 1.0, number, Easing::Linear),
            player.remove_constraint("gaze", number),
        ],
        Value::Speed => {
            vec![player.play(clip, &PlayOptions { speed: number, ..PlayOptions::default() }).map(drop)]
        }
        Value::Start => {
            vec![player.play(clip, &PlayOptions { start_secs: number, ..PlayOptions::default() }).map(drop)]
        }
        Value::Release => {
            let ending = Ending::Release(number);
            vec![player.play(clip, &PlayOptions { ending, ..PlayOptions::default() }).map(drop)]
        }
        Value::Phase => vec![
            player.crowd(1, &Crowd { phases: vec![number], ..Crowd::default() }),
            player.play(clip, &PlayOptions { phase: number, ..PlayOptions::default() }).map(drop),
        ],
        Value::Weight => vec![
            player.fade_springs(single, 0.0),
            player.fade_ragdoll(single, 0.0),
            player.set_node(head, &NodeOverride { weight: single, ..node_override }),
            player.look_at(head, Some(Vec3::X), None, None, single, None),
            player.reach(hand, Some(Vec3::X), None, single),
            player.fade_layer(base, single, 0.0, Easing::Linear),
            player.set_gaze("gaze", &[GazeJoint { share: single, ..gaze }], &options),
            player.set_gaze("gaze", &[gaze], &ConstraintOptions { weight: single, ..options }),
            player.set_goal("arm", hand, Some(Vec3::X), single),
            player.fade_constraint("arm", single, 0.0, Easing::Linear),
            player.set_layer("top", &LayerOptions { weight: single, ..LayerOptions::default() }).map(drop),
        ],
        Value::MorphWeight => vec![player.set_morph("smile", Some(single))],
        Value::Parameter => vec![player.set_parameter("haste", single)],
        Value::Point => vec![
            player.set_node(head, &NodeOverride { translation: Some(vector), ..node_override }),
            player.set_node(head, &NodeOverride { scale: Some(vector), ..node_override }),
            player.look_at(head, Some(vector), None, None, 1.0, None),
            player.look_at(head, Some(Vec3::X), Some(vector + Vec3::X), None, 1.0, None),
            player.reach(hand, Some(vector), None, 1.0),
            player.reach(hand, Some(Vec3::X), Some(vector), 1.0),
            player.set_chain("arm", &limited_arm(vector + Vec3::X, 1.0, [0.0; 2]), &options),
            player.set_goal("arm", hand, Some(vector), 1.0),
            player.set_gaze_target("gaze", Some(vector)),
            player.set_gaze("gaze", &[GazeJoint { forward: Some(vector + Vec3::X), ..gaze }], &options),
            player.set_ground("feet", hand, single, Vec3::Y),
            player.set_ground("feet", hand, 0.0, vector + Vec3::X),
            player.set_view(Orbit { target: vector, ..orbit }, 0.6, 0.0),
            set_home(HomeView { target: vector, ..home_view }, player),
        ],
        Value::Rotation => {
            let rotation = Some(Quat::from_xyzw(single, 0.0, 0.0, 1.0));
            let axis = Vec3::X;
            vec![
                player.set_node(head, &NodeOverride { rotation, ..node_override }),
                player.set_tip_rotation("arm", rotation),
                player.set_chain("arm", &limited_arm(axis, 1.0, [-1e9, single]), &options),
            ]
        }
        Value::Limit => vec![
            player.look_at(head, Some(Vec3::X), None, Some(single), 1.0, None),
            player.set_chain("arm", &ChainOptions { speed_radians_per_sec: single, ..arm.clone() }, &options),
            player.set_chain("arm", &limited_arm(Vec3::X, single, [0.0; 2]), &options),
            player.set_gaze("gaze", &[GazeJoint { limit_radians: Some(single), ..gaze }], &options),
            player.set_gaze("gaze", &[GazeJoint { speed_radians_per_sec: Some(single), ..gaze }], &options),
        ],
        Value::Place => {
            let place = Affine3A::from_translation(vector);
            let crowd = Crowd { world_from_model: vec![place], ..Crowd::default() };
            vec![player.crowd(1, &crowd), player.set_place(0, place)]
        }
        Value::Yaw => vec![
            player.orbit(single, 0.0),
            player.set_view(Orbit { yaw: single, ..orbit }, 0.6, 0.0),
            set_home(HomeView { yaw: single, ..home_view }, player),
            limited(Limits { yaw: [single, f32::NAN], ..none }, player),
        ],
        Value::Pitch => vec![
            player.orbit(0.0, single),
            player.set_view(Orbit { pitch: single, ..orbit }, 0.6, 0.0),
            set_home(HomeView { pitch: single, ..home_view }, player),
            limited(Limits { pitch: [f32::NAN, single], ..none }, player),
        ],
        Value::Pan => vec![player.pan(single, 0.0), player.pan(0.0, single)],
        Value::Zoom => vec![player.zoom(single)],
        Value::Distance => vec![
            player.set_view(Orbit { distance: single, ..orbit }, 0.6, 0.0),
            set_home(HomeView { distance: single, ..home_view }, player),
            set_home(HomeView { distance_share: single, ..home_view }, player),
            limited(Limits { distance: [single, single], ..none }, player),
        ],
        Value::FieldOfView => vec![player.set_view(orbit, single, 0.0)],
        Value::Roll => vec![player.set_view(orbit, 0.6, single)],
        Value::Inset => vec![
            player.set_insets(Insets { top: single, ..Insets::default() }, 1.0),
            player.set_insets(Insets { left: single, ..Insets::default() }, 1.0),
        ],
        Value::AutoRotate => vec![player.set_spin(single, 1.0)],
        Value::Exposure => vec![player.set_look(Look { exposure: single, ..look })],
        Value::EnvironmentTurn => vec![player.set_look(Look { environment_turn: single, ..look })],
        Value::EnvironmentLight => vec![player.set_look(Look { environment_light: single, ..look })],
        Value::Lights => vec![player.set_look(Look { lights: single, ..look })],
        Value::Background => (0..4)
            .map(|lane| {
                let mut rgba = [1.0; 4];
                rgba[lane] = single;
                player.set_look(Look { background: Some(Vec4::from_array(rgba)), ..look })
            })
            .collect(),
        Value::Smoothing => vec![
            player.look_at(head, Some(Vec3::X), None, None, 1.0, Some(single)),
            player.set_feet("feet", at(0), &[hand], &ConstraintOptions { smoothing_secs: single, ..options }),
        ],
        Value::Tint => vec![player.set_tint(0, Vec4::new(1.0, single, 1.0, 1.0))],
        Value::Alpha => {
            vec![dressed(player, MaterialChange { base_color: Some(Vec4::ONE.with_w(single)), ..change })]
        }
        Value::Color => vec![
            dressed(player, MaterialChange { base_color: Some(vector.extend(1.0)), ..change }),
            dressed(player, MaterialChange { emissive: Some(vector), ..change }),
        ],
        Value::Metallic => vec![dressed(player, MaterialChange { metallic: Some(single), ..change })],
        Value::Wind => vec![player.set_wind(vector)],
        Value::Gravity => {
            vec![player.start_ragdoll(&RagdollOptions { gravity: Some(vector), ..RagdollOptions::default() })]
        }
        Value::Impulse => vec![player.push_ragdoll(head, vector).map(drop)],
        Value::Friction => {
            vec![player.start_ragdoll(&RagdollOptions { friction: single, ..RagdollOptions::default() })]
        }
        Value::Damping => {
            vec![player.start_ragdoll(&RagdollOptions { damping: single, ..RagdollOptions::default() })]
        }
        Value::Roughness => vec![dressed(player, MaterialChange { roughness: Some(single), ..change })],
    }
}

/// Returns the figure's arm with a limit of its joint.
fn limited_arm(axis: Vec3, swing_radians: f32, twist_radians: [f32; 2]) -> ChainOptions {
    let limits = vec![(at(SPINE), JointLimit { axis, swing_radians, twist_radians })];
    ChainOptions { limits, ..ChainOptions::new(at(SPINE), at(ARM)) }
}

fn dressed(player: &mut Player, change: MaterialChange) -> Result<(), PlayerError> {
    player.set_material(MaterialIndex::new(0), change)
}

/// Returns the observable state of a player.
fn state(player: &mut Player) -> impl PartialEq + std::fmt::Debug + use<> {
    let camera = (player.camera.current(), player.camera.vertical_fov(), player.camera.spin);
    let matrices = player.world_matrices(0).expect("it has a model");
    (
        camera,
        matrices,
        player.time_secs(),
        player.playback_rate(),
        player.clock(),
        player.layer_names().count(),
    )
}

#[test]
fn wrong_numbers_are_refused_by_every_setter_and_change_nothing() {
    for &value in Value::ALL {
        let (what, range) = value.row();
        let (least, most, _) = range.limits();
        for number in NUMBERS {
            let mut player = dancer();
            let before = state(&mut player);
            // The number in the setter's precision: setters that take an f32 refuse 1e300 as infinite.
            let takes_single = setters(value, &mut dancer(), 1e39)
                .iter()
                .any(|result| matches!(result, Err(PlayerError::NotFinite { .. })));
            let seen = if takes_single { f64::from(number as f32) } else { number };
            let allowed = seen.is_finite() && (least..=most).contains(&seen);
            for (nth, result) in setters(value, &mut player, number).into_iter().enumerate() {
                let code = result.as_ref().err().map_or("", PlayerError::code);
                let expected = match allowed {
                    true => "",
                    false if seen.is_finite() => "OUT_OF_RANGE",
                    false => "NOT_FINITE",
                };
                assert_eq!(code, expected, "{what} = {number:e}, setter {nth}");
            }
            if !allowed {
                assert_eq!(state(&mut player), before, "{what} = {number:e}");
            }
        }
    }
}

#[test]
fn what_is_allowed_leaves_every_number_finite() {
    for &value in Value::ALL {
        let (what, range) = value.row();
        let (least, most, _) = range.limits();
        for number in [least, most, 0.0, 1.0].into_iter().filter(|number| (least..=most).contains(number)) {
            let mut player = dancer();
            for result in setters(value, &mut player, number) {
                result.expect("it is allowed");
            }
            for dt_secs in [0.0, 0.1, 1e9] {
                player.advance(dt_secs).expect("time passes");
                player.pose();
                let matrices = player.world_matrices(0).expect("it has a model");
                assert!(matrices.iter().all(Mat4::is_finite), "{what} = {number:e}: the pose");
                let view = player.camera.view(1.5);
                let finite = view.view_from_world.is_finite() && view.projection_from_view.is_finite();
                assert!(finite, "{what} = {number:e}: {view:?}");
            }
        }
    }
}

#[test]
fn a_turn_of_nothing_is_refused() {
    let mut player = dancer();
    let head = at(SPINE);
    let rotation = Some(Quat::from_xyzw(0.0, 0.0, 0.0, 0.0));
    let refused = player.set_node(head, &NodeOverride { rotation, ..NodeOverride::default() });
    assert_eq!(refused.map_err(|error| error.code()), Err("OUT_OF_RANGE"));
    assert!(player.look_at(head, Some(Vec3::X), None, Some(7.0), 1.0, None).is_ok(), "limits are clamped");
}

/// Tests that `www/element/checks.ts` has the same ranges: it refuses values before they are sent to a worker.
#[test]
fn the_page_has_the_same_table() {
    let page = std::fs::read_to_string("www/element/checks.ts").expect("the page has its table");
    let table = page.split_once("const RANGES").and_then(|(_, rest)| rest.split_once("= {"));
    let rows = table.and_then(|(_, rest)| rest.split_once('}')).expect("it is called RANGES").0;
    let rows: Vec<_> = rows.split(',').map(str::trim).filter(|row| !row.is_empty()).collect();
    let mut expected: Vec<String> = Value::ALL
        .iter()
        .map(|value| value.row())
        .filter(|&(_, range)| range != Range::Any)
        .map(|(what, range)| format!("{what}: {}", format!("{range:?}").to_uppercase()))
        .collect();
    // `Time` and `TimeStep` have the same name and range.
    expected.dedup();
    assert_eq!(rows, expected);
}
