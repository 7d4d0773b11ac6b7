//! Other poses of a character as translucent surfaces. They are drawn like a view of surfaces (`src/render/views`): the
//! items of the picture's list, with the same vertices and other rows.
//!
//! Ghosts are behind everything else. Each has a layer of the farthest depths for itself, in which it covers its own
//! back, so that its outline is clear. Depths are written first, without a colour.
//!
//! ```text
//! rows   colours and layers, two rows for each ghost   rows of each ghost
//!        0                                             lead · rows_per_character
//! ```

use super::super::pipeline_keys::{MeshKey, PipelineKey};
use super::super::renderer::{Cast, Prepared, Renderer, draw_part};
use super::super::rows::Rows;
use super::super::shader_parts::ShaderParts;
use super::super::{DrawStats, Gpu};
use super::Ghosts;
use glam::{Mat4, Vec3, Vec4};

/// The nearest depth of a layer. Surfaces are nearer, unless the camera is inside of the model.
const NEAREST: f32 = 0.996;
const FARTHEST: f32 = 0.999_99;

/// Rows of ghosts on a device.
pub(super) struct GhostRows {
    gpu: Gpu,
    rows: Rows,
}

impl GhostRows {
    /// Draws ghosts. Returns `None` if there are none, or if the device can't hold their rows.
    pub(super) fn draw(
        held: &mut Option<Self>,
        ghosts: &Ghosts,
        renderer: &Renderer,
        pass: &mut wgpu::RenderPass<'_>,
        (cast, picture): (&Cast<'_>, &Prepared),
        stats: &mut DrawStats,
    ) -> Option<()> {
        let gpu = &renderer.gpu;
        let model = (cast.model)(0)?;
        let count = ghosts.colors.len();
        let per_character = model.rows_per_character;
        if count == 0 || ghosts.rows.len() != count * per_character {
            return None;
        }
        let lead = lead(count, per_character)?;
        let rows = with_colors(ghosts, lead * per_character, &picture.data.projection_from_world);
        let fits = |held: &Self| held.gpu.is(gpu) && held.rows.capacity() >= rows.len();
        if !held.as_ref().is_some_and(fits) {
            *held = Some(Self { gpu: gpu.clone(), rows: Rows::new(gpu, "ghosts", rows.len()).ok()? });
        }
        let held = held.as_ref()?;
        held.rows.write(gpu, &rows);
        pass.set_bind_group(0, &renderer.bind_rows(&held.rows), &[]);
        let list = &renderer.list;
        for fills_depth in [true, false] {
            for item in list.solid.iter().chain(&list.cut_out).chain(&list.transmissive).chain(&list.blended)
            {
                // Blended materials with two sides are listed twice.
                let is_again = item.key.draws_back_faces();
                if item.actor != 0 || item.characters.start != 0 || item.key.is_flat() || is_again {
                    continue;
                }
                // So are those with solid parts.
                let Some(material) =
                    (cast.material)(0, item.look.material).filter(|found| found.blended == item.key.blended)
                else {
                    continue;
                };
                let depth = if fills_depth { ShaderParts::GHOST_DEPTH } else { ShaderParts::default() };
                let parts = item.key.parts.and(ShaderParts::VIEW).and(ShaderParts::GHOST).and(depth);
                let key = MeshKey { parts, blended: true, ..item.key };
                pass.set_pipeline(&gpu.pipelines().get(gpu.device(), PipelineKey::Mesh(key)));
                pass.set_bind_group(2, &*material.bind_group.borrow(), &[]);
                let characters = lead as u32..(lead + count) as u32;
                draw_part(pass, model, [item.draw, item.look.vertices], u32::MAX, characters);
                stats.draws += 1;
            }
        }
        pass.set_bind_group(0, &renderer.actors[0].bind_group, &[]);
        Some(())
    }
}

impl Drop for GhostRows {
    fn drop(&mut self) {
        if self.gpu.tier().needs_destroy() {
            self.rows.destroy();
        }
    }
}

/// Returns the number of characters whose rows are before those of the ghosts, and have the colours of all: row `2 n`
/// and the next one belong to character `n`. `None` for a model without anything to draw.
fn lead(count: usize, per_character: usize) -> Option<usize> {
    Some((2 * count).div_ceil(per_character.checked_sub(3).filter(|&rows| rows > 0)? + 1))
}

/// Returns all rows. Of the two for a ghost, the first is its colour. The second has the nearest distance, the inverse
/// of the range of distances, and the start and the size of the layer.
fn with_colors(ghosts: &Ghosts, first: usize, projection_from_world: &Mat4) -> Vec<Vec4> {
    let count = ghosts.colors.len();
    let lead = first / (ghosts.rows.len() / count);
    let (near, far) = distances(&ghosts.around, projection_from_world);
    let size = (FARTHEST - NEAREST) / count as f32;
    let mut rows = vec![Vec4::ZERO; first];
    rows.extend_from_slice(&ghosts.rows);
    for (nth, &color) in ghosts.colors.iter().enumerate() {
        let start = NEAREST + size * (count - 1 - nth) as f32;
        rows[2 * (lead + nth)] = color;
        rows[2 * (lead + nth) + 1] = Vec4::new(near, 1.0 / (far - near), start, size);
    }
    rows
}

/// Returns the range of distances from the viewer, as `view.wgsl` measures them.
fn distances(points: &[Vec3], projection_from_world: &Mat4) -> (f32, f32) {
    let [depth, distance] = [projection_from_world.row(2), projection_from_world.row(3)];
    let along = if distance.truncate() == Vec3::ZERO { depth } else { distance };
    let (near, far) = points.iter().fold((f32::INFINITY, f32::NEG_INFINITY), |(near, far), point| {
        let distance = along.dot(point.extend(1.0));
        (near.min(distance), far.max(distance))
    });
    if near < far { (near, far) } else { (0.0, 1.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_are_where_the_shader_reads_them() {
        for (count, per_character) in [(1, 6), (6, 6), (32, 6), (6, 200), (7, 7)] {
            let lead = lead(count, per_character).expect("there is something to draw");
            let colors: Vec<Vec4> = (1..=count).map(|nth| Vec4::splat(nth as f32)).collect();
            let rows = vec![Vec4::splat(-1.0); count * per_character];
            let around = vec![Vec3::ZERO, Vec3::splat(2.0)];
            let ghosts = Ghosts { rows, colors, around };
            let rows = with_colors(&ghosts, lead * per_character, &Mat4::IDENTITY);
            let (before, own) = rows.split_at(lead * per_character);
            assert_eq!(own, &ghosts.rows, "{count} ghosts of {per_character} rows");
            for nth in 0..count {
                assert_eq!(before[2 * (lead + nth)], ghosts.colors[nth]);
            }
            let layers: Vec<Vec4> = (0..count).map(|nth| before[2 * (lead + nth) + 1]).collect();
            assert!(layers.iter().all(|layer| (layer.x, layer.y) == (0.0, 0.5) && layer.z + layer.w < 1.0));
            assert!(
                layers.windows(2).all(|pair| pair[1].z + pair[1].w <= pair[0].z + 1e-6),
                "the last is nearest"
            );
        }
        assert_eq!(lead(3, 3), None);
    }

    #[test]
    fn distances_are_those_of_the_projection() {
        let points = [Vec3::new(0.0, 0.0, -2.0), Vec3::new(1.0, 0.0, -5.0)];
        let [x, y, w] = [Vec4::X, Vec4::Y, Vec4::W];
        let perspective = Mat4::from_rows(x, y, Vec4::new(0.0, 0.0, -1.1, -1.1), -Vec4::Z);
        assert_eq!(distances(&points, &perspective), (2.0, 5.0));
        let orthographic = Mat4::from_rows(x, y, Vec4::new(0.0, 0.0, -0.125, -0.125), w);
        assert_eq!(distances(&points, &orthographic), (0.125, 0.5));
        assert_eq!(distances(&[], &perspective), (0.0, 1.0));
    }
}
