//! Chains of joints: goals within and out of reach, limits, paths without jumps, frame rates, and hostile numbers.

use crate::support::made_model::{Random, at, bits, model, nodes, rig};
use gambol::animation::{
    Chain, ChainAim, ChainGoal, ChainOptions, ChainSolver, ChainTurns, JointLimit, LocalPose, MOST_GOALS,
    ModelPose, Rig,
};
use gambol::model::{NodeIndex, Srt};
use glam::{Affine3A, Quat, Vec3};
use std::f32::consts::PI;
use std::sync::Arc;

const SOLVERS: [ChainSolver; 3] =
    [ChainSolver::CyclicDescent, ChainSolver::ForwardBackward, ChainSolver::LeastSquares];

/// Largest error of a reached goal, as a fraction of the chain's length.
const REACHED: f32 = 1e-4;

/// A chain below a rotated and scaled body, with its poses.
struct Arm {
    rig: Rig,
    joint_count: usize,
    chain: Chain,
    held: ChainTurns,
    local: LocalPose,
    model: ModelPose,
}

impl Arm {
    /// Returns an arm of parts with random lengths and rotations.
    fn random(random: &mut Random, joint_count: usize) -> Rig {
        let body =
            Srt { rotation: random.rotation(), scale: Vec3::splat(0.5), translation: random.vec3(2.0) };
        let mut parts = vec![(None, body)];
        for index in 0..=joint_count {
            let way = random.vec3(1.0).normalize_or(Vec3::Y) * random.between(0.3, 1.5);
            parts.push((Some(index), Srt { rotation: random.rotation(), translation: way, ..Srt::IDENTITY }));
        }
        rig(model(nodes(&parts), Vec::new()))
    }

    fn new(rig: Rig, edit: impl FnOnce(&mut ChainOptions)) -> Self {
        let joint_count = rig.model().nodes.len() - 2;
        let mut options = ChainOptions::new(at(1), at(joint_count + 1));
        edit(&mut options);
        let chain = Chain::new(&rig, &options).expect("a valid chain");
        let (held, local, model) = (chain.turns(), LocalPose::rest(&rig), ModelPose::new(&rig));
        Self { rig, joint_count, chain, held, local, model }
    }

    fn tip(&self) -> NodeIndex {
        at(self.joint_count + 1)
    }

    fn place(&self, node: usize) -> Vec3 {
        self.model.model_from_node(at(node)).translation.into()
    }

    fn root(&self) -> Vec3 {
        self.place(1)
    }

    fn lengths(&self) -> Vec<f32> {
        (1..=self.joint_count).map(|node| self.place(node).distance(self.place(node + 1))).collect()
    }

    fn length(&self) -> f32 {
        self.lengths().iter().sum()
    }

    /// Returns the least distance from root to tip: that of the longest part less the others.
    fn hole(&self) -> f32 {
        let longest = self.lengths().into_iter().fold(0.0, f32::max);
        (2.0 * longest - self.length()).max(0.0)
    }

    fn rotations(&self) -> Vec<Quat> {
        (1..=self.joint_count).map(|node| self.local.srt(at(node)).rotation).collect()
    }

    /// Solves in the rest pose, after this time.
    fn solve_after(&mut self, passed_secs: f32, goals: &[ChainGoal], tip: Option<Quat>, weight: f32) {
        self.local = LocalPose::rest(&self.rig);
        self.rig.resolve_into(&self.local, &mut self.model);
        let aim = ChainAim {
            goals,
            tip_rotation_in_model: tip,
            weight,
            passed_secs,
            rest_share: (-passed_secs / Chain::RELAX_SECS).exp(),
        };
        self.chain.solve(&self.rig, &aim, &mut self.held, &mut self.local, &mut self.model);
    }

    fn reach_after(&mut self, passed_secs: f32, target: Vec3) {
        self.solve_after(passed_secs, &[goal(self.tip(), target)], None, 1.0);
    }

    /// Returns the distance from the tip to a point, as a fraction of the chain's length.
    fn error(&self, target: Vec3) -> f32 {
        self.place(self.joint_count + 1).distance(target) / self.length()
    }
}

fn goal(node: NodeIndex, target_in_model: Vec3) -> ChainGoal {
    ChainGoal { node, target_in_model, weight: 1.0 }
}

fn solver(solver: ChainSolver) -> impl FnOnce(&mut ChainOptions) {
    move |options| options.solver = solver
}

/// Returns a random point that the chain can reach, up to a share of its length.
fn within_reach(arm: &Arm, random: &mut Random, share: f32) -> Vec3 {
    let length = arm.length();
    let away = random.between(arm.hole() + 0.02 * length, share * length);
    arm.root() + random.vec3(1.0).normalize_or(Vec3::X) * away
}

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

/// Returns random cones and hinges, whose ranges include the rest pose.
fn random_limits(rig: &Rig, random: &mut Random) -> Vec<(NodeIndex, JointLimit)> {
    let joint_count = rig.model().nodes.len() - 2;
    let limit = |node: usize| {
        let along = rig.model().node(at(node + 1)).rest.translation;
        let limit = match random.below(3) {
            0 => JointLimit {
                axis: along.any_orthonormal_vector() * 3.0,
                swing_radians: 0.0,
                twist_radians: [random.between(-1.0, 0.0), random.between(0.5, 2.5)],
            },
            _ => JointLimit {
                axis: along,
                swing_radians: random.between(0.3, 1.5),
                twist_radians: [random.between(-0.5, 0.0), random.between(0.0, 0.5)],
            },
        };
        (at(node), limit)
    };
    (1..=joint_count).map(limit).collect()
}

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

/// A smooth random path around a point: the sum of three slow waves in random directions.
struct Path {
    middle: Vec3,
    waves: [(Vec3, f32, f32); 3],
}

impl Path {
    fn random(random: &mut Random, middle: Vec3, extent: f32) -> Self {
        let wave = |_| (random.vec3(extent * 0.4), random.between(0.1, 0.6), random.between(0.0, 2.0 * PI));
        Self { middle, waves: std::array::from_fn(wave) }
    }

    fn at(&self, secs: f32) -> Vec3 {
        let waves = self.waves.iter();
        self.middle
            + waves.map(|(way, rate, phase)| *way * (secs * rate * 2.0 * PI + phase).sin()).sum::<Vec3>()
    }
}

fn greatest_turn(before: &[Quat], after: &[Quat]) -> f32 {
    let angles = before
        .iter()
        .zip(after)
        .map(|(before, after)| 2.0 * (*after * before.inverse()).xyz().length().min(1.0).asin());
    angles.fold(0.0, f32::max)
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
