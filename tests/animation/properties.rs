//! Property tests: rules that hold for every pose of every model, tried on models generated from seeds.
//!
//! A failure prints its seed; `Random::new(seed)` recreates the model.

use crate::support::made_model::{
    Random, all_weights, any_model, bits, first_clip, model, node, palette, palette_at, poison, resolved,
    slot_matrix,
};
use gambol::animation::reference::{ReferencePose, skin_matrices};
use gambol::animation::{ClipCursor, LocalPose, Rig, blend_into, reference_skin, slot_nodes};
use gambol::model::{ClipIndex, Interpolation, Model, NodeIndex, Srt, TrackValues};
use glam::{Affine3A, DAffine3, Quat, Vec3};
use std::sync::Arc;

const SEEDS: std::ops::Range<u64> = 0..60;

fn rig(model: &Model) -> Rig {
    Rig::new(Arc::new(model.clone()))
}

fn nodes(model: &Model) -> impl Iterator<Item = NodeIndex> {
    (0..model.nodes.len()).map(NodeIndex::new)
}

fn clips(model: &Model) -> impl Iterator<Item = ClipIndex> {
    (0..model.clips.len()).map(ClipIndex::new)
}

fn sampled(rig: &Rig, clip: ClipIndex, time_secs: f32) -> LocalPose {
    let mut pose = LocalPose::rest(rig);
    poison(rig, &mut pose);
    rig.sample_into(clip, time_secs, &mut ClipCursor::default(), &mut pose);
    pose
}

/// Returns times before, at, between and past the keys, and NaN. They aren't sorted.
fn times_of(model: &Model, clip: ClipIndex, random: &mut Random) -> Vec<f32> {
    let clip = model.clip(clip);
    let mut times = vec![-1.0, 0.0, clip.duration_secs, clip.duration_secs + 1.0, f32::NAN];
    times.extend(clip.tracks.iter().take(6).flat_map(|track| track.key_times_secs.iter().copied()));
    times.extend((0..20).map(|_| random.between(-0.1, clip.duration_secs + 0.1)));
    times
}

fn size_of(matrices: &[DAffine3]) -> f64 {
    matrices.iter().map(|matrix| matrix.translation.length()).fold(1.0, f64::max)
}

fn farthest(a: &Affine3A, b: &DAffine3) -> f64 {
    let columns = a.to_cols_array().into_iter().map(f64::from).zip(b.to_cols_array());
    columns.map(|(a, b)| (a - b).abs()).fold(0.0, |worst, error| if error <= worst { worst } else { error })
}

#[test]
fn slots_have_their_nodes() {
    for seed in SEEDS {
        let model = any_model(&mut Random::new(seed));
        let found = slot_nodes(&model);
        for drawable in &rig(&model).palette_layout().drawables {
            let nodes = &found[drawable.first_row / 3 - 1..][..drawable.slot_count];
            let expected = drawable.skin.map_or(vec![drawable.node], |skin| model.skin(skin).joints.clone());
            assert_eq!(nodes, expected, "seed {seed}");
        }
    }
}

#[test]
fn fast_equals_the_plain_twin() {
    for seed in SEEDS {
        let mut random = Random::new(seed);
        let model = any_model(&mut random);
        let rig = rig(&model);
        for clip in clips(&model) {
            for time in times_of(&model, clip, &mut random) {
                let plain = ReferencePose::sample(&model, clip, time);
                let local = sampled(&rig, clip, time);
                let plain_matrices = plain.resolve(&model);
                let fast_matrices = resolved(&rig, &local);
                let size = size_of(&plain_matrices);
                for node in nodes(&model) {
                    // f32 compared with f64: a few roundings of 6e-8 at each of up to 40 joints, each scaled by its
                    // ancestors.
                    let error =
                        farthest(&fast_matrices.model_from_node(node), &plain_matrices[node.get()]) / size;
                    assert!(error < 5e-6, "seed {seed}, {clip:?} at {time}, {node:?}: {error:e}");
                    let weights = local.morph_weights(&rig, node);
                    let plain_weights = &plain.morph_weights[node.get()];
                    assert_eq!(weights.len(), plain_weights.len());
                    for (weight, plain) in weights.iter().zip(plain_weights) {
                        assert!((f64::from(*weight) - plain).abs() < 1e-6, "seed {seed}, {clip:?} at {time}");
                    }
                }
                let rows = palette(&rig, &local);
                for drawable in &rig.palette_layout().drawables {
                    let expected = match drawable.skin {
                        Some(skin) => skin_matrices(&model, skin, &plain_matrices),
                        None => vec![plain_matrices[drawable.node.get()]],
                    };
                    assert_eq!(drawable.slot_count, expected.len());
                    for (slot, expected) in expected.iter().enumerate() {
                        let error = farthest(&slot_matrix(&rows, drawable.first_row, slot), expected) / size;
                        assert!(error < 1e-5, "seed {seed}, {clip:?} at {time}, slot {slot}: {error:e}");
                    }
                }
            }
        }
    }
}

