//! Parts of shaders that not all meshes and materials need. Each pipeline is compiled without those that its meshes
//! don't need: the first picture waits for compiling, and software GPUs run what is left faster.

use super::frame::Tone;
use super::gpu_data::DrawData;
use super::materials;
use super::shaders::Module;
use crate::model::{AlphaMode, Material, TextureSlot, UvTransform};

/// A set of parts. A shader has the bits as the constant `PARTS`. It is correct with more parts than it needs, apart
/// from `is_lit`, `BLENDS_ROTATIONS`, `CUT_OUT` and those of tone mappers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ShaderParts(u32);

/// Number of parts that `deform.wgsl` declares, and that it and `material.wgsl` declare.
const IN_DEFORM: usize = 4;
const IN_MATERIAL: usize = 5;
/// Index of the first part of a tone mapper.
const FIRST_OF_TONE: usize = 13;

impl ShaderParts {
    /// The constants of the shaders, in the order of the bits.
    pub const NAMES: [&str; 19] = [
        "morphs",
        "skins",
        "has_more_influences",
        "blends_rotations",
        "moves_uvs",
        "has_normal_map",
        "has_metallic_roughness_map",
        "has_occlusion_map",
        "has_emissive_map",
        "is_lit",
        "cuts_out",
        "has_tangents",
        "is_shadowed",
        "tones_aces",
        "tones_agx",
        "tones_linearly",
        "is_metallic",
        "scales_normals",
        "may_be_tinted",
    ];

    pub const ALL: Self = Self((1 << Self::NAMES.len()) - 1);

    /// The part that blends skins by dual quaternions. Unlike the others, it changes the picture.
    pub(super) const BLENDS_ROTATIONS: Self = Self(1 << 3);

    /// The part that reads tangents.
    pub(super) const TANGENTS: Self = Self(1 << 11);

    /// The parts of views (`shaders/views/view.wgsl`) that draw edges and outlines in place of faces.
    pub(super) const EDGES: Self = Self(1 << 30);
    pub(super) const OUTLINE: Self = Self(1 << 29);

    /// The parts of views that draw a pose before or after the present one: its surface, or its depths alone.
    pub(super) const GHOST: Self = Self(1 << 27);
    pub(super) const GHOST_DEPTH: Self = Self(1 << 26);

    /// The part of shadow maps (`shaders/shadow.wgsl`) that draws the depths which the viewer sees.
    pub(super) const SEEN_BY_VIEWER: Self = Self(1 << 25);

    /// Marks the parts of a view, whose shaders replace those of meshes.
    pub(super) const VIEW: Self = Self(1 << 28);

    /// The part for the thickness of volumes, which scales with the model.
    const SCALES_NORMALS: Self = Self(1 << 17);

    /// The part that reads tints of characters.
    pub(super) const TINTED: Self = Self(1 << 18);

    /// The part for metals.
    pub(super) const METALLIC: Self = Self(1 << 16);

    /// The part that discards fragments.
    pub(super) const CUT_OUT: Self = Self(1 << 10);

    /// The part that reads the shadow map.
    pub(super) const SHADOWED: Self = Self(1 << 12);

    /// Returns the set with these bits of `PARTS`.
    pub fn from_bits(bits: u32) -> Self {
        Self(bits)
    }

    /// Iterates over the parts of the set, as sets of one.
    pub fn iter(self) -> impl Iterator<Item = Self> {
        (0..Self::NAMES.len()).map(move |bit| Self(self.0 & 1 << bit)).filter(|part| part.0 != 0)
    }

    /// Returns the declaration of the constant `PARTS`.
    pub(super) fn declaration(self) -> String {
        format!("const PARTS={};", self.0)
    }

    /// Returns the definition of the macro `PARTS` for shaders in GLSL.
    #[cfg(all(feature = "webgl", target_arch = "wasm32"))]
    pub(super) fn macro_definition(self) -> String {
        format!("#define PARTS {}u\n", self.0)
    }

    /// Returns the parts that a draw call of a mesh needs.
    pub(super) fn of_mesh(data: &DrawData) -> Self {
        let is_skinned = data.skinned != 0;
        Self::of(
            [data.morph_target_count > 0, is_skinned, is_skinned && data.influence_rows_per_vertex > 0],
            0,
        )
    }

    /// Returns the parts that a material needs.
    pub(super) fn of_material(material: &Material) -> Self {
        let slots = material.textures();
        let [first_set, _] = materials::uv_sets(material);
        let moves = |slot: &&TextureSlot| slot.transform != UvTransform::IDENTITY || slot.uv_set != first_set;
        let parts = [
            slots.iter().flatten().any(moves),
            material.normal_texture.is_some(),
            material.metallic_roughness_texture.is_some(),
            material.occlusion_texture.is_some(),
            material.emissive_texture.is_some(),
            !material.unlit,
            matches!(material.alpha, AlphaMode::Mask { .. }),
            material.tangent_uv_set().is_some(),
        ];
        let metallic = if material.metallic > 0.0 { Self::METALLIC } else { Self::default() };
        let scaled = if material.thickness > 0.0 { Self::SCALES_NORMALS } else { Self::default() };
        Self::of(parts, IN_DEFORM).and(metallic).and(scaled)
    }

    /// Returns the parts that a tone mapper needs.
    pub(super) fn of_tone(tone: Tone) -> Self {
        Self::of([tone == Tone::Aces, tone == Tone::Agx, tone == Tone::Linear], FIRST_OF_TONE)
    }

    /// Returns whether any of these bits of `PARTS` is set.
    #[cfg(not(all(feature = "webgl", target_arch = "wasm32")))]
    pub(super) fn has_any(self, bits: u32) -> bool {
        self.0 & bits != 0
    }

    /// Returns whether fragments are discarded by their alpha.
    pub(super) fn cuts_out(self) -> bool {
        self.0 & Self::CUT_OUT.0 != 0
    }

    /// Returns whether these are the parts of a view.
    pub(super) fn is_of_view(self) -> bool {
        self.0 & Self::VIEW.0 != 0
    }

    /// Returns whether a blended surface writes depths.
    pub(super) fn writes_depth(self) -> bool {
        self.0 & Self::GHOST_DEPTH.0 != 0
    }

    fn of<const N: usize>(parts: [bool; N], first: usize) -> Self {
        Self((first..).zip(parts).map(|(bit, is_needed)| u32::from(is_needed) << bit).sum())
    }

    pub(super) fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns the parts that a module declares.
    pub fn within(self, module: Module) -> Self {
        let declared = match module {
            // Views have more than the others.
            Module::Mesh => (1 << 31) - 1,
            Module::Shadow => ((1 << IN_MATERIAL) - 1) | Self::SEEN_BY_VIEWER.0,
            Module::ReadBack => (1 << IN_DEFORM) - 1,
            Module::Ground | Module::Lines | Module::Blur | Module::Blit => 0,
        };
        Self(self.0 & declared)
    }
}
