//! The shader module of guides. Only `source` may refer to the text in `shaders/guides`, since pages fetch it with the
//! first guide.

/// Returns the module's source in GLSL.
#[cfg(all(feature = "webgl", target_arch = "wasm32"))]
pub(super) fn source() -> String {
    include_str!(concat!(env!("OUT_DIR"), "/guides.glsl")).to_owned()
}

/// Returns the module's source: named in builds with debug assertions, else minified.
#[cfg(not(all(feature = "webgl", target_arch = "wasm32")))]
pub(super) fn source() -> String {
    source_from(if cfg!(debug_assertions) { &NAMED } else { &SHORT })
}

/// The texts of the module's files, with the names and line breaks of the files, and minified.
#[cfg(not(all(feature = "webgl", target_arch = "wasm32")))]
mod texts {
    use crate::render::shaders::text;

    pub const NAMED: [&str; 3] = [text!("named", frame), text!("named", lines), text!("named", guides)];
    pub const SHORT: [&str; 3] = [text!("short", frame), text!("short", lines), text!("short", guides)];
}
#[cfg(not(all(feature = "webgl", target_arch = "wasm32")))]
pub use texts::{NAMED, SHORT};

/// Returns the module's source, composed of the given texts.
#[cfg(not(all(feature = "webgl", target_arch = "wasm32")))]
pub fn source_from(texts: &[&str]) -> String {
    let mut source = String::new();
    // Without what is for materials with extensions. An iterator that only this and another part had would be in the
    // first file.
    for (index, part) in texts.iter().flat_map(|text| text.split('#').enumerate()) {
        if index % 2 == 0 {
            source.push_str(part);
        }
    }
    source
}
