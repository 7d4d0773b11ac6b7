//! Merging of corners into vertices, in two steps: corners with equal indices, then vertices with equal values.
//!
//! The first step limits the memory; the second merges vertices that exporters write once per corner.
use super::vertices::gather;
use crate::model::{MorphTarget, Primitive};
use glam::Vec3;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{Hash, Hasher};

pub(super) struct Welder {
    width: usize,
    vertex_of: HashMap<Box<[u32]>, u32>,
    corners: Vec<u32>,
}

impl Welder {
    /// Creates a welder for corners with `width` indices.
    pub(super) fn new(width: usize) -> Self {
        Self { width: width.max(1), vertex_of: HashMap::new(), corners: Vec::new() }
    }

    /// Returns the vertex of a corner. Vertices are numbered from 0 as they first occur.
    pub(super) fn vertex(&mut self, corner: &[u32]) -> u32 {
        debug_assert_eq!(corner.len(), self.width, "as the welder was made for");
        if let Some(&vertex) = self.vertex_of.get(corner) {
            return vertex;
        }
        // The file's size bounds the number of corners far below this.
        let vertex = u32::try_from(self.vertex_of.len()).unwrap_or(u32::MAX);
        self.vertex_of.insert(corner.into(), vertex);
        self.corners.extend_from_slice(corner);
        vertex
    }

    /// Returns the indices that each vertex was made from, in the order of the vertices.
    pub(super) fn corners(&self) -> impl ExactSizeIterator<Item = &[u32]> {
        self.corners.chunks_exact(self.width)
    }
}

/// Bytes that [`weld`] takes per vertex while it works, in addition to one copy of the vertices.
pub(super) const WELD_BYTES: usize = 64;

/// Merges vertices whose attributes, influences and displacements are all equal.
///
/// - The first of equal vertices is kept; kept vertices stay in their order.
/// - Values are compared by their bits, except that −0 equals 0.
/// - Every triangle and line keeps the values of its corners.
pub(super) fn weld(primitive: &mut Primitive) {
    let mut from: Vec<u32> = Vec::new();
    let mut welded: Vec<u32> = Vec::with_capacity(primitive.positions.len());
    let mut known: HashMap<Vertex<'_>, u32> = HashMap::new();
    for (at, index) in (0..primitive.positions.len()).zip(0_u32..) {
        welded.push(match known.entry(Vertex { primitive, at }) {
            Entry::Occupied(first) => *first.get(),
            Entry::Vacant(new) => {
                // Indices are 32 bits wide, so there are no more vertices than that.
                let next = u32::try_from(from.len()).unwrap_or(u32::MAX);
                from.push(index);
                *new.insert(next)
            }
        });
    }
    drop(known);
    if from.len() == welded.len() {
        return;
    }
    for index in &mut primitive.indices {
        *index = welded.get(*index as usize).copied().unwrap_or_default();
    }
    gather(primitive, &from);
}

/// A vertex of a primitive, hashed and compared by its values.
struct Vertex<'a> {
    primitive: &'a Primitive,
    at: usize,
}

impl Vertex<'_> {
    /// Returns all values, in the same order for each vertex of the primitive.
    fn words(&self) -> impl Iterator<Item = u32> {
        let Primitive { positions, normals, tangents, uv_sets, colors, influences, morph_targets, .. } =
            self.primitive;
        let at = self.at;
        let slots = at * influences.per_vertex..(at + 1) * influences.per_vertex;
        let joints = influences.joints.get(slots.clone()).unwrap_or_default();
        let joint_weights = influences.joint_weights.get(slots).unwrap_or_default();
        words_of(positions, at)
            .chain(words_of(normals, at))
            .chain(tangents.get(at).into_iter().flat_map(|tangent| tangent.to_array().map(word)))
            .chain(uv_sets.iter().filter_map(move |set| set.get(at)).flat_map(|uv| uv.to_array().map(word)))
            .chain(colors.get(at).into_iter().flat_map(|color| color.to_array().map(word)))
            .chain(joints.iter().map(|&joint| joint.into()))
            .chain(joint_weights.iter().map(|&joint_weight| word(joint_weight)))
            .chain(morph_targets.iter().flat_map(arrays_of).flat_map(move |array| words_of(array, at)))
    }
}

impl Hash for Vertex<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.words().for_each(|word| state.write_u32(word));
    }
}

impl PartialEq for Vertex<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.words().eq(other.words())
    }
}

impl Eq for Vertex<'_> {}

fn arrays_of(target: &MorphTarget) -> [&[Vec3]; 3] {
    let MorphTarget { positions, normals, tangents } = target;
    [positions, normals, tangents]
}

fn words_of(array: &[Vec3], at: usize) -> impl Iterator<Item = u32> {
    array.get(at).into_iter().flat_map(|vector| vector.to_array().map(word))
}

