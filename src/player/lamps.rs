//! The lights of a model, as they shine in the current pose.
//!
//! Few models have lights, so pages fetch [`Player::add_lamps_to`] apart (`xtask/src/build/late.rs`), before they
//! import such a model.

use super::Player;
use crate::model::{NodeIndex, PropertyIndex, PropertyTarget};
use crate::render::Lamp;
use glam::{Vec3, Vec3A};

impl Player {
    pub(super) fn has_lights(&self) -> bool {
        self.loaded.as_ref().is_some_and(|loaded| !loaded.rig().model().lights.is_empty())
    }

    /// Adds the lights of the first character. Those of hidden nodes don't shine.
    #[inline(never)]
    pub(super) fn add_lamps_to(&mut self, lamps: &mut Vec<Lamp>) {
        let Ok((loaded, world_from_model)) = self.posed(0) else { return };
        if loaded.absent.first() == Some(&true) {
            return;
        }
        let (rig, workspace) = (loaded.rig(), &loaded.workspace);
        let model = rig.model();
        for (index, node) in model.nodes.iter().enumerate() {
            let is_hidden = workspace.is_hidden.get(index) == Some(&true);
            let Some(own) = node.light.filter(|_| !is_hidden) else { continue };
            let mut light = model.lights[own.get()].unnamed();
            for (nth, property) in model.properties.iter().enumerate() {
                if let PropertyTarget::Light(animated, part) = property.target
                    && animated == own
                {
                    light.set_part(part, workspace.local.property(rig, PropertyIndex::new(nth)));
                }
            }
            let world_from_node = world_from_model * workspace.model.model_from_node(NodeIndex::new(index));
            lamps.push(Lamp {
                position: world_from_node.translation.into(),
                direction: world_from_node.transform_vector3a(Vec3A::NEG_Z).normalize_or(Vec3A::NEG_Y).into(),
                color: light.color.max(Vec3::ZERO) * light.intensity.max(0.0),
                range: light.range.filter(|&range| range > 0.0),
                kind: light.kind,
            });
        }
    }
}
