//! The export that shows guides.

use super::player::PlayerHandle;
use crate::player::{GuideSet, GuideSettings, OnionSkins};
use crate::render::{LetterCell, Letters};
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
impl PlayerHandle {
    /// Shows guides: bits in the order of `GUIDES` of `www/element/player/guides.ts`.
    ///
    /// `letters` has the device pixels of a CSS pixel, the padding of cells, the width of the pixels, and four numbers
    /// for each cell (x, y, width, height). `pixels` has four bytes for each pixel. The last cells are the names of the
    /// nodes `named`, in the file's order of nodes. `trailed` are the nodes with trails; none for those that are found.
    /// `onion_skins` has the number of poses before the present one, that after it, and the seconds between them.
    #[wasm_bindgen(js_name = setGuides)]
    pub fn set_guides(
        &mut self,
        shown: u32,
        letters: &[f32],
        pixels: &[u8],
        named: &[u32],
        trailed: &[u32],
        onion_skins: &[f32],
    ) {
        let (head, cells) = letters.split_at_checked(3).unwrap_or_default();
        let [scale, padding, width] = *head else { return self.player.set_guides(GuideSettings::default()) };
        let &[before, after, step_secs] = onion_skins else { return };
        // A model that has replaced the page's may have fewer nodes.
        let node = |&node: &u32| self.player.node_at(node as usize).ok();
        self.player.set_guides(GuideSettings {
            shown: GuideSet(shown),
            named: named.iter().map(node).collect(),
            trailed: trailed.iter().filter_map(node).collect(),
            onion_skins: OnionSkins { before: before as usize, after: after as usize, step_secs },
            letters: Letters {
                pixels: pixels.to_vec(),
                width: width as u32,
                scale,
                padding,
                cells: cells.as_chunks().0.iter().map(|&cell| LetterCell(cell)).collect(),
            },
        });
    }
}
