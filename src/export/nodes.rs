//! Nodes of the file: the nodes of the model with their indices from the original file, followed by nodes that glTF
//! needs in addition.
use super::json_text::{Json, Object};
use super::notes::{Change, Notes};
use super::split::Split;
use super::{LIGHTS, MATRIX_KEYS, Shears, VISIBILITY, kept_json};
use crate::model::{Model, Node, NodeIndex, Srt};
use glam::{Affine3A, Mat4, Quat, Vec3};

pub(super) struct Nodes<'a> {
    nodes: Vec<FileNode<'a>>,
    /// For each node of the model, its pair if it becomes two nodes.
    pairs: Vec<Option<Pair>>,
    /// For each node of the model, by its index in the file, its topmost ancestor before [`join`](Self::join) puts
    /// nodes above roots.
    topmost: Vec<usize>,
}

/// The two nodes of a node that shears. The inner one has the node's index, mesh and children.
#[derive(Clone, Copy)]
pub(super) struct Pair {
    pub(super) outer: usize,
    pub(super) rest: Split,
}

struct FileNode<'a> {
    name: String,
    of: Option<&'a Node>,
    parent: Option<usize>,
    children: Vec<usize>,
    rest: Rest,
}

#[derive(Clone, Copy)]
enum Rest {
    Srt(Srt),
    /// A matrix for Gambol's own player.
    Sheared(Affine3A),
}

impl<'a> Nodes<'a> {
    pub(super) fn of(model: &'a Model, shears: Shears, notes: &mut Notes) -> Self {
        let blank = || FileNode::new(String::new(), Srt::IDENTITY);
        let mut nodes = Self {
            nodes: std::iter::repeat_with(blank).take(model.nodes.len()).collect(),
            pairs: vec![None; model.nodes.len()],
            topmost: vec![0; model.nodes.len()],
        };
        for (index, node) in model.nodes.iter().enumerate() {
            let number = node.source_index;
            let parent = node.parent.map(|parent| number_of(model, parent));
            if let Some(slot) = nodes.nodes.get_mut(number) {
                *slot = FileNode { of: Some(node), ..FileNode::new(node.name.clone(), node.rest) };
            }
            let top = match (node.sheared_rest, shears) {
                (Some(sheared), Shears::Split) => nodes.split(index, node, parent, &sheared, notes),
                (sheared, _) => {
                    if let (Some(sheared), Some(node)) = (sheared, nodes.nodes.get_mut(number)) {
                        node.rest = Rest::Sheared(sheared);
                    }
                    nodes.set_parent(number, parent);
                    number
                }
            };
            let topmost = parent.map_or(top, |parent| nodes.topmost.get(parent).copied().unwrap_or(top));
            if let Some(slot) = nodes.topmost.get_mut(number) {
                *slot = topmost;
            }
        }
        nodes
    }

    pub(super) fn pair(&self, node: NodeIndex) -> Option<&Pair> {
        self.pairs.get(node.get())?.as_ref()
    }

    /// Adds a child without a transform to a node and returns its index.
    pub(super) fn new_child(&mut self, number: usize) -> usize {
        let new_child = self.nodes.len();
        let name = self.nodes.get(number).map_or("", |node| &node.name);
        self.nodes.push(FileNode::new(format!("{name} again {new_child}"), Srt::IDENTITY));
        self.set_parent(new_child, Some(number));
        new_child
    }

    /// Returns the root above a node of the model.
    pub(super) fn root_above(&self, number: usize) -> usize {
        let mut root = self.topmost.get(number).copied().unwrap_or(number);
        while let Some(parent) = self.nodes.get(root).and_then(|node| node.parent) {
            root = parent;
        }
        root
    }

    /// Adds a node as parent of several roots.
    pub(super) fn join(&mut self, roots: impl IntoIterator<Item = usize>) {
        let above = self.nodes.len();
        self.nodes.push(FileNode::new(format!("joints {above}"), Srt::IDENTITY));
        for root in roots {
            self.set_parent(root, Some(above));
        }
    }

    /// Returns whether `root` is an ancestor of each of `all` or is that node itself.
    pub(super) fn is_above(&self, root: usize, all: &[usize]) -> bool {
        let mut below = vec![false; self.nodes.len()];
        if let Some(below) = below.get_mut(root) {
            *below = true;
        }
        all.iter().all(|&number| {
            let mut at = number;
            // Each node is visited once, regardless of how many are below it.
            while let Some(below @ false) = below.get_mut(at) {
                *below = true;
                match self.nodes.get(at).and_then(|node| node.parent) {
                    Some(parent) => at = parent,
                    None => return false,
                }
            }
            true
        })
    }

