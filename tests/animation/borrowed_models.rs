//! Retargeting between real models, each to each: directions of limbs, bends, feet, hands and hips in numbers.

use crate::borrowing::walk;
use crate::support::bodies::{Posed, Shown};
use crate::support::{mixamo, real_models};
use gambol::animation::{RetargetOptions, retarget};
use gambol::import::{Resources, external_buffers, import};
use gambol::model::humanoid::{Part, Role, Side, bind_pose};
use gambol::model::{ClipIndex, Model, NodeIndex};
use glam::{Mat3, Quat, Vec3};
use std::fs;
use std::path::Path;

/// Bodies of different programs: joints without shoulders, feet that hang from the root, a hip that is a spine, names
/// in another file's table, and axes of every kind.
const BODIES: [&str; 8] = [
    "gltf/kaykit/Knight.glb",
    "gltf/robot-expressive/RobotExpressive.glb",
    "gltf/quaternius/platformer_game_pack_Character.glb",
    "gltf/khronos/CesiumMan/glTF-Binary/CesiumMan.glb",
    "vrm/Godette_vrm_v4.vrm",
    "iqm/mrfixit.iqm",
    "x/tiny/tiny.x",
    "dae/thinmatrix/model.dae",
];

/// Clips that are compared, of a model that has very many: standing, walking, jumping, sitting, lying, and held
/// weapons.
const CLIPS: [&str; 13] = [
    "Idle",
    "Walking_A",
    "Running_A",
    "Running_Strafe_Left",
    "Jump_Full_Long",
    "1H_Melee_Attack_Chop",
    "1H_Melee_Attack_Slice_Diagonal",
    "2H_Melee_Attack_Spin",
    "Unarmed_Melee_Attack_Kick",
    "Throw",
    "Cheer",
    "Sit_Floor_StandUp",
    "Lie_StandUp",
];

/// Seconds between the times that are compared.
const STEP_SECS: f32 = 1.0 / 24.0;

struct Body {
    name: &'static str,
    shown: Shown,
    /// From model space to one where the body looks along z.
    body_from_model: Quat,
    leg: f32,
    /// Height of the ankles in the bind pose.
    ankle: f32,
}

impl Body {
    fn load(folder: &Path, name: &'static str) -> Self {
        let bytes = fs::read(folder.join(name)).unwrap();
        let mut resources = Resources::default();
        for uri in external_buffers(&bytes).unwrap() {
            resources.insert(&uri, fs::read(folder.join(name).with_file_name(&uri)).unwrap());
        }
        Self::new(name, import(&bytes, &resources).unwrap().model)
    }

    fn new(name: &'static str, model: Model) -> Self {
        let bind = bind_pose(&model);
        let shown = Shown::new(model);
        let place = |side, part| {
            let node: NodeIndex = shown.roles.node(Role::of(side, part)).unwrap();
            Vec3::from(bind[node.get()].translation)
        };
        let across = place(Side::Left, Part::UpperLeg) - place(Side::Right, Part::UpperLeg);
        let left = Vec3::X * across.x.signum();
        let model_from_body = Quat::from_mat3(&Mat3::from_cols(left, Vec3::Y, left.cross(Vec3::Y)));
        let [hip, knee, foot] =
            [Part::UpperLeg, Part::LowerLeg, Part::Foot].map(|part| place(Side::Left, part));
        let (leg, ankle) = (hip.distance(knee) + knee.distance(foot), foot.y);
        Self { name, shown, body_from_model: model_from_body.inverse(), leg, ankle }
    }

    fn place(&self, posed: &Posed, side: Side, part: Part) -> Vec3 {
        self.body_from_model * posed.place(Role::of(side, part)).unwrap()
    }
}

/// The worst numbers of a pair of bodies.
#[derive(Debug, Default)]
struct Worst {
    arm_degrees: f32,
    leg_degrees: f32,
    /// Parts of legs, and those whose direction differs by more than 30°.
    legs: usize,
    far_legs: usize,
    bends: usize,
    wrong_bends: usize,
    contacts: usize,
    /// Height of planted ankles that differs, and their way from sample to sample, both in lengths of a leg.
    lifted: f32,
    lifted_in_all: f32,
    slid: f32,
    slid_in_all: f32,
    /// Way of the hips over the ground, in lengths of a leg.
    hips: f32,
    what: [String; 4],
}

