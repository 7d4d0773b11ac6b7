//! Models small enough to know by heart.

use gambol::model::{Clip, Interpolation, Model, Node, NodeIndex, Srt, Track, TrackValues};
use glam::Vec3;
use std::sync::Arc;

/// One node that moves along x: in clip `slide` as many units as seconds have passed, up to two; in clip `stay` it
/// stands at x = 10 for four seconds; clip `pose` is one key at x = 5.
pub(crate) fn slider() -> Model {
    let node = Node {
        name: "slider".into(),
        parent: None,
        rest: Srt::IDENTITY,
        sheared_rest: None,
        mesh: None,
        skin: None,
        camera: None,
        rest_morph_weights: Vec::new(),
        in_scene: true,
        source_index: 0,
    };
    Model {
        nodes: vec![node],
        clips: vec![
            clip("slide", &[(0.0, 0.0), (2.0, 2.0)]),
            clip("stay", &[(0.0, 10.0), (4.0, 10.0)]),
            clip("pose", &[(0.0, 5.0)]),
        ],
        node_from_source: vec![NodeIndex::new(0)],
        ..Model::default()
    }
}

fn clip(name: &str, keys: &[(f32, f32)]) -> Clip {
    let track = Track {
        node: NodeIndex::new(0),
        interpolation: Interpolation::Linear,
        key_times_secs: keys.iter().map(|key| key.0).collect::<Arc<[f32]>>(),
        values: TrackValues::Translation(keys.iter().map(|key| Vec3::X * key.1).collect()),
    };
    Clip { name: name.into(), duration_secs: keys.last().map_or(0.0, |key| key.0), tracks: vec![track] }
}
