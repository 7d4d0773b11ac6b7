//! Bounds of all poses of a clip, for framing the camera and for placing the floor.
use super::extremes::{Directions, Extremes, Point, around, push};
use super::hull::{Part, all_parts};
use super::{ClipCursor, LocalPose, ModelPose, Rig};
use crate::model::{Aabb, ClipIndex};
use crate::order::sort;
use glam::{Affine3A, Vec3, Vec4, vec3};

/// Bounds of the vertices in all poses of a clip, in model space.
#[derive(Clone, Debug, PartialEq)]
pub struct Sweep {
    pub bounds: Aabb,
    /// The height of the lowest vertex: where the character touches the ground.
    pub lowest: f32,
    /// Vertices that are farthest in about 250 directions. No other vertex is visibly outside of their convex hull.
    pub support: Vec<Vec3>,
}

/// Directions per half turn. The convex hull of a sphere's farthest points in them is too small by 1.3 % at most.
const STEPS: usize = 14;

/// Most poses for a clip of any length: some milliseconds for a character.
const POSES_AT_MOST: usize = 160;
/// Most poses per key. From key to key a joint rotates by half a turn at most, so by 11° from pose to pose.
const POSES_PER_KEY_AT_MOST: usize = 16;

/// Outermost vertices are searched in every third pose. In the poses between, only parts that have such a vertex in a
/// neighbouring third pose are searched, since their outermost pose is near.
const STRIDE: usize = 3;

/// Refinement of the lowest vertex: the most times around which more poses are examined, the number of rounds for
/// each, and the number of parts into which a round divides the time around the lowest pose found.
const DIPS_AT_MOST: usize = 8;
const DIP_ROUNDS: usize = 2;
const DIP_POSES: usize = 6;
/// Refinements that can lower the vertex by a smaller fraction of the height than this are skipped.
const SHALLOW: f32 = 5e-4;

impl Rig {
    /// Returns the bounds over a whole clip, or of the rest pose; `None` if nothing has a size.
    ///
    /// - Drawn vertices are included with morph targets and skins applied.
    /// - If nothing is drawn, the positions of the scene's nodes are used.
    /// - The result is computed on first use.
    pub fn sweep(&self, clip: Option<ClipIndex>) -> Option<&Sweep> {
        let kept = clip.map_or(self.rest_sweep(), |clip| &self.clip_data(clip).sweep);
        kept.get_or_init(|| Sweep::new(self, clip)).as_ref()
    }
}

impl Sweep {
    fn new(rig: &Rig, clip: Option<ClipIndex>) -> Option<Self> {
        let directions = around(STEPS);
        let mut search = Search::new(rig, clip, &directions);
        let all = all_parts(rig);
        match clip {
            _ if all.is_empty() => {
                for time_secs in clip.map_or(vec![0.0], |clip| times(rig, clip)) {
                    search.look_at_nodes(time_secs);
                }
            }
            None => _ = search.look_at(&all, 0.0, 0, &vec![true; all.len()]),
            Some(clip) => {
                let lowest_secs = search.look_throughout(rig.hull(), &times(rig, clip));
                // The outer vertices determined the time. At that time other vertices may be lower.
                search.look_at(&all, lowest_secs, 0, &vec![true; all.len()]);
            }
        }
        let mut support: Vec<Vec3> = search.outermost.points().map(|point| point.position).collect();
        support.dedup();
        let bounds = Aabb::around(support.iter().copied())?;
        // Nodes that are all at one position can't be framed.
        let has_size = !all.is_empty() || bounds.radius() > 0.0;
        has_size.then_some(Self { bounds, lowest: bounds.min.y, support })
    }

    /// Returns the height of the lowest vertex in the world, which is exact if the model is upright.
    pub fn lowest_in_world(&self, world_from_model: &Affine3A) -> f32 {
        let [x, y, z] = [
            world_from_model.matrix3.x_axis,
            world_from_model.matrix3.y_axis,
            world_from_model.matrix3.z_axis,
        ];
        let up = vec3(x.y, y.y, z.y);
        let above = if up.x == 0.0 && up.z == 0.0 && up.y >= 0.0 {
            up.y * self.lowest
        } else {
            self.support.iter().fold(f32::MAX, |lowest, point| lowest.min(up.dot(*point)))
        };
        above + world_from_model.translation.y
    }
}

/// Search for the outermost vertices over many poses of a rig.
struct Search<'a> {
    rig: &'a Rig,
    clip: Option<ClipIndex>,
    local: LocalPose,
    model: ModelPose,
    cursor: ClipCursor,
    rows: Vec<Vec4>,
    points: Vec<Point>,
    outermost: Extremes<'a>,
    /// Index of the part with the lowest vertex in the last pose.
    lowermost: usize,
}

impl<'a> Search<'a> {
    fn new(rig: &'a Rig, clip: Option<ClipIndex>, directions: &'a Directions) -> Self {
        Self {
            rig,
            clip,
            local: LocalPose::rest(rig),
            model: ModelPose::new(rig),
            cursor: ClipCursor::default(),
            rows: vec![Vec4::ZERO; rig.palette_layout().rows_per_character],
            points: Vec::new(),
            outermost: Extremes::new(directions),
            lowermost: 0,
        }
    }

    fn pose(&mut self, time_secs: f32) {
        if let Some(clip) = self.clip {
            self.rig.sample_into(clip, time_secs, &mut self.cursor, &mut self.local);
        }
        self.rig.resolve_into(&self.local, &mut self.model);
    }

    /// Includes the positions of the scene's nodes.
    fn look_at_nodes(&mut self, time_secs: f32) {
        self.pose(time_secs);
        self.points.clear();
        for (node, [x, y, z]) in self.rig.model().nodes.iter().zip(&self.model.model_from_node) {
            if node.in_scene {
                push(&mut self.points, vec3(x.w, y.w, z.w), 0);
            }
        }
        self.outermost.include(&self.points);
    }

