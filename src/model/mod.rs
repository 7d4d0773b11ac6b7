//! Immutable description of one file: plain data with functions for looking things up.
//!
//! Every importer produces a [`Model`] and everything else starts from one. Invariants, which [`check`] verifies:
//! - nodes are in an order with parents before their children;
//! - every index refers to an existing element; names serve only for searching and may repeat;
//! - vertex arrays of a primitive have one length, or are empty if the file has no such data;
//! - key times of a track ascend strictly, and the number of its values matches them;
//! - every number is finite, and the joint weights of a vertex sum to 1;
//! - every rotation has unit length; keys within 1 %, since they stay as the file rounds them.

mod aabb;
mod camera;
pub mod check;
mod clip;
mod index;
mod material;
pub mod material_table;
mod mesh;
mod node;
mod skin;

pub use aabb::Aabb;
pub use camera::{Camera, Projection};
pub use clip::{Clip, Interpolation, Track, TrackValues};
pub use index::{
    CameraIndex, ClipIndex, ImageIndex, MaterialIndex, MeshIndex, NodeIndex, SkinIndex, TextureIndex,
};
pub use material::{
    AlphaMode, Filter, Image, ImageSource, Texture, TextureSlot, TextureUsage, UvTransform, Wrap,
};
pub use material_table::{Material, MaterialFeature, MaterialFeatures};
pub use mesh::{Influences, Mesh, MorphTarget, Primitive, Topology};
pub use node::{Node, Scene, Srt};
pub use skin::Skin;

/// One loaded file, flattened and checked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model {
    /// Parents before their children. [`Node::source_index`] is the index in the file's own order.
    pub nodes: Vec<Node>,
    pub clips: Vec<Clip>,
    pub skins: Vec<Skin>,
    pub meshes: Vec<Mesh>,
    pub materials: Vec<Material>,
    pub textures: Vec<Texture>,
    pub images: Vec<Image>,
    pub cameras: Vec<Camera>,
    pub scenes: Vec<Scene>,
    /// The scene to draw, as an index into `scenes`. `None` if the file has no scene; then every node is drawn.
    pub default_scene: Option<usize>,
    /// For each node of the file, in the file's order, its index in `nodes`.
    pub node_from_source: Vec<NodeIndex>,
}

impl Model {
    pub fn node(&self, index: NodeIndex) -> &Node {
        &self.nodes[index.get()]
    }

    pub fn clip(&self, index: ClipIndex) -> &Clip {
        &self.clips[index.get()]
    }

    pub fn skin(&self, index: SkinIndex) -> &Skin {
        &self.skins[index.get()]
    }

    pub fn mesh(&self, index: MeshIndex) -> &Mesh {
        &self.meshes[index.get()]
    }

    /// Returns the first clip with this name.
    pub fn find_clip(&self, name: &str) -> Option<ClipIndex> {
        self.clips.iter().position(|clip| clip.name == name).map(ClipIndex::new)
    }

    /// Returns the first node with this name, in the file's order.
    pub fn find_node(&self, name: &str) -> Option<NodeIndex> {
        self.node_from_source.iter().copied().find(|&index| self.node(index).name == name)
    }

    /// Returns the number of morph weights of a node, which is the number of its mesh's targets.
    pub fn morph_target_count(&self, node: NodeIndex) -> usize {
        self.node(node).mesh.map_or(0, |mesh| self.mesh(mesh).morph_target_count())
    }

    /// Returns the nodes that draw a mesh, in hierarchy order.
    pub fn drawn_nodes(&self) -> impl Iterator<Item = (NodeIndex, MeshIndex)> + '_ {
        self.nodes
            .iter()
            .enumerate()
            .filter(|(_, node)| node.in_scene)
            .filter_map(|(index, node)| node.mesh.map(|mesh| (NodeIndex::new(index), mesh)))
    }
}
