use super::blocks::Blocks;
use super::pipeline_keys::PipelineKey;
use super::{Gpu, RenderError};
use crate::model::{Filter, Texture, TextureUsage, Wrap};
use std::cell::{Cell, RefCell};
#[cfg(target_arch = "wasm32")]
use std::rc::Rc;

/// Returns the format of textures for a usage. The sampler decodes colours from sRGB.
pub(super) fn format(usage: TextureUsage) -> wgpu::TextureFormat {
    match usage {
        TextureUsage::Color => wgpu::TextureFormat::Rgba8UnormSrgb,
        TextureUsage::Data | TextureUsage::Normal => wgpu::TextureFormat::Rgba8Unorm,
    }
}

/// Pixels for a texture, top row first, with straight alpha. Those that aren't in blocks are RGBA, 8 bits a channel, as
/// encoded in the image file.
#[derive(Clone, Debug)]
pub enum Picture {
    #[cfg(not(target_arch = "wasm32"))]
    Rgba8 {
        width: u32,
        height: u32,
        pixels: Vec<u8>,
    },
    /// An image decoded by the browser: an `ImageBitmap` created with `premultiplyAlpha: "none"` and
    /// `colorSpaceConversion: "none"`.
    #[cfg(target_arch = "wasm32")]
    External(wgpu::CopyExternalImageSourceInfo),
    /// Pixels in memory of JavaScript.
    #[cfg(target_arch = "wasm32")]
    Pixels(ForeignPixels),
    Blocks(Blocks),
}

/// Pixels outside the memory of the program.
#[cfg(target_arch = "wasm32")]
#[derive(Clone)]
pub struct ForeignPixels {
    pub width: u32,
    pub height: u32,
    /// Whether blue comes first and red third.
    pub is_bgra: bool,
    pub copy: Rc<CopyPixels>,
}

/// Copies the bytes of pixels that begin at an offset.
#[cfg(target_arch = "wasm32")]
type CopyPixels = dyn Fn(u32, &mut [u8]);

#[cfg(target_arch = "wasm32")]
impl std::fmt::Debug for ForeignPixels {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("ForeignPixels").finish_non_exhaustive()
    }
}

#[cfg(target_arch = "wasm32")]
impl ForeignPixels {
    /// Writes the pixels to the first level of a texture, some rows at a time, since wasm memory can't shrink.
    fn write(&self, gpu: &Gpu, texture: &wgpu::Texture) {
        let &Self { width, height, .. } = self;
        let bytes_per_row = width * 4;
        let most_rows = (STRIP_BYTES / bytes_per_row).max(1);
        let mut strip = vec![0; (bytes_per_row * most_rows.min(height)) as usize];
        for y in (0..height).step_by(most_rows as usize) {
            let rows = most_rows.min(height - y);
            strip.truncate((bytes_per_row * rows) as usize);
            (self.copy)(y * bytes_per_row, &mut strip);
            let origin = wgpu::Origin3d { x: 0, y, z: 0 };
            let destination = wgpu::TexelCopyTextureInfo { origin, ..texture.as_image_copy() };
            let size = wgpu::Extent3d { width, height: rows, depth_or_array_layers: 1 };
            write(gpu.queue(), destination, &strip, size);
        }
    }
}

#[cfg(target_arch = "wasm32")]
const STRIP_BYTES: u32 = 1 << 20;

impl Picture {
    /// Checks that the picture has pixels.
    ///
    /// # Errors
    /// `EmptyImage` if a side is 0.
    pub fn check_not_empty(&self) -> Result<(), RenderError> {
        let (width, height) = self.size();
        if width.min(height) > 0 { Ok(()) } else { Err(RenderError::EmptyImage) }
    }

    /// Checks that the picture has pixels and fits into a texture.
    ///
    /// # Errors
    /// `EmptyImage` if a side is 0, and `TooLarge` if a side exceeds [`Gpu::max_texture_size`].
    pub fn check_size(&self, gpu: &Gpu) -> Result<(), RenderError> {
        self.check_not_empty()?;
        let (width, height) = self.size();
        let limit = gpu.max_texture_size();
        let longest = width.max(height);
        if longest <= limit {
            return Ok(());
        }
        let (needed, limit) = (u64::from(longest), u64::from(limit));
        Err(RenderError::TooLarge { what: "an image's longest side", needed, limit })
    }

    /// Returns the bytes that `texture`, which was uploaded from the picture, takes on the GPU.
    pub(super) fn byte_count(&self, texture: &wgpu::Texture) -> u64 {
        match self {
            Self::Blocks(blocks) => blocks.byte_count(),
            _ => byte_count(texture),
        }
    }