fn compare(from: &Body, to: &Body) -> Worst {
    let made = retarget(&from.shown.rig, &to.shown.rig, &RetargetOptions::default()).unwrap();
    let count = made.clips.len();
    let shown = to.shown.with(made.clips);
    let mut worst = Worst::default();
    for clip in 0..count {
        let secs = shown.rig.clip(ClipIndex::new(clip)).duration_secs;
        let name = &shown.rig.clip(ClipIndex::new(clip)).name;
        if count > 20 && !CLIPS.contains(&&**name) {
            continue;
        }
        let times = (secs / STEP_SECS).ceil() as usize + 1;
        let mut before: Option<(Posed, Posed)> = None;
        for index in 0..times {
            let time = (index as f32 * STEP_SECS).min(secs);
            let (lent, borrowed) = (from.shown.pose(clip, time), shown.pose(clip, time));
            for node in 0..shown.rig.model().nodes.len() {
                assert!(borrowed.transform(node).is_finite(), "{name}");
            }
            for side in Side::BOTH {
                let limbs = [
                    [Part::UpperArm, Part::LowerArm, Part::Hand],
                    [Part::UpperLeg, Part::LowerLeg, Part::Foot],
                ];
                for (limb, parts) in limbs.into_iter().enumerate() {
                    let a = parts.map(|part| from.place(&lent, side, part));
                    let b = parts.map(|part| to.place(&borrowed, side, part));
                    let ways = |[first, second, third]: [Vec3; 3]| {
                        [(second - first).normalize_or_zero(), (third - second).normalize_or_zero()]
                    };
                    for (a, b) in ways(a).into_iter().zip(ways(b)) {
                        let degrees = a.angle_between(b).to_degrees();
                        let held = if limb == 0 { &mut worst.arm_degrees } else { &mut worst.leg_degrees };
                        worst.legs += limb;
                        worst.far_legs += if degrees > 30.0 { limb } else { 0 };
                        if degrees > *held {
                            *held = degrees;
                            worst.what[limb] = format!("{name} {time:.2}");
                        }
                    }
                    let bend = |ways: [Vec3; 2]| ways[0].cross(ways[1]);
                    let (a, b) = (bend(ways(a)), bend(ways(b)));
                    if a.length() > 0.3 && b.length() > 0.3 {
                        worst.bends += 1;
                        worst.wrong_bends += usize::from(a.dot(b) < 0.0);
                    }
                }
                let foot = |body: &Body, posed: &Posed| body.place(posed, side, Part::Foot);
                let (a, b) = (foot(from, &lent), foot(to, &borrowed));
                let is_planted = |place: Vec3| (place.y - from.ankle).abs() < 0.02 * from.leg;
                // Some bodies stretch their legs, which others can't.
                let is_stretched = a.distance(from.place(&lent, side, Part::UpperLeg)) > 1.01 * from.leg;
                if is_planted(a) && !is_stretched {
                    worst.contacts += 1;
                    let lifted = (b.y - to.ankle).abs() / to.leg;
                    worst.lifted_in_all += lifted;
                    if lifted > worst.lifted {
                        worst.lifted = lifted;
                        worst.what[2] = format!("{name} {time:.2}");
                    }
                    if let Some((lent, borrowed)) = &before
                        && is_planted(foot(from, lent))
                        // Feet that turn have another circle in another body.
                        && !name.contains("Spin")
                    {
                        let slid = (b - foot(to, borrowed)) / to.leg - (a - foot(from, lent)) / from.leg;
                        worst.slid_in_all += slid.with_y(0.0).length();
                        if slid.with_y(0.0).length() > worst.slid {
                            worst.slid = slid.with_y(0.0).length();
                            worst.what[3] = format!("{name} {time:.2}");
                        }
                    }
                }
            }
            if let Some((lent_before, borrowed_before)) = &before {
                let way = |body: &Body, now: &Posed, before: &Posed| {
                    let hips = |posed: &Posed| {
                        Side::BOTH
                            .map(|side| body.place(posed, side, Part::UpperLeg))
                            .into_iter()
                            .sum::<Vec3>()
                            / 2.0
                    };
                    (hips(now) - hips(before)).with_y(0.0) / body.leg
                };
                let apart = way(from, &lent, lent_before) - way(to, &borrowed, borrowed_before);
                worst.hips = worst.hips.max(apart.length());
            }
            before = Some((lent, borrowed));
        }
    }
    worst
}

#[test]
fn real_models_borrow_each_others_motion() {
    let Some(folder) = real_models::models() else { return };
    let mut bodies: Vec<_> = BODIES.iter().map(|name| Body::load(&folder, name)).collect();
    for (name, form) in ["plain Mixamo", "Mixamo with an armature"].into_iter().zip(mixamo::FORMS) {
        bodies.push(Body::new(name, mixamo::moved(form, &walk, &mixamo::walking_hips)));
    }
    let mut seen = 0;
    for from in bodies.iter().filter(|body| body.shown.rig.clip_count() > 0) {
        for to in bodies.iter().filter(|to| to.name != from.name) {
            let worst = compare(from, to);
            let pair = format!("{} -> {}: {worst:.3?}", from.name, to.name);
            // Arms turn further only to bring hands together that are near each other.
            assert!(worst.arm_degrees < 35.0, "{pair}");
            // Legs give way to the ground, most where a body lies or squats whose legs have other proportions.
            assert!(worst.far_legs * 50 <= worst.legs, "{pair}");
            assert_eq!(worst.wrong_bends, 0, "{pair}");
            // Planted feet of the other body are up to 0.02 above the ground.
            let contacts = worst.contacts.max(1) as f32;
            assert!(worst.lifted_in_all / contacts < 0.025 && worst.lifted < 0.13, "{pair}");
            assert!(worst.slid_in_all / contacts < 0.007 && worst.slid < 0.2, "{pair}");
            // Hips that turn quickly move straight between keys.
            assert!(worst.hips < 0.015, "{pair}");
            seen += 1;
        }
    }
    real_models::saw(seen);
}

#[test]
fn real_models_borrow_their_own_motion_unchanged() {
    let Some(folder) = real_models::models() else { return };
    let mut seen = 0;
    for body in BODIES.map(|name| Body::load(&folder, name)) {
        let rig = &body.shown.rig;
        let made = retarget(rig, rig, &RetargetOptions::default()).unwrap();
        let shown = body.shown.with(made.clips);
        for clip in 0..rig.clip_count() {
            let times: Vec<f32> =
                rig.clip(ClipIndex::new(clip)).times().flat_map(|times| times.to_vec()).collect();
            for &time in times.iter().step_by(1 + times.len() / 12) {
                let (own, borrowed) = (body.shown.pose(clip, time), shown.pose(clip, time));
                for role in Role::all() {
                    if let (Some(own), Some(borrowed)) = (own.place(role), borrowed.place(role)) {
                        let apart = own.distance(borrowed) / body.leg;
                        let name = &rig.clip(ClipIndex::new(clip)).name;
                        assert!(apart < 1e-4, "{}: {name} at {time}: {} by {apart}", body.name, role.name());
                    }
                }
            }
            seen += 1;
        }
    }
    real_models::saw(seen);
}
