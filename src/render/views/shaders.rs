//! What the shaders of views have besides those of plain meshes: the WGSL files in `shaders/views`. Only `extend` may
//! refer to the texts, since pages fetch it with the first view.

#[cfg(not(all(feature = "webgl", target_arch = "wasm32")))]
use super::super::shaders::text;

/// The texts of `shaders/views` with the names and line breaks of the files.
#[cfg(not(all(feature = "webgl", target_arch = "wasm32")))]
pub const NAMED: [&str; 2] = [text!("named", view_colors), text!("named", view)];
/// The minified texts.
#[cfg(not(all(feature = "webgl", target_arch = "wasm32")))]
pub const SHORT: [&str; 2] = [text!("short", view_colors), text!("short", view)];

/// Adds the entry points of views to the module of meshes.
#[inline(never)]
#[cfg(not(all(feature = "webgl", target_arch = "wasm32")))]
pub(in super::super) fn extend(source: &mut String) {
    extend_from(source, if cfg!(debug_assertions) { &NAMED } else { &SHORT });
}

/// Adds the entry points of views to the module of meshes, from the given texts.
#[cfg(not(all(feature = "webgl", target_arch = "wasm32")))]
pub fn extend_from(source: &mut String, texts: &[&str]) {
    texts.iter().for_each(|text| source.push_str(text));
}

/// Adds the entry points of views to the module of meshes, in GLSL. The macros stay.
#[inline(never)]
#[cfg(all(feature = "webgl", target_arch = "wasm32"))]
pub(in super::super) fn extend(source: &mut String) {
    source.truncate(source.find('@').unwrap_or_default());
    source.push_str(include_str!(concat!(env!("OUT_DIR"), "/views.glsl")));
}
