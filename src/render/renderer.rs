use super::actor_buffers::{ActorBuffers, bind_frame};
use super::behind::Behind;
use super::canvas::{Canvas, Unfinished};
use super::draw_list::{DrawList, Item};
use super::environment::{GpuEnvironment, Light, LightGroup};
use super::gpu_data::FrameData;
use super::gpu_model::{GpuMaterial, GpuPrimitive};
use super::lines::Lines;
use super::pipeline_keys::PipelineKey;
use super::pipelines::{DRAW_STRIDE, Detail};
use super::rows::Rows;
use super::shader_parts::ShaderParts;
use super::shadow::Shadow;
use super::shadow_area::ShadowArea;
use super::shared::part_of_bytes;
use super::sight::Sight;
use super::targets::Targets;
use super::tiles::{Tile, Tiling};
use super::{
    Backdrop, DrawStats, Frame, Gpu, GpuModel, Guides, Occlusion, OwnMaterial, RenderError, Throngs, Tone,
    Views,
};
use glam::Vec4;
use std::any::Any;
use std::mem;
use std::ops::Range;
use std::rc::Rc;

/// Draws to one canvas, or to an off-screen target.
#[derive(Debug)]
pub struct Renderer {
    pub(super) gpu: Gpu,
    pub(super) canvas: Option<Canvas>,
    pub(super) format: wgpu::TextureFormat,
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) targets: Option<Rc<Targets>>,
    /// Never empty, even without actors.
    pub(super) actors: Vec<ActorBuffers>,
    pub(super) shadow: Option<Rc<Shadow>>,
    /// [`Shadow::number`] as the last picture has left it; 0 if the next one draws the shadow whatever is there.
    shadow_number: u32,
    pub(super) environment: Option<Rc<GpuEnvironment>>,
    pub(super) light_group: Option<LightGroup>,
    /// What is behind transmissive surfaces: the picture without them and, if some are double-sided, the same with
    /// their back faces.
    pub(super) behind: Vec<Behind>,
    /// The occlusion between limbs in the picture that is drawn.
    occlusion: Option<wgpu::TextureView>,
    lines: Lines,
    pub(super) list: DrawList,
    /// What [`refine`](Self::refine) keeps until the next [`draw`](Self::draw).
    pub(super) still: Option<Box<dyn Any>>,
    pub(super) unfinished: Unfinished,
}

/// Models and materials of the actors of a picture, and what is behind them.
pub(super) struct Cast<'a> {
    /// Returns the model of an actor.
    pub(super) model: &'a dyn Fn(usize) -> Option<&'a Rc<GpuModel>>,
    /// Returns the material of an actor to draw for a material index, or `None` if it is hidden.
    pub(super) material: &'a dyn Fn(usize, usize) -> Option<&'a GpuMaterial>,
    /// Draws what is behind the models.
    pub(super) backdrop: Option<&'a Backdrop>,
    /// Finds the occlusion between limbs.
    pub(super) occlusion: Option<&'a Occlusion>,
    /// Draws the surfaces, if they aren't drawn in their light.
    pub(super) views: Option<&'a Views>,
    /// Draws guides below and over the models.
    pub(super) guides: Option<&'a Guides>,
    /// Actors whose rows are computed on the GPU.
    pub(super) throngs: Option<&'a Throngs>,
}

/// Data of one picture that all its tiles share.
#[derive(Debug)]
pub(super) struct Prepared {
    pub(super) detail: Detail,
    pub(super) background: Option<Vec4>,
    pub(super) tone: Tone,
    ground: bool,
    /// There may be shadow casters, whose area is known.
    casts: bool,
    actor_count: usize,
    character_count: usize,
    own_bytes: u64,
    pub(super) data: FrameData,
    /// The distance from which on surfaces don't occlude each other, in the world.
    pub(super) reach: f32,
    pub(super) tiling: Tiling,
}

impl Drop for Renderer {
    fn drop(&mut self) {
        if self.gpu.tier().needs_destroy() {
            self.actors.iter().for_each(ActorBuffers::destroy);
            self.lines.destroy();
        }
    }
}

