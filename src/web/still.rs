//! The export that refines still pictures.

use super::player::PlayerHandle;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
impl PlayerHandle {
    /// Refines the picture that `render` has drawn, if nothing has changed since. Returns whether another call refines
    /// it further. An error ends it, and is reported by the next picture.
    pub fn refine(&mut self) -> bool {
        self.player.refine().unwrap_or(false)
    }
}
