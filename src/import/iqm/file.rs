//! The header, and checked access to the data that it points to.
//!
//! ```text
//! 0                  16       20        24     28 … 123: counts and offsets
//! "INTERQUAKEMODEL"  version  filesize  flags  text, meshes, vertex arrays, triangles, joints, poses, anims, …
//! ```
use crate::import::budget::Budget;
use crate::import::{ImportError, ImportProblem};
use crate::refusal::Place;

const HEADER_LEN: usize = 124;
const VERSION_AT: usize = 16;
const FILE_SIZE_AT: usize = 20;

pub(super) struct File<'a> {
    bytes: &'a [u8],
    pub(super) version: u32,
    pub(super) budget: Budget,
}

/// A list of items of one size. The fields are the header's byte offsets of the list's count and offset.
#[derive(Clone, Copy)]
pub(super) struct Section {
    pub(super) count_at: usize,
    pub(super) offset_at: usize,
}

pub(super) const TEXT: Section = Section { count_at: 28, offset_at: 32 };
pub(super) const MESHES: Section = Section { count_at: 36, offset_at: 40 };
pub(super) const VERTEX_ARRAYS: Section = Section { count_at: 44, offset_at: 52 };
pub(super) const TRIANGLES: Section = Section { count_at: 56, offset_at: 60 };
pub(super) const JOINTS: Section = Section { count_at: 68, offset_at: 72 };
pub(super) const POSES: Section = Section { count_at: 76, offset_at: 80 };
pub(super) const ANIMS: Section = Section { count_at: 84, offset_at: 88 };
pub(super) const FRAMES: Section = Section { count_at: 92, offset_at: 100 };
pub(super) const EXTENSIONS: Section = Section { count_at: 116, offset_at: 120 };

pub(super) const VERTEX_COUNT_AT: usize = 48;
pub(super) const FRAME_CHANNEL_COUNT_AT: usize = 96;

impl<'a> File<'a> {
    pub(super) fn open(bytes: &'a [u8]) -> Result<Self, ImportError> {
        let file = Self { bytes, version: word(bytes, VERSION_AT), budget: Budget::of_file(bytes.len()) };
        let wanted = file.number(FILE_SIZE_AT).max(HEADER_LEN);
        if bytes.len() < wanted {
            return Err(ImportProblem::FileTruncated
                .at(Place::byte(bytes.len()), format!("{} bytes of {wanted}", bytes.len())));
        }
        if !(1..=2).contains(&file.version) {
            return Err(ImportProblem::FormatVersionUnsupported
                .at(Place::byte(VERSION_AT), format!("version {}", file.version)));
        }
        Ok(file)
    }

    /// Returns the header's number at byte `at`.
    pub(super) fn number(&self, at: usize) -> usize {
        index(word(self.bytes, at))
    }

    pub(super) fn count(&self, section: Section) -> usize {
        self.number(section.count_at)
    }

    /// Returns the byte offset of a section in the file.
    pub(super) fn offset(&self, section: Section) -> usize {
        self.number(section.offset_at)
    }

    /// Returns `length` bytes from `offset` on. Errors name `said_at`, the byte where the file declares the range.
    pub(super) fn slice(
        &self,
        offset: usize,
        length: usize,
        said_at: usize,
    ) -> Result<&'a [u8], ImportError> {
        let slice = self.bytes.get(offset..offset.saturating_add(length));
        slice.ok_or_else(|| {
            ImportProblem::CountWrong.at(
                Place::byte(said_at),
                format!("{length} bytes from byte {offset} on in a file of {}", self.bytes.len()),
            )
        })
    }

    /// Returns all bytes of a section whose items are `bytes_each` bytes long.
    pub(super) fn section(&self, section: Section, bytes_each: usize) -> Result<&'a [u8], ImportError> {
        let length = self.count(section).saturating_mul(bytes_each);
        if length == 0 {
            return Ok(&[]);
        }
        self.slice(self.offset(section), length, section.count_at)
    }

    /// Returns the items of a section as records of `word_count` words of four bytes.
    pub(super) fn records(
        &self,
        section: Section,
        word_count: usize,
    ) -> Result<impl ExactSizeIterator<Item = Record<'a>> + Clone, ImportError> {
        let bytes = self.section(section, word_count * 4)?;
        let offset = self.offset(section);
        let records = bytes.chunks_exact(word_count * 4).enumerate();
        Ok(records.map(move |(index, bytes)| Record { at: offset + index * word_count * 4, bytes }))
    }

    /// Returns the record at byte `at`, which may be anywhere in the file.
    pub(super) fn record(
        &self,
        at: usize,
        word_count: usize,
        said_at: usize,
    ) -> Result<Record<'a>, ImportError> {
        Ok(Record { at, bytes: self.slice(at, word_count * 4, said_at)? })
    }

    /// Returns the string whose offset in the text section is the given word of a record.
    pub(super) fn text(&self, record: &Record<'_>, word: usize) -> Result<String, ImportError> {
        let offset = index(record.word(word));
        if offset == 0 {
            return Ok(String::new());
        }
        let from = self.offset(TEXT).saturating_add(offset);
        let Some(tail) = self.bytes.get(from..).filter(|_| offset < self.count(TEXT)) else {
            return Err(ImportProblem::IndexOutOfRange
                .at(record.place(word), format!("byte {offset} of {} bytes of text", self.count(TEXT))));
        };
        let text = tail.split(|&byte| byte == 0).next().unwrap_or_default();
        // Names may share bytes of the file, and an invalid byte becomes U+FFFD, three bytes in UTF-8.
        self.budget.charge(text.len() as u64, 3, || record.place(word))?;
        Ok(String::from_utf8_lossy(text).into_owned())
    }
}

/// A sequence of words of four bytes, such as a mesh, a joint or a pose.
#[derive(Clone, Copy)]
pub(super) struct Record<'a> {
    pub(super) at: usize,
    bytes: &'a [u8],
}

impl Record<'_> {
    pub(super) fn word(&self, number: usize) -> u32 {
        word(self.bytes, number * 4)
    }

    pub(super) fn index(&self, number: usize) -> usize {
        index(self.word(number))
    }

    /// Returns an index that the file stores as an `int`; `None` if it is negative.
    pub(super) fn optional_index(&self, number: usize) -> Option<usize> {
        usize::try_from(self.word(number).cast_signed()).ok()
    }

    /// Returns a word as a float.
    ///
    /// # Errors
    /// If it is infinite or NaN.
    pub(super) fn float(&self, number: usize) -> Result<f32, ImportError> {
        let float = f32::from_bits(self.word(number));
        match float.is_finite() {
            true => Ok(float),
            false => Err(ImportProblem::ValueNotFinite.at(self.place(number), float.to_string())),
        }
    }

    pub(super) fn floats<const N: usize>(&self, first: usize) -> Result<[f32; N], ImportError> {
        let mut floats = [0.0; N];
        for (number, float) in (first..).zip(&mut floats) {
            *float = self.float(number)?;
        }
        Ok(floats)
    }

    /// Returns the place of one of the record's words.
    pub(super) fn place(&self, number: usize) -> String {
        Place::byte(self.at + number * 4)
    }
}

/// Returns the word at byte `at`, or 0 past the end of `bytes`. Callers check the length.
fn word(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..).and_then(|tail| tail.first_chunk()).map_or(0, |word| u32::from_le_bytes(*word))
}

fn index(word: u32) -> usize {
    usize::try_from(word).unwrap_or(usize::MAX)
}
