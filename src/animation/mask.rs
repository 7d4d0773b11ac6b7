//! Which nodes a layer moves, and how much.
use crate::model::NodeIndex;

/// One line of a mask. Of two that reach a node the nearer one above it counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MaskEntry {
    pub node: NodeIndex,
    /// From 0 to 1.
    pub weight: f32,
    /// Whether it holds for everything below the node too.
    pub subtree: bool,
}
