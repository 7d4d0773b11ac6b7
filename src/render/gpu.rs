use super::environment::GpuEnvironment;
use super::pipelines::Pipelines;
use super::shadow::Shadow;
use super::shared::Shared;
use super::targets::Targets;
use super::textures::Samplers;
use super::{GpuModel, RenderError};
use crate::model::{Model, TextureUsage};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

/// The feature level of a device. Of other optional features, the renderer uses only formats of textures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tier {
    /// Vertex shaders read storage buffers.
    WebGpu,
    /// Vertex shaders read float textures, for lack of storage buffers.
    WebGl2,
}

impl Tier {
    /// The tier of a build that has one alone. What the other needs is left out of it.
    const ONLY: Option<Self> =
        match (cfg!(target_arch = "wasm32"), cfg!(feature = "webgpu"), cfg!(feature = "webgl")) {
            (true, true, false) => Some(Self::WebGpu),
            (true, false, true) => Some(Self::WebGl2),
            _ => None,
        };

    /// Returns the tier, which a build that has one alone knows when it is compiled.
    pub(super) fn known(self) -> Self {
        Self::ONLY.unwrap_or(self)
    }

    /// Returns whether GPU memory must be freed explicitly.
    ///
    /// Browsers free WebGPU resources by garbage collection, which doesn't take their size into account. With WebGL2,
    /// wgpu frees resources when they are dropped, and destroying them earlier would only add them to a list.
    pub(super) fn needs_destroy(self) -> bool {
        self.known() == Self::WebGpu
    }
}

/// A device with the resources that all its canvases share. Clones share the device.
#[derive(Clone, Debug)]
pub struct Gpu {
    inner: Rc<GpuInner>,
}

#[derive(Debug)]
struct GpuInner {
    adapter: wgpu::Adapter,
    device: wgpu::Device,
    queue: wgpu::Queue,
    tier: Tier,
    limits: wgpu::Limits,
    health: Arc<Health>,
    pipelines: Pipelines,
    samplers: Samplers,
    white: wgpu::TextureView,
    flat_normal: wgpu::TextureView,
    models: Shared<GpuModel>,
    targets: Shared<Targets>,
    shadows: Shared<Shadow>,
    environments: Shared<GpuEnvironment>,
}

/// State that the device's callbacks set and that the next draw reads.
#[derive(Debug, Default)]
struct Health {
    lost: AtomicBool,
    error: Mutex<Option<String>>,
}

impl Health {
    fn lose(&self) {
        self.lost.store(true, Ordering::Relaxed);
    }
}

/// Creates the wgpu instance for a tier.
pub fn instance(tier: Tier) -> wgpu::Instance {
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
    descriptor.backends = match tier {
        Tier::WebGpu => wgpu::Backends::all() - wgpu::Backends::GL,
        Tier::WebGl2 => wgpu::Backends::GL,
    };
    // WebGL pages can't block on a fence, so reading back would never complete. With `AutoFinish`, mapping a buffer
    // blocks instead.
    descriptor.backend_options.gl.fence_behavior = wgpu::GlFenceBehavior::AutoFinish;
    wgpu::Instance::new(descriptor)
}

/// The feature of a device with WebGL2 that can draw floats. With WebGPU, every device can.
const FLOAT_TARGETS: wgpu::Features = wgpu::Features::TEXTURE_ADAPTER_SPECIFIC_FORMAT_FEATURES;

impl Gpu {
    /// Requests a device. WebGL2 needs the canvas's surface to find one. For WebGPU, a device is requested before a
    /// canvas gets a context, and `surface` is `None`.
    ///
    /// # Errors
    /// `NoAdapter` and `NoDevice`, with the browser's reason.
    pub async fn request(
        instance: &wgpu::Instance,
        surface: Option<&wgpu::Surface<'_>>,
    ) -> Result<Self, RenderError> {
        Self::request_as(instance, surface, None).await
    }

