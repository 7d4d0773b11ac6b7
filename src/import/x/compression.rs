//! MSZIP: blocks of 32 KiB at most, each a deflate stream that may refer back to the blocks before it.
//!
//! ```text
//! u32 size of header and decompressed data    once
//! u16 decompressed size · u16 size · "CK" · deflate stream    a block; its size counts the "CK"
//! ```
use crate::import::budget::Budget;
use crate::import::{ImportError, ImportProblem};
use crate::refusal::Place;
use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
use miniz_oxide::inflate::core::{DecompressorOxide, decompress};

/// Returns the decompressed data after the header of `file`.
pub(super) fn decompressed(
    file: &[u8],
    header_bytes: usize,
    budget: &Budget,
) -> Result<Vec<u8>, ImportError> {
    let mut blocks = Blocks { file, at: header_bytes };
    let whole = u32::from_le_bytes(blocks.take()?);
    // The claimed size only ends the loop. Nothing is allocated from it, since it may be wrong.
    let expected = usize::try_from(whole).unwrap_or(usize::MAX).saturating_sub(header_bytes);
    let mut data = Vec::new();
    let mut inflater = Box::new(DecompressorOxide::new());
    while data.len() < expected {
        let block_at = blocks.at;
        let size = u16::from_le_bytes(blocks.take()?);
        let stream = blocks.stream()?;
        budget.charge(size.into(), 1, || Place::byte(block_at))?;
        let start = data.len();
        data.resize(start + usize::from(size), 0);
        inflater.init();
        let flags = TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
        let (status, _, written) = decompress(&mut inflater, stream, &mut data, start, flags);
        if status != TINFLStatus::Done || written != usize::from(size) {
            let found = format!("a block that doesn't hold the {size} bytes it claims");
            return Err(ImportProblem::CompressionInvalid.at(Place::byte(block_at), found));
        }
    }
    Ok(data)
}

struct Blocks<'a> {
    file: &'a [u8],
    at: usize,
}

impl<'a> Blocks<'a> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], ImportError> {
        let rest = self.file.get(self.at..).unwrap_or_default();
        let taken = rest.first_chunk::<N>().ok_or_else(|| self.truncated())?;
        self.at += N;
        Ok(*taken)
    }

    /// Returns the deflate stream of a block, after reading its size.
    fn stream(&mut self) -> Result<&'a [u8], ImportError> {
        let size = usize::from(u16::from_le_bytes(self.take()?));
        let block = self.file.get(self.at..self.at + size).ok_or_else(|| self.truncated())?;
        let Some(stream) = block.strip_prefix(b"CK") else {
            let (place, found) = (Place::byte(self.at), "a block without its mark “CK”".to_owned());
            return Err(ImportProblem::CompressionInvalid.at(place, found));
        };
        self.at += size;
        Ok(stream)
    }

    fn truncated(&self) -> ImportError {
        let (place, found) = (Place::byte(self.file.len()), "no complete block".to_owned());
        ImportProblem::FileTruncated.at(place, found)
    }
}
