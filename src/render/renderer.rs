use super::draw_list::{DrawList, Item};
use super::gpu_data::FrameData;
use super::lines::Lines;
use super::pipelines::{DEPTH_FORMAT, DRAW_STRIDE, PipelineKey, SAMPLE_COUNT};
use super::rows::Rows;
use super::shadow::Shadow;
use super::shadow_area::{ShadowArea, TOWARDS_KEY_LIGHT};
use super::shared::part_of_bytes;
use super::{DrawStats, Frame, Gpu, GpuModel, OwnMaterial, RenderError};
use glam::{Vec2, Vec4};
use std::rc::Rc;

/// One canvas, or one place off screen: its targets, and the numbers of the picture being drawn.
#[derive(Debug)]
pub struct Renderer {
    pub(super) gpu: Gpu,
    canvas: Option<Canvas>,
    pub(super) format: wgpu::TextureFormat,
    width: u32,
    height: u32,
    targets: Option<Rc<Targets>>,
    frame_data: wgpu::Buffer,
    character_rows: Rows,
    frame_bind_group: wgpu::BindGroup,
    shadow: Option<Rc<Shadow>>,
    lines: Lines,
    list: DrawList,
}

#[derive(Debug)]
struct Canvas {
    surface: wgpu::Surface<'static>,
    configuration: wgpu::SurfaceConfiguration,
}

/// What is drawn into before it is resolved to one sample a pixel. Canvases of one size take turns with it.
#[derive(Debug)]
pub(super) struct Targets {
    drops_late: bool,
    format: wgpu::TextureFormat,
    width: u32,
    height: u32,
    color: wgpu::TextureView,
    depth: wgpu::TextureView,
}

impl Drop for Renderer {
    fn drop(&mut self) {
        if self.gpu.tier().drops_late() {
            self.frame_data.destroy();
            self.character_rows.destroy();
            self.lines.destroy();
        }
    }
}

impl Renderer {
    /// Takes over a canvas.
    ///
    /// # Errors
    /// `NoSurface` where the device can't draw to it.
    pub fn new(
        gpu: &Gpu,
        surface: wgpu::Surface<'static>,
        width: u32,
        height: u32,
    ) -> Result<Self, RenderError> {
        let capabilities = surface.get_capabilities(gpu.adapter());
        // Shaders encode to sRGB themselves, so that both tiers do it in the same place.
        let format = capabilities.formats.into_iter().find(|format| !format.is_srgb());
        let configuration = wgpu::SurfaceConfiguration {
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
            format: format.ok_or(RenderError::NoSurface)?,
            color_space: wgpu::SurfaceColorSpace::Auto,
            width: width.max(1),
            height: height.max(1),
            present_mode: wgpu::PresentMode::Fifo,
            desired_maximum_frame_latency: 2,
            // WebGPU doesn't list it and has it; a WebGL canvas has nothing else and knows only the other word.
            alpha_mode: match gpu.tier() {
                super::Tier::WebGpu => wgpu::CompositeAlphaMode::PreMultiplied,
                super::Tier::WebGl2 => wgpu::CompositeAlphaMode::Auto,
            },
            view_formats: Vec::new(),
        };
        surface.configure(gpu.device(), &configuration);
        let format = configuration.format;
        let mut renderer = Self::without_canvas(gpu, width, height, format)?;
        renderer.canvas = Some(Canvas { surface, configuration });
        Ok(renderer)
    }

    /// Draws only by [`capture`](Self::capture).
    ///
    /// # Errors
    /// `DeviceLost` and `Driver`.
    pub fn offscreen(gpu: &Gpu) -> Result<Self, RenderError> {
        Self::without_canvas(gpu, 1, 1, wgpu::TextureFormat::Rgba8Unorm)
    }

