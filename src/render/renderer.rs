use super::actor_buffers::{ActorBuffers, bind_frame};
use super::behind::Behind;
use super::draw_list::{CoarseIndices, DrawList, Item};
use super::environment::{GpuEnvironment, Light, LightGroup};
use super::gpu_data::FrameData;
use super::gpu_model::{GpuMaterial, GpuPrimitive};
use super::lines::Lines;
use super::pipeline_keys::PipelineKey;
use super::pipelines::{DRAW_STRIDE, Detail};
use super::rows::Rows;
use super::shadow::Shadow;
use super::shadow_area::ShadowArea;
use super::shared::part_of_bytes;
use super::targets::Targets;
use super::tiles::{Tile, Tiling};
use super::{
    Backdrop, DrawStats, Frame, Gpu, GpuModel, Guides, OwnMaterial, RenderError, Throngs, Tier, Tone, Views,
};
use glam::Vec4;
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// Draws to one canvas, or to an off-screen target.
#[derive(Debug)]
pub struct Renderer {
    pub(super) gpu: Gpu,
    pub(super) canvas: Option<Canvas>,
    pub(super) format: wgpu::TextureFormat,
    width: u32,
    height: u32,
    pub(super) targets: Option<Rc<Targets>>,
    /// Never empty, even without actors.
    pub(super) actors: Vec<ActorBuffers>,
    pub(super) shadow: Option<Rc<Shadow>>,
    pub(super) environment: Option<Rc<GpuEnvironment>>,
    pub(super) light_group: Option<LightGroup>,
    pub(super) behind: Option<Behind>,
    lines: Lines,
    pub(super) list: DrawList,
    /// Number of pictures that were submitted and that the GPU hasn't finished.
    unfinished: Arc<AtomicU32>,
}

#[derive(Debug)]
pub(super) struct Canvas {
    pub(super) surface: wgpu::Surface<'static>,
    configuration: wgpu::SurfaceConfiguration,
}

