//! The binary container: a header and chunks. glTF 2.0 defines two kinds of chunk.
//!
//! ```text
//! 0      4        8       12            16      20
//! "glTF" version  length  chunk length  "JSON"  {…}  chunk length  "BIN\0"  bytes …
//! ```
use crate::import::report::WarningKind;
use crate::import::{Format, ImportError, ImportProblem, ImportReport};
use crate::refusal::Place;

pub(super) struct Container<'a> {
    pub(super) json: &'a [u8],
    pub(super) binary: Option<&'a [u8]>,
}

const HEADER_LEN: usize = 12;
const CHUNK_HEADER_LEN: usize = 8;
const JSON_CHUNK: u32 = u32::from_le_bytes(*b"JSON");
const BINARY_CHUNK: u32 = u32::from_le_bytes(*b"BIN\0");
/// Order of these two kinds, each at most once.
const ORDER: [u32; 2] = [JSON_CHUNK, BINARY_CHUNK];

pub(super) fn open<'a>(
    bytes: &'a [u8],
    format: Format,
    report: &mut ImportReport,
) -> Result<Container<'a>, ImportError> {
    match format {
        Format::Glb => chunks(bytes, report),
        _ => Ok(Container { json: bytes, binary: None }),
    }
}

fn chunks<'a>(bytes: &'a [u8], report: &mut ImportReport) -> Result<Container<'a>, ImportError> {
    let version = word(bytes, 4)?;
    if version != 2 {
        let found = ["version ", &version.to_string()].concat();
        return Err(ImportProblem::GlbVersionUnsupported.at(Place::byte(4), found));
    }
    let declared = usize::try_from(word(bytes, 8)?).unwrap_or(usize::MAX);
    if bytes.len() > declared {
        report.warn_at_byte(WarningKind::GlbTrailingBytes, declared);
    }
    let Some(bytes) = bytes.get(..declared.max(HEADER_LEN)) else {
        return Err(truncated(bytes.len(), declared));
    };

    let mut json = None;
    let mut binary = None;
    let (mut offset, mut nth) = (HEADER_LEN, 0);
    while offset < bytes.len() {
        let length = usize::try_from(word(bytes, offset)?).unwrap_or(usize::MAX);
        let kind = word(bytes, offset + 4)?;
        let start = offset + CHUNK_HEADER_LEN;
        let end = start.saturating_add(length);
        let Some(chunk) = bytes.get(start..end) else {
            return Err(truncated(bytes.len(), end));
        };
        if length % 4 != 0 {
            report.warn_at_byte(WarningKind::GlbChunkUnaligned, offset);
        }
        match kind {
            JSON_CHUNK if json.is_none() => json = Some(chunk),
            _ if json.is_none() => break,
            BINARY_CHUNK if binary.is_none() => binary = Some(chunk),
            // The specification requires clients to ignore chunks of unknown types.
            _ => {}
        }
        if ORDER.contains(&kind) && ORDER.get(nth) != Some(&kind) {
            report.warn_at_byte(WarningKind::GlbChunkMisplaced, offset);
        }
        (offset, nth) = (end, nth + 1);
    }
    match json {
        Some(json) => Ok(Container { json, binary }),
        None => {
            Err(ImportProblem::GlbJsonMissing.at(Place::byte(HEADER_LEN), "another chunk, or none".into()))
        }
    }
}

fn word(bytes: &[u8], offset: usize) -> Result<u32, ImportError> {
    let word = bytes.get(offset..).and_then(|tail| tail.first_chunk());
    word.map(|word| u32::from_le_bytes(*word)).ok_or_else(|| truncated(bytes.len(), offset + 4))
}

fn truncated(there: usize, wanted: usize) -> ImportError {
    ImportProblem::GlbTruncated.at(Place::byte(there), format!("{there} bytes of at least {wanted}"))
}
