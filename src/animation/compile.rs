//! Compilation of a clip's tracks to the data that sampling reads. Runs once per clip, when it is first sampled.
//!
//! 1. Tracks with one key, or whose keys are all equal, become part of the base pose.
//! 2. Equal key times become one timeline, searched once for all its tracks. Stepped tracks have separate timelines.
//! 3. The tracks of four neighbouring nodes become one batch, or one batch per kind if their kinds differ. Lanes that
//!    aren't keyed keep their constant, bit for bit.
//! 4. Similar batches are stored together: those of one timeline key by key, those of several timelines lane by lane.
use super::channel::{Channel, Fill, SampleInto, SeparateGroup, SeparateTimelines, SharedTimeline, Target};
use super::cursor::{ClipCursor, Phase, Timeline};
use super::encode::Kind;
use super::interpolate::{Chord, Interpolate, LongArc, RotationSpline, ShortArc, Spline, Straight};
use super::over::KeyedLanes;
use super::pose::srt_of;
use super::scalars::ScalarRows;
use super::simd::{Components, LANES, denoised, marks, rows_from_affine};
use super::{LocalPose, Rotations};
use crate::model::{Clip, Interpolation, Srt, TrackValues};
use glam::Vec4;
use std::fmt;
use std::mem::take;
use std::ops::Range;
use std::sync::Arc;

/// Runtime form of a clip.
pub(super) struct CompiledClip {
    duration_secs: f32,
    timelines: Vec<Timeline>,
    translations: Channel<3>,
    rotations: Channel<4>,
    scales: Channel<3>,
    scalars: Channel<1>,
    keyed: KeyedLanes,
    bytes: usize,
}

impl CompiledClip {
    pub(super) fn new(clip: &Clip, rest: &LocalPose, scalar_rows: &ScalarRows, rotations: Rotations) -> Self {
        let mut timelines = Timelines::default();
        let mut translations = Lanes::over(rest.translations.as_flattened(), 3, None);
        let mut turns = Lanes::over(rest.rotations.as_flattened(), 4, Some(rotations));
        let mut scales = Lanes::over(rest.scales.as_flattened(), 3, None);
        let mut scalars = Lanes::over(rest.scalars.as_flattened(), 1, None);
        for track in &clip.tracks {
            let node = track.node.get();
            let keys = (&track.key_times_secs, track.interpolation);
            match &track.values {
                TrackValues::Translation(values) => {
                    translations.set(node, keys, bytemuck::cast_slice(values).to_vec(), &mut timelines);
                }
                TrackValues::Rotation(values) => {
                    turns.set(node, keys, bytemuck::cast_slice(values).to_vec(), &mut timelines);
                }
                TrackValues::Scale(values) => {
                    scales.set(node, keys, bytemuck::cast_slice(values).to_vec(), &mut timelines);
                }
                TrackValues::MorphWeights(values) => {
                    scalars.set_each(scalar_rows.weights_of(track.node), keys, values, &mut timelines);
                }
                TrackValues::Matrix(values) => {
                    let first_lane = scalar_rows.matrix_row(track.node) * LANES;
                    for number in 0..3 * LANES {
                        let of_key = |matrix| rows_from_affine(matrix)[number / LANES][number % LANES];
                        let elements = values.iter().map(of_key).collect();
                        scalars.set(first_lane + number, keys, elements, &mut timelines);
                    }
                }
            }
        }
        for track in &clip.property_tracks {
            let keys = (&track.key_times_secs, track.interpolation);
            scalars.set_each(scalar_rows.property_lanes(track.property), keys, &track.values, &mut timelines);
        }
        let mut all = [translations, turns, scales, scalars].map(|lanes| lanes.compile(&timelines));
        let times: usize = timelines.0.iter().map(|timeline| timeline.key_times_secs.len()).sum();
        let bytes = all.iter().map(Compiled::bytes).sum::<usize>() + times * size_of::<f32>();
        let [translations, turns, scales, scalars] = &mut all;
        Self {
            duration_secs: clip.duration_secs,
            bytes,
            translations: translations.channel(vectors),
            rotations: turns.channel(self::turns),
            scales: scales.channel(vectors),
            scalars: scalars.channel(weights),
            keyed: KeyedLanes {
                translations: take(&mut translations.marks),
                rotations: take(&mut turns.marks),
                scales: take(&mut scales.marks),
                scalars: take(&mut scalars.marks),
            },
            timelines: timelines.0,
        }
    }