#[test]
fn sampling_at_a_key_returns_the_key() {
    for seed in SEEDS {
        let model = any_model(&mut Random::new(seed));
        let rig = rig(&model);
        for clip in clips(&model) {
            for track in &model.clip(clip).tracks {
                let per_key = track.interpolation.elements_per_key();
                for (key, &time) in track.key_times_secs.iter().enumerate() {
                    let pose = sampled(&rig, clip, time);
                    let srt = pose.srt(track.node);
                    let element = key * per_key + per_key / 2;
                    match &track.values {
                        TrackValues::Translation(values) => assert_eq!(srt.translation, values[element]),
                        TrackValues::Scale(values) => assert_eq!(srt.scale, values[element]),
                        // A spline value is normalized once more, which may change the last bit.
                        TrackValues::Rotation(values) => {
                            let (value, turned) = (values[element], srt.rotation);
                            let turned = if turned.dot(value) < 0.0 { -turned } else { turned };
                            let exact = track.interpolation != Interpolation::CubicSpline;
                            let tolerance = if exact { 0.0 } else { 2.5e-7 };
                            assert!(
                                turned.abs_diff_eq(value, tolerance),
                                "{turned} for {value}, seed {seed}"
                            );
                        }
                        TrackValues::MorphWeights(values) => {
                            let count = model.morph_target_count(track.node);
                            let expected = &values[element * count..][..count];
                            assert_eq!(pose.morph_weights(&rig, track.node), expected);
                        }
                        TrackValues::Matrix(values) => {
                            assert_eq!(pose.matrix(&rig, track.node), Some(values[element]));
                        }
                    }
                }
            }
        }
    }
}

#[test]
#[expect(non_snake_case, reason = "named after the capability it shows")]
fn S54_any_order_of_times_gives_the_same_bits_as_no_cursor() {
    for seed in SEEDS {
        let mut random = Random::new(seed);
        let model = any_model(&mut random);
        let rig = rig(&model);
        // One cursor for all clips: forwards, backwards and with jumps.
        let mut cursor = ClipCursor::default();
        let mut pose = LocalPose::rest(&rig);
        for _ in 0..200 {
            let clip = ClipIndex::new(random.below(model.clips.len()));
            let time = random.between(-0.2, model.clip(clip).duration_secs + 0.2);
            poison(&rig, &mut pose);
            rig.sample_into(clip, time, &mut cursor, &mut pose);
            assert_eq!(
                bits(&rig, &pose),
                bits(&rig, &sampled(&rig, clip, time)),
                "seed {seed}, {clip:?} at {time}"
            );
        }
    }
}

#[test]
fn a_cursor_of_another_model_changes_no_bit() {
    let mut cursor = ClipCursor::default();
    for seed in SEEDS {
        let model = any_model(&mut Random::new(seed));
        let rig = rig(&model);
        let mut pose = LocalPose::rest(&rig);
        rig.sample_into(first_clip(), 0.4, &mut cursor, &mut pose);
        assert_eq!(bits(&rig, &pose), bits(&rig, &sampled(&rig, first_clip(), 0.4)), "seed {seed}");
    }
}

#[test]
fn rotations_are_unit_and_poses_finite_at_any_time() {
    for seed in SEEDS {
        let mut random = Random::new(seed);
        let model = any_model(&mut random);
        let rig = rig(&model);
        for clip in clips(&model) {
            for time in times_of(&model, clip, &mut random) {
                let pose = sampled(&rig, clip, time);
                for node in nodes(&model) {
                    let srt = pose.srt(node);
                    // Keys have unit length up to rounding, and slerp between them adds a few roundings.
                    assert!((srt.rotation.length() - 1.0).abs() < 1e-6, "seed {seed}, {clip:?} at {time}");
                    assert!(srt.scale.is_finite() && srt.translation.is_finite());
                }
                assert!(palette(&rig, &pose).iter().all(|row| row.is_finite()));
            }
        }
    }
}

#[test]
fn blend_weights_0_and_1_are_the_ends() {
    for seed in SEEDS {
        let model = any_model(&mut Random::new(seed));
        let rig = rig(&model);
        let (one, other) = (sampled(&rig, first_clip(), 0.1), sampled(&rig, ClipIndex::new(1), 0.3));
        for (weight, expected) in [(0.0, &one), (-1.0, &one), (f32::NAN, &one), (1.0, &other), (2.0, &other)]
        {
            let mut blended = one.clone();
            blend_into(&mut blended, &other, weight);
            assert_eq!(bits(&rig, &blended), bits(&rig, expected), "seed {seed}, weight {weight}");
        }
    }
}

#[test]
fn blending_a_pose_with_itself_is_itself() {
    for seed in SEEDS {
        let model = any_model(&mut Random::new(seed));
        let rig = rig(&model);
        let one = sampled(&rig, first_clip(), 0.2);
        for weight in [0.1, 0.5, 0.9] {
            let mut blended = one.clone();
            blend_into(&mut blended, &one, weight);
            assert_eq!(all_weights(&rig, &blended), all_weights(&rig, &one));
            for node in nodes(&model) {
                let (a, b) = (blended.srt(node), one.srt(node));
                assert_eq!((a.scale, a.translation), (b.scale, b.translation));
                // Normalizing again adds one rounding.
                assert!(a.rotation.abs_diff_eq(b.rotation, 5e-7), "seed {seed}");
            }
        }
    }
}

