//! Retargeting between made bodies: whatever the axes, rest poses, proportions and numbers of joints.

use crate::support::bodies::{Build, GROWN, SMALL, Shown};
use crate::support::made_model::{Random, any_model, track};
use gambol::animation::{NotHumanoid, Party, RetargetOptions, Rig, retarget};
use gambol::model::humanoid::{Part, Role, RoleReason, Side};
use gambol::model::{Clip, Interpolation, Model, Node, NodeIndex, TrackValues};
use glam::{Quat, Vec3};
use std::sync::Arc;

pub(crate) const TIMES: [f32; 7] = [0.0, 0.11, 0.3, 0.5, 0.62, 0.8, 1.0];

/// Everything moves: the hips sway, arms and legs swing and bend, the head turns, fingers close.
pub(crate) fn busy(joint: &str, time: f32) -> Quat {
    let wave = |speed: f32, reach: f32| (time * speed * std::f32::consts::TAU).sin() * reach;
    let (side, part) = match (joint.strip_prefix("Left"), joint.strip_prefix("Right")) {
        (Some(part), _) => (1.0, part),
        (_, Some(part)) => (-1.0, part),
        _ => (0.0, joint),
    };
    let hips = Quat::from_rotation_y(wave(1.0, 0.4)) * Quat::from_rotation_x(0.1);
    let chest = hips * Quat::from_rotation_x(wave(1.0, 0.3)) * Quat::from_rotation_z(wave(2.0, 0.1));
    let arm = chest * Quat::from_rotation_z(-side * 0.9) * Quat::from_rotation_y(wave(1.0, 0.8));
    let forearm = arm * Quat::from_rotation_y(-side * (0.7 + wave(2.0, 0.5)));
    let hand = forearm * Quat::from_rotation_x(wave(1.0, 0.5)) * Quat::from_rotation_z(side * 0.2);
    let leg = hips * Quat::from_rotation_x(side * wave(1.0, 0.6) - 0.2);
    let shin = leg * Quat::from_rotation_x(0.5 + side * wave(1.0, 0.3));
    match part {
        "Hips" => hips,
        "Spine0" => hips.slerp(chest, 0.5),
        "Spine1" | "Spine2" => chest,
        "Neck" => chest * Quat::from_rotation_y(wave(1.0, 0.3)),
        "Head" => chest * Quat::from_rotation_y(wave(1.0, 0.7)),
        "Shoulder" => chest * Quat::from_rotation_z(side * 0.1),
        "UpperArm" => arm,
        "LowerArm" => forearm,
        "Hand" => hand,
        "UpperLeg" => leg,
        "LowerLeg" => shin,
        "Foot" | "Toes" => shin * Quat::from_rotation_x(-0.3),
        _ if part.ends_with('1') => hand * Quat::from_rotation_z(-side * 0.4),
        _ if part.ends_with('2') => hand * Quat::from_rotation_z(-side * 0.9),
        other => panic!("{other}"),
    }
}

fn swaying(build: &Build) -> impl Fn(f32) -> Vec3 {
    let height = build.leg + build.ankle + 0.05;
    move |time| Vec3::new(0.1 * time, height - 0.1 * (time * 6.0).sin().abs(), time)
}

fn lender(build: &Build, axes: &[Quat], rest: &[Quat], skinned: bool) -> Rig {
    let clip = build.clip(axes, 1.0, &busy, &swaying(build));
    Rig::new(Arc::new(Model { clips: vec![clip], ..build.model(axes, rest, skinned) }))
}

pub(crate) fn borrowed(from: &Rig, to: &Model) -> Shown {
    let to = Shown::new(to.clone());
    let made = retarget(from, &to.rig, &RetargetOptions::default()).unwrap();
    to.with(made.clips)
}

/// Returns the greatest distance between the places of two bodies' roles.
fn difference(a: &Shown, b: &Shown) -> f32 {
    let mut worst = 0.0_f32;
    for time in TIMES {
        let (a, b) = (a.pose(0, time), b.pose(0, time));
        for role in Role::all() {
            if let (Some(a), Some(b)) = (a.place(role), b.place(role)) {
                let apart = a.distance(b);
                worst = if apart.is_nan() { f32::NAN } else { worst.max(apart) };
            }
        }
    }
    worst
}

