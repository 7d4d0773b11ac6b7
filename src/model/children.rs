use super::{Node, NodeIndex};

/// Children of every node, in the order of [`Model::nodes`](super::Model::nodes).
#[derive(Debug)]
pub struct Children {
    first: Vec<Option<NodeIndex>>,
    next: Vec<Option<NodeIndex>>,
}

impl Children {
    pub fn new(nodes: &[Node]) -> Self {
        let mut children = Self { first: vec![None; nodes.len()], next: vec![None; nodes.len()] };
        for (index, node) in nodes.iter().enumerate().rev() {
            let first = node.parent.and_then(|parent| children.first.get_mut(parent.get()));
            if let (Some(first), Some(next)) = (first, children.next.get_mut(index)) {
                *next = first.replace(NodeIndex::new(index));
            }
        }
        children
    }

    /// Returns the children of a node.
    pub fn of(&self, node: NodeIndex) -> impl Iterator<Item = NodeIndex> {
        let first = self.first.get(node.get()).copied().flatten();
        std::iter::successors(first, |node| self.next.get(node.get()).copied().flatten())
    }
}
