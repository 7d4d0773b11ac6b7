//! What shaders read about one actor of a picture: data of the picture, and the rows of its characters.

use super::gpu_data::FrameData;
use super::levels::Ends;
use super::rows::Rows;
use super::sight::Sight;
use super::{Actor, Coarse, Gpu, RenderError};
use glam::Vec4;

/// Buffers with what shaders read about one actor. They grow with its rows.
#[derive(Debug)]
pub(super) struct ActorBuffers {
    pub(super) frame_data: wgpu::Buffer,
    pub(super) rows: Rows,
    pub(super) bind_group: wgpu::BindGroup,
    /// Index of the first tint in `rows`. 0 stands for no tints, since row 0 belongs to the first character's
    /// transform.
    pub(super) first_tint_row: u32,
    /// Characters in the picture, whose rows these are.
    pub(super) shown: Vec<u32>,
    /// The levels of detail, if the actor has some.
    pub(super) coarse: Option<Coarse>,
    /// Where the characters of each level end.
    pub(super) level_ends: Ends,
    /// Rows of these, if others are out of the picture, or the order differs. Kept to reuse the allocation.
    packed: Vec<Vec4>,
}

const CHARACTER_ROWS: &str = "character rows";

impl ActorBuffers {
    pub(super) fn new(gpu: &Gpu) -> Result<Self, RenderError> {
        let frame_data = gpu.device().create_buffer(&wgpu::BufferDescriptor {
            label: Some("frame"),
            size: size_of::<FrameData>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let rows = Rows::new(gpu, CHARACTER_ROWS, 1)?;
        let bind_group = bind_frame(gpu, &frame_data, &rows);
        let (shown, packed) = (Vec::new(), Vec::new());
        let (coarse, level_ends) = (None, Ends::default());
        Ok(Self { frame_data, rows, bind_group, first_tint_row: 0, shown, coarse, level_ends, packed })
    }

    /// Uploads the rows of the characters in the picture, in the order of their levels of detail.
    ///
    /// # Errors
    /// `TooLarge` if they exceed the device's limits.
    pub(super) fn write(
        &mut self,
        gpu: &Gpu,
        actor: &Actor<'_>,
        frame: &FrameData,
        sight: &Sight,
        coarse: Option<&Coarse>,
    ) -> Result<(), RenderError> {
        sight.list(actor, &mut self.shown);
        self.coarse = coarse.cloned();
        let mut all_whole = true;
        if let Some(coarse) = coarse {
            self.level_ends = coarse.0.order(actor, frame, &mut self.shown);
            all_whole = self.level_ends[0] as usize == self.shown.len();
        }
        let mut first_tint_row = actor.first_tint_row;
        let rows = if self.shown.len() < actor.character_count || !all_whole {
            let per_character = actor.model.rows_per_character;
            let row_count = self.shown.len() * per_character;
            self.packed.clear();
            for &character in &self.shown {
                let first = character as usize * per_character;
                self.packed.extend_from_slice(actor.rows.get(first..first + per_character).unwrap_or(&[]));
            }
            if let Some(first) = &mut first_tint_row {
                let tints = actor.rows.get(*first..).unwrap_or(&[]);
                self.packed.extend(self.shown.iter().filter_map(|&character| tints.get(character as usize)));
                *first = row_count;
            }
            &self.packed
        } else {
            actor.rows
        };
        // Room for all, so that a turn of the camera needs no other buffer.
        let count = actor.rows.len();
        if count > self.rows.capacity() {
            let larger = Rows::new(gpu, CHARACTER_ROWS, count.next_power_of_two())
                .or_else(|_| Rows::new(gpu, CHARACTER_ROWS, count))?;
            let smaller = std::mem::replace(&mut self.rows, larger);
            if gpu.tier().needs_destroy() {
                smaller.destroy();
            }
            self.bind_group = bind_frame(gpu, &self.frame_data, &self.rows);
        }
        self.rows.write(gpu, rows);
        self.first_tint_row = first_tint_row.unwrap_or(0) as u32;
        Ok(())
    }

    pub(super) fn destroy(&self) {
        self.frame_data.destroy();
        self.rows.destroy();
    }
}

/// Creates the bind group of data of a picture and rows.
pub(super) fn bind_frame(gpu: &Gpu, frame_data: &wgpu::Buffer, rows: &Rows) -> wgpu::BindGroup {
    gpu.device().create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("frame"),
        layout: &gpu.pipelines().frame_layout,
        entries: &[
            wgpu::BindGroupEntry { binding: 0, resource: frame_data.as_entire_binding() },
            wgpu::BindGroupEntry { binding: 1, resource: rows.binding() },
        ],
    })
}
