//! The WGSL of `shaders/`, put together. `tests/shaders.rs` validates every module for both tiers.

use super::Tier;

/// A shader module: a few files that see each other's declarations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Module {
    Mesh,
    Shadow,
    ReadBack,
    Ground,
    Lines,
    Blit,
}

impl Module {
    pub const ALL: [Self; 6] =
        [Self::Mesh, Self::Shadow, Self::ReadBack, Self::Ground, Self::Lines, Self::Blit];

    /// The module's whole text.
    pub fn source(self, tier: Tier) -> String {
        let rows = match tier {
            Tier::WebGpu => include_str!("../../shaders/rows_buffer.wgsl"),
            Tier::WebGl2 => include_str!("../../shaders/rows_texture.wgsl"),
        };
        let frame = include_str!("../../shaders/frame.wgsl");
        let deform = include_str!("../../shaders/deform.wgsl");
        match self {
            Self::Mesh => [
                frame,
                rows,
                deform,
                include_str!("../../shaders/studio.wgsl"),
                include_str!("../../shaders/tone.wgsl"),
                include_str!("../../shaders/mesh.wgsl"),
            ]
            .concat(),
            Self::Shadow => [frame, rows, deform, include_str!("../../shaders/shadow.wgsl")].concat(),
            Self::ReadBack => [frame, rows, deform, include_str!("../../shaders/read_back.wgsl")].concat(),
            Self::Ground => [frame, include_str!("../../shaders/ground.wgsl")].concat(),
            Self::Lines => [frame, include_str!("../../shaders/lines.wgsl")].concat(),
            Self::Blit => include_str!("../../shaders/blit.wgsl").to_owned(),
        }
    }
}
