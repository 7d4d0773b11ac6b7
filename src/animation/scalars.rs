//! Layout of the scalars of a pose: the morph weights of each node, the matrices of nodes that shear, and animated
//! properties.
use super::simd::{LANES, group_count};
use crate::model::{Model, NodeIndex, PropertyIndex};
use std::ops::Range;

/// Rows of each node. A node with morph targets has whole rows of four weights, one node after the other. A node that
/// shears has three more, the rows of its matrix, which are interpolated and blended linearly like weights.
#[derive(Clone, Debug)]
pub(super) struct ScalarRows {
    /// First row of each node, followed by the number of rows.
    first_rows: Vec<u32>,
    target_counts: Vec<u32>,
    /// First lane of each animated property, counted from the rows behind those of nodes, and the number of lanes.
    property_lanes: Vec<u32>,
}

const MATRIX_ROWS: u32 = 3;

impl ScalarRows {
    pub(super) fn new(model: &Model) -> Self {
        let target_counts: Vec<u32> = (0..model.nodes.len())
            .map(|node| model.morph_target_count(NodeIndex::new(node)) as u32)
            .collect();
        let mut end = 0;
        let starts = target_counts.iter().zip(&model.nodes).map(|(&count, node)| {
            let start = end;
            let matrix_rows = if node.sheared_rest.is_some() { MATRIX_ROWS } else { 0 };
            end += group_count(count as usize) as u32 + matrix_rows;
            start
        });
        let mut first_rows: Vec<u32> = starts.collect();
        first_rows.push(end);
        let (mut lanes, mut end) = (Vec::with_capacity(model.properties.len() + 1), 0);
        for property in &model.properties {
            lanes.push(end);
            end += property.rest.len() as u32;
        }
        lanes.push(end);
        Self { first_rows, target_counts, property_lanes: lanes }
    }

    /// Returns the number of rows of nodes, which are on the GPU too. The rows of properties follow.
    pub(super) fn node_row_count(&self) -> usize {
        self.first_rows.last().map_or(0, |&end| end as usize)
    }

    pub(super) fn row_count(&self) -> usize {
        self.node_row_count() + group_count(self.property_lanes.last().map_or(0, |&end| end as usize))
    }

    /// Returns the range of a property among the single numbers of all rows.
    pub(super) fn property_lanes(&self, property: PropertyIndex) -> Range<usize> {
        let [from, to] = [0, 1].map(|side| self.property_lanes[property.get() + side] as usize);
        let first = self.node_row_count() * LANES;
        first + from..first + to
    }

    pub(super) fn first_row(&self, node: NodeIndex) -> usize {
        self.first_rows[node.get()] as usize
    }

    pub(super) fn target_count(&self, node: NodeIndex) -> usize {
        self.target_counts[node.get()] as usize
    }

    /// Returns the first row of the matrix of a node that shears.
    pub(super) fn matrix_row(&self, node: NodeIndex) -> usize {
        (self.first_rows[node.get() + 1] - MATRIX_ROWS) as usize
    }

    pub(super) fn rows_of(&self, node: NodeIndex) -> Range<usize> {
        self.first_row(node)..self.first_rows[node.get() + 1] as usize
    }

    /// Returns the range of the node's weights among the single numbers of all rows.
    pub(super) fn weights_of(&self, node: NodeIndex) -> Range<usize> {
        let start = self.first_row(node) * LANES;
        start..start + self.target_count(node)
    }
}
