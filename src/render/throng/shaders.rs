//! The shader module of throngs. Only `source` may refer to the text in `shaders/throng`, since pages fetch it with the
//! first throng.

use crate::render::Tier;

/// Returns the module's source in GLSL.
#[cfg(all(feature = "webgl", target_arch = "wasm32"))]
pub(super) fn source(_: Tier) -> String {
    include_str!(concat!(env!("OUT_DIR"), "/throng.glsl")).to_owned()
}

/// Returns the module's source: named in builds with debug assertions, else minified.
#[cfg(not(all(feature = "webgl", target_arch = "wasm32")))]
pub(super) fn source(tier: Tier) -> String {
    source_from(if cfg!(debug_assertions) { &NAMED } else { &SHORT }, tier)
}

/// The texts of the module's files, with the names and line breaks of the files, and minified: the rows in a buffer,
/// the rows in a texture, and the rest.
#[cfg(not(all(feature = "webgl", target_arch = "wasm32")))]
mod texts {
    use crate::render::shaders::text;

    pub const NAMED: [&str; 3] =
        [text!("named", rows_buffer), text!("named", rows_texture), text!("named", throng)];
    pub const SHORT: [&str; 3] =
        [text!("short", rows_buffer), text!("short", rows_texture), text!("short", throng)];
}
#[cfg(not(all(feature = "webgl", target_arch = "wasm32")))]
pub use texts::{NAMED, SHORT};

/// Returns the module's source, composed of the given texts.
#[cfg(not(all(feature = "webgl", target_arch = "wasm32")))]
pub fn source_from(texts: &[&str; 3], tier: Tier) -> String {
    let [buffer, texture, throng] = *texts;
    let mut source = String::from(match tier {
        Tier::WebGpu => buffer,
        Tier::WebGl2 => texture,
    });
    source.push_str(throng);
    source
}
