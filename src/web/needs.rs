//! The first step of an import: what a file needs.

use crate::import::{self, Needs, Resources};
use js_sys::Uint8Array;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// Returns what a file needs before it can be imported, as a flat list of pairs: `"file"` and the URI of an external
/// buffer, `"image"` and the URI of an external image, or `"decoder"` and a name. `decoders` are the names that the
/// page knows.
#[wasm_bindgen]
pub fn inspect(bytes: &[u8], decoders: Vec<String>) -> Result<Vec<String>, JsValue> {
    let Needs { files, images, decoders } = import::inspect(bytes, &decoders)?;
    let mut pairs = Vec::new();
    for (kind, names) in [("file", files), ("image", images), ("decoder", decoders)] {
        pairs.extend(names.into_iter().flat_map(|name| [kind.to_owned(), name]));
    }
    Ok(pairs)
}

/// Creates the resources of an import from the page's answers. `uris` and `pieces` are external buffers, and decoded
/// data under URIs such as `#/bufferViews/3`.
pub(super) fn resources(uris: &[String], pieces: &[Uint8Array], decoders: Vec<String>) -> Resources {
    let mut resources = Resources { decoders, ..Resources::default() };
    for (uri, piece) in uris.iter().zip(pieces) {
        resources.insert(uri, piece.to_vec());
    }
    resources
}
