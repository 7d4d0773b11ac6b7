//! Triangles for which a GPU transforms fewer vertices: between vertices that are at one place, and in an order in
//! which they follow each other.

use crate::model::Primitive;
use crate::order::for_equal_rows;

/// Number of vertices that a GPU is taken to keep. One of the last that were transformed costs nothing.
const KEPT_VERTICES: u32 = 16;

/// Returns for each vertex the first one that is always at the same place, which may be the vertex itself.
pub(super) fn first_at_place(primitive: &Primitive) -> Vec<u32> {
    let places = primitive.positions.iter().flat_map(|position| position.to_array().map(f32::to_bits));
    let mut firsts: Vec<u32> = (0..primitive.positions.len() as u32).collect();
    for_equal_rows(&places.collect::<Vec<u32>>(), 3, &mut |equal| {
        let first = equal[0];
        for &vertex in &equal[1..] {
            if moves_with(primitive, first as usize, vertex as usize) {
                firsts[vertex as usize] = first;
            }
        }
    });
    firsts
}

/// Returns whether two vertices have the same influences and displacements.
fn moves_with(primitive: &Primitive, a: usize, b: usize) -> bool {
    let influences = &primitive.influences;
    influences.of_vertex(a).eq(influences.of_vertex(b))
        && primitive.morph_targets.iter().all(|target| target.positions.get(a) == target.positions.get(b))
}

/// Returns the triangles in another order, which uses a vertex again before the GPU forgets it.
///
/// It lists the triangles around one vertex, and goes on with one of their corners: the one that has been known for
/// the longest, of those whose own triangles can be listed before it is forgotten. Where there is none, it goes back to
/// a vertex of an earlier triangle (Sander, Nehab, Barczak: "Fast triangle reordering for vertex locality and reduced
/// overdraw", 2007).
pub(super) fn ordered_for_reuse(indices: &[u32], vertex_count: usize) -> Vec<u32> {
    let triangles = indices.as_chunks::<3>().0;
    let around = Around::new(triangles, vertex_count);
    let mut left: Vec<u32> = (0..vertex_count).map(|vertex| around.of(vertex).len() as u32).collect();
    let mut is_listed = vec![false; triangles.len()];
    // When each vertex was last transformed, in transformed vertices.
    let mut transformed = vec![0; vertex_count];
    let mut now = KEPT_VERTICES + 1;
    let mut ordered: Vec<u32> = Vec::with_capacity(triangles.len() * 3);
    let (mut earlier, mut untouched) = (Vec::new(), 0..vertex_count);
    let mut center = untouched.next();
    while let Some(vertex) = center {
        let first = ordered.len();
        for &triangle in around.of(vertex) {
            if std::mem::replace(&mut is_listed[triangle as usize], true) {
                continue;
            }
            for corner in triangles[triangle as usize] {
                ordered.push(corner);
                let corner = corner as usize;
                left[corner] -= 1;
                if now - transformed[corner] > KEPT_VERTICES {
                    transformed[corner] = now;
                    now += 1;
                }
            }
        }
        // A triangle brings up to two further vertices.
        let age = |corner: u32| Some(now - transformed[corner as usize]);
        let lasts = |corner: u32| age(corner).filter(|age| age + 2 * left[corner as usize] <= KEPT_VERTICES);
        let has_more = |corner: &u32| left[*corner as usize] > 0;
        let corners = &ordered[first..];
        earlier.extend_from_slice(corners);
        center = corners
            .iter()
            .copied()
            .filter(has_more)
            .max_by_key(|&corner| lasts(corner))
            .or_else(|| {
                let found = std::iter::from_fn(|| earlier.pop()).find(has_more);
                found.or_else(|| untouched.find(|&vertex| left[vertex] > 0).map(|vertex| vertex as u32))
            })
            .map(|corner| corner as usize);
    }
    ordered
}

/// The triangles around each vertex.
struct Around {
    /// Where those of each vertex begin, and where those of the last end.
    bounds: Vec<u32>,
    triangles: Vec<u32>,
}

