//! Blending of poses: sampling a clip over another pose, masks and additive motion.

use crate::support::made_model::{
    Random, any_model, at, bits, clip, every_node, first_clip, model, moved, nodes, poison, rig, sampled,
    track, turned,
};
use gambol::animation::reference::ReferencePose;
use gambol::animation::{ClipCursor, LocalPose, Mask, MaskEntry, Rig, blend_into, blend_masked_into};
use gambol::model::{ClipIndex, Interpolation, Mesh, MeshIndex, Model, NodeIndex, Srt, TrackValues};
use glam::{DQuat, Quat, Vec3};

pub(crate) const SEEDS: std::ops::Range<u64> = 0..60;

pub(crate) fn second_clip() -> ClipIndex {
    ClipIndex::new(1)
}

/// Samples a clip at a time into a pose filled with NaN, which shows every value that isn't written.
pub(crate) fn sampled_from(rig: &Rig, clip: ClipIndex, time_secs: f32) -> LocalPose {
    let mut pose = poisoned(rig);
    rig.sample_into(clip, time_secs, &mut ClipCursor::default(), &mut pose);
    pose
}

fn poisoned(rig: &Rig) -> LocalPose {
    let mut pose = LocalPose::rest(rig);
    poison(rig, &mut pose);
    pose
}

fn over(rig: &Rig, clip: ClipIndex, time_secs: f32, under: &LocalPose) -> LocalPose {
    let mut pose = poisoned(rig);
    rig.sample_over(clip, time_secs, &mut ClipCursor::default(), under, &mut pose);
    pose
}

fn added(rig: &Rig, clip: ClipIndex, time_secs: f32, reference: &LocalPose, under: &LocalPose) -> LocalPose {
    let mut pose = poisoned(rig);
    rig.add_over(clip, time_secs, &mut ClipCursor::default(), reference, under, &mut pose);
    pose
}

/// Asserts that the node's values differ by at most `tolerance` times their size. q and −q are the same rotation.
pub(crate) fn assert_close(
    rig: &Rig,
    node: NodeIndex,
    pose: &LocalPose,
    plain: &ReferencePose,
    tolerance: f64,
    says: &str,
) {
    let Srt { scale, rotation, translation } = pose.srt(node);
    let index = node.get();
    let near = |a: glam::DVec3, b: glam::DVec3| (a - b).length() <= tolerance * b.length().max(1.0);
    assert!(near(translation.as_dvec3(), plain.translations[index]), "{says}, {node:?}: {translation}");
    assert!(near(scale.as_dvec3(), plain.scales[index]), "{says}, {node:?}: {scale}");
    let same: DQuat = plain.rotations[index];
    let rotation = rotation.as_dquat();
    let rotation = if rotation.dot(same) < 0.0 { -rotation } else { rotation };
    assert!((rotation - same).length() < tolerance, "{says}, {node:?}: {rotation} for {same}");
    for (weight, plain) in pose.morph_weights(rig, node).iter().zip(&plain.morph_weights[index]) {
        assert!((f64::from(*weight) - plain).abs() <= tolerance * plain.abs().max(1.0), "{says}, {node:?}");
    }
}

fn keys(model: &Model, clip: ClipIndex, node: NodeIndex) -> impl Iterator<Item = &TrackValues> {
    model.clip(clip).tracks.iter().filter(move |track| track.node == node).map(|track| &track.values)
}

// Clips over another pose.

