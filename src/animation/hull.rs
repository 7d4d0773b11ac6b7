//! Vertices of a rig that may be outermost in some pose, and their positions in a pose.
use super::extremes::{Directions, Extremes, Point, around, push};
use super::reference_skin::morph_weights;
use super::simd::Rows;
use super::{Drawable, Rig};
use crate::model::{Aabb, Primitive};
use glam::{Vec3, Vec4};

/// Vertices of one primitive that a drawable draws.
#[derive(Debug)]
pub(super) struct Part {
    drawable: usize,
    primitive: usize,
    /// Indices of the vertices; `None` for all.
    vertices: Option<Vec<u32>>,
    /// Slots that move the vertices; only the first slot if `vertices` is `None`.
    slots: Vec<u16>,
    /// Whether the first slot alone moves the vertices.
    is_rigid: bool,
    /// Center of a box around the vertices in mesh space, and half its size. Unused if `vertices` is `None`.
    center: Vec3,
    half: Vec3,
}

/// Directions per half turn. A vertex is selected if it is outermost in one of them, among the vertices that the same
/// joint moves most.
const STEPS: usize = 12;

/// Number of a joint's vertices up to which all are selected: the joint weights of so few may be unrelated to their
/// positions.
const FEW: usize = 24;

/// Returns parts with every vertex.
pub(super) fn all_parts(rig: &Rig) -> Vec<Part> {
    let mut parts = Vec::new();
    for (drawable, drawn) in visible_drawables(rig) {
        for primitive in 0..rig.model().mesh(drawn.mesh).primitives.len() {
            let is_rigid = rig.model().mesh(drawn.mesh).primitives[primitive].influences.is_empty();
            let (center, half) = Default::default();
            parts.push(Part { drawable, primitive, vertices: None, slots: vec![0], is_rigid, center, half });
        }
    }
    parts
}

/// Returns parts with the vertices that are outermost in the file, or displaced by one morph target, among those that
/// the same joint moves most. The error is a small fraction of a limb's thickness.
pub(super) fn outer_parts(rig: &Rig) -> Vec<Part> {
    let directions = around(STEPS);
    let mut parts = Vec::new();
    for (drawable, drawn) in visible_drawables(rig) {
        for (primitive, source) in rig.model().mesh(drawn.mesh).primitives.iter().enumerate() {
            for candidates in by_slot(drawn, source) {
                if candidates.is_empty() {
                    continue;
                }
                let vertices = outer_vertices(source, candidates, &directions);
                parts.push(part(drawable, primitive, source, vertices));
            }
        }
    }
    parts
}

/// Returns the drawables that the file shows, with their indices.
fn visible_drawables(rig: &Rig) -> impl Iterator<Item = (usize, &Drawable)> {
    let mut is_hidden = rig.model().hidden_nodes();
    rig.model().mark_descendants(&mut is_hidden);
    let drawables = rig.palette_layout().drawables.iter().enumerate();
    drawables.filter(move |(_, drawable)| !is_hidden[drawable.node.get()])
}

/// Returns the vertices that each slot moves most.
fn by_slot(drawable: &Drawable, primitive: &Primitive) -> Vec<Vec<u32>> {
    let mut vertices = vec![Vec::new(); drawable.slot_count];
    for vertex in 0..primitive.positions.len() {
        let (mut slot, mut most) = (0, 0.0);
        for (joint, joint_weight) in primitive.influences.of_vertex(vertex) {
            if joint_weight > most {
                (slot, most) = (usize::from(joint), joint_weight);
            }
        }
        if let Some(vertices) = vertices.get_mut(slot) {
            vertices.push(vertex as u32);
        }
    }
    vertices
}

fn outer_vertices(primitive: &Primitive, candidates: Vec<u32>, directions: &Directions) -> Vec<u32> {
    if candidates.len() <= FEW {
        return candidates;
    }
    let mut points = Vec::new();
    for &vertex in &candidates {
        let position = primitive.positions[vertex as usize];
        push(&mut points, position, vertex);
        for target in &primitive.morph_targets {
            if let Some(&displacement) = target.positions.get(vertex as usize)
                && displacement != Vec3::ZERO
            {
                push(&mut points, position + displacement, vertex);
            }
        }
    }
    let mut extremes = Extremes::new(directions);
    extremes.include(&points);
    let mut vertices: Vec<u32> = extremes.points().map(|point| point.label).collect();
    crate::order::sort(&mut vertices, |a, b| a < b);
    vertices.dedup();
    vertices
}

