//! Visibility of nodes: that of the file, which the page can change.

use super::{Loaded, Player, PlayerError};
use crate::model::NodeIndex;

impl Player {
    /// Shows or hides the meshes of a node and of its descendants, on every character. Nodes that the file hides can
    /// be shown, too.
    ///
    /// A descendant of a hidden node is hidden, whatever its own setting. Bounds and framing aren't affected: they are
    /// those of the nodes that the file shows.
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

    /// Returns the nodes that the file or [`set_visible`](Self::set_visible) has hidden, without their descendants.
    pub fn hidden_nodes(&self) -> &[NodeIndex] {
        self.loaded.as_ref().map_or(&[], |loaded| &loaded.hidden_nodes)
    }
}

impl Loaded {
    /// Hides the nodes that the file hides.
    pub(super) fn hide_as_in_file(&mut self) {
        let nodes = self.rig().model().nodes.iter().enumerate();
        self.hidden_nodes =
            nodes.filter(|(_, node)| !node.visible).map(|(index, _)| NodeIndex::new(index)).collect();
        if !self.hidden_nodes.is_empty() {
            self.hide_drawables();
        }
    }

    /// Updates `hidden_drawables` from `hidden_nodes`.
    fn hide_drawables(&mut self) {
        let rig = self.library.rig();
        let mut is_hidden = vec![false; rig.model().nodes.len()];
        self.hidden_nodes.iter().for_each(|node| is_hidden[node.get()] = true);
        let is_hidden = rig.model().with_descendants(is_hidden);
        let drawables = rig.palette_layout().drawables.iter();
        self.hidden_drawables = drawables.map(|drawable| is_hidden[drawable.node.get()]).collect();
    }
}
