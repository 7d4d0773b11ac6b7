//! Time and intent: which clips play, where in them, and how they fade into each other.
//!
//! No matrices, no GPU, no clock: time comes in through [`Controller::advance`], poses are mixed by
//! `animation`, and whoever advances drains the [`Event`]s afterwards.
//!
//! ```text
//! Controller ── motions, oldest below ──▶ [ Walk ▁▂▃ fading under ] [ Run ▅▆▇ current ]
//!                                            each one: Playhead + Fade
//! ```

mod advance;
mod controller;
mod event;
mod fade;
mod layer;
mod machine;
mod motion;
mod notes;
mod parameter;
mod phase;
mod playhead;
mod repertoire;
mod script;
mod script_json;
mod source;

pub use controller::{Controller, State};
pub use event::{Event, FinishReason, Happening, LayerIndex, Run};
pub use layer::PoseScratch;
pub use notes::{ClipNotes, Marker, RootMotion, SyncGroup};
pub use parameter::{Parameter, ParameterIndex, ParameterKind};
pub use playhead::{Advanced, Looping, Playhead, Stretch};
pub use repertoire::Repertoire;
pub use script::{
    Condition, Interrupt, LayerMode, LayerOptions, Machine, MachineState, Reference, Script, ScriptLayer,
    Test, Transition,
};
pub use script_json::ScriptError;
pub use source::{Blend, Child, ClipUse, Crossing, Easing, Ending, PlayOptions, Source, Space, Weight};
