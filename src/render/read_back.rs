//! Copying pixels from the GPU to memory.

use super::{Gpu, RenderError};
use std::future::{Future, poll_fn};
use std::sync::{Arc, Mutex};
use std::task::{Poll, Waker};

/// Alignment in bytes of the rows of a copied texture.
const ROW_ALIGNMENT: u32 = wgpu::COPY_BYTES_PER_ROW_ALIGNMENT;

/// A copy of a texture to a buffer: recorded first, then awaited after the commands are submitted.
#[derive(Debug)]
pub(super) struct PixelCopy {
    buffer: wgpu::Buffer,
    bytes_per_row: u32,
    padded_bytes_per_row: u32,
}

impl PixelCopy {
    /// Records a copy of a texture.
    pub(super) fn record(gpu: &Gpu, encoder: &mut wgpu::CommandEncoder, texture: &wgpu::Texture) -> Self {
        let bytes_per_row = texture.width() * texture.format().block_copy_size(None).unwrap_or(4);
        let padded_bytes_per_row = bytes_per_row.next_multiple_of(ROW_ALIGNMENT);
        let buffer = gpu.device().create_buffer(&wgpu::BufferDescriptor {
            label: Some("read back"),
            size: u64::from(padded_bytes_per_row) * u64::from(texture.height()),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        let destination = wgpu::TexelCopyBufferInfo {
            buffer: &buffer,
            layout: wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(padded_bytes_per_row),
                rows_per_image: None,
            },
        };
        encoder.copy_texture_to_buffer(texture.as_image_copy(), destination, texture.size());
        Self { buffer, bytes_per_row, padded_bytes_per_row }
    }

    /// Returns a future that resolves to the pixels, without padding between rows. It borrows nothing, so drawing can
    /// continue.
    pub(super) fn finish(self, gpu: &Gpu) -> impl Future<Output = Result<Vec<u8>, RenderError>> + use<> {
        let state = Arc::new(Mutex::new(MapState::default()));
        let in_callback = Arc::clone(&state);
        self.buffer.map_async(wgpu::MapMode::Read, .., move |result| {
            if let Ok(mut state) = in_callback.lock() {
                state.result = Some(result);
                if let Some(waker) = state.waker.take() {
                    waker.wake();
                }
            }
        });
        // With WebGPU in browsers, `poll` does nothing and the event loop runs the callback. Elsewhere `poll` runs
        // it.
        let polled = gpu.device().poll(wgpu::PollType::wait_indefinitely());
        let needs_destroy = gpu.tier().needs_destroy();
        async move {
            let failed = |reason: String| RenderError::Driver { reason };
            polled.map_err(|error| failed(error.to_string()))?;
            let mapped = poll_fn(|context| match state.lock() {
                Ok(mut state) => match state.result.take() {
                    Some(result) => Poll::Ready(result),
                    None => {
                        state.waker = Some(context.waker().clone());
                        Poll::Pending
                    }
                },
                Err(_) => Poll::Ready(Err(wgpu::BufferAsyncError)),
            });
            mapped.await.map_err(|error| failed(error.to_string()))?;
            let view = self.buffer.get_mapped_range(..).map_err(|error| failed(error.to_string()))?;
            let mut pixels = Vec::new();
            for row in view.chunks_exact(self.padded_bytes_per_row as usize) {
                pixels.extend_from_slice(&row[..self.bytes_per_row as usize]);
            }
            drop(view);
            if needs_destroy {
                self.buffer.destroy();
            }
            Ok(pixels)
        }
    }
}

#[derive(Debug, Default)]
struct MapState {
    result: Option<Result<(), wgpu::BufferAsyncError>>,
    waker: Option<Waker>,
}
