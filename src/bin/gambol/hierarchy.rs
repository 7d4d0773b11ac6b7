//! The nodes as lines of a tree.
use crate::wording::printable;
use gambol::model::{Model, Node, NodeIndex};
use std::collections::BTreeSet;

// Deeper nodes are printed with their depth instead of branches: a chain of ten thousand nodes can't be drawn.
const DEEPEST_DRAWN: usize = 24;

/// Iterator over one line per node: its index, the branches of the tree, its name, and its mesh, skin and so on.
pub(crate) struct Tree<'a> {
    model: &'a Model,
    children: Vec<Vec<NodeIndex>>,
    joints: BTreeSet<NodeIndex>,
    /// Nodes to be printed, each with its depth and the branches before it.
    waiting: Vec<(NodeIndex, usize, String)>,
}

impl<'a> Tree<'a> {
    pub(crate) fn of(model: &'a Model) -> Self {
        let mut children = vec![Vec::new(); model.nodes.len()];
        let mut roots = Vec::new();
        for (index, node) in model.nodes.iter().enumerate() {
            let index = NodeIndex::new(index);
            match node.parent {
                Some(parent) => children[parent.get()].push(index),
                None => roots.push((index, 0, String::new())),
            }
        }
        roots.reverse();
        let joints = model.skins.iter().flat_map(|skin| skin.joints.iter().copied()).collect();
        Self { model, children, joints, waiting: roots }
    }

    fn line(&self, index: NodeIndex, depth: usize, before: &str) -> String {
        let node = self.model.node(index);
        let name = if node.name.is_empty() { "(unnamed)".to_owned() } else { printable(&node.name) };
        let branches = match depth {
            DEEPEST_DRAWN.. => format!("(depth {depth}) "),
            _ => before.to_owned(),
        };
        format!("{:>5}  {branches}{name}{}", node.source_index, self.details(index, node))
    }

    fn details(&self, index: NodeIndex, node: &Node) -> String {
        let mut details = String::new();
        if self.joints.contains(&index) {
            details += "  joint";
        }
        if let Some(mesh) = node.mesh {
            details += &format!("  mesh {}", mesh.get());
        }
        if let Some(skin) = node.skin {
            details += &format!("  skin {}", skin.get());
        }
        if let Some(camera) = node.camera {
            details += &format!("  camera {}", camera.get());
        }
        if let Some(light) = node.light {
            details += &format!("  light {}", light.get());
        }
        if !node.visible {
            details += "  hidden";
        }
        if node.sheared_rest.is_some() {
            details += "  shears";
        }
        if !node.in_scene {
            details += "  not in the scene";
        }
        details
    }
}

impl Iterator for Tree<'_> {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        let (index, depth, before) = self.waiting.pop()?;
        let line = self.line(index, depth, &before);
        let stem = before.replace("├─ ", "│  ").replace("└─ ", "   ");
        let children = &self.children[index.get()];
        for (nth, &child) in children.iter().enumerate().rev() {
            let branch = if nth + 1 == children.len() { "└─ " } else { "├─ " };
            let before = if depth + 1 < DEEPEST_DRAWN { format!("{stem}{branch}") } else { String::new() };
            self.waiting.push((child, depth + 1, before));
        }
        Some(line)
    }
}
