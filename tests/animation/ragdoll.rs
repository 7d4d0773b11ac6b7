//! Ragdolls: bodies, drops from random poses, limits, momenta, frame rates, driven nodes, sleep, and nonsense.

use crate::support::doll::{doll, knight, rope, table};
use crate::support::drops::{Dice, Falling, Measured, drop_often, dropped};
use crate::support::made_model::{
    Random, at, bits, first_clip, model as made, moved, node, resolved, sampled,
};
use crate::support::real_models::{model, saw};
use gambol::animation::{
    ClipCursor, LocalPose, MaskEntry, Ragdoll, RagdollInput, RagdollOptions, RagdollState, Rig,
};
use gambol::import::{Resources, external_buffers, import};
use gambol::model::{ClipIndex, Model, NodeIndex};
use glam::{Affine3A, Quat, Vec3};
use std::fs;
use std::path::Path;
use std::sync::Arc;

const FRAME_SECS: f64 = 1.0 / 60.0;
/// Bounds in sizes of the model, and in seconds.
const MOST_GAP: f32 = 0.02;
const MOST_DEPTH: f32 = 0.01;
const MOST_REST_SECS: f32 = 10.0;
/// Angle beyond the limit of a joint at rest.
const MOST_EXCESS: f32 = 0.1;

fn fitted(model: Model) -> (Rig, Ragdoll) {
    let rig = Rig::new(Arc::new(model));
    let ragdoll = Ragdoll::new(&rig).expect("it has vertices");
    (rig, ragdoll)
}

fn human() -> (Rig, Ragdoll) {
    fitted(doll(&mut Random::new(3)))
}

fn at_height(height: f32) -> Affine3A {
    Affine3A::from_translation(Vec3::Y * height)
}

fn check(what: &str, measured: &Measured) {
    println!("{what}: {measured:.4?}");
    assert!(measured.gap < MOST_GAP, "{what}: {measured:?}");
    assert!(measured.depth < MOST_DEPTH && measured.vertex_depth < MOST_DEPTH, "{what}: {measured:?}");
    assert!(measured.rest_secs <= MOST_REST_SECS, "{what}: {measured:?}");
    assert!(measured.rest_excess_radians < MOST_EXCESS, "{what}: {measured:?}");
}

#[test]
fn each_joint_has_a_body_of_its_vertices() {
    let (rig, ragdoll) = human();
    let name = |body: usize| rig.model().node(ragdoll.bodies()[body].node).name.as_str();
    let parents: Vec<_> =
        ragdoll.bodies().iter().enumerate().map(|(nth, body)| (name(nth), body.parent.map(name))).collect();
    assert_eq!(parents.len(), 15);
    for pair in [
        ("Hips", None),
        ("LeftLowerArm", Some("LeftUpperArm")),
        ("RightFoot", Some("RightLowerLeg")),
        ("RightUpperLeg", Some("Hips")),
    ] {
        assert!(parents.contains(&pair), "{pair:?}");
    }
    let mass_of = |wanted: &str| {
        let found = ragdoll.bodies().iter().find(|body| rig.model().node(body.node).name == wanted);
        found.expect("it is there").mass
    };
    let whole: f32 = ragdoll.bodies().iter().map(|body| body.mass).sum();
    assert!((whole - 1.0).abs() < 0.1, "{whole}");
    assert!(mass_of("Spine") > 1.4 * mass_of("LeftUpperLeg"), "the trunk is the heaviest");
    assert!(mass_of("LeftUpperLeg") > 1.4 * mass_of("LeftHand"), "hands are light");
    // Knees and elbows are hinges.
    for body in ragdoll.bodies() {
        let name = &rig.model().node(body.node).name;
        assert_eq!(body.parent.is_some() && body.swing_radians == 0.0, name.contains("Lower"), "{name}");
    }
}

#[test]
fn a_hundred_drops_from_random_poses_come_to_rest_in_one_piece() {
    let mut worst = Measured::default();
    for seed in 0..10 {
        let (rig, ragdoll) = fitted(doll(&mut Random::new(seed)));
        // The size of the character changes nothing.
        let scale = [0.01, 1.0, 100.0][seed as usize % 3];
        worst = worst.worst(&drop_often(&rig, &ragdoll, seed * 10..seed * 10 + 10, scale));
    }
    check("dolls", &worst);
}

