//! Retargeting from and to the skeleton of Mixamo, with and without the node that Blender puts above it.

use crate::borrowing::{TIMES, borrowed, busy, walk};
use crate::support::bodies::{Build, GROWN, Posed, SMALL, Shown};
use crate::support::mixamo::{self, ANKLE, FORMS, LEG};
use gambol::animation::Rig;
use gambol::export::{ExportOptions, to_glb};
use gambol::import::{Resources, import};
use gambol::model::Model;
use gambol::model::humanoid::{Part, Role, Side};
use glam::{Quat, Vec3};
use std::fs;
use std::path::Path;
use std::sync::Arc;

fn rig(model: Model) -> Rig {
    Rig::new(Arc::new(model))
}

fn lent_by(build: &Build, motion: &dyn Fn(&str, f32) -> Quat, hips: &dyn Fn(f32) -> Vec3) -> Rig {
    let clip = build.clip(&build.own_axes(), 1.0, motion, hips);
    rig(Model { clips: vec![clip], ..build.upright() })
}

/// Hips of a body of [`Build`] that walks as [`walk`] does.
fn walking_hips(build: Build) -> impl Fn(f32) -> Vec3 {
    move |time| {
        let place = mixamo::walking_hips(time) - Vec3::Y * (ANKLE + 5.0);
        place * (build.leg / LEG) + Vec3::Y * (build.ankle + 0.05)
    }
}

fn place(posed: &Posed, side: Side, part: Part) -> Vec3 {
    posed.place(Role::of(side, part)).unwrap()
}

fn way(posed: &Posed, side: Side, [start, end]: [Part; 2]) -> Vec3 {
    (place(posed, side, end) - place(posed, side, start)).normalize()
}

const ARMS: [[Part; 2]; 2] = [[Part::UpperArm, Part::LowerArm], [Part::LowerArm, Part::Hand]];

#[test]
fn every_form_has_65_joints_and_the_same_rest_pose() {
    let [plain, others @ ..] =
        FORMS.map(|form| Shown::new(mixamo::moved(form, &|_, _| Quat::IDENTITY, &|_| Vec3::Y * 98.0)));
    assert_eq!(plain.rig.model().skins[0].joints.len(), 65);
    let found = Role::all().filter(|role| plain.roles.node(*role).is_some()).count();
    assert!(found >= 52, "{found}: 22 joints of the body and 15 of each hand");
    for (other, form) in others.iter().zip(&FORMS[1..]) {
        assert_eq!(other.rig.model().nodes.len(), 66);
        let (a, b) = (plain.pose(0, 0.5), other.pose(0, 0.5));
        for joint in 0..65 {
            let (a, b) = (a.transform(joint), b.transform(joint + 1));
            let apart = (a.translation - b.translation * 100.0).length();
            assert!(apart < 1e-3, "{form:?}: {apart}");
            assert!(a.matrix3.y_axis.angle_between(b.matrix3.y_axis) < 1e-3, "{form:?}");
            assert!(a.matrix3.z_axis.angle_between(b.matrix3.z_axis) < 1e-3, "{form:?}");
        }
    }
}

#[test]
fn every_form_borrows_the_same_pose() {
    let hips = |time: f32| Vec3::new(0.1 * time, GROWN.leg + GROWN.ankle + 0.05, time);
    let from = lent_by(&GROWN, &busy, &hips);
    let [plain, others @ ..] = FORMS.map(|form| borrowed(&from, &mixamo::body(form)));
    for (other, form) in others.iter().zip(&FORMS[1..]) {
        for time in TIMES {
            let (a, b) = (plain.pose(0, time), other.pose(0, time));
            for joint in 0..65 {
                let (a, b) = (a.transform(joint).translation, b.transform(joint + 1).translation * 100.0);
                assert!(a.distance(b) < 1e-3 * LEG, "{form:?} at {time}: joint {joint} by {}", a.distance(b));
            }
        }
    }
}

/// Checks a borrowed walk: the planted foot's height, the knees and the arms.
fn check_walk(from: &Shown, to: &Shown, leg: f32, ankle: f32, what: &str) {
    for time in [0.1, 0.2, 0.3, 0.4, 0.45] {
        let foot = place(&to.pose(0, time), Side::Left, Part::Foot);
        assert!((foot.y - ankle).abs() < 0.01 * leg, "{what} at {time}: {foot}");
    }
    for time in TIMES {
        let (a, b) = (from.pose(0, time), to.pose(0, time));
        for side in Side::BOTH {
            for arm in ARMS {
                let degrees = way(&a, side, arm).angle_between(way(&b, side, arm)).to_degrees();
                assert!(degrees < 1.0, "{what} at {time}: {degrees}°");
            }
            let at = |part| place(&b, side, part);
            let middle = (at(Part::UpperLeg) + at(Part::Foot)) / 2.0;
            assert!(at(Part::LowerLeg).z > middle.z - 0.02 * leg, "{what} at {time}");
        }
    }
}

