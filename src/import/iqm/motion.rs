//! Poses and frames. A pose defines which of a joint's ten numbers change; a frame stores these in 16 bits each.
//!
//! ```text
//! number of a joint in a frame = offset                        if its bit in the mask is 0
//!                              = offset + scale × u16          if it is 1: the frame stores the u16
//! ```
use super::file::{FRAME_CHANNEL_COUNT_AT, FRAMES, File, POSES, Record};
use super::joints::whole_rotation;
use crate::import::{ImportError, ImportProblem};
use crate::model::Srt;
use crate::refusal::Place;
use glam::{Quat, Vec3};

/// Channel of the rotation's w, which version 1 leaves out.
const W: usize = 6;
const CHANNEL_COUNT: usize = 10;

pub(super) struct Motion<'a> {
    pub(super) poses: Vec<Pose>,
    frames: &'a [u8],
    /// Bytes per frame.
    stride: usize,
    pub(super) frame_count: usize,
    /// Whether w is computed from x, y and z, as in version 1.
    without_w: bool,
}

/// The storage of one joint's numbers.
pub(super) struct Pose {
    pub(super) parent: Option<usize>,
    pub(super) place: String,
    channels: [Channel; CHANNEL_COUNT],
    /// Byte offset of the joint's first number in a frame.
    at: usize,
}

#[derive(Clone, Copy, Default)]
struct Channel {
    offset: f32,
    scale: f32,
    varies: bool,
}

impl<'a> Motion<'a> {
    pub(super) fn read(file: &File<'a>) -> Result<Self, ImportError> {
        let without_w = file.version == 1;
        let stored = if without_w { CHANNEL_COUNT - 1 } else { CHANNEL_COUNT };
        let records = file.records(POSES, 2 + 2 * stored)?;
        let mut poses = Vec::with_capacity(records.len());
        let mut at = 0;
        for record in records {
            let channels = channels(&record, stored)?;
            poses.push(Pose { parent: record.optional_index(0), place: record.place(0), channels, at });
            at += 2 * channels.iter().filter(|channel| channel.varies).count();
        }
        let channel_count = file.number(FRAME_CHANNEL_COUNT_AT);
        let frame_count = file.count(FRAMES);
        if channel_count.saturating_mul(2) != at && frame_count > 0 && !poses.is_empty() {
            return Err(ImportProblem::CountWrong.at(
                Place::byte(FRAME_CHANNEL_COUNT_AT),
                format!("{channel_count} numbers a frame, where the poses' masks have {}", at / 2),
            ));
        }
        Ok(Self { frames: file.section(FRAMES, at)?, poses, stride: at, frame_count, without_w })
    }

    /// Returns whether two frames are equal up to rounding: stored numbers differ by at most 2.
    pub(super) fn same(&self, frame: usize, other: usize) -> bool {
        let steps_of = |frame: usize| {
            let start = frame.saturating_mul(self.stride);
            let bytes = self.frames.get(start..start.saturating_add(self.stride)).unwrap_or_default();
            bytes.as_chunks::<2>().0.iter().map(|steps| u16::from_le_bytes(*steps))
        };
        steps_of(frame).zip(steps_of(other)).all(|(steps, other)| steps.abs_diff(other) <= 2)
    }

    /// Returns a joint's local transform in a frame.
    pub(super) fn local(&self, pose: &Pose, frame: usize) -> Result<Srt, ImportError> {
        let start = frame.saturating_mul(self.stride).saturating_add(pose.at);
        let mut bytes = self.frames.get(start..).unwrap_or_default();
        let mut numbers = [0.0; CHANNEL_COUNT];
        for (number, channel) in numbers.iter_mut().zip(&pose.channels) {
            *number = channel.offset;
            if channel.varies
                && let Some((steps, rest)) = bytes.split_first_chunk()
            {
                *number += channel.scale * f32::from(u16::from_le_bytes(*steps));
                bytes = rest;
            }
        }
        if let Some(odd) = numbers.iter().find(|number| !number.is_finite()) {
            let found = format!("{odd} in frame {frame}");
            return Err(ImportProblem::ValueNotFinite.at(pose.place.clone(), found));
        }
        let [tx, ty, tz, qx, qy, qz, qw, sx, sy, sz] = numbers;
        let rotation =
            if self.without_w { whole_rotation(qx, qy, qz) } else { Quat::from_xyzw(qx, qy, qz, qw) };
        Ok(Srt { scale: Vec3::new(sx, sy, sz), rotation, translation: Vec3::new(tx, ty, tz) })
    }
}

impl Pose {
    /// Returns whether frames store any number of the joint.
    pub(super) fn varies(&self) -> bool {
        self.channels.iter().any(|channel| channel.varies)
    }
}

/// Reads the `stored` channels of a pose. A channel that isn't stored is 0.
fn channels(record: &Record<'_>, stored: usize) -> Result<[Channel; CHANNEL_COUNT], ImportError> {
    let mask = record.word(1);
    let mut channels = [Channel::default(); CHANNEL_COUNT];
    let there = channels.iter_mut().enumerate().filter(|(number, _)| stored == CHANNEL_COUNT || *number != W);
    for (bit, (_, channel)) in there.enumerate() {
        *channel = Channel {
            offset: record.float(2 + bit)?,
            scale: record.float(2 + stored + bit)?,
            varies: mask >> bit & 1 == 1,
        };
    }
    Ok(channels)
}