fn part(drawable: usize, primitive: usize, source: &Primitive, vertices: Vec<u32>) -> Part {
    let (mut min, mut max) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    let (mut slots, mut is_rigid) = (Vec::new(), true);
    for &vertex in &vertices {
        let position = source.positions[vertex as usize];
        (min, max) = (min.min(position), max.max(position));
        let mut has_one_joint = source.influences.is_empty();
        for (joint, joint_weight) in source.influences.of_vertex(vertex as usize) {
            if joint_weight > 0.0 && !slots.contains(&joint) {
                slots.push(joint);
            }
            has_one_joint |= joint_weight == 1.0;
        }
        is_rigid &= has_one_joint;
    }
    if source.influences.is_empty() {
        slots.push(0);
    }
    is_rigid &= slots.len() == 1;
    let half = (max - min) * 0.5;
    Part { drawable, primitive, vertices: Some(vertices), slots, is_rigid, center: min + half, half }
}

impl Part {
    /// Returns a box around the vertices in a pose, from the rows of one character. It is infinite if `vertices` is
    /// `None` or if there are morph targets.
    ///
    /// Each joint alone would move a vertex to its own copy of the box. The vertex lies between these positions.
    pub(super) fn bounds(&self, rig: &Rig, rows: &[Vec4]) -> Aabb {
        let drawable = &rig.palette_layout().drawables[self.drawable];
        if self.vertices.is_none() || drawable.morph_target_count > 0 {
            return Aabb { min: Vec3::NEG_INFINITY, max: Vec3::INFINITY };
        }
        let slots = rows[drawable.first_row..].as_chunks::<3>().0;
        let half = self.half.extend(0.0);
        let mut bounds = Aabb { min: Vec3::INFINITY, max: Vec3::NEG_INFINITY };
        for &slot in &self.slots {
            let rows = &slots[usize::from(slot)];
            let center = transformed(rows, self.center);
            let half = Vec3::from_array(rows.map(|row| row.abs().dot(half)));
            bounds = bounds.union(&Aabb { min: center - half, max: center + half });
        }
        bounds
    }

    /// Appends the positions of the vertices in a pose. Except for rounding they equal those of
    /// [`reference_skin`](super::reference_skin()).
    pub(super) fn place_into(&self, rig: &Rig, rows: &[Vec4], label: u32, points: &mut Vec<Point>) {
        let drawable = &rig.palette_layout().drawables[self.drawable];
        let primitive = &rig.model().mesh(drawable.mesh).primitives[self.primitive];
        let slots = rows[drawable.first_row..].as_chunks::<3>().0;
        let morph_weights =
            if primitive.morph_targets.is_empty() { Vec::new() } else { morph_weights(drawable, rows) };
        let rigid = self.is_rigid.then(|| &slots[usize::from(self.slots[0])]);
        let count = self.vertices.as_ref().map_or(primitive.positions.len(), Vec::len);
        for nth in 0..count {
            let vertex = self.vertices.as_ref().map_or(nth, |vertices| vertices[nth] as usize);
            let mut position = primitive.positions[vertex];
            for (target, &weight) in primitive.morph_targets.iter().zip(&morph_weights) {
                if weight != 0.0
                    && let Some(&displacement) = target.positions.get(vertex)
                {
                    position += displacement * weight;
                }
            }
            if let Some(slot) = rigid {
                push(points, transformed(slot, position), label);
                continue;
            }
            let mut sum = [Vec4::ZERO; 3];
            for (joint, joint_weight) in primitive.influences.of_vertex(vertex) {
                if joint_weight > 0.0 {
                    let [x, y, z] = slots[usize::from(joint)];
                    sum = [sum[0] + x * joint_weight, sum[1] + y * joint_weight, sum[2] + z * joint_weight];
                }
            }
            push(points, transformed(&sum, position), label);
        }
    }
}

fn transformed([x, y, z]: &Rows, position: Vec3) -> Vec3 {
    let position = position.extend(1.0);
    Vec3::new(x.dot(position), y.dot(position), z.dot(position))
}
