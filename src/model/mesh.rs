use super::{MaterialIndex, VariantIndex};
use glam::{Vec2, Vec3, Vec4};

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    pub name: String,
    pub primitives: Vec<Primitive>,
    /// One name per morph target, empty if the file gives none. All primitives have this many targets.
    pub morph_target_names: Vec<String>,
}

impl Mesh {
    pub fn morph_target_count(&self) -> usize {
        self.morph_target_names.len()
    }
}

/// The content of one draw call: vertices of one topology with one material.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Primitive {
    pub topology: Topology,
    /// One per vertex, in mesh space.
    pub positions: Vec<Vec3>,
    /// Unit length, one per vertex. Empty for points and lines without normals in the file, which are drawn unlit.
    pub normals: Vec<Vec3>,
    /// xyz has unit length, w is the sign of the bitangent. Empty unless the material has a normal map.
    pub tangents: Vec<Vec4>,
    /// The file's sets of texture coordinates. Each set has one element per vertex.
    pub uv_sets: Vec<Vec<Vec2>>,
    /// Linear colour with alpha, one per vertex, or empty.
    pub colors: Vec<Vec4>,
    pub influences: Influences,
    /// Indices into the vertex arrays; two per line, three per triangle. Strips, loops and fans are unrolled at
    /// import.
    pub indices: Vec<u32>,
    pub material: Option<MaterialIndex>,
    /// Materials of variants. Variants that aren't listed have `material`.
    pub variants: Vec<(VariantIndex, MaterialIndex)>,
    pub morph_targets: Vec<MorphTarget>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Topology {
    Points,
    Lines,
    #[default]
    Triangles,
}

/// The joints that move each vertex and their weights: `per_vertex` slots for each vertex, heaviest first.
///
/// Unused slots have weight 0 and joint 0. The weights of a vertex sum to 1.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Influences {
    /// Slots per vertex: 0 for an unskinned primitive, otherwise a multiple of 4.
    pub per_vertex: usize,
    /// Indices into the joints of the skin.
    pub joints: Vec<u16>,
    pub joint_weights: Vec<f32>,
}

impl Influences {
    pub fn is_empty(&self) -> bool {
        self.per_vertex == 0
    }

    /// Returns the joint and weight of each slot of a vertex.
    pub fn of_vertex(&self, vertex: usize) -> impl Iterator<Item = (u16, f32)> + '_ {
        let slots = vertex * self.per_vertex..(vertex + 1) * self.per_vertex;
        self.joints[slots.clone()].iter().copied().zip(self.joint_weights[slots].iter().copied())
    }
}

/// Displacements added to the vertices, one per vertex. An array is empty if the target doesn't change that
/// attribute.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MorphTarget {
    pub positions: Vec<Vec3>,
    pub normals: Vec<Vec3>,
    pub tangents: Vec<Vec3>,
}