#[test]
fn swords_and_shields_stay_above_the_ground() {
    let mut worst = Measured::default();
    for seed in 0..6 {
        let (rig, ragdoll) = fitted(knight(&mut Random::new(seed)));
        let (_, unarmed) = fitted(doll(&mut Random::new(seed)));
        // The sword is held loosely. The shield is tied to the forearm.
        let held = ragdoll.bodies().iter().filter(|body| rig.model().node(body.node).name == "Sword");
        let hands: Vec<_> = held.map(|sword| ragdoll.bodies()[sword.parent.unwrap()].node).collect();
        assert_eq!(hands, [rig.model().find_node("RightHand").unwrap()]);
        assert_eq!(ragdoll.bodies().len(), unarmed.bodies().len() + 1);
        assert_eq!(ragdoll.size(), unarmed.size());
        worst = worst.worst(&drop_often(&rig, &ragdoll, seed * 10..seed * 10 + 10, 1.0));
    }
    check("knights", &worst);
}

#[test]
fn swords_do_not_hold_those_who_stand() {
    let (rig, ragdoll) = fitted(knight(&mut Random::new(2)));
    let rest = LocalPose::rest(&rig);
    let mut falling = Falling::new(&rig, &ragdoll, &RagdollOptions::default(), &rest, at_height(0.0));
    falling.measure(10.0);
    let head = rig.model().find_node("Head").unwrap();
    let height = falling.node_in_world(head).y / falling.size_in_world();
    assert!(height < 0.35, "{height}");
}

#[test]
fn chains_single_joints_and_models_without_skin_come_to_rest() {
    for (what, model) in [("rope", rope(12)), ("one joint", rope(1)), ("table", table())] {
        let (rig, ragdoll) = fitted(model);
        check(what, &drop_often(&rig, &ragdoll, 0..8, 1.0));
    }
    let bare = Rig::new(Arc::new(made(vec![node(None, moved(Vec3::Y), 0)], Vec::new())));
    assert!(Ragdoll::new(&bare).is_none());
    let mut point = doll(&mut Random::new(1));
    point.meshes[0].primitives[0].positions.fill(Vec3::ONE);
    assert!(Ragdoll::new(&Rig::new(Arc::new(point))).is_none(), "a point has no size");
}

#[test]
fn real_models_come_to_rest_in_one_piece() {
    let mut count = 0;
    for name in [
        "gltf/kaykit/Knight.glb",
        "gltf/robot-expressive/RobotExpressive.glb",
        "gltf/khronos/Fox/glTF-Binary/Fox.glb",
        "gltf/khronos/CesiumMan/glTF-Binary/CesiumMan.glb",
        "gltf/quaternius/platformer_game_pack_Character.glb",
        "gltf/quaternius/platformer_game_pack_Bee.glb",
        "gltf/quaternius/cyberpunk_pack_Enemy_Flying.glb",
        "gltf/kenney/character.glb",
    ] {
        let Some(path) = model(name) else { continue };
        let (rig, ragdoll) = fitted(load(&path));
        let mut worst = Measured::default();
        for seed in 0..10 {
            worst = worst.worst(&from_a_clip(&rig, &ragdoll, seed).measure(10.0));
        }
        check(name, &worst);
        count += 1;
    }
    if count > 0 {
        saw(count);
    }
}

fn load(path: &Path) -> Model {
    let bytes = fs::read(path).unwrap();
    let mut resources = Resources::default();
    for uri in external_buffers(&bytes).unwrap() {
        resources.insert(&uri, fs::read(path.with_file_name(&uri)).unwrap());
    }
    import(&bytes, &resources).unwrap().model
}

/// Starts a ragdoll in a random pose of a random clip, turned and above the ground.
fn from_a_clip<'a>(rig: &'a Rig, ragdoll: &'a Ragdoll, seed: u64) -> Falling<'a> {
    let mut dice = Dice::new(seed + 77);
    let clips = rig.clip_count();
    let mut pose = LocalPose::rest(rig);
    if clips > 0 {
        let clip = ClipIndex::new((((dice.roll() + 1.0) * 0.5 * clips as f32) as usize).min(clips - 1));
        let secs = rig.clip(clip).duration_secs * (dice.roll() + 1.0) * 0.5;
        rig.sample_into(clip, secs, &mut ClipCursor::default(), &mut pose);
    }
    let turned = Affine3A::from_quat(dice.rotation(3.1));
    let options = RagdollOptions::default();
    let lowest = Falling::new(rig, ragdoll, &options, &pose, turned).lowest();
    let height = ragdoll.size() * (0.05 + 0.3 * (dice.roll() + 1.0)) - lowest;
    Falling::new(rig, ragdoll, &options, &pose, at_height(height) * turned)
}