    /// Requests a device like [`request`](Self::request), for a given tier. Every device can be used as
    /// [`Tier::WebGl2`].
    ///
    /// # Errors
    /// The errors of [`request`](Self::request).
    pub async fn request_as(
        instance: &wgpu::Instance,
        surface: Option<&wgpu::Surface<'_>>,
        tier: Option<Tier>,
    ) -> Result<Self, RenderError> {
        let options = wgpu::RequestAdapterOptions {
            compatible_surface: surface,
            ..wgpu::RequestAdapterOptions::default()
        };
        let adapter = instance
            .request_adapter(&options)
            .await
            .map_err(|error| RenderError::NoAdapter { reason: error.to_string() })?;
        let tier = tier.unwrap_or(match adapter.get_info().backend {
            wgpu::Backend::Gl => Tier::WebGl2,
            _ => Tier::WebGpu,
        });
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("gambol"),
            // Whatever the adapter offers of these: pictures in blocks are optional.
            required_features: adapter.features() & (super::blocks::FEATURES | FLOAT_TARGETS),
            required_limits: limits(tier, &adapter.limits()),
            ..wgpu::DeviceDescriptor::default()
        };
        let (device, queue) = adapter
            .request_device(&descriptor)
            .await
            .map_err(|error| RenderError::NoDevice { reason: error.to_string() })?;
        Ok(Self::new(adapter, device, queue, tier))
    }

    /// Creates what canvases of a device share.
    pub fn new(adapter: wgpu::Adapter, device: wgpu::Device, queue: wgpu::Queue, tier: Tier) -> Self {
        let health = Arc::new(Health::default());
        let told_lost = Arc::clone(&health);
        device.set_device_lost_callback(move |_, _| told_lost.lose());
        let told_error = Arc::clone(&health);
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            if let Ok(mut first) = told_error.error.lock() {
                first.get_or_insert_with(|| error.to_string());
            }
        }));

        let pipelines = Pipelines::new(&device, tier);
        let white = super::textures::one_pixel(&device, &queue, [255; 4]);
        let flat_normal = super::textures::one_pixel(&device, &queue, [128, 128, 255, 255]);
        let limits = device.limits();
        let samplers = Samplers::default();
        let inner = GpuInner {
            adapter,
            device,
            queue,
            tier,
            limits,
            health,
            pipelines,
            samplers,
            white,
            flat_normal,
            models: Shared::default(),
            targets: Shared::default(),
            shadows: Shared::default(),
            environments: Shared::default(),
        };
        Self { inner: Rc::new(inner) }
    }

    pub fn tier(&self) -> Tier {
        self.inner.tier.known()
    }

    /// Returns whether passes can draw floats.
    pub(super) fn draws_floats(&self) -> bool {
        self.tier() == Tier::WebGpu || self.device().features().contains(FLOAT_TARGETS)
    }

    /// Returns whether the device was lost. A lost device can't recover, so another `Gpu` must be requested.
    pub fn is_lost(&self) -> bool {
        self.inner.health.lost.load(Ordering::Relaxed)
    }

    /// Marks the device as lost, for a loss that only the page is notified of, such as WebGL's `webglcontextlost`
    /// event.
    pub fn mark_lost(&self) {
        self.inner.health.lose();
    }

    /// Returns the largest side of a texture in pixels. Callers must scale larger images down.
    pub fn max_texture_size(&self) -> u32 {
        self.inner.limits.max_texture_dimension_2d
    }

    /// Returns which block-compressed formats the device can read: bit 0 for BC, bit 1 for ETC2, bit 2 for ASTC.
    pub fn block_features(&self) -> u32 {
        super::blocks::supported(self.device().features())
    }

    /// Does without what takes a GPU in software long: anisotropic filtering, in models that are uploaded from now on.
    pub fn draw_in_software(&self) {
        self.inner.samplers.are_isotropic.set(true);
    }

    /// Returns the copy of the model that another canvas of the device draws already. Models are compared by pointer.
    pub fn find_model(&self, model: &Arc<Model>) -> Option<Rc<GpuModel>> {
        self.inner.models.find(|held| held.is_of(model))
    }

    /// Shares a copy of a model: [`find_model`](Self::find_model) returns it until all its users have dropped it.
    pub fn share_model(&self, model: GpuModel) -> Rc<GpuModel> {
        self.inner.models.add(model)
    }

    pub(super) fn targets(&self) -> &Shared<Targets> {
        &self.inner.targets
    }

    pub(super) fn shadows(&self) -> &Shared<Shadow> {
        &self.inner.shadows
    }

    pub(super) fn environments(&self) -> &Shared<GpuEnvironment> {
        &self.inner.environments
    }

    pub fn device(&self) -> &wgpu::Device {
        &self.inner.device
    }

    pub(super) fn queue(&self) -> &wgpu::Queue {
        &self.inner.queue
    }

    pub(super) fn adapter(&self) -> &wgpu::Adapter {
        &self.inner.adapter
    }

    pub(super) fn limits(&self) -> &wgpu::Limits {
        &self.inner.limits
    }

    /// Returns whether two are the same device.
    pub(super) fn is(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.inner, &other.inner)
    }

    pub(super) fn pipelines(&self) -> &Pipelines {
        &self.inner.pipelines
    }

    pub(super) fn sampler(&self, texture: &crate::model::Texture) -> wgpu::Sampler {
        self.inner.samplers.get(&self.inner.device, texture)
    }

    /// Returns a texture of one neutral pixel, for a slot without an image.
    pub(super) fn neutral_pixel(&self, usage: TextureUsage) -> &wgpu::TextureView {
        match usage {
            TextureUsage::Color | TextureUsage::Data => &self.inner.white,
            TextureUsage::Normal => &self.inner.flat_normal,
        }
    }

    /// Returns an error if the device was lost or reported an error since the last call.
    ///
    /// # Errors
    /// `DeviceLost`, or `Driver` with the first reported error.
    pub(super) fn check_health(&self) -> Result<(), RenderError> {
        if self.is_lost() {
            return Err(RenderError::DeviceLost);
        }
        let complaint = self.inner.health.error.lock().ok().and_then(|mut first| first.take());
        complaint.map_or(Ok(()), |reason| Err(RenderError::Driver { reason }))
    }
}

/// Returns the limits to request: the tier's defaults, raised to the adapter's where the model or the canvas
/// determines the size.
fn limits(tier: Tier, offered: &wgpu::Limits) -> wgpu::Limits {
    match tier {
        Tier::WebGl2 => wgpu::Limits::downlevel_webgl2_defaults().using_resolution(offered.clone()),
        Tier::WebGpu => wgpu::Limits {
            max_texture_dimension_2d: offered.max_texture_dimension_2d,
            max_buffer_size: offered.max_buffer_size,
            max_storage_buffer_binding_size: offered.max_storage_buffer_binding_size,
            ..wgpu::Limits::default()
        },
    }
}
