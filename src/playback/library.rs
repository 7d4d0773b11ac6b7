use super::{ClipNotes, Parameter, ParameterIndex, RootMotion};
use crate::animation::{Rig, RootTrack};
use crate::model::{Clip, ClipIndex, NodeIndex};
use std::cell::RefCell;
use std::sync::Arc;

/// Data shared by all characters of a player: the rig, the notes on its clips, and the parameters.
#[derive(Clone, Debug)]
pub struct AnimationLibrary {
    rig: Arc<Rig>,
    notes: Vec<ClipNotes>,
    parameters: Vec<Parameter>,
    root: Option<NodeIndex>,
    /// Whether `root` was found in the clips, not set.
    is_root_found: bool,
    /// Cache of root tracks by clip and start time, since the characters of a crowd play the same ones.
    root_tracks: RefCell<Vec<KnownTrack>>,
}

#[derive(Clone, Debug)]
struct KnownTrack {
    clip: ClipIndex,
    from_secs: f64,
    track: Arc<RootTrack>,
}

/// Most cached root tracks, since a page may play parts with ever new start times.
const MOST_KNOWN_TRACKS: usize = 256;

impl AnimationLibrary {
    pub fn new(rig: Arc<Rig>) -> Self {
        Self {
            notes: rig.clips().map(|_| ClipNotes::default()).collect(),
            parameters: Vec::new(),
            root: RootTrack::find_root(&rig),
            is_root_found: true,
            root_tracks: RefCell::default(),
            rig,
        }
    }

    pub fn rig(&self) -> &Arc<Rig> {
        &self.rig
    }

    /// Adds clips to the model's. The root node is found again if it isn't set.
    pub fn add_clips(&mut self, clips: Vec<Clip>) {
        self.rig = Arc::new(self.rig.with_clips(clips));
        self.notes.resize_with(self.rig.clip_count(), ClipNotes::default);
        self.set_root(self.root.filter(|_| !self.is_root_found));
    }

    pub fn notes(&self, clip: ClipIndex) -> &ClipNotes {
        &self.notes[clip.get()]
    }

    /// Returns the notes on a clip, to change them. Markers take effect at once, beats and the pinning of the root when
    /// the clip next starts.
    pub fn notes_mut(&mut self, clip: ClipIndex) -> &mut ClipNotes {
        &mut self.notes[clip.get()]
    }

    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    pub fn set_parameters(&mut self, parameters: Vec<Parameter>) {
        self.parameters = parameters;
    }

    pub fn find_parameter(&self, name: &str) -> Option<ParameterIndex> {
        self.parameters.iter().position(|parameter| parameter.name == name).map(ParameterIndex)
    }

    /// Returns the node whose root motion is pinned or extracted.
    pub fn root(&self) -> Option<NodeIndex> {
        self.root
    }

    /// Sets the root node, or finds it if `None`. Takes effect when a clip next starts.
    pub fn set_root(&mut self, root: Option<NodeIndex>) {
        self.is_root_found = root.is_none();
        self.root = root.or_else(|| RootTrack::find_root(&self.rig));
        self.root_tracks.take();
    }

    pub(super) fn duration_secs(&self, clip: ClipIndex) -> f64 {
        f64::from(self.rig.clip(clip).duration_secs)
    }

    /// Returns the root track of a clip; `None` if there is no root or its motion stays in the pose.
    pub(super) fn root_track(&self, clip: ClipIndex, from_secs: f64) -> Option<Arc<RootTrack>> {
        let root = self.root.filter(|_| self.notes(clip).root != RootMotion::Keep)?;
        let mut known = self.root_tracks.borrow_mut();
        if let Some(found) = known.iter().find(|known| known.clip == clip && known.from_secs == from_secs) {
            return Some(found.track.clone());
        }
        if known.len() == MOST_KNOWN_TRACKS {
            known.clear();
        }
        let track = Arc::new(RootTrack::new(&self.rig, clip, root, from_secs));
        known.push(KnownTrack { clip, from_secs, track: track.clone() });
        Some(track)
    }
}
