//! The table of material properties. Import, checks, export, `inspect`, the GPU layout, the choice of shaders and the
//! list of extensions in the documentation (`www/docs/materials.mjs`) follow from it.
//!
//! - A feature is the core of glTF, or an extension that shaders draw. Its properties follow its name.
//! - Paths are JSON paths within a material's object.
//! - The order of textures is the order of their bindings. The order of factors within a feature is their order in
//!   the shader's struct. `tests/shaders.rs` compares both with the shaders.
use super::{AlphaMode, TextureSlot, TextureUsage};
use glam::{Vec3, Vec4};

macro_rules! materials {
    ($(
        $(#[$feature_doc:meta])*
        $feature:ident $prefix:literal when $is_used:expr;
        textures {$(
            $(#[$texture_doc:meta])*
            $texture:ident: $usage:ident, $texture_path:literal, $label:literal;
        )*}
        factors {$(
            $(#[$factor_doc:meta])*
            $factor:ident: $ty:ty = $default:expr, $range:ident, $factor_path:literal;
        )*}
    )+) => {
        /// Metallic-roughness material with extensions. Colours are linear.
        #[derive(Debug, PartialEq)]
        pub struct Material {
            pub name: String,
            $($(
                $(#[$texture_doc])*
                pub $texture: Option<TextureSlot>,
            )*)+
            $($(
                $(#[$factor_doc])*
                pub $factor: $ty,
            )*)+
            pub alpha: AlphaMode,
            pub double_sided: bool,
            /// Shows the base colour without lighting.
            pub unlit: bool,
            /// Describes the surface by a specular colour and a glossiness. The base colour is that of diffuse light;
            /// metalness and roughness aren't used.
            pub specular_glossiness: bool,
        }

        // Shorter code than the derived one, which has a branch for each texture.
        impl Clone for Material {
            fn clone(&self) -> Self {
                Self { name: self.name.clone(), ..*self }
            }
        }

        impl Default for Material {
            /// Returns the default that the glTF specification defines for primitives without a material.
            fn default() -> Self {
                Self {
                    name: String::new(),
                    $($($texture: None,)*)+
                    $($($factor: $default,)*)+
                    alpha: AlphaMode::Opaque,
                    double_sided: false,
                    unlit: false,
                    specular_glossiness: false,
                }
            }
        }

        /// The core of glTF's materials, or an extension of them that shaders draw.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum MaterialFeature {
            $($(#[$feature_doc])* $feature,)+
        }

        impl MaterialFeature {
            pub const ALL: &[Self] = &[$(Self::$feature),+];
        }

        const PREFIXES: &[&str] = &[$($prefix),+];
        const IS_USED: &[fn(&Material) -> bool] = &[$($is_used),+];

        /// The texture slots of every material.
        pub const TEXTURES: &[TextureRow] = &[$($(TextureRow {
            feature: MaterialFeature::$feature,
            path: concat!($prefix, $texture_path),
            usage: TextureUsage::$usage,
        },)*)+];
        /// Names of the fields of [`TEXTURES`] in [`Material`], and words for them.
        pub const TEXTURE_NAMES: &[(&str, &str)] = &[$($((stringify!($texture), $label),)*)+];

        /// The factors of every material.
        pub const FACTORS: &[FactorRow] = &[$($(FactorRow {
            feature: MaterialFeature::$feature,
            path: concat!($prefix, $factor_path),
            range: FactorRange::$range,
            count: size_of::<$ty>() / size_of::<f32>(),
        },)*)+];
        /// Names of the fields of [`FACTORS`] in [`Material`].
        pub const FACTOR_NAMES: &[&str] = &[$($(stringify!($factor),)*)+];

        // Not inlined: each is much code, because it names every field.
        impl Material {
            /// Returns the textures in the order of [`TEXTURES`].
            #[inline(never)]
            pub fn textures(&self) -> [Option<&TextureSlot>; TEXTURES.len()] {
                [$($(self.$texture.as_ref(),)*)+]
            }

            /// Returns the textures for writing, in the order of [`TEXTURES`].
            #[inline(never)]
            pub fn textures_mut(&mut self) -> [&mut Option<TextureSlot>; TEXTURES.len()] {
                [$($(&mut self.$texture,)*)+]
            }

            /// Returns the numbers of the factors in the order of [`FACTORS`].
            #[inline(never)]
            pub fn factors(&self) -> [&[f32]; FACTORS.len()] {
                [$($(bytemuck::cast_slice(std::slice::from_ref(&self.$factor)),)*)+]
            }

            /// Returns the numbers of the factors for writing, in the order of [`FACTORS`].
            #[inline(never)]
            pub fn factors_mut(&mut self) -> [&mut [f32]; FACTORS.len()] {
                [$($(bytemuck::cast_slice_mut(std::slice::from_mut(&mut self.$factor)),)*)+]
            }
        }
    };
}

// feature, prefix of its paths, and whether a lit material uses it
//     texture: usage, path, words of `inspect`
//     factor: type and default, range, path
materials! {
    Core "" when |_| true;
    textures {
        base_color_texture: Color, "pbrMetallicRoughness/baseColorTexture", "base colour";
        /// Green is roughness, blue is metalness.
        metallic_roughness_texture: Data, "pbrMetallicRoughness/metallicRoughnessTexture", "metallic-roughness";
        normal_texture: Normal, "normalTexture", "normals";
        /// Red is occlusion.
        occlusion_texture: Data, "occlusionTexture", "occlusion";
        emissive_texture: Color, "emissiveTexture", "emissive";
    }
    factors {
        base_color: Vec4 = Vec4::ONE, Unit, "pbrMetallicRoughness/baseColorFactor";
        /// Includes the file's emissive strength as a factor.
        emissive: Vec3 = Vec3::ZERO, Unit, "emissiveFactor";
        normal_scale: f32 = 1.0, Any, "normalTexture/scale";
        metallic: f32 = 1.0, Unit, "pbrMetallicRoughness/metallicFactor";
        roughness: f32 = 1.0, Unit, "pbrMetallicRoughness/roughnessFactor";
        occlusion_strength: f32 = 1.0, Unit, "occlusionTexture/strength";
    }

    /// A clear layer above the surface.
    Clearcoat "extensions/KHR_materials_clearcoat/" when |material| material.clearcoat > 0.0;
    textures {
        /// Red is the strength of the coat.
        clearcoat_texture: Data, "clearcoatTexture", "clear coat";
        /// Green is the roughness of the coat.
        clearcoat_roughness_texture: Data, "clearcoatRoughnessTexture", "clear coat roughness";
        clearcoat_normal_texture: Normal, "clearcoatNormalTexture", "clear coat normals";
    }
    factors {
        /// Strength of the coat.
        clearcoat: f32 = 0.0, Unit, "clearcoatFactor";
        clearcoat_roughness: f32 = 0.0, Unit, "clearcoatRoughnessFactor";
        clearcoat_normal_scale: f32 = 1.0, Any, "clearcoatNormalTexture/scale";
    }

    /// Strength and colour of reflections.
    Specular "extensions/KHR_materials_specular/" when Material::changes_specular;
    textures {
        /// Alpha is the strength of reflections.
        specular_texture: Data, "specularTexture", "specular";
        specular_color_texture: Color, "specularColorTexture", "specular colour";
    }
    factors {
        /// Colour of reflections at normal incidence.
        specular_color: Vec3 = Vec3::ONE, Positive, "specularColorFactor";
        /// Strength of reflections.
        specular: f32 = 1.0, Unit, "specularFactor";
    }

    /// The refractive index, from which the strength of reflections follows.
    Ior "extensions/KHR_materials_ior/" when |material| material.ior != 1.5;
    textures {
    }
    factors {
        ior: f32 = 1.5, Positive, "ior";
    }

    /// Cloth: fibres above the surface.
    Sheen "extensions/KHR_materials_sheen/" when |material| material.sheen_color != Vec3::ZERO;
    textures {
        sheen_color_texture: Color, "sheenColorTexture", "sheen";
        /// Alpha is the roughness of the sheen.
        sheen_roughness_texture: Data, "sheenRoughnessTexture", "sheen roughness";
    }
    factors {
        sheen_color: Vec3 = Vec3::ZERO, Unit, "sheenColorFactor";
        sheen_roughness: f32 = 0.0, Unit, "sheenRoughnessFactor";
    }

    /// Specular colour and glossiness in place of metalness and roughness. The base colour is that of diffuse light.
    SpecularGlossiness "extensions/KHR_materials_pbrSpecularGlossiness/" when |material| material.specular_glossiness;
    textures {
        /// Alpha is the glossiness.
        specular_glossiness_texture: Color, "specularGlossinessTexture", "specular and glossiness";
    }
    factors {
        specular_glossiness_color: Vec3 = Vec3::ONE, Unit, "specularFactor";
        glossiness: f32 = 1.0, Unit, "glossinessFactor";
    }

    /// A thin film, whose colour depends on the angle.
    Iridescence "extensions/KHR_materials_iridescence/" when |material| material.iridescence > 0.0;
    textures {
        /// Red is the strength of the film.
        iridescence_texture: Data, "iridescenceTexture", "iridescence";
        /// Green is the thickness of the film, from the least to the greatest.
        iridescence_thickness_texture: Data, "iridescenceThicknessTexture", "iridescence thickness";
    }
    factors {
        /// Strength of the film.
        iridescence: f32 = 0.0, Unit, "iridescenceFactor";
        /// Refractive index of the film.
        iridescence_ior: f32 = 1.3, Positive, "iridescenceIor";
        /// Least thickness of the film in nanometres.
        iridescence_thickness_minimum: f32 = 100.0, Positive, "iridescenceThicknessMinimum";
        /// Greatest thickness of the film in nanometres, which it has without a texture.
        iridescence_thickness_maximum: f32 = 400.0, Positive, "iridescenceThicknessMaximum";
    }

    /// Reflections that are stretched along the surface.
    Anisotropy "extensions/KHR_materials_anisotropy/" when |material| material.anisotropy > 0.0;
    textures {
        /// Red and green are the direction, blue is the strength.
        anisotropy_texture: Data, "anisotropyTexture", "anisotropy";
    }
    factors {
        /// Strength of the stretch.
        anisotropy: f32 = 0.0, Unit, "anisotropyStrength";
        /// Angle from the tangent in radians, counter-clockwise.
        anisotropy_rotation: f32 = 0.0, Any, "anisotropyRotation";
    }

    /// Light that shines through thin matter.
    DiffuseTransmission "extensions/KHR_materials_diffuse_transmission/" when Material::lets_light_through;
    textures {
        /// Alpha is the share of light that passes.
        diffuse_transmission_texture: Data, "diffuseTransmissionTexture", "diffuse transmission";
        diffuse_transmission_color_texture: Color, "diffuseTransmissionColorTexture", "diffuse transmission colour";
    }
    factors {
        diffuse_transmission_color: Vec3 = Vec3::ONE, Unit, "diffuseTransmissionColorFactor";
        /// Share of light that passes.
        diffuse_transmission: f32 = 0.0, Unit, "diffuseTransmissionFactor";
    }

    /// Light that passes through glass and the like.
    Transmission "extensions/KHR_materials_transmission/" when |material| material.transmission > 0.0;
    textures {
        /// Red is the share of light that passes.
        transmission_texture: Data, "transmissionTexture", "transmission";
    }
    factors {
        /// Share of light that passes.
        transmission: f32 = 0.0, Unit, "transmissionFactor";
    }

    /// Matter with a thickness, which absorbs light.
    Volume "extensions/KHR_materials_volume/" when |material| material.thickness > 0.0;
    textures {
        /// Green is the thickness.
        thickness_texture: Data, "thicknessTexture", "thickness";
    }
    factors {
        /// Colour of white light after `attenuation_distance`.
        attenuation_color: Vec3 = Vec3::ONE, Unit, "attenuationColor";
        /// Thickness of the matter below the surface.
        thickness: f32 = 0.0, Positive, "thicknessFactor";
        attenuation_distance: f32 = f32::MAX, Positive, "attenuationDistance";
    }

    /// Light of different colours is bent differently.
    Dispersion "extensions/KHR_materials_dispersion/" when |material| material.dispersion > 0.0;
    textures {
    }
    factors {
        /// 20 divided by the Abbe number.
        dispersion: f32 = 0.0, Positive, "dispersion";
    }
}

/// A texture slot of materials.
#[derive(Debug)]
pub struct TextureRow {
    pub feature: MaterialFeature,
    /// JSON path of the texture's object.
    pub path: &'static str,
    pub usage: TextureUsage,
}

/// A number or colour of materials.
#[derive(Debug)]
pub struct FactorRow {
    pub feature: MaterialFeature,
    /// JSON path of the number, or of the array of `count` numbers.
    pub path: &'static str,
    pub range: FactorRange,
    pub count: usize,
}

/// Numbers that glTF allows for a factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FactorRange {
    Any,
    /// 0 to 1.
    Unit,
    /// 0 or more.
    Positive,
}

impl FactorRange {
    /// Returns the nearest number in the range.
    pub fn clamp(self, number: f32) -> f32 {
        match self {
            Self::Any => number,
            Self::Unit => number.clamp(0.0, 1.0),
            Self::Positive => number.clamp(0.0, f32::MAX),
        }
    }
}

impl FactorRow {
    /// Returns the index in [`TEXTURES`] of the texture whose object has this factor, like the scale of a normal map.
    pub fn texture(&self) -> Option<usize> {
        let is_inside =
            |row: &TextureRow| self.path.strip_prefix(row.path).is_some_and(|rest| rest.starts_with('/'));
        TEXTURES.iter().position(is_inside)
    }
}

/// Returns the JSON path of a property of the table. Materials with specular colour and glossiness have the base colour
/// elsewhere.
pub fn path_in(path: &'static str, specular_glossiness: bool) -> &'static str {
    match path {
        "pbrMetallicRoughness/baseColorFactor" if specular_glossiness => {
            "extensions/KHR_materials_pbrSpecularGlossiness/diffuseFactor"
        }
        "pbrMetallicRoughness/baseColorTexture" if specular_glossiness => {
            "extensions/KHR_materials_pbrSpecularGlossiness/diffuseTexture"
        }
        path => path,
    }
}

impl MaterialFeature {
    /// Returns the name of the glTF extension. The core has none.
    pub fn extension(self) -> Option<&'static str> {
        PREFIXES.get(self as usize)?.strip_prefix("extensions/")?.strip_suffix('/')
    }
}

/// What selects a material's shader: a set of features, which always contains the core, and the textures of extensions
/// that the shader reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MaterialFeatures {
    /// A bit for each feature.
    features: u32,
    /// A bit for each row of [`TEXTURES`].
    textures: u32,
}

/// Number of textures of extensions that a material can have. WebGL2 has 16 for a shader, and the others take ten. A
/// transmissive material takes one for the picture behind it. The shader doesn't read further textures.
pub const MOST_EXTENSION_TEXTURES: usize = 6;

impl MaterialFeatures {
    pub const CORE: Self = Self { features: 1 << MaterialFeature::Core as u32, textures: 0 };

    /// The first of the bits of `features` that stand for what pictures have: lights of models, limbs that occlude each
    /// other, and output brighter than white.
    const FIRST_OF_PICTURE: u32 = 29;

    /// Returns the features with what lights of models, occlusion between limbs, and output brighter than white need.
    /// They aren't part of the material.
    pub fn in_picture(self, [has_lamps, has_limbs, has_range]: [bool; 3]) -> Self {
        let needs = u32::from(has_lamps) | (u32::from(has_limbs) << 1) | (u32::from(has_range) << 2);
        Self { features: self.of_material().features | (needs << Self::FIRST_OF_PICTURE), ..self }
    }

    /// Returns the features of the material alone.
    pub fn of_material(self) -> Self {
        Self { features: self.features & ((1 << Self::FIRST_OF_PICTURE) - 1), ..self }
    }

    pub fn is_lit_by_lamps(self) -> bool {
        self.features & 1 << Self::FIRST_OF_PICTURE != 0
    }

    pub fn is_occluded_by_limbs(self) -> bool {
        self.features & 1 << (Self::FIRST_OF_PICTURE + 1) != 0
    }

    pub fn has_high_range(self) -> bool {
        self.features & 1 << (Self::FIRST_OF_PICTURE + 2) != 0
    }

    /// Returns whether the shader can read a texture more than the material's. A transmissive one reads the picture
    /// behind it.
    pub fn has_room(self) -> bool {
        self.textures.count_ones() < MOST_EXTENSION_TEXTURES as u32
            && !self.contains(MaterialFeature::Transmission)
    }

    pub fn contains(self, feature: MaterialFeature) -> bool {
        self.features & (1 << feature as u32) != 0
    }

    /// Returns whether the shader reads a texture, by its index in [`TEXTURES`]. It reads all of the core.
    pub fn reads(self, texture: usize) -> bool {
        let is_core = TEXTURES.get(texture).is_some_and(|row| row.feature == MaterialFeature::Core);
        is_core || self.textures & (1 << texture) != 0
    }

    /// Iterates over the features in the order of the table.
    pub fn iter(self) -> impl Iterator<Item = MaterialFeature> {
        MaterialFeature::ALL.iter().copied().filter(move |&feature| self.contains(feature))
    }
}

impl Material {
    /// Returns the features that affect how the material looks.
    pub fn features(&self) -> MaterialFeatures {
        let mut found = MaterialFeatures::CORE;
        if self.unlit {
            return found;
        }
        for (index, is_used) in IS_USED.iter().enumerate() {
            found.features |= u32::from(is_used(self)) << index;
        }
        let mut count = usize::from(found.contains(MaterialFeature::Transmission));
        for (index, (row, slot)) in TEXTURES.iter().zip(self.textures()).enumerate() {
            let is_extension = row.feature != MaterialFeature::Core && found.contains(row.feature);
            if is_extension && slot.is_some() && count < MOST_EXTENSION_TEXTURES {
                found.textures |= 1 << index;
                count += 1;
            }
        }
        found
    }

    fn lets_light_through(&self) -> bool {
        self.diffuse_transmission > 0.0
    }

    fn changes_specular(&self) -> bool {
        let has_texture = self.specular_texture.is_some() || self.specular_color_texture.is_some();
        has_texture || self.specular != 1.0 || self.specular_color != Vec3::ONE
    }

    /// Returns the set of texture coordinates that define the tangents, if the material needs tangents: those of its
    /// normal map, or else those along which reflections are stretched.
    pub fn tangent_uv_set(&self) -> Option<usize> {
        let is_normal_map = |row: &TextureRow| row.usage == TextureUsage::Normal;
        let mut slots = TEXTURES.iter().zip(self.textures());
        let normal_map = slots.find_map(|(row, slot)| slot.filter(|_| is_normal_map(row)));
        let stretch = || self.anisotropy_texture.map_or(0, |slot| slot.uv_set);
        normal_map.map(|slot| slot.uv_set).or_else(|| (self.anisotropy > 0.0).then(stretch))
    }
}