#[test]
fn a_body_borrows_its_own_motion_unchanged() {
    let mut random = Random::new(1);
    for build in [GROWN, SMALL, Build { loose_feet: true, ..GROWN }] {
        for _ in 0..5 {
            let axes = build.any_axes(&mut random);
            let from = lender(&build, &axes, &build.own_axes(), false);
            let to = borrowed(&from, from.model());
            let own = Shown::new((**from.model()).clone());
            let mut worst = 0.0_f32;
            for time in TIMES {
                let (a, b) = (own.pose(0, time), to.pose(0, time));
                for node in 0..axes.len() {
                    let (a, b) = (a.transform(node), b.transform(node));
                    worst = worst.max(
                        (a.inverse() * b)
                            .to_cols_array()
                            .iter()
                            .zip(glam::Affine3A::IDENTITY.to_cols_array())
                            .fold(0.0, |worst: f32, (a, b)| worst.max((a - b).abs())),
                    );
                }
            }
            assert!(worst < 1e-4, "{build:?}: {worst}");
        }
    }
}

#[test]
fn axes_of_joints_change_nothing() {
    let mut random = Random::new(2);
    for (from, to) in [(GROWN, SMALL), (SMALL, GROWN), (GROWN, GROWN)] {
        let plain = lender(&from, &from.own_axes(), &from.own_axes(), false);
        let expected = borrowed(&plain, &to.upright());
        for round in 0..10 {
            let (lent, axes) = (from.any_axes(&mut random), to.any_axes(&mut random));
            let lent = lender(&from, &lent, &from.own_axes(), false);
            let found = borrowed(&lent, &to.model(&axes, &to.own_axes(), false));
            let worst = difference(&expected, &found);
            assert!(worst < 1e-3 * to.leg, "round {round}: {worst}");
        }
    }
}

#[test]
fn the_rest_pose_of_skinned_bodies_changes_nothing() {
    let mut random = Random::new(3);
    for (from, to) in [(GROWN, SMALL), (SMALL, GROWN)] {
        let plain = lender(&from, &from.own_axes(), &from.own_axes(), false);
        let expected = borrowed(&plain, &to.upright());
        for round in 0..10 {
            let any = |build: &Build, random: &mut Random| {
                let mut rest = build.any_axes(random);
                rest[0] = Quat::IDENTITY;
                rest
            };
            let (axes, rest) = (from.any_axes(&mut random), any(&from, &mut random));
            let lent = lender(&from, &axes, &rest, true);
            let (axes, rest) = (to.any_axes(&mut random), any(&to, &mut random));
            let found = borrowed(&lent, &to.model(&axes, &rest, true));
            let worst = difference(&expected, &found);
            assert!(worst < 1e-3 * to.leg, "round {round}: {worst}");
        }
    }
}

/// Returns the rotations of a rest pose with arms below the horizontal, elbows bent forward, and legs apart.
fn resting(build: &Build, arms: f32, elbows: f32, legs: f32) -> Vec<Quat> {
    let turn = |name: &str| {
        let side = if name.starts_with("Left") { 1.0 } else { -1.0 };
        let arm = Quat::from_rotation_z(-side * arms);
        match name.trim_start_matches("Left").trim_start_matches("Right") {
            "UpperArm" => arm,
            "LowerArm" | "Hand" => arm * Quat::from_rotation_y(-side * elbows),
            "UpperLeg" | "LowerLeg" => Quat::from_rotation_z(side * legs),
            part if part.ends_with(['1', '2']) && !part.starts_with("Spine") => {
                arm * Quat::from_rotation_y(-side * elbows)
            }
            _ => Quat::IDENTITY,
        }
    };
    build.joints().iter().map(|joint| turn(&joint.name)).collect()
}

#[test]
fn arms_and_legs_may_rest_anywhere() {
    for (from, to) in [(GROWN, SMALL), (SMALL, GROWN)] {
        let plain = lender(&from, &from.own_axes(), &from.own_axes(), false);
        let expected = borrowed(&plain, &to.upright());
        for (arms, elbows, legs) in [(0.8, 0.0, 0.0), (1.5, 0.0, 0.0), (0.3, 1.2, 0.0), (0.0, 0.4, 0.3)] {
            let lent = lender(&from, &from.own_axes(), &resting(&from, arms, elbows, legs), false);
            let worst = difference(&expected, &borrowed(&lent, &to.upright()));
            // Legs apart shift the middle of the ankles' height a little.
            let allowed = if legs > 0.0 { 0.05 } else { 1e-3 };
            assert!(worst < allowed * to.leg, "from {arms} {elbows} {legs}: {worst}");
            let rest = resting(&to, arms, elbows, legs);
            let worst = difference(&expected, &borrowed(&plain, &to.model(&to.own_axes(), &rest, false)));
            assert!(worst < allowed * to.leg, "to {arms} {elbows} {legs}: {worst}");
        }
    }
}

