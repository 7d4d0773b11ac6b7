//! Exports that find what is at a place in the picture, and where things are in it.

use super::player::PlayerHandle;
use crate::model::NodeIndex;
use crate::player::{ActorId, Anchor, Picked, SurfacePoint};
use glam::DVec3;
use wasm_bindgen::prelude::wasm_bindgen;

/// Numbers of a pin, and of what is returned for it.
const PIN: usize = 7;
const PLACE: usize = 3;

#[wasm_bindgen]
impl PlayerHandle {
    /// Returns what is picked at a place, in fractions of the canvas's width and height from its left and top: actor,
    /// character, node, primitive, triangle, the weights of the triangle's second and third corner, joint, material,
    /// point (3), normal (3) and distance. −1 stands for no joint and for the default material. The list is empty if
    /// nothing is there.
    pub fn pick(&mut self, x: f32, y: f32) -> Vec<f64> {
        let ray = self.player.view(self.player.aspect()).ray(x, y);
        let Some(Picked { surface, joint, material, point, normal, distance }) = self.player.pick(&ray)
        else {
            return Vec::new();
        };
        // Pages number nodes in the file's order.
        let model = self.player.actor(surface.actor).ok().and_then(|actor| actor.model());
        let source_index = |node| model.map_or(-1.0, |model| model.node(node).source_index as f64);
        let [second, third] = surface.shares;
        let mut numbers = vec![
            f64::from(surface.actor.number()),
            surface.character as f64,
            source_index(surface.node),
            surface.primitive as f64,
            surface.triangle as f64,
            f64::from(second),
            f64::from(third),
            joint.map_or(-1.0, source_index),
            material.map_or(-1.0, |material| material.get() as f64),
        ];
        for number in point.to_array().into_iter().chain(normal.to_array()).chain([distance]) {
            numbers.push(f64::from(number));
        }
        numbers
    }

    /// Returns where pins are in the picture. Each is 7 numbers: actor, character, node, and either −1 and an offset in
    /// the space of the node, or primitive, triangle and the weights of its second and third corner. Those in
    /// `first..first + count` are tested for what covers them.
    ///
    /// Returns 3 numbers for each: the fractions of the canvas's width and height from its left and top, and whether
    /// it is nowhere in the picture (0), not tested (1), visible (2) or covered (3).
    #[wasm_bindgen(js_name = placePins)]
    pub fn place_pins(&mut self, pins: &[f64], first: usize, count: usize) -> Vec<f64> {
        let view = self.player.view(self.player.aspect());
        let anchors: Vec<Anchor> = pins.as_chunks().0.iter().map(|pin| self.anchor(pin)).collect();
        let placed = self.player.place_pins(&view, &anchors, first..first.saturating_add(count));
        let mut numbers = Vec::with_capacity(placed.len() * PLACE);
        for pin in placed {
            let Some(pin) = pin.filter(|pin| pin.place.in_front) else {
                numbers.extend([0.0; PLACE]);
                continue;
            };
            let known = match pin.covered {
                None => 1.0,
                Some(false) => 2.0,
                Some(true) => 3.0,
            };
            numbers.extend([f64::from(pin.place.position.x), f64::from(pin.place.position.y), known]);
        }
        numbers
    }

    /// Returns what a pin follows. Pages number nodes in the file's order.
    fn anchor(&self, &[actor, character, node, primitive, a, b, c]: &[f64; PIN]) -> Anchor {
        let actor = ActorId::new(actor as u32);
        let found = self.player.actor(actor).and_then(|player| player.node_at(node as usize));
        // The character that never exists stands for a node that doesn't.
        let (node, character) =
            found.map_or((NodeIndex::new(0), usize::MAX), |node| (node, character as usize));
        if primitive < 0.0 {
            return Anchor::Node { actor, character, node, offset: DVec3::new(a, b, c).as_vec3() };
        }
        Anchor::Surface(SurfacePoint {
            actor,
            character,
            node,
            primitive: primitive as usize,
            triangle: a as usize,
            shares: [b as f32, c as f32],
        })
    }
}
