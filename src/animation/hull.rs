//! The vertices of a rig that may be outermost in some pose, and where poses put them.
use super::extremes::{Directions, Extremes, around};
use super::reference_skin::morph_weights;
use super::simd::Rows;
use super::{Drawable, Rig};
use crate::model::{Aabb, MorphTarget, Primitive};
use glam::{Vec3, Vec3Swizzles, Vec4, Vec4Swizzles};

/// Vertices of one primitive that a drawable draws.
#[derive(Debug)]
pub(super) struct Part {
    drawable: usize,
    primitive: usize,
    /// `None` is all of them.
    vertices: Option<Vec<u32>>,
    /// What moves them; empty where nobody has looked.
    slots: Vec<u16>,
    /// In mesh space, a sphere around them.
    center: Vec3,
    radius: f32,
}

/// Directions to half a turn in which a vertex must be outermost among those that the same joint moves most.
const STEPS: usize = 8;

/// So few vertices of a joint are all looked at: their joint weights may have nothing to do with where they are.
const FEW: usize = 24;

/// Every vertex.
pub(super) fn all_parts(rig: &Rig) -> Vec<Part> {
    let mut parts = Vec::new();
    for (drawable, drawn) in rig.palette_layout().drawables.iter().enumerate() {
        for (primitive, source) in rig.model().mesh(drawn.mesh).primitives.iter().enumerate() {
            let is_rigid = source.influences.is_empty();
            let held = is_rigid.then(|| Aabb::around(source.positions.iter().copied())).flatten();
            let (center, radius) = held.map_or_else(Default::default, |held| (held.center(), held.radius()));
            let slots = held.map_or(Vec::new(), |_| vec![0]);
            parts.push(Part { drawable, primitive, vertices: None, slots, center, radius });
        }
    }
    parts
}

/// Those that are outermost where the file has them, or where one morph target takes them, among the vertices that
/// the same joint moves most. What they leave out is a small share of a limb's thickness.
pub(super) fn outer_parts(rig: &Rig) -> Vec<Part> {
    let directions = around(STEPS);
    let mut parts = Vec::new();
    for (drawable, drawn) in rig.palette_layout().drawables.iter().enumerate() {
        for (primitive, source) in rig.model().mesh(drawn.mesh).primitives.iter().enumerate() {
            for vertices in outer_vertices(drawn, source, &directions) {
                parts.push(part(drawable, primitive, source, vertices));
            }
        }
    }
    parts
}

