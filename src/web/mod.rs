//! The door to JavaScript: handles over [`Player`](crate::player::Player) that `www/element` alone opens, and beside
//! it, in a wasm file of its own, a smaller door to the formats that the player itself doesn't read.
//!
//! - Calls are flat and cheap: numbers, strings, typed arrays that are copied out. The facade is in TypeScript.
//! - Rust never calls the page in the middle of an update: events wait until they are drained.
//! - Failures are thrown as what the page makes of code, message and place. After a panic the TypeScript side asks nothing any more.
//! - The only room that names wasm-bindgen, js-sys and web-sys.
#![allow(unreachable_pub, reason = "wasm-bindgen exports what is `pub`, wherever it stands")]
#![deny(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used)]

mod error;
#[cfg(feature = "formats")]
mod formats;
#[cfg(feature = "web")]
mod gpu;
#[cfg(feature = "web")]
mod material;
#[cfg(feature = "web")]
mod member;
#[cfg(feature = "web")]
mod model;
#[cfg(feature = "web")]
mod motion;
mod panic;
#[cfg(feature = "web")]
mod player;
