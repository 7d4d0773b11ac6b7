//! Whether the code is there that few files need. The player's pages fetch it apart (`xtask/src/build/late.rs`), and
//! import a file again that needed it. Everywhere else it is always there.
use super::ImportError;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Code that a page fetches apart.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Part {
    /// `gambol_import.wasm`.
    Import,
    /// `gambol_tangents.wasm`.
    Tangents,
}

static ARE_THERE: [AtomicBool; 2] =
    [const { AtomicBool::new(cfg!(any(feature = "formats", not(target_arch = "wasm32")))) }; 2];

impl Part {
    /// Returns whether the code is there.
    pub(crate) fn is_there(self) -> bool {
        ARE_THERE[self as usize].load(Relaxed)
    }

    /// Checks whether the code is there. Every call of a function that is fetched apart comes after this check.
    ///
    /// # Errors
    /// An error that the page never shows, if the code isn't there. Its place is the name of the part.
    #[inline(never)]
    pub(super) fn need(self) -> Result<(), ImportError> {
        #[cfg(not(any(feature = "formats", not(target_arch = "wasm32"))))]
        if !self.is_there() {
            let name = match self {
                Self::Import => "import",
                Self::Tangents => "tangents",
            };
            return Err(super::ImportProblem::PartMissing.at(name.to_owned(), String::new()));
        }
        Ok(())
    }

    /// Marks the code as there. The page calls this after it has fetched it.
    #[cfg(all(feature = "web", target_arch = "wasm32"))]
    pub(crate) fn join(self) {
        ARE_THERE[self as usize].store(true, Relaxed);
    }
}