impl Around {
    fn new(triangles: &[[u32; 3]], vertex_count: usize) -> Self {
        let mut bounds = vec![0; vertex_count + 1];
        for &corner in triangles.iter().flatten() {
            bounds[corner as usize] += 1;
        }
        let mut end = 0;
        for bound in &mut bounds {
            end += *bound;
            *bound = end;
        }
        let mut around = vec![0; triangles.len() * 3];
        for (number, corners) in triangles.iter().enumerate().rev() {
            for &corner in corners {
                let bound = &mut bounds[corner as usize];
                *bound -= 1;
                around[*bound as usize] = number as u32;
            }
        }
        Self { bounds, triangles: around }
    }

    fn of(&self, vertex: usize) -> &[u32] {
        &self.triangles[self.bounds[vertex] as usize..self.bounds[vertex + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Influences, MorphTarget};
    use glam::Vec3;

    /// Returns the triangles of a square with `side` quads along each side, row by row.
    fn square(side: u32) -> Vec<u32> {
        let corners = (0..side * side).flat_map(|quad| {
            let at = quad / side * (side + 1) + quad % side;
            let [b, c, d] = [at + 1, at + side + 2, at + side + 1];
            [at, b, c, at, c, d]
        });
        corners.collect()
    }

    /// Counts the vertices that a GPU transforms which remembers the last `kept`.
    fn transformed(indices: &[u32], kept: usize) -> usize {
        let mut last: Vec<u32> = Vec::new();
        for index in indices {
            if !last[last.len().saturating_sub(kept)..].contains(index) {
                last.push(*index);
            }
        }
        last.len()
    }

    fn sorted(indices: &[u32]) -> Vec<[u32; 3]> {
        let mut triangles = indices.as_chunks::<3>().0.to_vec();
        triangles.sort_unstable();
        triangles
    }

    #[test]
    fn ordered_triangles_are_the_same_and_reuse_vertices() {
        let rows = square(40);
        let ordered = ordered_for_reuse(&rows, 41 * 41);
        assert_eq!(sorted(&ordered), sorted(&rows));
        // The least are as many as there are vertices, 1,681.
        let [before, after] = [&rows, &ordered].map(|indices| transformed(indices, 16));
        assert!(before > 3200 && after < 2300, "{before} became {after}");

        // From the last vertex to the first, with a vertex that no triangle has, and a triangle without area.
        let mut others: Vec<u32> = rows.iter().rev().map(|index| index + 1).collect();
        others.extend([7, 7, 9]);
        assert_eq!(sorted(&ordered_for_reuse(&others, 41 * 41 + 1)), sorted(&others));
        assert!(ordered_for_reuse(&[], 0).is_empty());
        assert!(ordered_for_reuse(&[], 5).is_empty());
    }

    #[test]
    fn vertices_at_one_place_are_one_if_they_move_together() {
        let weights = |first: f32| [first, 1.0 - first, 0.0, 0.0];
        let mut primitive = Primitive {
            positions: vec![Vec3::X, Vec3::ONE, Vec3::ONE, Vec3::X, Vec3::ONE],
            influences: Influences {
                per_vertex: 4,
                joints: [0, 1, 0, 0].repeat(5),
                joint_weights: [weights(0.5), weights(0.5), weights(0.5), weights(0.5), weights(0.6)]
                    .concat(),
            },
            ..Primitive::default()
        };
        assert_eq!(first_at_place(&primitive), [0, 1, 1, 0, 4]);
        let positions = vec![Vec3::Y, Vec3::Y, Vec3::Y, Vec3::ZERO, Vec3::Y];
        primitive.morph_targets =
            vec![MorphTarget::default(), MorphTarget { positions, ..MorphTarget::default() }];
        assert_eq!(first_at_place(&primitive), [0, 1, 1, 3, 4]);
        assert!(first_at_place(&Primitive::default()).is_empty());
    }
}
