use super::gpu_data::ROW_TEXTURE_WIDTH;
use super::{Gpu, RenderError, Tier};
use glam::Vec4;

/// Rows of four floats that vertex shaders fetch by index: a storage buffer, or a float texture on WebGL2.
#[derive(Debug)]
pub(super) struct Rows {
    store: Store,
    capacity: usize,
}

#[derive(Debug)]
enum Store {
    Buffer(wgpu::Buffer),
    Texture { texture: wgpu::Texture, view: wgpu::TextureView },
}

impl Rows {
    /// Creates a buffer or texture with room for at least `count` rows.
    ///
    /// # Errors
    /// `TooLarge` if the rows exceed the device's limits for one binding.
    pub(super) fn new(gpu: &Gpu, label: &'static str, count: usize) -> Result<Self, RenderError> {
        Self::with_usage(gpu, label, count, wgpu::TextureUsages::COPY_DST)
    }

    /// Creates a buffer, or a texture that passes can draw to.
    ///
    /// # Errors
    /// The errors of [`new`](Self::new).
    pub(super) fn drawn(gpu: &Gpu, label: &'static str, count: usize) -> Result<Self, RenderError> {
        Self::with_usage(
            gpu,
            label,
            count,
            wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
        )
    }

    fn with_usage(
        gpu: &Gpu,
        label: &'static str,
        count: usize,
        usage: wgpu::TextureUsages,
    ) -> Result<Self, RenderError> {
        let limits = gpu.limits();
        match gpu.tier() {
            Tier::WebGpu => {
                let capacity = count.max(1);
                let needed = (capacity * size_of::<Vec4>()) as u64;
                let limit = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size);
                if needed > limit {
                    return Err(RenderError::TooLarge { what: label, needed, limit });
                }
                let buffer = gpu.device().create_buffer(&wgpu::BufferDescriptor {
                    label: Some(label),
                    size: needed,
                    usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST,
                    mapped_at_creation: false,
                });
                Ok(Self { store: Store::Buffer(buffer), capacity })
            }
            Tier::WebGl2 => {
                let height = count.div_ceil(ROW_TEXTURE_WIDTH).max(1);
                let limit = u64::from(limits.max_texture_dimension_2d);
                if height as u64 > limit {
                    return Err(RenderError::TooLarge { what: label, needed: height as u64, limit });
                }
                let texture = gpu.device().create_texture(&wgpu::TextureDescriptor {
                    label: Some(label),
                    size: extent(ROW_TEXTURE_WIDTH, height),
                    mip_level_count: 1,
                    sample_count: 1,
                    dimension: wgpu::TextureDimension::D2,
                    format: wgpu::TextureFormat::Rgba32Float,
                    usage: wgpu::TextureUsages::TEXTURE_BINDING | usage,
                    view_formats: &[],
                });
                let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
                Ok(Self { store: Store::Texture { texture, view }, capacity: height * ROW_TEXTURE_WIDTH })
            }
        }
    }

    /// Frees the memory immediately: see [`Tier::needs_destroy`].
    pub(super) fn destroy(&self) {
        match &self.store {
            Store::Buffer(buffer) => buffer.destroy(),
            Store::Texture { texture, .. } => texture.destroy(),
        }
    }

    pub(super) fn capacity(&self) -> usize {
        self.capacity
    }

    pub(super) fn byte_count(&self) -> u64 {
        (self.capacity * size_of::<Vec4>()) as u64
    }

    /// Returns the texture, if the rows are in one.
    pub(super) fn target(&self) -> Option<(&wgpu::Texture, &wgpu::TextureView)> {
        match &self.store {
            Store::Buffer(_) => None,
            Store::Texture { texture, view } => Some((texture, view)),
        }
    }

    /// Returns the buffer, if the rows are in one.
    pub(super) fn buffer(&self) -> Option<&wgpu::Buffer> {
        match &self.store {
            Store::Buffer(buffer) => Some(buffer),
            Store::Texture { .. } => None,
        }
    }

    /// Writes rows, starting with the first one. There must be room for all of them.
    pub(super) fn write(&self, gpu: &Gpu, rows: &[Vec4]) {
        match &self.store {
            Store::Buffer(buffer) => gpu.queue().write_buffer(buffer, 0, bytemuck::cast_slice(rows)),
            Store::Texture { texture, .. } => {
                let (full_lines, rest) = rows.split_at(rows.len() - rows.len() % ROW_TEXTURE_WIDTH);
                let full_line_count = full_lines.len() / ROW_TEXTURE_WIDTH;
                write_lines(gpu, texture, 0, extent(ROW_TEXTURE_WIDTH, full_line_count), full_lines);
                write_lines(gpu, texture, full_line_count, extent(rest.len(), 1), rest);
            }
        }
    }

    pub(super) fn binding(&self) -> wgpu::BindingResource<'_> {
        match &self.store {
            Store::Buffer(buffer) => buffer.as_entire_binding(),
            Store::Texture { view, .. } => wgpu::BindingResource::TextureView(view),
        }
    }

    /// Returns the type of binding for rows in a bind group layout.
    pub(super) fn binding_type(tier: Tier) -> wgpu::BindingType {
        match tier {
            Tier::WebGpu => wgpu::BindingType::Buffer {
                ty: wgpu::BufferBindingType::Storage { read_only: true },
                has_dynamic_offset: false,
                min_binding_size: None,
            },
            Tier::WebGl2 => wgpu::BindingType::Texture {
                sample_type: wgpu::TextureSampleType::Float { filterable: false },
                view_dimension: wgpu::TextureViewDimension::D2,
                multisampled: false,
            },
        }
    }
}

fn extent(width: usize, height: usize) -> wgpu::Extent3d {
    wgpu::Extent3d { width: width as u32, height: height as u32, depth_or_array_layers: 1 }
}

fn write_lines(gpu: &Gpu, texture: &wgpu::Texture, line: usize, size: wgpu::Extent3d, rows: &[Vec4]) {
    if rows.is_empty() {
        return;
    }
    let mut destination = texture.as_image_copy();
    destination.origin.y = line as u32;
    let layout = wgpu::TexelCopyBufferLayout {
        offset: 0,
        bytes_per_row: Some(size.width * size_of::<Vec4>() as u32),
        rows_per_image: None,
    };
    gpu.queue().write_texture(destination, bytemuck::cast_slice(rows), layout, size);
}
