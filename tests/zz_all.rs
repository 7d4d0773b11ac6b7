#![allow(dead_code, unused)]
#[path = "support/mod.rs"]
mod support;
#[path = "animation/ragdoll.rs"]
mod ragdoll;
#[path = "playback/ragdoll.rs"]
mod played;
#[path = "playback/storm.rs"]
mod storm;
#[path = "playback/allocations.rs"]
mod allocations;
