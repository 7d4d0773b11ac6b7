//! What the shader of a material with extensions has besides that of a plain one: the WGSL files in
//! `shaders/extensions`.
//!
//! Few models need it, so pages fetch it apart (`xtask/src/build/late.rs`), before they import such a model. Only
//! `extend` may therefore refer to the texts.

use super::shaders::text;
use crate::model::material_table::TEXTURE_NAMES;
use crate::model::{MaterialFeature, MaterialFeatures};

/// The texts of the extensions, condensed by `build.rs`: one that all of them share, and one for each.
macro_rules! texts {
    ($shared:ident, $lamps:ident, $limbs:ident, $high_range:ident, $($feature:ident: $file:ident),+ $(,)?) => {
        #[derive(Debug)]
        pub struct Texts {
            shared: &'static str,
            /// For lights of models.
            lamps: &'static str,
            /// For occlusion between limbs.
            limbs: &'static str,
            /// For output brighter than white.
            high_range: &'static str,
            of_features: &'static [(MaterialFeature, &'static str)],
        }

        impl Texts {
            /// Texts with the names and line breaks of the files.
            pub const NAMED: Self = Self {
                shared: text!("named", $shared),
                lamps: text!("named", $lamps),
                limbs: text!("named", $limbs),
                high_range: text!("named", $high_range),
                of_features: &[$((MaterialFeature::$feature, text!("named", $file)),)+],
            };
            /// Minified texts.
            pub const SHORT: Self = Self {
                shared: text!("short", $shared),
                lamps: text!("short", $lamps),
                limbs: text!("short", $limbs),
                high_range: text!("short", $high_range),
                of_features: &[$((MaterialFeature::$feature, text!("short", $file)),)+],
            };
        }
    };
}

texts![
    extended,
    lamps,
    limbs,
    high_range,
    Clearcoat: clearcoat,
    Specular: specular,
    Sheen: sheen,
    SpecularGlossiness: specular_glossiness,
    Iridescence: iridescence,
    Anisotropy: anisotropy,
    DiffuseTransmission: diffuse_transmission,
    Transmission: transmission,
    Volume: volume,
];

/// The conditions of parts for lights of models, for occlusion between limbs, and for output brighter than white.
const LAMPS: &str = "by_lamps";
const LIMBS: &str = "by_limbs";
const HIGH_RANGE: &str = "high_range";

/// Adds the text for materials with extensions to that of their module.
#[inline(never)]
#[cfg(not(all(feature = "webgl", target_arch = "wasm32")))]
pub(super) fn extend(source: &mut String, features: MaterialFeatures) {
    extend_from(source, if cfg!(debug_assertions) { &Texts::NAMED } else { &Texts::SHORT }, features);
}

/// Adds the fragment shader in GLSL for materials with extensions to their module, and definitions of the macros that
/// choose its parts.
#[inline(never)]
#[cfg(all(feature = "webgl", target_arch = "wasm32"))]
pub(super) fn extend(source: &mut String, features: MaterialFeatures) {
    let mut definitions = String::new();
    let mut define = |name: &str, holds: bool| {
        definitions.extend(["#define ", name, if holds { " true\n" } else { " false\n" }]);
    };
    for feature in MaterialFeature::ALL {
        define(feature.extension().unwrap_or("CORE"), features.contains(*feature));
    }
    define(LAMPS, features.is_lit_by_lamps());
    define(LIMBS, features.is_occluded_by_limbs());
    define(HIGH_RANGE, features.has_high_range());
    for (index, (name, _)) in TEXTURE_NAMES.iter().enumerate() {
        define(name, features.reads(index));
    }
    source.insert_str(0, &definitions);
    source.push_str(include_str!(concat!(env!("OUT_DIR"), "/extended.glsl")));
}

/// Adds the text for materials with extensions to that of their module, from the given texts.
pub fn extend_from(source: &mut String, texts: &Texts, features: MaterialFeatures) {
    let mut add = |text: &str| {
        for (index, part) in text.split('#').enumerate() {
            let part = match index % 2 {
                0 => Some(part),
                _ => part.split_once('\n').filter(|(name, _)| holds(name, features)).map(|(_, part)| part),
            };
            source.push_str(part.unwrap_or_default());
        }
    };
    add(texts.shared);
    if features.is_lit_by_lamps() {
        add(texts.lamps);
    }
    if features.is_occluded_by_limbs() {
        add(texts.limbs);
    }
    if features.has_high_range() {
        add(texts.high_range);
    }
    for (_, text) in texts.of_features.iter().filter(|(feature, _)| features.contains(*feature)) {
        add(text);
    }
}

/// Returns whether the condition of a part holds: the name of an extension or of a texture, or one of those above, with
/// `!` for the opposite.
fn holds(condition: &str, features: MaterialFeatures) -> bool {
    let name = condition.trim_start_matches('!');
    let is_used = features.iter().any(|feature| feature.extension() == Some(name));
    let is_read =
        || TEXTURE_NAMES.iter().position(|row| row.0 == name).is_some_and(|row| features.reads(row));
    let holds = match name {
        LAMPS => features.is_lit_by_lamps(),
        LIMBS => features.is_occluded_by_limbs(),
        HIGH_RANGE => features.has_high_range(),
        _ => is_used || is_read(),
    };
    holds != condition.starts_with('!')
}
