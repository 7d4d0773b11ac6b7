//! Formats in which a texture can be written, and the choice between them.
use super::Kind;

/// A format in which an image is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Red, green, blue and alpha, one byte each.
    Rgba8,
    /// Colour in 8 bytes, for ETC1S only.
    Bc1,
    Bc7,
    Etc2Rgb8,
    Etc2Rgba8,
    Astc4x4,
}

impl Target {
    /// All targets.
    pub const ALL: [Self; 6] =
        [Self::Rgba8, Self::Bc1, Self::Bc7, Self::Etc2Rgb8, Self::Etc2Rgba8, Self::Astc4x4];

    /// Returns the name of WebGPU's `GPUTextureFormat`, without `-srgb`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rgba8 => "rgba8unorm",
            Self::Bc1 => "bc1-rgba-unorm",
            Self::Bc7 => "bc7-rgba-unorm",
            Self::Etc2Rgb8 => "etc2-rgb8unorm",
            Self::Etc2Rgba8 => "etc2-rgba8unorm",
            Self::Astc4x4 => "astc-4x4-unorm",
        }
    }

    /// Returns the bytes of a block of 4 × 4 texels, or `None` for a format without blocks.
    pub fn block_bytes(self) -> Option<u32> {
        match self {
            Self::Rgba8 => None,
            Self::Bc1 | Self::Etc2Rgb8 => Some(8),
            Self::Bc7 | Self::Etc2Rgba8 | Self::Astc4x4 => Some(16),
        }
    }
}

/// Returns the target with the best quality for its size, of those whose [names](Target::name) `has_format` accepts.
pub fn best_target(kind: Kind, has_alpha: bool, has_format: impl Fn(&str) -> bool) -> Target {
    use Target::{Astc4x4, Bc1, Bc7, Etc2Rgb8, Etc2Rgba8, Rgba8};

    // ETC2 is ETC1S without loss, and ASTC is UASTC without loss.
    let order = match (kind, has_alpha) {
        (Kind::Etc1s, false) => [Etc2Rgb8, Bc1, Bc7, Astc4x4],
        (Kind::Etc1s, true) => [Etc2Rgba8, Bc7, Astc4x4, Rgba8],
        (Kind::Uastc, false) => [Astc4x4, Bc7, Etc2Rgb8, Rgba8],
        (Kind::Uastc, true) => [Astc4x4, Bc7, Etc2Rgba8, Rgba8],
    };
    order.into_iter().find(|target| has_format(target.name())).unwrap_or(Rgba8)
}