/// By the joint that moves them most.
fn outer_vertices(drawable: &Drawable, primitive: &Primitive, directions: &Directions) -> Vec<Vec<u32>> {
    let mut slots: Vec<Option<(Vec<u32>, Extremes<'_, u32>)>> =
        (0..drawable.slot_count).map(|_| None).collect();
    for (vertex, &position) in primitive.positions.iter().enumerate() {
        let (mut slot, mut most) = (0, 0.0);
        if !primitive.influences.is_empty() {
            for (joint, joint_weight) in primitive.influences.of_vertex(vertex) {
                if joint_weight > most {
                    (slot, most) = (usize::from(joint), joint_weight);
                }
            }
        }
        let Some(slot) = slots.get_mut(slot) else { continue };
        let (first, extremes) = slot.get_or_insert_with(|| (Vec::new(), Extremes::new(directions)));
        if first.len() <= FEW {
            first.push(vertex as u32);
        }
        extremes.include(position, vertex as u32);
        for target in &primitive.morph_targets {
            if let Some(&displacement) = target.positions.get(vertex).filter(|&&by| by != Vec3::ZERO) {
                extremes.include(position + displacement, vertex as u32);
            }
        }
    }
    let listed = slots.into_iter().flatten().map(|(first, extremes)| {
        if first.len() <= FEW {
            return first;
        }
        let mut vertices: Vec<u32> = extremes.held().collect();
        crate::order::sort(&mut vertices, |a, b| a < b);
        vertices.dedup();
        vertices
    });
    listed.collect()
}

fn part(drawable: usize, primitive: usize, source: &Primitive, vertices: Vec<u32>) -> Part {
    let positions = || vertices.iter().map(|&vertex| source.positions[vertex as usize]);
    let center = Aabb::around(positions()).map_or(Vec3::ZERO, |held| held.center());
    let radius = positions().map(|position| position.distance(center)).fold(0.0, f32::max);
    let mut slots = Vec::new();
    for &vertex in &vertices {
        if source.influences.is_empty() {
            break;
        }
        for (joint, joint_weight) in source.influences.of_vertex(vertex as usize) {
            if joint_weight > 0.0 && !slots.contains(&joint) {
                slots.push(joint);
            }
        }
    }
    if slots.is_empty() {
        slots.push(0);
    }
    Part { drawable, primitive, vertices: Some(vertices), slots, center, radius }
}

impl Part {
    /// Shows where a pose puts its vertices, unless none of them can be outermost. `rows` are one character's.
    pub(super) fn show(&self, rig: &Rig, rows: &[Vec4], extremes: &mut Extremes<'_, Vec3>) {
        let drawable = &rig.palette_layout().drawables[self.drawable];
        let primitive = &rig.model().mesh(drawable.mesh).primitives[self.primitive];
        let slots = rows[drawable.first_row..].as_chunks::<3>().0;
        let weights =
            if primitive.morph_targets.is_empty() { Vec::new() } else { morph_weights(drawable, rows) };
        let active = primitive.morph_targets.iter().zip(weights).filter(|(_, weight)| *weight != 0.0);
        let morphs: Vec<(&MorphTarget, f32)> = active.collect();
        if morphs.is_empty() && !self.slots.is_empty() && self.is_inside(slots, extremes) {
            return;
        }
        let mut show = |vertex: usize| {
            let place = placed(primitive, vertex, slots, &morphs);
            extremes.include(place, place);
        };
        match &self.vertices {
            None => (0..primitive.positions.len()).for_each(&mut show),
            Some(vertices) => vertices.iter().for_each(|&vertex| show(vertex as usize)),
        }
    }

    /// A vertex lies among the places where each of its joints alone would put it.
    fn is_inside(&self, slots: &[Rows], extremes: &Extremes<'_, Vec3>) -> bool {
        self.slots.iter().all(|&slot| {
            let rows = &slots[usize::from(slot)];
            !extremes.may_hold(transformed(rows, self.center), self.radius * most_stretch(rows))
        })
    }
}

/// By how much at most a matrix lengthens anything; exact where its columns are at right angles.
fn most_stretch([x, y, z]: &Rows) -> f32 {
    let own = (*x * *x + *y * *y + *z * *z).truncate();
    let shear = (*x * x.yzxw() + *y * y.yzxw() + *z * z.yzxw()).truncate().abs();
    (own + shear + shear.zxy()).max_element().sqrt()
}

/// As [`reference_skin`](super::reference_skin()) has it, but for rounding.
fn placed(primitive: &Primitive, vertex: usize, slots: &[Rows], morphs: &[(&MorphTarget, f32)]) -> Vec3 {
    let mut position = primitive.positions[vertex];
    for (target, weight) in morphs {
        if let Some(&displacement) = target.positions.get(vertex) {
            position += displacement * *weight;
        }
    }
    if primitive.influences.is_empty() {
        return transformed(&slots[0], position);
    }
    let mut sum = [Vec4::ZERO; 3];
    for (joint, joint_weight) in primitive.influences.of_vertex(vertex) {
        if joint_weight > 0.0 {
            let [x, y, z] = slots[usize::from(joint)];
            sum = [sum[0] + x * joint_weight, sum[1] + y * joint_weight, sum[2] + z * joint_weight];
        }
    }
    transformed(&sum, position)
}

fn transformed([x, y, z]: &Rows, position: Vec3) -> Vec3 {
    let position = position.extend(1.0);
    Vec3::new(x.dot(position), y.dot(position), z.dot(position))
}
