use super::model::ModelHandle;
use super::promise::promise;
use crate::render::{Gpu, RenderError, Renderer};
#[cfg(not(feature = "webgl"))]
use crate::render::{Tier, instance};
use js_sys::Promise;
use std::cell::RefCell;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{HtmlCanvasElement, OffscreenCanvas};

#[cfg(not(feature = "webgl"))]
const TIER: Tier = if cfg!(feature = "webgpu") { Tier::WebGpu } else { Tier::WebGl2 };

/// A GPU device. With WebGPU it draws to every canvas of the page, with WebGL2 only to the one it was requested for.
#[wasm_bindgen]
#[derive(Debug)]
pub struct GpuHandle {
    pub(super) gpu: Gpu,
    instance: wgpu::Instance,
    /// Surface of the canvas that the device was requested for, until that canvas is attached.
    surface: RefCell<Option<wgpu::Surface<'static>>>,
}

/// Requests a device. With WebGL2, `canvas` is required to find one. With WebGPU it must be omitted: a canvas that
/// has a WebGPU context can't be used with WebGL2 afterwards.
#[wasm_bindgen(js_name = requestGpu, unchecked_return_type = "Promise<GpuHandle>")]
pub fn request_gpu(canvas: Option<JsValue>) -> Promise {
    promise(async move {
        let instance = instance_for(canvas.as_ref())?;
        let surface = canvas.map(|canvas| create_surface(&instance, canvas)).transpose()?;
        let gpu = Gpu::request(&instance, surface.as_ref()).await?;
        Ok(GpuHandle { gpu, instance, surface: RefCell::new(surface) }.into())
    })
}

#[wasm_bindgen]
impl GpuHandle {
    #[wasm_bindgen(getter)]
    pub fn lost(&self) -> bool {
        self.gpu.is_lost()
    }

    /// Returns a promise that is resolved when the device is lost.
    #[wasm_bindgen(js_name = whenLost)]
    pub fn when_lost(&self) -> Promise {
        let lost = self.gpu.lost();
        promise(async move {
            lost.await;
            Ok(JsValue::UNDEFINED)
        })
    }

    #[wasm_bindgen(getter, js_name = maxTextureSize)]
    pub fn max_texture_size(&self) -> u32 {
        self.gpu.max_texture_size()
    }

    /// Returns which block-compressed pictures the device can read: bit 0 for BC, bit 1 for ETC2, bit 2 for ASTC.
    #[wasm_bindgen(getter, js_name = blockFeatures)]
    pub fn block_features(&self) -> u32 {
        self.gpu.block_features()
    }

    /// Returns whether some player on this device draws the model already. Showing it again then needs no images.
    pub fn holds(&self, model: &ModelHandle) -> bool {
        self.gpu.find_model(model.rig.model()).is_some()
    }
}

impl GpuHandle {
    pub(super) fn renderer(&self, canvas: JsValue, width: u32, height: u32) -> Result<Renderer, JsValue> {
        let held = self.surface.borrow_mut().take();
        let surface = held.map_or_else(|| create_surface(&self.instance, canvas), Ok)?;
        Ok(Renderer::new(&self.gpu, surface, width, height)?)
    }
}

/// Returns an instance for wgpu's own backends.
#[cfg(not(feature = "webgl"))]
fn instance_for(_: Option<&JsValue>) -> Result<wgpu::Instance, RenderError> {
    Ok(instance(TIER))
}

/// Returns an instance for the canvas, whose context it creates.
#[cfg(feature = "webgl")]
fn instance_for(canvas: Option<&JsValue>) -> Result<wgpu::Instance, RenderError> {
    canvas.and_then(crate::webgl::instance).ok_or(RenderError::NoSurface)
}

fn create_surface(instance: &wgpu::Instance, canvas: JsValue) -> Result<wgpu::Surface<'static>, JsValue> {
    let target = match canvas.dyn_into::<HtmlCanvasElement>() {
        Ok(canvas) => wgpu::SurfaceTarget::Canvas(canvas),
        Err(other) => wgpu::SurfaceTarget::OffscreenCanvas(other.unchecked_into::<OffscreenCanvas>()),
    };
    let surface = instance.create_surface(target);
    Ok(surface.map_err(|_| RenderError::NoSurface)?)
}
