//! Index and vertex data that only views draw. No GPU is needed.

use super::super::gpu_data::VertexData;
use super::super::primitives::packed_vertices;
use crate::model::{Mesh, Primitive};
use crate::order::for_equal_rows;
use glam::Vec3;

/// Returns the edges of triangles, each once, as pairs of vertices.
pub(super) fn edges(triangles: &[u32]) -> Vec<u32> {
    let mut pairs = Vec::with_capacity(triangles.len() * 2);
    for corners in triangles.as_chunks::<3>().0 {
        for (from, to) in [(0, 1), (1, 2), (2, 0)] {
            let (a, b) = (corners[from], corners[to]);
            pairs.extend([a.min(b), a.max(b)]);
        }
    }
    let mut edges = Vec::with_capacity(pairs.len() / 2);
    for_equal_rows(&pairs, 2, &mut |equal| {
        let first = equal[0] as usize * 2;
        edges.extend_from_slice(&pairs[first..first + 2]);
    });
    edges
}

/// Returns a normal for each vertex of a mesh's primitives: the mean of the normals at its place. An outline along
/// these has no gaps where a mesh has hard edges.
pub(super) fn joined_normals(mesh: &Mesh) -> Vec<Vec3> {
    let mut places = Vec::new();
    let mut normals: Vec<Vec3> = Vec::new();
    for primitive in &mesh.primitives {
        for (vertex, position) in primitive.positions.iter().enumerate() {
            // −0 and 0 are one place.
            places.extend(position.to_array().map(|number| (number + 0.0).to_bits()));
            normals.push(primitive.normals.get(vertex).copied().unwrap_or_default());
        }
    }
    let mut joined = normals.clone();
    for_equal_rows(&places, 3, &mut |equal| {
        let sum: Vec3 = equal.iter().map(|&vertex| normals[vertex as usize].normalize_or_zero()).sum();
        if let Some(mean) = sum.try_normalize() {
            equal.iter().for_each(|&vertex| joined[vertex as usize] = mean);
        }
    });
    joined
}

/// Returns the vertices of a primitive with other normals.
pub(super) fn vertices_with(normals: &[Vec3], primitive: &Primitive, uv_sets: [usize; 2]) -> Vec<VertexData> {
    let mut vertices = packed_vertices(primitive, uv_sets);
    for (vertex, normal) in vertices.iter_mut().zip(normals) {
        let [x, y, z] = (*normal * f32::from(i16::MAX)).to_array().map(|number| number as i16);
        vertex.normal = [x, y, z, 0];
    }
    vertices
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triangles_share_an_edge() {
        let mut found = edges(&[0, 1, 2, 2, 1, 3]).as_chunks::<2>().0.to_vec();
        found.sort_unstable();
        assert_eq!(found, [[0, 1], [0, 2], [1, 2], [1, 3], [2, 3]]);
        assert!(edges(&[]).is_empty() && edges(&[0, 1]).is_empty());
    }

    #[test]
    fn normals_at_one_place_are_joined_across_primitives() {
        let side = |position: Vec3, normal: Vec3| Primitive {
            positions: vec![position],
            normals: vec![normal],
            ..Primitive::default()
        };
        let mesh = Mesh {
            primitives: vec![
                side(Vec3::ZERO, Vec3::X),
                side(Vec3::new(0.0, -0.0, 0.0), Vec3::Y),
                side(Vec3::ONE, Vec3::Z),
                Primitive { positions: vec![Vec3::ONE], ..Primitive::default() },
            ],
            ..Mesh::default()
        };
        let between = Vec3::new(1.0, 1.0, 0.0).normalize();
        assert_eq!(joined_normals(&mesh), [between, between, Vec3::Z, Vec3::Z]);
        let packed = vertices_with(&[between], &mesh.primitives[0], [0, 1]);
        assert_eq!(packed[0].normal, [23169, 23169, 0, 0]);
    }

    #[test]
    fn opposite_normals_stay() {
        let primitive = Primitive {
            positions: vec![Vec3::ZERO; 2],
            normals: vec![Vec3::X, Vec3::NEG_X],
            ..Primitive::default()
        };
        let mesh = Mesh { primitives: vec![primitive], ..Mesh::default() };
        assert_eq!(joined_normals(&mesh), [Vec3::X, Vec3::NEG_X]);
    }
}
