//! Time and intent: what plays in which layer, where it stands, and how one motion gives way to the next.
//!
//! No matrices, no GPU, no clock: time comes in through [`Controller::advance`], poses are mixed by `animation`, and
//! whoever advances drains the [`Event`]s afterwards.
//!
//! ```text
//! Repertoire ─ rig, notes on clips, parameters: what all characters share
//! Controller ┬ layer "upper"  motions, oldest below ─▶ [ Wave ▁▂▃ fading in ]                   over what lies below
//!            └ layer "base"   motions, oldest below ─▶ [ Walk ▁▂▃ fading under ] [ Run ▅▆▇ ]    over the rest pose
//!                                                        each one: leaves (a clip, a Playhead, a share) and a Fade
//! Script ─ a controller as data: who enters which state when (`machine`), as read from JSON (`script_json`)
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
pub use script_json::{ScriptError, ScriptProblem};
pub use source::{Blend, Child, ClipUse, Crossing, Easing, Ending, PlayOptions, Source, Space, Weight};
