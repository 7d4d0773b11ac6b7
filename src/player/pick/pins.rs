//! Places in the picture of points that follow the model, and whether something is in front of them.

use super::{Part, SurfacePoint};
use crate::camera::{PlaceInPicture, View};
use crate::model::NodeIndex;
use crate::player::{ActorId, Player};
use glam::Vec3;
use std::ops::Range;

/// What a pin follows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Anchor {
    Node {
        actor: ActorId,
        character: usize,
        node: NodeIndex,
        /// Position in the space of the node.
        offset: Vec3,
    },
    Surface(SurfacePoint),
}

/// Where a pin is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlacedPin {
    pub place: PlaceInPicture,
    /// Whether something is drawn in front of it. `None` if that wasn't tested.
    pub covered: Option<bool>,
}

/// Share of the distance by which something must be nearer than a point of the surface to cover it.
const NEARER: f32 = 1e-3;

impl Player {
    /// Returns where each pin is in the current pose; `None` for one whose actor, character or point doesn't exist.
    ///
    /// Tests the pins in `tested` for what covers them. A node is inside of its own body part: surfaces that are moved
    /// most by the node itself, its parent or one of its children don't cover it.
    #[inline(never)]
    pub fn place_pins(
        &mut self,
        view: &View,
        pins: &[Anchor],
        tested: Range<usize>,
    ) -> Vec<Option<PlacedPin>> {
        self.pose();
        let mut posed = None;
        let mut placed = Vec::with_capacity(pins.len());
        for (nth, pin) in pins.iter().enumerate() {
            let point = match pin {
                Anchor::Surface(surface) => self.surface_point(surface).map(|(point, _)| point),
                Anchor::Node { actor, character, node, offset } => {
                    // Pins of one character share its pose.
                    let is_posed = posed.replace((*actor, *character)) == Some((*actor, *character));
                    self.point_of_node(*actor, *character, *node, *offset, is_posed)
                }
            };
            placed.push(point.filter(|point| point.is_finite()).map(|point| {
                let place = view.place(point);
                let is_tested = tested.contains(&nth) && place.in_front;
                PlacedPin { place, covered: is_tested.then(|| self.is_covered(view, &place, point, pin)) }
            }));
        }
        placed
    }

    fn point_of_node(
        &mut self,
        actor: ActorId,
        character: usize,
        node: NodeIndex,
        offset: Vec3,
        is_posed: bool,
    ) -> Option<Vec3> {
        let player = self.actor_mut(actor).ok()?;
        player.check_node(node).ok()?;
        if !is_posed {
            player.posed(character).ok()?;
        }
        let loaded = player.loaded.as_ref()?;
        let world_from_model = player.characters.get(character)?.world_from_model(&player.world_from_actor);
        let world_from_node = world_from_model * loaded.workspace.model.model_from_node(node);
        Some(world_from_node.transform_point3(offset))
    }

    /// Returns whether something is drawn between the viewer and a point. The pose must be computed.
    fn is_covered(&self, view: &View, place: &PlaceInPicture, point: Vec3, pin: &Anchor) -> bool {
        let mut ray = view.ray(place.position.x, place.position.y);
        ray.range[1] = (point - ray.origin).dot(ray.direction) * (1.0 - NEARER);
        let covering = self.cast(&ray, &mut |hit, part| match pin {
            Anchor::Surface(own) => {
                (own.actor, own.character, own.node) != (hit.actor, hit.character, part.drawable.node)
                    || (own.primitive, own.triangle) != (hit.primitive, hit.triangle)
            }
            Anchor::Node { actor, character, node, .. } => {
                (*actor, *character) != (hit.actor, hit.character)
                    || !part.is_near(*node, part.joint(&part.posed(), hit.triangle, hit.shares))
            }
        });
        covering.is_some()
    }
}

impl Part<'_> {
    /// Returns whether the joint that moves a point, or the node of the mesh, is a node, its parent or its child.
    fn is_near(&self, node: NodeIndex, joint: Option<NodeIndex>) -> bool {
        let model = self.loaded.rig().model();
        let moving = joint.unwrap_or(self.drawable.node);
        moving == node || model.node(moving).parent == Some(node) || model.node(node).parent == Some(moving)
    }
}
