//! The file's header, and the data after it, decompressed if necessary.
//!
//! ```text
//! xof 0303txt 0032       magic, version, encoding, bits of a float
//!         txt_ bin_      text, binary tokens
//!         tzip bzip      the same, compressed
//! ```
use super::compression;
use crate::import::budget::Budget;
use crate::import::{ImportError, ImportProblem};
use crate::refusal::Place;
use std::borrow::Cow;
use std::cell::OnceCell;

const HEADER_BYTES: usize = 16;

pub(super) struct Source<'a> {
    /// The whole file, or its decompressed data.
    pub(super) bytes: Cow<'a, [u8]>,
    /// Byte offset of the first token.
    pub(super) start: usize,
    pub(super) encoding: Encoding,
    /// Whether floats have 64 bits instead of 32.
    pub(super) wide_floats: bool,
    decompressed: bool,
    line_starts: OnceCell<Vec<usize>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    Text,
    Binary,
}

impl<'a> Source<'a> {
    pub(super) fn open(bytes: &'a [u8], budget: &Budget) -> Result<Self, ImportError> {
        let Some(header) = bytes.first_chunk::<HEADER_BYTES>() else {
            let (place, found) = (Place::byte(bytes.len()), "fewer bytes than a header".to_owned());
            return Err(ImportProblem::FileTruncated.at(place, found));
        };
        let unsupported = |at: usize, found: &[u8]| {
            ImportProblem::FormatVersionUnsupported
                .at(Place::byte(at), format!("“{}”", String::from_utf8_lossy(found)))
        };
        let [_, _, _, _, version @ .., f0, f1, f2, f3, b0, b1, b2, b3] = header;
        if !version.starts_with(b"03") {
            return Err(unsupported(4, version));
        }
        let encoding = [*f0, *f1, *f2, *f3].to_ascii_lowercase();
        let (encoding, decompressed) = match encoding.as_slice() {
            b"txt " => (Encoding::Text, false),
            b"bin " => (Encoding::Binary, false),
            b"tzip" => (Encoding::Text, true),
            b"bzip" => (Encoding::Binary, true),
            _ => return Err(unsupported(8, &encoding)),
        };
        let wide_floats = match &[*b0, *b1, *b2, *b3] {
            b"0032" => false,
            b"0064" => true,
            bits => return Err(unsupported(12, bits)),
        };
        let (bytes, start) = match decompressed {
            true => (compression::decompressed(bytes, HEADER_BYTES, budget)?.into(), 0),
            false => (bytes.into(), HEADER_BYTES),
        };
        Ok(Self { bytes, start, encoding, wide_floats, decompressed, line_starts: OnceCell::new() })
    }

    /// Returns the place of a byte, such as `line 12 column 3` or `byte 20 of the decompressed data`.
    pub(super) fn place(&self, offset: usize) -> String {
        let within = match self.encoding {
            Encoding::Binary => Place::byte(offset),
            Encoding::Text => {
                // Computed once, since there may be as many warnings as lines.
                let line_starts = self.line_starts.get_or_init(|| {
                    let newlines = self.bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
                    std::iter::once(0).chain(newlines.map(|(at, _)| at + 1)).collect()
                });
                let line = line_starts.partition_point(|&start| start <= offset);
                let line_start = line_starts.get(line.wrapping_sub(1)).copied().unwrap_or(0);
                format!("line {line} column {}", 1 + offset - line_start)
            }
        };
        if self.decompressed { within + " of the decompressed data" } else { within }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_tell_encoding_and_floats() {
        let open = |header: &'static str| Source::open(header.as_bytes(), &Budget::of_file(16));
        for (header, encoding, wide) in [
            ("xof 0303txt 0032", Encoding::Text, false),
            ("xof 0302txt 0064", Encoding::Text, true),
            ("xof 0303bin 0032", Encoding::Binary, false),
            ("xof 0303BIN 0064", Encoding::Binary, true),
        ] {
            let source = open(header).unwrap();
            assert_eq!((source.encoding, source.wide_floats), (encoding, wide), "{header}");
        }
        for (header, code) in [
            ("xof 0303txt 003", "FILE_TRUNCATED"),
            ("xof 0403txt 0032", "FORMAT_VERSION_UNSUPPORTED"),
            ("xof 0303com 0032", "FORMAT_VERSION_UNSUPPORTED"),
            ("xof 0303txt 0016", "FORMAT_VERSION_UNSUPPORTED"),
        ] {
            assert_eq!(open(header).err().map(|error| error.code()), Some(code), "{header}");
        }
    }

    #[test]
    fn places_are_lines_in_text_and_bytes_otherwise() {
        let text = Source::open(b"xof 0303txt 0032\nA\r\n  {", &Budget::of_file(0)).unwrap();
        assert_eq!(text.place(0), "line 1 column 1");
        assert_eq!(text.place(16), "line 1 column 17");
        assert_eq!(text.place(17), "line 2 column 1");
        assert_eq!(text.place(22), "line 3 column 3");
        let binary = Source::open(b"xof 0303bin 0032\n", &Budget::of_file(0)).unwrap();
        assert_eq!(binary.place(17), "byte 17");
    }
}
