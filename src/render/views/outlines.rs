//! Index and vertex data that only views draw. No GPU is needed.

use super::super::gpu_data::VertexData;
use super::super::primitives::packed_vertices;
use crate::model::Primitive;
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
    fn vertices_get_other_normals() {
        let primitive =
            Primitive { positions: vec![Vec3::ONE], normals: vec![Vec3::Z], ..Primitive::default() };
        let between = Vec3::new(1.0, 1.0, 0.0).normalize();
        assert_eq!(vertices_with(&[between], &primitive, [0, 1])[0].normal, [23169, 23169, 0, 0]);
    }
}
