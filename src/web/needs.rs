//! The first step of an import: what a file needs.

use crate::import::{self, Need, Resources};
use js_sys::Uint8Array;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// Returns what a file needs before it can be imported, as a flat list of pairs: `"file"` and the URI of an external
/// buffer, `"image"` and the URI of an external image, `"decoder"` and a name: a required extension that the importer
/// doesn't support, or `"formats"` alone. `"late"`, `"import"` and `"tangents"` are wasm files that a page fetches
/// apart.
#[wasm_bindgen]
pub fn inspect(bytes: &[u8]) -> Result<Vec<String>, JsValue> {
    let mut pairs = Vec::new();
    let (needs, apart) = import::inspect_for_page(bytes)?;
    for (need, name) in needs {
        let kind = match need {
            Need::File => "file",
            Need::Image => "image",
            Need::Decoder => "decoder",
        };
        pairs.push(kind.to_owned());
        pairs.push(name);
    }
    let parts = [("late", apart.late), ("import", apart.import), ("tangents", apart.tangents)];
    for (part, is_needed) in parts {
        if is_needed {
            pairs.extend([part.to_owned(), String::new()]);
        }
    }
    Ok(pairs)
}

/// Creates the resources of an import from the page's answers. `uris` and `pieces` are external buffers, and decoded
/// data under URIs such as `#/bufferViews/3`.
pub(super) fn resources(uris: &[String], pieces: &[Uint8Array], decoders: Vec<String>) -> Resources {
    let mut resources = Resources::with_decoders(decoders);
    for (uri, piece) in uris.iter().zip(pieces) {
        resources.insert(uri, piece.to_vec());
    }
    resources
}
