//! Throngs: characters of one model whose rows a shader computes. The processor finds those that a picture may show.
//!
//! ```text
//! rows of clips ─┐
//! rows of members┴─▶ a pixel for each row of each character ─▶ rows of the characters ─▶ the draws of one character,
//!                                                                                       with all members as instances
//! ```
//!
//! The pixels are those of a float texture with WebGL2, which is what vertex shaders read. With WebGPU, vertex shaders
//! read a buffer, to which the pixels are copied, band by band.
//!
//! A throng is an actor of the picture with a single character, which lists its draws. While a picture is recorded,
//! these have all members that it may show, and the actor has the rows of the throng. Few pages have throngs, so pages
//! fetch this code with the first. The renderer therefore calls it through a trait.

pub mod shaders;
mod visible;

use super::actor_buffers::bind_frame;
use super::cover::Cover;
use super::gpu_data::ROW_TEXTURE_WIDTH;
use super::layouts::entry;
use super::levels::{COARSER_LEVELS, Coarse};
use super::pipelines::color_pass;
use super::read_back::PixelCopy;
use super::renderer::{Cast, Prepared, Renderer};
use super::rows::Rows;
use super::{DrawStats, Gpu, RenderError, Tier};
use glam::Vec4;
use std::cell::RefCell;
use std::fmt;
use std::future::Future;
use std::rc::Rc;
use visible::visible_members;

/// Lines of pixels of a pass: 16 MiB. `throng.wgsl` has the same number.
const BAND_LINES: usize = 512;

/// Checks whether a device can pose throngs.
///
/// # Errors
/// `Driver` if it can't.
pub fn check(gpu: &Gpu) -> Result<(), RenderError> {
    if gpu.draws_floats() {
        return Ok(());
    }
    let reason = "EXT_color_buffer_float is missing, which throngs need; use a crowd";
    Err(RenderError::Driver { reason: reason.into() })
}

/// What a throng shows at a time.
#[derive(Clone, Debug)]
pub struct ThrongContent {
    pub count: usize,
    pub rows_per_character: usize,
    /// Time since the phases of the members were written.
    pub elapsed_secs: f32,
    /// Rows of clips, as `ClipRows` has them.
    pub clips: Revised,
    /// Six rows for each member, after a row without content. `src/player/throng/rows.rs` describes them.
    pub members: Revised,
    /// Centre and radius of a sphere around a member in the space of its model, whatever it plays.
    pub reach: Vec4,
    /// Fewer triangles of each primitive, for members that are small in the picture.
    pub coarse: Coarse,
}

impl ThrongContent {
    /// Returns the number of rows of all characters and their tints.
    fn row_count(&self) -> usize {
        self.count * (self.rows_per_character + 1)
    }
}

/// Rows that are uploaded when their number changes.
#[derive(Clone, Debug, Default)]
pub struct Revised {
    pub rows: Rc<Vec<Vec4>>,
    pub number: u64,
}

/// A throng in a picture.
#[derive(Clone, Debug)]
pub struct Throng {
    /// Index of the actor in the picture.
    pub actor: usize,
    pub content: ThrongContent,
    pub kept: KeptThrong,
}

/// What a throng keeps on the GPU. Clones share it.
#[derive(Clone, Default)]
pub struct KeptThrong(Rc<RefCell<Option<Kept>>>);

impl fmt::Debug for KeptThrong {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("KeptThrong")
    }
}

/// All throngs of a picture.
#[derive(Clone)]
pub struct Throngs(pub(super) Rc<dyn JoinThrongs>);

impl Throngs {
    pub fn new(throngs: Vec<Throng>) -> Self {
        Self(Rc::new(throngs))
    }
}

impl fmt::Debug for Throngs {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Throngs")
    }
}

pub(super) trait JoinThrongs {
    /// Poses the throngs, and lets their actors have all members that the picture may show.
    fn join(
        &self,
        renderer: &mut Renderer,
        encoder: &mut wgpu::CommandEncoder,
        cast: &Cast<'_>,
        picture: &Prepared,
        stats: &mut DrawStats,
    );

