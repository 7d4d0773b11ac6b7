//! The part of the room that this package needs.

#[path = "../../../src/decode/draco/mod.rs"]
pub mod draco;