#[test]
fn limits_hold_while_limbs_fly() {
    let (rig, ragdoll) = human();
    let options =
        RagdollOptions { ground_height: None, gravity: Some(Vec3::ZERO), ..RagdollOptions::default() };
    let mut worst = 0.0_f32;
    for seed in 0..20 {
        let mut dice = Dice::new(seed);
        let rest = LocalPose::rest(&rig);
        let mut falling = Falling::new(&rig, &ragdoll, &options, &rest, Affine3A::IDENTITY);
        for body in ragdoll.bodies() {
            let impulse = Vec3::new(dice.roll(), dice.roll(), dice.roll()) * 2.0 * body.mass;
            ragdoll.push(&mut falling.state, body.node, impulse);
        }
        for _ in 0..120 {
            falling.pass(FRAME_SECS);
            worst = worst.max(falling.excess_radians());
        }
    }
    println!("beyond the limit by {worst:.3}");
    // A fast limb is stopped within a few parts of a step.
    assert!(worst < 0.12, "{worst}");
}

#[test]
fn a_knee_that_starts_beyond_its_limit_returns_slowly() {
    let (rig, ragdoll) = human();
    let options =
        RagdollOptions { ground_height: None, gravity: Some(Vec3::ZERO), ..RagdollOptions::default() };
    let mut pose = LocalPose::rest(&rig);
    let knee = rig.model().find_node("LeftLowerLeg").unwrap();
    let mut srt = pose.srt(knee);
    srt.rotation *= Quat::from_rotation_x(-1.5);
    pose.set_srt(knee, srt);
    let mut falling = Falling::new(&rig, &ragdoll, &options, &pose, Affine3A::IDENTITY);
    let mut excess = falling.excess_radians();
    assert!(excess > 0.8, "{excess}");
    for frame in 0..150 {
        falling.pass(FRAME_SECS);
        let now = falling.excess_radians();
        // The time constant is 0.3 s.
        assert!((excess - now).abs() < 0.1, "frame {frame}: from {excess} to {now}");
        excess = now;
    }
    assert!(excess < 0.02, "{excess}");
}

#[test]
fn standing_is_not_stable() {
    let (rig, ragdoll) = human();
    let rest = LocalPose::rest(&rig);
    let mut falling = Falling::new(&rig, &ragdoll, &RagdollOptions::default(), &rest, at_height(0.0));
    let measured = falling.measure(10.0);
    let head = rig.model().find_node("Head").unwrap();
    let height = falling.node_in_world(head).y / falling.size_in_world();
    assert!(height < 0.35 && measured.rest_secs <= MOST_REST_SECS, "{height} {measured:?}");
}

/// Returns a ragdoll that starts in the clip, with its motion.
fn running<'a>(rig: &'a Rig, ragdoll: &'a Ragdoll, options: &RagdollOptions, secs: f64) -> Falling<'a> {
    let pose = sampled(rig, 0.3);
    let (now, later) = (resolved(rig, &pose), resolved(rig, &sampled(rig, 0.3 + secs as f32)));
    let world_from_model = at_height(0.5) * Affine3A::from_scale(Vec3::splat(2.0));
    let mut falling = Falling::new(rig, ragdoll, options, &pose, world_from_model);
    let input = RagdollInput {
        local: &pose,
        model: &now,
        world_from_model,
        later_model: &later,
        later_world_from_model: world_from_model,
        secs,
    };
    falling.state = RagdollState::default();
    ragdoll.start(rig, options, &input, &mut falling.state);
    falling
}

