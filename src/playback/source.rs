//! What a layer can be told to play: one clip, or several mixed by parameters. Plain data, shared by all who play it.
use super::{ParameterIndex, SyncGroup};
use crate::model::ClipIndex;
use glam::Vec2;
use std::sync::Arc;

/// One clip, or a blend of sources.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    Clip(ClipUse),
    Blend(Arc<Blend>),
}

/// A clip, or the part of it between two times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClipUse {
    pub clip: ClipIndex,
    /// Where the part begins, in the clip's own time.
    pub from_secs: f64,
    /// Where it ends; `None` is the clip's end.
    pub to_secs: Option<f64>,
    /// Against the other sources of its blend; on top of the speed it is played at.
    pub speed: f64,
}

impl ClipUse {
    /// All of the clip.
    pub fn whole(clip: ClipIndex) -> Self {
        Self { clip, from_secs: 0.0, to_secs: None, speed: 1.0 }
    }
}

impl Source {
    pub(crate) fn each_clip(&self, tell: &mut dyn FnMut(ClipIndex)) {
        match self {
            Self::Clip(clip_use) => tell(clip_use.clip),
            Self::Blend(blend) => blend.children.iter().for_each(|child| child.source.each_clip(tell)),
        }
    }
}

impl From<ClipIndex> for Source {
    fn from(clip: ClipIndex) -> Self {
        Self::Clip(ClipUse::whole(clip))
    }
}

/// Several sources at once.
///
/// - Never empty.
/// - On a line the children stand in ascending order, no two at one place; on a plane no two stand at one place.
#[derive(Clone, Debug, PartialEq)]
pub struct Blend {
    pub space: Space,
    pub children: Vec<Child>,
    /// All go through their passes together, the slow ones hastened and the fast ones held back.
    pub in_phase: bool,
}

/// What decides the weights of a blend's children.
#[derive(Clone, Debug, PartialEq)]
pub enum Space {
    /// The two neighbours of a parameter's value share the weight; beyond the ends the end has all of it.
    Line(ParameterIndex),
    /// The nearer a child stands to the point, the more it weighs; a child at the point has all of it.
    Plane([ParameterIndex; 2]),
    /// Each child has a weight of its own; what counts is its share in their sum.
    Weights,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Child {
    pub source: Source,
    /// Where it stands: on a line only `x` counts; without a space nothing.
    pub at: Vec2,
    /// Counts in [`Space::Weights`] alone.
    pub weight: Weight,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Weight {
    Fixed(f32),
    Parameter(ParameterIndex),
}

/// How to start a source.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlayOptions {
    pub looping: super::Looping,
    /// From what plays now; nothing to fade from makes it a cut.
    pub fade_secs: f64,
    pub easing: Easing,
    pub crossing: Crossing,
    /// On top of the controller's own rate.
    pub speed: f64,
    /// Where to begin, in seconds of the clip after the start of its first pass.
    pub start_secs: f64,
    /// The same as a fraction of a pass, on top.
    pub phase: f64,
    /// What becomes of the last pose.
    pub ending: Ending,
    /// Those of one group go through their passes together, whatever layer they play in.
    pub sync: Option<SyncGroup>,
}

impl Default for PlayOptions {
    fn default() -> Self {
        Self {
            looping: super::Looping::REPEAT,
            fade_secs: 0.0,
            easing: Easing::Linear,
            crossing: Crossing::Fade,
            speed: 1.0,
            start_secs: 0.0,
            phase: 0.0,
            ending: Ending::Hold,
            sync: None,
        }
    }
}

/// How a weight goes from 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Easing {
    #[default]
    Linear,
    /// Slow at both ends.
    Smooth,
    /// Slow at the start.
    In,
    /// Slow at the end.
    Out,
}

/// How one motion gives way to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Crossing {
    /// Both play on while the weight goes from the one to the other.
    #[default]
    Fade,
    /// The new one plays alone at once; what the pose and its speed lack to the old one dies away, within a second.
    Inertia,
}

/// What becomes of a motion whose passes are done.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Ending {
    /// Its last pose is held.
    #[default]
    Hold,
    /// It fades out over so many seconds, to what lies under it.
    Release(f64),
}