#[test]
fn what_a_clip_does_not_key_is_what_lies_under_it_bit_for_bit() {
    for seed in SEEDS {
        let mut random = Random::new(seed);
        let rig = rig(any_model(&mut random));
        let under = sampled_from(&rig, second_clip(), 0.3);
        for _ in 0..10 {
            let time = random.between(-0.1, 1.5);
            let (pose, alone) =
                (over(&rig, first_clip(), time, &under), sampled_from(&rig, first_clip(), time));
            for node in every_node(&rig) {
                let keyed = |is: fn(&TrackValues) -> bool| keys(rig.model(), first_clip(), node).any(is);
                let (srt, alone_srt, under_srt) = (pose.srt(node), alone.srt(node), under.srt(node));
                let translation = keyed(|values| matches!(values, TrackValues::Translation(_)));
                assert_eq!(srt.translation, if translation { alone_srt } else { under_srt }.translation);
                let rotation = keyed(|values| matches!(values, TrackValues::Rotation(_)));
                assert_eq!(srt.rotation, if rotation { alone_srt } else { under_srt }.rotation);
                let scale = keyed(|values| matches!(values, TrackValues::Scale(_)));
                assert_eq!(srt.scale, if scale { alone_srt } else { under_srt }.scale, "seed {seed}");
                let weights = keyed(|values| matches!(values, TrackValues::MorphWeights(_)));
                let expected = if weights { &alone } else { &under };
                assert_eq!(pose.morph_weights(&rig, node), expected.morph_weights(&rig, node));
            }
        }
    }
}

#[test]
fn over_rest_a_clip_is_what_it_is_alone() {
    for seed in SEEDS {
        let rig = rig(any_model(&mut Random::new(seed)));
        let pose = over(&rig, first_clip(), 0.4, &LocalPose::rest(&rig));
        assert_eq!(bits(&rig, &pose), bits(&rig, &sampled_from(&rig, first_clip(), 0.4)), "seed {seed}");
    }
}

#[test]
fn a_track_that_never_changes_is_said_all_the_same() {
    let values = TrackValues::Translation(vec![Vec3::X]);
    let still = track(0, Interpolation::Linear, &[0.0], values);
    let rig =
        rig(model(nodes(&[(None, Srt::IDENTITY), (None, Srt::IDENTITY)]), vec![clip("still", vec![still])]));
    let mut under = LocalPose::rest(&rig);
    for node in [0, 1] {
        under.set_srt(at(node), moved(Vec3::Z));
    }
    let pose = over(&rig, first_clip(), 0.0, &under);
    assert_eq!([0, 1].map(|node| pose.srt(at(node)).translation), [Vec3::X, Vec3::Z]);
}

#[test]
fn laying_over_adding_and_masking_equal_their_plain_twins() {
    for seed in SEEDS {
        let mut random = Random::new(seed);
        let model = any_model(&mut random);
        let rig = rig(model.clone());
        let entries: Vec<_> = (0..3)
            .map(|_| MaskEntry {
                node: NodeIndex::new(random.below(model.nodes.len())),
                weight: [0.0, 0.25, 1.0][random.below(3)],
                subtree: random.chance(70),
            })
            .collect();
        let mask = Mask::new(&rig, &entries);
        for _ in 0..5 {
            let (time, under_time) = (random.between(0.0, 1.5), random.between(0.0, 1.5));
            let under = sampled_from(&rig, second_clip(), under_time);
            let reference = sampled_from(&rig, first_clip(), 0.0);
            let plain_under = ReferencePose::sample(&model, second_clip(), under_time);
            let plain_reference = ReferencePose::sample(&model, first_clip(), 0.0);

            let pose = over(&rig, first_clip(), time, &under);
            let plain = plain_under.under(&model, first_clip(), time);
            let sum = added(&rig, first_clip(), time, &reference, &under);
            let plain_sum = plain_under.plus(&model, first_clip(), time, &plain_reference);
            let mut blended = under.clone();
            blend_masked_into(&mut blended, &pose, 0.7, &mask);
            let plain_blended = plain_under.blended(&plain, |node| 0.7 * f64::from(mask.weight(node)));
            for node in every_node(&rig) {
                let says = format!("seed {seed} at {time}");
                // Normalizing a spline value near the zero quaternion magnifies its rounding.
                assert_close(&rig, node, &pose, &plain, 1e-5, &says);
                // A scale of zero may be 1e-9 in f64 and 0 in f32: the ratio exists in one precision only.
                let reference_scale = plain_reference.scales[node.get()].abs().min_element();
                if reference_scale > 1e-3 || reference_scale == 0.0 {
                    // Ratios of small scales magnify rounding.
                    assert_close(&rig, node, &sum, &plain_sum, 1e-4, &says);
                }
                // For orthogonal quaternions both arcs are equally short, and rounding decides.
                let apart = plain_under.rotations[node.get()].dot(plain.rotations[node.get()]);
                if apart.abs() > 1e-4 {
                    assert_close(&rig, node, &blended, &plain_blended, 2e-5, &says);
                }
            }
        }
    }
}

