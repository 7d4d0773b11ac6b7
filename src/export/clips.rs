//! Clips: a sampler and a channel for each track; for matrices that shear, those of two nodes.
use super::Shears;
use super::baking::{Baked, HalvingsLeft, baked};
use super::binary::{Binary, Element, Numbers, Usage};
use super::early_keys::from_zero;
use super::json_text::{Json, Object};
use super::keys::{Plan, Precision};
use super::nodes::{Nodes, number_of};
use super::notes::{Change, Notes};
use super::split::Split;
use super::streams::Stream;
use crate::model::{Clip, Interpolation, Model, Srt, Track, TrackValues};
use glam::{Affine3A, Mat4, Quat, Vec4};
use std::collections::BTreeMap;
use std::sync::Arc;

/// How keys are stored.
#[derive(Clone, Copy)]
pub(super) struct Layout {
    pub(super) shears: Shears,
    pub(super) is_compressed: bool,
}

/// Writes the clips with the tracks of their plans. `has_morphs` returns whether the node of a morph weights track has
/// a mesh in the file.
pub(super) fn clips(
    model: &Model,
    plans: &[Plan],
    nodes: &Nodes<'_>,
    has_morphs: impl Fn(&Track) -> bool,
    layout: Layout,
    binary: &mut Binary,
    notes: &mut Notes,
) -> Vec<Json> {
    let mut halvings_left = HalvingsLeft::default();
    let mut written = Vec::with_capacity(model.clips.len());
    for (index, (clip, plan)) in model.clips.iter().zip(plans).enumerate() {
        let mut writer = Writer {
            binary: &mut *binary,
            keeps_early_keys: layout.shears == Shears::Kept,
            is_compressed: layout.is_compressed,
            samplers: Vec::new(),
            known: BTreeMap::new(),
            channels: Vec::new(),
        };
        let mut statistics = BakeStatistics::default();
        for track in &plan.tracks {
            let precision = plan.precision(track);
            let node = number_of(model, track.node);
            match (&track.values, nodes.pair(track.node)) {
                (TrackValues::MorphWeights(_), _) if !has_morphs(track) => {}
                (TrackValues::Matrix(matrices), Some(pair)) => {
                    let baked = baked(
                        &track.key_times_secs,
                        matrices,
                        track.interpolation,
                        &pair.rest,
                        &mut halvings_left,
                    );
                    statistics.add(&baked);
                    writer.baked(node, pair.outer, &baked.keys, track.interpolation);
                }
                _ => writer.track(node, &track.key_times_secs, &track.values, track.interpolation, precision),
            }
        }
        if !clip.property_tracks.is_empty() {
            notes.add(Change::PropertyTracksLeftOut, "animations", index, &clip.name);
        }
        if writer.channels.is_empty() {
            notes.add(Change::ClipWithoutTracks, "animations", index, &clip.name);
            continue;
        }
        if statistics.track_count > 0 {
            notes.add(Change::MatrixKeysBaked, "animations", index, &statistics.summary(clip));
        }
        let Writer { samplers, channels, .. } = writer;
        let clip = Object::new().with_name(&clip.name).with("channels", channels).with("samplers", samplers);
        written.push(clip.into());
    }
    written
}

struct Writer<'a> {
    binary: &'a mut Binary,
    /// Whether keys before time 0 are kept, which only Gambol's player reads.
    keeps_early_keys: bool,
    is_compressed: bool,
    samplers: Vec<Json>,
    /// Samplers by input, output and interpolation. Tracks that are still often have the same.
    known: BTreeMap<(usize, usize, &'static str), usize>,
    channels: Vec<Json>,
}

