//! Conversion of the model's vertex arrays to the data that the vertex shader reads. No GPU is needed.

use super::gpu_data::{DrawData, VertexData};
use crate::model::{Aabb, Influences, Mesh, Primitive};
use glam::{Vec3, Vec4};

/// Number of influences that are vertex attributes. Further ones are stored in rows.
const ATTRIBUTE_INFLUENCES: usize = 4;

/// Returns the vertices with the two UV sets that the material reads.
pub(super) fn packed_vertices(primitive: &Primitive, uv_sets: [usize; 2]) -> Vec<VertexData> {
    let uv_sets = uv_sets.map(|set| primitive.uv_sets.get(set).map_or(&[][..], Vec::as_slice));
    let of = |vertex: usize| {
        let mut packed = VertexData {
            position: primitive.positions[vertex].to_array(),
            normal: snorm(primitive.normals.get(vertex).map_or(Vec4::ZERO, |normal| normal.extend(0.0))),
            tangent: snorm(primitive.tangents.get(vertex).copied().unwrap_or(Vec4::ZERO)),
            uv_sets: uv_sets.map(|set| set.get(vertex).map_or([0.0; 2], |uv| uv.to_array())),
            color: unorm(primitive.colors.get(vertex).copied().unwrap_or(Vec4::ONE)),
            ..VertexData::default()
        };
        let slots = primitive.influences.of_vertex(vertex).take(ATTRIBUTE_INFLUENCES);
        for (slot, (joint, joint_weight)) in slots.enumerate() {
            packed.joints[slot] = joint;
            packed.joint_weights[slot] = joint_weight;
        }
        packed
    };
    (0..primitive.positions.len()).map(of).collect()
}

fn snorm(numbers: Vec4) -> [i16; 4] {
    (numbers.clamp(Vec4::NEG_ONE, Vec4::ONE) * f32::from(i16::MAX))
        .round()
        .to_array()
        .map(|number| number as i16)
}

fn unorm(numbers: Vec4) -> [u16; 4] {
    (numbers.clamp(Vec4::ZERO, Vec4::ONE) * f32::from(u16::MAX))
        .round()
        .to_array()
        .map(|number| number as u16)
}

/// Appends the data of variable length (morph displacements, influences beyond the fourth) to `rows` and returns its
/// indices.
///
/// ```text
/// displacements   target 0: vertex 0 (position, normal?, tangent?), vertex 1, …   target 1: …
/// influences      vertex 0: (joint, weight, joint, weight), …   vertex 1: …
/// ```
pub(super) fn push_mesh_rows(mesh: &Mesh, primitive: &Primitive, rows: &mut Vec<Vec4>) -> DrawData {
    let vertex_count = primitive.positions.len();
    let targets = &primitive.morph_targets;
    let any_normals = targets.iter().any(|target| !target.normals.is_empty());
    let any_tangents = targets.iter().any(|target| !target.tangents.is_empty());

    let first_morph_row = rows.len();
    for target in targets {
        let at = |displacements: &[Vec3], vertex: usize| {
            displacements.get(vertex).map_or(Vec4::ZERO, |displacement| displacement.extend(0.0))
        };
        for vertex in 0..vertex_count {
            rows.push(at(&target.positions, vertex));
            if any_normals {
                rows.push(at(&target.normals, vertex));
            }
            if any_tangents {
                rows.push(at(&target.tangents, vertex));
            }
        }
    }

    let first_influence_row = rows.len();
    let influences = &primitive.influences;
    for vertex in 0..vertex_count {
        push_influence_rows(influences, vertex, rows);
    }

    DrawData {
        morph_target_count: targets.len().min(mesh.morph_target_count()) as u32,
        first_morph_row: first_morph_row as u32,
        morph_rows_per_vertex: 1 + u32::from(any_normals) + u32::from(any_tangents),
        morph_normal_row: u32::from(any_normals),
        morph_tangent_row: if any_tangents { 1 + u32::from(any_normals) } else { 0 },
        first_influence_row: first_influence_row as u32,
        influence_rows_per_vertex: influence_rows_per_vertex(influences) as u32,
        vertex_count: vertex_count as u32,
        skinned: u32::from(!influences.is_empty()),
        ..DrawData::default()
    }
}

