//! The export that shows data of surfaces.

use super::player::PlayerHandle;
use crate::render::SurfaceView;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
impl PlayerHandle {
    /// Shows data of surfaces in place of their light: an index into `VIEWS` of `www/element/player/view.ts`, whose
    /// first one is the light. `joint` is the name of the joint whose weights are shown; empty for those of all joints.
    #[wasm_bindgen(js_name = setView)]
    pub fn set_view(&mut self, index: usize, joint: &str) {
        let view = index.checked_sub(1).and_then(|index| SurfaceView::ALL.get(index));
        self.player.set_surface_view(view.copied(), joint);
    }
}