#[test]
fn limbs_have_the_directions_that_they_have_in_the_other_body() {
    for (from, to) in [(GROWN, SMALL), (SMALL, GROWN)] {
        let lent = lender(&from, &from.own_axes(), &from.own_axes(), false);
        let own = Shown::new((**lent.model()).clone());
        let found = borrowed(&lent, &to.upright());
        for time in TIMES {
            let (a, b) = (own.pose(0, time), found.pose(0, time));
            for side in Side::BOTH {
                for (start, end, most) in [
                    (Part::UpperArm, Part::LowerArm, 0.1),
                    (Part::LowerArm, Part::Hand, 0.1),
                    // Legs give way to the ground.
                    (Part::UpperLeg, Part::LowerLeg, 20.0),
                    (Part::LowerLeg, Part::Foot, 30.0),
                ] {
                    let (start, end) = (Role::of(side, start), Role::of(side, end));
                    let way = |posed: &crate::support::bodies::Posed| {
                        (posed.place(end).unwrap() - posed.place(start).unwrap()).normalize()
                    };
                    let angle = way(&a).angle_between(way(&b)).to_degrees();
                    assert!(angle < most, "{} at {time}: {angle}°", start.name());
                }
            }
        }
    }
}

#[test]
fn hips_move_in_proportion_to_the_legs() {
    let lent = lender(&GROWN, &GROWN.own_axes(), &GROWN.own_axes(), false);
    let found = borrowed(&lent, &SMALL.upright());
    let way = found.pose(0, 1.0).place(Role::HIPS).unwrap() - found.pose(0, 0.0).place(Role::HIPS).unwrap();
    let scale = SMALL.leg / GROWN.leg;
    assert!((way.z - scale).abs() < 1e-3 && (way.x - 0.1 * scale).abs() < 1e-3, "{way}");
}

/// Returns the turn of the thighs and shins of a walk of straight steps, with the left foot planted up to the middle.
pub(crate) fn walk(joint: &str, time: f32) -> Quat {
    let swing = |time: f32| {
        // Angle of the thigh forward and bend of the knee.
        if time < 0.5 {
            (0.35 - 1.4 * time, 0.0)
        } else {
            (-0.35 + 1.4 * (time - 0.5), 1.2 * (1.0 - (4.0 * time - 3.0).abs()))
        }
    };
    let (side, later) = if joint.starts_with("Left") { (1.0, 0.0) } else { (-1.0, 0.5) };
    let (thigh, knee) = swing((time + later) % 1.0);
    let arm = Quat::from_rotation_z(-side * 1.4);
    match joint.trim_start_matches("Left").trim_start_matches("Right") {
        "UpperLeg" => Quat::from_rotation_x(-thigh),
        "LowerLeg" => Quat::from_rotation_x(knee - thigh),
        "UpperArm" | "LowerArm" | "Hand" => arm,
        part if joint.contains(part)
            && side != 0.0
            && part.ends_with(['1', '2'])
            && !part.starts_with("Spine") =>
        {
            arm
        }
        _ => Quat::IDENTITY,
    }
}

