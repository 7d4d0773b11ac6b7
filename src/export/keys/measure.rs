//! How far two versions of a clip are apart.
use super::reach::Reach;
use super::sampling::Sampled;
use crate::model::{Model, Track};
use crate::order::sort;
use glam::{Affine3A, Vec3};

/// Number of points and values that may still be computed, which bounds the time for a whole file.
pub(super) struct PointsLeft(usize);

impl Default for PointsLeft {
    fn default() -> Self {
        Self(200_000_000)
    }
}

/// Most points and values computed for one measurement. A clip with more is measured at fewer times.
const MOST_POINTS: usize = 8_000_000;

/// Returns the largest distance of a joint or a corner of a box between two versions of a clip, plus what morph targets
/// add. `None` if the file has too many keys to measure all of them.
///
/// It is measured at all keys of the first version and at three times between each two.
pub(super) fn farthest(
    model: &Model,
    before: &[Track],
    after: &[Track],
    reach: &Reach,
    points_left: &mut PointsLeft,
) -> Option<f32> {
    let mut times: Vec<f32> = before.iter().flat_map(|track| track.key_times_secs.iter().copied()).collect();
    sort(&mut times, |a, b| a < b);
    times.dedup();
    let quarters = |pair: &[f32]| match *pair {
        [a, b] => [0.25, 0.5, 0.75].map(|alpha| a + (b - a) * alpha),
        _ => [0.0; 3],
    };
    let between: Vec<f32> = times.windows(2).flat_map(quarters).collect();
    times.extend(between);
    let morph_count: usize = reach.levers.iter().map(|lever| lever.morph_weights.len()).sum();
    let points = ((reach.tips.len() + morph_count) * 2 + before.len() + after.len()).max(1);
    let step = times.len().div_ceil((MOST_POINTS / points).max(2)).max(1);
    points_left.0 = points_left.0.checked_sub(times.len().div_ceil(step) * points)?;

    let mut poses = [Pose::new(model, before), Pose::new(model, after)];
    let mut worst = 0.0_f32;
    // Times past the end catch the last key, whatever the step.
    for time_secs in times.into_iter().step_by(step).chain([f32::MAX]) {
        let [before, after] = &mut poses;
        before.move_to(time_secs);
        after.move_to(time_secs);
        let distance = |(node, tip): &(crate::model::NodeIndex, Vec3)| {
            let point =
                |pose: &Pose| pose.model_from_node.get(node.get()).map(|place| place.transform_point3(*tip));
            point(before).zip(point(after)).map_or(0.0, |(a, b)| a.distance(b))
        };
        let joints = reach.tips.iter().map(distance).fold(0.0, f32::max);
        let weights = before.nodes.iter().zip(&after.nodes).zip(&reach.levers);
        let morphs = weights.map(|((before, after), lever)| {
            let pairs = before.morph_weights.iter().zip(&after.morph_weights).zip(&lever.morph_weights);
            pairs.map(|((a, b), lever)| (a - b).abs() * lever).sum()
        });
        let error = joints + morphs.fold(0.0, f32::max);
        if !error.is_finite() {
            return None;
        }
        worst = worst.max(error);
    }
    Some(worst)
}

struct Pose<'a> {
    model: &'a Model,
    tracks: &'a [Track],
    nodes: Vec<Sampled>,
    model_from_node: Vec<Affine3A>,
}

impl<'a> Pose<'a> {
    fn new(model: &'a Model, tracks: &'a [Track]) -> Self {
        let rest = |node: &crate::model::Node| Sampled {
            srt: node.rest,
            matrix: node.sheared_rest,
            morph_weights: node.rest_morph_weights.clone(),
        };
        let nodes = model.nodes.iter().map(rest).collect();
        Self { model, tracks, nodes, model_from_node: Vec::with_capacity(model.nodes.len()) }
    }

    fn move_to(&mut self, time_secs: f32) {
        for track in self.tracks {
            if let Some(node) = self.nodes.get_mut(track.node.get()) {
                node.set(track, time_secs);
            }
        }
        self.model_from_node.clear();
        for (node, sampled) in self.model.nodes.iter().zip(&self.nodes) {
            let parent_from_node = sampled.matrix.unwrap_or_else(|| sampled.srt.parent_from_node());
            let above = node.parent.and_then(|parent| self.model_from_node.get(parent.get()));
            let place = above.map_or(parent_from_node, |above| *above * parent_from_node);
            self.model_from_node.push(place);
        }
    }
}