    /// Includes the outermost vertices of each marked part, labelled from `first_label` on. Returns the height of the
    /// lowest vertex of all parts.
    fn look_at(&mut self, parts: &[Part], time_secs: f32, first_label: usize, marked: &[bool]) -> f32 {
        self.pose(time_secs);
        self.rig.palette_into(&self.local, &self.model, &Affine3A::IDENTITY, &mut self.rows);
        let mut lowest = f32::MAX;
        // The part that had the lowest vertex likely has it again, so it comes first. Most others are then above that
        // vertex and needn't be placed.
        let likely = if self.lowermost < parts.len() { self.lowermost } else { 0 };
        for nth in 0..parts.len() {
            let index = match nth {
                0 => likely,
                _ if nth <= likely => nth - 1,
                _ => nth,
            };
            let bounds = parts[index].bounds(self.rig, &self.rows);
            let is_outer = marked.get(index) == Some(&true) && !self.outermost.encloses(&bounds);
            if !is_outer && bounds.min.y >= lowest {
                continue;
            }
            self.points.clear();
            parts[index].place_into(self.rig, &self.rows, (first_label + index) as u32, &mut self.points);
            if is_outer {
                self.outermost.include(&self.points);
            }
            for point in &self.points {
                if point.position.y < lowest {
                    (lowest, self.lowermost) = (point.position.y, index);
                }
            }
        }
        lowest
    }

    /// Includes the outermost vertices of a clip, and returns the time of the lowest one.
    fn look_throughout(&mut self, parts: &[Part], times: &[f32]) -> f32 {
        let count = parts.len();
        let mut heights = vec![0.0; times.len()];
        let mut marked = vec![true; times.len() * count];
        for pose in (0..times.len()).step_by(STRIDE) {
            heights[pose] = self.look_at(parts, times[pose], pose * count, &marked[..count]);
        }
        marked.fill(false);
        for point in self.outermost.points() {
            let (pose, part) = (point.label as usize / count, point.label as usize % count);
            for near in (pose + 1).saturating_sub(STRIDE)..(pose + STRIDE).min(times.len()) {
                marked[near * count + part] = true;
            }
        }
        for pose in 0..times.len() {
            if pose % STRIDE != 0 {
                heights[pose] = self.look_at(parts, times[pose], 0, &marked[pose * count..][..count]);
            }
        }
        self.lowest_secs(parts, times, &heights)
    }

    /// Returns the time of the lowest vertex, which may be between two poses.
    fn lowest_secs(&mut self, parts: &[Part], times: &[f32], heights: &[f32]) -> f32 {
        let mut least = (f32::MAX, 0.0);
        for (&height, &time_secs) in heights.iter().zip(times) {
            if height < least.0 {
                least = (height, time_secs);
            }
        }
        let shallow = self.outermost.height() * SHALLOW;
        for (possible, at) in local_minima(heights) {
            if possible > least.0 - shallow {
                break;
            }
            let (mut from, mut to) = (times[at.saturating_sub(1)], times[(at + 1).min(times.len() - 1)]);
            for _ in 0..DIP_ROUNDS {
                let step = (to - from) / DIP_POSES as f32;
                let mut here = (f32::MAX, from);
                for nth in 1..DIP_POSES {
                    let time_secs = from + step * nth as f32;
                    let height = self.look_at(parts, time_secs, 0, &[]);
                    if height < here.0 {
                        here = (height, time_secs);
                    }
                }
                (from, to) = (here.1 - step, here.1 + step);
                if here.0 < least.0 {
                    least = here;
                }
            }
        }
        least.1
    }
}

/// Returns the poses that are lower than their neighbours, the lowest possible first. Each has an estimate of the
/// least height near it, extrapolated from the slope on either side, and the index of the pose.
fn local_minima(heights: &[f32]) -> Vec<(f32, usize)> {
    let mut found = Vec::new();
    for (at, &height) in heights.iter().enumerate() {
        let before = heights[at.saturating_sub(1)];
        let after = *heights.get(at + 1).unwrap_or(&height);
        if height <= before && height <= after {
            found.push((height - (before - height).max(after - height) * 0.5, at));
        }
    }
    sort(&mut found, |a: (f32, usize), b| a.0 < b.0);
    found.truncate(DIPS_AT_MOST);
    found
}

/// Returns the times of the poses: every key with evenly spaced times between keys, or only evenly spaced times if
/// there are too many keys.
fn times(rig: &Rig, clip: ClipIndex) -> Vec<f32> {
    let clip = rig.clip(clip);
    let mut keys = vec![0.0, clip.duration_secs];
    for track in &clip.tracks {
        // Most tracks of a clip have the same times.
        let is_known = |time: &f32| keys.binary_search_by(|key| key.total_cmp(time)).is_ok();
        if keys.len() <= POSES_AT_MOST && !track.key_times_secs.iter().all(is_known) {
            keys.extend(&*track.key_times_secs);
            sort(&mut keys, |a, b| a < b);
            keys.dedup();
        }
    }
    if keys.len() > POSES_AT_MOST {
        let last = (POSES_AT_MOST - 1) as f32;
        return (0..POSES_AT_MOST).map(|pose| clip.duration_secs * pose as f32 / last).collect();
    }
    let poses_per_key = (POSES_AT_MOST / keys.len()).min(POSES_PER_KEY_AT_MOST);
    let between = keys.windows(2).flat_map(|pair| {
        (0..poses_per_key).map(|pose| pair[0] + (pair[1] - pair[0]) * pose as f32 / poses_per_key as f32)
    });
    between.chain([clip.duration_secs]).collect()
}