#[test]
fn planted_feet_stay_on_the_ground_and_do_not_slide() {
    // The hips follow the planted foot, so that it stands still.
    let hips = |time: f32| {
        let (leg, ankle) = (GROWN.leg, GROWN.ankle);
        let half = (time * 2.0).floor().min(1.0);
        let thigh = 0.35 - 1.4 * (time - half * 0.5);
        let step = 2.0 * leg * 0.35_f32.sin();
        let forward = half * step + leg * (0.35_f32.sin() - thigh.sin());
        Vec3::new(0.0, ankle + leg * thigh.cos() + 0.05, forward)
    };
    let clip = GROWN.clip(&GROWN.own_axes(), 1.0, &walk, &hips);
    let from = Rig::new(Arc::new(Model { clips: vec![clip], ..GROWN.upright() }));
    let own = Shown::new((**from.model()).clone());
    let foot = Role::of(Side::Left, Part::Foot);
    for to in [
        SMALL,
        Build { hip_width: 0.5, ..GROWN },
        Build { loose_feet: true, ..SMALL },
        Build { ankle: 0.02, leg: 2.0, ..GROWN },
    ] {
        let found = borrowed(&from, &to.upright());
        let (start, lent) =
            (found.pose(0, 0.05).place(foot).unwrap(), own.pose(0, 0.05).place(foot).unwrap());
        for time in [0.1, 0.2, 0.3, 0.4, 0.45] {
            assert!(
                own.pose(0, time).place(foot).unwrap().distance(lent) < 2e-3,
                "the foot stands in the clip"
            );
            let place = found.pose(0, time).place(foot).unwrap();
            assert!((place.y - to.ankle).abs() < 0.01 * to.leg, "{to:?} at {time}: {place}");
            assert!(
                place.distance(start) < 0.02 * to.leg,
                "{to:?} at {time}: {} from {start}",
                place - start
            );
        }
        // Knees bend forward.
        for time in TIMES {
            let posed = found.pose(0, time);
            let at = |part| posed.place(Role::of(Side::Right, part)).unwrap();
            let middle = (at(Part::UpperLeg) + at(Part::Foot)) / 2.0;
            assert!(at(Part::LowerLeg).z > middle.z - 0.02 * to.leg, "{to:?} at {time}");
        }
    }
}

#[test]
fn hips_sink_for_feet_that_only_longer_legs_reach() {
    // The left leg is stretched, so that its foot stands before the right one.
    const STRETCH: f32 = 1.12;
    let ahead = (1.0 / STRETCH).acos();
    let lunge = |joint: &str, _: f32| match joint {
        "LeftUpperLeg" | "LeftLowerLeg" => Quat::from_rotation_x(-ahead),
        _ => Quat::IDENTITY,
    };
    let hips = |_: f32| Vec3::Y * (GROWN.leg + GROWN.ankle + 0.05);
    let mut clip = GROWN.clip(&GROWN.own_axes(), 1.0, &lunge, &hips);
    let stretched = TrackValues::Translation(vec![Vec3::NEG_Y * (GROWN.leg / 2.0 * STRETCH); 2]);
    for (index, joint) in GROWN.joints().iter().enumerate() {
        if ["LeftLowerLeg", "LeftFoot"].contains(&&*joint.name) {
            clip.tracks.push(track(index, Interpolation::Linear, &[0.0, 1.0], stretched.clone()));
        }
    }
    let from = Rig::new(Arc::new(Model { clips: vec![clip], ..GROWN.upright() }));
    let own = Shown::new((**from.model()).clone());
    let height = |shown: &Shown, side| shown.pose(0, 0.5).place(Role::of(side, Part::Foot)).unwrap().y;
    for to in [GROWN, SMALL] {
        let found = borrowed(&from, &to.upright());
        for side in Side::BOTH {
            assert!((height(&own, side) - GROWN.ankle).abs() < 1e-3, "the feet stand in the clip");
            let lifted = (height(&found, side) - to.ankle) / to.leg;
            assert!(lifted.abs() < 0.01, "{to:?}: the {side:?} foot is {lifted} above the ground");
        }
    }
}

#[test]
fn clapping_hands_meet() {
    // Arms forward, and elbows bent until the hands are a twentieth of the shoulders' width from each other.
    let clap = |joint: &str, _: f32| {
        let side = if joint.starts_with("Left") { 1.0 } else { -1.0 };
        let arm = Quat::from_rotation_y(-side * 1.35);
        let inward = Quat::from_rotation_y(-side * (1.35 + 1.2));
        match joint.trim_start_matches("Left").trim_start_matches("Right") {
            "UpperArm" => arm,
            "LowerArm" | "Hand" => inward,
            part if joint != part && part.ends_with(['1', '2']) => inward,
            _ => Quat::IDENTITY,
        }
    };
    let build = Build { has_fingers: false, ..GROWN };
    let hips = |_: f32| Vec3::Y * (build.leg + build.ankle + 0.05);
    let clip = build.clip(&build.own_axes(), 1.0, &clap, &hips);
    let from = Rig::new(Arc::new(Model { clips: vec![clip], ..build.upright() }));
    let apart = |shown: &Shown, width: f32| {
        let posed = shown.pose(0, 0.5);
        let [left, right] = Side::BOTH.map(|side| posed.place(Role::of(side, Part::Hand)).unwrap());
        (left.distance(right) / width, left.x > right.x)
    };
    let (lent, _) = apart(&Shown::new((**from.model()).clone()), build.shoulder_width);
    assert!(lent < 0.25, "{lent}");
    for (arm, shoulder_width) in [(0.55, 0.36), (0.45, 0.45), (0.7, 0.3), (0.9, 0.5)] {
        let to = Build { arm, shoulder_width, ..SMALL };
        let (found, _) = apart(&borrowed(&from, &to.upright()), shoulder_width);
        assert!(
            (found - lent).abs() < 0.02,
            "arms of {arm}, shoulders of {shoulder_width}: {found}, not {lent}"
        );
    }
}

