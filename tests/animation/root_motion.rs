//! Root motion: the extracted travel and the pinned pose together equal the original clip.

use crate::support::made_model::{
    Random, at, bits, clip, every_node, first_clip, foxlike, model, moved, nodes, resolved, rig, sampled,
    track, turned,
};
use crate::support::real_models;
use gambol::animation::{ClipCursor, LocalPose, Rig, RootTrack, Travel};
use gambol::import::{Resources, import};
use gambol::model::{Clip, ClipIndex, Interpolation, Model, NodeIndex, Skin, Srt, TrackValues};
use glam::{Affine3A, EulerRot, Quat, Vec3};
use std::f32::consts::{FRAC_PI_2, PI, TAU};
use std::fs;
use std::sync::Arc;

/// Returns the node that exporters add above the hips for a Z-up scene in centimetres.
fn armature() -> Srt {
    Srt {
        scale: Vec3::splat(0.01),
        rotation: Quat::from_rotation_x(-FRAC_PI_2),
        translation: Vec3::new(0.3, 0.1, -0.2),
    }
}

/// armature ── hips ── spine ── hand
fn hierarchy(armature: Srt) -> Vec<gambol::model::Node> {
    let hips = Srt { translation: Vec3::Z * 90.0, ..Srt::IDENTITY };
    nodes(&[
        (None, armature),
        (Some(0), hips),
        (Some(1), moved(Vec3::Z * 40.0)),
        (Some(2), moved(Vec3::X * 30.0)),
    ])
}

/// Returns a clip that walks, bobs, leans, and turns by `turn` radians in total. Values are in the space of the
/// hips' parent, where Z is up.
fn walk(turn: f32) -> Clip {
    let times: Vec<f32> = (0..=8).map(|key| key as f32 * 0.25).collect();
    let mut random = Random::new(5);
    let places = times.iter().map(|time| {
        let along = time * 50.0;
        Vec3::new(10.0 + along * (time * 0.8).sin(), 5.0 - along, 90.0 + random.between(-3.0, 3.0))
    });
    let turns = times.iter().map(|time| {
        let yaw = turn * time / 2.0;
        Quat::from_euler(EulerRot::ZXY, yaw, 0.2 * (time * 5.0).sin(), 0.1 * (time * 3.0).cos())
    });
    let tracks = vec![
        track(1, Interpolation::Linear, &times, TrackValues::Translation(places.collect())),
        track(1, Interpolation::Linear, &times, TrackValues::Rotation(turns.collect())),
        track(
            2,
            Interpolation::Linear,
            &[0.0, 1.0, 2.0],
            TrackValues::Rotation([0.0, 0.7, 0.1].map(Quat::from_rotation_z).into()),
        ),
    ];
    clip("walk", tracks)
}

fn model_from_pinned(travel: &Travel) -> Affine3A {
    Affine3A::from_rotation_translation(Quat::from_rotation_y(travel.yaw), travel.translation)
}

fn assert_same_way(a: Travel, b: Travel, tolerance: f32) {
    let near = a.translation.abs_diff_eq(b.translation, tolerance) && (a.yaw - b.yaw).abs() < tolerance;
    assert!(near, "{a:?} for {b:?}");
}

#[test]
fn the_pinned_pose_put_where_the_way_leads_is_the_clips_pose() {
    let upright = Srt::IDENTITY;
    let mirrored = Srt { scale: Vec3::new(-0.01, 0.01, 0.01), ..armature() };
    let askew = turned(Quat::from_euler(EulerRot::YXZ, 0.4, 1.1, -0.6));
    for (parent, turn, start) in [
        (armature(), 1.7, 0.0),
        (armature(), -5.0, 0.4),
        (mirrored, 1.7, 0.0),
        (askew, 3.0, 0.0),
        (upright, 1.0, 1.9),
    ] {
        let rig = rig(model(hierarchy(parent), vec![walk(turn)]));
        assert_pinned_and_put_back(&rig, first_clip(), at(1), start);
    }
}

/// Asserts that the pinned pose, moved by the travel so far, equals the clip's own pose.
fn assert_pinned_and_put_back(rig: &Rig, clip: ClipIndex, root: NodeIndex, start_secs: f64) {
    let track = RootTrack::new(rig, clip, root, start_secs);
    let mut random = Random::new(9);
    let (mut place, mut time) = (Travel::IDENTITY, start_secs);
    let (mut local, mut cursor) = (LocalPose::rest(rig), ClipCursor::default());
    for _ in 0..50 {
        // Forwards and backwards, in small and large steps.
        let next = random.between(0.0, rig.model().clip(clip).duration_secs).into();
        place = place.then(track.travel(time, next));
        time = next;
        rig.sample_into(clip, time as f32, &mut cursor, &mut local);
        let shown = resolved(rig, &local);
        track.pin(&mut local);
        let pinned = resolved(rig, &local);
        // Some files scale joints a hundredfold, and their matrices have numbers of that size.
        let numbers = every_node(rig).flat_map(|node| shown.model_from_node(node).to_cols_array());
        let size = numbers.map(f32::abs).fold(1.0, f32::max);
        for node in every_node(rig).filter(|&node| is_at_or_below(rig, node, root)) {
            let put = model_from_pinned(&place) * pinned.model_from_node(node);
            let expected = shown.model_from_node(node);
            assert!(put.abs_diff_eq(expected, 1e-5 * size), "{node:?} at {time}: {put} for {expected}");
        }
    }
}

