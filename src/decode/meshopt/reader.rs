//! Reads a stream from its start to its tail.
use super::{MeshoptError, MeshoptProblem};

/// A stream whose first byte has been checked.
#[derive(Debug)]
pub(super) struct Reader<'a> {
    pub(super) rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// Opens a stream. Returns it with its version.
    pub(super) fn open(stream: &'a [u8], mark: u8) -> Result<(Self, u8), MeshoptError> {
        let (&header, rest) = stream.split_first().ok_or(MeshoptProblem::Truncated.found(0))?;
        let version = header & 0x0f;
        if header & 0xf0 != mark {
            return Err(MeshoptProblem::Header.found(header.into()));
        }
        if version > 1 {
            return Err(MeshoptProblem::Version.found(version.into()));
        }
        Ok((Self { rest }, version))
    }

    pub(super) fn take(&mut self, count: usize) -> Result<&'a [u8], MeshoptError> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or(truncated(self.rest.len()))?;
        self.rest = rest;
        Ok(taken)
    }

    /// Cuts off the last bytes of the stream.
    pub(super) fn take_tail(&mut self, count: usize) -> Result<&'a [u8], MeshoptError> {
        let start = self.rest.len().checked_sub(count).ok_or(truncated(self.rest.len()))?;
        let (rest, tail) = self.rest.split_at(start);
        self.rest = rest;
        Ok(tail)
    }

    pub(super) fn byte(&mut self) -> Result<u8, MeshoptError> {
        let (&byte, rest) = self.rest.split_first().ok_or(truncated(0))?;
        self.rest = rest;
        Ok(byte)
    }

    /// Reads a number in groups of 7 bits, the lowest first.
    pub(super) fn number(&mut self) -> Result<u32, MeshoptError> {
        let mut number = 0;
        for shift in [0, 7, 14, 21, 28] {
            let byte = self.byte()?;
            number |= u32::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                break;
            }
        }
        Ok(number)
    }

    pub(super) fn finish(&self) -> Result<(), MeshoptError> {
        if self.rest.is_empty() { Ok(()) } else { Err(MeshoptProblem::Trailing.found(self.rest.len())) }
    }
}

pub(super) fn truncated(left: usize) -> MeshoptError {
    MeshoptProblem::Truncated.found(left)
}
