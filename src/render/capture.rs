//! Reading pictures and vertex positions back from the GPU.

use super::gpu_data::READ_BACK_WIDTH;
use super::gpu_model::GpuMaterial;
use super::pipeline_keys::PipelineKey;
use super::pipelines::{DRAW_STRIDE, Detail, HIGH_RANGE_FORMAT, READ_BACK_FORMAT, color_pass};
use super::read_back::PixelCopy;
use super::renderer::{Cast, Prepared};
use super::rows::Rows;
use super::tiles::{TILE_SIDE, Tile, Tiling};
use super::{Backdrop, Frame, Gpu, GpuModel, Guides, Occlusion, RenderError, Renderer, Throngs, Views};
use crate::animation::Skinning;
use glam::{Vec3, Vec4};
use std::future::Future;
use std::rc::Rc;

const BYTES_PER_PIXEL: usize = 4;

impl Renderer {
    /// Draws a picture of any size, tile by tile, and calls `take` for each row of each tile with the byte offset of
    /// the row in the whole picture and the row's pixels.
    ///
    /// Pixels are RGBA, 8 bits a channel, sRGB-encoded, with straight alpha. The picture's top row is first.
    ///
    /// - The first tile is drawn before this function returns, the others while the future is awaited.
    /// - Only one tile is in memory at a time. The canvas's own targets are unaffected.
    ///
    /// # Errors
    /// The future fails with `DeviceLost`, with `TooLarge` for a crowd that exceeds the device's limits, or else with
    /// `CaptureFailed`, for instance when memory is short.
    pub fn capture<Take: FnMut(usize, &[u8])>(
        &self,
        frame: &Frame<'_>,
        width: u32,
        height: u32,
        mut take: Take,
    ) -> impl Future<Output = Result<(), RenderError>> + use<Take> {
        let tiling = Tiling::new(width, height, TILE_SIDE.min(self.gpu.max_texture_size()));
        let mut tiles = tiling.tiles();
        let mut tile = tiles.next().unwrap_or_default();
        let begun = Capture::new(self, frame, tiling).map(|mut capture| {
            let drawn = capture.draw(tile);
            (capture, drawn)
        });
        async move {
            let (mut capture, mut drawn) = begun?;
            loop {
                let mut pixels = drawn.await?;
                for pixel in pixels.chunks_exact_mut(BYTES_PER_PIXEL) {
                    if capture.swapped {
                        pixel.swap(0, 2);
                    }
                    divide_by_alpha(pixel);
                }
                for (from, to, count) in tiling.rows(tile) {
                    let row = &pixels[from * BYTES_PER_PIXEL..][..count * BYTES_PER_PIXEL];
                    take(to * BYTES_PER_PIXEL, row);
                }
                let Some(next) = tiles.next() else { return Ok(()) };
                tile = next;
                drawn = capture.draw(tile);
            }
        }
    }

    /// Reads back the positions that the vertex shader computes for a primitive, in model space and in the order of
    /// the vertices. `animation::reference_skin` computes the same on the CPU. `rows` are those of
    /// one character, and `skinnings` those of [`Actor`](super::Actor).
    ///
    /// # Errors
    /// The future fails with `NoSuch` if there is no such drawable or primitive, `TooLarge` if the primitive has too
    /// many vertices, or with an error of the device.
    pub fn read_positions(
        &self,
        model: &GpuModel,
        drawable: usize,
        primitive: usize,
        rows: &[Vec4],
        skinnings: &[Skinning],
    ) -> impl Future<Output = Result<Vec<Vec3>, RenderError>> + use<> {
        let recorded = self.record_read_positions(model, drawable, primitive, rows, skinnings);
        async move {
            let (vertex_count, bytes) = recorded?;
            let bytes = bytes.await?;
            let positions = bytes.chunks_exact(size_of::<[f32; 4]>()).take(vertex_count);
            Ok(positions
                .map(|bytes| Vec4::from_array(bytemuck::pod_read_unaligned(bytes)).truncate())
                .collect())
        }
    }

    fn record_read_positions(
        &self,
        model: &GpuModel,
        drawable: usize,
        primitive: usize,
        rows: &[Vec4],
        skinnings: &[Skinning],
    ) -> Result<(usize, impl Future<Output = Result<Vec<u8>, RenderError>> + use<>), RenderError> {
        let gpu = &self.gpu;
        gpu.check_health()?;
        let draw = model.find_draw(drawable, primitive)?;
        let parts = model.draws[draw].parts(skinnings);
        let primitive = model.primitive(&model.draws[draw]);
        let height = primitive.vertex_count.div_ceil(READ_BACK_WIDTH).max(1);
        let limit = gpu.max_texture_size();
        if height > limit {
            let (needed, limit) = (u64::from(height), u64::from(limit));
            return Err(RenderError::TooLarge { what: "reading vertices back", needed, limit });
        }

        let character_rows = Rows::new(gpu, "rows to read back", rows.len())?;
        character_rows.write(gpu, rows);
        let texture = texture_to_read(gpu, READ_BACK_FORMAT, READ_BACK_WIDTH, height);
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        let mut encoder = self.encoder();
        let mut pass = color_pass(&mut encoder, "read back", &view, wgpu::Color::TRANSPARENT);
        pass.set_pipeline(&gpu.pipelines().get(gpu.device(), PipelineKey::ReadBack(parts)));
        pass.set_bind_group(0, &self.bind_rows(&character_rows), &[]);
        pass.set_bind_group(1, &model.bind_group, &[(draw * DRAW_STRIDE) as u32]);
        pass.set_vertex_buffer(0, primitive.vertices[0].slice(..));
        pass.draw(0..primitive.vertex_count, 0..1);
        drop(pass);
        let copy = PixelCopy::record(gpu, &mut encoder, &texture);
        gpu.queue().submit([encoder.finish()]);
        Ok((primitive.vertex_count as usize, copy.finish(gpu)))
    }
}

