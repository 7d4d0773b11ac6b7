//! Levels of detail: characters that are small in a picture are drawn with fewer triangles between the same vertices.
//!
//! ```text
//! characters that are seen ─▶ in the order of their levels ─▶ their rows ─▶ a draw for each level
//! ```
//!
//! Few pages have many characters, so pages fetch this code with the first large crowd, or the first throng. The
//! renderer therefore calls it through a trait.

use super::draw_list::Item;
use super::gpu_data::FrameData;
use super::gpu_model::filled_buffer;
use super::sight::{Sight, TRANSITIONS};
use super::{Actor, Gpu, RenderError};
use glam::{Vec3, Vec4};
use std::cell::RefCell;
use std::fmt;
use std::ops::Range;
use std::rc::Rc;

/// Number of levels besides the whole model.
pub const COARSER_LEVELS: usize = 3;

/// Diameters of the spheres around characters, in pixels, below which they are drawn with each level. Cells of
/// `src/player/coarse.rs` then are smaller than a pixel.
const DIAMETERS: [f32; COARSER_LEVELS] = [32.0, 13.0, 6.0];

/// The indices of each level of a primitive, the whole primitive first: those of pictures, which are empty for the
/// whole primitive, and those of passes that read positions alone. In place of an empty list, that of the level before
/// is drawn.
pub type Levels = [[Vec<u32>; 2]; COARSER_LEVELS + 1];

/// The same on the GPU.
type GpuLevels = [[Option<GpuIndices>; 2]; COARSER_LEVELS + 1];

struct GpuIndices {
    buffer: wgpu::Buffer,
    count: u32,
}

/// Where the characters of each level end, which follow each other: those of the whole model come first.
pub(super) type Ends = [u32; COARSER_LEVELS + 1];

/// The levels of all primitives of a model.
#[derive(Clone)]
pub struct Coarse(pub(super) Rc<dyn Coarsen>);

impl Coarse {
    pub fn new(levels: Vec<Levels>) -> Self {
        Self(Rc::new(Coarser { levels, uploaded: RefCell::default() }))
    }
}

/// Draws everything whole.
impl Default for Coarse {
    fn default() -> Self {
        Self::new(Vec::new())
    }
}

impl fmt::Debug for Coarse {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Coarse")
    }
}

pub(super) trait Coarsen {
    /// Orders the characters of an actor that are seen by their levels.
    fn order(&self, actor: &Actor<'_>, frame: &FrameData, shown: &mut Vec<u32>) -> Ends;

    /// Divides the draws of an actor where its levels end. Copies the indices of all levels to the GPU if they aren't
    /// there.
    fn split(&self, gpu: &Gpu, lists: [&mut Vec<Item>; 6], actor: usize, ends: Ends);

    /// Binds the indices of a primitive for a level, and returns their number. Binds none where the primitive's own
    /// are drawn.
    fn bind(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        primitive: usize,
        level: usize,
        reads_positions_alone: bool,
    ) -> Option<u32>;

    /// Returns the size of the indices on the GPU.
    fn byte_count(&self) -> u64;
}

struct Coarser {
    levels: Vec<Levels>,
    uploaded: RefCell<Option<Uploaded>>,
}

struct Uploaded {
    gpu: Gpu,
    /// Those of each primitive.
    levels: Vec<GpuLevels>,
}

impl Coarsen for Coarser {
    fn order(&self, actor: &Actor<'_>, frame: &FrameData, shown: &mut Vec<u32>) -> Ends {
        let scale = Scale::of(frame);
        let mut by_level: [Vec<u32>; COARSER_LEVELS + 1] = Default::default();
        for &character in shown.iter() {
            let sphere = Sight::sphere(actor, character);
            let level = sphere.map_or(0, |(center, radius)| scale.level_of(center, radius / TRANSITIONS));
            by_level[level].push(character);
        }
        joined(&by_level, shown)
    }

    fn split(&self, gpu: &Gpu, lists: [&mut Vec<Item>; 6], actor: usize, ends: Ends) {
        let mut uploaded = self.uploaded.borrow_mut();
        if !uploaded.as_ref().is_some_and(|uploaded| uploaded.gpu.is(gpu)) {
            // Where there is no room, all characters are drawn whole.
            *uploaded = Uploaded::new(gpu, &self.levels).ok();
        }
        for items in lists {
            let mut at = 0;
            while let Some(item) = items.get_mut(at) {
                at += 1;
                if item.actor != actor {
                    continue;
                }
                let end;
                (item.level, end) = first_part(&item.characters, &ends);
                let rest = end..item.characters.end;
                item.characters.end = end;
                if !rest.is_empty() {
                    let rest = Item { characters: rest, ..item.clone() };
                    items.insert(at, rest);
                }
            }
        }
    }

