//! Texture formats whose pixels are compressed in blocks, and pictures that are stored so.
//!
//! Formats have the names of WebGPU's `GPUTextureFormat`, without `-srgb`: the use of a picture decides on that.

use super::{Gpu, RenderError};
use wgpu::{AstcBlock, AstcChannel, Features, TextureFormat};

/// A format of red, green, blue and, in most, alpha.
#[derive(Debug)]
pub(super) struct BlockFormat {
    name: &'static str,
    feature: Features,
    pub(super) linear: TextureFormat,
    pub(super) srgb: TextureFormat,
    /// Width of a block in pixels; `height` likewise.
    width: u8,
    height: u8,
    /// Bytes of a block.
    bytes: u8,
}

const BC: Features = Features::TEXTURE_COMPRESSION_BC;
const ETC2: Features = Features::TEXTURE_COMPRESSION_ETC2;
/// The features of a device that [`supported`] formats depend on.
pub(super) const FEATURES: Features = BC.union(ETC2).union(Features::TEXTURE_COMPRESSION_ASTC);

const fn four(
    name: &'static str,
    feature: Features,
    linear: TextureFormat,
    srgb: TextureFormat,
    bytes: u8,
) -> BlockFormat {
    BlockFormat { name, feature, linear, srgb, width: 4, height: 4, bytes }
}

const fn astc(name: &'static str, block: AstcBlock, width: u8, height: u8) -> BlockFormat {
    BlockFormat {
        name,
        feature: Features::TEXTURE_COMPRESSION_ASTC,
        linear: TextureFormat::Astc { block, channel: AstcChannel::Unorm },
        srgb: TextureFormat::Astc { block, channel: AstcChannel::UnormSrgb },
        width,
        height,
        bytes: 16,
    }
}

use TextureFormat as F;

/// Formats of one or two channels are left out: materials read red, green and blue.
static FORMATS: [BlockFormat; 21] = [
    four("bc1-rgba-unorm", BC, F::Bc1RgbaUnorm, F::Bc1RgbaUnormSrgb, 8),
    four("bc2-rgba-unorm", BC, F::Bc2RgbaUnorm, F::Bc2RgbaUnormSrgb, 16),
    four("bc3-rgba-unorm", BC, F::Bc3RgbaUnorm, F::Bc3RgbaUnormSrgb, 16),
    four("bc7-rgba-unorm", BC, F::Bc7RgbaUnorm, F::Bc7RgbaUnormSrgb, 16),
    four("etc2-rgb8unorm", ETC2, F::Etc2Rgb8Unorm, F::Etc2Rgb8UnormSrgb, 8),
    four("etc2-rgb8a1unorm", ETC2, F::Etc2Rgb8A1Unorm, F::Etc2Rgb8A1UnormSrgb, 8),
    four("etc2-rgba8unorm", ETC2, F::Etc2Rgba8Unorm, F::Etc2Rgba8UnormSrgb, 16),
    astc("astc-4x4-unorm", AstcBlock::B4x4, 4, 4),
    astc("astc-5x4-unorm", AstcBlock::B5x4, 5, 4),
    astc("astc-5x5-unorm", AstcBlock::B5x5, 5, 5),
    astc("astc-6x5-unorm", AstcBlock::B6x5, 6, 5),
    astc("astc-6x6-unorm", AstcBlock::B6x6, 6, 6),
    astc("astc-8x5-unorm", AstcBlock::B8x5, 8, 5),
    astc("astc-8x6-unorm", AstcBlock::B8x6, 8, 6),
    astc("astc-8x8-unorm", AstcBlock::B8x8, 8, 8),
    astc("astc-10x5-unorm", AstcBlock::B10x5, 10, 5),
    astc("astc-10x6-unorm", AstcBlock::B10x6, 10, 6),
    astc("astc-10x8-unorm", AstcBlock::B10x8, 10, 8),
    astc("astc-10x10-unorm", AstcBlock::B10x10, 10, 10),
    astc("astc-12x10-unorm", AstcBlock::B12x10, 12, 10),
    astc("astc-12x12-unorm", AstcBlock::B12x12, 12, 12),
];

/// Returns the names of the formats that a device can read.
pub(super) fn supported(features: Features) -> impl Iterator<Item = &'static str> {
    FORMATS.iter().filter(move |format| features.contains(format.feature)).map(|format| format.name)
}

/// A block-compressed picture with its mip levels.
#[derive(Clone, Debug)]
pub struct Blocks {
    pub(super) format: &'static BlockFormat,
    pub(super) width: u32,
    pub(super) height: u32,
    /// The levels, the largest first.
    data: Vec<u8>,
    pub(super) level_count: u32,
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

impl BlockFormat {
    fn level(&self, width: u32, height: u32, level: u32) -> Level {
        let blocks = |side: u32, of: u8| (side >> level).max(1).div_ceil(of.into());
        let (across, down) = (blocks(width, self.width), blocks(height, self.height));
        let bytes_per_row = across * u32::from(self.bytes);
        Level {
            width: across * u32::from(self.width),
            height: down * u32::from(self.height),
            bytes_per_row,
            byte_count: u64::from(bytes_per_row) * u64::from(down),
        }
    }
}

impl Blocks {
    /// Creates a picture from `data`, which has one or more levels without gaps, the largest first.
    ///
    /// # Errors
    /// `Driver` if the device can't read the format, `TooLarge` if a side is 0 or exceeds the device's limit, and
    /// `WrongPixelCount` if the data isn't a number of whole levels, or a side isn't a number of whole blocks.
    pub fn new(gpu: &Gpu, name: &str, width: u32, height: u32, data: Vec<u8>) -> Result<Self, RenderError> {
        super::textures::check_size(gpu, width, height)?;
        Self::checked(gpu.device().features(), name, width, height, data)
    }