/// Models and materials of the actors of a picture, and what is behind them.
pub(super) struct Cast<'a> {
    /// Returns the model of an actor.
    pub(super) model: &'a dyn Fn(usize) -> Option<&'a Rc<GpuModel>>,
    /// Returns the material of an actor to draw for a material index, or `None` if it is hidden.
    pub(super) material: &'a dyn Fn(usize, usize) -> Option<&'a GpuMaterial>,
    /// Draws what is behind the models.
    pub(super) backdrop: Option<&'a Backdrop>,
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
    /// Creates a renderer for a canvas and configures its surface. `width` and `height` are in pixels.
    ///
    /// # Errors
    /// `NoSurface` if the device can't draw to the canvas, or an error of the device.
    pub fn new(
        gpu: &Gpu,
        surface: wgpu::Surface<'static>,
        width: u32,
        height: u32,
    ) -> Result<Self, RenderError> {
        let limit = gpu.max_texture_size();
        let (width, height) = (width.clamp(1, limit), height.clamp(1, limit));
        let capabilities = surface.get_capabilities(gpu.adapter());
        // Shaders encode to sRGB themselves on both tiers, so the target must not be sRGB.
        let format = capabilities.formats.into_iter().find(|format| !format.is_srgb());
        let configuration = wgpu::SurfaceConfiguration {
            // The copies show whether the picture is blank (`src/webgpu/calls.js`).
            usage: match gpu.tier() {
                Tier::WebGpu => wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
                Tier::WebGl2 => wgpu::TextureUsages::RENDER_ATTACHMENT,
            },
            format: format.ok_or(RenderError::NoSurface)?,
            color_space: wgpu::SurfaceColorSpace::Auto,
            width,
            height,
            present_mode: wgpu::PresentMode::Fifo,
            desired_maximum_frame_latency: 2,
            // wgpu doesn't list `PreMultiplied` for WebGPU, but supports it. For WebGL it accepts only the name
            // `Auto`, which is premultiplied there.
            alpha_mode: match gpu.tier() {
                Tier::WebGpu => wgpu::CompositeAlphaMode::PreMultiplied,
                Tier::WebGl2 => wgpu::CompositeAlphaMode::Auto,
            },
            view_formats: Vec::new(),
        };
        surface.configure(gpu.device(), &configuration);
        let format = configuration.format;
        let mut renderer = Self::without_canvas(gpu, width, height, format)?;
        gpu.check_health()?;
        renderer.canvas = Some(Canvas { surface, configuration });
        Ok(renderer)
    }

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
            environment: None,
            light_group: None,
            behind: None,
            lines: Lines::default(),
            list: DrawList::default(),
            unfinished: Arc::default(),
        })
    }

    /// Sets the size of the canvas in pixels, including the canvas element's `width` and `height`.
    pub fn resize(&mut self, width: u32, height: u32) {
        let limit = self.gpu.max_texture_size();
        let (width, height) = (width.clamp(1, limit), height.clamp(1, limit));
        if (width, height) == (self.width, self.height) {
            return;
        }
        (self.width, self.height) = (width, height);
        if let Some(canvas) = &mut self.canvas {
            (canvas.configuration.width, canvas.configuration.height) = (width, height);
            canvas.surface.configure(self.gpu.device(), &canvas.configuration);
        }
    }

    pub fn size(&self) -> (u32, u32) {
        (self.width, self.height)
    }

    /// Returns whether the GPU still has so many unfinished pictures that another one would only add latency.
    /// Chromium 156 queues any number of WebGPU pictures. It limits WebGL2 itself, so there this always returns false.
    pub fn is_behind(&self) -> bool {
        let behind = !cfg!(feature = "webgl") && self.unfinished.load(Ordering::Relaxed) >= MOST_UNFINISHED;
        if behind {
            // Firefox polls for finished work only ten times a second, and at every submit.
            self.gpu.queue().submit([]);
        }
        behind
    }

    /// Returns what the next picture of a model has if it may defer the rest. Only the device's first pictures do.
    pub fn next_detail(&self) -> Detail {
        self.gpu.pipelines().next_detail()
    }

    /// Returns the surface of the canvas.
    pub fn surface(&self) -> Option<&wgpu::Surface<'static>> {
        self.canvas.as_ref().map(|canvas| &canvas.surface)
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
        use wgpu::CurrentSurfaceTexture as Current;
        self.gpu.check_health()?;
        let Some(canvas) = &self.canvas else { return Err(RenderError::NoSurface) };
        let mut current = canvas.surface.get_current_texture();
        if matches!(current, Current::Outdated | Current::Lost) {
            canvas.surface.configure(self.gpu.device(), &canvas.configuration);
            current = canvas.surface.get_current_texture();
        }
        let texture = match current {
            Current::Success(texture) | Current::Suboptimal(texture) => texture,
            Current::Timeout | Current::Occluded | Current::Outdated => return Ok(DrawStats::default()),
            Current::Lost | Current::Validation => {
                self.gpu.check_health()?;
                return Err(RenderError::NoSurface);
            }
        };
        let view = texture.texture.create_view(&wgpu::TextureViewDescriptor::default());
        let mut encoder = self.encoder();
        let has_models = !frame.actors.is_empty();
        if has_models {
            self.gpu.pipelines().count_picture(detail);
        }
        let picture = self.prepare(frame, Tiling::whole(self.width, self.height), detail)?;
        let cast = Cast {
            model: &|actor| Some(frame.actors.get(actor)?.model),
            material: &|actor, index| frame.actors.get(actor)?.material(index),
            backdrop: frame.backdrop,
            views: frame.views,
            guides: frame.guides,
            throngs: frame.throngs,
        };
        let stats = self.record(&mut encoder, &view, &cast, &picture, Tile::default());
        self.gpu.queue().submit([encoder.finish()]);
        self.gpu.queue().present(texture);
        self.count_unfinished();
        Ok(DrawStats { is_deferred: has_models && detail < Detail::Whole, ..stats })
    }

    /// Counts a picture until it is finished. Pictures beyond the limit aren't counted, so that callbacks don't pile up
    /// for a caller that draws regardless.
    fn count_unfinished(&self) {
        // Checking the feature removes the code from the WebGL2 build at compile time.
        let waits = cfg!(feature = "webgl") || self.gpu.tier() != Tier::WebGpu;
        if waits || self.unfinished.load(Ordering::Relaxed) >= MOST_UNFINISHED {
            return;
        }
        self.unfinished.fetch_add(1, Ordering::Relaxed);
        let unfinished = Arc::clone(&self.unfinished);
        self.gpu.queue().on_submitted_work_done(move || {
            unfinished.fetch_sub(1, Ordering::Relaxed);
        });
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
        let mut own_bytes = 0;
        for (actor, buffers) in frame.actors.iter().zip(&mut self.actors) {
            buffers.write(&self.gpu, actor)?;
            if detail >= Detail::MipLevels {
                actor.model.fill_mip_levels(&self.gpu);
            }
            own_bytes += actor.own_materials.iter().flatten().map(OwnMaterial::byte_count).sum::<u64>();
        }
        self.lines.write(&self.gpu, frame.lines);
        self.list.rebuild(frame, self.format, detail);
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
        if self.list.transmissive.is_empty() || cast.views.is_some() {
            self.behind = None;
        } else {
            self.record_behind(encoder, cast, picture, &mut stats);
        }

        let samples = picture.detail.samples();
        let targets = Targets::prepare(&mut self.targets, &self.gpu, self.format, picture.tiling, samples);
        let target_bytes = part_of_bytes(targets, targets.byte_count());
        let mut pass = targets.begin_pass(encoder, resolved, picture.background);
        self.bind_shared(&mut pass);
        self.draw_solid(&mut pass, cast, picture, &mut stats);
        self.draw_items(&mut pass, cast, &self.list.transmissive, &mut stats);
        self.draw_items(&mut pass, cast, &self.list.blended, &mut stats);
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
            + self.behind.as_ref().map_or(0, Behind::byte_count)
            + cast.backdrop.map_or(0, |backdrop| backdrop.drawn.byte_count())
            + cast.views.map_or(0, |views| views.surfaces.byte_count())
            + target_bytes;
        stats
    }

    /// Binds what all draws of a picture read: data of the first actor, and what lights meshes.
    pub(super) fn bind_shared(&mut self, pass: &mut wgpu::RenderPass<'_>) {
        pass.set_bind_group(0, &self.actors[0].bind_group, &[]);
        if let (Some(shadow), Some(environment)) = (&self.shadow, &self.environment) {
            let group = match &mut self.behind {
                Some(behind) => behind.light_group(&self.gpu, shadow, environment),
                None => LightGroup::prepare(&mut self.light_group, &self.gpu, shadow, environment, None),
            };
            pass.set_bind_group(3, group, &[]);
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

    fn draw_items(
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
            let index_count = draw_item(pass, model, item);
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
        let shadow = Shadow::prepare(&mut self.shadow, &self.gpu, picture.character_count);
        if picture.detail < Detail::Shadow {
            return;
        }
        let mut pass = shadow.begin_pass(encoder);
        if picture.casts {
            for casters in [&self.list.solid, &self.list.cut_out, &self.list.blended_casters] {
                draw_casters(&self.gpu, &mut pass, cast, &self.actors, casters, stats);
            }
        }
        drop(pass);
        if picture.ground {
            shadow.blur(&self.gpu, encoder, &self.actors[0].bind_group);
            stats.draws += 2;
        }
    }

    /// Creates a frame bind group with other rows, for the read-back pass and for ghosts.
    pub(super) fn bind_rows(&self, rows: &Rows) -> wgpu::BindGroup {
        bind_frame(&self.gpu, &self.actors[0].frame_data, rows)
    }
}

/// Number of unfinished pictures from which on the GPU counts as behind: one being drawn, one queued, and one whose
/// completion the browser hasn't reported yet.
const MOST_UNFINISHED: u32 = 3;

fn draw_casters(
    gpu: &Gpu,
    pass: &mut wgpu::RenderPass<'_>,
    cast: &Cast<'_>,
    actors: &[ActorBuffers],
    casters: &[Item],
    stats: &mut DrawStats,
) {
    let (mut bound_actor, mut bound_key) = (None, None);
    for item in casters {
        let (Some(model), Some(material)) =
            ((cast.model)(item.actor), (cast.material)(item.actor, item.look.material))
        else {
            continue;
        };
        let key = item.key.shadow(material);
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
        draw_item(pass, model, item);
        stats.draws += 1;
    }
}

/// Draws an item. Returns the number of its indices.
fn draw_item(pass: &mut wgpu::RenderPass<'_>, model: &GpuModel, item: &Item) -> u32 {
    let parts = [item.draw, item.look.vertices];
    let Some(CoarseIndices { buffer, count }) = item.coarse.as_deref() else {
        draw_part(pass, model, parts, u32::MAX, item.characters.clone());
        return model.primitive(&model.draws[item.draw]).index_count;
    };
    bind_part(pass, model, parts);
    pass.set_index_buffer(buffer.slice(..), wgpu::IndexFormat::Uint32);
    pass.draw_indexed(0..*count, 0, item.characters.clone());
    *count
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
