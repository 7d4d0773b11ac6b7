//! Views of surfaces by their data, such as normals or joint weights, in place of their light.
//!
//! Few pages show one, so pages fetch this code with the first. The renderer therefore calls it through a trait, and
//! only [`Views::new`], which an export calls, refers to what implements it.
//!
//! A view draws the items of the picture's list with the same vertices, bind groups and rows. Only the fragment shader
//! differs, so that poses, cut-outs and culling are those of the lit picture.

mod joint_colors;
mod kept;
mod outlines;
mod pass;
pub mod shaders;

use super::DrawStats;
use super::draw_list::Item;
use super::renderer::{Cast, Renderer};
use pass::ViewPass;
use std::fmt;
use std::rc::Rc;

/// What a view shows. The numbers are those of `shaders/views/view.wgsl`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SurfaceView {
    /// Normals in world space, as they are lit: `0.5 + 0.5 n`.
    Normals = 1,
    /// Normals as the viewer sees them: x to the right, y up, z towards the viewer.
    ViewNormals,
    Tangents,
    /// A grid of labelled cells in place of the textures.
    Uv,
    /// Colours of joints, blended by their weights, or the weights of one joint as heat.
    Weights,
    /// Edges of triangles over a plain surface.
    Wireframe,
    /// Clay.
    Matcap,
    /// Light in steps, with an outline.
    Toon,
    /// Base colour, sRGB-encoded.
    Color,
    Alpha,
    Metallic,
    Roughness,
    Occlusion,
    Emissive,
    VertexColor,
}

impl SurfaceView {
    pub const ALL: [Self; 15] = [
        Self::Normals,
        Self::ViewNormals,
        Self::Tangents,
        Self::Uv,
        Self::Weights,
        Self::Wireframe,
        Self::Matcap,
        Self::Toon,
        Self::Color,
        Self::Alpha,
        Self::Metallic,
        Self::Roughness,
        Self::Occlusion,
        Self::Emissive,
        Self::VertexColor,
    ];
}

/// Draws the surfaces of a picture. It doesn't extend `Debug`, whose code the table of its functions would keep.
pub(super) trait DrawSurfaces {
    /// Chooses the joint whose weights are shown, by its name.
    fn choose(&self, joint: &str);

    /// Draws items of the picture's list. Group 0 is that of the first actor before and after.
    fn draw(
        &self,
        renderer: &Renderer,
        pass: &mut wgpu::RenderPass<'_>,
        shown: (&Cast<'_>, &Views),
        items: &[Item],
        stats: &mut DrawStats,
    );

    /// Returns the bytes that it keeps on the GPU.
    fn byte_count(&self) -> u64;
}

/// A view of surfaces, and what it keeps on the GPU. Clones share it.
#[derive(Clone)]
pub struct Views {
    pub(super) surfaces: Rc<dyn DrawSurfaces>,
    /// `FrameData::view`.
    pub(super) number: u32,
}

impl fmt::Debug for Views {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Views")
    }
}

impl Views {
    /// Creates a view. `joint` is the name of the joint whose weights are shown; empty for all joints.
    pub fn new(view: SurfaceView, joint: &str) -> Self {
        let mut views = Self { surfaces: Rc::new(ViewPass::default()), number: 0 };
        views.show(view, joint);
        views
    }

    /// Shows something else.
    pub fn show(&mut self, view: SurfaceView, joint: &str) {
        self.number = view as u32 + if joint.is_empty() { 0 } else { 256 };
        self.surfaces.choose(joint);
    }

    /// Returns whether a view is shown, whatever joint is chosen.
    fn shows(&self, view: SurfaceView) -> bool {
        self.number % 256 == view as u32
    }
}
