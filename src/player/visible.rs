//! Visibility of nodes.

use super::{Loaded, Player, PlayerError};
use crate::model::NodeIndex;

impl Player {
    /// Shows or hides the meshes of a node and of its descendants, on every character.
    ///
    /// A descendant of a hidden node is hidden, whatever its own setting. Bounds and framing aren't affected.
    ///
    /// # Errors
    /// When there is no model or no such node.
    pub fn set_visible(&mut self, node: NodeIndex, visible: bool) -> Result<(), PlayerError> {
        self.check_node(node)?;
        let loaded = self.loaded.as_mut().ok_or(PlayerError::NoModel)?;
        loaded.hidden_nodes.retain(|&hidden| hidden != node);
        if !visible {
            loaded.hidden_nodes.push(node);
        }
        loaded.hide_drawables();
        Ok(())
    }

    /// Returns the nodes that were hidden by [`set_visible`](Self::set_visible), without their descendants.
    pub fn hidden_nodes(&self) -> &[NodeIndex] {
        self.loaded.as_ref().map_or(&[], |loaded| &loaded.hidden_nodes)
    }
}

impl Loaded {
    /// Updates `hidden_drawables` from `hidden_nodes`.
    fn hide_drawables(&mut self) {
        let rig = self.library.rig();
        let model = rig.model();
        let hidden = |node: NodeIndex| {
            let mut chain = std::iter::successors(Some(node), |&node| model.node(node).parent);
            chain.any(|node| self.hidden_nodes.contains(&node))
        };
        let drawables = rig.palette_layout().drawables.iter();
        self.hidden_drawables = drawables.map(|drawable| hidden(drawable.node)).collect();
    }
}
