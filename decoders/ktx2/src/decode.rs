//! The part of the room that this package needs.

#[path = "../../../src/decode/ktx2/mod.rs"]
pub mod ktx2;
