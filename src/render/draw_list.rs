//! Which draws a picture takes, in which order. No GPU here but for the words.

use super::gpu_model::matrix_at;
use super::pipelines::{MeshKey, ShadowKey};
use super::{Frame, GpuModel};
use crate::order::sort_indexed;
use glam::{Vec3, Vec4};
use std::cell::RefCell;
use std::ops::Range;

/// One draw of a run of characters.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub(super) draw: usize,
    pub(super) characters: Range<u32>,
    pub(super) key: MeshKey,
    /// Along the view; used for what is seen through.
    distance: f32,
}

/// Rebuilt for every picture in place: its memory is kept.
#[derive(Debug, Default)]
pub(super) struct DrawList {
    /// Any order will do.
    pub(super) solid: Vec<Item>,
    /// The farthest first.
    pub(super) blended: Vec<Item>,
    /// The same for the shadow map, where any order will do and one run serves all characters.
    pub(super) blended_casters: Vec<Item>,
}

impl Item {
    /// `None` for points and lines: they cast no shadow.
    pub(super) fn shadow_key(&self, cut_out: bool) -> Option<ShadowKey> {
        let MeshKey { topology, cull, mirrored, .. } = self.key;
        let casts = topology == wgpu::PrimitiveTopology::TriangleList;
        // Which way around a face is says nothing where both of its sides cast.
        casts.then_some(ShadowKey { cull, mirrored: mirrored && cull.is_some(), cut_out })
    }
}

impl DrawList {
    /// Lists what to draw of a frame's characters.
    pub(super) fn rebuild(&mut self, model: &GpuModel, frame: &Frame<'_>, format: wgpu::TextureFormat) {
        let &Frame { rows, character_count, view, .. } = frame;
        self.solid.clear();
        self.blended.clear();
        self.blended_casters.clear();
        for (index, draw) in model.draws.iter().enumerate() {
            let primitive = model.primitive(draw);
            let Some(material) = frame.material(model, primitive.material) else { continue };
            if primitive.index_count == 0 || frame.hidden.get(draw.drawable) == Some(&true) {
                continue;
            }
            let flat = primitive.topology != wgpu::PrimitiveTopology::TriangleList;
            let key = |cull, mirrored| MeshKey {
                topology: primitive.topology,
                cull,
                mirrored,
                blended: material.blended,
                format,
            };
            let one_sided = if flat || material.double_sided { None } else { Some(wgpu::Face::Back) };
            for character in 0..character_count {
                if frame.absent.get(character) == Some(&true) {
                    continue;
                }
                let first_row = character * model.rows_per_character;
                let (Some(world_from_model), Some(model_from_mesh)) =
                    (matrix_at(rows, first_row), matrix_at(rows, first_row + draw.anchor_row))
                else {
                    return;
                };
                let mirrored = !flat && (mirrors(&world_from_model) != mirrors(&model_from_mesh));
                let characters = character as u32..character as u32 + 1;
                let run = Item {
                    draw: index,
                    characters: characters.clone(),
                    key: key(one_sided, mirrored),
                    distance: 0.0,
                };
                if material.blended {
                    add_to_run(&mut self.blended_casters, run);
                    let center = moved(&world_from_model, moved(&model_from_mesh, draw.center_in_mesh));
                    let distance = -view.view_from_world.transform_point3(center).z;
                    let mut push = |cull| {
                        let key = key(cull, mirrored);
                        self.blended.push(Item {
                            draw: index,
                            characters: characters.clone(),
                            key,
                            distance,
                        });
                    };
                    if one_sided.is_none() && !flat {
                        // Of glass one sees the far wall through the near one.
                        push(Some(wgpu::Face::Front));
                        push(Some(wgpu::Face::Back));
                    } else {
                        push(one_sided);
                    }
                    continue;
                }
                add_to_run(&mut self.solid, run);
            }
        }
        // At one distance: the file's order, and far walls before near ones. A stable sort would allocate.
        let far_wall = |item: &Item| item.key.cull == Some(wgpu::Face::Front);
        let count = self.blended.len();
        let blended = RefCell::new(&mut self.blended);
        sort_indexed(
            count,
            &mut |a, b| {
                let blended = blended.borrow();
                let (a, b) = (&blended[a], &blended[b]);
                let order = b.distance.total_cmp(&a.distance);
                order
                    .then(a.draw.cmp(&b.draw))
                    .then(a.characters.start.cmp(&b.characters.start))
                    .then(far_wall(b).cmp(&far_wall(a)))
                    .is_lt()
            },
            &mut |a, b| blended.borrow_mut().swap(a, b),
        );
    }
}

/// Makes one draw of neighbours that differ in nothing but their rows.
fn add_to_run(items: &mut Vec<Item>, item: Item) {
    match items.last_mut() {
        Some(run)
            if (run.draw, run.key, run.characters.end) == (item.draw, item.key, item.characters.start) =>
        {
            run.characters.end = item.characters.end;
        }
        _ => items.push(item),
    }
}

fn mirrors(rows: &[Vec4; 3]) -> bool {
    let [x, y, z] = rows.map(Vec4::truncate);
    x.dot(y.cross(z)) < 0.0
}

fn moved(rows: &[Vec4; 3], position: Vec3) -> Vec3 {
    let position = position.extend(1.0);
    Vec3::new(rows[0].dot(position), rows[1].dot(position), rows[2].dot(position))
}