    fn checked(
        features: Features,
        name: &str,
        width: u32,
        height: u32,
        data: Vec<u8>,
    ) -> Result<Self, RenderError> {
        let format = FORMATS.iter().find(|format| format.name == name && features.contains(format.feature));
        let format = format.ok_or_else(|| RenderError::Driver { reason: [name, " textures"].concat() })?;
        let (mut level_count, mut expected) = (0, 0);
        let first = format.level(width, height, 0);
        if (first.width, first.height) == (width, height) {
            while expected < data.len() as u64 && level_count <= width.max(height).ilog2() {
                expected += format.level(width, height, level_count).byte_count;
                level_count += 1;
            }
        }
        if level_count == 0 || expected != data.len() as u64 {
            let expected = usize::try_from(expected.max(first.byte_count)).unwrap_or(usize::MAX);
            return Err(RenderError::WrongPixelCount { expected, found: data.len() });
        }
        Ok(Self { format, width, height, data, level_count })
    }

    /// Returns the levels and their bytes, the largest first.
    pub(super) fn levels(&self) -> impl Iterator<Item = (Level, &[u8])> {
        let mut rest = &self.data[..];
        (0..self.level_count).map(move |level| {
            let level = self.format.level(self.width, self.height, level);
            let (bytes, smaller) = rest.split_at(level.byte_count as usize);
            rest = smaller;
            (level, bytes)
        })
    }
}

/// Returns the bytes of the largest level of a texture in a block format; `None` for other formats.
pub(super) fn byte_count(texture: &wgpu::Texture) -> Option<u64> {
    let used = texture.format();
    let format = FORMATS.iter().find(|format| used == format.linear || used == format.srgb)?;
    Some(format.level(texture.width(), texture.height(), 0).byte_count)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(name: &str, width: u32, height: u32, byte_count: usize) -> Result<Blocks, RenderError> {
        Blocks::checked(FEATURES, name, width, height, vec![0; byte_count])
    }

    #[test]
    fn the_table_agrees_with_wgpu() {
        for format in &FORMATS {
            for used in [format.linear, format.srgb] {
                assert_eq!(
                    used.block_dimensions(),
                    (format.width.into(), format.height.into()),
                    "{}",
                    format.name
                );
                assert_eq!(used.block_copy_size(None), Some(format.bytes.into()), "{}", format.name);
                assert_eq!(used.required_features(), format.feature, "{}", format.name);
            }
            assert_eq!(format.linear.add_srgb_suffix(), format.srgb);
            assert_ne!(format.linear, format.srgb);
        }
    }

    #[test]
    fn levels_are_counted_by_their_bytes() {
        // 16 × 8 pixels: 4 × 2 blocks, then 2 × 1, and one block for each smaller level.
        for (byte_count, levels) in [(64, 1), (80, 2), (88, 3), (96, 4), (104, 5)] {
            let blocks = checked("bc1-rgba-unorm", 16, 8, byte_count).unwrap();
            assert_eq!(blocks.level_count, levels);
            let sizes: Vec<usize> = blocks.levels().map(|(_, bytes)| bytes.len()).collect();
            assert_eq!(sizes, [64, 16, 8, 8, 8][..levels as usize]);
        }
        let blocks = checked("astc-10x6-unorm", 20, 6, 48).unwrap();
        let expected = [
            Level { width: 20, height: 6, bytes_per_row: 32, byte_count: 32 },
            Level { width: 10, height: 6, bytes_per_row: 16, byte_count: 16 },
        ];
        assert!(blocks.levels().map(|(level, _)| level).eq(expected));
    }

    #[test]
    fn data_that_does_not_fit_is_refused() {
        for (width, height, byte_count) in
            [(16, 8, 0), (16, 8, 63), (16, 8, 65), (16, 8, 112), (15, 8, 64), (16, 6, 64)]
        {
            let error = checked("bc1-rgba-unorm", width, height, byte_count).unwrap_err();
            assert_eq!(error.code(), "GPU_WRONG_PIXEL_COUNT", "{width} × {height}, {byte_count} bytes");
        }
        assert!(checked("bc1-rgba-unorm", u32::MAX, 4, 8).is_err());
    }

    #[test]
    fn a_format_that_the_device_lacks_is_refused_by_name() {
        let none = Blocks::checked(Features::empty(), "bc7-rgba-unorm", 4, 4, vec![0; 16]).unwrap_err();
        let unknown = checked("pvrtc-rgba", 4, 4, 16).unwrap_err();
        assert_eq!((none.code(), unknown.code()), ("GPU_DRIVER_ERROR", "GPU_DRIVER_ERROR"));
        assert!(none.to_string().contains("bc7-rgba-unorm") && unknown.to_string().contains("pvrtc-rgba"));
        assert_eq!(supported(Features::empty()).count(), 0);
        assert!(supported(ETC2).all(|name| name.starts_with("etc2")) && supported(ETC2).count() == 3);
        assert_eq!(supported(FEATURES).count(), FORMATS.len());
    }
}
