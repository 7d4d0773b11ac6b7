//! Metadata that a page attaches to a clip: markers, beats, and the treatment of its root motion.
use std::sync::Arc;

/// Metadata of a clip, stored separately from it: the model is never changed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClipNotes {
    /// Markers in ascending order of time.
    pub markers: Vec<Marker>,
    /// Ascending times that correspond between clips played in phase, such as footfalls; if empty, whole passes do.
    pub beats_secs: Vec<f64>,
    pub root: RootMotion,
}

/// Named time of a clip.
#[derive(Clone, Debug, PartialEq)]
pub struct Marker {
    pub name: Arc<str>,
    pub time_secs: f64,
}

/// Treatment of root motion, the movement of a clip's root over the ground.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RootMotion {
    /// Leaves the root motion in the pose.
    #[default]
    Keep,
    /// Removes the root motion from the pose: the root keeps the ground position and the heading of its first pose.
    Pin,
    /// Pins the root and passes the root motion to the page.
    Extract,
    /// Pins the root and moves the character by the root motion.
    Move,
}

/// Group of motions that play at the same phase, identified by the hash of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SyncGroup(pub u32);

impl SyncGroup {
    /// Returns the group with a name. Equal names give equal groups.
    pub fn named(name: &str) -> Self {
        // FNV-1a: a page has a handful of groups, and a collision only means that two of them play in phase.
        Self(name.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)))
    }
}
