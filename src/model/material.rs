use super::{ImageIndex, TextureIndex};
use glam::Vec2;
use std::sync::Arc;

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

/// The use of a texture's values, which determines their format on the GPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextureUsage {
    /// Colours that are encoded as sRGB.
    Color,
    /// Numbers.
    Data,
    /// Directions: a normal map. The neutral pixel is a flat normal.
    Normal,
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
