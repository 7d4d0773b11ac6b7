//! The pose in which the meshes were skinned, as a pose of a rig.

use super::simd::rows_from_affine;
use super::{LocalPose, ModelPose, Rig};
use crate::model::humanoid::bind_pose;
use crate::model::{NodeIndex, Srt};
use glam::Affine3A;

impl Rig {
    /// Returns the [`bind_pose`], with the morph weights and the animated properties of the rest pose.
    ///
    /// In the local pose, a joint that shears relative to its parent has the nearest transform without shear.
    pub fn bind_pose(&self) -> (LocalPose, ModelPose) {
        let (mut local, mut model) = (LocalPose::rest(self), ModelPose::new(self));
        let nodes = bind_pose(self.model());
        for (index, model_from_node) in nodes.iter().enumerate() {
            let node = NodeIndex::new(index);
            model.model_from_node[index] = rows_from_affine(model_from_node);
            let parent = self.model().node(node).parent;
            let model_from_parent = parent.map_or(Affine3A::IDENTITY, |parent| nodes[parent.get()]);
            let parent_from_node = model_from_parent.inverse() * *model_from_node;
            let (scale, rotation, translation) = parent_from_node.to_scale_rotation_translation();
            if parent_from_node.is_finite() && scale.is_finite() && rotation.is_finite() {
                local.set_srt(node, Srt { translation, rotation, scale });
            }
        }
        (local, model)
    }
}
