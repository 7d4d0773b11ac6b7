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
mod children;
mod clip;
pub mod counterparts;
pub mod humanoid;
mod index;
mod joined_normals;
mod light;
mod material;
pub mod material_table;
mod mesh;
mod metadata;
mod node;
mod property;
mod skin;
mod spring;

pub use aabb::Aabb;
pub use camera::{Camera, Projection};
pub use children::Children;
pub use clip::{Clip, Interpolation, PropertyTrack, Track, TrackValues};
pub use index::{
    CameraIndex, ClipIndex, ImageIndex, LightIndex, MaterialIndex, MeshIndex, NodeIndex, PropertyIndex,
    SkinIndex, TextureIndex, VariantIndex,
};
pub use light::{Light, LightKind};
pub use material::{
    AlphaMode, Filter, Image, ImageSource, Texture, TextureSlot, TextureUsage, UvTransform, Wrap,
};
pub use material_table::{Material, MaterialFeature, MaterialFeatures};
pub use mesh::{Influences, Mesh, MorphTarget, Primitive, Topology};
pub use metadata::Metadata;
pub use node::{Node, Scene, Srt};
pub use property::{AnimatedProperty, CameraPart, LightPart, MaterialPart, PropertyTarget};
pub use skin::Skin;
pub use spring::{Collider, ColliderShape, Spring, SpringEnd, SpringJoint, Springs};

/// One loaded file, flattened and checked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model {
    /// Parents before their children. [`Node::source_index`] is the index in the file's own order.
    pub nodes: Vec<Node>,
    pub clips: Vec<Clip>,
    /// Properties that clips animate, other than transforms and morph weights.
    pub properties: Vec<AnimatedProperty>,
    pub skins: Vec<Skin>,
    pub meshes: Vec<Mesh>,
    pub materials: Vec<Material>,
    /// Names of the variants of the materials, such as colours of one shoe.
    pub variants: Vec<String>,
    pub textures: Vec<Texture>,
    pub images: Vec<Image>,
    pub cameras: Vec<Camera>,
    pub lights: Vec<Light>,
    pub springs: Springs,
    /// Joints of a humanoid body that the file names, as VRM does.
    pub humanoid: Vec<(humanoid::Role, NodeIndex)>,
    pub scenes: Vec<Scene>,
    /// The scene to draw, as an index into `scenes`. `None` if the file has no scene; then every node is drawn.
    pub default_scene: Option<usize>,
    /// For each node of the file, in the file's order, its index in `nodes`.
    pub node_from_source: Vec<NodeIndex>,
    pub metadata: Metadata,
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

    /// Returns the name of the camera on a node or, if it has none, the name of the node.
    pub fn camera_name<'a>(&'a self, node: &'a Node) -> &'a String {
        match node.camera.and_then(|camera| self.cameras.get(camera.get())) {
            Some(camera) if !camera.name.is_empty() => &camera.name,
            _ => &node.name,
        }
    }

    /// Returns the number of morph weights of a node, which is the number of its mesh's targets.
    pub fn morph_target_count(&self, node: NodeIndex) -> usize {
        self.node(node).mesh.map_or(0, |mesh| self.mesh(mesh).morph_target_count())
    }

    /// Returns whether the file hides each node itself, in every clip.
    pub fn hidden_nodes(&self) -> Vec<bool> {
        let mut is_hidden: Vec<bool> = self.nodes.iter().map(|node| !node.visible).collect();
        for property in &self.properties {
            if let PropertyTarget::Visible(node) = property.target {
                is_hidden[node.get()] = false;
            }
        }
        is_hidden
    }

    /// Returns whether some clip animates the visibility of a node.
    pub fn animates_visibility(&self) -> bool {
        let mut targets = self.properties.iter().map(|property| property.target);
        targets.any(|target| matches!(target, PropertyTarget::Visible(_)))
    }

    /// Marks the descendants of marked nodes.
    pub fn mark_descendants(&self, is_marked: &mut [bool]) {
        for (index, node) in self.nodes.iter().enumerate() {
            is_marked[index] |= node.parent.is_some_and(|parent| is_marked[parent.get()]);
        }
    }

    /// Returns the nodes that draw a mesh, in hierarchy order. Some of them may be invisible.
    pub fn drawn_nodes(&self) -> impl Iterator<Item = (NodeIndex, MeshIndex)> + '_ {
        self.nodes
            .iter()
            .enumerate()
            .filter(|(_, node)| node.in_scene)
            .filter_map(|(index, node)| node.mesh.map(|mesh| (NodeIndex::new(index), mesh)))
    }
}
