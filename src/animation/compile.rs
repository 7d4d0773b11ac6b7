//! From a clip's tracks to what sampling reads. Runs once for each clip, when it is first sampled.
//!
//! 1. Tracks with one key, or whose keys are all equal, become part of the base pose.
//! 2. Equal key times become one timeline, searched once for all its tracks.
//! 3. The tracks of four neighbouring nodes become one batch; where their interpolations differ, one for each.
//!    Lanes that aren't keyed keep their constant, bit for bit.
//! 4. Batches alike stand together: those of one timeline key by key, those of several lane by lane.
use super::LocalPose;
use super::channel::{Channel, Fill, KeyedApart, KeyedTogether, SampleInto, Target};
use super::cursor::{ClipCursor, Phase, Timeline};
use super::interpolate::{
    Interpolate, LongArc, RotationSpline, SHORT_ARC, ShortArc, Spline, Step, Straight, widest_arc,
};
use super::morphs::MorphRows;
use super::over::KeyedLanes;
use super::pose::put;
use super::simd::{Components, LANES, denoised, marks};
use crate::model::{Clip, Interpolation, Srt, Track, TrackValues};
use glam::{Quat, Vec3, Vec4};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// A clip in its runtime form.
pub(super) struct CompiledClip {
    duration_secs: f32,
    timelines: Vec<Timeline>,
    translations: Channel<3>,
    rotations: Channel<4>,
    scales: Channel<3>,
    morph_weights: Channel<1>,
    keyed: KeyedLanes,
}

impl CompiledClip {
    pub(super) fn new(clip: &Clip, rest: &LocalPose, morphs: &MorphRows) -> Self {
        let mut timelines = Timelines::default();
        let mut translations = Lanes::over(rest.translations.clone());
        let mut rotations = Lanes::over(rest.rotations.clone());
        let mut scales = Lanes::over(rest.scales.clone());
        let mut morph_weights = Lanes::over(rest.morph_weights.clone());
        for track in &clip.tracks {
            let node = track.node.get();
            match &track.values {
                TrackValues::Translation(values) => {
                    let elements = values.iter().map(|value| value.to_array()).collect();
                    translations.set(node, track, elements, &mut timelines);
                }
                TrackValues::Rotation(values) => {
                    let elements = values.iter().map(|value| value.to_array()).collect();
                    rotations.set(node, track, elements, &mut timelines);
                }
                TrackValues::Scale(values) => {
                    let elements = values.iter().map(|value| value.to_array()).collect();
                    scales.set(node, track, elements, &mut timelines);
                }
                TrackValues::MorphWeights(values) => {
                    let target_count = morphs.target_count(track.node);
                    for target in 0..target_count {
                        let elements = values
                            .iter()
                            .skip(target)
                            .step_by(target_count)
                            .map(|&weight| [weight])
                            .collect();
                        let lane = morphs.first_row(track.node) * LANES + target;
                        morph_weights.set(lane, track, elements, &mut timelines);
                    }
                }
            }
        }
        Self {
            keyed: KeyedLanes {
                translations: std::mem::take(&mut translations.marks),
                rotations: std::mem::take(&mut rotations.marks),
                scales: std::mem::take(&mut scales.marks),
                morph_weights: std::mem::take(&mut morph_weights.marks),
            },
            duration_secs: clip.duration_secs,
            translations: translations.compile(&timelines, Kind::of_vector, encode_vectors),
            rotations: rotations.compile(&timelines, Kind::of_rotation, encode_rotations),
            scales: scales.compile(&timelines, Kind::of_vector, encode_vectors),
            morph_weights: morph_weights.compile(&timelines, Kind::of_vector, encode_weights),
            timelines: timelines.0,
        }
    }

    pub(super) fn sample_into(&self, time_secs: f32, cursor: &mut ClipCursor, pose: &mut LocalPose) {
        let phases = cursor.seek(&self.timelines, self.within(time_secs));
        self.translations.sample_into(phases, &mut pose.translations);
        self.rotations.sample_into(phases, &mut pose.rotations);
        self.scales.sample_into(phases, &mut pose.scales);
        self.morph_weights.sample_into(phases, &mut pose.morph_weights);
    }
}

impl CompiledClip {
    /// The pose of the only node, without a cursor: where it moves, it has three timelines at most.
    pub(super) fn srt_at(&self, time_secs: f32) -> Srt {
        let time_secs = self.within(time_secs);
        let mut phases = [Phase::default(); 3];
        for (phase, timeline) in phases.iter_mut().zip(&self.timelines) {
            *phase = timeline.phase_at(time_secs, 0);
        }
        let (mut translation, mut rotation, mut scale) =
            ([[Vec4::ZERO; 3]], [[Vec4::ZERO; 4]], [[Vec4::ZERO; 3]]);
        self.translations.sample_into(&phases, &mut translation);
        self.rotations.sample_into(&phases, &mut rotation);
        self.scales.sample_into(&phases, &mut scale);
        Srt {
            translation: Vec3::from_array(translation[0].map(|lanes| lanes.x)),
            rotation: Quat::from_array(rotation[0].map(|lanes| lanes.x)),
            scale: Vec3::from_array(scale[0].map(|lanes| lanes.x)),
        }
    }