/// A picture that is being captured, with the resources that its tiles need.
struct Capture {
    renderer: Renderer,
    models: Vec<Rc<GpuModel>>,
    /// The materials to draw of each actor, by index. Copied, so that an image that arrives meanwhile is in all tiles
    /// or none. `None` hides the material.
    materials: Vec<Vec<Option<GpuMaterial>>>,
    backdrop: Option<Backdrop>,
    picture: Prepared,
    occlusion: Option<Occlusion>,
    views: Option<Views>,
    guides: Option<Guides>,
    throngs: Option<Throngs>,
    target: wgpu::Texture,
    /// The canvas's format is BGRA, so red and blue must be swapped.
    swapped: bool,
}

impl Capture {
    fn new(canvas: &Renderer, frame: &Frame<'_>, tiling: Tiling) -> Result<Self, RenderError> {
        let gpu = &canvas.gpu;
        // Files of pictures have no more than white.
        let format = match canvas.format {
            HIGH_RANGE_FORMAT => wgpu::TextureFormat::Rgba8Unorm,
            format => format,
        };
        if gpu.is_lost() {
            return Err(RenderError::DeviceLost);
        }
        let (width, height) = (tiling.tile_width, tiling.tile_height);
        let mut renderer = Renderer::without_canvas(gpu, width, height, format)?;
        Ok(Self {
            picture: renderer.prepare(frame, tiling, Detail::Whole)?,
            renderer,
            occlusion: frame.occlusion.cloned(),
            views: frame.views.cloned(),
            guides: frame.guides.cloned(),
            throngs: frame.throngs.cloned(),
            models: frame.actors.iter().map(|actor| actor.model.clone()).collect(),
            materials: (frame.actors.iter())
                .map(|actor| {
                    (0..actor.model.materials.len()).map(|index| actor.material(index).cloned()).collect()
                })
                .collect(),
            backdrop: frame.backdrop.cloned(),
            target: texture_to_read(gpu, format, width, height),
            swapped: format == wgpu::TextureFormat::Bgra8Unorm,
        })
    }

    /// Draws a tile. The future resolves to its pixels.
    fn draw(&mut self, tile: Tile) -> impl Future<Output = Result<Vec<u8>, RenderError>> + use<> {
        let gpu = self.renderer.gpu.clone();
        // Errors belong to this picture. Without error scopes, the canvas's next frame would return them.
        let scopes =
            [wgpu::ErrorFilter::Validation, wgpu::ErrorFilter::Internal, wgpu::ErrorFilter::OutOfMemory]
                .map(|filter| gpu.device().push_error_scope(filter));
        let view = self.target.create_view(&wgpu::TextureViewDescriptor::default());
        let mut encoder = self.renderer.encoder();
        let cast = Cast {
            model: &|actor| self.models.get(actor),
            material: &|actor, index| self.materials.get(actor)?.get(index)?.as_ref(),
            backdrop: self.backdrop.as_ref(),
            occlusion: self.occlusion.as_ref(),
            views: self.views.as_ref(),
            guides: self.guides.as_ref(),
            throngs: self.throngs.as_ref(),
        };
        self.renderer.record(&mut encoder, &view, &cast, &self.picture, tile);
        let copy = PixelCopy::record(&gpu, &mut encoder, &self.target);
        gpu.queue().submit([encoder.finish()]);
        let pixels = copy.finish(&gpu);
        // WebGPU error scopes form a stack: the last one pushed must be popped first.
        let [validation, internal, memory] = scopes;
        let complaints = [memory.pop(), internal.pop(), validation.pop()];
        async move {
            let mut refused = false;
            for complaint in complaints {
                refused |= complaint.await.is_some();
            }
            match pixels.await {
                Ok(pixels) if !refused => Ok(pixels),
                _ if gpu.is_lost() => Err(RenderError::DeviceLost),
                _ => Err(RenderError::CaptureFailed),
            }
        }
    }
}

impl Drop for Capture {
    fn drop(&mut self) {
        if self.renderer.gpu.tier().needs_destroy() {
            self.target.destroy();
        }
    }
}

pub(super) fn texture_to_read(
    gpu: &Gpu,
    format: wgpu::TextureFormat,
    width: u32,
    height: u32,
) -> wgpu::Texture {
    gpu.device().create_texture(&wgpu::TextureDescriptor {
        label: Some("read target"),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
        view_formats: &[],
    })
}

/// Converts a pixel to straight alpha, as image files and `ImageData` require.
fn divide_by_alpha(pixel: &mut [u8]) {
    let alpha = u32::from(pixel[3]);
    if alpha == 0 || alpha == 255 {
        return;
    }
    for channel in &mut pixel[..3] {
        *channel = ((u32::from(*channel) * 255 + alpha / 2) / alpha).min(255) as u8;
    }
}
