//! Conversion of local poses to model space, in one forward loop.
use super::scalars::ScalarRows;
use super::simd::{Components, LANES, Rows, affine_from_rows, group_count, multiply, transpose};
use super::{LocalPose, Rig};
use crate::model::{Model, NodeIndex};
use glam::{Affine3A, Vec4};

/// Pose in model space: `model_from_node` of every node.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelPose {
    /// Matrices of whole groups. Lanes past the last node have the values of the local pose.
    pub(super) model_from_node: Vec<Rows>,
}

impl ModelPose {
    /// Returns the rest pose.
    pub fn new(rig: &Rig) -> Self {
        let groups = group_count(rig.model().nodes.len());
        let mut pose = Self { model_from_node: vec![[Vec4::ZERO; 3]; groups * LANES] };
        rig.resolve_into(rig.rest(), &mut pose);
        pose
    }

    pub fn model_from_node(&self, node: NodeIndex) -> Affine3A {
        affine_from_rows(&self.model_from_node[node.get()])
    }

    /// Copies another pose of the same rig, bit for bit, without allocating.
    pub fn copy_from(&mut self, other: &Self) {
        self.model_from_node.copy_from_slice(&other.model_from_node);
    }
}

/// Parent of every node, parents before children.
#[derive(Clone, Debug)]
pub(super) struct Hierarchy {
    /// Index of the parent for each lane; [`ROOT`] for roots and for lanes past the last node.
    parents: Vec<[u32; LANES]>,
    /// Nodes that shear, in order, each with the first row of its matrix in the pose's morph weights.
    sheared: Vec<(u32, u32)>,
}

const ROOT: u32 = u32::MAX;

impl Hierarchy {
    pub(super) fn new(model: &Model, scalar_rows: &ScalarRows) -> Self {
        let mut parents = vec![[ROOT; LANES]; group_count(model.nodes.len())];
        let mut sheared = Vec::new();
        for (index, node) in model.nodes.iter().enumerate() {
            if let Some(parent) = node.parent {
                assert!(parent.get() < index, "a model's nodes stand parents before children");
                parents[index / LANES][index % LANES] = parent.get() as u32;
            }
            if node.sheared_rest.is_some() {
                sheared.push((index as u32, scalar_rows.matrix_row(NodeIndex::new(index)) as u32));
            }
        }
        Self { parents, sheared }
    }

    pub(super) fn resolve_into(&self, local: &LocalPose, model: &mut ModelPose) {
        let out = model.model_from_node.as_mut_slice();
        assert_eq!(out.len(), self.parents.len() * LANES, "poses of one rig");
        let mut sheared = self.sheared.iter().peekable();
        let groups = local.translations.iter().zip(&local.rotations).zip(&local.scales).zip(&self.parents);
        for (group, (((translation, rotation), scale), parents)) in groups.enumerate() {
            let mut parent_from_node = matrices(translation, rotation, scale);
            while let Some(&(node, row)) = sheared.next_if(|&&(node, _)| node as usize / LANES == group) {
                let row = row as usize;
                let [first, second, third] = [0, 1, 2].map(|offset| local.scalars[row + offset][0]);
                parent_from_node[node as usize % LANES] = [first, second, third];
            }
            for (lane, (&parent, parent_from_node)) in parents.iter().zip(&parent_from_node).enumerate() {
                out[group * LANES + lane] = match parent {
                    ROOT => parent_from_node.copied(),
                    _ => multiply(&out[parent as usize], parent_from_node),
                };
            }
        }
    }
}

/// Returns the matrices of four nodes: scale, then rotation, then translation.
#[inline(always)]
fn matrices(translation: &[Vec4; 3], rotation: &[Vec4; 4], scale: &[Vec4; 3]) -> [Rows; LANES] {
    let [x, y, z, w] = *rotation;
    let [x2, y2, z2] = [x + x, y + y, z + z];
    let [xx, yy, zz] = [x * x2, y * y2, z * z2];
    let [xy, xz, yz] = [x * y2, x * z2, y * z2];
    let [wx, wy, wz] = [w * x2, w * y2, w * z2];
    let [sx, sy, sz] = *scale;
    let one = Vec4::ONE;
    let first = transpose([(one - (yy + zz)) * sx, (xy - wz) * sy, (xz + wy) * sz, translation[0]]);
    let second = transpose([(xy + wz) * sx, (one - (xx + zz)) * sy, (yz - wx) * sz, translation[1]]);
    let third = transpose([(xz - wy) * sx, (yz + wx) * sy, (one - (xx + yy)) * sz, translation[2]]);
    [
        [first[0], second[0], third[0]],
        [first[1], second[1], third[1]],
        [first[2], second[2], third[2]],
        [first[3], second[3], third[3]],
    ]
}
