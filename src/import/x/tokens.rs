//! What text and binary have in common: one stream of tokens.
use super::binary::Binary;
use super::source::{Encoding, Source};
use super::text::Text;
use crate::import::ImportError;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Token<'a> {
    /// The kind of an object, or its name.
    Name(&'a [u8]),
    String(&'a [u8]),
    /// Holds integers of 32 bits and floats of the file's width without a loss.
    Number(f64),
    Guid,
    Open,
    Close,
    Separator,
    /// Begins the definition of a template.
    Template,
}

/// A token, and the bytes of the source that it takes.
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
    /// Those from the byte `at` on.
    pub(super) fn new(source: &'a Source<'_>, at: usize) -> Self {
        match source.encoding {
            Encoding::Text => Self::Text(Text::new(source, at)),
            Encoding::Binary => Self::Binary(Binary::new(source, at)),
        }
    }

    /// `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<Placed<'a>>, ImportError> {
        match self {
            Self::Text(text) => text.next(),
            Self::Binary(binary) => binary.next(),
        }
    }
}