#[test]
fn a_walk_goes_from_and_to_mixamo() {
    for form in FORMS {
        let meter = form.meter();
        let own = Shown::new(mixamo::moved(form, &walk, &mixamo::walking_hips));
        for build in [GROWN, SMALL] {
            let lent = lent_by(&build, &walk, &walking_hips(build));
            let lender = Shown::new((**lent.model()).clone());
            let found = borrowed(&lent, &mixamo::body(form));
            check_walk(&lender, &found, 0.01 * LEG * meter, 0.01 * ANKLE * meter, &format!("to {form:?}"));
            let found = borrowed(&own.rig, &build.upright());
            check_walk(&own, &found, build.leg, build.ankle, &format!("from {form:?}"));
        }
    }
}

/// Arms forward, and forearms inward until the hands meet.
fn clap(joint: &str, _: f32) -> Quat {
    let side = if joint.starts_with("Left") { 1.0 } else { -1.0 };
    match joint.trim_start_matches("Left").trim_start_matches("Right") {
        "UpperArm" => Quat::from_rotation_y(-side * 1.35),
        part if part == "LowerArm" || part == "Hand" => Quat::from_rotation_y(-side * 2.35),
        part if joint != part && part.ends_with(['1', '2']) => Quat::from_rotation_y(-side * 2.35),
        _ => Quat::IDENTITY,
    }
}

/// Returns the distance of the hands in widths of the shoulders.
fn hands_apart(shown: &Shown) -> f32 {
    let posed = shown.pose(0, 0.5);
    let [hands, shoulders] =
        [Part::Hand, Part::UpperArm].map(|part| Side::BOTH.map(|side| place(&posed, side, part)));
    assert!(hands[0].x > hands[1].x, "the hands pass through each other");
    hands[0].distance(hands[1]) / shoulders[0].distance(shoulders[1])
}

#[test]
fn clapping_hands_meet_on_mixamo_and_from_it() {
    let lent = lent_by(&GROWN, &clap, &|_| Vec3::Y * (GROWN.leg + GROWN.ankle + 0.05));
    for form in FORMS {
        let own = Shown::new(mixamo::moved(form, &clap, &|_| Vec3::Y * (ANKLE + LEG + 5.0)));
        let pairs = [
            (Shown::new((**lent.model()).clone()), borrowed(&lent, &mixamo::body(form))),
            (Shown::new((**own.rig.model()).clone()), borrowed(&own.rig, &SMALL.upright())),
        ];
        for (from, to) in pairs {
            let (from, to) = (hands_apart(&from), hands_apart(&to));
            assert!((from - to).abs() < 0.25, "{form:?}: {from} apart, then {to}");
        }
    }
}

/// Returns the lowest and the highest vertex.
fn heights(shown: &Shown, time: f32) -> [f32; 2] {
    let (model, posed) = (shown.rig.model(), shown.pose(0, time));
    let (skin, primitive) = (&model.skins[0], &model.meshes[0].primitives[0]);
    let joints = primitive.influences.joints.chunks(primitive.influences.per_vertex);
    let [mut low, mut high] = [f32::INFINITY, f32::NEG_INFINITY];
    for (place, joints) in primitive.positions.iter().zip(joints) {
        let joint = usize::from(joints[0]);
        let moved = posed.transform(skin.joints[joint].get()) * skin.joint_from_mesh[joint];
        let height = moved.transform_point3(*place).y;
        [low, high] = [low.min(height), high.max(height)];
    }
    [low, high]
}

/// The files stay in `target/tmp`, to look at.
#[test]
fn every_form_with_a_mesh_is_written_as_glb_and_read_back() {
    for (form, name) in FORMS.into_iter().zip(["plain", "armature", "armature_back"]) {
        let meter = form.meter();
        let made = mixamo::fleshed(form, mixamo::moved(form, &walk, &mixamo::walking_hips));
        let exported = to_glb(&made, &ExportOptions::default(), &mut |_| None);
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("mixamo_{name}.glb"));
        fs::write(path, &exported.glb).unwrap();
        let read = import(&exported.glb, &Resources::default()).unwrap().model;
        let (made, read) = (Shown::new(made), Shown::new(read));
        for time in TIMES {
            let [low, high] = heights(&read, time).map(|height| height / meter);
            assert!(
                (-0.02..0.02).contains(&low) && (1.7..1.9).contains(&high),
                "{name} at {time}: {low} to {high}"
            );
            for role in Role::all() {
                let apart = made.pose(0, time).place(role).zip(read.pose(0, time).place(role));
                assert!(
                    apart.is_none_or(|(made, read)| made.distance(read) < 1e-3 * meter),
                    "{name}: {role:?}"
                );
                assert_eq!(
                    made.roles.node(role).is_some(),
                    read.roles.node(role).is_some(),
                    "{name}: {role:?}"
                );
            }
        }
    }
}
