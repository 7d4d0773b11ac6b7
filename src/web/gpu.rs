pub(super) use self::backend::is_blank;
use super::model::ModelHandle;
#[cfg(feature = "reference")]
use super::reference as backend;
#[cfg(not(feature = "reference"))]
use crate::render::Tier;
use crate::render::{Gpu, RenderError, Renderer};
#[cfg(all(feature = "webgl", not(feature = "reference")))]
use crate::webgl as backend;
#[cfg(not(any(feature = "webgl", feature = "reference")))]
use crate::webgpu as backend;
use js_sys::Promise;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// A GPU device. With WebGPU it draws to every canvas of the page, with WebGL2 only to the one it was requested for.
#[wasm_bindgen]
#[derive(Debug)]
pub struct GpuHandle {
    pub(super) gpu: Gpu,
    #[cfg(feature = "reference")]
    pub(super) surfaces: backend::Surfaces,
}

/// Opens a GPU. With WebGL2, it is that of a canvas, whose context is created. With WebGPU, `of` is a `GPUDevice`, or a
/// text with the reason why there is none.
#[cfg(not(feature = "reference"))]
#[wasm_bindgen(js_name = requestGpu)]
pub fn request_gpu(of: JsValue) -> Result<GpuHandle, JsValue> {
    let opened = backend::open(of).ok_or(RenderError::NoSurface)?;
    let (adapter, device, queue) = opened.map_err(|reason| RenderError::NoDevice { reason })?;
    let tier = if cfg!(feature = "webgl") { Tier::WebGl2 } else { Tier::WebGpu };
    Ok(GpuHandle { gpu: Gpu::new(adapter, device, queue, tier) })
}

#[wasm_bindgen]
impl GpuHandle {
    #[wasm_bindgen(getter)]
    pub fn lost(&self) -> bool {
        self.gpu.is_lost()
    }

    /// Returns a promise that is resolved when the device is lost. Undefined with WebGL2, whose canvases have events.
    #[wasm_bindgen(js_name = whenLost)]
    pub fn when_lost(&self) -> Option<Promise> {
        backend::lost(self.gpu.device())
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

    /// Tells that the CPU does the work of the GPU.
    #[wasm_bindgen(js_name = drawInSoftware)]
    pub fn draw_in_software(&self) {
        self.gpu.draw_in_software();
    }

    /// Returns whether some player on this device draws the model already. Showing it again then needs no images.
    pub fn holds(&self, model: &ModelHandle) -> bool {
        self.gpu.find_model(model.rig.model()).is_some()
    }
}

impl GpuHandle {
    pub(super) fn renderer(&self, canvas: JsValue, width: u32, height: u32) -> Result<Renderer, JsValue> {
        #[cfg(feature = "reference")]
        let surface = self.surfaces.surface(canvas);
        #[cfg(not(feature = "reference"))]
        let surface = backend::surface(self.gpu.device(), canvas);
        Ok(Renderer::new(&self.gpu, surface.ok_or(RenderError::NoSurface)?, width, height)?)
    }
}
