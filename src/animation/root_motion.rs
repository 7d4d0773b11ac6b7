//! Root motion: the movement of a clip's root over the ground, which is measured and removed from the pose.
//!
//! ```text
//! model_from_root(t)  =  E(t) · pinned(t)      E(t) moves in x and z and rotates about y; E(start) is the identity
//! ```
//!
//! The pinned root keeps the ground position and the heading of the start. Its height, its lean and its scale are
//! those of the clip.
use super::compile::CompiledClip;
use super::cursor::ClipCursor;
use super::simd::LANES;
use super::travel::Travel;
use super::{LocalPose, ModelPose, Rig};
use crate::angle::angle_of;
use crate::model::{Clip, ClipIndex, Interpolation, NodeIndex, Srt, Track, TrackValues};
use glam::{DAffine3, DQuat, DVec3, Quat, Vec3};
use std::f64::consts::TAU;

/// Root motion of one clip over the ground, in model space, y up.
#[derive(Debug)]
pub struct RootTrack {
    root: NodeIndex,
    /// Compiled tracks of the root alone.
    clip: CompiledClip,
    // In `f64`: glam computes these without SIMD on every machine, and so to the same bits.
    model_from_parent: DAffine3,
    parent_from_model: DAffine3,
    /// The model's y axis in the space of the root's parent, negated if the parent mirrors.
    up_in_parent: DVec3,
    start_in_model: DVec3,
    start_rotation: DQuat,
    /// Times and the root's yaw at each, whole turns included, with one entry per radian of change. Between entries
    /// the root turns by less than half a turn, so that the whole turns of any angle between follow from the entry.
    turned: Vec<(f32, f32)>,
}

/// Position and heading on the ground.
#[derive(Clone, Copy)]
struct Ground {
    x: f64,
    z: f64,
    sine: f64,
    cosine: f64,
    yaw: f64,
}

impl RootTrack {
    /// Returns the node that moves the whole character in its clips.
    ///
    /// - It has more than half of all joints at or below it.
    /// - A node that some clip translates is preferred to one that is only keyed, and that to a joint without keys.
    /// - Among equals, the node with the most joints at or below it is chosen, and then the topmost.
    /// - In a model without skins each node counts as a joint, and the root may be any keyed node.
    pub fn find_root(rig: &Rig) -> Option<NodeIndex> {
        let model = rig.model();
        let is_skinned = !model.skins.is_empty();
        let mut is_joint = vec![!is_skinned; model.nodes.len()];
        for joint in model.skins.iter().flat_map(|skin| &skin.joints) {
            is_joint[joint.get()] = true;
        }
        let mut joints_below: Vec<usize> = is_joint.iter().copied().map(usize::from).collect();
        for (index, node) in model.nodes.iter().enumerate().rev() {
            if let Some(parent) = node.parent {
                joints_below[parent.get()] += joints_below[index];
            }
        }
        let joint_count = is_joint.iter().filter(|is_joint| **is_joint).count();
        // Suitability of each node; 0 excludes it.
        let mut suits: Vec<u8> = is_joint.iter().map(|&is_joint| u8::from(is_joint && is_skinned)).collect();
        for track in rig.clips().flat_map(|clip| &clip.tracks) {
            let per_key = track.interpolation.elements_per_key();
            let suit = match &track.values {
                TrackValues::Translation(values) => {
                    let mut values = values.iter().skip(per_key / 2).step_by(per_key);
                    let first = values.next();
                    if values.any(|value| Some(value) != first) { 3 } else { 2 }
                }
                TrackValues::Rotation(_) => 2,
                _ => 0,
            };
            let held = &mut suits[track.node.get()];
            *held = suit.max(*held);
        }
        let mut best = None;
        for (index, (&suit, &below)) in suits.iter().zip(&joints_below).enumerate() {
            let carries = !is_skinned || below * 2 > joint_count;
            if suit > 0 && carries && best.is_none_or(|(held, _)| (suit, below) > held) {
                best = Some(((suit, below), NodeIndex::new(index)));
            }
        }
        best.map(|(_, root)| root)
    }

    /// Measures the root motion of a clip. `from_secs` is the time of the start pose. The ancestors of the root are
    /// taken as they are at that time.
    pub fn new(rig: &Rig, clip: ClipIndex, root: NodeIndex, from_secs: f64) -> Self {
        let mut local = LocalPose::rest(rig);
        rig.sample_into(clip, from_secs as f32, &mut ClipCursor::default(), &mut local);
        let mut model = ModelPose::new(rig);
        rig.resolve_into(&local, &mut model);
        let parent = rig.model().node(root).parent;
        let model_from_parent = parent.map_or(DAffine3::IDENTITY, |parent| {
            let columns = model.model_from_node(parent).to_cols_array().map(f64::from);
            DAffine3::from_cols_array(&columns)
        });
        let parent_from_model = model_from_parent.inverse();
        let side = if model_from_parent.matrix3.determinant() < 0.0 { -1.0 } else { 1.0 };
        let start = local.srt(root);
        let mut track = Self {
            root,
            clip: alone(rig, clip, root),
            model_from_parent,
            parent_from_model,
            up_in_parent: parent_from_model.transform_vector3(DVec3::Y * side).normalize_or_zero(),
            start_in_model: model_from_parent.transform_point3(start.translation.as_dvec3()),
            start_rotation: start.rotation.as_dquat(),
            turned: Vec::new(),
        };
        track.follow_turns(rig.clip(clip));
        track
    }

