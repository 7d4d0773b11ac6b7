//! Levels of detail: members that are small in the picture are drawn with fewer triangles between the same vertices.

use super::super::draw_list::{CoarseIndices, Item};
use super::super::gpu_data::FrameData;
use super::super::gpu_model::{GpuModel, filled_buffer};
use super::super::{Gpu, RenderError};
use glam::{Vec3, Vec4};
use std::ops::Range;
use std::rc::Rc;

/// Number of levels besides the whole model.
pub const COARSER_LEVELS: usize = 3;

/// Diameters of the spheres around members, in pixels, below which they are drawn with each level. Cells of
/// `src/player/throng/coarse.rs` then are smaller than a pixel.
const DIAMETERS: [f32; COARSER_LEVELS] = [32.0, 13.0, 6.0];

/// The indices of each level of a primitive, as the processor has them.
pub type Levels = [Vec<u32>; COARSER_LEVELS];

/// The same on the GPU. `None` stands for all indices of the primitive.
pub(super) type GpuLevels = [Option<Rc<CoarseIndices>>; COARSER_LEVELS];

/// How large things are in a picture.
pub(super) struct Scale {
    /// Row of the projection that gives depths, and how much a depth grows along the view direction.
    depth: Vec4,
    depth_growth: f32,
    /// Pixels of a length of 1 at a depth of 1.
    pixels: f32,
}

impl Scale {
    pub(super) fn of(frame: &FrameData) -> Self {
        let [height, depth] = [1, 3].map(|row| frame.projection_from_world.row(row));
        let pixels = height.truncate().length() * frame.viewport[1] / 2.0;
        Self { depth, depth_growth: depth.truncate().length(), pixels }
    }

    /// Returns the level for a sphere: 0 for the whole model.
    pub(super) fn level_of(&self, center: Vec3, radius: f32) -> usize {
        let nearest = self.depth.dot(center.extend(1.0)) - radius * self.depth_growth;
        let diameter = 2.0 * radius * self.pixels;
        // What reaches behind the viewer is drawn whole, as is what isn't a number.
        DIAMETERS.iter().filter(|most| nearest > 0.0 && diameter < **most * nearest).count()
    }
}

/// Uploads the levels of all primitives.
pub(super) fn upload(gpu: &Gpu, levels: &[Levels]) -> Result<Vec<GpuLevels>, RenderError> {
    let mut all = Vec::with_capacity(levels.len());
    for levels in levels {
        let mut uploaded = GpuLevels::default();
        let mut last = None;
        for (indices, uploaded) in levels.iter().zip(&mut uploaded) {
            // If nothing is left, the level before is drawn.
            if !indices.is_empty() {
                let bytes = bytemuck::cast_slice(indices);
                let buffer = filled_buffer(gpu, "coarse indices", wgpu::BufferUsages::INDEX, bytes)?;
                last = Some(Rc::new(CoarseIndices { buffer, count: indices.len() as u32 }));
            }
            uploaded.clone_from(&last);
        }
        all.push(uploaded);
    }
    Ok(all)
}

/// Lets the draws of an actor have the members of each level, which follow each other: `ends` are where they end.
pub(super) fn draw_levels(
    items: &mut Vec<Item>,
    actor: usize,
    model: Option<&GpuModel>,
    levels: &[GpuLevels],
    ends: [u32; COARSER_LEVELS + 1],
) {
    // What another tile has added.
    items.retain(|item| item.actor != actor || item.level == 0);
    let mut at = 0;
    while let Some(item) = items.get_mut(at) {
        at += 1;
        if item.actor != actor {
            continue;
        }
        item.characters = 0..ends[0];
        let whole = item.clone();
        let levels = model.and_then(|model| levels.get(model.draws[whole.draw].primitive));
        for level in 1..=COARSER_LEVELS {
            let characters: Range<u32> = ends[level - 1]..ends[level];
            if !characters.is_empty() {
                let coarse = levels.and_then(|levels| levels[level - 1].clone());
                items.insert(at, Item { level, coarse, characters, ..whole.clone() });
                at += 1;
            }
        }
    }
}