    pub(super) fn sample_into(&self, time_secs: f32, cursor: &mut ClipCursor, pose: &mut LocalPose) {
        let phases = cursor.seek(&self.timelines, self.within(time_secs));
        self.translations.sample_into(phases, &mut pose.translations);
        self.rotations.sample_into(phases, &mut pose.rotations);
        self.scales.sample_into(phases, &mut pose.scales);
        self.scalars.sample_into(phases, &mut pose.scalars);
    }

    /// Returns one lane of the only group, without a cursor: a clip of a single node has three timelines at most.
    pub(super) fn srt_at(&self, time_secs: f32, lane: usize) -> Srt {
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
        srt_of(&translation[0], &rotation[0], &scale[0], lane)
    }

    /// Clamps a time to the clip. NaN becomes 0, so that there is always a pose.
    fn within(&self, time_secs: f32) -> f32 {
        let time_secs = if time_secs > 0.0 { time_secs } else { 0.0 };
        if time_secs < self.duration_secs { time_secs } else { self.duration_secs }
    }

    /// Returns the bytes of the data that sampling reads, and of the key times.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    pub(super) fn keyed(&self) -> &KeyedLanes {
        &self.keyed
    }
}

impl fmt::Debug for CompiledClip {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The other fields are thousands of numbers, which the model shows in a clearer form.
        let mut shown = formatter.debug_struct("CompiledClip");
        shown.field("duration_secs", &self.duration_secs).finish_non_exhaustive()
    }
}

/// The times of a track's keys, and how to interpolate between them.
type Keys<'a> = (&'a Arc<[f32]>, Interpolation);

#[derive(Default)]
struct Timelines(Vec<Timeline>);

impl Timelines {
    fn index_of(&mut self, (times, interpolation): Keys<'_>) -> usize {
        let is_stepped = interpolation == Interpolation::Step;
        let same = |held: &Timeline| {
            held.is_stepped == is_stepped
                && (Arc::ptr_eq(&held.key_times_secs, times) || held.key_times_secs == *times)
        };
        self.0.iter().position(same).unwrap_or_else(|| {
            self.0.push(Timeline { key_times_secs: times.clone(), is_stepped });
            self.0.len() - 1
        })
    }
}

/// A keyed lane, decoded from its track.
struct Lane {
    kind: Kind,
    timeline: usize,
    elements: Vec<f32>,
}

/// Lanes of one property, keyed or constant.
///
/// Numbers are stored flat, `width` per value: if this code were generic in the width, the shipped module would
/// contain it three times.
struct Lanes {
    width: usize,
    /// `None` if the values aren't rotations.
    rotations: Option<Rotations>,
    base: Vec<Vec4>,
    keyed: Vec<[Option<Lane>; LANES]>,
    /// Bit masks of the keyed lanes, one per group, for [`KeyedLanes`].
    marks: Vec<u8>,
}

impl Lanes {
    fn over(base: &[Vec4], width: usize, rotations: Option<Rotations>) -> Self {
        let groups = base.len() / width;
        let keyed = (0..groups).map(|_| [const { None }; LANES]).collect();
        Self { width, rotations, base: base.to_vec(), keyed, marks: vec![0; groups] }
    }

