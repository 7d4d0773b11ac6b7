//! Playback: the motions of each layer, their times, the transitions between them, and state machines.
//!
//! This module has no matrices, no GPU and no clock. Time is passed to [`Controller::advance`], which appends
//! [`Event`]s to a list of the caller. `animation` computes and mixes the poses.
//!
//! ```text
//! AnimationLibrary ─ rig, notes on clips, parameters: shared by all characters
//! Controller ┬ layer "upper"  motions, oldest first ─▶ [ Wave ▁▂▃ fading in ]                   over the layer below
//!            └ layer "base"   motions, oldest first ─▶ [ Walk ▁▂▃ fading out ] [ Run ▅▆▇ ]      over the rest pose
//!                                                        each one: leaves (a clip, a Playhead, a share) and a Fade
//! Script ─ a controller as data: layers, states and transitions (`machine`), read from JSON (`script_json`)
//! ```

mod advance;
mod controller;
mod event;
mod fade;
mod layer;
mod library;
mod machine;
mod motion;
mod notes;
mod parameter;
mod phase;
mod playhead;
mod script;
mod script_json;
mod source;

pub use controller::{Controller, State};
pub use event::{Event, EventKind, FinishReason, LayerIndex, Run};
pub(crate) use fade::Fade;
pub use layer::PoseScratch;
pub use library::AnimationLibrary;
pub use notes::{ClipNotes, Marker, RootMotion, SyncGroup};
pub use parameter::{Parameter, ParameterIndex, ParameterKind};
pub use playhead::{Advanced, Looping, Playhead, Stretch};
pub use script::{
    Condition, Interrupt, LayerMode, LayerOptions, Machine, MachineState, Reference, Script, ScriptLayer,
    Test, Transition,
};
pub use script_json::{ScriptError, ScriptProblem};
pub use source::{Blend, Child, ClipUse, Crossing, Easing, Ending, PlayOptions, Source, Space, Weight};
