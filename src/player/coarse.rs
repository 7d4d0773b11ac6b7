//! Coarser triangles for characters that are small in the picture: vertices in the same cell of a grid, whose normals
//! point to the same side, become one of them. Characters of all sizes therefore share their vertices, and differ in
//! indices.

use super::Player;
use super::reuse::{first_at_place, ordered_for_reuse};
use crate::animation::{LocalPose, ModelPose, Rig, reference_skin};
use crate::model::Topology;
use crate::order::for_equal_rows;
use crate::render::{COARSER_LEVELS, Coarse, Levels};
use glam::{Affine3A, Vec3, Vec4};

/// Cells of each level along the size of the model.
const CELLS: [f32; COARSER_LEVELS] = [40.0, 16.0, 8.0];

impl Player {
    /// Lets characters that are small in the picture have fewer triangles, until another model is shown.
    pub fn coarsen(&mut self) {
        if let Some(loaded) = &mut self.loaded
            && loaded.coarse.is_none()
        {
            loaded.coarse = Some(coarse_of(loaded.rig()));
        }
    }
}

/// Returns the coarser triangles of a model.
pub(super) fn coarse_of(rig: &Rig) -> Coarse {
    let mut rows = vec![Vec4::ZERO; rig.palette_layout().rows_per_character];
    let (local, model) = (LocalPose::rest(rig), ModelPose::new(rig));
    rig.palette_into(&local, &model, &Affine3A::IDENTITY, &mut rows);
    let size = rig.sweep(None).map_or(0.0, |rest| rest.bounds.radius() * 2.0);
    Coarse::new(levels(rig, &rows, size))
}

/// Returns the levels of all primitives, mesh by mesh. `rows` are those of the rest pose, and `size` is the model's.
fn levels(rig: &Rig, rows: &[Vec4], size: f32) -> Vec<Levels> {
    let model = rig.model();
    let mut drawables = vec![None; model.meshes.len()];
    for drawable in &rig.palette_layout().drawables {
        drawables[drawable.mesh.get()].get_or_insert(drawable);
    }
    let mut all = Vec::new();
    for (mesh, drawable) in model.meshes.iter().zip(drawables) {
        // Normals of flat triangles would keep the corners of a thin part apart at its edges, and join those of each
        // of its sides, so that nothing was left of it.
        let joined = mesh.joined_normals();
        let mut normals = joined.as_slice();
        for (number, primitive) in mesh.primitives.iter().enumerate() {
            let (own, others) = normals.split_at(primitive.positions.len());
            normals = others;
            let Some(drawable) = drawable.filter(|_| primitive.topology == Topology::Triangles) else {
                all.push(Levels::default());
                continue;
            };
            let positions = reference_skin(rig, drawable, number, rows).positions;
            let ordered = |indices: &[u32]| ordered_for_reuse(indices, positions.len());
            let coarse = |cells| ordered(&coarse(&positions, own, &primitive.indices, size / cells));
            let firsts = first_at_place(primitive);
            let first = |vertex: &u32| firsts[*vertex as usize];
            let at_place = |indices: &[u32]| ordered(&indices.iter().map(first).collect::<Vec<_>>());
            let [fine, middle, small] = CELLS.map(|cells| {
                let picture = coarse(cells);
                let depth = at_place(&picture);
                [picture, depth]
            });
            all.push([[Vec::new(), at_place(&primitive.indices)], fine, middle, small]);
        }
    }
    all
}

