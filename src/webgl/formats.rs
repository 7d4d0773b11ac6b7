//! Names of texture formats in WebGL.

use crate::backend::unused;
use web_sys::WebGl2RenderingContext as Gl;
use wgpu::TextureFormat as Format;

/// How pixels of a format are stored, and how they are transferred.
#[derive(Clone, Copy)]
pub(super) struct GlFormat {
    pub(super) internal: u32,
    pub(super) transfer: Transfer,
}

#[derive(Clone, Copy)]
pub(super) enum Transfer {
    /// Format and type of pixels in memory.
    Pixels(u32, u32),
    /// Compressed blocks.
    Blocks,
}

/// Numbers of `WEBGL_compressed_texture_s3tc`, `…_s3tc_srgb`, `EXT_texture_compression_bptc`, `…_etc` and `…_astc`.
const RGBA_S3TC_DXT1: u32 = 0x83F1;
const SRGB_ALPHA_S3TC_DXT1: u32 = 0x8C4D;
const RGBA_BPTC: u32 = 0x8E8C;
const RGB8_ETC2: u32 = 0x9274;
const RGBA_ASTC_4X4: u32 = 0x93B0;
const SRGB8_ALPHA8_ASTC_4X4: u32 = 0x93D0;

pub(super) fn gl_format(format: Format) -> GlFormat {
    let pixels = |internal, layout, ty| GlFormat { internal, transfer: Transfer::Pixels(layout, ty) };
    let blocks = |internal| GlFormat { internal, transfer: Transfer::Blocks };
    match format {
        Format::Rgba8Unorm => pixels(Gl::RGBA8, Gl::RGBA, Gl::UNSIGNED_BYTE),
        Format::Rgba8UnormSrgb => pixels(Gl::SRGB8_ALPHA8, Gl::RGBA, Gl::UNSIGNED_BYTE),
        Format::Rgb9e5Ufloat => pixels(Gl::RGB9_E5, Gl::RGB, Gl::UNSIGNED_INT_5_9_9_9_REV),
        Format::R8Unorm => pixels(Gl::R8, Gl::RED, Gl::UNSIGNED_BYTE),
        Format::Rgba16Float => pixels(Gl::RGBA16F, Gl::RGBA, Gl::HALF_FLOAT),
        Format::Rgba32Float => pixels(Gl::RGBA32F, Gl::RGBA, Gl::FLOAT),
        Format::Rgba32Uint => pixels(Gl::RGBA32UI, Gl::RGBA_INTEGER, Gl::UNSIGNED_INT),
        Format::Depth24Plus => pixels(Gl::DEPTH_COMPONENT24, Gl::DEPTH_COMPONENT, Gl::UNSIGNED_INT),
        // The extensions number their formats in this order.
        Format::Bc1RgbaUnorm => blocks(RGBA_S3TC_DXT1),
        Format::Bc2RgbaUnorm => blocks(RGBA_S3TC_DXT1 + 1),
        Format::Bc3RgbaUnorm => blocks(RGBA_S3TC_DXT1 + 2),
        Format::Bc1RgbaUnormSrgb => blocks(SRGB_ALPHA_S3TC_DXT1),
        Format::Bc2RgbaUnormSrgb => blocks(SRGB_ALPHA_S3TC_DXT1 + 1),
        Format::Bc3RgbaUnormSrgb => blocks(SRGB_ALPHA_S3TC_DXT1 + 2),
        Format::Bc7RgbaUnorm => blocks(RGBA_BPTC),
        Format::Bc7RgbaUnormSrgb => blocks(RGBA_BPTC + 1),
        Format::Etc2Rgb8Unorm => blocks(RGB8_ETC2),
        Format::Etc2Rgb8UnormSrgb => blocks(RGB8_ETC2 + 1),
        Format::Etc2Rgb8A1Unorm => blocks(RGB8_ETC2 + 2),
        Format::Etc2Rgb8A1UnormSrgb => blocks(RGB8_ETC2 + 3),
        Format::Etc2Rgba8Unorm => blocks(RGB8_ETC2 + 4),
        Format::Etc2Rgba8UnormSrgb => blocks(RGB8_ETC2 + 5),
        Format::Astc { block, channel: wgpu::AstcChannel::Unorm } => blocks(RGBA_ASTC_4X4 + block as u32),
        Format::Astc { block, channel: wgpu::AstcChannel::UnormSrgb } => {
            blocks(SRGB8_ALPHA8_ASTC_4X4 + block as u32)
        }
        _ => unused(),
    }
}
