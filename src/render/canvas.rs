//! The canvas of a renderer: its surface, its size, and the pictures that it is given.

use super::pipelines::HIGH_RANGE_FORMAT;
use super::{Gpu, RenderError, Renderer, Tier};
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// A canvas that is drawn to.
#[derive(Debug)]
pub(super) struct Canvas {
    pub(super) surface: wgpu::Surface<'static>,
    configuration: wgpu::SurfaceConfiguration,
}

/// Number of unfinished pictures from which on the GPU counts as behind: one being drawn, one queued, and one whose
/// completion the browser hasn't reported yet.
const MOST_UNFINISHED: u32 = 3;

/// Pictures that were submitted and that the GPU hasn't finished.
#[derive(Debug, Default)]
pub(super) struct Unfinished {
    count: Arc<AtomicU32>,
    /// Whether the next picture is counted.
    counts: Cell<bool>,
}

impl Renderer {
    /// Creates a renderer for a canvas and configures its surface. `width` and `height` are in pixels.
    ///
    /// # Errors
    /// `NoSurface` if the device can't draw to the canvas, or an error of the device.
    pub fn new(
        gpu: &Gpu,
        surface: wgpu::Surface<'static>,
        width: u32,
        height: u32,
    ) -> Result<Self, RenderError> {
        let limit = gpu.max_texture_size();
        let (width, height) = (width.clamp(1, limit), height.clamp(1, limit));
        let configuration = wgpu::SurfaceConfiguration {
            // The copies show whether the picture is blank (`src/webgpu/calls.js`).
            usage: match gpu.tier() {
                Tier::WebGpu => wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
                Tier::WebGl2 => wgpu::TextureUsages::RENDER_ATTACHMENT,
            },
            format: standard_format(gpu, &surface).ok_or(RenderError::NoSurface)?,
            color_space: wgpu::SurfaceColorSpace::Auto,
            width,
            height,
            present_mode: wgpu::PresentMode::Fifo,
            desired_maximum_frame_latency: 2,
            // wgpu doesn't list `PreMultiplied` for WebGPU, but supports it. For WebGL it accepts only the name
            // `Auto`, which is premultiplied there.
            alpha_mode: match gpu.tier() {
                Tier::WebGpu => wgpu::CompositeAlphaMode::PreMultiplied,
                Tier::WebGl2 => wgpu::CompositeAlphaMode::Auto,
            },
            view_formats: Vec::new(),
        };
        surface.configure(gpu.device(), &configuration);
        let format = configuration.format;
        let mut renderer = Self::without_canvas(gpu, width, height, format)?;
        gpu.check_health()?;
        renderer.canvas = Some(Canvas { surface, configuration });
        Ok(renderer)
    }

    /// Sets whether lit materials can be brighter than white. Without effect with WebGL2.
    pub fn set_high_range(&mut self, is_high: bool) {
        let (Some(canvas), Tier::WebGpu) = (&mut self.canvas, self.gpu.tier()) else { return };
        let format =
            if is_high { Some(HIGH_RANGE_FORMAT) } else { standard_format(&self.gpu, &canvas.surface) };
        let Some(format) = format.filter(|format| *format != self.format) else { return };
        canvas.configuration.format = format;
        canvas.configuration.color_space =
            if is_high { wgpu::SurfaceColorSpace::ExtendedSrgb } else { wgpu::SurfaceColorSpace::Auto };
        canvas.surface.configure(self.gpu.device(), &canvas.configuration);
        self.format = format;
        // They have the format of the canvas.
        self.still = None;
        self.behind.clear();
    }

    /// Sets the size of the canvas in pixels, including the canvas element's `width` and `height`.
    pub fn resize(&mut self, width: u32, height: u32) {
        let limit = self.gpu.max_texture_size();
        let (width, height) = (width.clamp(1, limit), height.clamp(1, limit));
        if (width, height) == (self.width, self.height) {
            return;
        }
        (self.width, self.height) = (width, height);
        if let Some(canvas) = &mut self.canvas {
            (canvas.configuration.width, canvas.configuration.height) = (width, height);
            canvas.surface.configure(self.gpu.device(), &canvas.configuration);
        }
    }

    /// Returns the surface of the canvas.
    pub fn surface(&self) -> Option<&wgpu::Surface<'static>> {
        self.canvas.as_ref().map(|canvas| &canvas.surface)
    }

    /// Returns the texture of the canvas to draw to, or `None` if the canvas can't be drawn to at the moment.
    ///
    /// # Errors
    /// `DeviceLost`, `Driver`, or `NoSurface` if the canvas can't be drawn to.
    pub(super) fn canvas_texture(&self) -> Result<Option<wgpu::SurfaceTexture>, RenderError> {
        use wgpu::CurrentSurfaceTexture as Current;
        self.gpu.check_health()?;
        let Some(canvas) = &self.canvas else { return Err(RenderError::NoSurface) };
        let mut current = canvas.surface.get_current_texture();
        if matches!(current, Current::Outdated | Current::Lost) {
            canvas.surface.configure(self.gpu.device(), &canvas.configuration);
            current = canvas.surface.get_current_texture();
        }
        match current {
            Current::Success(texture) | Current::Suboptimal(texture) => Ok(Some(texture)),
            Current::Timeout | Current::Occluded | Current::Outdated => Ok(None),
            Current::Lost | Current::Validation => {
                self.gpu.check_health()?;
                Err(RenderError::NoSurface)
            }
        }
    }

    /// Submits commands that draw to the canvas.
    pub(super) fn present(&self, encoder: wgpu::CommandEncoder, texture: wgpu::SurfaceTexture) {
        self.gpu.queue().submit([encoder.finish()]);
        self.gpu.queue().present(texture);
        self.count_unfinished();
    }

    /// Counts a picture until it is finished. Doesn't count it beyond the limit, or if [`is_behind`](Self::is_behind)
    /// wasn't called before it: the browser's answer takes time of the thread, which a caller that draws regardless
    /// needn't spend.
    fn count_unfinished(&self) {
        // Checking the feature removes the code from the WebGL2 build at compile time.
        let waits = cfg!(feature = "webgl") || self.gpu.tier() != Tier::WebGpu;
        let Unfinished { count, counts } = &self.unfinished;
        if waits || !counts.take() || count.load(Ordering::Relaxed) >= MOST_UNFINISHED {
            return;
        }
        count.fetch_add(1, Ordering::Relaxed);
        let count = Arc::clone(count);
        self.gpu.queue().on_submitted_work_done(move || {
            count.fetch_sub(1, Ordering::Relaxed);
        });
    }

    /// Returns whether the GPU still has so many unfinished pictures that another one would only add latency.
    /// Chromium 156 queues any number of WebGPU pictures. It limits WebGL2 itself, so there this always returns false.
    ///
    /// Only pictures before which this was called are counted.
    pub fn is_behind(&self) -> bool {
        if cfg!(feature = "webgl") {
            return false;
        }
        self.unfinished.counts.set(true);
        let behind = self.unfinished.count.load(Ordering::Relaxed) >= MOST_UNFINISHED;
        if behind {
            // Firefox polls for finished work only ten times a second, and at every submit.
            self.gpu.queue().submit([]);
        }
        behind
    }
}

/// Returns the format of a canvas that shows no more than white. Shaders encode to sRGB themselves on both tiers, so it
/// isn't an sRGB format.
fn standard_format(gpu: &Gpu, surface: &wgpu::Surface<'_>) -> Option<wgpu::TextureFormat> {
    let capabilities = surface.get_capabilities(gpu.adapter());
    capabilities.formats.into_iter().find(|format| !format.is_srgb())
}
