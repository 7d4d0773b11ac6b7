//! Helpers that the test binaries share.
#![allow(dead_code, unreachable_pub, reason = "each test binary uses a part")]

pub mod allocator;
pub mod bodies;
pub mod collada;
pub mod doll;
pub mod drops;
pub mod figure;
pub mod flesh;
pub mod gltf_file;
pub mod hostile;
pub mod iqm_writer;
pub mod made_model;
pub mod mixamo;
pub mod real_models;
pub mod skeletons;
pub mod stand_in;
pub mod tail;
pub mod x_made;
