//! A controller as data: layers, each with states and the transitions between them. What a JSON document is read into.
use super::{ClipNotes, Crossing, Easing, Parameter, ParameterIndex, PlayOptions, Source};
use crate::animation::MaskEntry;
use crate::model::{ClipIndex, NodeIndex};

/// A whole controller. All its indices point at something.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Script {
    pub parameters: Vec<Parameter>,
    /// Taken over for the clips that are named; the others keep theirs.
    pub notes: Vec<(ClipIndex, ClipNotes)>,
    /// The node whose way over the ground is pinned or handed out; `None` finds it.
    pub root: Option<NodeIndex>,
    /// The first is the base; never empty.
    pub layers: Vec<ScriptLayer>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ScriptLayer {
    pub name: String,
    pub options: LayerOptions,
    pub machine: Machine,
}

/// How a layer lies over those below it.
#[derive(Clone, Debug, PartialEq)]
pub struct LayerOptions {
    pub mode: LayerMode,
    /// From 0 to 1, on top of the mask.
    pub weight: f32,
    /// Which nodes it moves; empty is all of them.
    pub mask: Vec<MaskEntry>,
}

impl Default for LayerOptions {
    fn default() -> Self {
        Self { mode: LayerMode::Override, weight: 1.0, mask: Vec::new() }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum LayerMode {
    #[default]
    Override,
    /// What its clips change is added to what lies below.
    Add(Reference),
}

/// The pose from which an added clip is a change.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Reference {
    /// Each clip's own, at the beginning of the part that is played.
    #[default]
    FirstFrame,
    Rest,
    /// One pose for all clips.
    Pose {
        clip: ClipIndex,
        time_secs: f64,
    },
}

/// States and the ways between them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Machine {
    /// Never empty.
    pub states: Vec<MachineState>,
    pub start: usize,
    /// The first that may be taken is.
    pub transitions: Vec<Transition>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct MachineState {
    pub name: String,
    /// `None` plays nothing: what lies below shows, under the base the rest pose.
    pub source: Option<Source>,
    /// How it is played; a transition brings the fade.
    pub options: PlayOptions,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Transition {
    /// States it leaves; empty is any but the one it goes to.
    pub from: Vec<usize>,
    pub to: usize,
    /// All must hold.
    pub conditions: Vec<Condition>,
    /// How many passes of the state must have gone by, fractions too; `None` leaves at once.
    pub exit_passes: Option<f64>,
    pub fade_secs: f64,
    pub easing: Easing,
    pub crossing: Crossing,
    /// What may cut it short while it fades.
    pub interrupt: Interrupt,
    /// The new state begins at the phase of the old one.
    pub keep_phase: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Condition {
    pub parameter: ParameterIndex,
    pub test: Test,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Test {
    Above(f32),
    AtLeast(f32),
    Below(f32),
    AtMost(f32),
    Is(bool),
    /// Of a trigger; taking the transition unsets it.
    Fired,
}

/// Which transitions may cut short one that still fades.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Interrupt {
    #[default]
    None,
    /// Those that leave the state it goes to.
    Target,
    /// Those that leave the state it came from.
    Source,
    Either,
}

impl Transition {
    /// Whether it can be taken in that state at all.
    pub fn leaves(&self, state: usize) -> bool {
        if self.from.is_empty() { self.to != state } else { self.from.contains(&state) }
    }
}

impl Test {
    /// Booleans and triggers are 0 or 1.
    pub fn holds(self, value: f32) -> bool {
        match self {
            Self::Above(limit) => value > limit,
            Self::AtLeast(limit) => value >= limit,
            Self::Below(limit) => value < limit,
            Self::AtMost(limit) => value <= limit,
            Self::Is(expected) => (value != 0.0) == expected,
            Self::Fired => value != 0.0,
        }
    }
}
