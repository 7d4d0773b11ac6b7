use super::gpu_data::LineData;
use super::pipeline_keys::PipelineKey;
use super::{Gpu, LineVertex};

/// The overlay's lines on the GPU. The buffer only grows.
#[derive(Debug, Default)]
pub(super) struct Lines {
    buffer: Option<wgpu::Buffer>,
    data: Vec<LineData>,
}

impl Lines {
    pub(super) fn write(&mut self, gpu: &Gpu, lines: &[LineVertex]) {
        self.data.clear();
        self.data.extend(lines.chunks_exact(2).map(|ends| LineData {
            start_in_world: ends[0].position_in_world.to_array(),
            start_color: ends[0].color.to_array(),
            end_in_world: ends[1].position_in_world.to_array(),
            end_color: ends[1].color.to_array(),
        }));
        if self.data.is_empty() {
            return;
        }
        let bytes: &[u8] = bytemuck::cast_slice(&self.data);
        let buffer = match &mut self.buffer {
            Some(buffer) if buffer.size() >= bytes.len() as u64 => buffer,
            held => held.insert(gpu.device().create_buffer(&wgpu::BufferDescriptor {
                label: Some("lines"),
                size: bytes.len().next_power_of_two() as u64,
                usage: wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })),
        };
        gpu.queue().write_buffer(buffer, 0, bytes);
    }

    pub(super) fn destroy(&self) {
        if let Some(buffer) = &self.buffer {
            buffer.destroy();
        }
    }

    pub(super) fn byte_count(&self) -> u64 {
        self.buffer.as_ref().map_or(0, wgpu::Buffer::size)
    }

    /// Draws the lines that were written last. Returns false if there are none.
    pub(super) fn draw(
        &self,
        gpu: &Gpu,
        pass: &mut wgpu::RenderPass<'_>,
        format: wgpu::TextureFormat,
        samples: u32,
    ) -> bool {
        let Some(buffer) = self.buffer.as_ref().filter(|_| !self.data.is_empty()) else { return false };
        pass.set_pipeline(&gpu.pipelines().get(gpu.device(), PipelineKey::Lines(format, samples)));
        pass.set_vertex_buffer(0, buffer.slice(..));
        pass.draw(0..4, 0..self.data.len() as u32);
        true
    }
}
