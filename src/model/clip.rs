use super::{NodeIndex, PropertyIndex};
use glam::{Affine3A, Quat, Vec3};
use std::sync::Arc;

/// An animation: a name and tracks with a common time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Clip {
    /// Never empty: clips that are unnamed in the file are called `clip 0`, `clip 1`, …
    pub name: String,
    /// The last key time of all tracks in the file, at least 0. A clip of duration 0 is a pose.
    pub duration_secs: f32,
    pub tracks: Vec<Track>,
    pub property_tracks: Vec<PropertyTrack>,
}

impl Clip {
    /// Returns the bytes that the keys take in memory. Times that a track shares with the track before it count once.
    pub fn key_bytes(&self) -> usize {
        let mut bytes = 0;
        let mut before: Option<&Arc<[f32]>> = None;
        for track in &self.tracks {
            if !before.is_some_and(|before| Arc::ptr_eq(before, &track.key_times_secs)) {
                bytes += size_of_val(&*track.key_times_secs);
            }
            before = Some(&track.key_times_secs);
            bytes += match &track.values {
                TrackValues::Translation(values) | TrackValues::Scale(values) => {
                    size_of_val(values.as_slice())
                }
                TrackValues::Rotation(values) => size_of_val(values.as_slice()),
                TrackValues::MorphWeights(values) => size_of_val(values.as_slice()),
                TrackValues::Matrix(values) => size_of_val(values.as_slice()),
            };
        }
        for track in &self.property_tracks {
            bytes += size_of_val(&*track.key_times_secs) + size_of_val(track.values.as_slice());
        }
        bytes
    }

    /// Returns the times of the keys of each track.
    pub fn times(&self) -> impl Iterator<Item = &Arc<[f32]>> {
        let of_properties = self.property_tracks.iter().map(|track| &track.key_times_secs);
        self.tracks.iter().map(|track| &track.key_times_secs).chain(of_properties)
    }

    /// Returns the duration that the tracks give the clip.
    pub fn last_key_secs(&self) -> f32 {
        let mut last = 0.0_f32;
        for times in self.times() {
            last = last.max(times.last().copied().unwrap_or(0.0));
        }
        last
    }
}

/// One [`AnimatedProperty`](super::AnimatedProperty), keyed like a [`Track`].
#[derive(Clone, Debug, PartialEq)]
pub struct PropertyTrack {
    pub property: PropertyIndex,
    pub interpolation: Interpolation,
    pub key_times_secs: Arc<[f32]>,
    /// The numbers of the first key, then those of the next. Each element has as many as the property.
    pub values: Vec<f32>,
}

/// One animated property of one node.
///
/// ```text
/// value   v0 ────── v0 ╱ v1 ╲ v2 ────── v2      constant before the first key
/// time    0        t0    t1    t2               and after the last
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    pub node: NodeIndex,
    pub interpolation: Interpolation,
    /// Strictly ascending, at least one. Tracks keyed together share one allocation. Clips start at 0, so earlier
    /// keys are never reached; the last of them is interpolated with the first key after 0.
    pub key_times_secs: Arc<[f32]>,
    pub values: TrackValues,
}

/// Values of a track, in the order of its keys.
///
/// With [`Interpolation::CubicSpline`] each key stores three elements: in-tangent, value, out-tangent.
#[derive(Clone, Debug, PartialEq)]
pub enum TrackValues {
    Translation(Vec<Vec3>),
    /// Quaternions of unit length within 1 %, as the file rounds them. Tangents of a cubic spline may have any
    /// length.
    Rotation(Vec<Quat>),
    Scale(Vec<Vec3>),
    /// One number per morph target for each element of a key.
    MorphWeights(Vec<f32>),
    /// Whole `parent_from_node` matrices, stepped or interpolated element by element, never as a spline. Only nodes
    /// with a [`sheared_rest`](super::Node::sheared_rest) have such tracks.
    Matrix(Vec<Affine3A>),
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Interpolation {
    /// Holds the value of the last key at or before the time.
    Step,
    /// Interpolates linearly; rotations by slerp along the shorter arc.
    #[default]
    Linear,
    /// Interpolates by a cubic Hermite spline with the file's tangents.
    CubicSpline,
}

impl Interpolation {
    /// Returns how many elements a key stores.
    pub fn elements_per_key(self) -> usize {
        match self {
            Self::Step | Self::Linear => 1,
            Self::CubicSpline => 3,
        }
    }
}
