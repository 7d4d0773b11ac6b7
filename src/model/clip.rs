use super::NodeIndex;
use glam::{Affine3A, Quat, Vec3};
use std::sync::Arc;

/// An animation: a name and the tracks that share its clock.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Clip {
    /// Never empty: an unnamed clip of a file is given `clip 0`, `clip 1`, …
    pub name: String,
    /// The last key time over all tracks, and at least 0, which makes the clip a pose.
    pub duration_secs: f32,
    pub tracks: Vec<Track>,
}

impl Clip {
    /// What its keys take up in memory. Times that a track shares with the one before it count once.
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
        bytes
    }
}

/// One animated property of one node.
///
/// ```text
/// value   v0 ────── v0 ╱ v1 ╲ v2 ────── v2      before the first key its value holds,
/// time    0        t0    t1    t2               after the last key the last
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    pub node: NodeIndex,
    pub interpolation: Interpolation,
    /// Strictly ascending, at least one. Tracks keyed together share one allocation. Keys before 0 are never reached;
    /// the motion from the last of them on leads to the first one after 0.
    pub key_times_secs: Arc<[f32]>,
    pub values: TrackValues,
}

/// Values of a track, key after key.
///
/// [`Interpolation::CubicSpline`] stores three elements a key: in-tangent, value, out-tangent.
#[derive(Clone, Debug, PartialEq)]
pub enum TrackValues {
    Translation(Vec<Vec3>),
    /// Unit length to 1 %, as the file rounds them; a cubic spline's tangents have any.
    Rotation(Vec<Quat>),
    Scale(Vec<Vec3>),
    /// One number per morph target, target after target, for each element of a key.
    MorphWeights(Vec<f32>),
    /// `parent_from_node` whole, each number going straight to its next: for nodes that shear, and never as a spline.
    Matrix(Vec<Affine3A>),
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Interpolation {
    /// The value of the last key at or before the time.
    Step,
    /// A straight line; rotations go the short way round the sphere.
    #[default]
    Linear,
    /// Cubic Hermite spline with the file's tangents.
    CubicSpline,
}

impl Interpolation {
    /// How many elements a key stores.
    pub fn elements_per_key(self) -> usize {
        match self {
            Self::Step | Self::Linear => 1,
            Self::CubicSpline => 3,
        }
    }
}
