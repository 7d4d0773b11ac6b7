//! Readers of the pose, in the file's order of nodes and joints.

use super::error::PlayerError;
use super::{Loaded, Player};
use crate::model::{NodeIndex, SkinIndex};
use glam::{Affine3A, Mat4};

impl Player {
    /// Returns the matrix `world_from_node` of every node of a character, in the file's order.
    ///
    /// # Errors
    /// When there is no model or no such character.
    pub fn world_matrices(&mut self, character: usize) -> Result<Vec<Mat4>, PlayerError> {
        let (loaded, world_from_model) = self.posed(character)?;
        let nodes = loaded.rig().model().node_from_source.iter();
        Ok(nodes
            .map(|&node| Mat4::from(world_from_model * loaded.workspace.model.model_from_node(node)))
            .collect())
    }

    /// Returns the matrix `world_from_node` of one node of a character. `node` is an index in the file's order.
    ///
    /// # Errors
    /// When there is no model, no such node or no such character.
    pub fn world_matrix(&mut self, node: usize, character: usize) -> Result<Mat4, PlayerError> {
        let node = self.node_at(node)?;
        let (loaded, world_from_model) = self.posed(character)?;
        Ok(Mat4::from(world_from_model * loaded.workspace.model.model_from_node(node)))
    }

    /// Returns the matrix `world_from_joint · joint_from_mesh` of every joint of a skin, in the skin's order.
    ///
    /// # Errors
    /// When there is no model, no such skin or no such character.
    pub fn skin_matrices(&mut self, skin: usize, character: usize) -> Result<Vec<Mat4>, PlayerError> {
        let (loaded, world_from_model) = self.posed(character)?;
        let model = loaded.rig().model();
        if skin >= model.skins.len() {
            return Err(PlayerError::SkinOutOfRange { asked: skin, skin_count: model.skins.len() });
        }
        let skin = model.skin(SkinIndex::new(skin));
        let joints = skin.joints.iter().zip(&skin.joint_from_mesh);
        Ok(joints
            .map(|(&joint, joint_from_mesh)| {
                let model_from_joint = loaded.workspace.model.model_from_node(joint);
                Mat4::from(world_from_model * model_from_joint * *joint_from_mesh)
            })
            .collect())
    }

    /// Returns the weights of the morph targets of a node's mesh. `node` is an index in the file's order.
    ///
    /// # Errors
    /// When there is no model, no such node or no such character.
    pub fn morph_weights(&mut self, node: usize, character: usize) -> Result<Vec<f32>, PlayerError> {
        let node = self.node_at(node)?;
        let (loaded, _) = self.posed(character)?;
        Ok(loaded.workspace.local.morph_weights(loaded.rig(), node).to_vec())
    }

    /// Returns the node whose index in the file is `source_index`.
    ///
    /// # Errors
    /// When there is no model or no such node.
    pub fn node_at(&self, source_index: usize) -> Result<NodeIndex, PlayerError> {
        let model = self.model().ok_or(PlayerError::NoModel)?;
        let nodes = &model.node_from_source;
        nodes
            .get(source_index)
            .copied()
            .ok_or(PlayerError::NodeOutOfRange { asked: source_index, node_count: nodes.len() })
    }

    /// Computes one character's pose in the workspace and returns it with `world_from_model`. Only palettes are
    /// stored, so poses are computed on demand.
    pub(super) fn posed(&mut self, character: usize) -> Result<(&Loaded, Affine3A), PlayerError> {
        let loaded = self.loaded.as_mut().ok_or(PlayerError::NoModel)?;
        let character_count = self.characters.len();
        let character = self
            .characters
            .get_mut(character)
            .ok_or(PlayerError::CharacterOutOfRange { asked: character, character_count })?;
        let world_from_model = character.world_from_model(&self.world_from_actor);
        loaded.pose_one(character, &world_from_model);
        Ok((loaded, world_from_model))
    }
}