// Masks.

/// hips ─┬─ spine ── head
///       └─ leg ── foot
fn body() -> Model {
    let parents = [None, Some(0), Some(1), Some(0), Some(3)];
    model(nodes(&parents.map(|parent| (parent, Srt::IDENTITY))), vec![])
}

fn weights(rig: &Rig, entries: &[(usize, f32, bool)]) -> Vec<f32> {
    let entries =
        entries.iter().map(|&(node, weight, subtree)| MaskEntry { node: at(node), weight, subtree });
    let mask = Mask::new(rig, &entries.collect::<Vec<_>>());
    every_node(rig).map(|node| mask.weight(node)).collect()
}

#[test]
fn the_nearest_entry_above_a_node_counts() {
    let rig = rig(body());
    assert_eq!(weights(&rig, &[]), [0.0; 5]);
    assert_eq!(weights(&rig, &[(1, 1.0, true)]), [0.0, 1.0, 1.0, 0.0, 0.0]);
    assert_eq!(weights(&rig, &[(0, 1.0, true), (3, 0.0, true)]), [1.0, 1.0, 1.0, 0.0, 0.0]);
    assert_eq!(weights(&rig, &[(2, 0.5, true), (0, 1.0, true)]), [1.0, 1.0, 0.5, 1.0, 1.0]);
}

#[test]
fn an_entry_for_a_node_alone_hides_nothing_from_its_children() {
    let rig = rig(body());
    assert_eq!(weights(&rig, &[(0, 1.0, true), (1, 0.25, false)]), [1.0, 0.25, 1.0, 1.0, 1.0]);
    assert_eq!(weights(&rig, &[(1, 0.25, false), (1, 0.75, true)]), [0.0, 0.25, 0.75, 0.0, 0.0]);
    assert_eq!(weights(&rig, &[(1, 0.25, false)]), [0.0, 0.25, 0.0, 0.0, 0.0]);
}

#[test]
fn a_mask_weight_lies_between_0_and_1_whatever_is_asked() {
    let rig = rig(body());
    let asked = [(0, f32::NAN, false), (1, -1.0, false), (2, 7.0, false), (3, f32::INFINITY, false)];
    assert_eq!(weights(&rig, &asked), [0.0, 0.0, 1.0, 1.0, 0.0]);
}

#[test]
fn masked_nodes_keep_their_bits_and_whole_ones_take_the_others() {
    for seed in SEEDS {
        let mut random = Random::new(seed);
        let rig = rig(any_model(&mut random));
        let one = sampled_from(&rig, first_clip(), 0.1);
        let other = sampled_from(&rig, second_clip(), 0.3);
        let entries: Vec<_> = every_node(&rig)
            .map(|node| MaskEntry { node, weight: [0.0, 0.5, 1.0][random.below(3)], subtree: false })
            .collect();
        let mask = Mask::new(&rig, &entries);
        let mut blended = one.clone();
        blend_masked_into(&mut blended, &other, 1.0, &mask);
        let mut half = one.clone();
        blend_into(&mut half, &other, 0.5);
        for entry in &entries {
            let expected = match entry.weight {
                0.0 => &one,
                1.0 => &other,
                _ => &half,
            };
            assert_eq!(blended.srt(entry.node), expected.srt(entry.node), "seed {seed}, {entry:?}");
            let morph_weights = expected.morph_weights(&rig, entry.node);
            assert_eq!(blended.morph_weights(&rig, entry.node), morph_weights, "seed {seed}, {entry:?}");
        }
        for weight in [0.0, -1.0, f32::NAN] {
            let mut kept = one.clone();
            blend_masked_into(&mut kept, &other, weight, &mask);
            assert_eq!(bits(&rig, &kept), bits(&rig, &one), "seed {seed}, weight {weight}");
        }
    }
}

