//! Chains of joints: goals within and out of reach, several goals, tip rotations, weights, and hostile numbers.

use super::chain_arm::{Arm, REACHED, SOLVERS, goal, solver, within_reach};
use crate::support::made_model::{Random, at, bits, model, nodes, rig};
use gambol::animation::{Chain, ChainGoal, ChainOptions, JointLimit, LocalPose, MOST_GOALS, ModelPose, Rig};
use gambol::model::{NodeIndex, Srt};
use glam::{Affine3A, Quat, Vec3};
use std::sync::Arc;

#[test]
fn S82_chains_of_any_length_reach_every_point_within_reach_and_keep_their_lengths() {
    for solver_kind in SOLVERS {
        for seed in 0..400 {
            let random = &mut Random::new(seed);
            let joint_count = 2 + random.below(11);
            let mut arm = Arm::new(Arm::random(random, joint_count), solver(solver_kind));
            let (before, target) = (arm.lengths(), within_reach(&arm, random, 0.98));
            arm.reach_after(0.0, target);
            let error = arm.error(target);
            assert!(error < REACHED, "{solver_kind:?}, seed {seed}, {joint_count} joints: {error}");
            for (before, after) in before.iter().zip(arm.lengths()) {
                assert!((before - after).abs() < 1e-4 * before, "seed {seed}: {before} → {after}");
            }
            // The solver's own chain of matrices agrees with that of the whole rig.
            let mut resolved = ModelPose::new(&arm.rig);
            arm.rig.resolve_into(&arm.local, &mut resolved);
            assert_eq!(resolved, arm.model, "seed {seed}");
        }
    }
}

#[test]
fn out_of_reach_a_chain_points_at_its_goal() {
    for solver_kind in SOLVERS {
        for seed in 0..200 {
            let random = &mut Random::new(seed);
            let joint_count = 2 + random.below(11);
            let mut arm = Arm::new(Arm::random(random, joint_count), solver(solver_kind));
            let (root, length) = (arm.root(), arm.length());
            let ahead = random.vec3(1.0).normalize_or(Vec3::X);
            let away = length * random.between(1.01, 9.0);
            arm.reach_after(0.0, root + ahead * away);
            let error = arm.error(root + ahead * length);
            assert!(error < REACHED, "{solver_kind:?}, seed {seed}: {error}");

            // A chain with a part longer than the others together can't reach points near its root.
            let hole = arm.hole();
            if hole > 0.0 {
                arm.held.forget();
                arm.reach_after(0.0, root + ahead * hole * random.between(0.1, 0.99));
                let error = arm.error(root + ahead * hole);
                assert!(error < REACHED, "{solver_kind:?}, seed {seed}: {error}");
            }
        }
    }
}

#[test]
fn a_straight_chain_bends_to_a_goal_inside_it() {
    for solver_kind in SOLVERS {
        for joint_count in 2..=12 {
            let part = |index: usize| (index.checked_sub(1), Srt { translation: Vec3::Y, ..Srt::IDENTITY });
            let parts: Vec<_> = (0..joint_count + 2).map(part).collect();
            let mut arm = Arm::new(rig(model(nodes(&parts), Vec::new())), solver(solver_kind));
            let target = arm.root() + Vec3::Y * arm.length() * 0.6;
            arm.reach_after(0.0, target);
            let error = arm.error(target);
            assert!(error < REACHED, "{solver_kind:?}, {joint_count} joints: {error}");
        }
    }
}

#[test]
fn several_goals_of_one_chain_are_reached_together() {
    for solver_kind in SOLVERS {
        for seed in 0..200 {
            let random = &mut Random::new(seed);
            let joint_count = 6 + random.below(7);
            let mut posed = Arm::new(Arm::random(random, joint_count), solver(solver_kind));
            // Goals that a pose near the rest pose reaches.
            for node in 1..=joint_count {
                let mut srt = posed.local.srt(at(node));
                let turn = random.vec3(0.4);
                srt.rotation *= Quat::from_scaled_axis(turn);
                posed.local.set_srt(at(node), srt);
            }
            posed.rig.resolve_into(&posed.local, &mut posed.model);
            let middle = joint_count / 2 + 1;
            let goals = [middle, joint_count + 1].map(|node| goal(at(node), posed.place(node)));
            let mut arm = Arm::new(posed.rig, solver(solver_kind));
            arm.solve_after(0.0, &goals, None, 1.0);
            for goal in goals {
                let error = arm.place(goal.node.get()).distance(goal.target_in_model) / arm.length();
                assert!(error < REACHED, "{solver_kind:?}, seed {seed}, {:?}: {error}", goal.node);
            }
        }
    }
}

