//! Exports that set the light from all around, and how much of it screens show.

use super::motion::LENGTH;
use super::player::PlayerHandle;
use crate::light::{Care, Environment, Panorama, Room};
use crate::render::Backdrop;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
impl PlayerHandle {
    /// Lights the picture by a room, whose numbers `Room::from_numbers` describes. Without any, restores the studio.
    #[wasm_bindgen(js_name = setRoom)]
    pub fn set_room(&mut self, numbers: &[f32]) -> Result<(), JsValue> {
        let environment = match numbers {
            [] => None,
            _ => Some(Room::from_numbers(numbers).ok_or(LENGTH)?.environment(Care::Full)),
        };
        self.player.set_environment(environment);
        Ok(())
    }

    /// Lights the picture by a panorama with packed texels, row after row.
    #[wasm_bindgen(js_name = setPanorama)]
    pub fn set_panorama(&mut self, width: usize, texels: Vec<u32>) -> Result<(), JsValue> {
        let panorama = Panorama::new(width, texels).ok_or(LENGTH)?;
        let environment = Environment::of(&|direction| panorama.light_from(direction), None, Care::Full);
        self.player.set_environment(Some(Environment { panorama: Some(panorama), ..environment }));
        Ok(())
    }

    /// Sets whether lit materials can be brighter than white.
    #[wasm_bindgen(js_name = setHighRange)]
    pub fn set_high_range(&mut self, is_high: bool) {
        self.player.set_high_range(is_high);
    }

    /// Sets how much limbs darken surfaces behind them, from 0 to 1.
    #[wasm_bindgen(js_name = setOcclusion)]
    pub fn set_occlusion(&mut self, strength: f32) {
        self.player.set_occlusion(strength);
    }

    /// Shows the environment in place of the background: 0 hides it, 1 blurs it, 2 shows it sharp.
    #[wasm_bindgen(js_name = showEnvironment)]
    pub fn show_environment(&mut self, how: u32) {
        self.player.show_environment((how > 0).then(|| Backdrop::new(how > 1)));
    }
}
