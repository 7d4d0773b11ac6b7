//! Pictures and vertices that are read rather than shown.

use super::gpu_data::READ_BACK_WIDTH;
use super::pipelines::{DRAW_STRIDE, PipelineKey, READ_BACK_FORMAT, color_pass};
use super::read_back::PixelCopy;
use super::rows::Rows;
use super::{Frame, Gpu, GpuModel, RenderError, Renderer};
use glam::{Vec3, Vec4};
use std::future::Future;

impl Renderer {
    /// Draws a picture of any size and gives its pixels: RGBA, sRGB-encoded, alpha not premultiplied, top row first.
    ///
    /// All drawing is done when this returns; the future only waits for the pixels.
    ///
    /// # Errors
    /// As [`draw`](Self::draw), and `TooLarge` beyond [`Gpu::max_texture_size`].
    pub fn capture(
        &mut self,
        frame: &Frame<'_>,
        width: u32,
        height: u32,
    ) -> impl Future<Output = Result<Vec<u8>, RenderError>> + use<> {
        let copied = self.record_capture(frame, width, height);
        let swapped = matches!(self.format, wgpu::TextureFormat::Bgra8Unorm);
        async move {
            let mut pixels = copied?.await?;
            for pixel in pixels.chunks_exact_mut(4) {
                if swapped {
                    pixel.swap(0, 2);
                }
                divide_by_alpha(pixel);
            }
            Ok(pixels)
        }
    }

    fn record_capture(
        &mut self,
        frame: &Frame<'_>,
        width: u32,
        height: u32,
    ) -> Result<impl Future<Output = Result<Vec<u8>, RenderError>> + use<>, RenderError> {
        self.gpu.check_health()?;
        let limit = self.gpu.max_texture_size();
        let (width, height) = (width.clamp(1, limit), height.clamp(1, limit));
        let texture = read_target(&self.gpu, self.format, width, height);
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        let mut encoder = self.encoder();
        self.record(&mut encoder, &view, width, height, frame)?;
        let copy = PixelCopy::record(&self.gpu, &mut encoder, &texture);
        self.gpu.queue().submit([encoder.finish()]);
        Ok(copy.finish(&self.gpu))
    }

    /// Where the vertex shader puts the vertices of a primitive, in the model's space, vertex after vertex: what
    /// `animation::reference_skin` works out on the CPU. `rows` are those of one character.
    ///
    /// # Errors
    /// `NoSuch` drawable or primitive.
    pub fn read_positions(
        &self,
        model: &GpuModel,
        drawable: usize,
        primitive: usize,
        rows: &[Vec4],
    ) -> impl Future<Output = Result<Vec<Vec3>, RenderError>> + use<> {
        let recorded = self.record_read_positions(model, drawable, primitive, rows);
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
    ) -> Result<(usize, impl Future<Output = Result<Vec<u8>, RenderError>> + use<>), RenderError> {
        let gpu = &self.gpu;
        gpu.check_health()?;
        let draw = model.find_draw(drawable, primitive)?;
        let primitive = model.primitive(&model.draws[draw]);
        let height = primitive.vertex_count.div_ceil(READ_BACK_WIDTH).max(1);
        let limit = gpu.max_texture_size();
        if height > limit {
            let (needed, limit) = (u64::from(height), u64::from(limit));
            return Err(RenderError::TooLarge { what: "reading vertices back", needed, limit });
        }

        let character_rows = Rows::new(gpu, "rows to read back", rows.len())?;
        character_rows.write(gpu, rows);
        let texture = read_target(gpu, READ_BACK_FORMAT, READ_BACK_WIDTH, height);
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        let mut encoder = self.encoder();
        let mut pass = color_pass(&mut encoder, "read back", &view, wgpu::Color::TRANSPARENT);
        pass.set_pipeline(&gpu.pipelines().get(gpu.device(), PipelineKey::ReadBack));
        pass.set_bind_group(0, &self.bind_rows(&character_rows), &[]);
        pass.set_bind_group(1, &model.bind_group, &[(draw * DRAW_STRIDE) as u32]);
        pass.set_vertex_buffer(0, primitive.vertices.slice(..));
        pass.draw(0..primitive.vertex_count, 0..1);
        drop(pass);
        let copy = PixelCopy::record(gpu, &mut encoder, &texture);
        gpu.queue().submit([encoder.finish()]);
        Ok((primitive.vertex_count as usize, copy.finish(gpu)))
    }
}

fn read_target(gpu: &Gpu, format: wgpu::TextureFormat, width: u32, height: u32) -> wgpu::Texture {
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

/// What image files and `ImageData` expect.
fn divide_by_alpha(pixel: &mut [u8]) {
    let alpha = u32::from(pixel[3]);
    if alpha == 0 || alpha == 255 {
        return;
    }
    for channel in &mut pixel[..3] {
        *channel = ((u32::from(*channel) * 255 + alpha / 2) / alpha).min(255) as u8;
    }
}