#[test]
fn of_two_goals_that_contradict_the_heavier_one_wins() {
    let random = &mut Random::new(1);
    let mut arm = Arm::new(Arm::random(random, 6), |_| ());
    let far = arm.length() * 0.9;
    let (left, right) = (arm.root() + Vec3::X * far, arm.root() - Vec3::X * far);
    for (weights, nearer) in [([1.0, 0.1], 0), ([0.1, 1.0], 1)] {
        arm.held.forget();
        let goals = [(at(5), left, weights[0]), (at(7), right, weights[1])];
        let goals = goals.map(|(node, target_in_model, weight)| ChainGoal { node, target_in_model, weight });
        arm.solve_after(0.0, &goals, None, 1.0);
        let errors = goals.map(|goal| arm.place(goal.node.get()).distance(goal.target_in_model));
        assert!(errors[nearer] < errors[1 - nearer], "{weights:?}: {errors:?}");
    }
}

#[test]
fn the_tip_takes_its_rotation_and_stays_at_its_goal() {
    for seed in 0..100 {
        let random = &mut Random::new(seed);
        let joint_count = 2 + random.below(11);
        let mut arm = Arm::new(Arm::random(random, joint_count), |_| ());
        let (target, wanted) = (within_reach(&arm, random, 0.9), random.rotation());
        arm.solve_after(0.0, &[goal(arm.tip(), target)], Some(wanted), 1.0);
        assert!(arm.error(target) < REACHED, "seed {seed}");
        let (_, rotation, _) = arm.model.model_from_node(arm.tip()).to_scale_rotation_translation();
        assert!(rotation.dot(wanted).abs() > 1.0 - 1e-5, "seed {seed}: {rotation} ≠ {wanted}");

        // Without goals, the other joints keep their animated rotations.
        arm.held.forget();
        arm.solve_after(0.0, &[], Some(wanted), 1.0);
        let rest = LocalPose::rest(&arm.rig);
        for node in 1..=joint_count {
            let turn = arm.local.srt(at(node)).rotation.dot(rest.srt(at(node)).rotation);
            assert!(turn.abs() > 1.0 - 1e-6, "seed {seed}, {node}");
        }
    }
}

#[test]
fn mirrored_and_unevenly_scaled_chains_reach_their_goals_too() {
    for solver_kind in SOLVERS {
        for seed in 0..100 {
            let random = &mut Random::new(seed);
            let joint_count = 3 + random.below(6);
            let mut model = gambol::model::Model::clone(Arm::random(random, joint_count).model());
            model.nodes[0].rest.scale = Vec3::new(-0.5, 0.5, 0.5);
            for node in &mut model.nodes[1..] {
                node.rest.scale = random.vec3(0.15) + Vec3::ONE;
            }
            let mut arm = Arm::new(rig(model), solver(solver_kind));
            let way = arm.place(joint_count + 1) - arm.root();
            let target = arm.root() + Quat::from_rotation_x(0.5) * way * 0.7;
            arm.reach_after(0.0, target);
            let error = arm.error(target);
            assert!(error < REACHED, "{solver_kind:?}, seed {seed}: {error}");
        }
    }
}

#[test]
fn weights_blend_and_no_weight_or_goal_changes_no_bit() {
    let random = &mut Random::new(5);
    let mut arm = Arm::new(Arm::random(random, 5), |_| ());
    let rest = bits(&arm.rig, &arm.local);
    let target = within_reach(&arm, random, 0.8);
    let goals = [goal(arm.tip(), target)];
    let before = arm.error(target);
    arm.solve_after(0.0, &goals, None, 0.5);
    let half = arm.error(target);
    assert!(half > REACHED && half != before);
    arm.solve_after(0.0, &goals, None, 0.0);
    assert_eq!(bits(&arm.rig, &arm.local), rest);
    arm.solve_after(0.0, &[], None, 1.0);
    assert_eq!(bits(&arm.rig, &arm.local), rest);
    assert!(arm.held.arrived);
}

