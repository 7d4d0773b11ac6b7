//! Chains in motion: limits in every solve, paths without jumps, speeds, frame rates and equal bits.

use super::chain_arm::{Arm, Path, REACHED, SOLVERS, goal, greatest_turn, random_limits, within_reach};
use crate::support::made_model::{Random, at, bits};
use gambol::animation::{Chain, ChainAim, JointLimit};
use gambol::model::Srt;
use glam::{Quat, Vec3};
use std::f32::consts::PI;

/// Asserts that a rotation is within a limit, by the arc of the axis and the angle of what is left.
#[track_caller]
fn assert_within(limit: &JointLimit, rest: Quat, rotation: Quat, what: &str) {
    const ROUNDING: f32 = 2e-3;
    let axis = limit.axis.normalize();
    let turn = rest.inverse() * rotation;
    let swing = Quat::from_rotation_arc(axis, (turn * axis).normalize());
    let twist = swing.inverse() * turn;
    let twist = if twist.w < 0.0 { -twist } else { twist };
    let angle = 2.0 * twist.xyz().dot(axis).atan2(twist.w);
    let swung = axis.angle_between(turn * axis);
    assert!(swung <= limit.swing_radians + ROUNDING, "{what}: swing {swung}, {limit:?}");
    let [least, most] = limit.twist_radians;
    assert!(angle >= least - ROUNDING && angle <= most + ROUNDING, "{what}: twist {angle}, {limit:?}");
}

#[test]
fn limits_hold_in_every_solve() {
    for solver_kind in SOLVERS {
        for seed in 0..60 {
            let random = &mut Random::new(seed);
            let joint_count = 2 + random.below(11);
            let rig = Arm::random(random, joint_count);
            let limits = random_limits(&rig, random);
            let mut arm = Arm::new(rig, |options| {
                options.solver = solver_kind;
                options.limits = limits.clone();
            });
            let path = Path::random(random, arm.root(), arm.length() * 1.3);
            for frame in 0..60 {
                let tip = (frame > 30).then(|| random.rotation());
                arm.solve_after(1.0 / 60.0, &[goal(arm.tip(), path.at(frame as f32 / 60.0))], tip, 1.0);
                for (node, limit) in &limits {
                    let rest = arm.rig.model().node(*node).rest.rotation;
                    let what = format!("{solver_kind:?}, seed {seed}, frame {frame}, {node:?}");
                    assert_within(limit, rest, arm.local.srt(*node).rotation, &what);
                }
            }
        }
    }
}

/// A goal that a pose within the limits reaches may lie where a solver from another pose gets stuck, as with every
/// local method. The share that is reached must not fall.
#[test]
fn most_goals_of_chains_with_limits_are_reached_at_once_and_more_as_time_passes() {
    for solver_kind in SOLVERS {
        let (mut at_once, mut later) = (0, 0);
        for seed in 0..300 {
            let random = &mut Random::new(seed);
            let joint_count = 3 + random.below(10);
            let rig = Arm::random(random, joint_count);
            let limits = random_limits(&rig, random);
            // Without an iteration, a solve only applies the limits.
            let mut posed = Arm::new(rig, |options| {
                options.iterations = 0;
                options.limits = limits.clone();
            });
            for node in 1..=joint_count {
                let srt = Srt { rotation: random.rotation(), ..posed.local.srt(at(node)) };
                posed.local.set_srt(at(node), srt);
            }
            posed.rig.resolve_into(&posed.local, &mut posed.model);
            let goals = [goal(posed.tip(), posed.root() + Vec3::X)];
            let aim = ChainAim {
                goals: &goals,
                tip_rotation_in_model: None,
                weight: 1.0,
                passed_secs: 0.0,
                rest_share: 1.0,
            };
            posed.chain.solve(&posed.rig, &aim, &mut posed.held, &mut posed.local, &mut posed.model);
            let target = posed.place(joint_count + 1);
            let mut arm = Arm::new(posed.rig, |options| {
                options.solver = solver_kind;
                options.limits = limits;
            });
            arm.reach_after(0.0, target);
            at_once += usize::from(arm.error(target) < REACHED);
            for _ in 0..60 {
                arm.reach_after(1.0 / 60.0, target);
            }
            later += usize::from(arm.error(target) < REACHED);
        }
        println!("{solver_kind:?}: {at_once} at once, {later} after a second, of 300");
        assert!(at_once > 270 && later > 280, "{solver_kind:?}: {at_once}, {later} of 300");
    }
}

