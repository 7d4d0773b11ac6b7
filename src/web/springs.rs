//! Exports that control springs.

use super::motion::vector_of;
use super::player::PlayerHandle;
use glam::Vec3;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
impl PlayerHandle {
    /// Replaces the springs by those of a JSON text. Without one, sets those of the file.
    #[wasm_bindgen(js_name = setSprings)]
    pub fn set_springs(&mut self, springs: Option<String>) -> Result<(), JsValue> {
        let springs = springs.map(|json| self.actor_mut().read_springs(&json)).transpose()?;
        Ok(self.actor_mut().set_springs(springs.as_ref())?)
    }

    #[wasm_bindgen(js_name = fadeSprings)]
    pub fn fade_springs(&mut self, weight: f32, fade_secs: f64) -> Result<(), JsValue> {
        Ok(self.actor_mut().fade_springs(weight, fade_secs)?)
    }

    #[wasm_bindgen(getter, js_name = springWeight)]
    pub fn spring_weight(&self) -> f32 {
        self.actor().spring_weight()
    }

    /// Returns the wind in the world, in metres per second.
    #[wasm_bindgen(getter)]
    pub fn wind(&self) -> Vec<f32> {
        self.actor().wind().to_array().to_vec()
    }

    #[wasm_bindgen(setter)]
    pub fn set_wind(&mut self, wind: &[f32]) -> Result<(), JsValue> {
        Ok(self.actor_mut().set_wind(vector_of(wind).unwrap_or(Vec3::ZERO))?)
    }

    /// Places the springs where they hang still.
    #[wasm_bindgen(js_name = resetSprings)]
    pub fn reset_springs(&mut self) -> Result<(), JsValue> {
        Ok(self.actor_mut().reset_springs()?)
    }
}