    /// NaN becomes 0: whatever the page computed, there is a pose to show.
    fn within(&self, time_secs: f32) -> f32 {
        let time_secs = if time_secs > 0.0 { time_secs } else { 0.0 };
        if time_secs < self.duration_secs { time_secs } else { self.duration_secs }
    }

    pub(super) fn keyed(&self) -> &KeyedLanes {
        &self.keyed
    }
}

impl fmt::Debug for CompiledClip {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The rest is thousands of numbers that the model shows better.
        let mut shown = formatter.debug_struct("CompiledClip");
        shown.field("duration_secs", &self.duration_secs).finish_non_exhaustive()
    }
}

#[derive(Default)]
struct Timelines(Vec<Timeline>);

impl Timelines {
    fn index_of(&mut self, times_secs: &Arc<[f32]>) -> usize {
        let same = |held: &Timeline| Arc::ptr_eq(&held.0, times_secs) || held.0 == *times_secs;
        self.0.iter().position(same).unwrap_or_else(|| {
            self.0.push(Timeline(times_secs.clone()));
            self.0.len() - 1
        })
    }
}

/// How a batch is interpolated. Batches are sampled in this order, so a group's first kind lays down its constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Step,
    Straight,
    ShortArc,
    LongArc,
    Spline,
}

impl Kind {
    fn of_vector<const N: usize>(interpolation: Interpolation, _elements: &[[f32; N]]) -> Self {
        match interpolation {
            Interpolation::Step => Self::Step,
            Interpolation::Linear => Self::Straight,
            Interpolation::CubicSpline => Self::Spline,
        }
    }

    fn of_rotation(interpolation: Interpolation, elements: &[[f32; 4]]) -> Self {
        match interpolation {
            Interpolation::Step => Self::Step,
            Interpolation::Linear if widest_arc(elements) <= SHORT_ARC => Self::ShortArc,
            Interpolation::Linear => Self::LongArc,
            Interpolation::CubicSpline => Self::Spline,
        }
    }
}

/// A keyed lane, decoded from its track.
#[derive(Clone)]
struct Lane<const N: usize> {
    interpolation: Interpolation,
    timeline: usize,
    elements: Vec<[f32; N]>,
}

/// The lanes of one property, keyed or constant.
struct Lanes<const N: usize> {
    base: Vec<[Vec4; N]>,
    keyed: Vec<[Option<Lane<N>>; LANES]>,
    /// As [`KeyedLanes`] has them.
    marks: Vec<u8>,
}

impl<const N: usize> Lanes<N> {
    fn over(base: Vec<[Vec4; N]>) -> Self {
        let keyed = base.iter().map(|_| [const { None }; LANES]).collect();
        Self { marks: vec![0; base.len()], base, keyed }
    }

    /// Of two tracks for one lane the later counts.
    fn set(&mut self, index: usize, track: &Track, mut elements: Vec<[f32; N]>, timelines: &mut Timelines) {
        elements.as_flattened_mut().iter_mut().for_each(|number| *number = denoised(*number));
        let (group, lane) = (index / LANES, index % LANES);
        self.marks[group] |= 1 << lane;
        let constant = constant_value(track.interpolation, &elements);
        if let Some(value) = constant {
            put(&mut self.base[group], lane, value);
        }
        self.keyed[group][lane] = constant.is_none().then(|| Lane {
            interpolation: track.interpolation,
            timeline: timelines.index_of(&track.key_times_secs),
            elements,
        });
    }