    /// Sets a lane from a track. A later track for the same lane replaces an earlier one.
    fn set(&mut self, index: usize, keys: Keys<'_>, mut elements: Vec<f32>, timelines: &mut Timelines) {
        elements.iter_mut().for_each(|number| *number = denoised(*number));
        let (group, lane) = (index / LANES, index % LANES);
        self.marks[group] |= 1 << lane;
        let constant = constant_value(keys.1, &elements, self.width);
        if let Some(value) = constant {
            let held = &mut self.base[group * self.width..];
            held.iter_mut().zip(value).for_each(|(held, &component)| held[lane] = component);
        }
        self.keyed[group][lane] = constant.is_none().then(|| Lane {
            kind: Kind::of(keys.1, &elements, self.rotations),
            timeline: timelines.index_of(keys),
            elements,
        });
    }

    /// Sets lanes of single numbers from a track that has a number for each of them in every element.
    fn set_each(&mut self, lanes: Range<usize>, keys: Keys<'_>, values: &[f32], timelines: &mut Timelines) {
        let width = lanes.len();
        for (number, lane) in lanes.enumerate() {
            let elements = values.iter().skip(number).step_by(width).copied().collect();
            self.set(lane, keys, elements, timelines);
        }
    }

    fn compile(mut self, timelines: &Timelines) -> Compiled {
        let mut unkeyed = Vec::new();
        let mut all_batches: Vec<Batches> = Vec::new();
        for (group, keyed) in self.keyed.iter_mut().enumerate() {
            if keyed.iter().flatten().any(|lane| lane.kind == Kind::LongArc) {
                // The more exact kind is valid for both, and one batch is cheaper than two.
                let short = keyed.iter_mut().flatten().filter(|lane| lane.kind == Kind::ShortArc);
                short.for_each(|lane| lane.kind = Kind::LongArc);
            }
            let base = &self.base[group * self.width..][..self.width];
            let mut is_first = true;
            for kind in Kind::ALL {
                let is_ours =
                    keyed.each_ref().map(|lane| lane.as_ref().is_some_and(|lane| lane.kind == kind));
                if !is_ours.contains(&true) {
                    continue;
                }
                let subset = LaneSubset { group, is_ours, is_first };
                is_first = false;
                let batch = Batch::new(subset, kind, base, keyed, timelines);
                let order = (kind, batch.shared_timeline());
                let place = all_batches.partition_point(|held| (held.kind, held.shared_timeline) < order);
                if all_batches.get(place).is_none_or(|held| (held.kind, held.shared_timeline) != order) {
                    let numbers_per_key = kind.numbers_per_key(self.width);
                    let (kind, shared_timeline) = order;
                    let batches = Batches { kind, shared_timeline, numbers_per_key, batches: Vec::new() };
                    all_batches.insert(place, batches);
                }
                all_batches[place].batches.push(batch);
            }
            if is_first {
                unkeyed.push(group);
            }
        }
        Compiled { base: self.base, unkeyed, batches: all_batches, marks: self.marks }
    }
}

/// Returns the value of a constant track; `None` if the track isn't constant.
fn constant_value(interpolation: Interpolation, elements: &[f32], width: usize) -> Option<&[f32]> {
    match interpolation {
        Interpolation::Step | Interpolation::Linear => {
            let first = elements.get(..width)?;
            elements.chunks_exact(width).all(|element| element == first).then_some(first)
        }
        Interpolation::CubicSpline => {
            let first = elements.get(width..2 * width)?;
            let flat = |key: &[f32]| {
                let (arriving, leaving) = (&key[..width], &key[2 * width..]);
                key[width..2 * width] == *first
                    && arriving.iter().chain(leaving).all(|&tangent| tangent == 0.0)
            };
            let mut keys = elements.chunks_exact(3 * width);
            (keys.len() == 1 || keys.all(flat)).then_some(first)
        }
    }
}

/// Lanes of one group that have the same kind.
struct LaneSubset {
    group: usize,
    is_ours: [bool; LANES],
    /// Whether no other kind has written the group before.
    is_first: bool,
}

