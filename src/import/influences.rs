//! Joint influences of vertices, converted from a file's lists to slots: summed, sorted and normalised.
use crate::model::Influences;
use crate::order::sort;
use std::cmp::Ordering;

/// Returns influences that bind every vertex to joint 0 alone.
pub(super) fn bound_to_first_joint(vertex_count: usize) -> Influences {
    let mut influences = with_slots(4, 0);
    influences.joints = vec![0; vertex_count * 4];
    influences.joint_weights = [1.0, 0.0, 0.0, 0.0].repeat(vertex_count);
    influences
}

fn with_slots(per_vertex: usize, vertex_count: usize) -> Influences {
    Influences {
        per_vertex,
        joints: Vec::with_capacity(vertex_count * per_vertex),
        joint_weights: Vec::with_capacity(vertex_count * per_vertex),
    }
}

// Rounding to bytes leaves this error: four weights, each off by half of 1/255 at most.
const SUM_TOLERANCE: f64 = 8e-3;

/// An influence in double precision, so that the sum of huge weights doesn't overflow.
#[derive(Clone, Copy)]
pub(super) struct Slot {
    pub(super) joint: u32,
    pub(super) joint_weight: f64,
}

/// Influences of a primitive under construction, in the order of its vertices.
pub(super) struct Merged {
    influences: Influences,
    /// Slots that the vertex with the most influences needs.
    used: usize,
    /// Vertices with a negative weight or whose weights didn't sum to 1.
    pub(super) odd: usize,
    /// Vertices without any weight, which are bound to the joint of their first slot.
    pub(super) zero: usize,
}

impl Merged {
    /// Creates an empty list. It takes memory for `slots_per_vertex` slots per vertex, which callers charge to the
    /// budget first.
    pub(super) fn new(slots_per_vertex: usize, vertex_count: usize) -> Self {
        let per_vertex = slots_per_vertex.max(1).next_multiple_of(4);
        Self { influences: with_slots(per_vertex, vertex_count), used: 0, odd: 0, zero: 0 }
    }

    /// Adds the influences of one vertex.
    ///
    /// # Errors
    /// A joint index that no skin can have.
    #[inline(never)] // `docs/START.md` says why.
    pub(super) fn push(&mut self, slots: &mut Vec<Slot>) -> Result<(), u32> {
        let first = slots.first().map_or(0, |slot| slot.joint);
        let negative = slots.iter().any(|slot| slot.joint_weight < 0.0);
        slots.retain(|slot| slot.joint_weight > 0.0);
        // A joint named several times moves the vertex by the sum of its weights.
        if may_repeat_joint(slots) {
            sort(slots, |a, b| a.joint < b.joint);
            slots.dedup_by(|next, held| {
                let same = next.joint == held.joint;
                held.joint_weight += if same { next.joint_weight } else { 0.0 };
                same
            });
        }
        sort(slots, |a, b| match b.joint_weight.total_cmp(&a.joint_weight) {
            Ordering::Equal => a.joint < b.joint,
            order => order.is_lt(),
        });

        let mut sum: f64 = slots.iter().map(|slot| slot.joint_weight).sum();
        if slots.is_empty() {
            self.zero += 1;
            slots.push(Slot { joint: first, joint_weight: 1.0 });
            sum = 1.0;
        }
        self.odd += usize::from(negative || (sum - 1.0).abs() > SUM_TOLERANCE);
        slots.iter_mut().for_each(|slot| slot.joint_weight /= sum);
        // A weight too small for a single, relative to the others, is dropped.
        slots.retain(|slot| slot.joint_weight >= f64::from(f32::MIN_POSITIVE));
        self.used = self.used.max(slots.len());
        let padding = std::iter::repeat(&Slot { joint: 0, joint_weight: 0.0 });
        for slot in slots.iter().chain(padding).take(self.influences.per_vertex) {
            self.influences.joints.push(u16::try_from(slot.joint).map_err(|_| slot.joint)?);
            #[allow(clippy::cast_possible_truncation, reason = "to the nearest single")]
            self.influences.joint_weights.push(slot.joint_weight as f32);
        }
        Ok(())
    }

