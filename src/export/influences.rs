//! Joints and joint weights, four per set, in as many sets as the vertex with the most influences needs.
use super::binary::{Binary, Element, Numbers, Usage};
use super::json_text::Object;
use crate::model::Influences;

pub(super) fn attributes(influences: &Influences, binary: &mut Binary, attributes: Object) -> Object {
    let per_vertex = influences.per_vertex;
    if per_vertex == 0 {
        return attributes;
    }
    let mut sets = vec![Set::default(); per_vertex.div_ceil(4)];
    let vertices = influences.joints.chunks_exact(per_vertex);
    for (joints, joint_weights) in vertices.zip(influences.joint_weights.chunks_exact(per_vertex)) {
        let vertex = Vertex::of(joints, joint_weights);
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
    fn weights_that_sum_to_one_stay_as_they_are() {
        let third = 1.0_f32 / 3.0;
        assert_eq!(
            Vertex::of(&[0, 1, 2, 0], &[third, third, third, 0.0]).slots,
            [0, 1, 2].map(|at| (at, third))
        );
    }
}
