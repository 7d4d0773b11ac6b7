//! Masks: the nodes that a layer affects, and their weights.
use super::Rig;
use super::simd::{LANES, group_count};
use crate::model::{NodeIndex, PropertyIndex, PropertyTarget};
use glam::Vec4;

/// Entry of a mask. If several entries apply to a node, the one nearest to it in the hierarchy is used.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MaskEntry {
    pub node: NodeIndex,
    /// Weight from 0 to 1.
    pub weight: f32,
    /// Whether the entry also applies to all descendants of the node.
    pub subtree: bool,
}

/// Weight for each node, from 0 to 1, which also applies to the node's morph weights.
#[derive(Clone, Debug, PartialEq)]
pub struct Mask {
    /// Weights laid out like a pose, one vector per group of four nodes.
    pub(super) nodes: Vec<Vec4>,
    pub(super) scalar_rows: Vec<Vec4>,
}

impl Mask {
    /// Returns the mask with these entries. A node to which no entry applies has the weight 0.
    ///
    /// - An entry without `subtree` doesn't change the entry that applies to the node's children.
    /// - If a node has two entries with the same `subtree`, the later one is used.
    ///
    /// # Panics
    /// If an entry's node isn't in the rig.
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
            scalar_rows: vec![Vec4::ZERO; rig.scalar_rows().row_count()],
        };
        for (index, node) in nodes.iter().enumerate() {
            let above = node.parent.and_then(|parent| handed_down[parent.get()]);
            handed_down[index] = handed_down[index].or(above);
            let weight = alone[index].or(handed_down[index]).unwrap_or(0.0);
            mask.nodes[index / LANES][index % LANES] = weight;
            mask.scalar_rows[rig.scalar_rows().rows_of(NodeIndex::new(index))].fill(Vec4::splat(weight));
        }
        // A layer's clip animates properties as a whole, unless they belong to a node.
        mask.scalar_rows[rig.scalar_rows().node_row_count()..].fill(Vec4::ONE);
        for (index, property) in rig.model().properties.iter().enumerate() {
            if let PropertyTarget::Visible(node) = property.target {
                let lane = rig.scalar_rows().property_lanes(PropertyIndex::new(index)).start;
                mask.scalar_rows[lane / LANES][lane % LANES] = mask.weight(node);
            }
        }
        mask
    }

    pub fn weight(&self, node: NodeIndex) -> f32 {
        self.nodes[node.get() / LANES][node.get() % LANES]
    }
}