impl Renderer {
    /// Creates a renderer without a canvas, for off-screen pictures. Errors of the device are returned by the first
    /// picture.
    ///
    /// # Errors
    /// `TooLarge` if the device can't hold a texture or buffer of rows.
    pub(super) fn without_canvas(
        gpu: &Gpu,
        width: u32,
        height: u32,
        format: wgpu::TextureFormat,
    ) -> Result<Self, RenderError> {
        Ok(Self {
            gpu: gpu.clone(),
            canvas: None,
            format,
            width,
            height,
            targets: None,
            actors: vec![ActorBuffers::new(gpu)?],
            shadow: None,
            shadow_number: 0,
            environment: None,
            light_group: None,
            behind: Vec::new(),
            occlusion: None,
            lines: Lines::default(),
            list: DrawList::default(),
            still: None,
            unfinished: Unfinished::default(),
        })
    }

    pub fn size(&self) -> (u32, u32) {
        (self.width, self.height)
    }

    /// Returns what the next picture of a model has if it may defer the rest. Only the device's first pictures do.
    pub fn next_detail(&self) -> Detail {
        self.gpu.pipelines().next_detail()
    }

    /// Draws a picture and presents it. Does nothing if the canvas can't be drawn to at the moment, for instance
    /// while it is hidden or being resized.
    ///
    /// A picture with a model has what `detail` says. The statistics tell if something is missing.
    ///
    /// # Errors
    /// `DeviceLost`, `Driver`, `NoSurface` if the canvas can't be drawn to, or `TooLarge` for a crowd that exceeds
    /// the device's limits.
    pub fn draw(&mut self, frame: &Frame<'_>, detail: Detail) -> Result<DrawStats, RenderError> {
        self.still = None;
        self.shadow_number = 0;
        let Some(texture) = self.canvas_texture()? else { return Ok(DrawStats::default()) };
        let mut encoder = self.encoder();
        let has_models = !frame.actors.is_empty();
        if has_models {
            self.gpu.pipelines().count_picture(detail);
        }
        let view = texture.texture.create_view(&wgpu::TextureViewDescriptor::default());
        let stats = self.record_frame(&mut encoder, &view, frame, detail)?;
        self.present(encoder, texture);
        Ok(DrawStats { is_deferred: has_models && detail < Detail::Whole, ..stats })
    }

    /// Records all passes of a picture as large as the canvas.
    ///
    /// # Errors
    /// The errors of [`prepare`](Self::prepare).
    pub(super) fn record_frame(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        resolved: &wgpu::TextureView,
        frame: &Frame<'_>,
        detail: Detail,
    ) -> Result<DrawStats, RenderError> {
        let picture = self.prepare(frame, Tiling::whole(self.width, self.height), detail)?;
        let cast = Cast {
            model: &|actor| Some(frame.actors.get(actor)?.model),
            material: &|actor, index| frame.actors.get(actor)?.material(index),
            backdrop: frame.backdrop,
            occlusion: frame.occlusion,
            views: frame.views,
            guides: frame.guides,
            throngs: frame.throngs,
        };
        Ok(self.record(encoder, resolved, &cast, &picture, Tile::default()))
    }

