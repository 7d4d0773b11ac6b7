//! Clips: a sampler and a channel for each track, and two nodes' worth of them where matrices shear.
use super::baking::{Baked, HalvingsLeft, baked};
use super::binary::{Binary, Element, Numbers, Usage};
use super::json_text::{Json, Object};
use super::nodes::{Nodes, Pair, number_of};
use super::notes::{Change, Notes};
use crate::model::{Clip, Interpolation, Model, Srt, Track, TrackValues};
use glam::{Affine3A, Mat4, Quat, Vec3, Vec4};

/// `has_morphs` says whether the morph weights of a track have something to weigh.
pub(super) fn clips(
    model: &Model,
    nodes: &Nodes<'_>,
    has_morphs: impl Fn(&Track) -> bool,
    binary: &mut Binary,
    notes: &mut Notes,
) -> Vec<Json> {
    let mut halvings_left = HalvingsLeft::default();
    let mut written = Vec::with_capacity(model.clips.len());
    for (index, clip) in model.clips.iter().enumerate() {
        let mut writer = Writer { binary: &mut *binary, samplers: Vec::new(), channels: Vec::new() };
        let mut bakery = Bakery::default();
        for track in &clip.tracks {
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
                    bakery.add(&baked);
                    writer.baked(node, pair, &baked.keys, track.interpolation);
                }
                _ => writer.track(node, track),
            }
        }
        if writer.channels.is_empty() {
            notes.add(Change::ClipWithoutTracks, "animations", index, &clip.name);
            continue;
        }
        if bakery.track_count > 0 {
            notes.add(Change::MatrixKeysBaked, "animations", index, &bakery.about(clip));
        }
        let Writer { samplers, channels, .. } = writer;
        let clip = Object::new().with_name(&clip.name).with("channels", channels).with("samplers", samplers);
        written.push(clip.into());
    }
    written
}

struct Writer<'a> {
    binary: &'a mut Binary,
    samplers: Vec<Json>,
    channels: Vec<Json>,
}

impl Writer<'_> {
    fn track(&mut self, node: usize, track: &Track) {
        let times = &track.key_times_secs;
        // A spline of one key is a constant, which glTF says in one element.
        let lone = track.interpolation == Interpolation::CubicSpline && times.len() == 1;
        let interpolation = if lone { Interpolation::Linear } else { track.interpolation };
        let (path, element, numbers) = match &track.values {
            TrackValues::Translation(values) => {
                ("translation", Element::Vec3, bytemuck::cast_slice(values).to_vec())
            }
            TrackValues::Scale(values) => ("scale", Element::Vec3, bytemuck::cast_slice(values).to_vec()),
            TrackValues::Rotation(values) => {
                ("rotation", Element::Vec4, rotations(values, track.interpolation))
            }
            TrackValues::MorphWeights(values) => ("weights", Element::Scalar, values.clone()),
            TrackValues::Matrix(values) => ("matrix", Element::Mat4, matrices(values)),
        };
        let middle = numbers.len() / 3..numbers.len() / 3 * 2;
        let numbers = if lone { numbers.get(middle).unwrap_or_default() } else { &numbers };
        self.channel(node, path, times, element, numbers, interpolation);
    }

    /// The outer node has all but the inner's rotation.
    fn baked(&mut self, node: usize, pair: &Pair, keys: &[(f32, super::split::Split)], how: Interpolation) {
        let times: Vec<f32> = keys.iter().map(|key| key.0).collect();
        let (mut translations, mut rotations, mut scales) = (Vec::new(), Vec::new(), Vec::new());
        for (_, split) in keys {
            let Srt { scale, rotation, translation } = split.outer();
            translations.push(translation);
            rotations.push(rotation);
            scales.push(scale);
        }
        let inner: Vec<Quat> = keys.iter().map(|(_, split)| split.inner()).collect();
        let vectors: fn(&[Vec3]) -> &[f32] = bytemuck::cast_slice;
        let turns: fn(&[Quat]) -> &[f32] = bytemuck::cast_slice;
        self.channel(pair.outer, "translation", &times, Element::Vec3, vectors(&translations), how);
        self.channel(pair.outer, "rotation", &times, Element::Vec4, turns(&rotations), how);
        self.channel(pair.outer, "scale", &times, Element::Vec3, vectors(&scales), how);
        self.channel(node, "rotation", &times, Element::Vec4, turns(&inner), how);
    }

    fn channel(
        &mut self,
        node: usize,
        path: &str,
        times: &[f32],
        element: Element,
        numbers: &[f32],
        interpolation: Interpolation,
    ) {
        let input = self.binary.accessor(Usage::Keys, Element::Scalar, Numbers::F32(times), true);
        let output = self.binary.accessor(Usage::Keys, element, Numbers::F32(numbers), false);
        let interpolation = match interpolation {
            Interpolation::Step => "STEP",
            Interpolation::Linear => "LINEAR",
            Interpolation::CubicSpline => "CUBICSPLINE",
        };
        let sampler = Object::new()
            .with("input", input)
            .with_unless("LINEAR", "interpolation", interpolation)
            .with("output", output);
        let target = Object::new().with("node", node).with("path", path);
        self.channels.push(Object::new().with("sampler", self.samplers.len()).with("target", target).into());
        self.samplers.push(sampler.into());
    }
}

/// As they are where glTF takes them for rotations, else at unit length; a spline's tangents have any.
fn rotations(values: &[Quat], interpolation: Interpolation) -> Vec<f32> {
    // Less than what the Khronos validator lets pass.
    const TOLERANCE: f32 = 5e-3;
    let stride = interpolation.elements_per_key();
    let mut values = values.to_vec();
    for rotation in values.iter_mut().skip(stride / 2).step_by(stride) {
        if (rotation.length() - 1.0).abs() > TOLERANCE {
            *rotation = Vec4::from(*rotation).try_normalize().map_or(Quat::IDENTITY, Quat::from_vec4);
        }
    }
    bytemuck::cast_slice(&values).to_vec()
}

fn matrices(values: &[Affine3A]) -> Vec<f32> {
    values.iter().flat_map(|&matrix| Mat4::from(matrix).to_cols_array()).collect()
}

/// What was baked in one clip.
#[derive(Default)]
struct Bakery {
    track_count: usize,
    key_count: usize,
    worst: f64,
}

impl Bakery {
    fn add(&mut self, baked: &Baked) {
        self.track_count += 1;
        self.key_count += baked.keys.len();
        self.worst = self.worst.max(baked.worst);
    }

    fn about(&self, clip: &Clip) -> String {
        let Self { track_count, key_count, worst } = self;
        format!("{}, {track_count} tracks, now {key_count} keys, off by {worst:.0e} at most", clip.name)
    }
}
