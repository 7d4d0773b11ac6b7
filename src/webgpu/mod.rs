//! A backend of wgpu for WebGPU, with as much of wgpu's interface as `render` uses.
//!
//! - Descriptors are made by JavaScript (`calls.js`), from numbers, texts and objects.
//! - Nothing is validated here. Browsers do that.
//! - Objects have no labels.
//! - Ranges of buffers that passes read are whole buffers.

mod bindings;
mod buffer;
mod calls;
mod device;
mod encoder;
mod events;
mod formats;
mod object;
mod pass;
mod pipeline;
mod queue;
mod surface;

use crate::backend::{Adapter, Instance, ours};
use js_sys::Promise;
use wasm_bindgen::{JsCast, JsValue};
use wgpu::custom::DispatchSurface;

/// Returns what wgpu has for a `GPUDevice`, or an error if the value is the reason why there is none.
pub(crate) fn open(device: JsValue) -> Option<Result<Opened, String>> {
    if let Some(reason) = device.as_string() {
        return Some(Err(reason));
    }
    let device: calls::Handle = device.unchecked_into();
    let events = events::Events::of(&device);
    Some(Ok((
        wgpu::Adapter::from_custom(Adapter),
        wgpu::Device::from_custom(device::Device::new(device.clone(), &events)),
        wgpu::Queue::from_custom(queue::Queue::new(device.queue(), &events)),
    )))
}

type Opened = (wgpu::Adapter, wgpu::Device, wgpu::Queue);

/// Returns a surface on a canvas, or `None` if it has a context of another kind.
pub(crate) fn surface(_: &wgpu::Device, canvas: JsValue) -> Option<wgpu::Surface<'static>> {
    let context = calls::context_of(&canvas)?;
    let surface = DispatchSurface::custom(surface::Surface::new(context));
    let instance = wgpu::Instance::from_custom(Instance(surface));
    // wgpu only passes the target on, which is ignored.
    instance.create_surface(wgpu::SurfaceTarget::OffscreenCanvas(canvas.unchecked_into())).ok()
}

/// Returns a promise that resolves when the device is lost.
pub(crate) fn lost(device: &wgpu::Device) -> Option<Promise> {
    Some(ours(device.as_custom::<device::Device>()).lost())
}

/// Returns a promise of whether the picture that was drawn in this task is blank.
pub(crate) fn is_blank(surface: &wgpu::Surface<'_>) -> Option<Promise> {
    ours(surface.as_custom::<surface::Surface>()).is_blank()
}
