//! A rig and its clips as rows of four numbers, from which a shader poses characters (`shaders/throng`).
//!
//! Clips are sampled at equal intervals, so that a time leads to its numbers without a search. Between samples,
//! numbers are interpolated linearly, and rotations then normalized. The interval of a clip divides that of its keys,
//! if those are evenly spaced, and is halved until the poses between samples are right.
//!
//! ```text
//! 0 ..          for each row of a character: where it comes from
//!                 of a matrix: first row of its path, number of nodes in it, row of joint_from_mesh or 0, row in the
//!                              matrix
//!                 of weights:  0, 0, row among the weights, −1
//! paths         nodes from the root to a joint, four in a row
//! matrices      joint_from_mesh, three rows each
//! each clip     head: first row of its nodes, first row of its weights, number of intervals, rows of weights at a time
//!               nodes: first rows of rotation, translation, scale and matrix
//!                 0 for none, negative for one that is the same at all times
//!               samples, those of a track together
//! ```

use super::palette::{PathSource, WORLD_ROWS};
use super::simd::rows_from_affine;
use super::{ClipCursor, LocalPose, ModelPose, Rig, blend_into};
use crate::model::{ClipIndex, NodeIndex, Srt};
use glam::{Vec3, Vec4};

/// Greatest distance between a pose between samples and the clip's, as a share of the model's size.
const TOLERANCE: f32 = 2e-4;

/// Places between two samples at which poses are compared. Half-way, normalized rotations are always right.
const BETWEEN: [f32; 2] = [0.25, 0.5];

/// Numbers of samples in a second that keys may have, the fewest first.
const KEY_RATES: [f32; 11] = [1.0, 5.0, 10.0, 12.0, 15.0, 24.0, 25.0, 30.0, 50.0, 60.0, 120.0];

/// Samples in a second for keys that aren't evenly spaced.
const DEFAULT_RATE: f32 = 60.0;

/// Greatest distance of a key from a sample, in intervals.
const OFF_BEAT: f32 = 0.01;

/// Most samples in a second, unless keys have more: steps between keys are never right.
const MOST_RATE: f32 = 240.0;

/// Most intervals of a clip.
const MOST_INTERVALS: usize = 4096;

/// Most numbers of a clip's samples.
const MOST_NUMBERS: usize = 1 << 22;

/// Rows for the shader. Clips are added as they are asked for.
#[derive(Debug)]
pub struct ClipRows {
    rows: Vec<Vec4>,
    /// First row of each clip. `None` is the rest pose.
    clips: Vec<(Option<ClipIndex>, usize)>,
    /// Size of the rest pose.
    size: f32,
}

impl ClipRows {
    pub fn new(rig: &Rig) -> Self {
        let layout = rig.palette_layout();
        let rest = rig.sweep(None).map_or(1.0, |rest| rest.bounds.radius() * 2.0);
        let mut rows = vec![Vec4::ZERO; layout.rows_per_character];
        let mut paths: Vec<(NodeIndex, usize, usize)> = Vec::new();
        let sources = rig.path_sources();
        let weight_rows = WORLD_ROWS + sources.len() * 3;
        for (slot, PathSource { node, joint_from_mesh }) in sources.into_iter().enumerate() {
            let known = paths.iter().find(|(known, ..)| *known == node).copied();
            let (_, first, length) = known.unwrap_or_else(|| {
                let path = path_to(rig, node);
                let added = (node, rows.len(), path.len());
                for nodes in path.chunks(4) {
                    let mut row = Vec4::ZERO;
                    for (number, node) in nodes.iter().enumerate() {
                        row[number] = node.get() as f32;
                    }
                    rows.push(row);
                }
                paths.push(added);
                added
            });
            let mut matrix = 0;
            if let Some(joint_from_mesh) = joint_from_mesh {
                matrix = rows.len();
                rows.extend_from_slice(&joint_from_mesh);
            }
            for row in 0..3 {
                rows[WORLD_ROWS + slot * 3 + row] =
                    Vec4::new(first as f32, length as f32, matrix as f32, row as f32);
            }
        }
        for (nth, row) in rows[weight_rows..layout.rows_per_character].iter_mut().enumerate() {
            *row = Vec4::new(0.0, 0.0, nth as f32, -1.0);
        }
        Self { rows, clips: Vec::new(), size: rest.max(f32::MIN_POSITIVE) }
    }

    pub fn rows(&self) -> &[Vec4] {
        &self.rows
    }

    /// Returns the first row of a clip, after adding the clip if it is new. `None` is the rest pose.
    pub fn add(&mut self, rig: &Rig, clip: Option<ClipIndex>) -> usize {
        if let Some((_, row)) = self.clips.iter().find(|(known, _)| *known == clip) {
            return *row;
        }
        let poses = self.samples(rig, clip);
        let head = self.rows.len();
        let node_count = rig.model().nodes.len();
        self.rows.resize(head + 1 + node_count, Vec4::ZERO);
        for node in 0..node_count {
            let index = NodeIndex::new(node);
            let of_matrix =
                |pose: &LocalPose| pose.matrix(rig, index).map(|matrix| rows_from_affine(&matrix));
            let tracks = if of_matrix(&poses[0]).is_some() {
                let rows = poses.iter().filter_map(of_matrix).flatten().collect();
                Vec4::new(0.0, 0.0, 0.0, self.track(rows, 3))
            } else {
                let srt: Vec<Srt> = poses.iter().map(|pose| pose.srt(index)).collect();
                let rotation = self.track(turns(&srt), 1);
                let translation = self.track(srt.iter().map(|srt| srt.translation.extend(0.0)).collect(), 1);
                let is_unit = srt.iter().all(|srt| srt.scale == Vec3::ONE);
                let scales = || srt.iter().map(|srt| srt.scale.extend(0.0)).collect();
                let scale = if is_unit { 0.0 } else { self.track(scales(), 1) };
                Vec4::new(rotation, translation, scale, 0.0)
            };
            self.rows[head + 1 + node] = tracks;
        }
        let weight_rows = rig.scalar_rows().node_row_count();
        let weights = self.rows.len();
        for pose in &poses {
            self.rows.extend(pose.scalars[..weight_rows].as_flattened());
        }
        let intervals = (poses.len() - 1) as f32;
        self.rows[head] = Vec4::new((head + 1) as f32, weights as f32, intervals, weight_rows as f32);
        self.clips.push((clip, head));
        head
    }

