//! Drawing with the shaders of views.

use super::super::DrawStats;
use super::super::draw_list::Item;
use super::super::gpu_data::FrameData;
use super::super::pipeline_keys::{MeshKey, PipelineKey};
use super::super::pipelines::DRAW_STRIDE;
use super::super::renderer::{Cast, Renderer, draw_part};
use super::super::shader_parts::ShaderParts;
use super::kept::Kept;
use super::{DrawSurfaces, SurfaceView, Views};
use std::cell::RefCell;
use std::mem::offset_of;

/// The chosen joint, and what is kept of each model that was drawn.
#[derive(Default)]
pub(super) struct ViewPass {
    joint: RefCell<String>,
    kept: RefCell<Vec<Kept>>,
}

/// What is drawn of a surface.
#[derive(Clone, Copy, PartialEq)]
enum Stage {
    Faces,
    Edges,
    Outline,
}

impl DrawSurfaces for ViewPass {
    fn choose(&self, joint: &str) {
        joint.clone_into(&mut self.joint.borrow_mut());
    }

    fn draw(
        &self,
        renderer: &Renderer,
        pass: &mut wgpu::RenderPass<'_>,
        (cast, views): (&Cast<'_>, &Views),
        items: &[Item],
        stats: &mut DrawStats,
    ) {
        self.kept.borrow_mut().retain(Kept::is_in_use);
        for actor in &renderer.actors {
            let offset = offset_of!(FrameData, view) as u64;
            renderer.gpu.queue().write_buffer(&actor.frame_data, offset, bytemuck::bytes_of(&views.number));
        }
        let is_blended = items.iter().any(|item| item.key.blended);
        let stages: &[Stage] = if views.shows(SurfaceView::Wireframe) {
            &[Stage::Faces, Stage::Edges]
        } else if views.shows(SurfaceView::Toon) && !is_blended {
            &[Stage::Faces, Stage::Outline]
        } else {
            &[Stage::Faces]
        };
        for stage in stages {
            for item in items {
                if self.draw_item(renderer, pass, (cast, views), *stage, item).is_some() {
                    stats.draws += 1;
                    if *stage == Stage::Faces && !item.key.is_flat() {
                        let model = (cast.model)(item.actor);
                        let primitive = model.map(|model| model.primitive(&model.draws[item.draw]));
                        let triangles = primitive.map_or(0, |primitive| primitive.index_count as usize / 3);
                        stats.triangles += triangles * item.characters.len();
                    }
                }
            }
        }
        pass.set_bind_group(0, &renderer.actors[0].bind_group, &[]);
    }

    fn byte_count(&self) -> u64 {
        self.kept.borrow().iter().map(Kept::byte_count).sum()
    }
}

impl ViewPass {
    /// Draws an item. Returns `None` if there is nothing to draw.
    fn draw_item(
        &self,
        renderer: &Renderer,
        pass: &mut wgpu::RenderPass<'_>,
        (cast, views): (&Cast<'_>, &Views),
        stage: Stage,
        item: &Item,
    ) -> Option<()> {
        let (gpu, shadow) = (&renderer.gpu, renderer.shadow.as_ref()?);
        let model = (cast.model)(item.actor)?;
        let material = (cast.material)(item.actor, item.look.material)?;
        // Blended materials with two sides are listed twice.
        let is_again = item.key.cull == Some(wgpu::Face::Front);
        if stage != Stage::Faces && (item.key.is_flat() || is_again) {
            return None;
        }
        let mut key = MeshKey { blended: item.key.blended && views.shows(SurfaceView::Toon), ..item.key };
        key.parts = key.parts.and(ShaderParts::VIEW);
        match stage {
            Stage::Faces if views.shows(SurfaceView::Tangents) => {
                key.parts = key.parts.and(ShaderParts::TANGENTS);
            }
            Stage::Faces => {}
            Stage::Edges => {
                key.parts = key.parts.and(ShaderParts::EDGES);
                (key.topology, key.cull) = (wgpu::PrimitiveTopology::LineList, None);
            }
            Stage::Outline => {
                key.parts = key.parts.and(ShaderParts::OUTLINE);
                key.cull = Some(wgpu::Face::Front);
            }
        }

        let mut held = self.kept.borrow_mut();
        let joint = self.joint.borrow();
        let at = held.iter().position(|kept| kept.is_of(model)).unwrap_or_else(|| {
            held.push(Kept::new(gpu, model, &joint));
            held.len() - 1
        });
        let kept = &mut held[at];
        kept.choose(model, &joint);

        pass.set_bind_group(0, &renderer.actors[item.actor].bind_group, &[]);
        pass.set_bind_group(2, &*material.bind_group.borrow(), &[]);
        pass.set_bind_group(3, kept.group(shadow), &[]);
        pass.set_pipeline(&gpu.pipelines().get(gpu.device(), PipelineKey::Mesh(key)));
        let draw = &model.draws[item.draw];
        let primitive = model.primitive(draw);
        if stage == Stage::Faces {
            draw_part(pass, model, [item.draw, item.look.vertices], u32::MAX, item.characters.clone());
            return Some(());
        }
        let (vertices, indices, format, count);
        if stage == Stage::Edges {
            vertices = &primitive.vertices[item.look.vertices];
            (indices, count) = kept.edges(model, draw.primitive)?;
            format = wgpu::IndexFormat::Uint32;
        } else {
            vertices = kept.outline(model, [draw.primitive, item.look.vertices, item.look.material])?;
            (indices, format, count) = (&primitive.indices, primitive.index_format, primitive.index_count);
        }
        pass.set_bind_group(1, &model.bind_group, &[(item.draw * DRAW_STRIDE) as u32]);
        pass.set_vertex_buffer(0, vertices.slice(..));
        pass.set_index_buffer(indices.slice(..), format);
        pass.draw_indexed(0..count, 0, item.characters.clone());
        Some(())
    }
}
