//! Joints and joint weights, four per set, in as many sets as the vertex with the most influences needs.
use super::binary::{Binary, Element, Numbers, Usage};
use super::json_text::Object;
use super::streams::Stream;
use crate::model::Influences;

pub(super) fn attributes(influences: &Influences, binary: &mut Binary, attributes: Object) -> Object {
    let per_vertex = influences.per_vertex;
    if per_vertex == 0 {
        return attributes;
    }
    let mut sets = vec![Set::default(); per_vertex.div_ceil(4)];
    for vertex in vertices(influences) {
        let mut slots = vertex.slots.iter().copied();
        for set in &mut sets {
            for _ in 0..4 {
                let (joint, joint_weight) = slots.next().unwrap_or_default();
                set.joints.push(joint);
                set.joint_weights.push(joint_weight);
            }
        }
    }
    let bytes_do = sets.iter().flat_map(|set| &set.joints).all(|&joint| u8::try_from(joint).is_ok());
    sets.iter().enumerate().fold(attributes, |attributes, (number, set)| {
        let mut vertices =
            |numbers: Numbers<'_>| binary.accessor(Usage::Vertices, Element::Vec4, numbers, false);
        let joints = if bytes_do {
            let bytes: Vec<u8> = set.joints.iter().filter_map(|&joint| u8::try_from(joint).ok()).collect();
            vertices(Numbers::U8(&bytes))
        } else {
            vertices(Numbers::U16(&set.joints))
        };
        let joint_weights = vertices(Numbers::F32(&set.joint_weights));
        attributes.with(&format!("JOINTS_{number}"), joints).with(&format!("WEIGHTS_{number}"), joint_weights)
    })
}

/// Returns joints and joint weights of each set as streams. The weights of a vertex are bytes that sum to 255; each is
/// off by less than 1/255.
pub(super) fn streams(influences: &Influences) -> Vec<(Stream, Stream)> {
    let mut vertices: Vec<Vertex> = vertices(influences).collect();
    vertices.iter_mut().for_each(Vertex::round);
    let most = vertices.iter().map(|vertex| vertex.slots.len()).max().unwrap_or_default();
    let set = |set: usize| {
        let (mut joints, mut joint_weights) = (Vec::new(), Vec::new());
        for vertex in &vertices {
            let mut slots = vertex.slots.iter().copied().skip(set * 4);
            for _ in 0..4 {
                let (joint, joint_weight) = slots.next().unwrap_or_default();
                joints.push(joint);
                #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 255")]
                joint_weights.push((joint_weight * 255.0).round() as u8);
            }
        }
        (Stream::joints(&joints), Stream::joint_weights(joint_weights))
    };
    (0..most.div_ceil(4)).map(set).collect()
}

fn vertices(influences: &Influences) -> impl Iterator<Item = Vertex> {
    let per_vertex = influences.per_vertex.max(1);
    let vertices = influences.joints.chunks_exact(per_vertex);
    vertices
        .zip(influences.joint_weights.chunks_exact(per_vertex))
        .map(|(joints, weights)| Vertex::of(joints, weights))
}

#[derive(Clone, Default)]
struct Set {
    joints: Vec<u16>,
    joint_weights: Vec<f32>,
}

struct Vertex {
    slots: Vec<(u16, f32)>,
}

impl Vertex {
    /// Merges the slots of a vertex. As glTF requires, each joint occurs once, no weight is 0, and the weights sum to
    /// 1 as exactly as singles allow.
    fn of(joints: &[u16], joint_weights: &[f32]) -> Self {
        let mut slots: Vec<(u16, f32)> = Vec::with_capacity(joints.len());
        for (&joint, &joint_weight) in joints.iter().zip(joint_weights) {
            match slots.iter_mut().find(|slot| slot.0 == joint) {
                _ if joint_weight <= 0.0 => {}
                Some(slot) => slot.1 += joint_weight,
                None => slots.push((joint, joint_weight)),
            }
        }
        let sum: f64 = slots.iter().map(|slot| f64::from(slot.1)).sum();
        // Rounding each weight to a single leaves this error.
        if (sum - 1.0).abs() > 1e-7 && sum > 0.0 {
            #[allow(clippy::cast_possible_truncation, reason = "to the nearest single")]
            slots.iter_mut().for_each(|slot| slot.1 = (f64::from(slot.1) / sum) as f32);
        }
        Self { slots }
    }

    /// Rounds the weights to multiples of 1/255 that sum to 1, and removes those that become 0. The ones that lose most
    /// by rounding down are rounded up.
    fn round(&mut self) {
        let whole = |slot: &(u16, f32)| (slot.1 * 255.0).floor();
        let missing = 255.0 - self.slots.iter().map(whole).sum::<f32>();
        let lost = |slot: &(u16, f32)| slot.1 * 255.0 - whole(slot);
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "at most the number of slots"
        )]
        let up_count = missing.max(0.0) as usize;
        self.slots.sort_by(|a, b| lost(b).total_cmp(&lost(a)));
        for (at, slot) in self.slots.iter_mut().enumerate() {
            slot.1 = (whole(slot) + if at < up_count { 1.0 } else { 0.0 }) / 255.0;
        }
        self.slots.retain(|slot| slot.1 > 0.0);
        self.slots.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_joint_stands_once_and_weights_sum_to_one() {
        let vertex = Vertex::of(&[3, 1, 3, 7], &[0.5, 0.3, 0.30001, 0.0]);
        assert_eq!(vertex.slots.iter().map(|slot| slot.0).collect::<Vec<_>>(), [3, 1]);
        let sum: f64 = vertex.slots.iter().map(|slot| f64::from(slot.1)).sum();
        assert!((sum - 1.0).abs() < 1e-7, "{sum}");
    }

    #[test]
    fn weights_in_bytes_sum_to_one() {
        for weights in [[0.5, 0.25, 0.125, 0.125], [0.997, 0.001, 0.001, 0.001], [1.0, 0.0, 0.0, 0.0]] {
            let mut vertex = Vertex::of(&[4, 3, 2, 1], &weights);
            vertex.round();
            let bytes: Vec<f32> = vertex.slots.iter().map(|slot| slot.1 * 255.0).collect();
            assert!(bytes.is_sorted_by(|a, b| a >= b));
            assert_eq!(bytes.iter().map(|byte| byte.round()).sum::<f32>(), 255.0);
            assert!(bytes.iter().all(|byte| (byte - byte.round()).abs() < 1e-4 && *byte > 0.5));
            let near = |slot: &(u16, f32)| (slot.1 - weights[4 - usize::from(slot.0)]).abs() < 1.0 / 255.0;
            assert!(vertex.slots.iter().all(near), "{:?}", vertex.slots);
        }
    }

    #[test]
    fn weights_that_sum_to_one_stay_as_they_are() {
        let third = 1.0_f32 / 3.0;
        assert_eq!(
            Vertex::of(&[0, 1, 2, 0], &[third, third, third, 0.0]).slots,
            [0, 1, 2].map(|at| (at, third))
        );
    }
}
