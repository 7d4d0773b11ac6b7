//! Chains and goals for `benches/ik.mjs`, as JSON: the joints, a point within reach, and the error and time of each
//! solver after some iterations.
#[path = "../../../tests/support/made_model.rs"]
#[allow(dead_code, unreachable_pub)]
mod made_model;

use gambol::animation::{Chain, ChainAim, ChainGoal, ChainOptions, ChainSolver, LocalPose, ModelPose, Rig};
use gambol::model::Srt;
use glam::{Quat, Vec3};
use made_model::{Random, at, model, nodes, rig};
use std::hint::black_box;
use std::time::Instant;

const CHAINS: u64 = 500;
const ITERATIONS: [u32; 6] = [1, 2, 5, 10, 20, 40];
/// Solves of one chain that are timed together.
const REPEATS: u32 = 20;

fn main() {
    let chains: Vec<String> = (0..CHAINS).map(chain).collect();
    println!("{{\"iterations\":{ITERATIONS:?},\"chains\":[{}]}}", chains.join(","));
}

fn chain(seed: u64) -> String {
    let random = &mut Random::new(seed);
    let joint_count = 2 + random.below(11);
    let parts: Vec<_> = (0..=joint_count)
        .map(|index| {
            let translation = random.vec3(1.0).normalize_or(Vec3::Y) * random.between(0.3, 1.5);
            let rotation = Quat::from_scaled_axis(random.vec3(0.8));
            (index.checked_sub(1), Srt { rotation, translation, ..Srt::IDENTITY })
        })
        .collect();
    let rig = rig(model(nodes(&parts), Vec::new()));
    let lengths: Vec<f32> = parts[1..].iter().map(|(_, srt)| srt.translation.length()).collect();
    let length: f32 = lengths.iter().sum();
    let hole = (2.0 * lengths.iter().copied().fold(0.0, f32::max) - length).max(0.0);
    let away = random.between(hole + 0.02 * length, 0.98 * length);
    let target = parts[0].1.translation + random.vec3(1.0).normalize_or(Vec3::X) * away;

    let joints: Vec<String> = parts
        .iter()
        .map(|(_, srt)| format!("[{:?},{:?}]", srt.translation.to_array(), srt.rotation.to_array()))
        .collect();
    let solvers = [ChainSolver::CyclicDescent, ChainSolver::ForwardBackward, ChainSolver::LeastSquares];
    let results: Vec<String> = solvers
        .iter()
        .map(|&solver| {
            let solve = |iterations| solved(&rig, solver, iterations, target, joint_count, length);
            format!("{:?}", ITERATIONS.map(solve))
        })
        .collect();
    format!(
        "{{\"joints\":[{}],\"target\":{:?},\"length\":{length:?},\"solvers\":[{}]}}",
        joints.join(","),
        target.to_array(),
        results.join(",")
    )
}

/// Returns the error as a fraction of the chain's length, and the microseconds of a solve from the rest pose.
fn solved(
    rig: &Rig,
    solver: ChainSolver,
    iterations: u32,
    target: Vec3,
    tip: usize,
    length: f32,
) -> [f32; 2] {
    let chain = Chain::new(rig, &ChainOptions { solver, iterations, ..ChainOptions::new(at(0), at(tip)) });
    let chain = chain.expect("a chain");
    let mut held = chain.turns();
    let (mut local, mut model) = (LocalPose::rest(rig), ModelPose::new(rig));
    let rest = local.clone();
    let goals = [ChainGoal { node: at(tip), target_in_model: target, weight: 1.0 }];
    let aim = ChainAim {
        goals: &goals,
        tip_rotation_in_model: None,
        weight: 1.0,
        passed_secs: 0.0,
        rest_share: 1.0,
    };
    let mut secs = 0.0;
    for _ in 0..REPEATS {
        local.clone_from(&rest);
        rig.resolve_into(&local, &mut model);
        held.forget();
        let start = Instant::now();
        chain.solve(rig, black_box(&aim), &mut held, &mut local, &mut model);
        secs += start.elapsed().as_secs_f32();
    }
    let place = Vec3::from(model.model_from_node(at(tip)).translation);
    [place.distance(target) / length, secs / REPEATS as f32 * 1e6]
}