impl Writer<'_> {
    fn track(
        &mut self,
        node: usize,
        times: &[f32],
        values: &TrackValues,
        interpolation: Interpolation,
        precision: Option<&Precision>,
    ) {
        let (path, element, numbers) = match values {
            TrackValues::Translation(values) => ("translation", Element::Vec3, numbers(values)),
            TrackValues::Scale(values) => ("scale", Element::Vec3, numbers(values)),
            TrackValues::Rotation(values) => ("rotation", Element::Vec4, rotations(values, interpolation)),
            TrackValues::MorphWeights(values) => ("weights", Element::Scalar, numbers(values)),
            TrackValues::Matrix(values) => ("matrix", Element::Mat4, matrices(values)),
        };
        let is_rotation = matches!(values, TrackValues::Rotation(_));
        let precision = precision.filter(|_| interpolation != Interpolation::CubicSpline);
        let cut = from_zero(times, &numbers, interpolation, is_rotation).filter(|_| !self.keeps_early_keys);
        let (times, numbers) = match &cut {
            Some((times, numbers)) => (&**times, &**numbers),
            None => (times, &*numbers),
        };
        // A spline with one key is constant, and glTF requires two keys for a spline. The value is between its
        // tangents.
        let third = numbers.len() / 3;
        let (numbers, interpolation) = match interpolation {
            Interpolation::CubicSpline if times.len() == 1 => {
                (numbers.get(third..third * 2).unwrap_or_default(), Interpolation::Linear)
            }
            _ => (numbers, interpolation),
        };
        let (input, output) = if self.is_compressed {
            let rounded = precision.and_then(|precision| precision.stream(values, numbers));
            let output = rounded.unwrap_or_else(|| Stream::exact(element, numbers));
            let input = self.binary.packed(Usage::Keys, &Stream::exact(Element::Scalar, times), true);
            (input, self.binary.packed(Usage::Keys, &output, false))
        } else {
            let input = self.binary.accessor(Usage::Keys, Element::Scalar, Numbers::F32(times), true);
            (input, self.binary.accessor(Usage::Keys, element, Numbers::F32(numbers), false))
        };
        let interpolation = match interpolation {
            Interpolation::Step => "STEP",
            Interpolation::Linear => "LINEAR",
            Interpolation::CubicSpline => "CUBICSPLINE",
        };
        let sampler = *self.known.entry((input, output, interpolation)).or_insert_with(|| {
            let sampler = Object::new()
                .with("input", input)
                .with_unless("LINEAR", "interpolation", interpolation)
                .with("output", output);
            self.samplers.push(sampler.into());
            self.samplers.len() - 1
        });
        let target = Object::new().with("node", node).with("path", path);
        self.channels.push(Object::new().with("sampler", sampler).with("target", target).into());
    }

    /// Writes the tracks of two nodes. The outer node has all components except the inner node's rotation.
    fn baked(&mut self, node: usize, outer: usize, keys: &[(f32, Split)], interpolation: Interpolation) {
        let key_times_secs: Arc<[f32]> = keys.iter().map(|key| key.0).collect();
        let srts: Vec<Srt> = keys.iter().map(|(_, split)| split.outer()).collect();
        for (node, values) in [
            (outer, TrackValues::Translation(srts.iter().map(|srt| srt.translation).collect())),
            (outer, TrackValues::Rotation(srts.iter().map(|srt| srt.rotation).collect())),
            (outer, TrackValues::Scale(srts.iter().map(|srt| srt.scale).collect())),
            (node, TrackValues::Rotation(keys.iter().map(|(_, split)| split.inner()).collect())),
        ] {
            self.track(node, &key_times_secs, &values, interpolation, None);
        }
    }
}

fn numbers<T: bytemuck::NoUninit>(values: &[T]) -> Vec<f32> {
    bytemuck::cast_slice(values).to_vec()
}

/// Returns the rotations, normalised where glTF requires it. Tangents of a spline stay as they are.
fn rotations(values: &[Quat], interpolation: Interpolation) -> Vec<f32> {
    // A smaller deviation than the Khronos validator accepts.
    const TOLERANCE: f32 = 5e-3;
    let stride = interpolation.elements_per_key();
    let mut values = values.to_vec();
    for rotation in values.iter_mut().skip(stride / 2).step_by(stride) {
        if (rotation.length() - 1.0).abs() > TOLERANCE {
            *rotation = Vec4::from(*rotation).try_normalize().map_or(Quat::IDENTITY, Quat::from_vec4);
        }
    }
    numbers(&values)
}

fn matrices(values: &[Affine3A]) -> Vec<f32> {
    values.iter().flat_map(|&matrix| Mat4::from(matrix).to_cols_array()).collect()
}

/// Statistics of the tracks baked in one clip.
#[derive(Default)]
struct BakeStatistics {
    track_count: usize,
    key_count: usize,
    worst: f64,
}

impl BakeStatistics {
    fn add(&mut self, baked: &Baked) {
        self.track_count += 1;
        self.key_count += baked.keys.len();
        self.worst = self.worst.max(baked.worst);
    }

    fn summary(&self, clip: &Clip) -> String {
        let Self { track_count, key_count, worst } = self;
        let Clip { name, tracks, .. } = clip;
        let tracks = tracks.len();
        format!("{name}, {key_count} keys for {track_count} of {tracks} tracks, off by {worst:.0e} at most")
    }
}
