//! The header, and checked access to what it points at.
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

/// Things of one size after another. The header says how many and where.
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

    /// A number of the header.
    pub(super) fn number(&self, at: usize) -> usize {
        index(word(self.bytes, at))
    }

    pub(super) fn count(&self, section: Section) -> usize {
        self.number(section.count_at)
    }

    /// Where its things begin.
    pub(super) fn offset(&self, section: Section) -> usize {
        self.number(section.offset_at)
    }

    /// `length` bytes from `offset` on, of which the file speaks at `said_at`.
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

    /// All bytes of a section whose things are `bytes_each` long.
    pub(super) fn section(&self, section: Section, bytes_each: usize) -> Result<&'a [u8], ImportError> {
        let length = self.count(section).saturating_mul(bytes_each);
        if length == 0 {
            return Ok(&[]);
        }
        self.slice(self.offset(section), length, section.count_at)
    }

    /// Things of `word_count` words of four bytes.
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

    /// One thing, wherever it stands.
    pub(super) fn record(
        &self,
        at: usize,
        word_count: usize,
        said_at: usize,
    ) -> Result<Record<'a>, ImportError> {
        Ok(Record { at, bytes: self.slice(at, word_count * 4, said_at)? })
    }

    /// The name that a record's word points at.
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
        // Many names may be one, and a byte that is no text becomes three.
        self.budget.charge(text.len() as u64, 3, || record.place(word))?;
        Ok(String::from_utf8_lossy(text).into_owned())
    }
}

/// Words of four bytes that belong together.
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

    /// Of an `int` that is negative where there is none.
    pub(super) fn optional_index(&self, number: usize) -> Option<usize> {
        usize::try_from(self.word(number).cast_signed()).ok()
    }

    /// # Errors
    /// For infinity, and for what is no number.
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

    /// Of one of its words.
    pub(super) fn place(&self, number: usize) -> String {
        Place::byte(self.at + number * 4)
    }
}

/// 0 past the end: who asks has made sure that it is there.
fn word(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..).and_then(|tail| tail.first_chunk()).map_or(0, |word| u32::from_le_bytes(*word))
}

fn index(word: u32) -> usize {
    usize::try_from(word).unwrap_or(usize::MAX)
}
