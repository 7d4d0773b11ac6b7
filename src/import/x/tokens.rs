//! Tokens of both encodings, text and binary, as one stream.
use super::binary::Binary;
use super::source::{Encoding, Source};
use super::text::Text;
use crate::import::ImportError;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Token<'a> {
    /// An object's kind, or its name.
    Name(&'a [u8]),
    String(&'a [u8]),
    /// Any number. An `f64` represents integers of 32 bits and floats of either width exactly.
    Number(f64),
    Guid,
    Open,
    Close,
    Separator,
    /// The start of a template's definition.
    Template,
}

/// A token, and its range of bytes in the source.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Placed<'a> {
    pub(super) token: Token<'a>,
    pub(super) start: usize,
    pub(super) end: usize,
}

pub(super) enum Tokens<'a> {
    Text(Text<'a>),
    Binary(Binary<'a>),
}

impl<'a> Tokens<'a> {
    /// Creates a stream that begins at byte `at`.
    pub(super) fn new(source: &'a Source<'_>, at: usize) -> Self {
        match source.encoding {
            Encoding::Text => Self::Text(Text::new(source, at)),
            Encoding::Binary => Self::Binary(Binary::new(source, at)),
        }
    }

    /// Returns the next token; `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<Placed<'a>>, ImportError> {
        match self {
            Self::Text(text) => text.next(),
            Self::Binary(binary) => binary.next(),
        }
    }
}
