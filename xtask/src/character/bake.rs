//! Converts the poses of a clip into tracks. Constant properties are left out, and slow motion gets fewer keys.

use glam::Quat;
use serde_json::{Value, json};

use super::{
    clips::FRAMES_PER_SEC,
    face::MORPH_NAMES,
    glb::Store,
    pose::Pose,
    skeleton::{Joint, all_joints},
};

/// Largest rotation error caused by leaving out keys, in radians: at a hand, well under a pixel.
const TURN_TOLERANCE: f32 = 0.014;
/// Rotation tolerance of hips and legs, in radians. Feet must not slide, and errors add up over three joints.
const LEG_TOLERANCE: f32 = 0.0022;
/// Rotation tolerance of the eyes, in radians. They turn little, and fast.
const EYE_TOLERANCE: f32 = 0.005;
/// Share of a joint's rotation per frame that is added to its tolerance, because errors are hard to see in fast motion.
const BLUR: f32 = 0.12;
/// Rotation tolerance of joints at the ends of chains, in radians. The parts are short, so an error moves them little.
const TIP_TOLERANCE: f32 = 0.04;
const SHIFT_TOLERANCE: f32 = 0.0006;
const MORPH_TOLERANCE: f32 = 0.025;
const SCALE_TOLERANCE: f32 = 0.004;

/// A finished clip, with a pose for each frame. The last pose equals the first.
pub(super) struct Recording {
    pub(super) name: &'static str,
    pub(super) poses: Vec<Pose>,
}

/// Returns the glTF animation of one recording. `face_node` is the node with the morph targets.
pub(super) fn animation(store: &mut Store, recording: &Recording, face_node: usize) -> Value {
    let (mut samplers, mut channels) = (Vec::new(), Vec::new());
    let mut add = |store: &mut Store, frames: &[usize], output: usize, node: usize, path: &str| {
        let times: Vec<f32> = frames.iter().map(|&frame| frame as f32 / FRAMES_PER_SEC).collect();
        let sampler = json!({ "input": store.times(&times), "output": output });
        let index = samplers.iter().position(|known| *known == sampler).unwrap_or_else(|| {
            samplers.push(sampler);
            samplers.len() - 1
        });
        channels.push(json!({ "sampler": index, "target": { "node": node, "path": path } }));
    };
    let poses = &recording.poses;
    let places: Vec<Vec<f32>> =
        poses.iter().map(|pose| (pose.hips_shift + Joint::Hips.rest()).to_array().to_vec()).collect();
    if let Some(frames) = frames_of_numbers(&places, &Joint::Hips.rest().to_array(), SHIFT_TOLERANCE) {
        let output = store.floats(&chosen(&places, &frames), "VEC3", 3);
        add(store, &frames, output, 0, "translation");
    }
    for (node, joint) in all_joints().into_iter().enumerate() {
        let turns = continuous(poses.iter().map(|pose| pose.turns[node]));
        let tolerance = match joint {
            Joint::Hips | Joint::UpperLeg(_) | Joint::LowerLeg(_) | Joint::Foot(_) => LEG_TOLERANCE,
            Joint::Eye(_) => EYE_TOLERANCE,
            Joint::Finger(..) | Joint::Ear(..) | Joint::Tail(_) | Joint::Bell => TIP_TOLERANCE,
            Joint::ScarfFront(_) | Joint::ScarfBack(_) | Joint::Forelock | Joint::Beard => TIP_TOLERANCE,
            _ => TURN_TOLERANCE,
        };
        let last = turns.len() - 1;
        if !turns.iter().all(|turn| turn.angle_between(Quat::IDENTITY) < tolerance * 0.5) {
            let frames = fewest_frames(turns.len(), tolerance, &|from, to, frame, t| {
                let off = turns[from].slerp(turns[to], t).angle_between(turns[frame]);
                let pace = turns[frame.saturating_sub(1)].angle_between(turns[(frame + 1).min(last)]) * 0.5;
                (off - pace * BLUR * tolerance / TURN_TOLERANCE).max(0.0)
            });
            let kept: Vec<Quat> = frames.iter().map(|&frame| turns[frame]).collect();
            let output = store.turns(&kept);
            add(store, &frames, output, node, "rotation");
        }
        let scales: Vec<Vec<f32>> = poses.iter().map(|pose| pose.scales[node].to_array().to_vec()).collect();
        if let Some(frames) = frames_of_numbers(&scales, &[1.0; 3], SCALE_TOLERANCE) {
            let output = store.floats(&chosen(&scales, &frames), "VEC3", 3);
            add(store, &frames, output, node, "scale");
        }
    }
    let weights: Vec<Vec<f32>> = poses.iter().map(|pose| pose.morph_weights.to_vec()).collect();
    if let Some(frames) = frames_of_numbers(&weights, &[0.0; MORPH_NAMES.len()], MORPH_TOLERANCE) {
        let output = store.floats(&chosen(&weights, &frames), "SCALAR", 1);
        add(store, &frames, output, face_node, "weights");
    }
    json!({ "name": recording.name, "samplers": samplers, "channels": channels })
}

