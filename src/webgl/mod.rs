//! A backend of wgpu for WebGL2, with as much of wgpu's interface as `render` uses.
//!
//! - Commands run when they are recorded, not when they are submitted. The queue's writes therefore come before the
//!   commands that read them, and one command buffer is recorded at a time.
//! - Nothing is validated. The tests of `render` with WebGPU find what is invalid.
//! - Shaders arrive as GLSL, which `build/translate.rs` writes. Its layout of coordinates is WebGPU's: row 0 of each
//!   texture is the top one, so only presenting a picture turns it upside down, and front faces are reversed.
//! - State of the context is set only where it changes. A device assumes that nothing else uses its context.
//! - A lost context makes every call do nothing. The page is notified and discards the device.

mod bindings;
mod buffer;
mod context;
mod copy;
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

use crate::backend::{Adapter, Instance, ours};
use context::Context;
use js_sys::Promise;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{HtmlCanvasElement, WebGl2RenderingContext};
use wgpu::custom::DispatchSurface;

/// Returns what wgpu has for a device, which uses the canvas, or `None` if the canvas has no WebGL2. The canvas is an
/// `HTMLCanvasElement` or an `OffscreenCanvas`, for which the page has chosen the attributes of its context. The error
/// is the reason why there is no device.
pub(crate) fn open(canvas: JsValue) -> Option<Result<Opened, String>> {
    // Both kinds of canvases have this method.
    let context = canvas.unchecked_into::<HtmlCanvasElement>().get_context("webgl2");
    let gl = context.ok()??.unchecked_into::<WebGl2RenderingContext>();
    if gl.is_context_lost() {
        return Some(Err("the WebGL context is lost".into()));
    }
    let context = Context::new(gl);
    Some(Ok((
        wgpu::Adapter::from_custom(Adapter),
        wgpu::Device::from_custom(device::Device::new(&context)),
        wgpu::Queue::from_custom(queue::Queue),
    )))
}

type Opened = (wgpu::Adapter, wgpu::Device, wgpu::Queue);

/// Returns a surface on the device's canvas, whichever is given.
pub(crate) fn surface(device: &wgpu::Device, canvas: JsValue) -> Option<wgpu::Surface<'static>> {
    let context = ours(device.as_custom::<device::Device>()).context();
    let surface = DispatchSurface::custom(surface::Surface::new(context));
    let instance = wgpu::Instance::from_custom(Instance(surface));
    // wgpu only passes the target on, which is ignored.
    instance.create_surface(wgpu::SurfaceTarget::OffscreenCanvas(canvas.unchecked_into())).ok()
}

/// Returns nothing: canvases have events.
pub(crate) fn lost(_: &wgpu::Device) -> Option<Promise> {
    None
}

/// Returns nothing: what WebGL2 draws is shown.
pub(crate) fn is_blank(_: &wgpu::Surface<'_>) -> Option<Promise> {
    None
}