#[test]
fn hostile_numbers_leave_the_pose_finite() {
    let numbers = [0.0, -0.0, 1e-30, 1e9, -1e9, 1e30, f32::MAX, f32::INFINITY, f32::NEG_INFINITY, f32::NAN];
    for seed in 0..60 {
        let random = &mut Random::new(seed);
        let joint_count = 1 + random.below(8);
        let mut model = gambol::model::Model::clone(Arm::random(random, joint_count).model());
        for node in &mut model.nodes {
            match random.below(8) {
                0 => node.rest.translation = Vec3::ZERO,
                1 => node.rest.scale = random.scale(),
                2 => node.rest.scale = Vec3::ZERO,
                3 => node.rest.translation *= 1e6,
                _ => {}
            }
        }
        let rig = rig(model);
        let limits = if random.chance(50) { random_limits_of_any_axis(&rig, random) } else { Vec::new() };
        let mut arm = Arm::new(rig, |options| {
            options.solver = SOLVERS[seed as usize % 3];
            options.limits = limits;
        });
        for _ in 0..100 {
            let mut number = || numbers[random.below(numbers.len())];
            let goals: Vec<_> = (0..MOST_GOALS + 2)
                .map(|nth| ChainGoal {
                    node: at(nth % (joint_count + 2)),
                    target_in_model: Vec3::new(number(), number(), number()),
                    weight: number(),
                })
                .collect();
            let tip = Quat::from_xyzw(number(), number(), number(), number());
            let passed_secs = number();
            arm.solve_after(passed_secs, &goals, Some(tip), 1.0);
            for node in 0..joint_count + 2 {
                assert!(arm.local.srt(at(node)).rotation.is_normalized(), "seed {seed}, {node}");
            }
        }
    }
}

fn random_limits_of_any_axis(rig: &Rig, random: &mut Random) -> Vec<(NodeIndex, JointLimit)> {
    let nodes = 1..rig.model().nodes.len() - 1;
    nodes
        .map(|node| {
            let swing_radians = if random.chance(40) { 0.0 } else { random.between(0.0, 9.0) };
            let twist_radians = [random.between(-9.0, 0.0), random.between(0.0, 9.0)];
            let axis = random.vec3(1.0).normalize_or(Vec3::X);
            (at(node), JointLimit { axis, swing_radians, twist_radians })
        })
        .collect()
}

#[test]
fn nodes_that_form_no_chain_and_limits_without_sense_are_refused() {
    let random = &mut Random::new(2);
    let mut model = gambol::model::Model::clone(Arm::random(random, 4).model());
    let beside = gambol::model::Node { parent: Some(at(0)), ..model.nodes[1].clone() };
    model.nodes.push(beside);
    let rig = rig(model);
    let chain = |root: usize, tip: usize| Chain::new(&rig, &ChainOptions::new(at(root), at(tip)));
    assert!(chain(1, 5).is_some());
    assert!(chain(0, 5).is_some());
    for (root, tip) in [(5, 1), (1, 1), (1, 6), (6, 5), (1, 99), (99, 5)] {
        assert!(chain(root, tip).is_none(), "{root}, {tip}");
    }
    let limit = JointLimit { axis: Vec3::Y, swing_radians: 1.0, twist_radians: [-1.0, 1.0] };
    let limited = |node: usize, limit: JointLimit| {
        Chain::new(&rig, &ChainOptions { limits: vec![(at(node), limit)], ..ChainOptions::new(at(1), at(5)) })
    };
    assert!(limited(2, limit).is_some());
    assert!(limited(0, limit).is_none());
    for limit in [
        JointLimit { axis: Vec3::ZERO, ..limit },
        JointLimit { axis: Vec3::NAN, ..limit },
        JointLimit { swing_radians: -0.1, ..limit },
        JointLimit { swing_radians: f32::NAN, ..limit },
        JointLimit { twist_radians: [1.0, -1.0], ..limit },
        JointLimit { twist_radians: [f32::NAN, 1.0], ..limit },
    ] {
        assert!(limited(2, limit).is_none(), "{limit:?}");
    }
    let mut sheared = gambol::model::Model::clone(rig.model());
    sheared.nodes[3].sheared_rest = Some(Affine3A::IDENTITY);
    let sheared = Rig::new(Arc::new(sheared));
    assert!(Chain::new(&sheared, &ChainOptions::new(at(1), at(5))).is_none());
    assert!(Chain::new(&sheared, &ChainOptions::new(at(4), at(5))).is_some());
}