/// Four lanes of one group with encoded keys of one kind. Lanes without keys of that kind repeat a constant.
struct Batch {
    subset: LaneSubset,
    timelines: [usize; LANES],
    keys: [Vec<f32>; LANES],
}

impl Batch {
    fn new(
        subset: LaneSubset,
        kind: Kind,
        base: &[Vec4],
        keyed: &[Option<Lane>; LANES],
        timelines: &Timelines,
    ) -> Self {
        let width = base.len();
        let ours = |lane: usize| keyed[lane].as_ref().filter(|lane| lane.kind == kind);
        let any_timeline = (0..LANES).find_map(|lane| Some(ours(lane)?.timeline)).unwrap_or(0);
        let constant = |lane: usize| {
            let value = base.iter().map(|component| component[lane]);
            let mut key = vec![0.0; kind.elements_per_key() * width];
            let middle = key.len() / width / 2 * width;
            key[middle..].iter_mut().zip(value).for_each(|(held, component)| *held = component);
            key.repeat(timelines.0[any_timeline].key_times_secs.len())
        };
        let timeline = |lane: usize| ours(lane).map_or(any_timeline, |lane| lane.timeline);
        Self {
            subset,
            timelines: std::array::from_fn(timeline),
            keys: std::array::from_fn(|lane| {
                let elements = ours(lane).map_or_else(|| constant(lane), |lane| lane.elements.clone());
                kind.encode(&timelines.0[timeline(lane)], &elements, width)
            }),
        }
    }

    fn shared_timeline(&self) -> Option<usize> {
        let first = self.timelines[0];
        self.timelines.iter().all(|&timeline| timeline == first).then_some(first)
    }
}

/// Batches of one kind and one shared timeline, or with none, in the order of their groups.
struct Batches {
    kind: Kind,
    shared_timeline: Option<usize>,
    numbers_per_key: usize,
    batches: Vec<Batch>,
}

impl Batches {
    /// Returns the numbers key by key, and within each key batch by batch.
    fn packed_by_key(&self) -> Vec<Vec4> {
        let width = self.numbers_per_key;
        let key_count = self.batches.first().map_or(0, |batch| batch.keys[0].len() / width);
        let mut packed = Vec::with_capacity((key_count + 1) * self.batches.len() * width);
        for key in (0..key_count).chain(key_count.checked_sub(1)) {
            for Batch { keys: [a, b, c, d], .. } in &self.batches {
                let numbers = key * width..(key + 1) * width;
                packed.extend(numbers.map(|number| Vec4::new(a[number], b[number], c[number], d[number])));
            }
        }
        packed
    }

    /// Returns the numbers lane by lane, each key padded to whole vectors, and the index of each lane's first key.
    fn packed_by_lane(&self) -> (Vec<Vec4>, Vec<[usize; LANES]>) {
        let mut packed = Vec::new();
        let first_keys = self.batches.iter().map(|batch| {
            batch.keys.each_ref().map(|keys| {
                let first = packed.len();
                let keys = keys.chunks_exact(self.numbers_per_key);
                for key in keys.clone().chain(keys.last()) {
                    packed.extend(key.chunks(LANES).map(|numbers| {
                        let mut padded = [0.0; LANES];
                        padded[..numbers.len()].copy_from_slice(numbers);
                        Vec4::from_array(padded)
                    }));
                }
                first
            })
        });
        let first_keys = first_keys.collect();
        (packed, first_keys)
    }

    fn bytes(&self) -> usize {
        let padded = match self.shared_timeline {
            Some(_) => self.numbers_per_key,
            None => self.numbers_per_key.next_multiple_of(LANES),
        };
        let numbers = self.batches.iter().flat_map(|batch| &batch.keys);
        // The last key is stored twice.
        numbers.map(|keys| (keys.len() / self.numbers_per_key + 1) * padded * size_of::<f32>()).sum()
    }