#[test]
fn blending_opposite_quaternions_takes_the_short_way() {
    let turned = Quat::from_rotation_x(0.4);
    let nodes = [Srt::IDENTITY, Srt { rotation: -turned, ..Srt::IDENTITY }];
    let model = model(nodes.map(|rest| node(None, rest, 0)).to_vec(), vec![]);
    let rig = rig(&model);
    let mut pose = LocalPose::rest(&rig);
    let mut other = pose.clone();
    other.set_srt(NodeIndex::new(0), nodes[1]);
    blend_into(&mut pose, &other, 0.5);
    let halfway = pose.srt(NodeIndex::new(0)).rotation;
    assert!(halfway.abs_diff_eq(Quat::from_rotation_x(0.2), 1e-6), "{halfway}");
}

#[test]
fn permuting_the_nodes_permutes_the_results() {
    for seed in SEEDS {
        let mut random = Random::new(seed);
        let original = any_model(&mut random);
        let order = another_order(&original, &mut random);
        let permuted = permuted(&original, &order);
        let (rig, permuted_rig) = (rig(&original), rig(&permuted));
        for time in [0.0, 0.3, 0.77] {
            let (local, permuted_local) =
                (sampled(&rig, first_clip(), time), sampled(&permuted_rig, first_clip(), time));
            let (posed, permuted_posed) = (resolved(&rig, &local), resolved(&permuted_rig, &permuted_local));
            for (new, &old) in order.iter().enumerate() {
                let matrix = posed.model_from_node(NodeIndex::new(old));
                let twin = permuted_posed.model_from_node(NodeIndex::new(new));
                // Neighbouring nodes determine which of two slerp implementations is used; both are exact up to
                // rounding.
                let error =
                    matrix.to_cols_array().into_iter().zip(twin.to_cols_array()).map(|(a, b)| (a - b).abs());
                let size = matrix.translation.length().max(1.0);
                assert!(error.fold(0.0, f32::max) < 2e-5 * size, "seed {seed}, node {old}");
            }
        }
    }
}

/// Returns a random order of the nodes in which parents precede children.
fn another_order(model: &Model, random: &mut Random) -> Vec<usize> {
    let mut order: Vec<usize> = Vec::new();
    while order.len() < model.nodes.len() {
        let candidate = random.below(model.nodes.len());
        let parent = model.nodes[candidate].parent;
        if !order.contains(&candidate) && parent.is_none_or(|parent| order.contains(&parent.get())) {
            order.push(candidate);
        }
    }
    order
}

fn permuted(model: &Model, order: &[usize]) -> Model {
    let new_from_old = |old: NodeIndex| {
        NodeIndex::new(
            order.iter().position(|&candidate| candidate == old.get()).expect("every node is there"),
        )
    };
    let mut permuted = model.clone();
    permuted.nodes = order.iter().map(|&old| model.nodes[old].clone()).collect();
    for node in &mut permuted.nodes {
        node.parent = node.parent.map(new_from_old);
    }
    for track in permuted.clips.iter_mut().flat_map(|clip| &mut clip.tracks) {
        track.node = new_from_old(track.node);
    }
    for joint in permuted.skins.iter_mut().flat_map(|skin| &mut skin.joints) {
        *joint = new_from_old(*joint);
    }
    permuted
}

#[test]
fn sweeps_hold_every_vertex_at_any_time() {
    for seed in SEEDS {
        let mut random = Random::new(seed);
        let model = any_model(&mut random);
        let rig = rig(&model);
        let Some(sweep) = rig.sweep(Some(first_clip())) else {
            continue;
        };
        let bounds = sweep.bounds;
        // Long chains whose joints all turn half around within a tenth of a second swing out between two of the 160
        // poses that a sweep samples. `standing` tests real characters with a tenth of this tolerance.
        let slack = bounds.radius() * 0.1;
        for time in times_of(&model, first_clip(), &mut random) {
            let rows = palette(&rig, &sampled(&rig, first_clip(), time));
            for drawable in &rig.palette_layout().drawables {
                for position in reference_skin(&rig, drawable, 0, &rows).positions {
                    let outside = (bounds.min - position).max(position - bounds.max).max_element();
                    assert!(outside <= slack, "seed {seed} at {time}: {position} outside {bounds:?}");
                }
            }
        }
    }
}

#[test]
fn the_rows_of_one_character_are_all_written() {
    for seed in SEEDS {
        let model = any_model(&mut Random::new(seed));
        let rig = rig(&model);
        let place = Affine3A::from_translation(Vec3::new(1.0, 2.0, 3.0));
        let rows = palette_at(&rig, &LocalPose::rest(&rig), &place);
        assert!(rows.iter().all(|row| row.is_finite()), "seed {seed}");
        assert_eq!(slot_matrix(&rows, 0, 0), place);
    }
}