    pub(super) fn encoder(&self) -> wgpu::CommandEncoder {
        self.gpu.device().create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("frame") })
    }

    /// Uploads the data of a frame, which [`record`](Self::record) then draws, tile by tile.
    ///
    /// # Errors
    /// `TooLarge` for a crowd that exceeds the device's limits.
    pub(super) fn prepare(
        &mut self,
        frame: &Frame<'_>,
        tiling: Tiling,
        detail: Detail,
    ) -> Result<Prepared, RenderError> {
        while self.actors.len() < frame.actors.len() {
            self.actors.push(ActorBuffers::new(&self.gpu)?);
        }
        for gone in self.actors.drain(frame.actors.len().max(1)..) {
            if self.gpu.tier().needs_destroy() {
                gone.destroy();
            }
        }
        let light = if frame.actors.is_empty() {
            Light::NONE
        } else {
            GpuEnvironment::prepare(&mut self.environment, &self.gpu, frame.lighting.environment)
                .light(&self.gpu, detail)
        };
        let mut data = FrameData::new(frame, &light.in_picture(&frame.lighting), tiling);
        if !frame.lamps.is_empty() {
            data.add_lamps(frame);
        }
        let area = ShadowArea::of(frame, data.towards_key_light);
        if let Some(area) = area {
            data.cover(area);
        }
        let sight = Sight::of(&data);
        let mut own_bytes = 0;
        self.actors.iter_mut().for_each(|buffers| buffers.coarse = None);
        for (actor, buffers) in frame.actors.iter().zip(&mut self.actors) {
            // Views of surfaces show the triangles of the file.
            let coarse = actor.coarse.filter(|_| frame.views.is_none());
            buffers.write(&self.gpu, actor, &data, &sight, coarse)?;
            if detail >= Detail::MipLevels {
                actor.model.fill_mip_levels(&self.gpu);
            }
            own_bytes += actor.own_materials.iter().flatten().map(OwnMaterial::byte_count).sum::<u64>();
        }
        self.lines.write(&self.gpu, frame.lines);
        self.list.rebuild(frame, &self.actors, self.format, detail);
        for (index, buffers) in self.actors[..frame.actors.len()].iter().enumerate() {
            if let Some(coarse) = &buffers.coarse {
                coarse.0.split(&self.gpu, self.list.lists_mut(), index, buffers.level_ends);
                own_bytes += coarse.0.byte_count();
            }
        }
        Ok(Prepared {
            detail,
            background: frame.background,
            tone: frame.tone,
            ground: frame.ground.is_some() && detail >= Detail::Whole,
            casts: area.is_some(),
            actor_count: frame.actors.len(),
            character_count: frame.actors.iter().map(|actor| actor.character_count).sum(),
            own_bytes,
            data,
            reach: frame.occlusion.map_or(0.0, |occlusion| occlusion.finder.reach(frame)),
            tiling,
        })
    }

    /// Records all passes of one tile of a prepared picture, drawn into `resolved`. `cast` is that of the prepared
    /// frame. The commands must be submitted before the next tile is recorded, since all tiles share one uniform
    /// buffer.
    pub(super) fn record(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        resolved: &wgpu::TextureView,
        cast: &Cast<'_>,
        picture: &Prepared,
        tile: Tile,
    ) -> DrawStats {
        let mut stats = DrawStats::default();
        if let Some(throngs) = cast.throngs {
            throngs.0.join(self, encoder, cast, picture, &mut stats);
        }
        let mut data = picture.data;
        data.show_tile(picture.tiling, tile);
        for ActorBuffers { frame_data, first_tint_row, .. } in &self.actors[..picture.actor_count.max(1)] {
            data.first_tint_row = *first_tint_row;
            self.gpu.queue().write_buffer(frame_data, 0, bytemuck::bytes_of(&data));
        }
        self.record_shadow(encoder, cast, picture, &mut stats);
        let occlusion = cast.occlusion.filter(|_| picture.detail >= Detail::Whole && picture.actor_count > 0);
        self.occlusion = occlusion
            .map(|occlusion| occlusion.finder.find(self, encoder, (cast, occlusion), picture, &mut stats));
        if self.list.transmissive.is_empty() || cast.views.is_some() {
            self.behind.clear();
        } else {
            self.record_behind(encoder, cast, picture, &mut stats);
        }

        let samples = picture.detail.samples();
        let targets = Targets::prepare(&mut self.targets, &self.gpu, self.format, picture.tiling, samples);
        let target_bytes = part_of_bytes(targets, targets.byte_count());
        let mut pass = targets.begin_pass(encoder, resolved, picture.background);
        self.bind_shared(&mut pass);
        self.draw_solid(&mut pass, cast, picture, &mut stats);
        let mut behind = mem::take(&mut self.behind);
        // Back faces don't show themselves.
        self.bind_behind(&mut pass, behind.first_mut());
        self.draw_items(&mut pass, cast, &self.list.transmissive_backs, &mut stats);
        self.bind_behind(&mut pass, behind.last_mut());
        self.draw_items(&mut pass, cast, &self.list.transmissive, &mut stats);
        self.draw_items(&mut pass, cast, &self.list.blended, &mut stats);
        self.behind = behind;
        if let Some(guides) = cast.guides {
            guides.drawn.draw_over(&guides.content, self, &mut pass, picture, &mut stats);
        }
        if self.lines.draw(&self.gpu, &mut pass, self.format, samples) {
            stats.draws += 1;
        }
        drop(pass);
        if let Some(throngs) = cast.throngs {
            throngs.0.leave(self);
        }

        for (actor, buffers) in self.actors.iter().enumerate() {
            let model = (cast.model)(actor).map_or(0, |model| part_of_bytes(model, model.gpu_bytes()));
            stats.gpu_bytes += model + buffers.rows.byte_count();
        }
        stats.gpu_bytes += picture.own_bytes
            + self.lines.byte_count()
            + self.shadow.as_ref().map_or(0, |shadow| part_of_bytes(shadow, shadow.byte_count()))
            + self.environment.as_ref().map_or(0, |light| part_of_bytes(light, light.byte_count()))
            + self.behind.iter().map(Behind::byte_count).sum::<u64>()
            + cast.backdrop.map_or(0, |backdrop| backdrop.drawn.byte_count())
            + cast.occlusion.map_or(0, |occlusion| occlusion.finder.byte_count())
            + cast.views.map_or(0, |views| views.surfaces.byte_count())
            + target_bytes;
        stats
    }

    /// Binds what all draws of a picture read: data of the first actor, and what lights meshes.
    pub(super) fn bind_shared(&mut self, pass: &mut wgpu::RenderPass<'_>) {
        pass.set_bind_group(0, &self.actors[0].bind_group, &[]);
        if let (Some(shadow), Some(environment)) = (&self.shadow, &self.environment) {
            let beyond = self.occlusion.as_ref();
            let group = LightGroup::prepare(&mut self.light_group, &self.gpu, shadow, environment, beyond);
            pass.set_bind_group(3, group, &[]);
        }
    }

    /// Binds what is behind transmissive surfaces, if the picture has some.
    pub(super) fn bind_behind(&self, pass: &mut wgpu::RenderPass<'_>, behind: Option<&mut Behind>) {
        if let (Some(behind), Some(shadow), Some(environment)) = (behind, &self.shadow, &self.environment) {
            pass.set_bind_group(3, behind.light_group(&self.gpu, shadow, environment), &[]);
        }
    }

    /// Draws what is neither transmissive nor blended.
    pub(super) fn draw_solid(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        cast: &Cast<'_>,
        picture: &Prepared,
        stats: &mut DrawStats,
    ) {
        if let Some(backdrop) = cast.backdrop {
            backdrop.drawn.draw(self, pass, picture);
            stats.draws += 1;
        }
        if let Some(guides) = cast.guides {
            guides.drawn.draw_below(&guides.content, self, pass, (cast, picture), stats);
        }
        self.draw_items(pass, cast, &self.list.solid, stats);
        if let (true, Some(shadow)) = (picture.ground, &self.shadow) {
            shadow.draw_ground(&self.gpu, pass, self.format);
            stats.draws += 1;
        }
        self.draw_items(pass, cast, &self.list.cut_out, stats);
    }

    pub(super) fn draw_items(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        cast: &Cast<'_>,
        items: &[Item],
        stats: &mut DrawStats,
    ) {
        if let Some(views) = cast.views {
            return views.surfaces.draw(self, pass, (cast, views), items, stats);
        }
        let gpu = &self.gpu;
        // The pass begins with the first actor's bind group.
        let (mut bound_actor, mut bound_key, mut bound_material) = (0, None, None);
        for item in items {
            let Some(model) = (cast.model)(item.actor) else { continue };
            if bound_actor != item.actor {
                pass.set_bind_group(0, &self.actors[item.actor].bind_group, &[]);
                bound_actor = item.actor;
            }
            if bound_key != Some(item.key) {
                pass.set_pipeline(&gpu.pipelines().get(gpu.device(), PipelineKey::Mesh(item.key)));
                bound_key = Some(item.key);
            }
            let material = (item.actor, item.look.material);
            if bound_material != Some(material) {
                let found = (cast.material)(item.actor, item.look.material);
                let bind_group = found.map(|material| material.bind_group.borrow());
                pass.set_bind_group(2, bind_group.as_deref(), &[]);
                bound_material = Some(material);
            }
            let index_count = self.draw_item(pass, model, item, false);
            stats.draws += 1;
            if item.key.topology == wgpu::PrimitiveTopology::TriangleList {
                stats.triangles += index_count as usize / 3 * item.characters.len();
            }
        }
        if bound_actor != 0 {
            pass.set_bind_group(0, &self.actors[0].bind_group, &[]);
        }
    }

    fn record_shadow(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        cast: &Cast<'_>,
        picture: &Prepared,
        stats: &mut DrawStats,
    ) {
        // Only meshes and the ground below them read the shadow map.
        if picture.actor_count == 0 {
            return;
        }
        Shadow::prepare(&mut self.shadow, &self.gpu, picture.character_count);
        let Some(shadow) = &self.shadow else { return };
        // Tiles, and pictures that refine one, have the same shadow, unless another canvas has drawn its own.
        if picture.detail < Detail::Shadow || shadow.number() == self.shadow_number {
            return;
        }
        let mut pass = shadow.begin_pass(encoder);
        self.shadow_number = shadow.number();
        if picture.casts {
            for casters in [&self.list.solid, &self.list.cut_out, &self.list.blended_casters] {
                self.draw_casters(&mut pass, cast, casters, ShaderParts::default(), stats);
            }
        }
        drop(pass);
        if picture.ground {
            shadow.blur(&self.gpu, encoder, &self.actors[0].bind_group);
            stats.draws += 2;
        }
    }

    /// Draws the depths of items, as the key light sees them, or with a part of the shader as the viewer does.
    pub(super) fn draw_casters(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        cast: &Cast<'_>,
        casters: &[Item],
        parts: ShaderParts,
        stats: &mut DrawStats,
    ) {
        let (gpu, actors) = (&self.gpu, &self.actors);
        let (mut bound_actor, mut bound_key) = (None, None);
        for item in casters {
            let (Some(model), Some(material)) =
                ((cast.model)(item.actor), (cast.material)(item.actor, item.look.material))
            else {
                continue;
            };
            let key = item.key.shadow(material, parts);
            let Some(wanted) = key else { continue };
            if bound_actor != Some(item.actor) {
                pass.set_bind_group(0, &actors[item.actor].bind_group, &[]);
                bound_actor = Some(item.actor);
            }
            if bound_key != key {
                pass.set_pipeline(&gpu.pipelines().get(gpu.device(), PipelineKey::Shadow(wanted)));
                bound_key = key;
            }
            if wanted.cut_out.is_some() {
                pass.set_bind_group(2, &*material.bind_group.borrow(), &[]);
            }
            self.draw_item(pass, model, item, wanted.cut_out.is_none());
            stats.draws += 1;
        }
    }

    /// Draws an item, of which the shader may read positions alone. Returns the number of its indices.
    fn draw_item(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        model: &GpuModel,
        item: &Item,
        reads_positions_alone: bool,
    ) -> u32 {
        let parts = [item.draw, item.look.vertices];
        let primitive = model.draws[item.draw].primitive;
        let coarse = self.actors[item.actor].coarse.as_ref();
        if let Some(count) =
            coarse.and_then(|coarse| coarse.0.bind(pass, primitive, item.level, reads_positions_alone))
        {
            bind_part(pass, model, parts);
            pass.draw_indexed(0..count, 0, item.characters.clone());
            return count;
        }
        draw_part(pass, model, parts, u32::MAX, item.characters.clone());
        model.primitive(&model.draws[item.draw]).index_count
    }

    /// Creates a frame bind group with other rows, for the read-back pass and for ghosts.
    pub(super) fn bind_rows(&self, rows: &Rows) -> wgpu::BindGroup {
        bind_frame(&self.gpu, &self.actors[0].frame_data, rows)
    }
}

/// Draws the triangles of the first `most_indices` indices of a draw, for some characters.
pub(super) fn draw_part(
    pass: &mut wgpu::RenderPass<'_>,
    model: &GpuModel,
    parts: [usize; 2],
    most_indices: u32,
    characters: Range<u32>,
) {
    let primitive = bind_part(pass, model, parts);
    pass.set_index_buffer(primitive.indices.slice(..), primitive.index_format);
    pass.draw_indexed(0..primitive.index_count.min(most_indices), 0, characters);
}

/// Binds a draw and its vertices. Returns its primitive.
fn bind_part<'a>(
    pass: &mut wgpu::RenderPass<'_>,
    model: &'a GpuModel,
    [draw, vertices]: [usize; 2],
) -> &'a GpuPrimitive {
    let primitive = model.primitive(&model.draws[draw]);
    pass.set_bind_group(1, &model.bind_group, &[(draw * DRAW_STRIDE) as u32]);
    pass.set_vertex_buffer(0, primitive.vertices[vertices].slice(..));
    primitive
}
