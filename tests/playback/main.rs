//! The player and its controller: commands, time, events, layers, state machines, crowds and values.
#![allow(non_snake_case, reason = "tests are named after the rows of `docs/CAPABILITIES.md`")]

mod added_clips;
mod allocations;
mod blends;
mod borrowed_clips;
mod by_hand;
mod choosing;
mod company;
mod constraints;
mod controller_schema;
mod controllers;
mod example_controllers;
mod file_cameras;
mod format_poses;
mod layers;
mod machines;
mod members;
mod pick;
mod pins;
mod player;
mod playthrough;
mod pointers;
mod ragdoll;
mod smooth_looks;
mod springs;
mod storm;
#[path = "../support/mod.rs"]
mod support;
mod throngs;
mod time;
mod travel;
mod values;
mod visibility;
