//! A backend of wgpu for WebGL2, with as much of wgpu's interface as `render` uses.
//!
//! - Commands run when they are recorded, not when they are submitted. The queue's writes therefore come before the
//!   commands that read them, and one command buffer is recorded at a time.
//! - Nothing is validated. The tests of `render` with WebGPU find what is invalid.
//! - Shaders arrive as GLSL, which `build/translate.rs` writes. Its layout of coordinates is WebGPU's: row 0 of each
//!   texture is the top one, so only presenting a picture turns it upside down, and front faces are reversed.
//! - State of the context is set only where it changes. A device assumes that nothing else uses its context.
//! - A lost context makes every call do nothing. The page is notified and discards the device.

mod adapter;
mod bindings;
mod buffer;
mod context;
mod device;
mod encoder;
mod errors;
mod formats;
mod framebuffers;
mod pass;
mod pipeline;
mod program;
mod queue;
mod sampler;
mod shader;
mod surface;
mod texture;
mod vertices;

use context::Context;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{HtmlCanvasElement, OffscreenCanvas, WebGl2RenderingContext};

/// Returns an instance of wgpu whose adapter and surfaces use the canvas, or `None` if the canvas has no WebGL2. The
/// canvas is an `HTMLCanvasElement` or an `OffscreenCanvas`.
pub(crate) fn instance(canvas: &JsValue) -> Option<wgpu::Instance> {
    let options = js_sys::Object::new();
    // Pictures are drawn off screen, with samples and depths of their own.
    for name in ["antialias", "depth"] {
        js_sys::Reflect::set(&options, &name.into(), &JsValue::FALSE).ok()?;
    }
    let context = match canvas.dyn_ref::<HtmlCanvasElement>() {
        Some(canvas) => canvas.get_context_with_context_options("webgl2", &options),
        None => {
            canvas.unchecked_ref::<OffscreenCanvas>().get_context_with_context_options("webgl2", &options)
        }
    };
    let gl = context.ok()??.unchecked_into::<WebGl2RenderingContext>();
    Some(wgpu::Instance::from_custom(adapter::Instance::new(Context::new(gl))))
}

/// Implements `Debug`, which wgpu requires, without the code that prints every field.
macro_rules! opaque {
    ($($name:ident),+ $(,)?) => {
        $(impl std::fmt::Debug for $name {
            fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                out.write_str(stringify!($name))
            }
        })+
    };
}
use opaque;

/// Ends a call of a part of wgpu's interface that `render` doesn't use.
#[cold]
fn unused() -> ! {
    unreachable!("not in this backend")
}

/// Returns the backend's object behind one of wgpu's, which is always ours: an instance has one backend.
fn ours<T>(object: Option<&T>) -> &T {
    match object {
        Some(object) => object,
        None => unused(),
    }
}
