//! One property of all nodes over one clip, laid out so that sampling reads memory sequentially.
use super::cursor::Phase;
use super::interpolate::Interpolate;
use super::simd::{Components, LANES, LaneMarks, transpose};
use glam::Vec4;
use std::marker::PhantomData;

/// One property of all nodes.
///
/// `N` is its number of components: 3 for a translation or scale, 4 for a rotation, 1 for a morph weight.
pub(super) struct Channel<const N: usize> {
    /// Rest pose, with the values of constant tracks.
    pub(super) base: Vec<[Vec4; N]>,
    /// Groups that no batch writes; they are copied from `base`.
    pub(super) unkeyed: Vec<usize>,
    pub(super) batches: Vec<Box<dyn SampleInto<N>>>,
}

impl<const N: usize> Channel<N>
where
    [Vec4; N]: Components,
{
    /// Writes every group of `out`.
    pub(super) fn sample_into(&self, phases: &[Phase], out: &mut [[Vec4; N]]) {
        assert_eq!(out.len(), self.base.len(), "a pose of this rig");
        for &group in &self.unkeyed {
            out[group] = self.base[group].copied();
        }
        for batch in &self.batches {
            batch.sample_into(phases, out);
        }
    }
}

/// Batch of groups with the same kind of interpolation, sampled by one indirect call.
pub(super) trait SampleInto<const N: usize>: Send + Sync {
    fn sample_into(&self, phases: &[Phase], out: &mut [[Vec4; N]]);
}

/// Destination of four sampled lanes.
pub(super) struct Target<const N: usize> {
    pub(super) group: usize,
    pub(super) fill: Fill<N>,
}

/// Method of writing sampled lanes. Lanes that aren't keyed keep every bit: interpolating equal values would round.
pub(super) enum Fill<const N: usize> {
    /// All four lanes are keyed.
    Whole,
    /// The marked lanes are keyed. The other lanes take constants.
    OverConstant(LaneMarks, [Vec4; N]),
    /// The marked lanes are keyed. The other lanes keep what an earlier batch has written.
    OverHeld(LaneMarks),
}

impl<const N: usize> Fill<N>
where
    [Vec4; N]: Components,
{
    /// Not inlined, so that one copy serves every kind of batch.
    #[inline(never)]
    fn merge_into(&self, held: &mut [Vec4; N], fresh: &[Vec4; N]) {
        match self {
            Self::Whole => *held = fresh.copied(),
            Self::OverConstant(marks, constant) => {
                *held = Components::merge(*marks, fresh.copied(), constant)
            }
            Self::OverHeld(marks) => *held = Components::merge(*marks, fresh.copied(), held),
        }
    }
}

impl<const N: usize> Target<N>
where
    [Vec4; N]: Components,
{
    #[inline(always)]
    fn write(&self, out: &mut [[Vec4; N]], fresh: [Vec4; N]) {
        let held = &mut out[self.group];
        match &self.fill {
            Fill::Whole => *held = fresh,
            partly => partly.merge_into(held, &fresh),
        }
    }
}

/// Groups whose tracks are all keyed at the same times.
///
/// ```text
/// keys   [ key 0: group a, group b, … | key 1: group a, group b, … | … ]
///          └──────── from ─────────┘   └───────── to ──────────┘           one contiguous read per sample
/// ```
pub(super) struct SharedTimeline<I, const N: usize, const K: usize> {
    timeline: usize,
    targets: Vec<Target<N>>,
    /// The last key is stored twice, so that it starts an interval too.
    keys: Vec<[Vec4; K]>,
    interpolation: PhantomData<I>,
}

impl<I, const N: usize, const K: usize> SharedTimeline<I, N, K> {
    pub(super) fn new(timeline: usize, targets: Vec<Target<N>>, keys: &[Vec4]) -> Self {
        Self { timeline, targets, keys: keys.as_chunks().0.to_vec(), interpolation: PhantomData }
    }
}

impl<I: Interpolate<N, K>, const N: usize, const K: usize> SampleInto<N> for SharedTimeline<I, N, K>
where
    [Vec4; N]: Components,
{
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

/// Groups whose lanes are keyed at different times. Sampling gathers and transposes their keys.
pub(super) struct SeparateTimelines<I, const N: usize, const K: usize> {
    groups: Vec<SeparateGroup<N>>,
    /// Keys lane by lane. A key is `K` numbers, padded to whole vectors. Each lane's last key is stored twice.
    keys: Vec<Vec4>,
    interpolation: PhantomData<I>,
}

pub(super) struct SeparateGroup<const N: usize> {
    pub(super) target: Target<N>,
    pub(super) timelines: [usize; LANES],
    /// Index of the first key of each lane.
    pub(super) first_keys: [usize; LANES],
}

impl<I, const N: usize, const K: usize> SeparateTimelines<I, N, K> {
    const VECTORS_PER_KEY: usize = K.div_ceil(4);

    pub(super) fn new(groups: Vec<SeparateGroup<N>>, keys: Vec<Vec4>) -> Self {
        Self { groups, keys, interpolation: PhantomData }
    }

    /// Gathers keys without being inlined, for the long keys of splines.
    #[inline(never)]
    fn gather_long(&self, lanes: [usize; LANES]) -> [Vec4; K] {
        self.gather(lanes)
    }

    /// Gathers and transposes one key per lane. Written without a loop, so that the numbers stay in registers even in
    /// a wasm built for size.
    #[inline(always)]
    fn gather(&self, lanes: [usize; LANES]) -> [Vec4; K] {
        let mut numbers = [Vec4::ZERO; K];
        self.gather_block(0, lanes, &mut numbers);
        if K > 4 {
            self.gather_block(1, lanes, &mut numbers);
        }
        if K > 8 {
            self.gather_block(2, lanes, &mut numbers);
        }
        numbers
    }

    #[inline(always)]
    fn gather_block(&self, block: usize, [a, b, c, d]: [usize; LANES], numbers: &mut [Vec4; K]) {
        let keys = &self.keys;
        let turned = transpose([keys[a + block], keys[b + block], keys[c + block], keys[d + block]]);
        let first = block * 4;
        numbers[first] = turned[0];
        if first + 1 < K {
            numbers[first + 1] = turned[1];
        }
        if first + 2 < K {
            numbers[first + 2] = turned[2];
        }
        if first + 3 < K {
            numbers[first + 3] = turned[3];
        }
    }
}

impl<I: Interpolate<N, K>, const N: usize, const K: usize> SampleInto<N> for SeparateTimelines<I, N, K>
where
    [Vec4; N]: Components,
{
    fn sample_into(&self, phases: &[Phase], out: &mut [[Vec4; N]]) {
        for group in &self.groups {
            let [a, b, c, d] = group.timelines;
            let [a, b, c, d] = [phases[a], phases[b], phases[c], phases[d]];
            let after = |first: usize, phase: Phase| first + phase.key as usize * Self::VECTORS_PER_KEY;
            let first = group.first_keys;
            let from = [after(first[0], a), after(first[1], b), after(first[2], c), after(first[3], d)];
            let step = Self::VECTORS_PER_KEY;
            let to = [from[0] + step, from[1] + step, from[2] + step, from[3] + step];
            let weights = I::weights(Vec4::new(a.alpha, b.alpha, c.alpha, d.alpha));
            let (from, to) = match K > 8 {
                true => (self.gather_long(from), self.gather_long(to)),
                false => (self.gather(from), self.gather(to)),
            };
            group.target.write(out, I::between(&weights, &from, &to));
        }
    }
}
