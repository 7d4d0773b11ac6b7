//! The list of draw calls of a picture, and their order. It uses types of wgpu, but no device.

use super::actor_buffers::ActorBuffers;
use super::gpu_model::{PrimitiveLook, matrix_at};
use super::pipeline_keys::MeshKey;
use super::pipelines::Detail;
use super::shader_parts::ShaderParts;
use super::{Actor, Frame};
use crate::model::MaterialFeature;
use crate::order::sort_indexed;
use glam::{Vec3, Vec4};
use std::cell::RefCell;
use std::ops::Range;

/// A draw call for consecutive characters of those in the picture.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub(super) actor: usize,
    pub(super) draw: usize,
    pub(super) look: PrimitiveLook,
    pub(super) characters: Range<u32>,
    pub(super) key: MeshKey,
    /// Level of detail of the characters: 0 for the whole model.
    pub(super) level: usize,
    /// Distance from the viewer along the view direction, by which blended items are sorted.
    pub(super) distance: f32,
}

/// The draw calls of a picture. Rebuilt for each one, reusing the allocations.
#[derive(Debug, Default)]
pub(super) struct DrawList {
    /// Opaque items, in any order.
    pub(super) solid: Vec<Item>,
    /// Items whose edges are cut out by their alpha and blended with what is behind, in any order: masks, and the solid
    /// parts of blended items. Those hide what is behind them, whatever the order of their triangles.
    pub(super) cut_out: Vec<Item>,
    /// Items that show what is behind them, in any order. They cast no shadow.
    pub(super) transmissive: Vec<Item>,
    /// The back faces of double-sided ones, which are visible through all front faces.
    pub(super) transmissive_backs: Vec<Item>,
    /// Blended items, the farthest first.
    pub(super) blended: Vec<Item>,
    /// Blended items for the shadow map, where the order doesn't matter, so that characters are drawn in runs.
    pub(super) blended_casters: Vec<Item>,
}

impl DrawList {
    /// Lists the draw calls for the characters of a frame.
    pub(super) fn rebuild(
        &mut self,
        frame: &Frame<'_>,
        buffers: &[ActorBuffers],
        format: wgpu::TextureFormat,
        detail: Detail,
    ) {
        self.solid.clear();
        self.cut_out.clear();
        self.transmissive.clear();
        self.transmissive_backs.clear();
        self.blended.clear();
        self.blended_casters.clear();
        for (index, (actor, buffers)) in frame.actors.iter().zip(buffers).enumerate() {
            self.add(index, (actor, &buffers.shown), frame, format, detail);
        }
        self.sort();
    }

    fn add(
        &mut self,
        actor_index: usize,
        (actor, shown): (&Actor<'_>, &[u32]),
        &Frame { view, tone, lamps, views, occlusion, throngs, .. }: &Frame<'_>,
        format: wgpu::TextureFormat,
        detail: Detail,
    ) {
        let &Actor { model, rows, .. } = actor;
        let drawable_count = model.drawable_count();
        let is_tinted = actor.first_tint_row.is_some() || throngs.is_some();
        let tints = if is_tinted { ShaderParts::TINTED } else { ShaderParts::default() };
        let hidden_stride = if actor.hidden.len() > drawable_count { drawable_count } else { 0 };
        for (index, draw) in model.draws.iter().enumerate() {
            let primitive = model.primitive(draw);
            let look = primitive.look(actor.variant);
            let Some(material) = actor.material(look.material) else { continue };
            if primitive.index_count == 0 {
                continue;
            }
            let parts = draw.parts(actor.skinnings).and(ShaderParts::of_tone(tone)).and(tints);
            let (has_lamps, has_occlusion) = (!lamps.is_empty(), occlusion.is_some());
            let one = MeshKey::new(parts, primitive, material, format, detail, has_lamps, has_occlusion);
            for (place, &character) in (0..).zip(shown) {
                let character = character as usize;
                let is_hidden = actor.hidden.get(character * hidden_stride + draw.drawable) == Some(&true);
                if is_hidden || actor.absent.get(character) == Some(&true) {
                    continue;
                }
                let first_row = character * model.rows_per_character;
                let (Some(world_from_model), Some(model_from_mesh)) =
                    (matrix_at(rows, first_row), matrix_at(rows, first_row + draw.anchor_row))
                else {
                    return;
                };
                let mirrored = !one.is_flat() && (mirrors(&world_from_model) != mirrors(&model_from_mesh));
                let characters = place..place + 1;
                let key = MeshKey { mirrored, ..one };
                let run = Item {
                    actor: actor_index,
                    draw: index,
                    look,
                    characters: characters.clone(),
                    key,
                    level: 0,
                    distance: 0.0,
                };
                if material.features.contains(MaterialFeature::Transmission) {
                    for key in key.passes() {
                        let backs = key.draws_back_faces();
                        let items = if backs { &mut self.transmissive_backs } else { &mut self.transmissive };
                        add_to_run(items, Item { key, ..run.clone() });
                    }
                    continue;
                }
                if material.blended {
                    let center = moved(&world_from_model, moved(&model_from_mesh, draw.center_in_mesh));
                    let distance = -view.view_from_world.transform_point3(center).z;
                    let has_solid_parts = material.has_solid_parts && !key.is_flat() && views.is_none();
                    if has_solid_parts && detail >= Detail::Shadow {
                        add_to_run(&mut self.cut_out, Item { key: key.solid_parts(), ..run.clone() });
                    }
                    for key in key.passes() {
                        self.blended.push(Item { key, distance, ..run.clone() });
                    }
                    add_to_run(&mut self.blended_casters, run);
                    continue;
                }
                add_to_run(if key.parts.cuts_out() { &mut self.cut_out } else { &mut self.solid }, run);
            }
        }
    }

    /// Returns all lists, that of the shadow map included.
    pub(super) fn lists_mut(&mut self) -> [&mut Vec<Item>; 6] {
        let Self { solid, cut_out, transmissive, transmissive_backs, blended, blended_casters } = self;
        [solid, cut_out, transmissive, transmissive_backs, blended, blended_casters]
    }

    fn sort(&mut self) {
        // At equal distances: order of actors, of draws, then of characters, then back faces first. A stable sort
        // would allocate.
        let far_wall = |item: &Item| item.key.draws_back_faces();
        let count = self.blended.len();
        let blended = RefCell::new(&mut self.blended);
        sort_indexed(
            count,
            &mut |a, b| {
                let blended = blended.borrow();
                let (a, b) = (&blended[a], &blended[b]);
                let order = b.distance.total_cmp(&a.distance);
                order
                    .then(a.actor.cmp(&b.actor))
                    .then(a.draw.cmp(&b.draw))
                    .then(a.characters.start.cmp(&b.characters.start))
                    .then(far_wall(b).cmp(&far_wall(a)))
                    .is_lt()
            },
            &mut |a, b| blended.borrow_mut().swap(a, b),
        );
    }
}

/// Adds an item, merged with the last one if they draw consecutive characters and are otherwise equal.
fn add_to_run(items: &mut Vec<Item>, item: Item) {
    match items.last_mut() {
        Some(run)
            if (run.actor, run.draw, run.key, run.characters.end)
                == (item.actor, item.draw, item.key, item.characters.start) =>
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
