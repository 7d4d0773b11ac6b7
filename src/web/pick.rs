//! Exports that find what is at a place in the picture.

use super::player::PlayerHandle;
use crate::player::Picked;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
impl PlayerHandle {
    /// Returns what is picked at a place, in fractions of the canvas's width and height from its left and top: actor,
    /// character, node, primitive, triangle, the weights of the triangle's second and third corner, joint, material,
    /// point (3), normal (3) and distance. −1 stands for no joint and for the default material. The list is empty if
    /// nothing is there.
    pub fn pick(&mut self, x: f32, y: f32) -> Vec<f64> {
        let ray = self.player.camera.view(self.player.aspect()).ray(x, y);
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
}
