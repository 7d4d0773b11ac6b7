//! Computation of poses: functions without a clock, a GPU or hidden state.
//!
//! ```text
//! clip, time ─▶ sample_into ─▶ LocalPose ─▶ resolve_into ─▶ ModelPose ─▶ palette_into ─▶ rows for the shader
//!                               ▲     │
//!                               ╰─────╯  blend_into, blend_masked_into, Inertia::apply, RootTrack::pin
//! ```
//!
//! - A [`Rig`] is a model compiled once for these steps; it is immutable and shared.
//! - Everything else is a buffer that the caller owns: no step allocates once its buffers have their size.
//! - Only IEEE-exact operations are used, so every machine gives the same bits. [`reference`](mod@reference) is a
//!   slow and direct implementation of every step, for comparison.

mod bind_pose;
mod blend;
mod channel;
mod clip_rows;
mod compile;
mod cursor;
mod dead_blending;
mod encode;
mod extremes;
mod fixed_steps;
mod hierarchy;
mod hull;
mod ik;
mod inertia;
mod interpolate;
mod mask;
mod offsets;
mod over;
mod palette;
mod pose;
mod posed_bounds;
mod ragdoll;
pub mod reference;
mod reference_skin;
mod retarget;
mod rig;
mod root_motion;
mod scalars;
mod simd;
mod skeleton;
mod springs;
mod sweep;
mod travel;
mod turn;

pub use blend::{blend_into, blend_masked_into};
pub use clip_rows::ClipRows;
pub use cursor::ClipCursor;
pub use dead_blending::DeadBlending;
pub use hierarchy::ModelPose;
pub(crate) use ik::rotation_of;
pub use ik::{
    Chain, ChainAim, ChainGoal, ChainOptions, ChainSolver, ChainTurns, Foot, Gaze, GazeJoint, JointLimit,
    LookAt, LookTurn, MOST_GOALS, Reach, Stance,
};
pub use inertia::Inertia;
pub use mask::{Mask, MaskEntry};
pub use palette::{Drawable, PaletteLayout, slot_nodes};
pub use pose::LocalPose;
pub(crate) use posed_bounds::VertexBoxes;
pub use ragdoll::{Ragdoll, RagdollBody, RagdollInput, RagdollOptions, RagdollState};
pub(crate) use reference_skin::{PosedPrimitive, turned_normal};
pub use reference_skin::{SkinnedVertices, Skinning, reference_skin, reference_skin_by};
pub use retarget::{NotHumanoid, Party, RetargetOptions, Retargeted, RolePair, retarget};
pub use rig::{Rig, Rotations};
pub use root_motion::RootTrack;
pub use skeleton::{skeleton_lines, skeleton_starts};
pub use springs::{ReferenceSprings, SpringInput, SpringSolver, SpringState};
pub use sweep::Sweep;
pub use travel::Travel;
