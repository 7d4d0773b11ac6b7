use super::MaterialIndex;
use glam::{Vec2, Vec3, Vec4};

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    pub name: String,
    pub primitives: Vec<Primitive>,
    /// One per morph target; empty strings where the file names none. All primitives have this many targets.
    pub morph_target_names: Vec<String>,
}

impl Mesh {
    pub fn morph_target_count(&self) -> usize {
        self.morph_target_names.len()
    }
}

/// What one draw needs: vertices of one topology with one material.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Primitive {
    pub topology: Topology,
    /// In mesh space.
    pub positions: Vec<Vec3>,
    /// Unit length, one per vertex. Empty for points and lines whose file gives none: they are drawn unlit.
    pub normals: Vec<Vec3>,
    /// xyz unit length, w the sign of the bitangent. Empty unless a normal map wants them.
    pub tangents: Vec<Vec4>,
    /// The file's texture coordinate sets, each one per vertex.
    pub uv_sets: Vec<Vec<Vec2>>,
    /// Linear colour with alpha, one per vertex, or empty.
    pub colors: Vec<Vec4>,
    pub influences: Influences,
    /// Into the vertex arrays; 2 a line, 3 a triangle. Strips, loops and fans are unrolled at import.
    pub indices: Vec<u32>,
    pub material: Option<MaterialIndex>,
    pub morph_targets: Vec<MorphTarget>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Topology {
    Points,
    Lines,
    #[default]
    Triangles,
}

/// Which joints move each vertex, and by how much: `per_vertex` slots a vertex, heaviest first.
///
/// Unused slots have weight 0 and joint 0. Weights of a vertex sum to 1.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Influences {
    /// 0 for an unskinned primitive, else a multiple of 4.
    pub per_vertex: usize,
    /// Indices into the joints of the skin.
    pub joints: Vec<u16>,
    pub joint_weights: Vec<f32>,
}

impl Influences {
    pub fn is_empty(&self) -> bool {
        self.per_vertex == 0
    }

    /// The slots of one vertex.
    pub fn of_vertex(&self, vertex: usize) -> impl Iterator<Item = (u16, f32)> + '_ {
        let slots = vertex * self.per_vertex..(vertex + 1) * self.per_vertex;
        self.joints[slots.clone()].iter().copied().zip(self.joint_weights[slots].iter().copied())
    }
}

/// Displacements to add, one per vertex; empty where the target leaves that attribute alone.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MorphTarget {
    pub positions: Vec<Vec3>,
    pub normals: Vec<Vec3>,
    pub tangents: Vec<Vec3>,
}
