//! Converts anims to clips. Each anim is a range of the file's single list of frames.
use super::file::{ANIMS, File, POSES, Record};
use super::joints::Joints;
use super::motion::Motion;
use super::upright_root;
use crate::import::imported_model::ImportedClip;
use crate::import::matrices::unit_rotation;
use crate::import::report::WarningKind;
use crate::import::{ImportError, ImportProblem, ImportReport};
use crate::model::{Interpolation, Node, NodeIndex, Srt, Track, TrackValues};
use crate::refusal::Place;
use glam::Vec3;
use std::sync::Arc;

/// Default frame rate. It is Blender's, from which most of these files come.
const FRAMES_PER_SECOND: f32 = 24.0;
/// Accepted frame rates. At other rates an `f32` may not distinguish the key times.
const FRAME_RATES: std::ops::RangeInclusive<f32> = 1e-6..=1e6;

const LOOPS: u32 = 1;

// Numbers of 16 bits leave rotations slightly off unit length.
const UNIT_TOLERANCE: f32 = 1e-2;

pub(super) fn read(
    file: &File<'_>,
    motion: &Motion<'_>,
    joints: &Joints,
    nodes: &[Node],
    report: &mut ImportReport,
) -> Result<Vec<ImportedClip>, ImportError> {
    let records = file.records(ANIMS, 5)?;
    if records.len() > 0 && motion.poses.len() != joints.nodes.len() {
        let about = format!("{} for {} joints", motion.poses.len(), joints.nodes.len());
        report.warn_at(WarningKind::PosesCountWrong, Place::byte(POSES.count_at), &about);
        return Ok(Vec::new());
    }
    let mut clips = Vec::with_capacity(records.len());
    for record in records {
        let name = file.text(&record, 0)?;
        let mut clip = ImportedClip { name, ..ImportedClip::default() };
        if let Some(stretch) = Stretch::read(motion, &record, report)? {
            clip.tracks = stretch.tracks(file, joints, nodes, report)?;
        }
        clips.push(clip);
    }
    Ok(clips)
}

/// The frames of one clip.
struct Stretch<'a> {
    motion: &'a Motion<'a>,
    first: usize,
    count: usize,
    /// Whether a copy of the first frame follows the last.
    closed: bool,
    frames_per_second: f32,
    record: &'a Record<'a>,
}

impl<'a> Stretch<'a> {
    /// Reads an anim's range of frames; `None` if it is empty.
    fn read(
        motion: &'a Motion<'a>,
        record: &'a Record<'a>,
        report: &mut ImportReport,
    ) -> Result<Option<Self>, ImportError> {
        let (first, count) = (record.index(1), record.index(2));
        if first.saturating_add(count) > motion.frame_count {
            return Err(ImportProblem::IndexOutOfRange
                .at(record.place(1), format!("{count} frames from {first} on, of {}", motion.frame_count)));
        }
        let mut frames_per_second = f32::from_bits(record.word(3));
        if !FRAME_RATES.contains(&frames_per_second) {
            report.warn_at(WarningKind::FrameRateUnknown, record.place(3), &frames_per_second.to_string());
            frames_per_second = FRAMES_PER_SECOND;
        }
        // The format's own players interpolate from a loop's last frame to its first.
        let loops = record.word(4) & LOOPS != 0;
        let closed = loops && count > 1 && !motion.same(first, first + count - 1);
        if closed {
            report.warn_at(WarningKind::LoopClosed, record.place(4), "");
        }
        Ok((count > 0).then_some(Self { motion, first, count, closed, frames_per_second, record }))
    }

    fn key_count(&self) -> usize {
        self.count + usize::from(self.closed)
    }

