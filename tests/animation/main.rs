//! Rigs, sampling, blending, posing, inverse kinematics, root motion and bounds, without a player.
#![allow(non_snake_case, reason = "tests are named after the rows of `docs/CAPABILITIES.md`")]

mod bind_pose;
mod blending;
mod borrowed_models;
mod borrowing;
mod bounds;
mod chain_arm;
mod chain_motion;
mod chains;
mod clip_rows;
mod crossings;
mod golden_poses;
mod hierarchy;
mod ik;
mod mixamo;
mod pointers;
mod posing;
mod properties;
mod ragdoll;
mod roles;
mod root_motion;
mod same_bits;
mod skinning;
mod springs;
mod standing;
#[path = "../support/mod.rs"]
mod support;
mod tracks;
