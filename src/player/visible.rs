//! Which nodes are drawn.

use super::{Loaded, Player, PlayerError};
use crate::model::NodeIndex;

impl Player {
    /// Hides the meshes of a node and of all nodes below it, on every character, or shows them again. A node below
    /// another that is hidden stays hidden, whatever is set for itself. Bounds and framing don't change.
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

    /// The nodes that were hidden themselves, not those below them.
    pub fn hidden_nodes(&self) -> &[NodeIndex] {
        self.loaded.as_ref().map_or(&[], |loaded| &loaded.hidden_nodes)
    }
}

impl Loaded {
    /// Works out what `hidden_nodes` means for each drawable.
    fn hide_drawables(&mut self) {
        let rig = self.repertoire.rig();
        let model = rig.model();
        let hidden = |node: NodeIndex| {
            let mut chain = std::iter::successors(Some(node), |&node| model.node(node).parent);
            chain.any(|node| self.hidden_nodes.contains(&node))
        };
        let drawables = rig.palette_layout().drawables.iter();
        self.hidden_drawables = drawables.map(|drawable| hidden(drawable.node)).collect();
    }
}
