//! The markers that members pass. A member is followed from the first time on that they are asked for.

use super::{Player, PlayerError, Throng};
use crate::model::ClipIndex;
use crate::playback::AnimationLibrary;

/// Greatest number of markers that are held for a member. Those before are forgotten.
const MOST_MARKERS: usize = 256;

/// A marker of a clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PassedMarker {
    pub clip: ClipIndex,
    /// Index in the clip's markers.
    pub marker: usize,
}

/// A member whose markers are listed.
#[derive(Debug)]
pub(super) struct Followed {
    member: usize,
    /// Place in the clips, in passes, up to which they are listed.
    at: f64,
    /// Those that haven't been taken, the last one last.
    passed: Vec<PassedMarker>,
}

impl Player {
    /// Returns the markers that a member has passed since the last call, in this order: the last 256 at most, and none
    /// at the first call. Of two clips, the one with the greater share counts.
    ///
    /// # Errors
    /// When there is no such member.
    pub fn take_member_markers(&mut self, index: usize) -> Result<Vec<PassedMarker>, PlayerError> {
        self.check_member(index)?;
        let (Some(loaded), Some(throng)) = (&self.loaded, self.company.throng.as_mut()) else {
            return Ok(Vec::new());
        };
        Ok(throng.get_mut().take_markers(&loaded.library, index))
    }
}

impl Throng {
    fn take_markers(&mut self, library: &AnimationLibrary, member: usize) -> Vec<PassedMarker> {
        match self.followed.binary_search_by_key(&member, |followed| followed.member) {
            Ok(place) => {
                self.list_passed(library, place);
                std::mem::take(&mut self.followed[place].passed)
            }
            Err(place) => {
                let at = self.position(&self.members[member]);
                self.followed.insert(place, Followed { member, at, passed: Vec::new() });
                Vec::new()
            }
        }
    }

    /// Lists what a member has passed, before its motion changes. Returns its place among the followed members.
    pub(super) fn list_before_change(&mut self, library: &AnimationLibrary, member: usize) -> Option<usize> {
        let place = self.followed.binary_search_by_key(&member, |followed| followed.member).ok()?;
        self.list_passed(library, place);
        Some(place)
    }

    /// Follows the member at a place from where its changed motion has it. What it jumped over isn't passed.
    pub(super) fn follow_on(&mut self, place: usize) {
        self.followed[place].at = self.position(&self.members[self.followed[place].member]);
    }

    /// Keeps the followed members where they are, relative to their clips, when the positions of all lose their whole
    /// passes.
    pub(super) fn forget_passes(&mut self) {
        for at in 0..self.followed.len() {
            let passes = self.position(&self.members[self.followed[at].member]).floor();
            self.followed[at].at -= passes;
        }
    }

    /// Lists the markers from where the last list of a followed member ended.
    fn list_passed(&mut self, library: &AnimationLibrary, place: usize) {
        let followed = &self.followed[place];
        let member = &self.members[followed.member];
        let (from, to) = (followed.at, self.position(member));
        let clip = member.clips[usize::from(member.share > 0.5)];
        let mut passed = Vec::new();
        if let Some(clip) = clip.filter(|_| from != to) {
            let duration_secs = self.duration_secs(Some(clip));
            let markers = &library.notes(clip).markers;
            let forwards = from < to;
            // Each pass has at least one marker.
            let begin = if forwards {
                from.max(to - MOST_MARKERS as f64)
            } else {
                from.min(to + MOST_MARKERS as f64)
            };
            let first_pass = begin.min(to).floor();
            let pass_count =
                if markers.is_empty() { 0 } else { (begin.max(to).floor() - first_pass) as usize + 1 };
            for nth in 0..pass_count * markers.len() {
                let (pass, marker) = (nth / markers.len(), nth % markers.len());
                let at = first_pass + pass as f64 + markers[marker].time_secs / duration_secs;
                let is_passed = if forwards { begin < at && at <= to } else { to <= at && at < begin };
                if is_passed {
                    passed.push(PassedMarker { clip, marker });
                }
            }
            if !forwards {
                passed.reverse();
            }
        }
        let followed = &mut self.followed[place];
        followed.at = to;
        followed.passed.append(&mut passed);
        let forgotten = followed.passed.len().saturating_sub(MOST_MARKERS);
        followed.passed.drain(..forgotten);
    }
}