    /// Gives the actors their own rows again.
    fn leave(&self, renderer: &mut Renderer);
}

impl JoinThrongs for Vec<Throng> {
    fn join(
        &self,
        renderer: &mut Renderer,
        encoder: &mut wgpu::CommandEncoder,
        cast: &Cast<'_>,
        picture: &Prepared,
        stats: &mut DrawStats,
    ) {
        for throng in self {
            let mut visible = visible_members(&throng.content, &picture.data);
            if cast.views.is_some() {
                // Views of surfaces show the triangles of the file.
                visible.ends = [visible.members.len() as u32; COARSER_LEVELS + 1];
            }
            let posed = throng.pose(&renderer.gpu, encoder, &visible.members);
            let ends = if posed.is_ok() { visible.ends } else { [0; COARSER_LEVELS + 1] };
            let mut held = throng.kept.0.borrow_mut();
            let count = ends[COARSER_LEVELS];
            for items in renderer.list.lists_mut() {
                // What another tile has added.
                items.retain(|item| item.actor != throng.actor || item.characters.start == 0);
                for item in items.iter_mut().filter(|item| item.actor == throng.actor) {
                    item.characters = 0..count;
                }
            }
            let coarse = &throng.content.coarse;
            coarse.0.split(&renderer.gpu, renderer.list.lists_mut(), throng.actor, ends);
            let (Ok(()), Some(buffers)) = (posed, renderer.actors.get_mut(throng.actor)) else { continue };
            if let Some(kept) = held.as_mut() {
                let group = bind_frame(&renderer.gpu, &buffers.frame_data, &kept.characters);
                kept.own_group = Some(std::mem::replace(&mut buffers.bind_group, group));
                buffers.first_tint_row = count * throng.content.rows_per_character as u32;
                buffers.coarse = Some(coarse.clone());
                stats.gpu_bytes += kept.byte_count() + coarse.0.byte_count();
                stats.draws += kept.band_count();
            }
        }
    }

    fn leave(&self, renderer: &mut Renderer) {
        for throng in self {
            if let Some(kept) = throng.kept.0.borrow_mut().as_mut()
                && let (Some(group), Some(buffers)) =
                    (kept.own_group.take(), renderer.actors.get_mut(throng.actor))
            {
                buffers.bind_group = group;
            }
        }
    }
}

impl Throng {
    /// Records the passes that compute the rows of some members.
    fn pose(&self, gpu: &Gpu, encoder: &mut wgpu::CommandEncoder, posed: &[u32]) -> Result<(), RenderError> {
        let mut held = self.kept.0.borrow_mut();
        if !held.as_ref().is_some_and(|kept| kept.fits(gpu, &self.content)) {
            *held = None;
            *held = Some(Kept::new(gpu, &self.content)?);
        }
        if let Some(kept) = held.as_mut() {
            kept.write(&self.content, posed);
            kept.pose(encoder, posed.len() * (self.content.rows_per_character + 1));
        }
        Ok(())
    }

    /// Reads back the rows of all characters, as far as they are in the last band.
    ///
    /// # Errors
    /// `TooLarge` if they take several bands, or if the device can't hold them. The future fails with an error of the
    /// device.
    pub(crate) fn read(
        &self,
        gpu: &Gpu,
    ) -> Result<impl Future<Output = Result<Vec<Vec4>, RenderError>> + use<>, RenderError> {
        let row_count = self.content.row_count();
        let limit = (BAND_LINES * ROW_TEXTURE_WIDTH) as u64;
        if row_count as u64 > limit {
            return Err(RenderError::TooLarge { what: "reading a throng", needed: row_count as u64, limit });
        }
        let descriptor = wgpu::CommandEncoderDescriptor { label: Some("throng") };
        let mut encoder = gpu.device().create_command_encoder(&descriptor);
        let all: Vec<u32> = (0..self.content.count as u32).collect();
        self.pose(gpu, &mut encoder, &all)?;
        let held = self.kept.0.borrow();
        let kept = held.as_ref().ok_or(RenderError::CaptureFailed)?;
        let copy = PixelCopy::record(gpu, &mut encoder, kept.target().0);
        gpu.queue().submit([encoder.finish()]);
        let bytes = copy.finish(gpu);
        Ok(async move {
            let bytes = bytes.await?;
            let rows = bytes.chunks_exact(size_of::<Vec4>()).take(row_count);
            Ok(rows.map(|row| Vec4::from_array(bytemuck::pod_read_unaligned(row))).collect())
        })
    }
}

