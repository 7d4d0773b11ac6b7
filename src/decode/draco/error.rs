//! Errors that make compressed geometry unusable.
use crate::refusal::refusals;

refusals! {
    /// The reason why geometry can't be decoded: the problem, what was found, the place, and advice.
    DracoError, DracoProblem
    NotDraco "NOT_DRACO"
        "the geometry is not compressed with Draco", "Compress the model again.";
    DracoVersionUnsupported "DRACO_VERSION_UNSUPPORTED"
        "the geometry has a version of Draco that glTF doesn't allow", "Compress the model with Draco 1.3 or newer.";
    DracoKindUnsupported "DRACO_KIND_UNSUPPORTED"
        "the geometry has an encoding of Draco that glTF doesn't allow", "Compress the model again.";
    DracoTruncated "DRACO_TRUNCATED"
        "the compressed geometry ends early", "Download or compress the model again.";
    DracoInvalid "DRACO_INVALID"
        "the compressed geometry is damaged", "Download or compress the model again.";
    DracoTooLarge "DRACO_TOO_LARGE"
        "the geometry needs more memory than its accessors promise", "Compress the model again.";
}

/// A problem and what was found. The place is added by [`decode`](super::decode), which has the reader.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) problem: DracoProblem,
    pub(super) found: &'static str,
}

// A reference takes a single word in results, which makes the code smaller.
pub(super) type Result<T> = std::result::Result<T, &'static Fault>;

/// Returns the fault of a value that no encoder writes.
macro_rules! invalid {
    ($found:literal) => {
        &$crate::decode::draco::error::Fault {
            problem: $crate::decode::draco::DracoProblem::DracoInvalid,
            found: $found,
        }
    };
}
pub(super) use invalid;

/// Returns the fault of an encoding that glTF doesn't allow.
macro_rules! unsupported {
    ($found:literal) => {
        &$crate::decode::draco::error::Fault {
            problem: $crate::decode::draco::DracoProblem::DracoKindUnsupported,
            found: $found,
        }
    };
}
pub(super) use unsupported;
