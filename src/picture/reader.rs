//! Reader of consecutive little-endian numbers and bytes.
use super::{PictureError, PictureProblem};
use crate::refusal::Place;

pub(super) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, at }
    }

    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Returns how many bytes are left.
    pub(super) fn left(&self) -> usize {
        self.bytes.len().saturating_sub(self.at)
    }

    /// Takes the next `count` bytes.
    ///
    /// # Errors
    /// If fewer are left.
    pub(super) fn take(&mut self, count: usize) -> Result<&'a [u8], PictureError> {
        let end = self.at.saturating_add(count);
        let Some(taken) = self.bytes.get(self.at..end) else {
            return Err(PictureProblem::PictureTruncated
                .at(Place::byte(self.bytes.len()), format!("{} bytes of at least {end}", self.bytes.len())));
        };
        self.at = end;
        Ok(taken)
    }

    pub(super) fn array<const N: usize>(&mut self) -> Result<[u8; N], PictureError> {
        let taken = self.take(N)?;
        Ok(*taken.first_chunk().unwrap_or(&[0; N]))
    }

    pub(super) fn u8(&mut self) -> Result<u8, PictureError> {
        Ok(u8::from_le_bytes(self.array()?))
    }

    pub(super) fn u16(&mut self) -> Result<u16, PictureError> {
        Ok(u16::from_le_bytes(self.array()?))
    }

    pub(super) fn u32(&mut self) -> Result<u32, PictureError> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    /// Reads a number of one to four bytes.
    pub(super) fn number(&mut self, byte_count: usize) -> Result<u32, PictureError> {
        Ok(self.take(byte_count)?.iter().rev().fold(0, |number, &byte| number << 8 | u32::from(byte)))
    }
}