    /// Returns the format of a texture of the picture, unless it is in blocks.
    fn format(&self, usage: TextureUsage) -> wgpu::TextureFormat {
        match (self, format(usage)) {
            #[cfg(target_arch = "wasm32")]
            (Self::Pixels(ForeignPixels { is_bgra: true, .. }), wgpu::TextureFormat::Rgba8Unorm) => {
                wgpu::TextureFormat::Bgra8Unorm
            }
            #[cfg(target_arch = "wasm32")]
            (Self::Pixels(ForeignPixels { is_bgra: true, .. }), _) => wgpu::TextureFormat::Bgra8UnormSrgb,
            (_, rgba) => rgba,
        }
    }

    fn size(&self) -> (u32, u32) {
        match self {
            #[cfg(not(target_arch = "wasm32"))]
            Self::Rgba8 { width, height, .. } => (*width, *height),
            #[cfg(target_arch = "wasm32")]
            Self::External(info) => (info.source.width(), info.source.height()),
            #[cfg(target_arch = "wasm32")]
            Self::Pixels(pixels) => (pixels.width, pixels.height),
            Self::Blocks(blocks) => blocks.size(),
        }
    }

    /// Uploads the picture to a new texture. One in blocks has the mip levels that it came with; those of others have
    /// to be filled.
    ///
    /// # Errors
    /// The errors of [`check_size`](Self::check_size), and `WrongPixelCount` if the pixels don't match the size.
    pub(super) fn upload(&self, gpu: &Gpu, usage: TextureUsage) -> Result<wgpu::Texture, RenderError> {
        self.check_size(gpu)?;
        let (width, height) = self.size();
        let size = wgpu::Extent3d { width, height, depth_or_array_layers: 1 };
        let texture = match self {
            Self::Blocks(blocks) => return Ok(blocks.upload(gpu, usage == TextureUsage::Color)),
            // Filling mip levels requires RENDER_ATTACHMENT, and so does copying an `ImageBitmap` (WebGPU:
            // `copyExternalImageToTexture`).
            _ => create(
                gpu.device(),
                self.format(usage),
                size,
                size.width.max(size.height).ilog2() + 1,
                wgpu::TextureUsages::RENDER_ATTACHMENT,
            ),
        };
        match self {
            #[cfg(not(target_arch = "wasm32"))]
            Self::Rgba8 { pixels, .. } => {
                let expected = width as usize * height as usize * 4;
                if pixels.len() != expected {
                    return Err(RenderError::WrongPixelCount { expected, found: pixels.len() });
                }
                write(gpu.queue(), texture.as_image_copy(), pixels, size);
            }
            #[cfg(target_arch = "wasm32")]
            Self::External(info) => {
                let destination = texture.as_image_copy().to_tagged(wgpu::PredefinedColorSpace::Srgb, false);
                gpu.queue().copy_external_image_to_texture(info, destination, size);
                // wgpu's own backend for WebGL2 copies at the next submit, before which the page may close the bitmap.
                gpu.queue().submit([]);
            }
            #[cfg(target_arch = "wasm32")]
            Self::Pixels(pixels) => pixels.write(gpu, &texture),
            Self::Blocks(_) => {}
        }
        Ok(texture)
    }
}

/// Creates a texture for an image.
pub(super) fn create(
    device: &wgpu::Device,
    format: wgpu::TextureFormat,
    size: wgpu::Extent3d,
    mip_level_count: u32,
    usage: wgpu::TextureUsages,
) -> wgpu::Texture {
    device.create_texture(&wgpu::TextureDescriptor {
        label: Some("image"),
        size,
        mip_level_count,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: usage | wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    })
}

/// Writes texels of four bytes.
pub(super) fn write(
    queue: &wgpu::Queue,
    to: wgpu::TexelCopyTextureInfo<'_>,
    texels: &[u8],
    size: wgpu::Extent3d,
) {
    let layout =
        wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(size.width * 4), rows_per_image: None };
    queue.write_texture(to, texels, layout, size);
}

/// Returns a view of one mip level of a texture.
pub(super) fn level(texture: &wgpu::Texture, level: u32) -> wgpu::TextureView {
    texture.create_view(&wgpu::TextureViewDescriptor {
        label: Some("mip level"),
        base_mip_level: level,
        mip_level_count: Some(1),
        ..wgpu::TextureViewDescriptor::default()
    })
}

