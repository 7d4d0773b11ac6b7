//! wgpu's own backends, which draw what those of `src/webgpu` and `src/webgl` are compared with.

use super::gpu::GpuHandle;
use super::promise::promise;
use crate::render::{Gpu, RenderError, Tier, instance};
use js_sys::Promise;
use std::cell::RefCell;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{HtmlCanvasElement, OffscreenCanvas};

const TIER: Tier = if cfg!(feature = "webgpu-reference") { Tier::WebGpu } else { Tier::WebGl2 };

/// What makes the surfaces of a device.
#[derive(Debug)]
pub(super) struct Surfaces {
    instance: wgpu::Instance,
    /// Surface of the canvas that the device was requested for, until that canvas is attached.
    first: RefCell<Option<wgpu::Surface<'static>>>,
}

/// Requests a device. With WebGL2, a canvas is required to find one. WebGPU ignores the page's device, and a canvas
/// mustn't have a context yet.
#[wasm_bindgen(js_name = requestGpu, unchecked_return_type = "Promise<GpuHandle>")]
pub fn request_gpu(of: JsValue) -> Promise {
    promise(async move {
        let instance = instance(TIER);
        let surface = match TIER {
            Tier::WebGpu => None,
            Tier::WebGl2 => Some(create_surface(&instance, of).ok_or(RenderError::NoSurface)?),
        };
        let gpu = Gpu::request(&instance, surface.as_ref()).await?;
        Ok(GpuHandle { gpu, surfaces: Surfaces { instance, first: RefCell::new(surface) } }.into())
    })
}

impl Surfaces {
    pub(super) fn surface(&self, canvas: JsValue) -> Option<wgpu::Surface<'static>> {
        let held = self.first.borrow_mut().take();
        held.or_else(|| create_surface(&self.instance, canvas))
    }
}

fn create_surface(instance: &wgpu::Instance, canvas: JsValue) -> Option<wgpu::Surface<'static>> {
    let target = match canvas.dyn_into::<HtmlCanvasElement>() {
        Ok(canvas) => wgpu::SurfaceTarget::Canvas(canvas),
        Err(other) => wgpu::SurfaceTarget::OffscreenCanvas(other.unchecked_into::<OffscreenCanvas>()),
    };
    instance.create_surface(target).ok()
}

/// Returns nothing: the page isn't notified of a loss.
pub(super) fn lost(_: &wgpu::Device) -> Option<Promise> {
    None
}

/// Returns nothing: pictures aren't checked.
pub(super) fn is_blank(_: &wgpu::Surface<'_>) -> Option<Promise> {
    None
}