    /// Returns the motion from one time of a pass to another, which may be earlier.
    pub fn travel(&self, from_secs: f64, to_secs: f64) -> Travel {
        if !self.is_sound() {
            return Travel::IDENTITY;
        }
        let (from, to) = (self.ground_at(from_secs as f32), self.ground_at(to_secs as f32));
        let (x, z) = (to.x - from.x, to.z - from.z);
        let ahead = Vec3::new(
            (x * from.cosine - z * from.sine) as f32,
            0.0,
            (z * from.cosine + x * from.sine) as f32,
        );
        Travel { translation: ahead, yaw: (to.yaw - from.yaw) as f32 }
    }

    /// Removes the root motion from a pose of this clip.
    pub fn pin(&self, pose: &mut LocalPose) {
        if !self.is_sound() {
            return;
        }
        let srt = pose.srt(self.root);
        let (sine, cosine) = self.half_turn(srt.rotation);
        let back = DQuat::from_vec4((self.up_in_parent * -sine).extend(cosine));
        let place = self.model_from_parent.transform_point3(srt.translation.as_dvec3());
        let pinned = DVec3::new(self.start_in_model.x, place.y, self.start_in_model.z);
        let translation = self.parent_from_model.transform_point3(pinned).as_vec3();
        let rotation = (back * srt.rotation.as_dquat()).as_quat();
        pose.set_srt(self.root, Srt { translation, rotation, ..srt });
    }

    fn srt_at(&self, time_secs: f32) -> Srt {
        self.clip.srt_at(time_secs, self.root.get() % LANES)
    }

    /// Returns whether the parent's transform has an inverse, which one with a scale of 0 doesn't have.
    fn is_sound(&self) -> bool {
        self.parent_from_model.is_finite()
    }

    /// Returns the sine and cosine of half the root's rotation about y since the start (the twist of its rotation).
    fn half_turn(&self, rotation: Quat) -> (f64, f64) {
        let since = rotation.as_dquat() * self.start_rotation.conjugate();
        let (sine, cosine) = (since.xyz().dot(self.up_in_parent), since.w);
        let length = (sine * sine + cosine * cosine).sqrt();
        // An upside-down root has no heading.
        if length > 1e-6 { (sine / length, cosine / length) } else { (0.0, 1.0) }
    }

    /// Returns the yaw since the start, from −2π to 2π, without whole turns.
    fn bare_yaw(&self, rotation: Quat) -> f64 {
        let (sine, cosine) = self.half_turn(rotation);
        2.0 * angle_of(sine, cosine)
    }

    /// Returns E(t) of the module documentation.
    fn ground_at(&self, time_secs: f32) -> Ground {
        let srt = self.srt_at(time_secs);
        let (half_sine, half_cosine) = self.half_turn(srt.rotation);
        let sine = 2.0 * half_sine * half_cosine;
        let cosine = half_cosine * half_cosine - half_sine * half_sine;
        let start = self.start_in_model;
        let place = self.model_from_parent.transform_point3(srt.translation.as_dvec3());
        let before = self.turned.partition_point(|&(time, _)| time <= time_secs).saturating_sub(1);
        let near = self.turned.get(before).map_or(0.0, |&(_, yaw)| f64::from(yaw));
        Ground {
            x: place.x - (start.x * cosine + start.z * sine),
            z: place.z - (start.z * cosine - start.x * sine),
            sine,
            cosine,
            yaw: nearest_turn(2.0 * angle_of(half_sine, half_cosine), near),
        }
    }

    fn follow_turns(&mut self, clip: &Clip) {
        let turns = |values: &TrackValues| matches!(values, TrackValues::Rotation(_));
        let mut tracks = clip.tracks.iter().filter(|track| track.node == self.root);
        let Some(track) = tracks.rfind(|track| turns(&track.values)) else { return };
        // The arc between two keys is half a turn at most. A spline has no such limit.
        let steps = if track.interpolation == Interpolation::CubicSpline { 16 } else { 4 };
        let mut yaw = 0.0;
        for (key, &time) in track.key_times_secs.iter().enumerate() {
            let next = track.key_times_secs.get(key + 1).copied().unwrap_or(time);
            for step in 0..steps {
                let time = time + (next - time) * step as f32 / steps as f32;
                yaw = nearest_turn(self.bare_yaw(self.srt_at(time).rotation), yaw);
                if self.turned.last().is_none_or(|&(_, held)| (yaw - f64::from(held)).abs() > 1.0) {
                    self.turned.push((time, yaw as f32));
                }
            }
        }
    }
}

/// Returns `angle` plus the whole turns that bring it nearest to another angle.
fn nearest_turn(angle: f64, other: f64) -> f64 {
    angle + TAU * ((other - angle) / TAU + 0.5).floor()
}

/// Compiles the root's tracks alone, in the root's lane of a single group, so that sampling is cheap and gives the
/// same bits.
fn alone(rig: &Rig, clip: ClipIndex, root: NodeIndex) -> CompiledClip {
    let clip = rig.clip(clip);
    let mut of_root = Clip { name: String::new(), duration_secs: clip.duration_secs, ..Clip::default() };
    for track in clip.tracks.iter().filter(|track| track.node == root) {
        if !matches!(track.values, TrackValues::MorphWeights(_) | TrackValues::Matrix(_)) {
            of_root.tracks.push(Track { node: NodeIndex::new(root.get() % LANES), ..track.clone() });
        }
    }
    CompiledClip::new(&of_root, &rig.rest().group_of(root), rig.scalar_rows(), rig.rotations())
}