fn is_at_or_below(rig: &Rig, node: NodeIndex, root: NodeIndex) -> bool {
    std::iter::successors(Some(node), |&node| rig.model().node(node).parent).any(|above| above == root)
}

#[test]
fn a_pinned_root_keeps_its_height_and_lean_but_neither_goes_nor_turns() {
    let rig = rig(model(hierarchy(armature()), vec![walk(2.5)]));
    let root = RootTrack::new(&rig, first_clip(), at(1), 0.0);
    let start = resolved(&rig, &sampled(&rig, 0.0)).model_from_node(at(1));
    for step in 0..=40 {
        let shown = sampled(&rig, step as f32 * 0.05);
        let mut pose = shown.clone();
        root.pin(&mut pose);
        let (shown, pinned) = (resolved(&rig, &shown), resolved(&rig, &pose));
        let (shown, pinned) = (shown.model_from_node(at(1)), pinned.model_from_node(at(1)));
        assert!((pinned.translation - start.translation).with_y(0.0).abs_diff_eq(Vec3::ZERO.into(), 1e-5));
        assert!((pinned.translation.y - shown.translation.y).abs() < 1e-5);
        let up = |pose: &Affine3A| pose.matrix3.z_axis.normalize().y;
        assert!((up(&pinned) - up(&shown)).abs() < 1e-5);
        let turn = Quat::from_mat3a(&(pinned.matrix3 * start.matrix3.inverse()));
        assert!(turn.y.abs() < 1e-4, "at {step}: {turn}");
        // The rest of the pose is unchanged.
        for node in [0, 2, 3] {
            assert_eq!(pose.srt(at(node)), sampled(&rig, step as f32 * 0.05).srt(at(node)));
        }
    }
}

#[test]
fn turning_on_the_spot_counts_whole_turns() {
    for turn in [TAU, -TAU, 5.0 * PI, 1.5 * PI] {
        let quarters = (turn.abs() / FRAC_PI_2).round() as usize;
        let times: Vec<f32> = (0..=quarters).map(|key| key as f32).collect();
        let turns = times.iter().map(|key| Quat::from_rotation_y(key * turn / quarters as f32));
        let turns = track(0, Interpolation::Linear, &times, TrackValues::Rotation(turns.collect()));
        let rig = rig(model(nodes(&[(None, Srt::IDENTITY)]), vec![clip("turn", vec![turns])]));
        let root = RootTrack::new(&rig, first_clip(), at(0), 0.0);
        let travel = root.travel(0.0, quarters as f64);
        assert_same_way(travel, Travel { translation: Vec3::ZERO, yaw: turn }, 1e-5);
        let mut sum = Travel::IDENTITY;
        for step in 0..quarters * 10 {
            sum = sum.then(root.travel(step as f64 * 0.1, (step + 1) as f64 * 0.1));
        }
        assert!((sum.yaw - turn).abs() < 1e-4, "{} for {turn}", sum.yaw);
    }
}

#[test]
fn back_is_the_way_back() {
    let rig = rig(model(hierarchy(armature()), vec![walk(4.0)]));
    let root = RootTrack::new(&rig, first_clip(), at(1), 0.0);
    let mut random = Random::new(3);
    for _ in 0..50 {
        let (a, b) = (random.between(0.0, 2.0).into(), random.between(0.0, 2.0).into());
        assert_same_way(root.travel(b, a), root.travel(a, b).back(), 1e-5);
        assert_same_way(root.travel(a, b).then(root.travel(b, a)), Travel::IDENTITY, 1e-5);
    }
}

#[test]
fn passes_add_up_from_where_each_ends() {
    let pass = Travel { translation: Vec3::new(0.5, 0.0, 2.0), yaw: 0.3 };
    let mut one_by_one = Travel::IDENTITY;
    for count in 0..20 {
        assert_same_way(pass.times(count), one_by_one, 1e-5);
        one_by_one = one_by_one.then(pass);
    }
    // Four quarter turns trace a square.
    let side = Travel { translation: Vec3::Z, yaw: FRAC_PI_2 };
    assert_same_way(side.times(4), Travel { translation: Vec3::ZERO, yaw: TAU }, 1e-6);
    assert_same_way(side.then(side), Travel { translation: Vec3::new(1.0, 0.0, 1.0), yaw: PI }, 1e-6);
}

#[test]
fn a_blend_of_ways_is_the_sum_of_their_shares() {
    let (one, other) =
        (Travel { translation: Vec3::X, yaw: 1.0 }, Travel { translation: Vec3::Z * 2.0, yaw: -0.5 });
    let half = one.scaled(0.5).plus(other.scaled(0.5));
    assert_eq!(half, Travel { translation: Vec3::new(0.5, 0.0, 1.0), yaw: 0.25 });
}

