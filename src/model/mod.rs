//! The immutable description of one file: plain data, no behaviour beyond looking things up.
//!
//! Every importer ends here and everything else starts here. Invariants, each asserted by [`check`]:
//! - nodes stand parents before children;
//! - every index points at something, and names are for looking up only (they may repeat);
//! - vertex arrays of a primitive have one length, or are empty where the file had none;
//! - key times of a track ascend strictly, start anywhere at or after 0, and match its values in number;
//! - every number is finite, joint weights of a vertex sum to one;
//! - every rotation has unit length: keys to 1 %, since they stay as the file rounds them.

mod aabb;
mod camera;
pub mod check;
mod clip;
mod index;
mod material;
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
    AlphaMode, Filter, Image, ImageSource, Material, Texture, TextureSlot, UvTransform, Wrap,
};
pub use mesh::{Influences, Mesh, MorphTarget, Primitive, Topology};
pub use node::{Node, Scene, Srt};
pub use skin::Skin;

/// One loaded file, flattened and checked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model {
    /// Parents before children. The file's own order is [`Node::source_index`].
    pub nodes: Vec<Node>,
    pub clips: Vec<Clip>,
    pub skins: Vec<Skin>,
    pub meshes: Vec<Mesh>,
    pub materials: Vec<Material>,
    pub textures: Vec<Texture>,
    pub images: Vec<Image>,
    pub cameras: Vec<Camera>,
    pub scenes: Vec<Scene>,
    /// The scene to draw: an index into `scenes`, or `None` where the file has no scene and every node is shown.
    pub default_scene: Option<usize>,
    /// For each node of the file, in the file's order, where it stands in `nodes`.
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

    /// The first clip of that name.
    pub fn find_clip(&self, name: &str) -> Option<ClipIndex> {
        self.clips.iter().position(|clip| clip.name == name).map(ClipIndex::new)
    }

    /// The first node of that name, in the file's order.
    pub fn find_node(&self, name: &str) -> Option<NodeIndex> {
        self.node_from_source.iter().copied().find(|&index| self.node(index).name == name)
    }

    /// How many morph weights a node carries: one per target of its mesh.
    pub fn morph_target_count(&self, node: NodeIndex) -> usize {
        self.node(node).mesh.map_or(0, |mesh| self.mesh(mesh).morph_target_count())
    }

    /// Nodes that draw something, in hierarchy order.
    pub fn drawn_nodes(&self) -> impl Iterator<Item = (NodeIndex, MeshIndex)> + '_ {
        self.nodes
            .iter()
            .enumerate()
            .filter(|(_, node)| node.in_scene)
            .filter_map(|(index, node)| node.mesh.map(|mesh| (NodeIndex::new(index), mesh)))
    }
}
