use super::{CameraIndex, LightIndex, MeshIndex, NodeIndex, SkinIndex};
use glam::{Affine3A, Quat, Vec3};

/// A node of the hierarchy: a joint, the place of a mesh or camera, or only a name.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    pub name: String,
    /// The parent, which comes before this node in [`Model::nodes`](super::Model::nodes).
    pub parent: Option<NodeIndex>,
    /// The file's pose, used for every property that isn't keyed.
    pub rest: Srt,
    /// The whole `parent_from_node` at rest, for a node whose rest or keys shear, which scale, rotation and
    /// translation can't express, or whose matrix keys are interpolated element by element. Such a node can only be
    /// keyed by whole matrices.
    pub sheared_rest: Option<Affine3A>,
    pub mesh: Option<MeshIndex>,
    /// The skin that deforms the mesh. The node's own transform is then ignored.
    pub skin: Option<SkinIndex>,
    pub camera: Option<CameraIndex>,
    pub light: Option<LightIndex>,
    /// One weight per morph target of `mesh`; empty if it has none.
    pub rest_morph_weights: Vec<f32>,
    /// Whether the default scene contains this node. Only such nodes are drawn.
    pub in_scene: bool,
    /// Whether the file shows the node's mesh and those of its descendants.
    pub visible: bool,
    /// Index of the node in the file, by which pages address it.
    pub source_index: usize,
    /// Application data of the node, as written in the file: glTF's `extras`, as JSON text.
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
