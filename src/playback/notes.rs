//! What a page notes about a clip: markers, beats, and what becomes of its root's motion.
use std::sync::Arc;

/// Beside the clip, not in it: a file is never changed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClipNotes {
    /// In ascending order of time.
    pub markers: Vec<Marker>,
    /// Times, ascending, that correspond between clips played in phase, such as footfalls. Empty takes whole passes.
    pub beats_secs: Vec<f64>,
    pub root: RootMotion,
}

/// A time of a clip that has a name.
#[derive(Clone, Debug, PartialEq)]
pub struct Marker {
    pub name: Arc<str>,
    pub time_secs: f64,
}

/// What becomes of the way that a clip's root goes over the ground.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RootMotion {
    /// It stays in the pose.
    #[default]
    Keep,
    /// The root stays where its first pose has it, and faces where it faces there.
    Pin,
    /// Pinned, and the way handed to the page.
    Extract,
    /// Pinned, and the character goes the way.
    Move,
}

/// Motions of one group keep in phase. Made from a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SyncGroup(pub u32);

impl SyncGroup {
    /// Equal names give equal groups.
    pub fn named(name: &str) -> Self {
        // FNV-1a: a page has a handful of groups, and two names that collide would only walk in step.
        Self(name.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)))
    }
}