    fn without_canvas(
        gpu: &Gpu,
        width: u32,
        height: u32,
        format: wgpu::TextureFormat,
    ) -> Result<Self, RenderError> {
        let frame_data = gpu.device().create_buffer(&wgpu::BufferDescriptor {
            label: Some("frame"),
            size: size_of::<FrameData>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let character_rows = Rows::new(gpu, CHARACTER_ROWS, 1)?;
        let frame_bind_group = bind_frame(gpu, &frame_data, &character_rows);
        gpu.check_health()?;
        Ok(Self {
            gpu: gpu.clone(),
            canvas: None,
            format,
            width,
            height,
            targets: None,
            frame_data,
            character_rows,
            frame_bind_group,
            shadow: None,
            lines: Lines::default(),
            list: DrawList::default(),
        })
    }

    /// In pixels; what the canvas element says of itself follows.
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

    /// Draws a picture and shows it. A canvas that can't take one just now (hidden, being resized) is left as it is.
    ///
    /// # Errors
    /// `DeviceLost` and `Driver`; `TooLarge` for a crowd beyond the device.
    pub fn draw(&mut self, frame: &Frame<'_>) -> Result<DrawStats, RenderError> {
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
        let stats = self.record(&mut encoder, &view, self.width, self.height, frame)?;
        self.gpu.queue().submit([encoder.finish()]);
        self.gpu.queue().present(texture);
        Ok(stats)
    }

    pub(super) fn encoder(&self) -> wgpu::CommandEncoder {
        self.gpu.device().create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("frame") })
    }

    /// Records all passes of a picture of this size into `resolved`.
    pub(super) fn record(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        resolved: &wgpu::TextureView,
        width: u32,
        height: u32,
        frame: &Frame<'_>,
    ) -> Result<DrawStats, RenderError> {
        let mut stats = DrawStats::default();
        self.write_rows(frame.rows)?;
        self.lines.write(&self.gpu, frame.lines);
        let area = ShadowArea::of(frame);
        self.write_frame_data(frame, area, width, height);
        if let Some(model) = frame.model {
            self.list.rebuild(model, frame, self.format);
        }
        self.record_shadow(encoder, frame, area.is_some(), &mut stats);

        let targets = Targets::prepare(&mut self.targets, &self.gpu, self.format, width, height)?;
        let target_bytes = part_of_bytes(targets, targets.byte_count());
        let mut pass = targets.begin_pass(encoder, resolved, frame.background);
        pass.set_bind_group(0, &self.frame_bind_group, &[]);
        if let Some(shadow) = &self.shadow {
            pass.set_bind_group(3, &shadow.compare, &[]);
        }
        if let Some(model) = frame.model {
            draw_items(&self.gpu, &mut pass, frame, model, &self.list.solid, &mut stats);
        }
        if let (Some(_), Some(shadow)) = (frame.ground, &self.shadow) {
            shadow.draw_ground(&self.gpu, &mut pass, self.format);
            stats.draws += 1;
        }
        if let Some(model) = frame.model {
            draw_items(&self.gpu, &mut pass, frame, model, &self.list.blended, &mut stats);
        }
        if self.lines.draw(&self.gpu, &mut pass, self.format) {
            stats.draws += 1;
        }
        drop(pass);

        let own_bytes: u64 = frame.own_materials.iter().flatten().map(OwnMaterial::byte_count).sum();
        stats.gpu_bytes = frame.model.map_or(0, |model| part_of_bytes(model, model.gpu_bytes()))
            + own_bytes
            + self.character_rows.byte_count()
            + self.lines.byte_count()
            + self.shadow.as_ref().map_or(0, |shadow| part_of_bytes(shadow, shadow.byte_count()))
            + target_bytes;
        Ok(stats)
    }

    fn write_rows(&mut self, rows: &[Vec4]) -> Result<(), RenderError> {
        if rows.len() > self.character_rows.capacity() {
            let larger = Rows::new(&self.gpu, CHARACTER_ROWS, rows.len().next_power_of_two())
                .or_else(|_| Rows::new(&self.gpu, CHARACTER_ROWS, rows.len()))?;
            let smaller = std::mem::replace(&mut self.character_rows, larger);
            if self.gpu.tier().drops_late() {
                smaller.destroy();
            }
            self.frame_bind_group = bind_frame(&self.gpu, &self.frame_data, &self.character_rows);
        }
        self.character_rows.write(&self.gpu, rows);
        Ok(())
    }

