//! The lights of a model, as they shine in the current pose.
//!
//! Few models have lights, so pages fetch [`Player::add_lamps_to`] apart (`xtask/src/build/late.rs`), before they
//! import such a model.

use super::Player;
use crate::model::{Light, LightKind, LightPart, NodeIndex, PropertyIndex, PropertyTarget};
use crate::render::Lamp;
use glam::{Vec3, Vec3A};

impl Player {
    pub(super) fn has_lights(&self) -> bool {
        self.loaded.as_ref().is_some_and(|loaded| !loaded.rig().model().lights.is_empty())
    }

    /// Adds the lights of the first character. Those of hidden nodes don't shine.
    #[inline(never)]
    pub(super) fn add_lamps_to(&mut self, lamps: &mut Vec<Lamp>) {
        let (Some(loaded), Some(character)) = (&mut self.loaded, self.characters.first_mut()) else { return };
        if loaded.absent.first() == Some(&true) {
            return;
        }
        let world_from_model = character.world_from_model(&self.world_from_actor);
        loaded.pose_one(character, &world_from_model);
        let (rig, workspace) = (loaded.library.rig(), &loaded.workspace);
        let model = rig.model();
        for (index, node) in model.nodes.iter().enumerate() {
            let Some(mut light) = node.light.and_then(|light| model.lights.get(light.get())).cloned() else {
                continue;
            };
            if workspace.is_hidden.get(index) == Some(&true) {
                continue;
            }
            for (nth, property) in model.properties.iter().enumerate() {
                if let PropertyTarget::Light(animated, part) = property.target
                    && Some(animated) == node.light
                {
                    set_part(&mut light, part, workspace.local.property(rig, PropertyIndex::new(nth)));
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

/// Sets an animated property of a light.
fn set_part(light: &mut Light, part: LightPart, numbers: &[f32]) {
    let &[first, ..] = numbers else { return };
    match (part, &mut light.kind) {
        (LightPart::Color, _) => {
            if let &[r, g, b] = numbers {
                light.color = Vec3::new(r, g, b);
            }
        }
        (LightPart::Intensity, _) => light.intensity = first,
        (LightPart::Range, _) => light.range = Some(first),
        (LightPart::InnerAngle, LightKind::Spot { inner_angle, .. }) => *inner_angle = first,
        (LightPart::OuterAngle, LightKind::Spot { outer_angle, .. }) => *outer_angle = first,
        _ => {}
    }
}
