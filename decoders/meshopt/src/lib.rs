//! Exports the decoder of meshopt streams to a page. `www/element/files/meshopt.ts` calls it.
#![cfg_attr(target_arch = "wasm32", no_std)]
#![cfg(target_arch = "wasm32")]

#[path = "../../../src/decode/meshopt/mod.rs"]
pub mod meshopt;

use core::arch::wasm32;
use core::panic::PanicInfo;
use core::slice;
use meshopt::{Filter, Mode, decode};

/// Decodes a stream. `mode` and `filter` are indices into [`Mode::ALL`] and [`Filter::ALL`]. Returns 0, or the number
/// of a problem in the order of `MeshoptProblem`, from 1.
///
/// # Safety
/// The page has written the stream, and reserved the target, in memory that belongs to nothing else, beyond
/// `__heap_base`. The two don't overlap.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn decode_stream(
    mode: usize,
    filter: usize,
    stride: usize,
    stream: *const u8,
    stream_length: usize,
    target: *mut u8,
    target_length: usize,
) -> u32 {
    let (Some(&mode), Some(&filter)) = (Mode::ALL.get(mode), Filter::ALL.get(filter)) else { return 1 };
    // SAFETY: the caller guarantees it.
    let (stream, target) = unsafe {
        (slice::from_raw_parts(stream, stream_length), slice::from_raw_parts_mut(target, target_length))
    };
    match decode(mode, filter, stride, stream, target) {
        Ok(()) => 0,
        Err(error) => error.problem() as u32 + 1,
    }
}

/// No input panics. If a bug does, the page receives a trap.
#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    wasm32::unreachable()
}