    fn tracks(
        &self,
        file: &File<'_>,
        joints: &Joints,
        nodes: &[Node],
        report: &mut ImportReport,
    ) -> Result<Vec<Track>, ImportError> {
        let mut times = None;
        let mut tracks = Vec::new();
        let mut odd = 0;
        for (pose, &node) in self.motion.poses.iter().zip(&joints.nodes) {
            let key_count = if pose.varies() { self.key_count() } else { 1 };
            // Clips may share frames, so this can grow faster than the file.
            file.budget
                .charge(key_count as u64, size_of::<Srt>() + size_of::<f32>(), || self.record.place(1))?;
            file.budget.charge(3, size_of::<Track>(), || self.record.place(1))?;
            let is_root = nodes.get(node.get()).is_some_and(|node| node.parent == joints.facing);
            let mut locals = Vec::with_capacity(key_count);
            for key in 0..key_count {
                let mut local = self.motion.local(pose, self.first + key % self.count)?;
                let (rotation, was_unit) = unit_rotation(local.rotation, UNIT_TOLERANCE);
                odd += usize::from(!was_unit);
                local.rotation = rotation;
                locals.push(if is_root { upright_root(local) } else { local });
            }
            self.push_tracks(node, &locals, &mut times, &mut tracks)?;
        }
        if odd > 0 {
            report.warn_at(WarningKind::KeyRotationsNotUnit, self.record.place(1), &odd.to_string());
        }
        self.hold(&mut tracks);
        Ok(tracks)
    }

    /// Adds a track for each property, with a single key if the property doesn't change.
    fn push_tracks(
        &self,
        node: NodeIndex,
        locals: &[Srt],
        times: &mut Option<Arc<[f32]>>,
        tracks: &mut Vec<Track>,
    ) -> Result<(), ImportError> {
        fn shortened<T: PartialEq>(mut values: Vec<T>) -> Vec<T> {
            if values.windows(2).all(|pair| matches!(pair, [value, next] if value == next)) {
                values.truncate(1);
            }
            values
        }
        let rotations = shortened(locals.iter().map(|local| local.rotation).collect());
        let vectors = |of: fn(&Srt) -> Vec3| shortened(locals.iter().map(of).collect::<Vec<_>>());
        let (translations, scales) = (vectors(|local| local.translation), vectors(|local| local.scale));
        for (key_count, values) in [
            (translations.len(), TrackValues::Translation(translations)),
            (rotations.len(), TrackValues::Rotation(rotations)),
            (scales.len(), TrackValues::Scale(scales)),
        ] {
            let key_times_secs = match (key_count, &*times) {
                (1, _) => Arc::from([0.0]),
                (_, Some(times)) => times.clone(),
                (_, None) => times.insert(self.key_times()?).clone(),
            };
            tracks.push(Track { node, interpolation: Interpolation::Linear, key_times_secs, values });
        }
        Ok(())
    }

    fn key_times(&self) -> Result<Arc<[f32]>, ImportError> {
        let times: Arc<[f32]> = (0..self.key_count()).map(|key| self.time_of(key)).collect();
        match times.windows(2).all(|pair| matches!(pair, [time, next] if time < next)) {
            true => Ok(times),
            false => Err(ImportProblem::KeyTimesNotAscending.at(
                self.record.place(2),
                format!("{} frames, {} a second", self.count, self.frames_per_second),
            )),
        }
    }

    fn time_of(&self, key: usize) -> f32 {
        #[allow(clippy::cast_possible_truncation, reason = "to the nearest single")]
        let time = (key as f64 / f64::from(self.frames_per_second)) as f32;
        time
    }

    /// Keeps the length of a clip in which nothing moves: its first track gets a second key at the end.
    fn hold(&self, tracks: &mut [Track]) {
        let still = tracks.iter().all(|track| track.key_times_secs.len() == 1);
        let last = self.time_of(self.key_count() - 1);
        if let Some(track) = tracks.first_mut().filter(|_| still && last > 0.0)
            && let TrackValues::Translation(values) = &mut track.values
        {
            values.extend_from_within(..);
            track.key_times_secs = Arc::from([0.0, last]);
        }
    }
}
