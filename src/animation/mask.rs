//! Which nodes a layer moves, and how much.
use super::Rig;
use super::simd::{LANES, group_count};
use crate::model::NodeIndex;
use glam::Vec4;

/// One line of a mask. Of two that reach a node the nearer one above it counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MaskEntry {
    pub node: NodeIndex,
    /// From 0 to 1.
    pub weight: f32,
    /// Whether it holds for everything below the node too.
    pub subtree: bool,
}

/// A weight for each node, from 0 to 1. Its morph weights have the same.
#[derive(Clone, Debug, PartialEq)]
pub struct Mask {
    /// Laid out like a pose, so that a group of four nodes meets its four weights.
    pub(super) nodes: Vec<Vec4>,
    pub(super) morph_rows: Vec<Vec4>,
}

impl Mask {
    /// A node that no entry reaches weighs nothing.
    ///
    /// - An entry for the node alone doesn't hide one above it from the node's children.
    /// - Of two entries alike for one node the later counts.
    ///
    /// # Panics
    /// If an entry's node isn't the rig's.
    pub fn new(rig: &Rig, entries: &[MaskEntry]) -> Self {
        let nodes = &rig.model().nodes;
        let mut alone = vec![None; nodes.len()];
        let mut handed_down = vec![None; nodes.len()];
        for entry in entries {
            let weight = if entry.weight > 0.0 { entry.weight.min(1.0) } else { 0.0 };
            let held = if entry.subtree { &mut handed_down } else { &mut alone };
            held[entry.node.get()] = Some(weight);
        }
        let mut mask = Self {
            nodes: vec![Vec4::ZERO; group_count(nodes.len())],
            morph_rows: vec![Vec4::ZERO; rig.morphs().row_count()],
        };
        for (index, node) in nodes.iter().enumerate() {
            let above = node.parent.and_then(|parent| handed_down[parent.get()]);
            handed_down[index] = handed_down[index].or(above);
            let weight = alone[index].or(handed_down[index]).unwrap_or(0.0);
            mask.nodes[index / LANES][index % LANES] = weight;
            mask.morph_rows[rig.morphs().rows_of(NodeIndex::new(index))].fill(Vec4::splat(weight));
        }
        mask
    }

    pub fn weight(&self, node: NodeIndex) -> f32 {
        self.nodes[node.get() / LANES][node.get() % LANES]
    }
}
