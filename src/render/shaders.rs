//! Shader modules composed of the WGSL files in `shaders/`. `tests/shaders.rs` validates every module for both tiers,
//! in both forms.

use super::Tier;

/// The text of each file of `shaders/`, condensed by `build.rs`.
macro_rules! texts {
    ($($file:ident),+ $(,)?) => {
        #[derive(Debug)]
        pub struct Texts {
            $($file: &'static str,)+
        }

        impl Texts {
            /// Texts with the names and line breaks of the files, so that error messages of browsers are readable.
            pub const NAMED: Self = Self { $($file: text!("named", $file),)+ };
            /// Minified texts, for the builds that pages download.
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

/// A shader module: several concatenated files, which share their declarations.
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

    /// Returns the module's source: named in builds with debug assertions, else minified.
    pub(super) fn source(self, tier: Tier) -> String {
        self.source_from(if cfg!(debug_assertions) { &Texts::NAMED } else { &Texts::SHORT }, tier)
    }

    /// Returns the module's source, composed of the given texts.
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
