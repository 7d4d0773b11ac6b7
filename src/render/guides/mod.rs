//! Guides: a grid on the ground, strokes, octahedra and letters, drawn below and over the models.
//!
//! Few pages show them, so pages fetch this code with the first. The renderer therefore calls it through a trait, and
//! only [`Guides::default`], which an export calls, refers to what implements it. What the guides of a player are is
//! determined by `src/player/guides`.

mod ghosts;
mod labels;
mod pass;
pub mod shaders;

use super::DrawStats;
use super::renderer::{Cast, Prepared, Renderer};
use glam::{Vec2, Vec3, Vec4};
use pass::GuidePass;
use std::fmt;
use std::ops::Range;
use std::rc::Rc;

/// What guides show in a picture. Positions are in the world, colours are sRGB-encoded with straight alpha.
#[derive(Clone, Debug, Default)]
pub struct GuideContent {
    pub grid: Option<GridPlane>,
    /// Strokes that surfaces cover. What is covered is drawn faintly.
    pub strokes: Vec<Stroke>,
    pub octahedra: Vec<Octahedron>,
    /// Strokes over everything else.
    pub overlay: Vec<Stroke>,
    /// In the order in which they give way to each other where they would overlap.
    pub labels: Vec<Label>,
    /// Cells of all labels.
    pub cells: Vec<LetterCell>,
    pub letters: Rc<Letters>,
    pub ghosts: Ghosts,
}

impl GuideContent {
    /// Removes everything but the letters.
    pub fn clear(&mut self) {
        self.grid = None;
        self.strokes.clear();
        self.octahedra.clear();
        self.overlay.clear();
        self.labels.clear();
        self.cells.clear();
        self.ghosts.colors.clear();
    }
}

/// A grid on a horizontal plane, which fades out towards the edge of a disc.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GridPlane {
    /// x and z.
    pub middle: Vec2,
    pub height: f32,
    pub radius: f32,
    /// Distance between lines. Each tenth is heavier.
    pub spacing: f32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    pub ends: [Vec3; 2],
    pub colors: [Vec4; 2],
    /// Width, and diameter of the dot at the start, in pixels of a picture that is up to 800 pixels high.
    pub width: f32,
    pub dot: f32,
}

/// A solid octahedron from a head to a tail, in front of everything else.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Octahedron {
    pub head: Vec3,
    pub tail: Vec3,
    /// A unit vector across.
    pub side: Vec3,
    pub width: f32,
    pub color: Vec4,
}

/// Text at a place. It isn't drawn where it would overlap another label.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// The same from picture to picture. A label that was visible stays as long as it fits.
    pub id: u32,
    pub position: Vec3,
    /// From the place to the label, in CSS pixels: to its left edge if it is positive, to its middle if it is 0. The
    /// label is always centred vertically.
    pub offset: f32,
    /// Size of what it names, by which labels are preferred. What looks small has no label. Infinite for a label that
    /// is always wanted.
    pub size: f32,
    /// Range of [`GuideContent::cells`].
    pub cells: Range<usize>,
    pub color: Vec4,
    /// Surfaces before the place cover the label.
    pub is_covered: bool,
}

/// Texts as pixels.
#[derive(Clone, Debug, Default)]
pub struct Letters {
    /// Pixels of four bytes: the first is the cover of the letters, the third that of the strokes around them.
    pub pixels: Vec<u8>,
    pub width: u32,
    /// Device pixels of a CSS pixel.
    pub scale: f32,
    /// Pixels on each side of a cell that the strokes around the letters may cover. Neighbouring cells share them.
    pub padding: f32,
    pub cells: Vec<LetterCell>,
}

/// Place of a letter or of a whole text in the pixels: x, y, width, height.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LetterCell(pub [f32; 4]);

/// Other poses of the first character of the first actor, drawn as translucent surfaces behind everything else.
#[derive(Clone, Debug, Default)]
pub struct Ghosts {
    /// Rows of each pose in the model's palette layout.
    pub rows: Vec<Vec4>,
    /// A colour for each pose. A pose covers those before it.
    pub colors: Vec<Vec4>,
    /// Points around all poses.
    pub around: Vec<Vec3>,
}

/// Draws guides. It doesn't extend `Debug`, whose code the table of its functions would keep.
pub(super) trait DrawGuides {
    /// Draws what is behind the models. Group 0 is that of the first actor before and after.
    fn draw_below(
        &self,
        content: &GuideContent,
        renderer: &Renderer,
        pass: &mut wgpu::RenderPass<'_>,
        shown: (&Cast<'_>, &Prepared),
        stats: &mut DrawStats,
    );

    /// Draws what is over the models. Adds the draws and the bytes on the GPU.
    fn draw_over(
        &self,
        content: &GuideContent,
        renderer: &Renderer,
        pass: &mut wgpu::RenderPass<'_>,
        picture: &Prepared,
        stats: &mut DrawStats,
    );
}

/// Guides, and what they keep on the GPU, which clones share.
#[derive(Clone)]
pub struct Guides {
    pub(super) drawn: Rc<dyn DrawGuides>,
    /// Shared with pictures that are still being drawn.
    pub content: Rc<GuideContent>,
}

impl fmt::Debug for Guides {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Guides")
    }
}

impl Default for Guides {
    fn default() -> Self {
        Self { drawn: Rc::new(GuidePass::default()), content: Rc::default() }
    }
}
