use super::{ClipNotes, Parameter, ParameterIndex, RootMotion};
use crate::animation::{Rig, RootTrack};
use crate::model::{ClipIndex, NodeIndex};
use std::cell::RefCell;
use std::sync::Arc;

/// What all characters of a player share: the rig, and what the page has said about its clips and parameters.
#[derive(Clone, Debug)]
pub struct Repertoire {
    rig: Arc<Rig>,
    notes: Vec<ClipNotes>,
    parameters: Vec<Parameter>,
    root: Option<NodeIndex>,
    /// Made when a clip is first played from a time: a crowd plays the same ones.
    root_tracks: RefCell<Vec<KnownTrack>>,
}

#[derive(Clone, Debug)]
struct KnownTrack {
    clip: ClipIndex,
    from_secs: f64,
    track: Arc<RootTrack>,
}

/// A page that plays parts from ever new times must not fill the memory with their tracks.
const MOST_KNOWN_TRACKS: usize = 256;

impl Repertoire {
    pub fn new(rig: Arc<Rig>) -> Self {
        let model = rig.model();
        Self {
            notes: model.clips.iter().map(|_| ClipNotes::default()).collect(),
            parameters: Vec::new(),
            root: RootTrack::find_root(model),
            root_tracks: RefCell::default(),
            rig,
        }
    }

    pub fn rig(&self) -> &Arc<Rig> {
        &self.rig
    }

    pub fn notes(&self, clip: ClipIndex) -> &ClipNotes {
        &self.notes[clip.get()]
    }

    /// Markers count at once; beats and root motion from the next `play` on.
    pub fn set_notes(&mut self, clip: ClipIndex, notes: ClipNotes) {
        self.notes[clip.get()] = notes;
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

    /// The node whose way over the ground is pinned or handed out.
    pub fn root(&self) -> Option<NodeIndex> {
        self.root
    }

    /// Counts from the next `play` on; `None` finds it.
    pub fn set_root(&mut self, root: Option<NodeIndex>) {
        self.root = root.or_else(|| RootTrack::find_root(self.rig.model()));
        self.root_tracks.take();
    }

    pub(super) fn duration_secs(&self, clip: ClipIndex) -> f64 {
        f64::from(self.rig.model().clip(clip).duration_secs)
    }

    /// Where the clip's root goes, unless that stays in the pose.
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
