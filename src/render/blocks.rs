//! Pictures whose pixels are compressed in blocks, with their mip levels.
//!
//! Names and sizes of the formats are in `www/element/files/blocks.ts`, which only pages with such pictures fetch.

use super::{Gpu, RenderError};
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

/// Index of the first ETC2 format, and of the first ASTC format.
const ETC2_AT: usize = 4;
const ASTC_AT: usize = 7;

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
    /// Formats for data and for colours.
    pub(super) formats: [TextureFormat; 2],
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) level_count: u32,
    /// Width and height of a block in pixels, and its bytes.
    block: [u32; 3],
    /// The levels, the largest first.
    data: Vec<u8>,
}

/// A level of a picture in blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Level {
    /// Size in pixels, rounded up to whole blocks.
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) bytes_per_row: u32,
    pub(super) byte_count: u64,
}

impl Blocks {
    /// Creates a picture from `data`: one or more levels without gaps, the largest first.
    ///
    /// `header` contains the format's index in the table, the picture's width and height, the width and height of a
    /// block in pixels, and its bytes.
    ///
    /// # Errors
    /// `TooLarge` if a side is 0 or exceeds the device's limit. `WrongPixelCount` if the device can't read the format,
    /// a side isn't a number of whole blocks, or the data isn't a number of whole levels.
    pub fn new(gpu: &Gpu, header: [u32; 6], data: Vec<u8>) -> Result<Self, RenderError> {
        super::textures::check_size(gpu, header[1], header[2])?;
        Self::checked(gpu.block_features(), header, data)
    }

    fn checked(supported: u32, header: [u32; 6], data: Vec<u8>) -> Result<Self, RenderError> {
        let [index, width, height, block @ ..] = header;
        let index = index as usize;
        let family = u32::from(index >= ETC2_AT) + u32::from(index >= ASTC_AT);
        let refused = |expected| RenderError::WrongPixelCount { expected, found: data.len() };
        let is_whole = block.iter().all(|&side| (1..=16).contains(&side))
            && width.is_multiple_of(block[0])
            && height.is_multiple_of(block[1]);
        let Some(&formats) = FORMATS.get(index).filter(|_| is_whole && supported >> family & 1 == 1) else {
            return Err(refused(0));
        };
        let mut blocks = Self { formats, width, height, level_count: 0, block, data: Vec::new() };
        let mut expected = 0;
        while expected < data.len() as u64 && blocks.level_count <= width.max(height).ilog2() {
            expected += blocks.level(blocks.level_count).byte_count;
            blocks.level_count += 1;
        }
        if blocks.level_count == 0 || expected != data.len() as u64 {
            return Err(refused(usize::try_from(expected).unwrap_or(usize::MAX)));
        }
        blocks.data = data;
        Ok(blocks)
    }

    fn level(&self, level: u32) -> Level {
        let [block_width, block_height, block_bytes] = self.block;
        let across = (self.width >> level).max(1).div_ceil(block_width);
        let down = (self.height >> level).max(1).div_ceil(block_height);
        let bytes_per_row = across * block_bytes;
        Level {
            width: across * block_width,
            height: down * block_height,
            bytes_per_row,
            byte_count: u64::from(bytes_per_row) * u64::from(down),
        }
    }

    /// Returns the levels and their bytes, the largest first.
    pub(super) fn levels(&self) -> impl Iterator<Item = (Level, &[u8])> {
        let mut rest = &self.data[..];
        (0..self.level_count).map(move |level| {
            let level = self.level(level);
            let (bytes, smaller) = rest.split_at(level.byte_count as usize);
            rest = smaller;
            (level, bytes)
        })
    }

    pub(super) fn byte_count(&self) -> u64 {
        self.data.len() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::Path;

    const ALL: u32 = 0b111;
    const BC1: [u32; 4] = [0, 4, 4, 8];

    fn checked(format: [u32; 4], width: u32, height: u32, byte_count: usize) -> Result<Blocks, RenderError> {
        let [index, block @ ..] = format;
        let [block_width, block_height, block_bytes] = block;
        let header = [index, width, height, block_width, block_height, block_bytes];
        Blocks::checked(ALL, header, vec![0; byte_count])
    }

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
                let family = u32::from(index >= ETC2_AT) + u32::from(index >= ASTC_AT);
                assert_eq!(supported(format.required_features()), 1 << family, "{name}");
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

    #[test]
    fn levels_are_counted_by_their_bytes() {
        // 16 × 8 pixels: 4 × 2 blocks, then 2 × 1, and one block for each smaller level.
        for (byte_count, levels) in [(64, 1), (80, 2), (88, 3), (96, 4), (104, 5)] {
            let blocks = checked(BC1, 16, 8, byte_count).unwrap();
            assert_eq!(blocks.level_count, levels);
            let sizes: Vec<usize> = blocks.levels().map(|(_, bytes)| bytes.len()).collect();
            assert_eq!(sizes, [64, 16, 8, 8, 8][..levels as usize]);
        }
        let blocks = checked([16, 10, 6, 16], 20, 6, 48).unwrap();
        let expected = [
            Level { width: 20, height: 6, bytes_per_row: 32, byte_count: 32 },
            Level { width: 10, height: 6, bytes_per_row: 16, byte_count: 16 },
        ];
        assert!(blocks.levels().map(|(level, _)| level).eq(expected));
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let sizes = [(16, 8, 0), (16, 8, 63), (16, 8, 65), (16, 8, 112), (15, 8, 64), (16, 6, 64)];
        for (width, height, byte_count) in sizes {
            let error = checked(BC1, width, height, byte_count).unwrap_err();
            assert_eq!(error.code(), "GPU_WRONG_PIXEL_COUNT", "{width} × {height}, {byte_count} bytes");
        }
        for format in [[21, 4, 4, 8], [u32::MAX, 4, 4, 8], [0, 0, 4, 8], [0, 4, 0, 8], [0, 4, 4, 0]] {
            assert!(checked(format, 4, 4, 8).is_err(), "{format:?}");
        }
        assert!(checked([0, 4, 4, 16], u32::MAX & !3, u32::MAX & !3, 8).is_err());
    }

    #[test]
    fn a_format_that_the_device_lacks_is_refused() {
        for (index, supported) in [(0, 0b110), (3, 0b110), (4, 0b101), (6, 0b101), (7, 0b011), (20, 0b011)] {
            let header = [index, 4, 4, 4, 4, 8];
            assert!(Blocks::checked(supported, header, vec![0; 8]).is_err(), "format {index}");
            assert!(Blocks::checked(ALL & !supported, header, vec![0; 8]).is_ok(), "format {index}");
        }
    }
}