#[test]
fn the_motion_at_the_start_is_kept() {
    let (rig, ragdoll) = human();
    let options =
        RagdollOptions { ground_height: None, gravity: Some(Vec3::ZERO), ..RagdollOptions::default() };
    let mut falling = running(&rig, &ragdoll, &options, FRAME_SECS);
    let momentum = |falling: &Falling<'_>| {
        let bodies = ragdoll.bodies().iter().enumerate();
        bodies.map(|(nth, body)| falling.state.speed_in_world(nth) * body.mass).sum::<Vec3>()
    };
    let before = momentum(&falling);
    // The clip moves along x at 2, and the place has a scale of 2. The forearm turns as well.
    assert!((before - Vec3::X * 4.0).length() < 0.3, "{before}");
    falling.pass(0.0);
    assert!(falling.gap() < 1e-5);
    for _ in 0..30 {
        falling.pass(FRAME_SECS);
    }
    // Drag takes 5 % in a second.
    let after = momentum(&falling);
    assert!((after - before * 0.975).length() < 0.02 * before.length(), "{before} {after}");
}

#[test]
fn frame_rates_show_the_same() {
    let (rig, ragdoll) = human();
    let shown_at = |rate: usize| -> Vec<Vec<u32>> {
        let mut falling = running(&rig, &ragdoll, &RagdollOptions::default(), FRAME_SECS);
        let frames = (1..=rate * 5).filter_map(|frame| {
            falling.pass(1.0 / rate as f64);
            (frame * 6 % rate == 0).then(|| bits(&rig, &falling.local))
        });
        frames.collect()
    };
    let at_60 = shown_at(60);
    assert_eq!(at_60.len(), 30);
    assert_ne!(at_60[0], at_60[10]);
    assert_eq!(shown_at(60), at_60, "each run gives the same bits");
    for rate in [30, 120, 144, 240] {
        let shown = shown_at(rate);
        assert_eq!(shown.len(), at_60.len());
        let pairs = shown.iter().flatten().zip(at_60.iter().flatten());
        let error = pairs.map(|(a, b)| (f32::from_bits(*a) - f32::from_bits(*b)).abs()).fold(0.0, f32::max);
        println!("{rate} Hz: {error:.1e} from 60 Hz");
        // What is shown lies between the same two steps, up to the rounding of time.
        assert!(error < 1e-5, "{rate} Hz: {error}");
    }
}

#[test]
fn bodies_hang_on_those_that_the_animation_drives() {
    let (rig, ragdoll) = human();
    let named = |name: &str| rig.model().find_node(name).unwrap();
    let mask = vec![MaskEntry { node: named("LeftUpperArm"), weight: 1.0, subtree: true }];
    let options = RagdollOptions { mask, ..RagdollOptions::default() };
    let rest = LocalPose::rest(&rig);
    let mut falling = Falling::new(&rig, &ragdoll, &options, &rest, at_height(0.0));
    let mut farthest = 0.0_f32;
    for frame in 0..300 {
        // It walks to and fro.
        let x = (frame as f32 / 30.0).sin() * 0.3;
        falling.world_from_model = Affine3A::from_translation(Vec3::X * x);
        falling.pass(FRAME_SECS);
        assert!(falling.gap() < MOST_GAP, "{}", falling.gap());
        for node in (0..rig.model().nodes.len()).map(NodeIndex::new) {
            if !rig.model().node(node).name.starts_with("Left") || rig.model().node(node).name.contains("Leg")
            {
                assert_eq!(falling.local.srt(node), rest.srt(node), "frame {frame}");
            }
        }
        let elbow =
            falling.node_in_world(named("LeftLowerArm")) - falling.node_in_world(named("LeftUpperArm"));
        farthest = farthest.max(elbow.normalize().dot(Vec3::X).abs());
        let length = rest.srt(named("LeftLowerArm")).translation.length();
        assert!((elbow.length() - length).abs() < MOST_GAP * falling.size_in_world());
    }
    assert!(farthest > 0.3, "the arm swings");
    falling.world_from_model = Affine3A::IDENTITY;
    (0..600).for_each(|_| falling.pass(FRAME_SECS));
    assert!(falling.state.is_asleep());
    let hand = falling.node_in_world(named("LeftHand"));
    let shoulder = falling.node_in_world(named("LeftUpperArm"));
    assert!(hand.y < shoulder.y - 0.3, "the arm hangs: {hand} {shoulder}");
    // A teleport takes the arm along.
    let before = bits(&rig, &falling.local);
    falling.world_from_model = Affine3A::from_translation(Vec3::X * 50.0);
    falling.pass(FRAME_SECS);
    let pairs = bits(&rig, &falling.local).into_iter().zip(before);
    let moved = pairs.map(|(a, b)| (f32::from_bits(a) - f32::from_bits(b)).abs()).fold(0.0, f32::max);
    assert!(moved < 0.02, "{moved}");
}

