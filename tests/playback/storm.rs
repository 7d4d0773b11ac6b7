//! Random sequences of calls: nothing panics, poses stay finite, and each run ends at most once.

use crate::support::made_model::{Random, any_model};
use gambol::animation::{ChainOptions, ChainSolver, GazeJoint, JointLimit, MaskEntry, RagdollOptions, Rig};
use gambol::import::ImportReport;
use gambol::model::{ClipIndex, NodeIndex};
use gambol::playback::{
    Crossing, Easing, Ending, EventKind, FinishReason, LayerIndex, LayerMode, LayerOptions, Looping, Marker,
    PlayOptions, Reference, RootMotion, Run, SyncGroup,
};
use gambol::player::{Clock, ConstraintOptions, Crowd, NodeOverride, Player, RelativeTo};
use glam::{Quat, Vec3};
use std::collections::HashMap;
use std::num::NonZeroU32;
use std::sync::Arc;

/// Returns a number as a page may pass it: mostly sensible, sometimes not.
fn number(random: &mut Random) -> f64 {
    match random.below(24) {
        0 => f64::NAN,
        1 => f64::INFINITY,
        2 => 1e12,
        3 => -1e12,
        4 => 1e-12,
        5 | 6 => 0.0,
        7..10 => f64::from(random.between(-3.0, 0.0)),
        _ => f64::from(random.between(0.0, 3.0)),
    }
}

fn options(random: &mut Random) -> PlayOptions {
    let easings = [Easing::Linear, Easing::Smooth, Easing::In, Easing::Out];
    PlayOptions {
        looping: Looping { passes: NonZeroU32::new(random.below(4) as u32), bounce: random.chance(30) },
        fade_secs: number(random),
        easing: easings[random.below(4)],
        crossing: [Crossing::Fade, Crossing::Inertia, Crossing::DeadBlending][random.below(3)],
        speed: if random.chance(50) { 1.0 } else { number(random) },
        start_secs: if random.chance(70) { 0.0 } else { number(random) },
        phase: if random.chance(70) { 0.0 } else { number(random) },
        ending: if random.chance(30) { Ending::Release(number(random)) } else { Ending::Hold },
        sync: random.chance(40).then(|| SyncGroup::named(["feet", "hands"][random.below(2)])),
        run: random.chance(30).then(|| Run(Run::FIRST_GIVEN + random.below(1000) as u32)),
    }
}

fn motion(random: &mut Random, depth: usize) -> String {
    let children = |random: &mut Random, key: &dyn Fn(&mut Random, usize) -> String| {
        let count = 1 + random.below(3);
        let children: Vec<String> = (0..count)
            .map(|nth| format!("{{{},{}", key(random, nth), &motion(random, depth + 1)[1..]))
            .collect();
        children.join(",")
    };
    let in_phase = random.chance(50);
    match random.below(if depth < 3 { 6 } else { 3 }) {
        3 => {
            let motions = children(random, &|_, nth| format!("\"at\":{nth}"));
            format!("{{\"along\":\"p\",\"motions\":[{motions}],\"inPhase\":{in_phase}}}")
        }
        4 => {
            let motions =
                children(random, &|random, nth| format!("\"at\":[{nth},{}]", random.between(-1.0, 1.0)));
            format!("{{\"across\":[\"p\",\"q\"],\"motions\":[{motions}],\"inPhase\":{in_phase}}}")
        }
        5 => {
            let motions = children(random, &|random, _| match random.chance(50) {
                true => "\"weight\":\"q\"".to_owned(),
                false => format!("\"weight\":{}", random.between(0.0, 2.0)),
            });
            format!("{{\"mix\":[{motions}],\"inPhase\":{in_phase}}}")
        }
        _ => {
            // Every model has two clips; a third one is refused.
            let clip = if random.chance(3) { 2 } else { random.below(2) };
            format!("{{\"clip\":{clip},\"speed\":{}}}", random.between(-1.0, 2.0))
        }
    }
}

fn controller(random: &mut Random) -> String {
    let layer = |random: &mut Random, name: &str| {
        let states: Vec<String> = (0..3)
            .map(|state| format!("\"S{state}\":{}", motion(random, 1)))
            .chain(["\"None\":null".into()])
            .collect();
        let transitions: Vec<String> = (0..4)
            .map(|_| {
                let (from, to) = (random.below(3), random.below(3));
                let rule = ["none", "target", "source", "either"][random.below(4)];
                format!(
                    "{{\"from\":\"S{from}\",\"to\":\"S{to}\",\"when\":{{\"go\":true}},\"exit\":{},\
                    \"fade\":{},\"interrupt\":\"{rule}\",\"keepPhase\":{}}}",
                    random.between(0.0, 2.0),
                    random.between(0.0, 0.5),
                    random.chance(50),
                )
            })
            .collect();
        let (states, transitions) = (states.join(","), transitions.join(","));
        format!(
            "{{\"name\":\"{name}\",\"start\":\"S0\",\"states\":{{{states}}},\"transitions\":[{transitions}]}}"
        )
    };
    let layers = [layer(random, "base"), layer(random, "over")].join(",");
    format!("{{\"parameters\":{{\"p\":0.5,\"q\":1,\"go\":\"trigger\"}},\"layers\":[{layers}]}}")
}