#[test]
fn S67_an_upper_body_of_weight_1_leaves_the_legs_alone() {
    let turn = |node: usize, angle: f32| {
        let values = TrackValues::Rotation([0.0, angle].map(Quat::from_rotation_x).into());
        track(node, Interpolation::Linear, &[0.0, 1.0], values)
    };
    let run = clip("run", (0..5).map(|node| turn(node, 0.5)).collect());
    let shoot = clip("shoot", (0..5).map(|node| turn(node, -1.0)).collect());
    let rig = rig(Model { clips: vec![run, shoot], ..body() });
    let upper_body = Mask::new(&rig, &[MaskEntry { node: at(1), weight: 1.0, subtree: true }]);
    let (run, shoot) = (sampled_from(&rig, first_clip(), 0.7), sampled_from(&rig, second_clip(), 0.4));
    let mut pose = run.clone();
    blend_masked_into(&mut pose, &shoot, 1.0, &upper_body);
    let from_shoot = [1, 2];
    for node in 0..5 {
        let expected = if from_shoot.contains(&node) { &shoot } else { &run };
        assert_eq!(pose.srt(at(node)), expected.srt(at(node)), "node {node}");
    }
}

#[test]
fn S68_one_joint_alone_is_driven_by_its_own_clip() {
    let wag = vec![
        track(2, Interpolation::Linear, &[0.0, 1.0], TrackValues::Translation(vec![Vec3::ZERO, Vec3::X])),
        track(2, Interpolation::Linear, &[0.0, 1.0], TrackValues::Scale(vec![Vec3::ONE, Vec3::ONE * 3.0])),
        track(
            2,
            Interpolation::Linear,
            &[0.0, 1.0],
            TrackValues::Rotation([0.0, 1.0].map(Quat::from_rotation_y).into()),
        ),
    ];
    let rig = rig(Model { clips: vec![clip("wag", wag)], ..body() });
    let mut under = LocalPose::rest(&rig);
    for node in every_node(&rig) {
        under.set_srt(node, turned(Quat::from_rotation_z(0.3)));
    }
    let alone = Mask::new(&rig, &[MaskEntry { node: at(2), weight: 1.0, subtree: false }]);
    let mut pose = under.clone();
    blend_masked_into(&mut pose, &over(&rig, first_clip(), 0.5, &under), 1.0, &alone);
    for node in [0, 1, 3, 4].map(at) {
        assert_eq!(pose.srt(node), under.srt(node));
    }
    let Srt { scale, rotation, translation } = pose.srt(at(2));
    assert_eq!((scale, translation), (Vec3::splat(2.0), Vec3::X * 0.5));
    assert!(rotation.abs_diff_eq(Quat::from_rotation_y(0.5), 1e-6));
}

// Additive motion.

#[test]
fn added_to_its_own_reference_a_clip_is_itself() {
    for seed in SEEDS {
        let mut model = any_model(&mut Random::new(seed));
        // A scale of zero has no ratio that restores it.
        model.clips[0].tracks.retain(|track| !matches!(track.values, TrackValues::Scale(_)));
        let rig = rig(model);
        let reference = sampled_from(&rig, first_clip(), 0.0);
        let sum = added(&rig, first_clip(), 0.4, &reference, &reference);
        let alone = sampled_from(&rig, first_clip(), 0.4);
        for node in every_node(&rig) {
            let (sum, alone) = (sum.srt(node), alone.srt(node));
            assert!(sum.translation.abs_diff_eq(alone.translation, 1e-6), "seed {seed}, {node:?}");
            assert!(sum.rotation.dot(alone.rotation).abs() > 1.0 - 1e-6, "seed {seed}, {node:?}");
        }
    }
}

