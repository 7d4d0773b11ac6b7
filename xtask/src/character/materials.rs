//! The palette and the materials of the character.
//!
//! Colours are stored in the vertices. Materials only set metalness, roughness, emission, relief, and the rim of fur.

use serde_json::{Value, json};

use super::{
    relief::Relief,
    surface::{Paint, srgb},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Material {
    Fur,
    Hair,
    Knit,
    Leather,
    Horn,
    Eye,
    Glint,
    Brass,
}

/// Number of tiles that the texture coordinate 1 stands for.
pub(super) const MOST_TILES: f32 = 64.0;

impl Material {
    /// Returns the relief of the surface. Reliefs are the only textures of the file.
    pub(super) fn relief(self) -> Option<Relief> {
        match self {
            Material::Knit => Some(Relief::Stitch),
            Material::Hair => Some(Relief::Strands),
            _ => None,
        }
    }

    /// Returns whether the tips of hairs shine where the surface turns away. A viewer without the extension shows the
    /// rest of the material.
    pub(super) fn has_sheen(self) -> bool {
        self == Material::Fur
    }

    /// Returns the material. `reliefs` are the textures of the file.
    pub(super) fn to_gltf(self, reliefs: &[Relief]) -> Value {
        let (metallic, roughness) = match self {
            Material::Fur => (0.0, 0.72),
            Material::Hair => (0.0, 0.58),
            Material::Knit => (0.0, 0.92),
            Material::Leather => (0.0, 0.48),
            Material::Horn => (0.0, 0.38),
            Material::Eye => (0.0, 0.12),
            Material::Glint => (0.0, 0.2),
            Material::Brass => (1.0, 0.26),
        };
        let mut material = json!({
            "name": format!("{self:?}"),
            "pbrMetallicRoughness": { "metallicFactor": metallic, "roughnessFactor": roughness },
        });
        if let Some(relief) = self.relief() {
            material["normalTexture"] = json!({
                "index": reliefs.iter().position(|listed| *listed == relief).expect("it is used"),
                "scale": if relief == Relief::Stitch { 0.8 } else { 0.5 },
                "extensions": { "KHR_texture_transform": { "scale": [MOST_TILES, MOST_TILES] } },
            });
        }
        if self.has_sheen() {
            material["extensions"] = json!({
                "KHR_materials_sheen": { "sheenColorFactor": [0.55, 0.40, 0.28], "sheenRoughnessFactor": 0.28 },
            });
        }
        if self == Material::Glint {
            material["emissiveFactor"] = json!([0.75, 0.75, 0.75]);
        }
        material
    }
}

/// Colours of the character, by the part that has them.
pub(super) struct Palette {
    pub(super) fur: Paint,
    pub(super) fur_shade: Paint,
    pub(super) blush: Paint,
    pub(super) inner_ear: Paint,
    pub(super) hair: Paint,
    pub(super) hair_tip: Paint,
    pub(super) horn: Paint,
    pub(super) horn_tip: Paint,
    pub(super) nose: Paint,
    pub(super) line: Paint,
    pub(super) mouth: Paint,
    pub(super) tongue: Paint,
    pub(super) eye_white: Paint,
    pub(super) iris_top: Paint,
    pub(super) iris_bottom: Paint,
    pub(super) pupil: Paint,
    pub(super) sweater: Paint,
    pub(super) sweater_trim: Paint,
    pub(super) stripe: Paint,
    pub(super) scarf: Paint,
    pub(super) scarf_stripe: Paint,
    pub(super) shorts: Paint,
    pub(super) boot: Paint,
    pub(super) boot_trim: Paint,
    pub(super) sole: Paint,
    pub(super) brass: Paint,
    pub(super) white: Paint,
    pub(super) raincoat: Paint,
    pub(super) raincoat_trim: Paint,
}

pub(super) fn palette() -> Palette {
    Palette {
        fur: srgb(0xf7e6cd),
        fur_shade: srgb(0xe9c9a2),
        blush: srgb(0xf2927c),
        inner_ear: srgb(0xeb9a86),
        hair: srgb(0x8f4f2e),
        hair_tip: srgb(0xb46a3a),
        horn: srgb(0xe2c79a),
        horn_tip: srgb(0x7d5a3e),
        nose: srgb(0x5a2f2c),
        line: srgb(0x3a1f1f),
        mouth: srgb(0x6d1f29),
        tongue: srgb(0xee7d78),
        eye_white: srgb(0xfdfaf3),
        iris_top: srgb(0x2b1a12),
        iris_bottom: srgb(0xc97a2b),
        pupil: srgb(0x120a0a),
        sweater: srgb(0x1f8587),
        sweater_trim: srgb(0x17696d),
        stripe: srgb(0xf4e6ce),
        scarf: srgb(0xee5f3e),
        scarf_stripe: srgb(0xf8dfb4),
        shorts: srgb(0x2f3b63),
        boot: srgb(0x7b4528),
        boot_trim: srgb(0x5d3220),
        sole: srgb(0xf0dfc2),
        brass: srgb(0xf0b948),
        white: srgb(0xffffff),
        raincoat: srgb(0xf5b62e),
        raincoat_trim: srgb(0xd98a1c),
    }
}