    fn write_frame_data(&self, frame: &Frame<'_>, area: Option<ShadowArea>, width: u32, height: u32) {
        // Without one the map is empty, so that any place in it is lit.
        let nowhere = ShadowArea { ground_height: 0.0, center: Vec2::ZERO, half_side: 1.0, reach: 1.0 };
        let area = area.unwrap_or(nowhere);
        let data = FrameData {
            projection_from_world: frame.view.projection_from_view * frame.view.view_from_world,
            viewer_in_world: frame.view.position_in_world,
            exposure: frame.exposure,
            viewport: [width as f32, height as f32],
            ground_height: area.ground_height,
            ground_radius: frame.ground.map_or(1.0, |ground| ground.radius),
            shadow_center: area.center.to_array(),
            shadow_half_side: area.half_side,
            shadow_reach: area.reach,
            towards_key_light: TOWARDS_KEY_LIGHT,
            // Row 0 is the first character's place.
            first_tint_row: frame.first_tint_row.unwrap_or(0) as u32,
        };
        self.gpu.queue().write_buffer(&self.frame_data, 0, bytemuck::bytes_of(&data));
    }

    fn record_shadow(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        frame: &Frame<'_>,
        cast: bool,
        stats: &mut DrawStats,
    ) {
        let shadow = Shadow::prepare(&mut self.shadow, &self.gpu, frame.character_count);
        let mut pass = shadow.begin_pass(encoder);
        if let Some(model) = frame.model.filter(|_| cast) {
            pass.set_pipeline(&self.gpu.pipelines().get(self.gpu.device(), PipelineKey::Shadow));
            pass.set_bind_group(0, &self.frame_bind_group, &[]);
            for item in &self.list.solid {
                if item.key.topology == wgpu::PrimitiveTopology::TriangleList {
                    draw_item(&mut pass, model, item);
                    stats.draws += 1;
                }
            }
        }
        drop(pass);
        if frame.ground.is_some() {
            shadow.blur(&self.gpu, encoder);
            stats.draws += 2;
        }
    }

    /// Binds rows that aren't this canvas's, for a pass that draws no picture.
    pub(super) fn bind_rows(&self, rows: &Rows) -> wgpu::BindGroup {
        bind_frame(&self.gpu, &self.frame_data, rows)
    }
}

const CHARACTER_ROWS: &str = "character rows";

fn bind_frame(gpu: &Gpu, frame_data: &wgpu::Buffer, rows: &Rows) -> wgpu::BindGroup {
    gpu.device().create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("frame"),
        layout: &gpu.pipelines().frame_layout,
        entries: &[
            wgpu::BindGroupEntry { binding: 0, resource: frame_data.as_entire_binding() },
            wgpu::BindGroupEntry { binding: 1, resource: rows.binding() },
        ],
    })
}

fn draw_items(
    gpu: &Gpu,
    pass: &mut wgpu::RenderPass<'_>,
    frame: &Frame<'_>,
    model: &GpuModel,
    items: &[Item],
    stats: &mut DrawStats,
) {
    let (mut bound_key, mut bound_material) = (None, None);
    for item in items {
        let primitive = model.primitive(&model.draws[item.draw]);
        if bound_key != Some(item.key) {
            pass.set_pipeline(&gpu.pipelines().get(gpu.device(), PipelineKey::Mesh(item.key)));
            bound_key = Some(item.key);
        }
        if bound_material != Some(primitive.material) {
            let material = frame.material(model, primitive.material);
            pass.set_bind_group(2, material.map(|material| &material.bind_group), &[]);
            bound_material = Some(primitive.material);
        }
        draw_item(pass, model, item);
        stats.draws += 1;
        if item.key.topology == wgpu::PrimitiveTopology::TriangleList {
            stats.triangles += primitive.index_count as usize / 3 * item.characters.len();
        }
    }
}

