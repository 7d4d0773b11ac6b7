//! Numbers of formats, which `calls.js` converts to WebGPU's names.

use crate::backend::unused;
use wgpu::{AstcChannel, TextureFormat as Format, VertexFormat};

/// Returns the number of a format of textures, from 1 on. 0 stands for none.
pub(super) fn texture_format(format: Format) -> u32 {
    match format {
        Format::R8Unorm => 1,
        Format::Rgba8Unorm => 2,
        Format::Rgba8UnormSrgb => 3,
        Format::Bgra8Unorm => 4,
        Format::Rgba32Uint => 5,
        Format::Depth24Plus => 6,
        Format::Rgb9e5Ufloat => 7,
        Format::Rgba16Float => 8,
        Format::Bgra8UnormSrgb => 9,
        Format::Bc1RgbaUnorm => 10,
        Format::Bc1RgbaUnormSrgb => 11,
        Format::Bc2RgbaUnorm => 12,
        Format::Bc2RgbaUnormSrgb => 13,
        Format::Bc3RgbaUnorm => 14,
        Format::Bc3RgbaUnormSrgb => 15,
        Format::Bc7RgbaUnorm => 16,
        Format::Bc7RgbaUnormSrgb => 17,
        Format::Etc2Rgb8Unorm => 18,
        Format::Etc2Rgb8UnormSrgb => 19,
        Format::Etc2Rgb8A1Unorm => 20,
        Format::Etc2Rgb8A1UnormSrgb => 21,
        Format::Etc2Rgba8Unorm => 22,
        Format::Etc2Rgba8UnormSrgb => 23,
        // In the order of wgpu's list, which is WebGPU's.
        Format::Astc { block, channel } => {
            24 + 2 * block as u32 + u32::from(channel == AstcChannel::UnormSrgb)
        }
        _ => unused(),
    }
}

/// Returns an index into `VERTEX_FORMATS`.
pub(super) fn vertex_format(format: VertexFormat) -> u8 {
    match format {
        VertexFormat::Uint16x4 => 0,
        VertexFormat::Unorm16x4 => 1,
        VertexFormat::Snorm16x4 => 2,
        VertexFormat::Float32x2 => 3,
        VertexFormat::Float32x3 => 4,
        VertexFormat::Float32x4 => 5,
        _ => unused(),
    }
}
