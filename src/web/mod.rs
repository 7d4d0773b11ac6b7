//! Bindings to JavaScript: handles over [`Player`](crate::player::Player), used by `www/element` only. A second,
//! smaller set of bindings, in its own wasm file, imports the formats that the player itself doesn't read.
//!
//! - Parameters and results are flat: numbers, strings, and typed arrays that are copied. The public API is in
//!   TypeScript.
//! - Rust doesn't call the page during an update: events are queued until they are drained.
//! - Failures are thrown as error objects that TypeScript constructs from code, message and place. After a panic,
//!   TypeScript doesn't call the instance again.
//! - This is the only module that uses wasm-bindgen, js-sys and web-sys.
#![allow(unreachable_pub, reason = "wasm-bindgen exports what is `pub`, wherever it stands")]
#![deny(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used)]

#[cfg(feature = "web")]
mod company;
#[cfg(feature = "web")]
mod constraints;
#[cfg(feature = "web")]
mod environment;
mod error;
#[cfg(feature = "formats")]
mod formats;
#[cfg(feature = "web")]
mod gpu;
#[cfg(feature = "web")]
mod guides;
#[cfg(feature = "web")]
mod material;
#[cfg(feature = "web")]
mod member;
#[cfg(feature = "web")]
mod model;
#[cfg(feature = "web")]
mod motion;
mod needs;
mod panic;
#[cfg(feature = "web")]
mod pick;
#[cfg(feature = "web")]
mod player;
#[cfg(feature = "web")]
mod promise;
#[cfg(feature = "web")]
mod ragdoll;
#[cfg(feature = "web")]
mod record;
#[cfg(feature = "reference")]
mod reference;
#[cfg(feature = "web")]
mod springs;
#[cfg(feature = "web")]
mod still;
#[cfg(feature = "web")]
mod throng;
#[cfg(feature = "web")]
mod view;

/// Takes 1 KB of code. The standard library's allocator takes 7.
#[global_allocator]
static ALLOCATOR: rlsf::GlobalTlsf = rlsf::GlobalTlsf::new();
