//! The WGSL of `shaders/`, put together. `tests/shaders.rs` validates every module for both tiers.

use super::Tier;
use super::condense::wgsl;

/// A shader module: a few files that see each other's declarations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Module {
    Mesh,
    Shadow,
    ReadBack,
    Ground,
    Lines,
    Blur,
    Blit,
}

impl Module {
    pub const ALL: [Self; 7] =
        [Self::Mesh, Self::Shadow, Self::ReadBack, Self::Ground, Self::Lines, Self::Blur, Self::Blit];

    /// The module's whole text.
    pub fn source(self, tier: Tier) -> String {
        let rows = match tier {
            Tier::WebGpu => wgsl!("rows_buffer.wgsl"),
            Tier::WebGl2 => wgsl!("rows_texture.wgsl"),
        };
        let frame = wgsl!("frame.wgsl");
        let deform = wgsl!("deform.wgsl");
        let material = wgsl!("material.wgsl");
        match self {
            Self::Mesh => {
                [frame, rows, deform, material, wgsl!("studio.wgsl"), wgsl!("tone.wgsl"), wgsl!("mesh.wgsl")]
                    .concat()
            }
            Self::Shadow => [frame, rows, deform, material, wgsl!("shadow.wgsl")].concat(),
            Self::ReadBack => [frame, rows, deform, wgsl!("read_back.wgsl")].concat(),
            Self::Ground => [frame, wgsl!("ground.wgsl")].concat(),
            Self::Lines => [frame, wgsl!("lines.wgsl")].concat(),
            Self::Blur => [frame, wgsl!("blur.wgsl")].concat(),
            Self::Blit => wgsl!("blit.wgsl").to_owned(),
        }
    }
}
