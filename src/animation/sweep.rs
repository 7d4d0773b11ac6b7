//! The room that a clip takes up: what a camera frames, and how low its floor lies.
use super::extremes::{Directions, Extremes, around, downwards};
use super::hull::{Part, all_parts};
use super::{ClipCursor, LocalPose, ModelPose, Rig};
use crate::model::{Aabb, ClipIndex};
use crate::order::sort;
use glam::{Affine3A, Vec3, Vec4, vec3};

/// Where the vertices of all poses of a clip get to, in model space.
#[derive(Clone, Debug, PartialEq)]
pub struct Sweep {
    pub bounds: Aabb,
    /// The height of the lowest vertex: where the character touches the ground.
    pub lowest: f32,
    /// Vertices that reach farthest in some hundred directions. No other is visibly outside of their convex hull.
    pub support: Vec<Vec3>,
}

/// Directions to half a turn. From a sphere the hull of what reaches farthest takes 2 % at most.
const STEPS: usize = 12;

/// However long the clip: some milliseconds for a character.
const POSES_AT_MOST: usize = 160;
/// A joint turns by half a turn at most from key to key, and so by 11° from pose to pose.
const POSES_PER_KEY_AT_MOST: usize = 16;

/// Moments at which more poses are looked at for a lower vertex, and how finely: each round divides the time around the
/// lowest pose found into so many.
const DIPS_AT_MOST: usize = 8;
const DIP_ROUNDS: usize = 2;
const DIP_POSES: usize = 6;
/// A dip shallower than this share of the height isn't looked into.
const SHALLOW: f32 = 5e-4;

impl Rig {
    /// Over the whole of a clip, or of the rest pose; `None` where there is nothing that has a size.
    ///
    /// - Every drawn vertex counts, morphed and skinned as the pose has it.
    /// - Where nothing is drawn, the places of the scene's nodes.
    /// - Computed when first asked for.
    pub fn sweep(&self, clip: Option<ClipIndex>) -> Option<&Sweep> {
        let kept = clip.map_or(self.model().clips.len(), ClipIndex::get);
        self.sweeps()[kept].get_or_init(|| Sweep::new(self, clip)).as_ref()
    }
}

impl Sweep {
    fn new(rig: &Rig, clip: Option<ClipIndex>) -> Option<Self> {
        let directions = around(STEPS);
        let mut outermost = Extremes::new(&directions);
        let mut poses = Poses::new(rig);
        let all = all_parts(rig);
        match clip {
            _ if all.is_empty() => {
                for time_secs in clip.map_or(vec![0.0], |clip| times(rig, clip)) {
                    poses.pose(clip, time_secs);
                    poses.nodes().for_each(|place| outermost.include(place, place));
                }
            }
            None => {
                let rows = poses.pose(None, 0.0);
                all.iter().for_each(|part| part.show(rig, rows, &mut outermost));
            }
            Some(clip) => sweep_clip(rig, clip, &all, &mut poses, &mut outermost),
        }
        let mut support: Vec<Vec3> = outermost.held().collect();
        support.dedup();
        let bounds = Aabb::around(support.iter().copied())?;
        // Of nodes that are all in one place there is nothing to frame.
        let has_size = !all.is_empty() || bounds.radius() > 0.0;
        has_size.then_some(Self { bounds, lowest: bounds.min.y, support })
    }