struct Kept {
    gpu: Gpu,
    pipeline: wgpu::RenderPipeline,
    clips: Rows,
    members: Rows,
    /// Groups of the members and of the clips.
    groups: [wgpu::BindGroup; 2],
    /// Numbers of the revisions of clips and members that are uploaded.
    numbers: [u64; 2],
    characters: Rows,
    /// Pixels that are copied to `characters` where those are a buffer.
    band: Option<(wgpu::Texture, wgpu::TextureView)>,
    /// Group of the actor's own rows, during a picture.
    own_group: Option<wgpu::BindGroup>,
}

impl Kept {
    fn new(gpu: &Gpu, content: &ThrongContent) -> Result<Self, RenderError> {
        let line_count = content.row_count().div_ceil(ROW_TEXTURE_WIDTH);
        let characters = Rows::drawn(gpu, "throng", line_count * ROW_TEXTURE_WIDTH)?;
        let clips = Rows::new(gpu, "clips of a throng", content.clips.rows.len())?;
        let members =
            Rows::new(gpu, "members of a throng", first_member(content) + content.members.rows.len())?;
        let band = characters.target().is_none().then(|| {
            let texture = gpu.device().create_texture(&wgpu::TextureDescriptor {
                label: Some("band of a throng"),
                size: wgpu::Extent3d {
                    width: ROW_TEXTURE_WIDTH as u32,
                    height: line_count.min(BAND_LINES) as u32,
                    depth_or_array_layers: 1,
                },
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format: wgpu::TextureFormat::Rgba32Uint,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
                view_formats: &[],
            });
            let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
            (texture, view)
        });
        let binding = Rows::binding_type(gpu.tier());
        let layout = gpu.device().create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("throng"),
            entries: &[entry(1, wgpu::ShaderStages::FRAGMENT, binding)],
        });
        let groups = [&members, &clips].map(|rows| {
            gpu.device().create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("throng"),
                layout: &layout,
                entries: &[wgpu::BindGroupEntry { binding: 1, resource: rows.binding() }],
            })
        });
        let pipeline = pipeline(gpu, &layout);
        // No revision has this number.
        let numbers = [u64::MAX; 2];
        let gpu = gpu.clone();
        Ok(Self { gpu, pipeline, clips, members, groups, numbers, characters, band, own_group: None })
    }

    /// Returns whether the buffers are those of a device, and have room for some content.
    fn fits(&self, gpu: &Gpu, content: &ThrongContent) -> bool {
        self.gpu.is(gpu)
            && self.characters.capacity() >= content.row_count()
            && self.clips.capacity() >= content.clips.rows.len()
            && self.members.capacity() >= first_member(content) + content.members.rows.len()
    }

    /// Uploads what is new: always the row with the time, and the numbers of the members to pose.
    fn write(&mut self, content: &ThrongContent, posed: &[u32]) {
        let ThrongContent { clips, members, rows_per_character, elapsed_secs, .. } = content;
        let [clips_number, members_number] = &mut self.numbers;
        if *clips_number != clips.number {
            self.clips.write(&self.gpu, &clips.rows);
            *clips_number = clips.number;
        }
        let first = first_member(content);
        let counts = [posed.len(), *rows_per_character, first].map(|count| count as f32);
        let mut rows = vec![Vec4::new(counts[0], counts[1], *elapsed_secs, counts[2])];
        rows.extend(posed.chunks(4).map(|numbers| {
            let mut row = Vec4::ZERO;
            for (at, number) in numbers.iter().enumerate() {
                row[at] = *number as f32;
            }
            row
        }));
        if *members_number != members.number {
            rows.resize(first, Vec4::ZERO);
            rows.extend_from_slice(&members.rows[1..]);
            *members_number = members.number;
        }
        self.members.write(&self.gpu, &rows);
    }

    fn pose(&self, encoder: &mut wgpu::CommandEncoder, row_count: usize) {
        let line_count = row_count.div_ceil(ROW_TEXTURE_WIDTH);
        for (band, first) in (0..line_count).step_by(self.lines_of_pass()).enumerate() {
            let mut pass = color_pass(encoder, "throng", self.target().1, wgpu::Color::TRANSPARENT);
            pass.set_pipeline(&self.pipeline);
            pass.set_bind_group(0, &self.groups[0], &[]);
            pass.set_bind_group(1, &self.groups[1], &[]);
            pass.draw(0..3, band as u32..band as u32 + 1);
            drop(pass);
            if let (Some((texture, _)), Some(buffer)) = (&self.band, self.characters.buffer()) {
                let bytes_per_line = (ROW_TEXTURE_WIDTH * size_of::<Vec4>()) as u32;
                let destination = wgpu::TexelCopyBufferInfo {
                    buffer,
                    layout: wgpu::TexelCopyBufferLayout {
                        offset: first as u64 * u64::from(bytes_per_line),
                        bytes_per_row: Some(bytes_per_line),
                        rows_per_image: None,
                    },
                };
                let height = (line_count - first).min(BAND_LINES) as u32;
                let size = wgpu::Extent3d { height, ..texture.size() };
                encoder.copy_texture_to_buffer(texture.as_image_copy(), destination, size);
            }
        }
    }

    /// Returns what passes draw to.
    fn target(&self) -> (&wgpu::Texture, &wgpu::TextureView) {
        let band = self.band.as_ref().map(|(texture, view)| (texture, view));
        self.characters.target().or(band).expect("there is a band where the rows are a buffer")
    }

    /// Returns the greatest number of lines of a pass.
    fn lines_of_pass(&self) -> usize {
        if self.band.is_some() { BAND_LINES } else { usize::MAX }
    }

    fn band_count(&self) -> usize {
        (self.characters.capacity() / ROW_TEXTURE_WIDTH).div_ceil(self.lines_of_pass())
    }

    fn byte_count(&self) -> u64 {
        let band = self.band.as_ref().map_or(0, |(texture, _)| super::textures::byte_count(texture));
        let rows = [&self.clips, &self.members, &self.characters].map(Rows::byte_count);
        rows.iter().sum::<u64>() + band
    }
}

/// Returns the row of the first member: after the row with the time, and the numbers of members.
fn first_member(content: &ThrongContent) -> usize {
    1 + content.count.div_ceil(4)
}

impl Drop for Kept {
    fn drop(&mut self) {
        if self.gpu.tier().needs_destroy() {
            [&self.clips, &self.members, &self.characters].iter().for_each(|rows| rows.destroy());
            if let Some((texture, _)) = &self.band {
                texture.destroy();
            }
        }
    }
}

fn pipeline(gpu: &Gpu, layout: &wgpu::BindGroupLayout) -> wgpu::RenderPipeline {
    let (fragment_entry, format) = match gpu.tier() {
        Tier::WebGpu => ("throng_bits_fragment", wgpu::TextureFormat::Rgba32Uint),
        Tier::WebGl2 => ("throng_fragment", wgpu::TextureFormat::Rgba32Float),
    };
    let throng = Cover {
        label: "throng",
        source: shaders::source(gpu.tier()),
        groups: &[Some(layout), Some(layout)],
        vertex_entry: "throng_vertex",
        fragment_entry,
        format,
        sample_count: 1,
        has_depth: false,
    };
    throng.pipeline(gpu.device())
}