fn draw_item(pass: &mut wgpu::RenderPass<'_>, model: &GpuModel, item: &Item) {
    let primitive = model.primitive(&model.draws[item.draw]);
    pass.set_bind_group(1, &model.bind_group, &[(item.draw * DRAW_STRIDE) as u32]);
    pass.set_vertex_buffer(0, primitive.vertices.slice(..));
    pass.set_index_buffer(primitive.indices.slice(..), primitive.index_format);
    pass.draw_indexed(0..primitive.index_count, 0, item.characters.clone());
}

impl Targets {
    /// Keeps what is there if it has this size.
    fn prepare<'a>(
        held: &'a mut Option<Rc<Self>>,
        gpu: &Gpu,
        format: wgpu::TextureFormat,
        width: u32,
        height: u32,
    ) -> Result<&'a Rc<Self>, RenderError> {
        let limit = gpu.max_texture_size();
        let longest = width.max(height);
        if longest > limit || width.min(height) == 0 {
            let (needed, limit) = (u64::from(longest), u64::from(limit));
            return Err(RenderError::TooLarge { what: "a picture's longest side", needed, limit });
        }
        if held.as_ref().is_some_and(|targets| !targets.fit(format, width, height)) {
            *held = None;
        }
        Ok(held.get_or_insert_with(|| {
            let found = gpu.targets().find(|targets| targets.fit(format, width, height));
            found.unwrap_or_else(|| gpu.targets().add(Self::new(gpu, format, width, height)))
        }))
    }

    fn fit(&self, format: wgpu::TextureFormat, width: u32, height: u32) -> bool {
        (self.format, self.width, self.height) == (format, width, height)
    }

    fn new(gpu: &Gpu, format: wgpu::TextureFormat, width: u32, height: u32) -> Self {
        let make = |label, format| {
            let texture = gpu.device().create_texture(&wgpu::TextureDescriptor {
                label: Some(label),
                size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count: SAMPLE_COUNT,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
                view_formats: &[],
            });
            texture.create_view(&wgpu::TextureViewDescriptor::default())
        };
        Self {
            drops_late: gpu.tier().drops_late(),
            format,
            width,
            height,
            color: make("samples", format),
            depth: make("depth", DEPTH_FORMAT),
        }
    }

    fn byte_count(&self) -> u64 {
        let bytes_per_sample = 8;
        u64::from(self.width) * u64::from(self.height) * u64::from(SAMPLE_COUNT) * bytes_per_sample
    }

    fn begin_pass<'encoder>(
        &self,
        encoder: &'encoder mut wgpu::CommandEncoder,
        resolved: &wgpu::TextureView,
        background: Option<Vec4>,
    ) -> wgpu::RenderPass<'encoder> {
        let background = background.unwrap_or(Vec4::ZERO).as_dvec4();
        let clear = wgpu::Color {
            r: background.x * background.w,
            g: background.y * background.w,
            b: background.z * background.w,
            a: background.w,
        };
        encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("picture"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &self.color,
                depth_slice: None,
                resolve_target: Some(resolved),
                // Once resolved, the samples aren't needed.
                ops: wgpu::Operations { load: wgpu::LoadOp::Clear(clear), store: wgpu::StoreOp::Discard },
            })],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &self.depth,
                depth_ops: Some(wgpu::Operations {
                    load: wgpu::LoadOp::Clear(1.0),
                    store: wgpu::StoreOp::Discard,
                }),
                stencil_ops: None,
            }),
            ..wgpu::RenderPassDescriptor::default()
        })
    }
}

impl Drop for Targets {
    fn drop(&mut self) {
        if self.drops_late {
            self.color.texture().destroy();
            self.depth.texture().destroy();
        }
    }
}