    fn typed<I: Interpolate<N, K>, const N: usize, const K: usize>(
        &self,
        base: &[[Vec4; N]],
    ) -> Box<dyn SampleInto<N>>
    where
        [Vec4; N]: Components,
    {
        match self.shared_timeline {
            Some(timeline) => {
                let targets = self.targets(base);
                Box::new(SharedTimeline::<I, N, K>::new(timeline, targets, &self.packed_by_key()))
            }
            None => {
                let (keys, first_keys) = self.packed_by_lane();
                Box::new(SeparateTimelines::<I, N, K>::new(self.separate_groups(base, &first_keys), keys))
            }
        }
    }

    fn separate_groups<const N: usize>(
        &self,
        base: &[[Vec4; N]],
        first_keys: &[[usize; LANES]],
    ) -> Vec<SeparateGroup<N>> {
        let mut groups = Vec::with_capacity(self.batches.len());
        for ((target, batch), &first_keys) in
            self.targets(base).into_iter().zip(&self.batches).zip(first_keys)
        {
            groups.push(SeparateGroup { target, timelines: batch.timelines, first_keys });
        }
        groups
    }

    fn targets<const N: usize>(&self, base: &[[Vec4; N]]) -> Vec<Target<N>> {
        let targets =
            self.batches.iter().map(|Batch { subset: LaneSubset { group, is_ours, is_first }, .. }| {
                let fill = match is_ours.contains(&false) {
                    false => Fill::Whole,
                    true if *is_first => Fill::OverConstant(marks(*is_ours), base[*group]),
                    true => Fill::OverHeld(marks(*is_ours)),
                };
                Target { group: *group, fill }
            });
        targets.collect()
    }
}

/// Compiled lanes of one property, before their conversion to the types that sampling needs.
struct Compiled {
    base: Vec<Vec4>,
    unkeyed: Vec<usize>,
    batches: Vec<Batches>,
    marks: Vec<u8>,
}

impl Compiled {
    fn bytes(&self) -> usize {
        let targets: usize = self.batches.iter().map(|batches| batches.batches.len()).sum();
        let keys: usize = self.batches.iter().map(Batches::bytes).sum();
        size_of_val(&*self.base) + targets * size_of::<Target<4>>() + keys + self.marks.len()
    }

    fn channel<const N: usize>(
        &mut self,
        typed: impl Fn(&Batches, &[[Vec4; N]]) -> Box<dyn SampleInto<N>>,
    ) -> Channel<N> {
        let base = self.base.as_chunks::<N>().0.to_vec();
        let batches = self.batches.iter().map(|batches| typed(batches, &base)).collect();
        Channel { batches, base, unkeyed: take(&mut self.unkeyed) }
    }
}

fn vectors(batches: &Batches, base: &[[Vec4; 3]]) -> Box<dyn SampleInto<3>> {
    match batches.kind {
        Kind::Spline => batches.typed::<Spline, 3, 9>(base),
        _ => batches.typed::<Straight, 3, 3>(base),
    }
}

fn turns(batches: &Batches, base: &[[Vec4; 4]]) -> Box<dyn SampleInto<4>> {
    match batches.kind {
        Kind::Straight | Kind::Chord => batches.typed::<Chord, 4, 4>(base),
        Kind::ShortArc => batches.typed::<ShortArc, 4, 6>(base),
        Kind::LongArc => batches.typed::<LongArc, 4, 8>(base),
        Kind::Spline => batches.typed::<RotationSpline, 4, 12>(base),
    }
}

fn weights(batches: &Batches, base: &[[Vec4; 1]]) -> Box<dyn SampleInto<1>> {
    match batches.kind {
        Kind::Spline => batches.typed::<Spline, 1, 3>(base),
        _ => batches.typed::<Straight, 1, 1>(base),
    }
}
