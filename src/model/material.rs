use super::{ImageIndex, TextureIndex};
use glam::{Vec2, Vec3, Vec4};
use std::sync::Arc;

/// Metallic-roughness material. Colours are linear.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    pub name: String,
    pub base_color: Vec4,
    pub base_color_texture: Option<TextureSlot>,
    pub metallic: f32,
    pub roughness: f32,
    /// Green is roughness, blue is metalness.
    pub metallic_roughness_texture: Option<TextureSlot>,
    pub normal_texture: Option<TextureSlot>,
    pub normal_scale: f32,
    /// Red is occlusion.
    pub occlusion_texture: Option<TextureSlot>,
    pub occlusion_strength: f32,
    /// Includes the file's emissive strength as a factor.
    pub emissive: Vec3,
    pub emissive_texture: Option<TextureSlot>,
    pub alpha: AlphaMode,
    pub double_sided: bool,
    /// Shows the base colour without lighting.
    pub unlit: bool,
}

impl Default for Material {
    /// Returns the default that the glTF specification defines for primitives without a material.
    fn default() -> Self {
        Self {
            name: String::new(),
            base_color: Vec4::ONE,
            base_color_texture: None,
            metallic: 1.0,
            roughness: 1.0,
            metallic_roughness_texture: None,
            normal_texture: None,
            normal_scale: 1.0,
            occlusion_texture: None,
            occlusion_strength: 1.0,
            emissive: Vec3::ZERO,
            emissive_texture: None,
            alpha: AlphaMode::Opaque,
            double_sided: false,
            unlit: false,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum AlphaMode {
    #[default]
    Opaque,
    /// Fragments whose alpha is below the cutoff are not drawn.
    Mask {
        cutoff: f32,
    },
    Blend,
}

/// A material's use of a texture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TextureSlot {
    pub texture: TextureIndex,
    /// Index into [`Primitive::uv_sets`](super::Primitive::uv_sets).
    pub uv_set: usize,
    pub transform: UvTransform,
}

/// Transform of texture coordinates: scale, then rotation (radians, counter-clockwise in texture space), then offset.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UvTransform {
    pub offset: Vec2,
    pub rotation: f32,
    pub scale: Vec2,
}

impl UvTransform {
    pub const IDENTITY: Self = Self { offset: Vec2::ZERO, rotation: 0.0, scale: Vec2::ONE };
}

impl Default for UvTransform {
    fn default() -> Self {
        Self::IDENTITY
    }
}

/// An image and its sampler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Texture {
    pub image: ImageIndex,
    pub magnify: Filter,
    pub minify: Filter,
    /// Filter between mip levels; `None` uses only the largest level.
    pub mipmap: Option<Filter>,
    pub wrap_u: Wrap,
    pub wrap_v: Wrap,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Filter {
    Nearest,
    #[default]
    Linear,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Wrap {
    #[default]
    Repeat,
    ClampToEdge,
    MirroredRepeat,
}

/// An encoded image, which the browser decodes.
#[derive(Clone, Debug, PartialEq)]
pub struct Image {
    pub name: String,
    /// MIME type by the first bytes, or else from the file; `None` if neither gives one.
    pub mime_type: Option<String>,
    pub source: ImageSource,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ImageSource {
    /// Bytes of a PNG, JPEG, WebP or other file.
    Encoded(Arc<[u8]>),
    /// URI of a file beside the model, as written in the model. It is fetched or found among the dropped files.
    Uri(String),
}