#[test]
fn spines_of_any_number_of_joints_turn_alike() {
    let lent = lender(&GROWN, &GROWN.own_axes(), &GROWN.own_axes(), false);
    let own = Shown::new((**lent.model()).clone());
    for spine_joints in 0..7 {
        let to = Build { spine_joints, ..GROWN };
        let found = borrowed(&lent, &to.upright());
        for time in TIMES {
            let (a, b) = (own.pose(0, time), found.pose(0, time));
            let node = |shown: &Shown, role| shown.roles.node(role).unwrap().get();
            for role in [Role::HIPS, Role::HEAD, Role::of(Side::Left, Part::Shoulder)] {
                let [a, b] = [a.transform(node(&own, role)), b.transform(node(&found, role))]
                    .map(|transform| transform.to_scale_rotation_translation().1);
                assert!(a.dot(b).abs() > 1.0 - 1e-5, "{spine_joints}: {} at {time}", role.name());
            }
        }
    }
}

#[test]
fn feet_that_hang_from_the_root_follow_the_legs() {
    let lent = lender(&GROWN, &GROWN.own_axes(), &GROWN.own_axes(), false);
    let [whole, loose] =
        [SMALL, Build { loose_feet: true, ..SMALL }].map(|to| borrowed(&lent, &to.upright()));
    // Between keys, loose feet move straight and the others in arcs.
    let worst = difference(&whole, &loose);
    assert!(worst < 4e-3 * SMALL.leg, "{worst}");
}

#[test]
fn the_map_tells_pairs_and_reasons_and_can_be_changed() {
    let lent = lender(&GROWN, &GROWN.own_axes(), &GROWN.own_axes(), false);
    let to = Rig::new(Arc::new(SMALL.upright()));
    let made = retarget(&lent, &to, &RetargetOptions::default()).unwrap();
    let pair =
        |map: &[gambol::animation::RolePair], role| *map.iter().find(|pair| pair.role == role).unwrap();
    let hand = Role::of(Side::Left, Part::Hand);
    let found = pair(&made.map, hand);
    let named = |rig: &Rig, node: Option<NodeIndex>| node.map(|node| rig.model().node(node).name.clone());
    assert_eq!(named(&lent, found.from).as_deref(), Some("LeftHand"));
    assert_eq!(named(&to, found.to).as_deref(), Some("LeftHand"));
    assert_eq!((found.confidence, found.reason), (1.0, RoleReason::Name));
    assert_eq!(pair(&made.map, Role::of(Side::Left, Part::Shoulder)).to, None);

    // Left and right exchanged.
    let nodes = |rig: &Rig, part: Part| {
        Side::BOTH.map(|side| rig.model().find_node(&format!("{side:?}{part:?}")).unwrap())
    };
    let parts = [Part::UpperArm, Part::LowerArm, Part::Hand];
    let crossed = parts.map(|part| {
        let ([left, right], [to_left, to_right]) = (nodes(&lent, part), nodes(&to, part));
        [(left, to_right), (right, to_left)]
    });
    let options = RetargetOptions { pairs: crossed.as_flattened().to_vec(), ..RetargetOptions::default() };
    let made = retarget(&lent, &to, &options).unwrap();
    let found = pair(&made.map, hand);
    assert_eq!((named(&to, found.to).as_deref(), found.reason), (Some("RightHand"), RoleReason::Given));
}