/// Returns the bits of a number. Adding 0 turns −0 into 0.
fn word(value: f32) -> u32 {
    (value + 0.0).to_bits()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Influences, Topology};
    use glam::{Vec2, Vec4};

    #[test]
    fn corners_alike_are_one_vertex() {
        let mut welder = Welder::new(2);
        let corners = [[0, 0], [1, 0], [0, 0], [0, 1]];
        assert_eq!(corners.map(|corner| welder.vertex(&corner)), [0, 1, 0, 2]);
        assert_eq!(welder.corners().collect::<Vec<_>>(), [[0, 0], [1, 0], [0, 1]]);
    }

    /// A seeded generator of small numbers that repeat.
    struct SmallRandom(u32);

    impl SmallRandom {
        fn below(&mut self, bound: u32) -> u32 {
            self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (self.0 >> 16) % bound
        }

        /// 0, −0 or 1.
        fn number(&mut self) -> f32 {
            [0.0, -0.0, 1.0][self.below(3) as usize]
        }

        fn vector(&mut self) -> Vec3 {
            Vec3::new(self.number(), 0.0, 0.0)
        }
    }

    /// Returns triangles over vertices with few different values, with every attribute there is.
    fn crowded(seed: u32) -> Primitive {
        let mut random = SmallRandom(seed);
        let count = 1 + random.below(60);
        let mut made = Primitive {
            uv_sets: vec![Vec::new(); 2],
            influences: Influences { per_vertex: 4, ..Influences::default() },
            morph_targets: vec![MorphTarget::default(); 2],
            ..Primitive::default()
        };
        for _ in 0..count {
            made.positions.push(random.vector());
            made.normals.push(Vec3::Y);
            made.tangents.push(Vec4::new(1.0, 0.0, 0.0, 1.0));
            made.colors.push(Vec4::ONE);
            made.uv_sets[0].push(Vec2::new(random.number(), 0.0));
            made.uv_sets[1].push(Vec2::ZERO);
            made.influences.joints.extend([u16::try_from(random.below(2)).unwrap(), 0, 0, 0]);
            made.influences.joint_weights.extend([1.0, 0.0, 0.0, 0.0]);
            made.morph_targets[0].positions.push(Vec3::ZERO);
            made.morph_targets[1].normals.push(random.vector());
        }
        made.indices = (0..3 * count).map(|_| random.below(count)).collect();
        made
    }

    /// Returns the values of each corner, computed without welding, for comparison.
    fn corners_of(primitive: &Primitive) -> Vec<Vec<u32>> {
        let values = |&index: &u32| Vertex { primitive, at: index as usize }.words().collect();
        primitive.indices.iter().map(values).collect()
    }

    #[test]
    fn welding_keeps_the_values_of_every_corner() {
        let mut merged = 0;
        for seed in 0..500 {
            let unwelded = crowded(seed);
            let mut welded = unwelded.clone();
            weld(&mut welded);
            assert_eq!(corners_of(&welded), corners_of(&unwelded), "seed {seed}");
            let all = Primitive {
                indices: (0..u32::try_from(welded.positions.len()).unwrap()).collect(),
                ..welded.clone()
            };
            let all = corners_of(&all);
            for (at, one) in all.iter().enumerate() {
                assert!(!all[..at].contains(one), "seed {seed}: vertex {at} stands there twice");
            }
            let mut again = welded.clone();
            weld(&mut again);
            assert_eq!(again, welded, "seed {seed}");
            merged += unwelded.positions.len() - welded.positions.len();
        }
        assert!(merged > 5_000, "only {merged} vertices were merged");
    }

    #[test]
    fn the_first_of_equal_vertices_stays_in_its_place() {
        let mut primitive = Primitive {
            topology: Topology::Lines,
            positions: vec![Vec3::X, Vec3::Y, Vec3::X, Vec3::Z, Vec3::Y],
            indices: vec![4, 3, 2, 0],
            ..Primitive::default()
        };
        weld(&mut primitive);
        assert_eq!(primitive.positions, [Vec3::X, Vec3::Y, Vec3::Z]);
        assert_eq!(primitive.indices, [1, 2, 0, 0]);
    }

    #[test]
    fn vertices_that_differ_in_one_value_stay_apart() {
        let alike = Primitive {
            positions: vec![Vec3::ZERO; 2],
            normals: vec![Vec3::Y; 2],
            tangents: vec![Vec4::X; 2],
            uv_sets: vec![vec![Vec2::ZERO; 2]; 2],
            colors: vec![Vec4::ONE; 2],
            influences: Influences { per_vertex: 4, joints: vec![0; 8], joint_weights: vec![0.25; 8] },
            indices: vec![0, 1],
            morph_targets: vec![MorphTarget {
                positions: vec![Vec3::ZERO; 2],
                normals: vec![Vec3::ZERO; 2],
                tangents: vec![Vec3::ZERO; 2],
            }],
            ..Primitive::default()
        };
        let changes: [fn(&mut Primitive); 11] = [
            |primitive| primitive.positions[1].z = 1.0,
            |primitive| primitive.normals[1] = Vec3::Z,
            |primitive| primitive.tangents[1].w = 1.0,
            |primitive| primitive.uv_sets[0][1].y = 1.0,
            |primitive| primitive.uv_sets[1][1].x = 1.0,
            |primitive| primitive.colors[1].w = 0.5,
            |primitive| primitive.influences.joints[7] = 1,
            |primitive| primitive.influences.joint_weights[4] = 0.5,
            |primitive| primitive.morph_targets[0].positions[1].x = 1.0,
            |primitive| primitive.morph_targets[0].normals[1].x = 1.0,
            |primitive| primitive.morph_targets[0].tangents[1].x = 1.0,
        ];
        for (number, change) in changes.into_iter().enumerate() {
            let mut primitive = alike.clone();
            change(&mut primitive);
            weld(&mut primitive);
            assert_eq!((primitive.positions.len(), primitive.indices), (2, vec![0, 1]), "change {number}");
        }
        let mut welded = alike;
        weld(&mut welded);
        assert_eq!((welded.positions.len(), welded.influences.joints.len()), (1, 4));
    }
}