fn influence_rows_per_vertex(influences: &Influences) -> usize {
    influences.per_vertex.saturating_sub(ATTRIBUTE_INFLUENCES).div_ceil(2)
}

fn push_influence_rows(influences: &Influences, vertex: usize, rows: &mut Vec<Vec4>) {
    // A 16-bit joint index is exact in a float, which has 24 bits of precision.
    let mut rest = influences
        .of_vertex(vertex)
        .skip(ATTRIBUTE_INFLUENCES)
        .map(|(joint, weight)| (f32::from(joint), weight));
    for _ in 0..influence_rows_per_vertex(influences) {
        let (first, second) = (rest.next().unwrap_or_default(), rest.next().unwrap_or_default());
        rows.push(Vec4::new(first.0, first.1, second.0, second.1));
    }
}

/// Returns the place by which a blended primitive is sorted: the centre of its bounds in mesh space, and the slot of
/// the matrix that transforms it.
pub(super) fn anchor(primitive: &Primitive) -> (Vec3, usize) {
    let center = Aabb::around(primitive.positions.iter().copied()).map_or(Vec3::ZERO, |aabb| aabb.center());
    // The first influence of the first vertex has its largest weight.
    let slot = primitive.influences.joints.first().copied().unwrap_or(0);
    (center, usize::from(slot))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::MorphTarget;

    #[test]
    fn influences_beyond_the_fourth_become_rows() {
        let influences = Influences {
            per_vertex: 8,
            joints: vec![1, 2, 3, 4, 5, 6, 7, 0, 9, 0, 0, 0, 0, 0, 0, 0],
            joint_weights: vec![
                0.3, 0.2, 0.1, 0.1, 0.1, 0.1, 0.1, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0,
            ],
        };
        let primitive = Primitive { positions: vec![Vec3::ZERO; 2], influences, ..Primitive::default() };
        let mut rows = vec![Vec4::NAN];
        let draw = push_mesh_rows(&Mesh::default(), &primitive, &mut rows);
        assert_eq!((draw.first_influence_row, draw.influence_rows_per_vertex, draw.skinned), (1, 2, 1));
        assert_eq!(
            rows[1..],
            [Vec4::new(5.0, 0.1, 6.0, 0.1), Vec4::new(7.0, 0.1, 0.0, 0.0), Vec4::ZERO, Vec4::ZERO]
        );
        let vertices = packed_vertices(&primitive, [0, 1]);
        assert_eq!(vertices[0].joints, [1, 2, 3, 4]);
        assert_eq!(vertices[1].joint_weights, [1.0, 0.0, 0.0, 0.0]);
    }

    #[test]
    fn targets_that_leave_an_attribute_alone_displace_it_by_nothing() {
        let primitive = Primitive {
            positions: vec![Vec3::ZERO],
            morph_targets: vec![
                MorphTarget { positions: vec![Vec3::X], ..MorphTarget::default() },
                MorphTarget { tangents: vec![Vec3::Y], ..MorphTarget::default() },
            ],
            ..Primitive::default()
        };
        let mesh = Mesh { morph_target_names: vec![String::new(); 2], ..Mesh::default() };
        let mut rows = Vec::new();
        let draw = push_mesh_rows(&mesh, &primitive, &mut rows);
        assert_eq!((draw.morph_rows_per_vertex, draw.morph_normal_row, draw.morph_tangent_row), (2, 0, 1));
        let row = |vector: Vec3| vector.extend(0.0);
        assert_eq!(rows, [row(Vec3::X), row(Vec3::ZERO), row(Vec3::ZERO), row(Vec3::Y)]);
    }

    #[test]
    fn vertices_without_optional_attributes_are_white_and_unlit() {
        let primitive = Primitive { positions: vec![Vec3::ONE], ..Primitive::default() };
        let vertex = packed_vertices(&primitive, [0, 1])[0];
        assert_eq!(vertex.color, [u16::MAX; 4]);
        assert_eq!(vertex.normal, [0; 4]);
    }
}