    /// Returns the roots of the file, in its order.
    pub(super) fn roots(&self) -> Vec<usize> {
        let is_root = |(number, node): (usize, &FileNode<'_>)| node.parent.is_none().then_some(number);
        self.nodes.iter().enumerate().filter_map(is_root).collect()
    }

    /// Writes the nodes. `mesh` and `skin` return the indices of a node's mesh and skin in the file.
    pub(super) fn written(
        &self,
        mesh: impl Fn(&Node) -> Option<usize>,
        skin: impl Fn(&Node) -> Option<usize>,
    ) -> Vec<Json> {
        let node = |node: &FileNode<'_>| node.written(&mesh, &skin).into();
        self.nodes.iter().map(node).collect()
    }

    fn set_parent(&mut self, number: usize, parent: Option<usize>) {
        let Some(parent) = parent else { return };
        if let Some(node) = self.nodes.get_mut(number) {
            node.parent = Some(parent);
        }
        if let Some(node) = self.nodes.get_mut(parent) {
            node.children.push(number);
        }
    }

    /// Replaces a node with two and returns the index of the outer one.
    fn split(
        &mut self,
        index: usize,
        node: &Node,
        parent: Option<usize>,
        sheared: &Affine3A,
        notes: &mut Notes,
    ) -> usize {
        let rest = Split::of_affine(sheared, &Split::NONE);
        let outer = self.nodes.len();
        let name = format!("{} stretch", node.name);
        self.nodes.push(FileNode::new(name.trim_start().to_owned(), rest.outer()));
        self.set_parent(outer, parent);
        if let Some(inner) = self.nodes.get_mut(node.source_index) {
            inner.rest = Rest::Srt(Srt { rotation: rest.inner(), ..Srt::IDENTITY });
        }
        self.set_parent(node.source_index, Some(outer));
        if let Some(slot) = self.pairs.get_mut(index) {
            *slot = Some(Pair { outer, rest });
        }
        notes.add(Change::NodeSplit, "nodes", node.source_index, &node.name);
        outer
    }
}

/// Returns the index of a node in the original file, which the exported file keeps.
pub(super) fn number_of(model: &Model, node: NodeIndex) -> usize {
    model.nodes.get(node.get()).map_or(0, |node| node.source_index)
}

impl FileNode<'_> {
    fn new(name: String, rest: Srt) -> Self {
        Self { name, of: None, parent: None, children: Vec::new(), rest: Rest::Srt(rest) }
    }

    fn written(
        &self,
        mesh: impl Fn(&Node) -> Option<usize>,
        skin: impl Fn(&Node) -> Option<usize>,
    ) -> Object {
        let mut extensions = Object::new();
        let mut written = Object::new().with_name(&self.name).with_list("children", self.children.clone());
        match &self.rest {
            Rest::Srt(Srt { scale, rotation, translation }) => {
                written = written
                    .with_unless(Vec3::ZERO.to_array(), "translation", translation.to_array())
                    .with_unless(Quat::IDENTITY.to_array(), "rotation", rotation.to_array())
                    .with_unless(Vec3::ONE.to_array(), "scale", scale.to_array());
            }
            Rest::Sheared(parent_from_node) => {
                let matrix = Mat4::from(*parent_from_node).to_cols_array();
                written = written.with("matrix", matrix);
                extensions = extensions.with(MATRIX_KEYS, Object::new());
            }
        }
        let Some(node) = self.of else { return written.with_any("extensions", extensions) };
        if let Some(light) = node.light {
            extensions = extensions.with(LIGHTS, Object::new().with("light", light.get()));
        }
        if !node.visible {
            extensions = extensions.with(VISIBILITY, Object::new().with("visible", false));
        }
        if let Some(mesh) = mesh(node) {
            written = written.with("mesh", mesh).with_some("skin", skin(node));
            if node.rest_morph_weights.iter().any(|&morph_weight| morph_weight != 0.0) {
                written = written.with_list("weights", node.rest_morph_weights.clone());
            }
        }
        written
            .with_some("camera", node.camera.map(|camera| camera.get()))
            .with_any("extensions", extensions)
            .with_some("extras", node.extras.as_deref().map(kept_json))
    }
}
