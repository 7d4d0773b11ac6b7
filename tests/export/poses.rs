//! Poses of two models that should be the same, node by node of their file, by the slow plain evaluator.
use gambol::animation::reference::{ReferencePose, skin_matrices};
use gambol::model::{ClipIndex, Model, NodeIndex, SkinIndex};
use glam::{DAffine3, DVec3};

/// How far two models are apart at rest and in each clip at that many times, beside the size of the first.
pub(crate) fn worst_difference(before: &Model, after: &Model, time_count: usize) -> f64 {
    let mut worst = difference(before, after, &ReferencePose::rest(before), &ReferencePose::rest(after));
    let lost = |clip: &gambol::model::Clip| clip.tracks.is_empty();
    let kept: Vec<usize> = (0..before.clips.len()).filter(|&clip| !lost(&before.clips[clip])).collect();
    assert_eq!(kept.len(), after.clips.len());
    for (now, then) in kept.into_iter().enumerate() {
        let (clip, back) = (&before.clips[then], &after.clips[now]);
        assert_eq!((&clip.name, clip.duration_secs), (&back.name, back.duration_secs));
        for step in 0..=time_count {
            // Past the end too, and nowhere near the keys.
            let secs = clip.duration_secs * 1.03 * step as f32 / time_count as f32;
            let [before_pose, after_pose] = [(before, then), (after, now)]
                .map(|(model, clip)| ReferencePose::sample(model, ClipIndex::new(clip), secs));
            worst = worst.max(difference(before, after, &before_pose, &after_pose));
        }
    }
    worst
}

fn difference(before: &Model, after: &Model, before_pose: &ReferencePose, after_pose: &ReferencePose) -> f64 {
    let (from_nodes, to_nodes) = (before_pose.resolve(before), after_pose.resolve(after));
    let size = from_nodes.iter().map(|node| node.translation.length()).fold(1.0, f64::max);
    let mut worst = 0.0_f64;
    let mut compare = |from: &DAffine3, to: &DAffine3| {
        let linear = from.matrix3.to_cols_array().into_iter().map(f64::abs).fold(1.0, f64::max);
        let turned =
            (from.matrix3 - to.matrix3).to_cols_array().into_iter().map(f64::abs).fold(0.0, f64::max);
        let moved = largest(from.translation - to.translation);
        assert!(turned.is_finite() && moved.is_finite());
        worst = worst.max(turned / linear).max(moved / size);
    };
    for (&node, &back) in before.node_from_source.iter().zip(&after.node_from_source) {
        compare(&from_nodes[node.get()], &to_nodes[back.get()]);
    }
    let skins = before.skins.iter().enumerate().filter(|(_, skin)| !skin.joints.is_empty());
    for (now, (then, _)) in skins.enumerate() {
        let from = skin_matrices(before, SkinIndex::new(then), &from_nodes);
        let to = skin_matrices(after, SkinIndex::new(now), &to_nodes);
        assert_eq!(from.len(), to.len());
        from.iter().zip(&to).for_each(|(from, to)| compare(from, to));
    }
    for (&node, &back) in before.node_from_source.iter().zip(&after.node_from_source) {
        let weights = |pose: &ReferencePose, node: NodeIndex| pose.morph_weights[node.get()].clone();
        let (from, to) = (weights(before_pose, node), weights(after_pose, back));
        assert_eq!(from.len(), to.len());
        from.iter().zip(&to).for_each(|(from, to)| worst = worst.max((from - to).abs()));
    }
    worst
}

fn largest(vector: DVec3) -> f64 {
    vector.abs().max_element()
}