#[test]
fn sleepers_stay_and_pushes_wake_them() {
    let (rig, ragdoll) = human();
    let mut falling = dropped(&rig, &ragdoll, 5, 1.0);
    falling.measure(10.0);
    assert!(falling.state.is_asleep());
    falling.pass(FRAME_SECS);
    let asleep = bits(&rig, &falling.local);
    (0..100).for_each(|_| falling.pass(FRAME_SECS));
    assert_eq!(bits(&rig, &falling.local), asleep);
    let head = rig.model().find_node("Head").unwrap();
    let before = falling.node_in_world(head);
    assert!(ragdoll.push(&mut falling.state, head, Vec3::Y));
    assert!(!falling.state.is_asleep());
    (0..20).for_each(|_| falling.pass(FRAME_SECS));
    assert!(falling.node_in_world(head).y > before.y + 0.05);
    assert!(!ragdoll.push(&mut falling.state, at(rig.model().nodes.len() + 5), Vec3::Y));
}

#[test]
fn slopes_hold_by_friction_alone() {
    let (rig, ragdoll) = fitted(table());
    let way = |friction: f32| {
        let turned = Quat::from_rotation_z(-0.3);
        let ground_normal = turned * Vec3::Y;
        let options =
            RagdollOptions { ground_normal, friction, ground_height: Some(1.8), ..RagdollOptions::default() };
        let mut falling =
            Falling::new(&rig, &ragdoll, &options, &LocalPose::rest(&rig), Affine3A::from_quat(turned));
        let before = falling.node_in_world(at(0));
        (0..120).for_each(|_| falling.pass(FRAME_SECS));
        (falling.node_in_world(at(0)) - before).reject_from(ground_normal).length()
    };
    // The tangent of the slope is 0.31. On ice, the way in 2 s is g · sin(0.3) · 2 with g of 5.6 sizes.
    assert!(way(0.8) < 0.1, "{}", way(0.8));
    assert!(way(0.0) > 1.0, "{}", way(0.0));
}

#[test]
fn nonsense_leaves_every_number_finite() {
    let (rig, ragdoll) = human();
    let rest = LocalPose::rest(&rig);
    let places = [
        Affine3A::from_scale(Vec3::ZERO),
        Affine3A::from_scale(Vec3::new(-1.0, 1.0, 1.0)),
        Affine3A::from_scale(Vec3::new(1.0, 0.0, 1.0)),
        Affine3A::from_scale(Vec3::splat(1e9)),
        Affine3A::from_translation(Vec3::splat(1e9)),
    ];
    for place in places {
        for gravity in [None, Some(Vec3::splat(1e9)), Some(Vec3::ZERO)] {
            let options =
                RagdollOptions { gravity, friction: 1e9, damping: 1e9, ..RagdollOptions::default() };
            let mut falling = Falling::new(&rig, &ragdoll, &options, &rest, place);
            for secs in [0.0, 0.1, 1e9] {
                ragdoll.push(&mut falling.state, at(1), Vec3::splat(1e9));
                falling.pass(secs);
                let numbers = bits(&rig, &falling.local).into_iter().map(f32::from_bits);
                assert!(numbers.into_iter().all(f32::is_finite), "{place:?} {gravity:?} {secs}");
            }
        }
    }
    // Poses with scales of 0 and mirrored joints.
    for seed in 0..20 {
        let mut random = Random::new(seed);
        let mut pose = rest.clone();
        for node in 0..rig.model().nodes.len() {
            pose.set_srt(at(node), random.srt());
        }
        let mut falling = Falling::new(&rig, &ragdoll, &RagdollOptions::default(), &pose, Affine3A::IDENTITY);
        for _ in 0..30 {
            falling.pass(FRAME_SECS);
            let numbers = bits(&rig, &falling.local).into_iter().map(f32::from_bits);
            assert!(numbers.into_iter().all(f32::is_finite), "seed {seed}");
        }
    }
    assert_eq!(rig.clip(first_clip()).name, "run");
}
