//! Shader modules composed of the WGSL files in `shaders/`. `tests/shaders.rs` validates every module for both tiers,
//! in both forms. Materials with extensions have shaders of their own (`extended_shaders.rs`).

use super::Tier;
use super::extended_shaders;
#[cfg(not(all(feature = "webgl", target_arch = "wasm32")))]
use super::pruned::pruned;
use super::shader_parts::ShaderParts;
use super::views;
use crate::model::MaterialFeatures;

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
pub(super) use text;

/// Declares the texts of a module of one file, with the names and line breaks of the file and minified, and `source`,
/// which returns what this build compiles. For code that pages fetch apart.
macro_rules! module_of_one_file {
    ($file:ident) => {
        #[cfg(all(feature = "webgl", target_arch = "wasm32"))]
        fn source() -> &'static str {
            include_str!(concat!(env!("OUT_DIR"), "/", stringify!($file), ".glsl"))
        }

        #[cfg(not(all(feature = "webgl", target_arch = "wasm32")))]
        fn source() -> &'static str {
            if cfg!(debug_assertions) { NAMED } else { SHORT }
        }

        #[cfg(not(all(feature = "webgl", target_arch = "wasm32")))]
        mod texts {
            use crate::render::shaders::text;

            pub const NAMED: &str = text!("named", $file);
            pub const SHORT: &str = text!("short", $file);
        }
        #[cfg(not(all(feature = "webgl", target_arch = "wasm32")))]
        pub use texts::{NAMED, SHORT};
    };
}
pub(super) use module_of_one_file;

texts![
    blit,
    blur,
    deform,
    environment,
    frame,
    ground,
    lines,
    material,
    mesh,
    read_back,
    rows_buffer,
    rows_texture,
    shadow,
    surroundings,
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

    /// Returns the module's source in GLSL, from which `src/webgl` makes modules.
    #[cfg(all(feature = "webgl", target_arch = "wasm32"))]
    pub(super) fn source(self, _: Tier, features: MaterialFeatures, parts: ShaderParts) -> String {
        let mut found = TRANSLATED.iter().filter(|(module, _)| *module == self);
        let core = found.next().map_or("", |(_, text)| *text);
        let mut source = parts.macro_definition() + core;
        if features != MaterialFeatures::CORE {
            extended_shaders::extend(&mut source, features);
        }
        if parts.is_of_view() {
            views::shaders::extend(&mut source);
        }
        source
    }

    /// Returns the module's source: whole and named in builds with debug assertions, else minified and pruned.
    #[cfg(not(all(feature = "webgl", target_arch = "wasm32")))]
    pub(super) fn source(self, tier: Tier, features: MaterialFeatures, parts: ShaderParts) -> String {
        let texts = if cfg!(debug_assertions) { &Texts::NAMED } else { &Texts::SHORT };
        let is_extended = features != MaterialFeatures::CORE;
        let mut source = self.source_from(texts, tier, is_extended, parts);
        if is_extended {
            extended_shaders::extend(&mut source, features);
        }
        if parts.is_of_view() {
            views::shaders::extend(&mut source);
        }
        if cfg!(debug_assertions) { source } else { pruned(&source, parts) }
    }

    /// Returns the module's source with the given parts, composed of the given texts. `is_extended` is for
    /// [`Mesh`](Self::Mesh): what `extended_shaders` adds is missing then.
    pub fn source_from(self, texts: &Texts, tier: Tier, is_extended: bool, parts: ShaderParts) -> String {
        let whole = self.files(texts, tier);
        // No token of WGSL has the character that `build/condense.rs` writes around conditional parts. Those of the
        // core have the condition `extended`.
        let chosen = whole.split('#').enumerate().filter_map(|(index, part)| match index % 2 {
            0 => Some(part),
            _ => part.split_once('\n').filter(|_| is_extended).map(|(_, part)| part),
        });
        std::iter::once(parts.declaration().as_str()).chain(chosen).collect()
    }

    /// Returns the texts of the module's files with all conditional parts.
    fn files(self, texts: &Texts, tier: Tier) -> String {
        let rows = match tier {
            Tier::WebGpu => texts.rows_buffer,
            Tier::WebGl2 => texts.rows_texture,
        };
        let Texts { frame, deform, material, .. } = *texts;
        match self {
            Self::Mesh => {
                let Texts { surroundings, environment, tone, mesh, .. } = *texts;
                [frame, rows, deform, material, surroundings, environment, tone, mesh].concat()
            }
            Self::Shadow => [frame, rows, deform, material, texts.shadow].concat(),
            Self::ReadBack => [frame, rows, deform, texts.read_back].concat(),
            Self::Ground => [frame, texts.ground].concat(),
            Self::Lines => [frame, texts.lines].concat(),
            Self::Blur => [frame, texts.blur].concat(),
            Self::Blit => texts.blit.to_owned(),
        }
    }
}

/// Modules in GLSL. `build/translate.rs` writes them.
#[cfg(all(feature = "webgl", target_arch = "wasm32"))]
static TRANSLATED: &[(Module, &str)] = &include!(concat!(env!("OUT_DIR"), "/translated.rs"));