    /// Adds the numbers of a track at all times. Returns their first row, negative if all times have the same.
    fn track(&mut self, rows: Vec<Vec4>, stride: usize) -> f32 {
        let first = self.rows.len() as f32;
        let (start, rest) = rows.split_at(stride);
        if rest.chunks(stride).all(|other| other == start) {
            self.rows.extend_from_slice(start);
            return -first;
        }
        self.rows.extend(rows);
        first
    }

    /// Returns the poses of a clip from its start to its end, at equal intervals. There are two or more.
    fn samples(&self, rig: &Rig, clip: Option<ClipIndex>) -> Vec<LocalPose> {
        let Some(clip) = clip else { return vec![LocalPose::rest(rig); 2] };
        let duration = rig.clip(clip).duration_secs;
        let numbers_of_pose = rig.model().nodes.len() * 10;
        let most = (MOST_NUMBERS / numbers_of_pose.max(1)).clamp(1, MOST_INTERVALS);
        let mut intervals = key_intervals(rig, clip).clamp(1, most);
        let finest = most.min((duration * MOST_RATE) as usize);
        loop {
            let poses = sampled(rig, clip, intervals);
            if intervals * 2 > finest
                || self.error_between(rig, clip, &poses, duration) <= TOLERANCE * self.size
            {
                return poses;
            }
            intervals *= 2;
        }
    }

    /// Returns how far poses between two samples may be from those of the clip.
    fn error_between(&self, rig: &Rig, clip: ClipIndex, poses: &[LocalPose], duration: f32) -> f32 {
        let (mut exact, mut between) = (LocalPose::rest(rig), LocalPose::rest(rig));
        let mut in_model = [ModelPose::new(rig), ModelPose::new(rig)];
        let mut cursor = ClipCursor::default();
        let mut greatest: f32 = 0.0;
        let places = (0..poses.len() - 1).flat_map(|index| BETWEEN.map(|share| (index, share)));
        for (index, share) in places {
            let time_secs = duration * (index as f32 + share) / (poses.len() - 1) as f32;
            rig.sample_into(clip, time_secs, &mut cursor, &mut exact);
            between.copy_from(&poses[index]);
            blend_into(&mut between, &poses[index + 1], share);
            let [wanted, found] = &mut in_model;
            rig.resolve_into(&exact, wanted);
            rig.resolve_into(&between, found);
            for (wanted, found) in wanted.model_from_node.iter().zip(&found.model_from_node) {
                for (wanted, found) in wanted.iter().zip(found) {
                    let apart = *wanted - *found;
                    // Vertices are up to a quarter of the size away from a joint that moves them.
                    greatest = greatest.max(apart.w.abs() + apart.truncate().length() * self.size * 0.25);
                }
            }
        }
        greatest
    }
}

/// Returns the number of intervals from one key of a clip to the next, if its keys are evenly spaced.
fn key_intervals(rig: &Rig, clip: ClipIndex) -> usize {
    let clip = rig.clip(clip);
    let is_on_beat = |secs: f32, rate: f32| (secs * rate - (secs * rate).round()).abs() <= OFF_BEAT;
    let fits = |rate: &&f32| {
        let keys = clip.tracks.iter().flat_map(|track| track.key_times_secs.iter());
        is_on_beat(clip.duration_secs, **rate) && keys.copied().all(|secs| is_on_beat(secs, **rate))
    };
    let rate = KEY_RATES.iter().find(fits).copied();
    match rate {
        Some(rate) => (clip.duration_secs * rate).round() as usize,
        None => (clip.duration_secs * DEFAULT_RATE).ceil() as usize,
    }
}

fn sampled(rig: &Rig, clip: ClipIndex, intervals: usize) -> Vec<LocalPose> {
    let duration = rig.clip(clip).duration_secs;
    let mut cursor = ClipCursor::default();
    let pose_at = |index: usize| {
        let mut pose = LocalPose::rest(rig);
        rig.sample_into(clip, duration * index as f32 / intervals as f32, &mut cursor, &mut pose);
        pose
    };
    (0..=intervals).map(pose_at).collect()
}

/// Returns rotations, each on the side of the one before, so that numbers between two are rotations between them.
fn turns(srt: &[Srt]) -> Vec<Vec4> {
    let mut turns: Vec<Vec4> = Vec::with_capacity(srt.len());
    for srt in srt {
        let turn = Vec4::from(srt.rotation);
        let is_far = turns.last().is_some_and(|before| before.dot(turn) < 0.0);
        turns.push(if is_far { -turn } else { turn });
    }
    turns
}

/// Returns the nodes from the root to a node.
fn path_to(rig: &Rig, node: NodeIndex) -> Vec<NodeIndex> {
    let mut path = vec![node];
    while let Some(parent) = path.last().and_then(|node| rig.model().node(*node).parent) {
        path.push(parent);
    }
    path.reverse();
    path
}
