use super::{CameraIndex, MeshIndex, NodeIndex, SkinIndex};
use glam::{Affine3A, Quat, Vec3};

/// One place in the hierarchy: a joint, a mesh's place, a camera's place, or only a name.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    pub name: String,
    /// Stands before this node in [`Model::nodes`](super::Model::nodes).
    pub parent: Option<NodeIndex>,
    /// The file's pose; what isn't keyed takes it.
    pub rest: Srt,
    /// `parent_from_node` of a matrix that S, R and T can't express, or whose keys they can't: it shears. Such a node
    /// can only be keyed by whole matrices.
    pub sheared_rest: Option<Affine3A>,
    pub mesh: Option<MeshIndex>,
    /// The skin its mesh is drawn with; the node's own transform is then ignored.
    pub skin: Option<SkinIndex>,
    pub camera: Option<CameraIndex>,
    /// One per morph target of `mesh`, empty where it has none.
    pub rest_morph_weights: Vec<f32>,
    /// Whether the default scene reaches this node; only such nodes are drawn.
    pub in_scene: bool,
    /// Its number in the file, by which pages address it.
    pub source_index: usize,
    /// What the file says of it beyond its format, as it is written there: glTF's `extras`, in JSON.
    pub extras: Option<String>,
}

/// A local transform: scale, then rotation, then translation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Srt {
    pub scale: Vec3,
    /// Unit length.
    pub rotation: Quat,
    pub translation: Vec3,
}

impl Srt {
    pub const IDENTITY: Self = Self { scale: Vec3::ONE, rotation: Quat::IDENTITY, translation: Vec3::ZERO };

    pub fn parent_from_node(&self) -> Affine3A {
        Affine3A::from_scale_rotation_translation(self.scale, self.rotation, self.translation)
    }
}

impl Default for Srt {
    fn default() -> Self {
        Self::IDENTITY
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scene {
    pub name: String,
    pub roots: Vec<NodeIndex>,
}
