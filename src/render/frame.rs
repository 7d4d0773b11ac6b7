use super::gpu_model::GpuMaterial;
use super::{Backdrop, Coarse, GpuModel, Guides, Lamp, Occlusion, OwnMaterial, Throngs, Views};
use crate::animation::Skinning;
use crate::camera::View;
use crate::light::Environment;
use crate::model::{Aabb, VariantIndex};
use glam::{Vec3, Vec4};
use std::rc::Rc;

/// The content of one picture.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    pub actors: &'a [Actor<'a>],
    pub view: &'a View,
    /// sRGB-encoded colour with straight alpha. `None` is transparent.
    pub background: Option<Vec4>,
    /// Shows the environment in place of the background.
    pub backdrop: Option<&'a Backdrop>,
    pub ground: Option<Ground>,
    /// Overlay lines, two vertices for each.
    pub lines: &'a [LineVertex],
    /// Lights of the models.
    pub lamps: &'a [Lamp],
    pub lighting: Lighting<'a>,
    /// Factor of the light, before tone mapping. 1 is neutral.
    pub exposure: f32,
    pub tone: Tone,
    /// Darkens surfaces where limbs in front of them keep light away.
    pub occlusion: Option<&'a Occlusion>,
    /// Shows data of surfaces in place of their light.
    pub views: Option<&'a Views>,
    /// Draws over the picture.
    pub guides: Option<&'a Guides>,
    /// Actors that have more members than characters, whose rows are computed on the GPU.
    pub throngs: Option<&'a Throngs>,
}

/// How the light of a scene is fitted into what a screen shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tone {
    /// Khronos PBR Neutral: colours up to 0.8 stay, highlights become white.
    #[default]
    Neutral,
    Aces,
    Agx,
    /// Light above 1 is cut.
    Linear,
}

impl Tone {
    pub const ALL: [Self; 4] = [Self::Neutral, Self::Aces, Self::Agx, Self::Linear];
}

/// Light from all around, and the factor of other light.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lighting<'a> {
    /// `None` is the built-in studio.
    pub environment: Option<&'a Rc<Environment>>,
    /// Angle in radians by which the environment is turned about y.
    pub turn: f32,
    /// Factor of its light.
    pub intensity: f32,
    /// Factor of the light of lamps.
    pub lamps: f32,
}

/// A model in a picture, and the characters that show it.
#[derive(Clone, Copy, Debug)]
pub struct Actor<'a> {
    pub model: &'a Rc<GpuModel>,
    /// Rows of all characters, one character after another, in the model's palette layout, followed by the tints.
    pub rows: &'a [Vec4],
    pub character_count: usize,
    /// Whether each drawable is hidden: not drawn, and without a shadow. Drawables beyond the end are drawn.
    /// If there are more entries than drawables, each character has its own, one character after another.
    pub hidden: &'a [bool],
    /// Whether each character is hidden: not drawn, and without a shadow. Characters beyond the end are drawn.
    pub absent: &'a [bool],
    /// Index in `rows` of the first tint. There is one tint for each character, by which its base colours are
    /// multiplied. `None` stands for no tints.
    pub first_tint_row: Option<usize>,
    /// Variant of the model's materials. `None` stands for the materials that primitives have without variants.
    pub variant: Option<VariantIndex>,
    /// How each skin of the model is blended. Skins beyond the end are linear.
    pub skinnings: &'a [Skinning],
    /// Replacements of the model's materials, by material index.
    pub own_materials: &'a [Option<OwnMaterial>],
    /// Bounds of the model over the clips that play, in model space. The shadow map covers them for every character.
    pub clip_bounds: Option<Aabb>,
    /// Whether the characters stay near `clip_bounds`, so that those that are out of the picture need not be drawn.
    pub is_bounded: bool,
    /// Fewer triangles for characters that are small in the picture and bounded.
    pub coarse: Option<&'a Coarse>,
}

impl<'a> Actor<'a> {
    /// Returns the material to draw for a material index, or `None` if it is hidden.
    pub(super) fn material(&self, index: usize) -> Option<&'a GpuMaterial> {
        match self.own_materials.get(index) {
            Some(Some(own)) => own.visible.then_some(&own.drawn),
            _ => self.model.materials.get(index),
        }
    }
}

/// A horizontal floor that fades out towards its edge. It is centred under the characters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ground {
    pub height: f32,
    pub radius: f32,
}

/// An end of an overlay line, which is drawn over everything else.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LineVertex {
    pub position_in_world: Vec3,
    /// sRGB-encoded colour with straight alpha.
    pub color: Vec4,
}

/// Statistics of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DrawStats {
    pub draws: usize,
    /// Triangles of the mesh pass, counted for every character.
    pub triangles: usize,
    /// Bytes of the buffers and textures of the model and the canvas. Shared resources are divided among their users.
    pub gpu_bytes: u64,
    /// The picture lacks antialiasing, mip levels, the shadow or the ground, which a later picture has.
    pub is_deferred: bool,
}
