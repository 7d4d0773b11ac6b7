//! Cameras of the file: the picture can be seen from a node that has one. It then follows the node's animated pose and
//! the animated properties of the camera.

use super::{Player, PlayerError};
use crate::camera::View;
use crate::model::{NodeIndex, PropertyTarget};

impl Player {
    /// Returns the view of a picture, which may be that of a camera of the file. The orbit is then moved to it.
    #[inline(never)]
    pub fn view(&mut self, aspect: f32) -> View {
        match self.file_camera {
            Some(node) => self.look_through(node, aspect),
            None => self.camera.view(aspect),
        }
    }

    /// Returns the node whose camera the picture is seen from, as an index in the file's order.
    pub fn file_camera(&self) -> Option<usize> {
        Some(self.model()?.node(self.file_camera?).source_index)
    }

    /// Shows the picture from the camera of a node of the first character. `node` is an index in the file's order;
    /// `None` returns to the orbit before.
    ///
    /// Any move of the orbit goes on from what is seen then. Framing, [`reset_camera`](Self::reset_camera) and another
    /// model return to the orbit, with the lens that it had before.
    ///
    /// # Errors
    /// When there is no model or no such node, or the node has no camera.
    pub fn use_file_camera(&mut self, node: Option<usize>, aspect: f32) -> Result<(), PlayerError> {
        let Some(node) = node else {
            self.leave_file_camera(Some(aspect));
            return Ok(());
        };
        let node = self.node_at(node)?;
        if self.model().is_none_or(|model| model.node(node).camera.is_none()) {
            return Err(PlayerError::OutOfRange { what: "number of a node", expected: "that has a camera" });
        }
        self.saved_orbit.get_or_insert(self.camera.saved());
        self.file_camera = Some(node);
        self.view(aspect);
        Ok(())
    }

    /// Returns to the orbit at which the model was framed: smoothly, unless a camera of the file was used.
    pub fn reset_camera(&mut self, aspect: f32) {
        self.leave_file_camera(Some(aspect));
        self.camera.reset();
    }

    /// Returns to the orbit before a camera of the file was used. With an aspect ratio, an orbit that hadn't been
    /// moved is framed for it.
    #[inline]
    pub(super) fn leave_file_camera(&mut self, aspect: Option<f32>) {
        if self.saved_orbit.is_some() {
            self.restore_orbit(aspect);
        }
    }

    #[inline(never)]
    fn restore_orbit(&mut self, aspect: Option<f32>) {
        self.file_camera = None;
        let Some(saved) = self.saved_orbit.take() else { return };
        self.camera.restore(&saved);
        if let Some(aspect) = aspect.filter(|_| self.camera.is_home()) {
            self.reframe(aspect);
        }
    }

    #[inline(never)]
    fn look_through(&mut self, node: NodeIndex, aspect: f32) -> View {
        let Ok((loaded, world_from_model)) = self.posed(0) else { return self.camera.view(aspect) };
        let world_from_camera = world_from_model * loaded.workspace.model.model_from_node(node);
        let (rig, local) = (loaded.rig(), &loaded.workspace.local);
        let model = rig.model();
        let Some(camera) = model.node(node).camera else { return self.camera.view(aspect) };
        let mut projection = model.cameras[camera.get()].projection;
        let mut first = 0;
        for property in &model.properties {
            if let PropertyTarget::Camera(animated, part) = property.target
                && animated == camera
                && let Some(&number) = local.properties(rig).get(first)
            {
                projection.set_part(part, number);
            }
            first += property.rest.len();
        }
        self.camera.look_through(&world_from_camera, &projection, aspect)
    }
}