    /// Returns the influences with as many slots per vertex as are needed, rounded up to a multiple of four.
    pub(super) fn trimmed(self) -> Influences {
        let Influences { per_vertex, joints, joint_weights } = self.influences;
        let kept = self.used.next_multiple_of(4).max(4);
        if kept >= per_vertex {
            return Influences { per_vertex, joints, joint_weights };
        }
        Influences {
            per_vertex: kept,
            joints: first_of_each(joints, per_vertex, kept),
            joint_weights: first_of_each(joint_weights, per_vertex, kept),
        }
    }
}

/// Returns whether some slots may be of one joint. Whether they are is found without sorting for as many as most
/// vertices have.
fn may_repeat_joint(slots: &[Slot]) -> bool {
    let repeats = |(at, slot): (usize, &Slot)| slots.iter().take(at).any(|other| other.joint == slot.joint);
    slots.len() > 4 || slots.iter().enumerate().any(repeats)
}

/// Returns the first `kept` of every `width` values.
fn first_of_each<T: Copy>(values: Vec<T>, width: usize, kept: usize) -> Vec<T> {
    let mut first = Vec::with_capacity(values.len() / width * kept);
    for values in values.chunks_exact(width) {
        first.extend_from_slice(values.get(..kept).unwrap_or_default());
    }
    first
}

#[cfg(test)]
mod tests {
    use super::*;

    fn merged(vertices: &[&[(u32, f32)]]) -> Merged {
        let per_vertex = vertices.iter().map(|slots| slots.len()).max().unwrap_or(0);
        let mut merged = Merged::new(per_vertex, vertices.len());
        for slots in vertices {
            let slot =
                |&(joint, joint_weight): &(u32, f32)| Slot { joint, joint_weight: joint_weight.into() };
            assert_eq!(merged.push(&mut slots.iter().map(slot).collect()), Ok(()));
        }
        merged
    }

    #[test]
    fn slots_are_summed_sorted_normalised_and_trimmed() {
        let merged =
            merged(&[&[(7, 0.5), (3, 1.0), (7, 0.5), (9, 0.0), (1, 0.0), (0, 2.0), (2, 0.0), (4, 0.0)]]);
        assert_eq!((merged.odd, merged.zero), (1, 0));
        let influences = merged.trimmed();
        assert_eq!(influences.per_vertex, 4);
        assert_eq!(influences.of_vertex(0).collect::<Vec<_>>(), [(0, 0.5), (3, 0.25), (7, 0.25), (0, 0.0)]);
    }

    #[test]
    fn few_and_many_slots_of_one_joint_are_summed() {
        let few: &[(u32, f32)] = &[(7, 0.25), (3, 0.5), (7, 0.25)];
        let many: &[(u32, f32)] = &[(7, 0.25), (3, 0.125), (7, 0.125), (3, 0.375), (7, 0.125)];
        for slots in [few, many] {
            let influences = merged(&[slots]).trimmed();
            let found: Vec<_> = influences.of_vertex(0).collect();
            assert_eq!(found, [(3, 0.5), (7, 0.5), (0, 0.0), (0, 0.0)], "{slots:?}");
        }
    }

    #[test]
    fn a_vertex_without_weight_hangs_on_its_first_joint() {
        let merged = merged(&[&[(5, 0.0), (6, 0.0), (0, -1.0), (0, 0.0)]]);
        assert_eq!(merged.zero, 1);
        assert_eq!(merged.trimmed().of_vertex(0).next(), Some((5, 1.0)));
    }

    #[test]
    fn a_weight_that_vanishes_beside_another_takes_its_joint_along() {
        let influences = merged(&[&[(1, 1e30), (2, 1e-30), (0, 0.0), (0, 0.0)]]).trimmed();
        assert_eq!(influences.of_vertex(0).collect::<Vec<_>>(), [(1, 1.0), (0, 0.0), (0, 0.0), (0, 0.0)]);
    }

    #[test]
    fn huge_weights_still_sum_to_one() {
        let influences = merged(&[&[(1, f32::MAX), (2, f32::MAX), (2, f32::MAX), (0, 0.0)]]).trimmed();
        assert_eq!(influences.of_vertex(0).map(|slot| slot.1).sum::<f32>(), 1.0);
    }
}
