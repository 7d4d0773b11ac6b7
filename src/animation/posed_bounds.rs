//! Bounds of the vertices of a primitive in a pose. No vertex is outside of them.

use super::reference_skin::{is_skinned, morph_weights};
use super::simd::Rows;
use super::{Drawable, Skinning};
use crate::model::{Aabb, Primitive};
use glam::{Vec3, Vec4};

/// Boxes in mesh space around the vertices that each slot moves, whatever their weights.
#[derive(Debug)]
pub(crate) struct VertexBoxes {
    /// Slots that move vertices, each with its box.
    of_slots: Vec<(u16, Span)>,
    /// Displacements by each morph target.
    displacements: Vec<Span>,
    /// The least weight that the heaviest joint of a vertex has.
    least_heaviest: f32,
}

/// Centre and half the size of a box.
#[derive(Clone, Copy, Debug)]
struct Span {
    center: Vec3,
    half: Vec3,
}

/// Bound of rounding errors, as a share of the numbers that are summed up. Weights sum to 1 up to such an error.
const ROUNDING: f32 = 1e-4;

impl VertexBoxes {
    pub(crate) fn new(primitive: &Primitive, drawable: &Drawable) -> Self {
        let mut boxes: Vec<Option<Aabb>> = vec![None; drawable.slot_count.max(1)];
        let mut least_heaviest: f32 = 1.0;
        for (vertex, &position) in primitive.positions.iter().enumerate() {
            let point = Aabb { min: position, max: position };
            if !is_skinned(primitive, drawable) {
                Aabb::join(&mut boxes[0], point);
                continue;
            }
            let mut heaviest: f32 = 0.0;
            for (slot, joint_weight) in primitive.influences.of_vertex(vertex) {
                if joint_weight != 0.0
                    && let Some(held) = boxes.get_mut(usize::from(slot))
                {
                    Aabb::join(held, point);
                    heaviest = heaviest.max(joint_weight);
                }
            }
            least_heaviest = least_heaviest.min(heaviest);
        }
        let moved = boxes.into_iter().enumerate();
        Self {
            of_slots: moved.filter_map(|(slot, held)| Some((slot as u16, Span::of(held?)))).collect(),
            displacements: primitive
                .morph_targets
                .iter()
                .map(|target| Span::of(Aabb::around(target.positions.iter().copied()).unwrap_or(NOWHERE)))
                .collect(),
            least_heaviest,
        }
    }

    /// Returns a box in model space around all vertices, from the rows of one character. `None` without vertices.
    ///
    /// Each joint alone would move a vertex into its own copy of the box. Linear skinning places the vertex between
    /// these positions. Dual quaternions place it no farther from any point than the mean distance of these positions,
    /// divided by the length of the blended quaternion, which is at least the weight of the heaviest joint.
    pub(crate) fn in_pose(&self, skinning: Skinning, drawable: &Drawable, rows: &[Vec4]) -> Option<Aabb> {
        let mut displaced = Span::of(NOWHERE);
        for (displacement, weight) in self.displacements.iter().zip(morph_weights(drawable, rows)) {
            displaced.center += displacement.center * weight;
            displaced.half += displacement.half * weight.abs();
        }
        let (slots, _) = rows.get(drawable.first_row..)?.as_chunks::<3>();
        let mut bounds = None;
        for (slot, span) in &self.of_slots {
            let span = Span { center: span.center + displaced.center, half: span.half + displaced.half };
            Aabb::join(&mut bounds, span.moved(slots.get(usize::from(*slot))?));
        }
        let bounds = bounds?;
        if skinning == Skinning::Linear || self.least_heaviest >= 1.0 {
            return Some(bounds);
        }
        let reach = bounds.radius() / self.least_heaviest;
        Some(Aabb { min: bounds.center() - reach, max: bounds.center() + reach })
    }
}

/// A box without a size.
const NOWHERE: Aabb = Aabb { min: Vec3::ZERO, max: Vec3::ZERO };

impl Span {
    fn of(aabb: Aabb) -> Self {
        Self { center: aabb.center(), half: (aabb.max - aabb.min) * 0.5 }
    }

    /// Returns a box around the moved one.
    fn moved(&self, rows: &Rows) -> Aabb {
        let (center, half) = (self.center.extend(1.0), self.half.extend(0.0));
        let summed = (self.center.abs() + self.half).extend(1.0);
        let moved = Vec3::from_array(rows.map(|row| row.dot(center)));
        let half = Vec3::from_array(rows.map(|row| row.abs().dot(half) + row.abs().dot(summed) * ROUNDING));
        Aabb { min: moved - half, max: moved + half }
    }
}