/// Chooses the signs of quaternions so that neighbours have a non-negative dot product.
fn continuous(turns: impl Iterator<Item = Quat>) -> Vec<Quat> {
    let mut last = Quat::IDENTITY;
    turns
        .map(|turn| {
            last = if turn.dot(last) < 0.0 { -turn } else { turn };
            last
        })
        .collect()
}

fn chosen(rows: &[Vec<f32>], frames: &[usize]) -> Vec<f32> {
    frames.iter().flat_map(|&frame| rows[frame].iter().copied()).collect()
}

/// Returns the frames to keep, or `None` when the numbers never leave their rest value.
fn frames_of_numbers(rows: &[Vec<f32>], rest: &[f32], tolerance: f32) -> Option<Vec<usize>> {
    let off = |row: &[f32], other: &dyn Fn(usize) -> f32| {
        row.iter().enumerate().map(|(n, value)| (value - other(n)).abs()).fold(0.0, f32::max)
    };
    if rows.iter().all(|row| off(row, &|n| rest[n]) < tolerance * 0.5) {
        return None;
    }
    Some(fewest_frames(rows.len(), tolerance, &|from, to, frame, t| {
        off(&rows[frame], &|n| rows[from][n] + (rows[to][n] - rows[from][n]) * t)
    }))
}

/// Returns the frames to keep so that linear interpolation between them stays within `tolerance` of all others.
///
/// `error(from, to, frame, t)` returns the error of a frame when only `from` and `to` are kept. A constant property
/// keeps one frame.
fn fewest_frames(
    frame_count: usize,
    tolerance: f32,
    error: &dyn Fn(usize, usize, usize, f32) -> f32,
) -> Vec<usize> {
    if (0..frame_count).all(|frame| error(0, 0, frame, 0.0) < tolerance * 0.5) {
        return vec![0];
    }
    let even = even_frames(frame_count, tolerance, error);
    let chosen = chosen_frames(frame_count, tolerance, error);
    // Even grids share their key times with other tracks. Chosen frames need key times and an accessor of their own.
    const KEY_BYTES: usize = 8;
    const TIME_BYTES: usize = 4;
    const ACCESSOR_BYTES: usize = 150;
    let own_cost = chosen.len() * (KEY_BYTES + TIME_BYTES) + ACCESSOR_BYTES;
    if even.len() * KEY_BYTES <= own_cost { even } else { chosen }
}

/// Returns the coarsest even grid that stays within `tolerance`. Its last gap may be shorter.
fn even_frames(
    frame_count: usize,
    tolerance: f32,
    error: &dyn Fn(usize, usize, usize, f32) -> f32,
) -> Vec<usize> {
    let last = frame_count - 1;
    let fits = |step: usize| {
        (0..last).all(|frame| {
            let from = frame / step * step;
            let to = (from + step).min(last);
            error(from, to, frame, (frame - from) as f32 / (to - from) as f32) <= tolerance
        })
    };
    let step = (1..=last).rev().find(|&step| fits(step)).unwrap_or(1);
    (0..last).step_by(step).chain([last]).collect()
}

/// Returns the smallest set of frames that stays within `tolerance`, the shortest path from the first to the last.
fn chosen_frames(
    frame_count: usize,
    tolerance: f32,
    error: &dyn Fn(usize, usize, usize, f32) -> f32,
) -> Vec<usize> {
    let fits = |from: usize, to: usize| {
        let share = |frame: usize| (frame - from) as f32 / (to - from) as f32;
        (from + 1..to).all(|frame| error(from, to, frame, share(frame)) <= tolerance)
    };
    // For each frame, the number of keys on the way there, and the key before.
    let mut ways = vec![(0, 0)];
    for to in 1..frame_count {
        let before = (0..to).filter(|&from| fits(from, to)).min_by_key(|&from| ways[from].0);
        let from = before.unwrap_or(to - 1);
        ways.push((ways[from].0 + 1, from));
    }
    let mut kept = vec![frame_count - 1];
    while let Some(&frame @ 1..) = kept.last() {
        kept.push(ways[frame].1);
    }
    kept.reverse();
    kept
}