    fn bind(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        primitive: usize,
        level: usize,
        reads_positions_alone: bool,
    ) -> Option<u32> {
        let uploaded = self.uploaded.borrow();
        let levels = uploaded.as_ref()?.levels.get(primitive)?;
        let indices = levels.iter().take(level + 1).rev();
        let GpuIndices { buffer, count } =
            indices.flat_map(|both| &both[usize::from(reads_positions_alone)]).next()?;
        pass.set_index_buffer(buffer.slice(..), wgpu::IndexFormat::Uint32);
        Some(*count)
    }

    fn byte_count(&self) -> u64 {
        let uploaded = self.uploaded.borrow();
        uploaded.iter().flat_map(Uploaded::buffers).map(wgpu::Buffer::size).sum()
    }
}

/// Returns the level of the first characters of a draw, and where those of this level end.
fn first_part(characters: &Range<u32>, ends: &Ends) -> (usize, u32) {
    let level = ends.iter().filter(|end| **end <= characters.start).count();
    (level, ends.get(level).map_or(characters.end, |end| characters.end.min(*end)))
}

/// Lists the characters of all levels in `shown`, those of one level after those of another.
pub(super) fn joined(by_level: &[Vec<u32>; COARSER_LEVELS + 1], shown: &mut Vec<u32>) -> Ends {
    shown.clear();
    by_level.each_ref().map(|level| {
        shown.extend_from_slice(level);
        shown.len() as u32
    })
}

impl Uploaded {
    fn new(gpu: &Gpu, levels: &[Levels]) -> Result<Self, RenderError> {
        let mut uploaded = Self { gpu: gpu.clone(), levels: Vec::with_capacity(levels.len()) };
        for levels in levels {
            let mut of_primitive = GpuLevels::default();
            for (indices, found) in levels.as_flattened().iter().zip(of_primitive.as_flattened_mut()) {
                if !indices.is_empty() {
                    let bytes = bytemuck::cast_slice(indices);
                    let buffer = filled_buffer(gpu, "indices of a level", wgpu::BufferUsages::INDEX, bytes)?;
                    *found = Some(GpuIndices { buffer, count: indices.len() as u32 });
                }
            }
            uploaded.levels.push(of_primitive);
        }
        Ok(uploaded)
    }

    fn buffers(&self) -> impl Iterator<Item = &wgpu::Buffer> {
        self.levels.iter().flatten().flatten().flatten().map(|indices| &indices.buffer)
    }
}

impl Drop for Uploaded {
    fn drop(&mut self) {
        if self.gpu.tier().needs_destroy() {
            self.buffers().for_each(wgpu::Buffer::destroy);
        }
    }
}

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

#[cfg(test)]
mod tests {
    use super::super::sight::tests::frame;
    use super::*;

    #[test]
    fn levels_follow_the_size_in_the_picture() {
        // 100 pixels are 20 units, at a distance of 10.
        let scale = Scale::of(&frame());
        let level = |radius: f32| scale.level_of(Vec3::new(0.0, 1.0, 0.0), radius);
        assert_eq!([5.0, 2.0, 1.0, 0.5].map(level), [0, 1, 2, 3]);
        assert_eq!(scale.level_of(Vec3::new(0.0, 1.0, 10.5), 0.1), 0, "behind the viewer");
        assert_eq!(level(f32::NAN), 0);
    }

    #[test]
    fn characters_of_a_level_follow_each_other() {
        let mut shown = vec![7, 8];
        let ends = joined(&[vec![3], vec![], vec![0, 2], vec![1]], &mut shown);
        assert_eq!((shown, ends), (vec![3, 0, 2, 1], [1, 1, 3, 4]));
        // A draw of three of them is divided into two, whose levels are 2 and 3.
        assert_eq!(first_part(&(1..4), &ends), (2, 3));
        assert_eq!(first_part(&(3..4), &ends), (3, 4));
        assert_eq!(first_part(&(0..0), &[0; COARSER_LEVELS + 1]).1, 0, "nothing is seen");
    }
}
