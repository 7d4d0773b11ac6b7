//! Time and intent: which clips play, where in them, and how they fade into each other.
//!
//! No matrices, no GPU, no clock: time comes in through [`Controller::advance`], poses are mixed by
//! `animation`, and whoever advances drains the [`Event`]s afterwards.
//!
//! ```text
//! Controller ── motions, oldest below ──▶ [ Walk ▁▂▃ fading under ] [ Run ▅▆▇ current ]
//!                                            each one: Playhead + Fade
//! ```

mod controller;
mod event;
mod fade;
mod notes;
mod parameter;
mod playhead;
mod script;
mod script_json;
mod source;

pub use controller::{Controller, State};
pub use event::{Event, FinishReason, Run};
pub use notes::{ClipNotes, Marker, RootMotion, SyncGroup};
pub use parameter::{Parameter, ParameterIndex, ParameterKind};
pub use playhead::{Looping, Playhead};
pub use script::{
    Condition, Interrupt, LayerMode, LayerOptions, Machine, MachineState, Reference, Script, ScriptLayer,
    Test, Transition,
};
pub use script_json::ScriptError;
pub use source::{Blend, Child, ClipUse, Crossing, Easing, Ending, PlayOptions, Source, Space, Weight};
