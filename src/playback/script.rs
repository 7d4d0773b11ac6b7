//! Scripts: controllers as data. A script consists of layers, each with states and the transitions between them.
use super::{ClipNotes, Crossing, Easing, Parameter, ParameterIndex, PlayOptions, Source};
use crate::animation::MaskEntry;
use crate::model::{ClipIndex, NodeIndex};
use std::sync::Arc;

/// Description of a whole controller, which can be read from JSON. All its indices are valid.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Script {
    pub parameters: Vec<Parameter>,
    /// Notes that replace those on the listed clips. Other clips keep theirs.
    pub notes: Vec<(ClipIndex, ClipNotes)>,
    /// Node whose root motion is pinned or extracted; `None` finds it.
    pub root: Option<NodeIndex>,
    /// Layers from the base upwards. There is at least one.
    pub layers: Vec<ScriptLayer>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ScriptLayer {
    pub name: String,
    pub options: LayerOptions,
    /// Shared by all characters that run it.
    pub machine: Arc<Machine>,
}

/// How a layer is mixed with the layers below it.
#[derive(Clone, Debug, PartialEq)]
pub struct LayerOptions {
    pub mode: LayerMode,
    /// Weight from 0 to 1, multiplied by the mask.
    pub weight: f32,
    /// Nodes that the layer affects; empty means all.
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
    /// Adds the difference of each clip from its reference pose to the layers below.
    Add(Reference),
}

/// Reference pose of an additive layer.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Reference {
    /// Pose of each clip at the start of the part that is played.
    #[default]
    FirstFrame,
    Rest,
    /// Pose of one clip at one time, for all clips.
    Pose {
        clip: ClipIndex,
        time_secs: f64,
    },
}

/// State machine: states and the transitions between them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Machine {
    /// States, at least one.
    pub states: Vec<MachineState>,
    pub start: usize,
    /// Transitions by priority: the first that is possible is taken.
    pub transitions: Vec<Transition>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct MachineState {
    pub name: String,
    /// Source that the state plays. `None` shows the layers below, or in the base layer the rest pose.
    pub source: Option<Source>,
    /// Options for playing the source. A transition overrides its fade, easing and crossing.
    pub options: PlayOptions,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Transition {
    /// States that the transition can leave; empty means any but `to`.
    pub from: Vec<usize>,
    pub to: usize,
    /// Conditions, all of which must hold.
    pub conditions: Vec<Condition>,
    /// Number of passes, including fractions, that the state must have played; `None` requires none.
    pub exit_passes: Option<f64>,
    pub fade_secs: f64,
    pub easing: Easing,
    pub crossing: Crossing,
    /// Transitions that may interrupt this one while it fades.
    pub interrupt: Interrupt,
    /// Whether the new state starts at the phase of the old one.
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
    /// The trigger is set. Taking the transition resets it.
    Fired,
}

/// Transitions that may interrupt one that still fades.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Interrupt {
    #[default]
    None,
    /// Transitions that leave the target state.
    Target,
    /// Transitions that leave the source state.
    Source,
    Either,
}

impl Transition {
    /// Returns whether the transition can leave a state.
    pub fn leaves(&self, state: usize) -> bool {
        if self.from.is_empty() { self.to != state } else { self.from.contains(&state) }
    }
}

impl Test {
    /// Returns whether the test holds for a value. Booleans and triggers are 0 or 1.
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
