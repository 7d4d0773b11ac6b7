use super::pipelines::Pipelines;
use super::shadow::Shadow;
use super::shared::Shared;
use super::targets::Targets;
use super::textures::{Meaning, Samplers};
use super::{GpuModel, RenderError};
use crate::model::Model;
use std::future::{Future, poll_fn};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Poll, Waker};

/// What a device can do. Nothing else about it is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tier {
    /// Vertex shaders read storage buffers.
    WebGpu,
    /// They read float textures instead.
    WebGl2,
}

impl Tier {
    /// Whether memory must be freed by hand. A browser frees WebGPU's only with its garbage, and doesn't see how much
    /// hangs on a handle; WebGL2's is freed by wgpu once it is dropped, and what is destroyed before is put on a list.
    pub(super) fn drops_late(self) -> bool {
        self == Self::WebGpu
    }
}

/// A device and what all canvases on it share. Cloning is cheap.
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
}

/// Written by the driver's callbacks, read by the next draw.
#[derive(Debug, Default)]
struct Health {
    lost: AtomicBool,
    error: Mutex<Option<String>>,
    /// Of those who wait for the loss.
    wakers: Mutex<Vec<Waker>>,
}

impl Health {
    fn lose(&self) {
        self.lost.store(true, Ordering::Relaxed);
        let wakers = self.wakers.lock().map(|mut wakers| std::mem::take(&mut *wakers));
        wakers.unwrap_or_default().into_iter().for_each(Waker::wake);
    }
}

/// The entry to the tier's API.
pub fn instance(tier: Tier) -> wgpu::Instance {
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
    descriptor.backends = match tier {
        Tier::WebGpu => wgpu::Backends::all() - wgpu::Backends::GL,
        Tier::WebGl2 => wgpu::Backends::GL,
    };
    // WebGL never lets a page wait for a fence, so reading back would never end; the copy itself waits instead.
    descriptor.backend_options.gl.fence_behavior = wgpu::GlFenceBehavior::AutoFinish;
    wgpu::Instance::new(descriptor)
}

impl Gpu {
    /// WebGL2 needs the canvas's surface to find a device at all; WebGPU must be asked before a canvas is touched.
    ///
    /// # Errors
    /// `NoAdapter` and `NoDevice`, with the browser's reason.
    pub async fn request(
        instance: &wgpu::Instance,
        surface: Option<&wgpu::Surface<'_>>,
    ) -> Result<Self, RenderError> {
        Self::request_as(instance, surface, None).await
    }

    /// Like [`request`](Self::request), on a tier of one's choice: any device can be treated as the lesser one.
    ///
    /// # Errors
    /// As [`request`](Self::request).
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
            required_limits: limits(tier, &adapter.limits()),
            ..wgpu::DeviceDescriptor::default()
        };
        let (device, queue) = adapter
            .request_device(&descriptor)
            .await
            .map_err(|error| RenderError::NoDevice { reason: error.to_string() })?;

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
        };
        Ok(Self { inner: Rc::new(inner) })
    }

    pub fn tier(&self) -> Tier {
        self.inner.tier
    }

    /// Once true, stays true: ask for another `Gpu`.
    pub fn is_lost(&self) -> bool {
        self.inner.health.lost.load(Ordering::Relaxed)
    }

    /// For a loss that only the page hears of, such as WebGL's `webglcontextlost`.
    pub fn mark_lost(&self) {
        self.inner.health.lose();
    }

    /// Waits for the loss. Keeps nothing of the device alive.
    pub fn lost(&self) -> impl Future<Output = ()> + use<> {
        let health = Arc::clone(&self.inner.health);
        poll_fn(move |context| {
            if let Ok(mut wakers) = health.wakers.lock() {
                wakers.push(context.waker().clone());
            }
            if health.lost.load(Ordering::Relaxed) { Poll::Ready(()) } else { Poll::Pending }
        })
    }

    /// Longest side of an image; larger ones are to be scaled down by whoever decodes them.
    pub fn max_texture_size(&self) -> u32 {
        self.inner.limits.max_texture_dimension_2d
    }

    /// The copy of this very model that another canvas of the device draws already.
    pub fn find_model(&self, model: &Arc<Model>) -> Option<Rc<GpuModel>> {
        self.inner.models.find(|held| held.is_of(model))
    }

    /// Others find it from now on, for as long as someone holds it.
    pub fn share_model(&self, model: GpuModel) -> Rc<GpuModel> {
        self.inner.models.add(model)
    }

    pub(super) fn targets(&self) -> &Shared<Targets> {
        &self.inner.targets
    }

    pub(super) fn shadows(&self) -> &Shared<Shadow> {
        &self.inner.shadows
    }

    pub(super) fn device(&self) -> &wgpu::Device {
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

    pub(super) fn pipelines(&self) -> &Pipelines {
        &self.inner.pipelines
    }

    pub(super) fn sampler(&self, texture: &crate::model::Texture) -> wgpu::Sampler {
        self.inner.samplers.get(&self.inner.device, texture)
    }

    /// One pixel that changes nothing, where no image is set.
    pub(super) fn stand_in(&self, meaning: Meaning) -> &wgpu::TextureView {
        match meaning {
            Meaning::Color | Meaning::Data => &self.inner.white,
            Meaning::Normal => &self.inner.flat_normal,
        }
    }

    /// Whatever the driver complained of since the last call.
    ///
    /// # Errors
    /// `DeviceLost`, or `Driver` with the first complaint.
    pub(super) fn check_health(&self) -> Result<(), RenderError> {
        if self.is_lost() {
            return Err(RenderError::DeviceLost);
        }
        let complaint = self.inner.health.error.lock().ok().and_then(|mut first| first.take());
        complaint.map_or(Ok(()), |reason| Err(RenderError::Driver { reason }))
    }
}

/// The least that serves: the tier's defaults, raised only where size is the user's matter.
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