/// The ratio relates the angular speed of the joints to that of the goal: its way as a fraction of the chain's length,
/// or its angle as seen from the root if that is more. Near its full length a chain straightens quickly, by the square
/// root of what is left; the ratio has room for that.
#[test]
fn joints_do_not_jump_along_a_thousand_smooth_paths() {
    const RATIO: f32 = 60.0;
    const DT: f32 = 1.0 / 60.0;
    let mut worst = [0.0_f32; 3];
    for seed in 0..1000 {
        let random = &mut Random::new(seed);
        let joint_count = 2 + random.below(11);
        let solver_kind = SOLVERS[seed as usize % 3];
        let mut arm = Arm::new(Arm::random(random, joint_count), |options| {
            options.solver = solver_kind;
            options.speed_radians_per_sec = f32::INFINITY;
        });
        let (root, length) = (arm.root(), arm.length());
        let path = Path::random(random, root, length);
        arm.reach_after(0.0, path.at(0.0));
        for frame in 1..120 {
            let [from, to] = [frame - 1, frame].map(|frame| path.at(frame as f32 * DT));
            let before = arm.rotations();
            arm.reach_after(DT, to);
            let goal_turn = (from.distance(to) / length).max((from - root).angle_between(to - root));
            // What the last solve added may shrink from a half turn.
            let relaxed = PI * DT / Chain::RELAX_SECS;
            let ratio = (greatest_turn(&before, &arm.rotations()) - relaxed) / goal_turn;
            let worst = &mut worst[seed as usize % 3];
            *worst = worst.max(ratio);
            assert!(ratio < RATIO, "{solver_kind:?}, seed {seed}, frame {frame}: {ratio}");
        }
    }
    println!("greatest ratios: {worst:?}");
}

#[test]
fn joints_with_limits_are_never_faster_than_their_speed() {
    const DT: f32 = 1.0 / 60.0;
    const SPEED: f32 = 5.0;
    for seed in 0..200 {
        let random = &mut Random::new(seed);
        let joint_count = 2 + random.below(11);
        let rig = Arm::random(random, joint_count);
        let limits = random_limits(&rig, random);
        let mut arm = Arm::new(rig, |options| {
            options.solver = SOLVERS[seed as usize % 3];
            options.speed_radians_per_sec = SPEED;
            options.limits = limits;
        });
        let path = Path::random(random, arm.root(), arm.length() * 1.3);
        arm.reach_after(0.0, path.at(0.0));
        for frame in 1..120 {
            let before = arm.rotations();
            arm.reach_after(DT, path.at(frame as f32 * DT));
            let turn = greatest_turn(&before, &arm.rotations());
            // A limit may turn a rotation on the way back into its range.
            let most = SPEED * DT * 1.5;
            assert!(turn < most, "seed {seed}, frame {frame}: {turn} > {most}");
        }
    }
}

/// The joints follow their goal on a way that depends a little on its steps.
#[test]
fn a_path_ends_in_the_same_pose_at_every_frame_rate() {
    let mut all = Vec::new();
    for seed in 0..60 {
        let ends = [30, 60, 144].map(|rate| {
            let random = &mut Random::new(seed);
            let joint_count = 3 + random.below(10);
            let rig = Arm::random(random, joint_count);
            let mut arm = Arm::new(rig, |_| ());
            let way = arm.place(joint_count + 1) - arm.root();
            let path = Path::random(random, arm.root() + way * 0.6, arm.length() * 0.2);
            arm.reach_after(0.0, path.at(0.0));
            for frame in 1..=rate * 2 {
                arm.reach_after(1.0 / rate as f32, path.at(frame as f32 / rate as f32));
            }
            arm.rotations()
        });
        let apart = greatest_turn(&ends[0], &ends[1]).max(greatest_turn(&ends[2], &ends[1]));
        assert!(apart < 0.1, "seed {seed}: {apart} radians");
        all.push(apart);
    }
    all.sort_by(f32::total_cmp);
    assert!(all[30] < 0.005, "the median is {} radians", all[30]);
}

#[test]
fn the_same_calls_give_the_same_bits_and_a_solve_without_time_repeats_the_last_one() {
    for seed in 0..30 {
        let run = || {
            let random = &mut Random::new(seed);
            let joint_count = 2 + random.below(11);
            let rig = Arm::random(random, joint_count);
            let limits = random_limits(&rig, random);
            let mut arm = Arm::new(rig, |options| {
                options.solver = SOLVERS[seed as usize % 3];
                options.limits = limits;
            });
            let path = Path::random(random, arm.root(), arm.length());
            let mut all = Vec::new();
            for frame in 0..40 {
                let target = path.at(frame as f32 / 60.0);
                arm.reach_after(1.0 / 60.0, target);
                all.push(bits(&arm.rig, &arm.local));
                arm.reach_after(0.0, target);
                arm.reach_after(0.0, target);
                assert_eq!(Some(&bits(&arm.rig, &arm.local)), all.last(), "seed {seed}, frame {frame}");
            }
            all
        };
        assert_eq!(run(), run(), "seed {seed}");
    }
}

#[test]
fn a_chain_that_is_held_back_by_its_speed_says_so_until_it_arrives() {
    for seed in 0..60 {
        let random = &mut Random::new(seed);
        let joint_count = 2 + random.below(11);
        let mut arm = Arm::new(Arm::random(random, joint_count), |options| {
            options.solver = SOLVERS[seed as usize % 3];
            options.speed_radians_per_sec = 2.0;
        });
        let tip = arm.place(joint_count + 1);
        arm.reach_after(0.0, tip);
        let target = within_reach(&arm, random, 0.9);
        arm.reach_after(1.0 / 60.0, target);
        assert!(!arm.held.arrived, "seed {seed}");
        let frames = (0..600).take_while(|_| {
            arm.reach_after(1.0 / 60.0, target);
            !arm.held.arrived
        });
        assert!(frames.count() < 600, "seed {seed} never arrives");
        assert!(arm.error(target) < REACHED, "seed {seed}: {}", arm.error(target));
    }
}
