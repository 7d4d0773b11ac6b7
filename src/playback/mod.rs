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
mod playhead;

pub use controller::{Controller, PlayOptions, State};
pub use event::{Event, FinishReason, Run};
pub use playhead::{Looping, Playhead};
