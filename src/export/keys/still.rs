//! Properties that all clips leave at rest.
use super::reach::Lever;
use crate::model::{Interpolation, Model, Node, Track, TrackValues};
use glam::{Quat, Vec3, Vec4};
use std::collections::BTreeSet;

/// Properties whose tracks change nothing in any clip, layer or blend, because every key of every clip is the rest
/// value.
#[derive(Default)]
pub(super) struct Still(BTreeSet<(usize, u8)>);

impl Still {
    /// Finds properties whose keys move nothing farther than `metres` from rest.
    pub(super) fn of(model: &Model, levers: &[Lever], metres: f32) -> Self {
        let tracks = || model.clips.iter().flat_map(|clip| &clip.tracks);
        let mut still: BTreeSet<(usize, u8)> = tracks().map(property).collect();
        let none = Lever::default();
        for track in tracks() {
            let lever = levers.get(track.node.get()).unwrap_or(&none);
            let node = model.nodes.get(track.node.get());
            if node.is_none_or(|node| !is_at_rest(track, node, lever, metres)) {
                still.remove(&property(track));
            }
        }
        Self(still)
    }

    pub(super) fn contains(&self, track: &Track) -> bool {
        self.0.contains(&property(track))
    }
}

fn property(track: &Track) -> (usize, u8) {
    let path = match track.values {
        TrackValues::Translation(_) => 0,
        TrackValues::Rotation(_) => 1,
        TrackValues::Scale(_) => 2,
        TrackValues::MorphWeights(_) => 3,
        TrackValues::Matrix(_) => 4,
    };
    (track.node.get(), path)
}

/// Returns whether all keys are the rest value. Splines and morph weights are taken as moving.
fn is_at_rest(track: &Track, node: &Node, lever: &Lever, metres: f32) -> bool {
    if track.interpolation == Interpolation::CubicSpline {
        return false;
    }
    let near = |values: &[Vec3], rest: Vec3, lever: f32| {
        values.iter().all(|value| value.distance(rest) * lever <= metres && value.abs_diff_eq(rest, NEAR))
    };
    match &track.values {
        TrackValues::Translation(values) => near(values, node.rest.translation, lever.translation),
        TrackValues::Scale(values) => near(values, node.rest.scale, lever.scale),
        TrackValues::Rotation(values) => values.iter().all(|value: &Quat| {
            let (value, rest) = (Vec4::from(value.normalize()), Vec4::from(node.rest.rotation));
            let chord = value.distance(rest).min(value.distance(-rest));
            chord * 2.0 * lever.rotation <= metres && chord <= NEAR
        }),
        TrackValues::MorphWeights(_) | TrackValues::Matrix(_) => false,
    }
}

/// Largest difference of a value that counts as rounding of an exporter.
const NEAR: f32 = 1e-3;
