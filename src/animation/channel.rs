//! One property of all nodes over one clip, laid out so that sampling reads memory forward and nowhere else.
use super::cursor::Phase;
use super::interpolate::Interpolate;
use super::simd::{LANES, LaneMarks, merge, transpose};
use glam::Vec4;
use std::fmt::Debug;
use std::marker::PhantomData;
use std::ops::Range;

/// `N` is the number of components: 3 of a translation or scale, 4 of a rotation, 1 of a morph weight.
#[derive(Debug)]
pub(super) struct Channel<const N: usize> {
    /// Rest, with the tracks that never change folded in.
    pub(super) base: Vec<[Vec4; N]>,
    /// The groups that no batch fills whole; they are taken from `base` first.
    pub(super) uncovered: Vec<Range<usize>>,
    pub(super) batches: Vec<Box<dyn SampleInto<N>>>,
}

impl<const N: usize> Channel<N> {
    /// Writes every group.
    pub(super) fn sample_into(&self, phases: &[Phase], out: &mut [[Vec4; N]]) {
        assert_eq!(out.len(), self.base.len(), "a pose of this rig");
        for range in &self.uncovered {
            out[range.clone()].copy_from_slice(&self.base[range.clone()]);
        }
        for batch in &self.batches {
            batch.sample_into(phases, out);
        }
    }
}

/// Many groups that are interpolated alike: one indirect call for all of them.
pub(super) trait SampleInto<const N: usize>: Debug + Send + Sync {
    fn sample_into(&self, phases: &[Phase], out: &mut [[Vec4; N]]);
}

/// Where four sampled lanes go.
#[derive(Clone, Debug)]
pub(super) struct Target {
    pub(super) group: usize,
    /// `None` writes all four.
    pub(super) lanes: Option<LaneMarks>,
}

impl Target {
    #[inline(always)]
    fn write<const N: usize>(&self, out: &mut [[Vec4; N]], fresh: [Vec4; N]) {
        let held = &mut out[self.group];
        *held = match self.lanes {
            None => fresh,
            Some(lanes) => merge(lanes, fresh, *held),
        };
    }
}

/// Groups whose tracks are all keyed at the same times.
///
/// ```text
/// keys   [ key 0: group a, group b, … | key 1: group a, group b, … | … ]
///          └──────── from ─────────┘   └───────── to ──────────┘           one stretch of memory a sample
/// ```
#[derive(Debug)]
pub(super) struct KeyedTogether<I, const K: usize> {
    timeline: usize,
    targets: Vec<Target>,
    /// The last key stands twice, so that it starts an interval too.
    keys: Vec<[Vec4; K]>,
    interpolation: PhantomData<I>,
}

impl<I, const K: usize> KeyedTogether<I, K> {
    /// `lanes` has four lists of keys for each target.
    pub(super) fn new(timeline: usize, targets: Vec<Target>, lanes: &[[Vec<[f32; K]>; LANES]]) -> Self {
        let key_count = lanes.first().map_or(0, |group| group[0].len());
        let keys = (0..=key_count)
            .map(|key| key.min(key_count.saturating_sub(1)))
            .flat_map(|key| {
                lanes.iter().map(move |group| {
                    std::array::from_fn(|k| Vec4::from_array(std::array::from_fn(|lane| group[lane][key][k])))
                })
            })
            .collect();
        Self { timeline, targets, keys, interpolation: PhantomData }
    }
}

impl<I: Interpolate<N, K>, const N: usize, const K: usize> SampleInto<N> for KeyedTogether<I, K> {
    fn sample_into(&self, phases: &[Phase], out: &mut [[Vec4; N]]) {
        let phase = phases[self.timeline];
        let weights = I::weights(Vec4::splat(phase.alpha));
        let width = self.targets.len();
        let (from, to) = self.keys[phase.key as usize * width..][..2 * width].split_at(width);
        for ((target, from), to) in self.targets.iter().zip(from).zip(to) {
            target.write(out, I::between(&weights, from, to));
        }
    }
}

/// Groups whose lanes are keyed each at its own times: their keys are gathered and transposed on the way.
#[derive(Debug)]
pub(super) struct KeyedApart<I, const K: usize> {
    groups: Vec<ApartGroup>,
    /// One key of one lane is `K` numbers, padded to whole vectors. Each lane's last key stands twice.
    keys: Vec<Vec4>,
    interpolation: PhantomData<I>,
}

#[derive(Debug)]
struct ApartGroup {
    target: Target,
    timelines: [usize; LANES],
    first_keys: [usize; LANES],
}

impl<I, const K: usize> KeyedApart<I, K> {
    const VECTORS_PER_KEY: usize = K.div_ceil(4);

    pub(super) fn new(
        targets: Vec<Target>,
        timelines: &[[usize; LANES]],
        lanes: &[[Vec<[f32; K]>; LANES]],
    ) -> Self {
        let mut keys = Vec::new();
        let groups = targets.into_iter().zip(timelines).zip(lanes).map(|((target, &timelines), lanes)| {
            let first_keys = std::array::from_fn(|lane| {
                let first = keys.len();
                for key in lanes[lane].iter().chain(lanes[lane].last()) {
                    let (whole, rest) = key.as_chunks::<4>();
                    keys.extend(whole.iter().copied().map(Vec4::from_array));
                    if !rest.is_empty() {
                        let mut padded = Vec4::ZERO;
                        (0..rest.len()).for_each(|k| padded[k] = rest[k]);
                        keys.push(padded);
                    }
                }
                first
            });
            ApartGroup { target, timelines, first_keys }
        });
        Self { groups: groups.collect(), keys, interpolation: PhantomData }
    }

    #[inline(always)]
    fn gather(&self, at: [usize; LANES]) -> [Vec4; K] {
        let mut numbers = [Vec4::ZERO; K];
        for (block, numbers) in numbers.chunks_mut(4).enumerate() {
            let turned = transpose(at.map(|first| self.keys[first + block]));
            numbers.copy_from_slice(&turned[..numbers.len()]);
        }
        numbers
    }
}

impl<I: Interpolate<N, K>, const N: usize, const K: usize> SampleInto<N> for KeyedApart<I, K> {
    fn sample_into(&self, phases: &[Phase], out: &mut [[Vec4; N]]) {
        for group in &self.groups {
            let phases = group.timelines.map(|timeline| phases[timeline]);
            let weights = I::weights(Vec4::from_array(phases.map(|phase| phase.alpha)));
            let from = std::array::from_fn(|lane| {
                group.first_keys[lane] + phases[lane].key as usize * Self::VECTORS_PER_KEY
            });
            let to = from.map(|first| first + Self::VECTORS_PER_KEY);
            group.target.write(out, I::between(&weights, &self.gather(from), &self.gather(to)));
        }
    }
}
