//! Import of every format: values, warnings, errors, hostile input and files from other projects.
#![allow(non_snake_case, reason = "tests are named after the rows of `docs/CAPABILITIES.md`")]

mod collada_files;
mod collada_hostile;
mod collada_lenient;
mod collada_rows;
mod collada_values;
mod decoded;
mod decoded_goldens;
mod fixtures;
mod fuzz_corpus;
mod gltf_extensions;
mod gltf_hostile;
mod gltf_humanoid;
mod gltf_lenient;
mod gltf_materials;
mod gltf_springs;
mod gltf_values;
mod iqm_files;
mod iqm_fixtures;
mod iqm_hostile;
mod models;
#[path = "../support/mod.rs"]
mod support;
mod tangents;
mod welding;
mod x_encodings;
mod x_files;
mod x_hostile;
mod x_motion;
mod x_rows;