/// Makes one random call. A refusal is a valid outcome.
fn ask(player: &mut Player, random: &mut Random) {
    let nodes = player.model().map_or(0, |model| model.nodes.len());
    let clip = ClipIndex::new(random.below(4));
    let node = NodeIndex::new(random.below(nodes + 1));
    let layer = LayerIndex(random.below(3) as u32);
    let refused = match random.below(39) {
        0..3 => player.play(clip, &options(random)).is_err(),
        3..6 => {
            let source = player.read_source(&motion(random, 0));
            source.is_ok_and(|source| player.play_in(layer, &source, &options(random)).is_err())
        }
        6 => {
            let mask = (0..random.below(3))
                .map(|_| MaskEntry { node, weight: random.between(-0.2, 1.2), subtree: random.chance(50) })
                .collect();
            let modes = [
                LayerMode::Override,
                LayerMode::Add(Reference::FirstFrame),
                LayerMode::Add(Reference::Rest),
                LayerMode::Add(Reference::Pose { clip, time_secs: number(random) }),
            ];
            let options =
                LayerOptions { mode: modes[random.below(4)], weight: random.between(0.0, 1.1), mask };
            player.set_layer(["base", "over", "third"][random.below(3)], &options).is_err()
        }
        7 => player.remove_layer(layer).is_err(),
        8 => player.stop_layer(layer, number(random)).is_err(),
        9 => player.fade_layer(layer, random.between(-0.1, 1.1), number(random), Easing::Smooth).is_err(),
        10 => player.seek_layer(layer, number(random)).is_err(),
        11 => player.set_controller(random.chance(80).then(|| controller(random)).as_deref()).is_err(),
        12 => player.set_parameter(["p", "q", "go"][random.below(3)], number(random) as f32).is_err(),
        13 => {
            let markers =
                (0..random.below(4)).map(|_| Marker { name: "m".into(), time_secs: number(random) });
            let markers = markers.collect();
            player.set_markers(clip, markers).is_err()
        }
        14 => {
            let beats = (0..random.below(3)).map(|_| number(random)).collect();
            player.set_beats(clip, beats).is_err()
        }
        15 => {
            let kinds = [RootMotion::Keep, RootMotion::Pin, RootMotion::Extract];
            player.set_root_motion(clip, kinds[random.below(3)]).is_err()
        }
        16 => {
            let relations = [RelativeTo::Rest, RelativeTo::Pose, RelativeTo::Parent];
            let node_override = NodeOverride {
                relative_to: relations[random.below(3)],
                translation: random.chance(50).then(|| Vec3::splat(number(random) as f32)),
                rotation: random.chance(50).then(|| Quat::from_xyzw(number(random) as f32, 0.0, 0.0, 1.0)),
                scale: random.chance(30).then(|| random.scale()),
                weight: random.between(-0.1, 1.1),
            };
            player.set_node(node, &node_override).is_err()
        }
        17 => {
            let target = random.chance(70).then(|| random.vec3(3.0));
            let smoothing_secs = random.chance(50).then(|| number(random) as f32);
            player.look_at(node, target, None, Some(number(random) as f32), 1.0, smoothing_secs).is_err()
        }
        18 => player.reach(node, Some(random.vec3(3.0)), Some(random.vec3(3.0)), 0.7).is_err(),
        19 => {
            let crowd = Crowd { phases: vec![0.3; 3], ..Crowd::default() };
            player.crowd(if random.chance(50) { 3 } else { 1 }, &crowd).is_err()
        }
        20 => player.set_playback_rate(number(random)).is_err(),
        21 => {
            let fixed = Clock::Fixed { step_secs: number(random), left_secs: 0.0 };
            player.set_clock(if random.chance(50) { Clock::Free } else { fixed }).is_err()
        }
        22 => player.seek(number(random)).is_err(),
        23 => {
            player.pause();
            false
        }
        24 => {
            player.resume();
            false
        }
        25..30 => constrain(player, random, node),
        30 => player.set_wind(Vec3::splat(number(random) as f32)).is_err(),
        31 => player.fade_springs(random.between(-0.1, 1.1), number(random)).is_err(),
        32 => {
            let names = ["node 0", "node 1", "node 2", "node 40"];
            let (root, head) = (names[random.below(4)], names[random.below(3)]);
            let json = format!(
                r#"{{ "springs": [{{ "root": "{root}", "gravity": [0, -1, 0], "radius": 0.1 }}],
                "colliders": {{ "a": {{ "node": "{head}", "radius": {} }} }} }}"#,
                random.between(0.0, 2.0)
            );
            player.read_springs(&json).and_then(|springs| player.set_springs(Some(&springs))).is_err()
        }
        33 => player.set_springs(None).and_then(|()| player.reset_springs()).is_err(),
        34 => {
            let mask =
                vec![MaskEntry { node, weight: random.between(-0.1, 1.1), subtree: random.chance(50) }];
            let mask = if random.chance(50) { mask } else { Vec::new() };
            let ground_height = random.chance(80).then(|| number(random) as f32);
            let options = RagdollOptions { mask, ground_height, ..RagdollOptions::default() };
            player.start_ragdoll(&options).is_err()
        }
        35 => player.push_ragdoll(node, Vec3::splat(number(random) as f32)).is_err(),
        36 => player.fade_ragdoll(random.between(-0.1, 1.1), number(random)).is_err(),
        _ => {
            player.stop();
            false
        }
    };
    // The outcome doesn't matter here; the call must return.
    std::hint::black_box(refused);
}