#[test]
fn a_clip_that_leaves_the_root_alone_goes_nowhere() {
    let model = Model { clips: vec![clip("still", vec![])], ..model(hierarchy(armature()), vec![]) };
    let rig = rig(model);
    let root = RootTrack::new(&rig, first_clip(), at(1), 0.0);
    assert_eq!(root.travel(0.0, 1.0), Travel::IDENTITY);
    let mut pose = LocalPose::rest(&rig);
    root.pin(&mut pose);
    let (pinned, rest) = (pose.srt(at(1)), LocalPose::rest(&rig).srt(at(1)));
    assert!(pinned.translation.abs_diff_eq(rest.translation, 1e-4) && pinned.rotation == rest.rotation);
}

#[test]
fn under_a_flat_parent_the_pose_stays_as_it_is() {
    let flat = Srt { scale: Vec3::new(1.0, 0.0, 1.0), ..Srt::IDENTITY };
    let rig = rig(model(hierarchy(flat), vec![walk(1.0)]));
    let root = RootTrack::new(&rig, first_clip(), at(1), 0.0);
    let shown = sampled(&rig, 1.0);
    let mut pose = shown.clone();
    root.pin(&mut pose);
    assert_eq!(bits(&rig, &pose), bits(&rig, &shown));
    assert_eq!(root.travel(0.0, 1.0), Travel::IDENTITY);
}

// Choice of the root.

fn with_skin(mut model: Model, joints: &[usize]) -> Model {
    let joints: Vec<NodeIndex> = joints.iter().copied().map(at).collect();
    let joint_from_mesh = vec![Affine3A::IDENTITY; joints.len()];
    model.skins.push(Skin { joints, joint_from_mesh, ..Skin::default() });
    model
}

fn root_of(model: Model) -> Option<NodeIndex> {
    RootTrack::find_root(&Rig::new(Arc::new(model)))
}

fn slide(node: usize, to: Vec3) -> Clip {
    clip(
        "slide",
        vec![track(node, Interpolation::Linear, &[0.0, 1.0], TrackValues::Translation(vec![Vec3::ZERO, to]))],
    )
}

#[test]
fn the_root_is_the_topmost_node_that_some_clip_moves_with_all_joints() {
    let body = |clips| with_skin(model(hierarchy(armature()), clips), &[1, 2, 3]);
    let root = |clips| root_of(body(clips));
    assert_eq!(root(vec![slide(1, Vec3::X)]), Some(at(1)));
    assert_eq!(root(vec![slide(1, Vec3::X), slide(0, Vec3::X)]), Some(at(0)));
    // Exporters also key nodes that don't move: a moving node takes precedence.
    assert_eq!(root(vec![slide(1, Vec3::X), slide(0, Vec3::ZERO)]), Some(at(1)));
    // A moving hand doesn't move the character.
    assert_eq!(root(vec![slide(3, Vec3::X)]), Some(at(1)));
    assert_eq!(root(vec![]), Some(at(1)));
}

#[test]
fn real_characters_have_the_root_that_an_animator_would_name() {
    let Some(models) = real_models::model("gltf") else { return };
    let expected = [
        ("khronos/Fox/glTF-Binary/Fox.glb", "b_Hip_01"),
        ("khronos/CesiumMan/glTF-Binary/CesiumMan.glb", "Skeleton_torso_joint_1"),
        ("robot-expressive/RobotExpressive.glb", "Body"),
        ("quaternius/platformer_game_pack_Character.glb", "Body"),
    ];
    real_models::saw(expected.len());
    for (name, expected) in expected {
        let bytes = fs::read(models.join(name)).expect("a model");
        let rig = rig(import(&bytes, &Resources::default()).expect("sound").model);
        let root = RootTrack::find_root(&rig).expect("a root");
        assert_eq!(rig.model().node(root).name, expected, "{name}");
        for clip in (0..rig.model().clips.len()).map(ClipIndex::new) {
            assert_pinned_and_put_back(&rig, clip, root, 0.0);
        }
    }
}

#[test]
fn joints_beside_the_hips_do_not_hide_them() {
    let mut all = hierarchy(armature());
    all.extend(nodes(&[(Some(0), Srt::IDENTITY)]));
    all[4].source_index = 4;
    let model = with_skin(model(all, vec![slide(1, Vec3::X)]), &[1, 2, 3, 4]);
    assert_eq!(root_of(model), Some(at(1)));
}

#[test]
fn without_skins_the_root_is_the_topmost_keyed_node() {
    let crane = |clips| model(hierarchy(Srt::IDENTITY), clips);
    assert_eq!(root_of(crane(vec![slide(2, Vec3::X), slide(1, Vec3::X)])), Some(at(1)));
    assert_eq!(root_of(crane(vec![])), None);
    assert_eq!(root_of(foxlike()), Some(at(3)));
}
