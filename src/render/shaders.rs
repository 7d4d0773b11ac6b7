//! The WGSL of `shaders/`, put together. `tests/shaders.rs` validates every module for both tiers, and what ships too.

use super::Tier;

/// The text of each file of `shaders/`, condensed by `build.rs`.
macro_rules! texts {
    ($($file:ident),+ $(,)?) => {
        #[derive(Debug)]
        pub struct Texts {
            $($file: &'static str,)+
        }

        impl Texts {
            /// Lines and names are those of the files, for developers who read a browser's messages.
            pub const NAMED: Self = Self { $($file: text!("named", $file),)+ };
            /// One line with short names, for pages, which download it.
            pub const SHORT: Self = Self { $($file: text!("short", $file),)+ };
        }
    };
}

macro_rules! text {
    ($form:literal, $file:ident) => {
        include_str!(concat!(env!("OUT_DIR"), "/", $form, "/", stringify!($file), ".wgsl"))
    };
}

texts![
    blit,
    blur,
    deform,
    frame,
    ground,
    lines,
    material,
    mesh,
    read_back,
    rows_buffer,
    rows_texture,
    shadow,
    studio,
    tone,
];

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

    /// The module's whole text, in the form that suits this build.
    pub(super) fn source(self, tier: Tier) -> String {
        self.source_from(if cfg!(debug_assertions) { &Texts::NAMED } else { &Texts::SHORT }, tier)
    }

    /// The module's whole text.
    pub fn source_from(self, texts: &Texts, tier: Tier) -> String {
        let rows = match tier {
            Tier::WebGpu => texts.rows_buffer,
            Tier::WebGl2 => texts.rows_texture,
        };
        let Texts { frame, deform, material, .. } = *texts;
        match self {
            Self::Mesh => [frame, rows, deform, material, texts.studio, texts.tone, texts.mesh].concat(),
            Self::Shadow => [frame, rows, deform, material, texts.shadow].concat(),
            Self::ReadBack => [frame, rows, deform, texts.read_back].concat(),
            Self::Ground => [frame, texts.ground].concat(),
            Self::Lines => [frame, texts.lines].concat(),
            Self::Blur => [frame, texts.blur].concat(),
            Self::Blit => texts.blit.to_owned(),
        }
    }
}
