//! Sources that a layer can play: one clip, or a blend of several. Plain data; blends are shared through `Arc`.
use super::{ParameterIndex, Run, SyncGroup};
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
    /// Start of the part, in seconds of the clip.
    pub from_secs: f64,
    /// End of the part, in seconds of the clip; `None` is the end of the clip.
    pub to_secs: Option<f64>,
    /// Speed relative to the other sources of the blend. It is multiplied by [`PlayOptions::speed`].
    pub speed: f64,
}

impl ClipUse {
    /// Returns the whole clip at speed 1.
    pub fn whole(clip: ClipIndex) -> Self {
        Self { clip, from_secs: 0.0, to_secs: None, speed: 1.0 }
    }
}

impl Source {
    pub(crate) fn each_clip(&self, visit: &mut dyn FnMut(ClipIndex)) {
        match self {
            Self::Clip(clip_use) => visit(clip_use.clip),
            Self::Blend(blend) => blend.children.iter().for_each(|child| child.source.each_clip(visit)),
        }
    }
}

impl From<ClipIndex> for Source {
    fn from(clip: ClipIndex) -> Self {
        Self::Clip(ClipUse::whole(clip))
    }
}

/// Weighted mix of several sources.
///
/// - There is at least one child.
/// - The positions of the children are strictly ascending on a [`Space::Line`], and different on a [`Space::Plane`].
#[derive(Clone, Debug, PartialEq)]
pub struct Blend {
    pub space: Space,
    pub children: Vec<Child>,
    /// Whether all children play at the same phase: longer clips are sped up and shorter ones slowed down.
    pub in_phase: bool,
}

/// Rule by which the weights of a blend's children are computed.
#[derive(Clone, Debug, PartialEq)]
pub enum Space {
    /// One-dimensional blend: the two children next to the parameter's value share the weight. Beyond the first or
    /// last child, that child has all of it.
    Line(ParameterIndex),
    /// Two-dimensional blend: the nearer a child to the point, the greater its weight. A child at the point has all.
    Plane([ParameterIndex; 2]),
    /// Each child has its own weight, which is divided by the sum of all.
    Weights,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Child {
    pub source: Source,
    /// Position in the space. A line uses `x` alone; [`Space::Weights`] ignores it.
    pub at: Vec2,
    /// Weight in [`Space::Weights`]. The other spaces ignore it.
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
    /// Duration of the transition in seconds. A base layer that plays nothing starts the source without a transition.
    pub fade_secs: f64,
    pub easing: Easing,
    pub crossing: Crossing,
    /// Speed, multiplied by the controller's playback rate.
    pub speed: f64,
    /// Offset from the start of the first pass, in seconds of the clip.
    pub start_secs: f64,
    /// Additional offset as a fraction of a pass, wrapped at its end.
    pub phase: f64,
    /// Ending after the last pass.
    pub ending: Ending,
    /// Motions of one group play at the same phase, in all layers.
    pub sync: Option<SyncGroup>,
    /// The run's number, from [`Run::FIRST_GIVEN`] on. Default: the controller's next number.
    pub run: Option<Run>,
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
            run: None,
        }
    }
}

/// Curve along which a weight goes from 0 to 1.
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

/// Kind of transition from one motion to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Crossing {
    /// Crossfade: both motions keep playing while the weight goes from the old one to the new one.
    #[default]
    Fade,
    /// Inertialization: only the new motion plays. Its offset from the old motion, in pose and velocity, decays
    /// within the duration of the transition, but at most within a second.
    Inertia,
    /// Dead blending: a smooth crossfade from the old motion's last pose, which goes on with a velocity that decays.
    /// Only the new motion plays. In additive layers this is the same as `Inertia`.
    DeadBlending,
}

/// How a motion ends after its last pass.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Ending {
    /// Holds the last pose.
    #[default]
    Hold,
    /// Fades out to the layers below over this many seconds.
    Release(f64),
}
