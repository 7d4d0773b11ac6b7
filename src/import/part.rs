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

const IS_ALWAYS_THERE: bool = cfg!(any(feature = "formats", not(target_arch = "wasm32")));
static HAS_IMPORT: AtomicBool = AtomicBool::new(IS_ALWAYS_THERE);
static HAS_TANGENTS: AtomicBool = AtomicBool::new(IS_ALWAYS_THERE);

impl Part {
    /// Returns whether the code is there.
    pub(crate) fn is_there(self) -> bool {
        self.flag().load(Relaxed)
    }

    fn flag(self) -> &'static AtomicBool {
        match self {
            Self::Import => &HAS_IMPORT,
            Self::Tangents => &HAS_TANGENTS,
        }
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
        self.flag().store(true, Relaxed);
    }
}
