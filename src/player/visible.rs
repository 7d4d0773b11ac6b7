//! Visibility of nodes: that of the file, which the page can change.

use super::{Loaded, Player, PlayerError, Workspace};
use crate::model::{NodeIndex, PropertyIndex, PropertyTarget};

impl Player {
    /// Shows or hides the meshes of a node and of its descendants, on every character. Nodes that the file hides can
    /// be shown, too.
    ///
    /// A descendant of a hidden node is hidden, whatever its own setting. Bounds and framing aren't affected: they are
    /// those of the nodes that the file shows. What a clip hides stays hidden.
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
        let is_hidden = self.rig().model().hidden_nodes();
        for (index, is_hidden) in is_hidden.into_iter().enumerate() {
            if is_hidden {
                self.hidden_nodes.push(NodeIndex::new(index));
            }
        }
        if !self.hidden_nodes.is_empty() {
            self.hide_drawables();
        }
    }

    /// Updates `hidden_drawables` from `hidden_nodes`. Animated visibility depends on the poses.
    fn hide_drawables(&mut self) {
        self.stale |= self.animates_visibility;
        if !self.animates_visibility {
            self.hidden_drawables.clear();
            self.hide_in_pose();
        }
    }

    /// Appends to `hidden_drawables` what is hidden in the pose of the workspace.
    pub(super) fn hide_in_pose(&mut self) {
        let rig = self.library.rig();
        let Workspace { local, is_hidden, .. } = &mut self.workspace;
        is_hidden.clear();
        is_hidden.resize(rig.model().nodes.len(), false);
        self.hidden_nodes.iter().for_each(|node| is_hidden[node.get()] = true);
        for (index, property) in rig.model().properties.iter().enumerate() {
            if let PropertyTarget::Visible(node) = property.target {
                is_hidden[node.get()] |= local.property(rig, PropertyIndex::new(index))[0] < 0.5;
            }
        }
        rig.model().mark_descendants(is_hidden);
        let drawables = rig.palette_layout().drawables.iter();
        self.hidden_drawables.extend(drawables.map(|drawable| is_hidden[drawable.node.get()]));
    }
}