    fn compile(
        self,
        timelines: &Timelines,
        kind_of: impl Fn(Interpolation, &[[f32; N]]) -> Kind,
        encode: impl Fn(Kind, Batches<'_, N>) -> Box<dyn SampleInto<N>>,
    ) -> Channel<N> {
        let mut unkeyed = Vec::new();
        let mut batches = BTreeMap::<(Kind, Option<usize>), Vec<Batch<N>>>::new();
        for (group, (base, keyed)) in self.base.iter().zip(self.keyed).enumerate() {
            let mut kinds = keyed
                .each_ref()
                .map(|lane| lane.as_ref().map(|lane| kind_of(lane.interpolation, &lane.elements)));
            if kinds.contains(&Some(Kind::LongArc)) {
                // The exacter kind serves both, and one batch is cheaper than two.
                kinds.iter_mut().filter(|kind| **kind == Some(Kind::ShortArc)).for_each(|kind| {
                    *kind = Some(Kind::LongArc);
                });
            }
            let mut distinct: Vec<Kind> = kinds.iter().copied().flatten().collect();
            distinct.sort_unstable();
            distinct.dedup();
            if distinct.is_empty() {
                unkeyed.push(group);
            }
            for (order, &kind) in distinct.iter().enumerate() {
                let is_ours = kinds.map(|lane_kind| lane_kind == Some(kind));
                let fill = match is_ours.contains(&false) {
                    false => Fill::Whole,
                    true if order == 0 => Fill::OverConstant(marks(is_ours), *base),
                    true => Fill::OverHeld(marks(is_ours)),
                };
                let batch = Batch::new(Target { group, fill }, kind, base, &keyed, is_ours, timelines);
                batches.entry((kind, batch.shared_timeline())).or_default().push(batch);
            }
        }
        let batches = batches.into_iter().map(|((kind, timeline), batches)| {
            encode(kind, Batches { shared_timeline: timeline, batches, timelines })
        });
        Channel { batches: batches.collect(), base: self.base, unkeyed }
    }
}

/// The one value that the elements always give, if they do.
fn constant_value<const N: usize>(interpolation: Interpolation, elements: &[[f32; N]]) -> Option<[f32; N]> {
    match interpolation {
        Interpolation::Step | Interpolation::Linear => {
            let first = *elements.first()?;
            elements.iter().all(|&element| element == first).then_some(first)
        }
        Interpolation::CubicSpline => {
            let (keys, _) = elements.as_chunks::<3>();
            let [_, first, _] = *keys.first()?;
            let flat = |[arriving, value, leaving]: &[[f32; N]; 3]| {
                *value == first && *arriving == [0.0; N] && *leaving == [0.0; N]
            };
            (keys.len() == 1 || keys.iter().all(flat)).then_some(first)
        }
    }
}

/// Four lanes of one group, all with keys: those that aren't keyed repeat their constant.
struct Batch<const N: usize> {
    target: Target<N>,
    timelines: [usize; LANES],
    elements: [Vec<[f32; N]>; LANES],
}

impl<const N: usize> Batch<N> {
    fn new(
        target: Target<N>,
        kind: Kind,
        base: &[Vec4; N],
        keyed: &[Option<Lane<N>>; LANES],
        is_ours: [bool; LANES],
        timelines: &Timelines,
    ) -> Self {
        let ours = |lane: usize| keyed[lane].as_ref().filter(|_| is_ours[lane]);
        let any_timeline = (0..LANES).find_map(|lane| Some(ours(lane)?.timeline)).unwrap_or(0);
        let constant = |lane: usize| {
            let value = base.map(|component| component[lane]);
            let key: &[[f32; N]] = match kind {
                Kind::Spline => &[[0.0; N], value, [0.0; N]],
                _ => &[value],
            };
            key.repeat(timelines.0[any_timeline].0.len())
        };
        Self {
            target,
            timelines: std::array::from_fn(|lane| ours(lane).map_or(any_timeline, |lane| lane.timeline)),
            elements: std::array::from_fn(|lane| {
                ours(lane).map_or_else(|| constant(lane), |lane| lane.elements.clone())
            }),
        }
    }

    fn shared_timeline(&self) -> Option<usize> {
        let first = self.timelines[0];
        self.timelines.iter().all(|&timeline| timeline == first).then_some(first)
    }
}

/// Batches of one kind, before their keys take the form that the kind wants.
struct Batches<'a, const N: usize> {
    shared_timeline: Option<usize>,
    batches: Vec<Batch<N>>,
    timelines: &'a Timelines,
}

impl<const N: usize> Batches<'_, N>
where
    [Vec4; N]: Components,
{
    fn encode<I: Interpolate<N, K>, const K: usize>(self) -> Box<dyn SampleInto<N>> {
        let lanes: Vec<[Vec<[f32; K]>; LANES]> = (self.batches.iter())
            .map(|batch| {
                std::array::from_fn(|lane| {
                    I::encode(&self.timelines.0[batch.timelines[lane]].0, &batch.elements[lane])
                })
            })
            .collect();
        let timelines: Vec<_> = self.batches.iter().map(|batch| batch.timelines).collect();
        let targets = self.batches.into_iter().map(|batch| batch.target).collect();
        match self.shared_timeline {
            Some(timeline) => Box::new(KeyedTogether::<I, N, K>::new(timeline, targets, &lanes)),
            None => Box::new(KeyedApart::<I, N, K>::new(targets, &timelines, &lanes)),
        }
    }
}

fn encode_vectors(kind: Kind, batches: Batches<'_, 3>) -> Box<dyn SampleInto<3>> {
    match kind {
        Kind::Step => batches.encode::<Step, 3>(),
        Kind::Spline => batches.encode::<Spline, 9>(),
        Kind::Straight | Kind::ShortArc | Kind::LongArc => batches.encode::<Straight, 3>(),
    }
}

fn encode_rotations(kind: Kind, batches: Batches<'_, 4>) -> Box<dyn SampleInto<4>> {
    match kind {
        Kind::Step => batches.encode::<Step, 4>(),
        Kind::ShortArc => batches.encode::<ShortArc, 6>(),
        Kind::Straight | Kind::LongArc => batches.encode::<LongArc, 8>(),
        Kind::Spline => batches.encode::<RotationSpline, 12>(),
    }
}

fn encode_weights(kind: Kind, batches: Batches<'_, 1>) -> Box<dyn SampleInto<1>> {
    match kind {
        Kind::Step => batches.encode::<Step, 1>(),
        Kind::Spline => batches.encode::<Spline, 3>(),
        Kind::Straight | Kind::ShortArc | Kind::LongArc => batches.encode::<Straight, 1>(),
    }
}