#[test]
fn tails_and_other_nodes_turn_with_those_that_they_are_paired_with() {
    let tailed = |build: &Build, name: &str| {
        let mut model = build.upright();
        let hips = model.find_node("Hips").unwrap();
        let index = model.nodes.len();
        let made = crate::support::made_model::node(Some(hips.get()), Default::default(), index);
        model.nodes.push(Node { name: name.into(), ..made });
        model.node_from_source.push(NodeIndex::new(index));
        model
    };
    let mut from = tailed(&GROWN, "Tail");
    let mut clip = GROWN.clip(&GROWN.own_axes(), 1.0, &|_, _| Quat::IDENTITY, &|_| Vec3::Y);
    let turn = Quat::from_rotation_x(1.0);
    let tail = from.nodes.len() - 1;
    clip.tracks.push(track(tail, Interpolation::Linear, &[0.0], TrackValues::Rotation(vec![turn])));
    from.clips.push(clip);
    let to = tailed(&SMALL, "Cauda");
    let pairs = vec![(NodeIndex::new(tail), NodeIndex::new(to.nodes.len() - 1))];
    let to = Shown::new(to);
    let options = RetargetOptions { pairs, ..RetargetOptions::default() };
    let found = to.with(retarget(&Rig::new(Arc::new(from)), &to.rig, &options).unwrap().clips);
    let rotation =
        found.pose(0, 0.5).transform(to.rig.model().nodes.len() - 1).to_scale_rotation_translation().1;
    assert!(rotation.dot(turn).abs() > 1.0 - 1e-6, "{rotation}");
}

#[test]
fn what_is_no_body_is_refused() {
    let body = Rig::new(Arc::new(GROWN.upright()));
    let cube = Rig::new(Arc::new(Model {
        nodes: vec![crate::support::made_model::node(None, Default::default(), 0)],
        ..Model::default()
    }));
    let refused = |from: &Rig, to: &Rig| retarget(from, to, &RetargetOptions::default()).unwrap_err();
    assert_eq!(refused(&cube, &body).whose, Party::Lender);
    let NotHumanoid { whose, missing } = refused(&body, &cube);
    assert_eq!((whose, missing.len()), (Party::Borrower, 9));

    // On all fours: the body lies forward, and its arms and legs point down.
    let mut beast = GROWN.upright();
    for (name, turn) in [("Hips", 1.5), ("LeftUpperLeg", -1.5), ("RightUpperLeg", -1.5)] {
        let node = beast.find_node(name).unwrap();
        beast.nodes[node.get()].rest.rotation = Quat::from_rotation_x(turn);
    }
    let beast = Rig::new(Arc::new(beast));
    assert_eq!(refused(&beast, &body), NotHumanoid { whose: Party::Lender, missing: Vec::new() });
    let options = RetargetOptions { only_given: true, ..RetargetOptions::default() };
    assert_eq!(retarget(&body, &body, &options).unwrap_err().missing.len(), 9);
}

#[test]
fn any_map_of_any_model_gives_sound_clips() {
    let mut made = 0;
    for seed in 0..400 {
        let mut random = Random::new(seed);
        let models = [any_model(&mut random), any_model(&mut random)];
        let [from, to] = models.map(|model| Rig::new(Arc::new(model)));
        let mut roles = |rig: &Rig| -> Vec<(Role, NodeIndex)> {
            let count = rig.model().nodes.len();
            let any = |role| (role, NodeIndex::new(random.below(count + 1)));
            Role::all().map(any).filter(|(_, node)| node.get() % 20 > 0).collect()
        };
        let (given_from, given_to) = (roles(&from), roles(&to));
        let pairs =
            (0..3).map(|_| (NodeIndex::new(random.below(40)), NodeIndex::new(random.below(40)))).collect();
        let only_given = random.chance(80);
        let options = RetargetOptions { from: given_from, to: given_to, pairs, only_given };
        let Ok(borrowed) = retarget(&from, &to, &options) else { continue };
        made += 1;
        let sound = |clip: &Clip| {
            clip.tracks.iter().all(|track| match &track.values {
                TrackValues::Translation(values) => values.iter().all(|value| value.is_finite()),
                TrackValues::Rotation(values) => {
                    values.iter().all(|value| (value.length() - 1.0).abs() < 1e-3)
                }
                _ => false,
            })
        };
        assert!(borrowed.clips.iter().all(sound), "seed {seed}");
        let model = Model { clips: borrowed.clips, properties: Vec::new(), ..(**to.model()).clone() };
        let violations = gambol::model::check::check(&model);
        let of_clips: Vec<_> = violations.iter().filter(|found| found.place.starts_with("clips")).collect();
        assert!(of_clips.is_empty(), "seed {seed}: {of_clips:?}");
    }
    assert!(made > 20, "{made}");
}