#[test]
fn what_is_added_turns_first_in_the_nodes_own_frame() {
    let nod = [0.0, 0.5].map(|angle| Quat::from_rotation_z(1.0) * Quat::from_rotation_x(angle));
    let nod = track(0, Interpolation::Linear, &[0.0, 1.0], TrackValues::Rotation(nod.into()));
    let rig = rig(model(nodes(&[(None, Srt::IDENTITY)]), vec![clip("nod", vec![nod])]));
    let mut under = LocalPose::rest(&rig);
    let looking_left = Quat::from_rotation_y(0.8);
    under.set_srt(at(0), turned(looking_left));
    let pose = added(&rig, first_clip(), 1.0, &sampled(&rig, 0.0), &under);
    let expected = looking_left * Quat::from_rotation_x(0.5);
    assert!(pose.srt(at(0)).rotation.abs_diff_eq(expected, 1e-6));
}

#[test]
fn scales_multiply_and_a_scale_of_nothing_changes_nothing() {
    let values = TrackValues::Scale(vec![Vec3::new(0.5, 0.0, 1.0), Vec3::new(1.0, 9.0, -3.0)]);
    let grow = track(0, Interpolation::Linear, &[0.0, 1.0], values);
    let rig = rig(model(nodes(&[(None, Srt::IDENTITY)]), vec![clip("grow", vec![grow])]));
    let mut under = LocalPose::rest(&rig);
    under.set_srt(at(0), Srt { scale: Vec3::new(3.0, 4.0, 5.0), ..Srt::IDENTITY });
    let pose = added(&rig, first_clip(), 1.0, &sampled(&rig, 0.0), &under);
    assert_eq!(pose.srt(at(0)).scale, Vec3::new(6.0, 4.0, -15.0));
}

#[test]
fn S84_morph_weights_are_animated_by_tracks_and_blended_together() {
    let weights = |from: f32, to: f32| {
        let values = TrackValues::MorphWeights(vec![from, 0.25, to, 0.25]);
        clip("weights", vec![track(0, Interpolation::Linear, &[0.0, 1.0], values)])
    };
    let mut model = Model { clips: vec![weights(0.0, 1.0), weights(0.5, 0.0)], ..body() };
    model.meshes.push(Mesh { morph_target_names: vec!["smile".into(), "blink".into()], ..Mesh::default() });
    model.nodes[0].mesh = Some(MeshIndex::new(0));
    model.nodes[0].rest_morph_weights = vec![0.0; 2];
    let rig = rig(model);
    let (one, other) = (sampled_from(&rig, first_clip(), 0.5), sampled_from(&rig, second_clip(), 0.5));
    assert_eq!(one.morph_weights(&rig, at(0)), [0.5, 0.25]);
    let mut blended = one.clone();
    blend_into(&mut blended, &other, 0.5);
    assert_eq!(blended.morph_weights(&rig, at(0)), [0.375, 0.25]);
    // In a mask, morph weights use the weight of their node.
    let mut masked = one.clone();
    let half = Mask::new(&rig, &[MaskEntry { node: at(0), weight: 0.5, subtree: false }]);
    blend_masked_into(&mut masked, &other, 1.0, &half);
    assert_eq!(masked.morph_weights(&rig, at(0)), [0.375, 0.25]);
    // Additive clips add the difference from their reference.
    let sum = added(&rig, second_clip(), 1.0, &sampled_from(&rig, second_clip(), 0.0), &one);
    assert_eq!(sum.morph_weights(&rig, at(0)), [0.0, 0.25]);
}
