//! Errors that make a stream unusable.
use core::fmt;

/// What [`MeshoptError`] is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MeshoptProblem {
    /// The size of an element, or their number, doesn't fit the mode.
    Elements,
    /// The filter doesn't fit the mode or the size of the elements.
    Filter,
    /// The first byte belongs to another mode.
    Header,
    /// The version of the stream is newer than the decoder.
    Version,
    /// The stream ends early.
    Truncated,
    /// Bytes follow the last element.
    Trailing,
    /// A channel is coded in a way that doesn't exist.
    Channel,
}

impl MeshoptProblem {
    /// Creates an error with the number that was found.
    #[cold]
    pub(super) fn found(self, found: usize) -> MeshoptError {
        MeshoptError { problem: self, found }
    }
}

/// The reason why a stream can't be decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MeshoptError {
    problem: MeshoptProblem,
    found: usize,
}

impl MeshoptError {
    /// The kind of problem.
    pub fn problem(&self) -> MeshoptProblem {
        self.problem
    }

    /// What is wrong, as the end of a sentence about the stream.
    pub fn text(&self) -> &'static str {
        match self.problem {
            MeshoptProblem::Elements => "its mode allows no elements of this size or number",
            MeshoptProblem::Filter => "its filter doesn't fit its elements",
            MeshoptProblem::Header => "its first byte belongs to another mode",
            MeshoptProblem::Version => "its version is unknown",
            MeshoptProblem::Truncated => "it ends early",
            MeshoptProblem::Trailing => "it has more bytes than its elements",
            MeshoptProblem::Channel => "the coding of a channel is unknown",
        }
    }

    /// The number that was found: a size or number of elements, or a byte.
    pub fn found(&self) -> usize {
        self.found
    }
}

impl fmt::Display for MeshoptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.text(), self.found)
    }
}

impl core::error::Error for MeshoptError {}
