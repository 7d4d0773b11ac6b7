//! Pictures whose pixels are compressed in blocks, with their mip levels.
//!
//! Names and sizes of the formats are in `www/element/files/blocks.ts`, which only pages with such pictures fetch.

use super::Gpu;
use wgpu::{AstcBlock, AstcChannel, Features, TextureFormat};

/// The features of a device for BC, ETC2 and ASTC.
pub(super) const FEATURES: Features = Features::TEXTURE_COMPRESSION_BC
    .union(Features::TEXTURE_COMPRESSION_ETC2)
    .union(Features::TEXTURE_COMPRESSION_ASTC);

const fn astc(block: AstcBlock) -> [TextureFormat; 2] {
    [
        TextureFormat::Astc { block, channel: AstcChannel::Unorm },
        TextureFormat::Astc { block, channel: AstcChannel::UnormSrgb },
    ]
}

/// The formats for data and for colours. Formats of one or two channels are left out, since materials read red, green
/// and blue.
///
/// The test `the_page_has_the_same_table` compares the table with the one in TypeScript.
static FORMATS: [[TextureFormat; 2]; 21] = [
    [TextureFormat::Bc1RgbaUnorm, TextureFormat::Bc1RgbaUnormSrgb],
    [TextureFormat::Bc2RgbaUnorm, TextureFormat::Bc2RgbaUnormSrgb],
    [TextureFormat::Bc3RgbaUnorm, TextureFormat::Bc3RgbaUnormSrgb],
    [TextureFormat::Bc7RgbaUnorm, TextureFormat::Bc7RgbaUnormSrgb],
    [TextureFormat::Etc2Rgb8Unorm, TextureFormat::Etc2Rgb8UnormSrgb],
    [TextureFormat::Etc2Rgb8A1Unorm, TextureFormat::Etc2Rgb8A1UnormSrgb],
    [TextureFormat::Etc2Rgba8Unorm, TextureFormat::Etc2Rgba8UnormSrgb],
    astc(AstcBlock::B4x4),
    astc(AstcBlock::B5x4),
    astc(AstcBlock::B5x5),
    astc(AstcBlock::B6x5),
    astc(AstcBlock::B6x6),
    astc(AstcBlock::B8x5),
    astc(AstcBlock::B8x6),
    astc(AstcBlock::B8x8),
    astc(AstcBlock::B10x5),
    astc(AstcBlock::B10x6),
    astc(AstcBlock::B10x8),
    astc(AstcBlock::B10x10),
    astc(AstcBlock::B12x10),
    astc(AstcBlock::B12x12),
];

/// Returns which formats a device with these features can read: bit 0 for BC, bit 1 for ETC2, bit 2 for ASTC.
pub(super) fn supported(features: Features) -> u32 {
    let bit = |feature, bit| u32::from(features.contains(feature)) << bit;
    bit(Features::TEXTURE_COMPRESSION_BC, 0)
        | bit(Features::TEXTURE_COMPRESSION_ETC2, 1)
        | bit(Features::TEXTURE_COMPRESSION_ASTC, 2)
}

/// A block-compressed picture with its mip levels.
#[derive(Clone, Debug)]
pub struct Blocks {
    header: [u32; 7],
    /// The levels without gaps, the largest first.
    data: Vec<u8>,
}

impl Blocks {
    /// Creates a picture from the levels and a header: index of the format in the table, width and height in pixels,
    /// number of levels, width and height of a block in pixels, and bytes of a block.
    ///
    /// `packBlocks` in TypeScript has compared the sizes with the data and the formats with those of the device. What
    /// it would refuse is drawn with missing levels, or refused by the device.
    pub fn new(header: [u32; 7], data: Vec<u8>) -> Self {
        Self { header, data }
    }

    pub(super) fn size(&self) -> (u32, u32) {
        let [_, width, height, ..] = self.header;
        (width, height)
    }

    pub(super) fn byte_count(&self) -> u64 {
        self.data.len() as u64
    }

    /// Uploads the picture to a new texture, with an sRGB format for colours.
    pub(super) fn upload(&self, gpu: &Gpu, is_color: bool) -> wgpu::Texture {
        let [index, width, height, level_count, block_width, block_height, block_bytes] = self.header;
        let format = FORMATS[index as usize % FORMATS.len()][usize::from(is_color)];
        let size = wgpu::Extent3d { width, height, depth_or_array_layers: 1 };
        let texture =
            super::textures::create(gpu.device(), format, size, level_count, wgpu::TextureUsages::empty());
        let mut rest = &self.data[..];
        for mip_level in 0..level_count {
            let blocks = |side: u32, of: u32| (side >> mip_level).max(1).div_ceil(of.max(1));
            let (across, down) = (blocks(width, block_width), blocks(height, block_height));
            let bytes_per_row = across.wrapping_mul(block_bytes);
            let Some((bytes, smaller)) = rest.split_at_checked(bytes_per_row.wrapping_mul(down) as usize)
            else {
                break;
            };
            rest = smaller;
            let layout = wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(bytes_per_row),
                rows_per_image: None,
            };
            // Whole blocks, also where a level is smaller than a block.
            let size = wgpu::Extent3d { width: across * block_width, height: down * block_height, ..size };
            let destination = wgpu::TexelCopyTextureInfo { mip_level, ..texture.as_image_copy() };
            gpu.queue().write_texture(destination, bytes, layout, size);
        }
        texture
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::Path;

    /// Reads the table in TypeScript: rows such as `["bc1-rgba-unorm", 4, 4, 8],`.
    fn page_table() -> Vec<(String, [u32; 3])> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("www/element/files/blocks.ts");
        let source = fs::read_to_string(path).unwrap();
        let rows = source.lines().filter_map(|line| line.trim().strip_prefix("[\"")?.strip_suffix("],"));
        rows.map(|row| {
            let (name, numbers) = row.split_once("\", ").unwrap();
            let numbers: Vec<u32> = numbers.split(", ").map(|number| number.parse().unwrap()).collect();
            (name.to_owned(), numbers.try_into().unwrap())
        })
        .collect()
    }

    #[test]
    fn the_page_has_the_same_table() {
        let table = page_table();
        assert_eq!(table.len(), FORMATS.len());
        for (index, ((name, [width, height, bytes]), [linear, srgb])) in
            table.into_iter().zip(FORMATS).enumerate()
        {
            for format in [linear, srgb] {
                assert_eq!(format.block_dimensions(), (width, height), "{name}");
                assert_eq!(format.block_copy_size(None), Some(bytes), "{name}");
                let family = ["bc", "etc2", "astc"].iter().position(|family| name.starts_with(family));
                assert_eq!(supported(format.required_features()), 1 << family.unwrap(), "{name}");
            }
            assert_eq!((linear.add_srgb_suffix(), linear.is_srgb()), (srgb, false), "{name}");
            let letters = |text: &str| text.replace(['-', '_'], "").to_lowercase();
            let own = match linear {
                TextureFormat::Astc { block, .. } => format!("astc{block:?}unorm").replace('B', ""),
                other => format!("{other:?}"),
            };
            assert_eq!(letters(&name), letters(&own), "row {index}");
        }
    }
}
