//! Whether the code is there that few files need. The player's pages fetch it apart, in `gambol_import.wasm`
//! (`xtask/src/build/late.rs`), and import a file again that needed it. Everywhere else it is always there.
use super::ImportError;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

static IS_THERE: AtomicBool = AtomicBool::new(cfg!(any(feature = "formats", not(target_arch = "wasm32"))));

/// Returns whether the code is there.
pub(crate) fn is_there() -> bool {
    IS_THERE.load(Relaxed)
}

/// Checks whether the code is there. Every call of a function that is fetched apart comes after this check.
///
/// # Errors
/// An error that the page never shows, if the code isn't there.
#[inline(never)]
pub(super) fn need() -> Result<(), ImportError> {
    #[cfg(not(any(feature = "formats", not(target_arch = "wasm32"))))]
    if !is_there() {
        return Err(super::ImportProblem::PartMissing.at(String::new(), String::new()));
    }
    Ok(())
}

/// Marks the code as there. The page calls this after it has fetched it.
#[cfg(all(feature = "web", target_arch = "wasm32"))]
pub(crate) fn join() {
    IS_THERE.store(true, Relaxed);
}