    /// The height of the lowest vertex when the model stands somewhere; exact where it stands upright.
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

fn sweep_clip(
    rig: &Rig,
    clip: ClipIndex,
    all: &[Part],
    poses: &mut Poses<'_>,
    outermost: &mut Extremes<'_, Vec3>,
) {
    let down = downwards();
    let hull = rig.hull();
    let times = times(rig, clip);
    let mut likely = 0;
    let mut heights = Vec::with_capacity(times.len());
    for &time_secs in &times {
        let rows = poses.pose(Some(clip), time_secs);
        heights.push(lowest(rig, hull, rows, &down, &mut likely));
        hull.iter().for_each(|part| part.show(rig, rows, outermost));
    }

    let mut least = (f32::MAX, 0.0);
    for (&height, &time_secs) in heights.iter().zip(&times) {
        if height < least.0 {
            least = (height, time_secs);
        }
    }
    let height = outermost.height();
    for (possible, at) in dips(&heights) {
        let Some(before) = times.get(at.saturating_sub(1)) else { continue };
        let after = times.get(at + 1).unwrap_or(&times[at]);
        // As low as the slope on either side could take it from here.
        if possible > least.0 - height * SHALLOW {
            break;
        }
        let (mut from, mut to) = (*before, *after);
        for _ in 0..DIP_ROUNDS {
            let step = (to - from) / DIP_POSES as f32;
            let mut here = (f32::MAX, from);
            for nth in 1..DIP_POSES {
                let time_secs = from + step * nth as f32;
                let rows = poses.pose(Some(clip), time_secs);
                let height = lowest(rig, hull, rows, &down, &mut likely);
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
    // The outer vertices have found the moment; now all are looked at.
    let rows = poses.pose(Some(clip), least.1);
    let mut lowermost = Extremes::new(&down);
    all.iter().for_each(|part| part.show(rig, rows, &mut lowermost));
    lowermost.held().for_each(|place| outermost.include(place, place));
}

/// Poses lower than those before and after, with how low it may get between the three: the lowest possible first.
fn dips(heights: &[f32]) -> Vec<(f32, usize)> {
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

/// The height of the lowest vertex. `likely` is the part that had it in the pose before.
fn lowest(rig: &Rig, hull: &[Part], rows: &[Vec4], down: &Directions, likely: &mut usize) -> f32 {
    let mut lowermost = Extremes::new(down);
    let first = *likely;
    for index in std::iter::once(first).chain((0..hull.len()).filter(|&index| index != first)) {
        let before = lowermost.first_reach();
        hull[index].show(rig, rows, &mut lowermost);
        if lowermost.first_reach() > before {
            *likely = index;
        }
    }
    -lowermost.first_reach()
}

/// One pose after another, in the same memory.
struct Poses<'a> {
    rig: &'a Rig,
    local: LocalPose,
    model: ModelPose,
    cursor: ClipCursor,
    rows: Vec<Vec4>,
}

impl<'a> Poses<'a> {
    fn new(rig: &'a Rig) -> Self {
        Self {
            rig,
            local: LocalPose::rest(rig),
            model: ModelPose::new(rig),
            cursor: ClipCursor::default(),
            rows: vec![Vec4::ZERO; rig.palette_layout().rows_per_character],
        }
    }

    fn pose(&mut self, clip: Option<ClipIndex>, time_secs: f32) -> &[Vec4] {
        if let Some(clip) = clip {
            self.rig.sample_into(clip, time_secs, &mut self.cursor, &mut self.local);
        }
        self.rig.resolve_into(&self.local, &mut self.model);
        self.rig.palette_into(&self.local, &self.model, &Affine3A::IDENTITY, &mut self.rows);
        &self.rows
    }

    /// Where the nodes of the scene are.
    fn nodes(&self) -> impl Iterator<Item = Vec3> {
        let nodes = self.rig.model().nodes.iter().zip(&self.model.model_from_node);
        nodes.filter(|(node, _)| node.in_scene).map(|(_, [x, y, z])| vec3(x.w, y.w, z.w))
    }
}

/// Every key, and as many times between each two as there is room for; evenly spread where the keys alone are too many.
fn times(rig: &Rig, clip: ClipIndex) -> Vec<f32> {
    let clip = rig.model().clip(clip);
    let mut keys = vec![0.0, clip.duration_secs];
    for track in &clip.tracks {
        if keys.len() <= POSES_AT_MOST {
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
