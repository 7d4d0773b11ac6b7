//! The door to JavaScript: handles over [`Player`](crate::player::Player) that `www/element` alone opens.
//!
//! - Calls are flat and cheap: numbers, strings, typed arrays that are copied out. The facade is in TypeScript.
//! - Rust never calls the page in the middle of an update: events wait until they are drained.
//! - Failures are thrown as what the page makes of code, message and place. After a panic the TypeScript side asks nothing any more.
//! - The only room that names wasm-bindgen, js-sys and web-sys.
#![allow(unreachable_pub, reason = "wasm-bindgen exports what is `pub`, wherever it stands")]
#![deny(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used)]

mod error;
mod gpu;
mod model;
mod motion;
mod panic;
mod player;
