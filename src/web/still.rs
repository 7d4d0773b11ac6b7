//! The export that refines still pictures.

use super::player::PlayerHandle;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
impl PlayerHandle {
    /// Refines the picture that `render` has drawn, if nothing has changed since. Returns whether another call refines
    /// it further.
    pub fn refine(&mut self) -> Result<bool, JsValue> {
        Ok(self.player.refine()?)
    }
}