/// Returns whether the mip levels of an image's texture have to be filled. Those in blocks have theirs.
pub(super) fn needs_mip_levels(texture: &wgpu::Texture) -> bool {
    texture.usage().contains(wgpu::TextureUsages::RENDER_ATTACHMENT)
}

/// Fills every mip level but the first by halving the previous one, if they have to be filled. Returns a view of all.
pub(super) fn with_mip_levels(gpu: &Gpu, texture: &wgpu::Texture) -> wgpu::TextureView {
    if needs_mip_levels(texture) {
        fill_mip_levels(gpu, texture);
    }
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}

fn fill_mip_levels(gpu: &Gpu, texture: &wgpu::Texture) {
    let pipeline = gpu.pipelines().get(gpu.device(), PipelineKey::Halve(texture.format()));
    let mut encoder =
        gpu.device().create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("mip levels") });
    for level in 1..texture.mip_level_count() {
        let source = gpu.pipelines().blit_bind_group(gpu.device(), &self::level(texture, level - 1));
        super::pipelines::blit(
            &mut encoder,
            "mip level",
            &pipeline,
            &[&source],
            &self::level(texture, level),
        );
    }
    gpu.queue().submit([encoder.finish()]);
}

pub(super) fn byte_count(texture: &wgpu::Texture) -> u64 {
    let full = u64::from(texture.width()) * u64::from(texture.height()) * 4;
    // The mip levels add 1/4 + 1/16 + … = 1/3.
    if texture.mip_level_count() > 1 { full * 4 / 3 } else { full }
}

/// Creates a texture of one pixel, for slots without an image.
pub(super) fn one_pixel(device: &wgpu::Device, queue: &wgpu::Queue, pixel: [u8; 4]) -> wgpu::TextureView {
    let size = wgpu::Extent3d { width: 1, height: 1, depth_or_array_layers: 1 };
    let texture = create(device, wgpu::TextureFormat::Rgba8Unorm, size, 1, wgpu::TextureUsages::empty());
    write(queue, texture.as_image_copy(), &pixel, size);
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}

/// Most samples along the longer side of a pixel's footprint in a texture. Surfaces that are seen at a grazing angle
/// stay sharp.
const ANISOTROPY: u16 = 4;

/// Samplers, one for each combination of sampling settings in use.
#[derive(Debug, Default)]
pub(super) struct Samplers {
    made: RefCell<Vec<(Texture, wgpu::Sampler)>>,
    /// Whether there is one sample only.
    pub(super) are_isotropic: Cell<bool>,
}

impl Samplers {
    pub(super) fn get(&self, device: &wgpu::Device, texture: &Texture) -> wgpu::Sampler {
        // Sampling settings don't depend on the image.
        let wanted = Texture { image: crate::model::ImageIndex::default(), ..*texture };
        let mut made = self.made.borrow_mut();
        if let Some((_, sampler)) = made.iter().find(|(known, _)| *known == wanted) {
            return sampler.clone();
        }
        let is_smooth =
            [Some(wanted.magnify), Some(wanted.minify), wanted.mipmap] == [Some(Filter::Linear); 3];
        let sampler = device.create_sampler(&wgpu::SamplerDescriptor {
            label: Some("image"),
            address_mode_u: address_mode(wanted.wrap_u),
            address_mode_v: address_mode(wanted.wrap_v),
            mag_filter: filter_mode(wanted.magnify),
            min_filter: filter_mode(wanted.minify),
            mipmap_filter: match wanted.mipmap {
                Some(Filter::Linear) => wgpu::MipmapFilterMode::Linear,
                _ => wgpu::MipmapFilterMode::Nearest,
            },
            lod_max_clamp: if wanted.mipmap.is_some() { 32.0 } else { 0.0 },
            // WebGPU allows it only where everything is filtered linearly.
            anisotropy_clamp: if is_smooth && !self.are_isotropic.get() { ANISOTROPY } else { 1 },
            ..wgpu::SamplerDescriptor::default()
        });
        made.push((wanted, sampler.clone()));
        sampler
    }
}

fn address_mode(wrap: Wrap) -> wgpu::AddressMode {
    match wrap {
        Wrap::Repeat => wgpu::AddressMode::Repeat,
        Wrap::ClampToEdge => wgpu::AddressMode::ClampToEdge,
        Wrap::MirroredRepeat => wgpu::AddressMode::MirrorRepeat,
    }
}

fn filter_mode(filter: Filter) -> wgpu::FilterMode {
    match filter {
        Filter::Nearest => wgpu::FilterMode::Nearest,
        Filter::Linear => wgpu::FilterMode::Linear,
    }
}