/// Returns the triangles between vertices that stand for those of their cells. Those whose corners meet vanish.
fn coarse(positions: &[Vec3], normals: &[Vec3], indices: &[u32], cell: f32) -> Vec<u32> {
    let mut cells = Vec::with_capacity(positions.len() * 4);
    for (vertex, position) in positions.iter().enumerate() {
        let place = (*position / cell).floor();
        cells.extend(place.to_array().map(|number| number as i32 as u32));
        cells.push(normals.get(vertex).map_or(0, |normal| normal.cmplt(Vec3::ZERO).bitmask()));
    }
    let mut stands_for: Vec<u32> = vec![0; positions.len()];
    for_equal_rows(&cells, 4, &mut |vertices| {
        let position = |vertex: u32| positions[vertex as usize];
        let sum: Vec3 = vertices.iter().map(|&vertex| position(vertex)).sum();
        let center = sum / vertices.len() as f32;
        let distance = |vertex: u32| position(vertex).distance_squared(center);
        let mut nearest = vertices[0];
        for &vertex in vertices {
            if distance(vertex) < distance(nearest) {
                nearest = vertex;
            }
        }
        vertices.iter().for_each(|&vertex| stands_for[vertex as usize] = nearest);
    });
    let mut triangles = Vec::new();
    for corners in indices.as_chunks::<3>().0 {
        let [a, b, c] = corners.map(|vertex| stands_for[vertex as usize]);
        if a != b && b != c && c != a {
            // Equal triangles begin with the same corner.
            triangles.extend(match a.min(b).min(c) {
                least if least == a => [a, b, c],
                least if least == b => [b, c, a],
                _ => [c, a, b],
            });
        }
    }
    let mut kept = Vec::new();
    for_equal_rows(&triangles, 3, &mut |equal| {
        let first = equal[0] as usize * 3;
        kept.extend_from_slice(&triangles[first..first + 3]);
    });
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Mesh, Primitive};

    /// A square in the plane of x and y with `side` quads along each side, and its back.
    fn square(side: u32) -> (Vec<Vec3>, Vec<Vec3>, Vec<u32>) {
        let (mut positions, mut normals, mut indices) = (Vec::new(), Vec::new(), Vec::new());
        for z in [1.0, -1.0] {
            let first = positions.len() as u32;
            for at in 0..(side + 1) * (side + 1) {
                let (x, y) = (at % (side + 1), at / (side + 1));
                positions.push(Vec3::new(x as f32, y as f32, 0.0) / side as f32);
                normals.push(Vec3::Z * z);
                if x < side && y < side {
                    let [a, b, c, d] =
                        [at, at + 1, at + side + 2, at + side + 1].map(|corner| first + corner);
                    indices.extend(if z > 0.0 { [a, b, c, a, c, d] } else { [a, c, b, a, d, c] });
                }
            }
        }
        (positions, normals, indices)
    }

    fn area(positions: &[Vec3], indices: &[u32]) -> Vec3 {
        let corners =
            indices.as_chunks::<3>().0.iter().map(|corners| corners.map(|at| positions[at as usize]));
        corners.map(|[a, b, c]| (b - a).cross(c - a) / 2.0).sum()
    }

    #[test]
    fn a_fine_grid_keeps_all_triangles() {
        let (positions, normals, indices) = square(8);
        let found = coarse(&positions, &normals, &indices, 0.01);
        assert_eq!(found.len(), indices.len());
        let front = indices.len() / 2;
        assert!((area(&positions, &found[..front]) - Vec3::Z).length() < 1e-5);
    }

    #[test]
    fn a_coarse_grid_keeps_sides_apart_and_most_of_the_area() {
        let (positions, normals, indices) = square(32);
        let found = coarse(&positions, &normals, &indices, 0.249);
        assert!(found.len() * 20 < indices.len(), "{} of {} indices", found.len(), indices.len());
        let back = positions.len() as u32 / 2;
        let mut sides = Vec::new();
        for corners in found.as_chunks::<3>().0 {
            let in_front = corners.map(|at| at < back);
            assert!(in_front == [true; 3] || in_front == [false; 3], "{corners:?} joins both sides");
            sides.push((in_front[0], *corners));
        }
        for in_front in [true, false] {
            let found = sides.iter().filter(|side: &&(bool, [u32; 3])| side.0 == in_front);
            let side: Vec<u32> = found.flat_map(|side| side.1).collect();
            let area = area(&positions, &side).z;
            assert!(area.abs() > 0.5 && (area > 0.0) == in_front, "{area}");
        }
    }

    #[test]
    fn a_thin_part_with_hard_edges_keeps_its_sides() {
        // A post with four flat sides, within one column of cells.
        let corners =
            [[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]].map(|[x, z]| Vec3::new(x, 0.0, z) / 4.0);
        let mut post = Primitive::default();
        for (side, corner) in corners.iter().enumerate() {
            let next = corners[(side + 1) % 4];
            for height in 0..20 {
                let first = post.positions.len() as u32;
                let up = |steps: u8| Vec3::new(0.45, f32::from(height + steps) / 2.0, 0.45);
                post.positions.extend([*corner + up(0), next + up(0), next + up(1), *corner + up(1)]);
                post.normals.extend([(corner + next).normalize(); 4]);
                post.indices.extend([0, 2, 1, 0, 3, 2].map(|at| first + at));
            }
        }
        let flat = post.normals.clone();
        let Primitive { positions, indices, .. } = post.clone();
        let normals = Mesh { primitives: vec![post], ..Mesh::default() }.joined_normals();
        let in_front = |normals: &[Vec3]| {
            let found = coarse(&positions, normals, &indices, 0.9);
            let areas = found.as_chunks::<3>().0.iter().map(|corners| area(&positions, corners).z.max(0.0));
            areas.sum::<f32>()
        };
        assert_eq!(in_front(&flat), 0.0);
        assert!((4.0..5.01).contains(&in_front(&normals)), "{} of 5", in_front(&normals));
    }

    #[test]
    fn a_cell_for_everything_leaves_nothing() {
        let (positions, normals, indices) = square(4);
        assert!(coarse(&positions, &normals, &indices, 10.0).is_empty());
        assert!(coarse(&[], &[], &[], 1.0).is_empty());
        let nowhere = vec![Vec3::NAN; positions.len()];
        assert!(coarse(&nowhere, &normals, &indices, 1.0).len() <= indices.len());
    }
}