/// Makes one random call about constraints. Returns whether it was refused.
fn constrain(player: &mut Player, random: &mut Random, node: NodeIndex) -> bool {
    let name = ["one", "two", "three"][random.below(3)];
    let other = NodeIndex::new(random.below(node.get() + 1));
    let options = ConstraintOptions {
        weight: random.between(-0.1, 1.1),
        fade_secs: number(random),
        smoothing_secs: if random.chance(50) { 0.0 } else { number(random) as f32 },
    };
    let target = random.chance(80).then(|| random.vec3(3.0) * if random.chance(5) { 1e9 } else { 1.0 });
    match random.below(10) {
        0..3 => {
            let solvers =
                [ChainSolver::CyclicDescent, ChainSolver::ForwardBackward, ChainSolver::LeastSquares];
            let limit = JointLimit {
                axis: random.vec3(1.0),
                swing_radians: number(random) as f32,
                twist_radians: [-number(random) as f32, number(random) as f32],
            };
            let chain = ChainOptions {
                solver: solvers[random.below(3)],
                limits: if random.chance(50) { vec![(other, limit)] } else { Vec::new() },
                ..ChainOptions::new(other, node)
            };
            player.set_chain(name, &chain, &options).is_err()
        }
        3 | 4 => player.set_goal(name, node, target, random.between(0.0, 1.1)).is_err(),
        5 => {
            let part = |node| GazeJoint {
                limit_radians: Some(random.between(-0.1, 3.0)),
                speed_radians_per_sec: Some(random.between(-0.1, 30.0)),
                ..GazeJoint::new(node, 0.5)
            };
            let parts = [node, other].map(part);
            player.set_gaze(name, &parts, &options).is_err() || player.set_gaze_target(name, target).is_err()
        }
        6 => player.set_feet(name, other, &[node], &options).is_err(),
        7 => player.set_ground(name, node, number(random) as f32, random.vec3(1.0)).is_err(),
        8 => player.fade_constraint(name, random.between(-0.1, 1.1), number(random), Easing::Linear).is_err(),
        _ => player.remove_constraint(name, number(random)).is_err(),
    }
}

fn storm(seed: u64) {
    let random = &mut Random::new(seed);
    let mut player = Player::new();
    player.show(Arc::new(Rig::new(Arc::new(any_model(random)))), ImportReport::default());
    let mut ends = HashMap::<(u32, Run), usize>::new();
    for _ in 0..60 {
        for _ in 0..1 + random.below(3) {
            ask(&mut player, random);
        }
        let step_secs = match random.below(12) {
            0 => 1e7,
            1 => -0.4,
            2 => 0.0,
            _ => f64::from(random.between(0.0, 0.3)),
        };
        player.advance(step_secs).expect("a finite step");
        player.take_travel(0).expect("there is a lead");
        for event in player.drain_events() {
            match event.kind {
                EventKind::Play { run, .. } => drop(ends.remove(&(event.layer.0, run))),
                EventKind::Finished { run, reason, .. } => {
                    let count = ends.entry((event.layer.0, run)).or_default();
                    // A run that has ended may be sought, and then ends again.
                    *count += usize::from(reason != FinishReason::Ended);
                    assert!(*count <= 1, "seed {seed}: {run:?} ended twice");
                }
                _ => {}
            }
        }
        player.pose();
        let matrices = player.world_matrices(0).expect("there is a lead");
        // Blends of huge scales may overflow; models of sensible size don't.
        let finite = matrices.iter().all(|matrix| matrix.is_finite());
        assert!(finite, "seed {seed}: a pose isn't finite");
    }
}

#[test]
fn whatever_a_page_asks_nothing_panics_and_poses_stay_finite() {
    (0..300).for_each(storm);
}
