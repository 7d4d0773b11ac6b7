//! Tokens of the binary encoding: 16 bits each, most followed by data. A list becomes one token per number.
use super::source::Source;
use super::tokens::{Placed, Token};
use crate::import::{ImportError, ImportProblem};

const NAME: u16 = 1;
const STRING: u16 = 2;
const INTEGER: u16 = 3;
const GUID: u16 = 5;
const INTEGER_LIST: u16 = 6;
const FLOAT_LIST: u16 = 7;
const OPEN: u16 = 10;
const CLOSE: u16 = 11;
const TEMPLATE: u16 = 31;

pub(super) struct Binary<'a> {
    source: &'a Source<'a>,
    at: usize,
    list: List,
    /// Numbers left in the current list.
    left: usize,
}

#[derive(Clone, Copy)]
enum List {
    Integers,
    Singles,
    Doubles,
}

impl<'a> Binary<'a> {
    pub(super) fn new(source: &'a Source<'_>, at: usize) -> Self {
        Self { source, at, list: List::Integers, left: 0 }
    }

    pub(super) fn next(&mut self) -> Result<Option<Placed<'a>>, ImportError> {
        loop {
            let start = self.at;
            if self.left == 0 {
                if start >= self.source.bytes.len() {
                    return Ok(None);
                }
                if let Some(token) = self.token()? {
                    return Ok(Some(Placed { token, start, end: self.at }));
                }
            } else {
                self.left -= 1;
                let number = match self.list {
                    List::Integers => u32::from_le_bytes(self.take()?).into(),
                    List::Singles => f32::from_le_bytes(self.take()?).into(),
                    List::Doubles => f64::from_le_bytes(self.take()?),
                };
                return Ok(Some(Placed { token: Token::Number(number), start, end: self.at }));
            }
        }
    }

    /// Reads a token. Returns `None` for the head of a list, whose numbers are then read one by one.
    fn token(&mut self) -> Result<Option<Token<'a>>, ImportError> {
        let start = self.at;
        Ok(Some(match u16::from_le_bytes(self.take()?) {
            NAME => Token::Name(self.counted()?),
            STRING => {
                let string = self.counted()?;
                self.skip_wide_terminator();
                Token::String(string)
            }
            INTEGER => Token::Number(u32::from_le_bytes(self.take()?).into()),
            GUID => {
                self.take::<16>()?;
                Token::Guid
            }
            INTEGER_LIST => return self.list(List::Integers, 4),
            FLOAT_LIST if self.source.wide_floats => return self.list(List::Doubles, 8),
            FLOAT_LIST => return self.list(List::Singles, 4),
            OPEN => Token::Open,
            CLOSE => Token::Close,
            TEMPLATE => Token::Template,
            // Brackets, dot, comma and semicolon; the types of template members: word, dword, float … array.
            12..=20 | 40..=52 => Token::Separator,
            unknown => {
                let (place, found) = (self.source.place(start), format!("token {unknown}"));
                return Err(ImportProblem::SyntaxInvalid.at(place, found));
            }
        }))
    }

    /// Skips the 32-bit separator that the documentation puts after a string. Exporters write an ordinary 16-bit one.
    fn skip_wide_terminator(&mut self) {
        let rest = self.source.bytes.get(self.at..).unwrap_or_default();
        if let [19 | 20, 0, 0, 0, ..] = rest {
            self.at += 4;
        }
    }

    fn list(&mut self, list: List, bytes_each: usize) -> Result<Option<Token<'a>>, ImportError> {
        let count_at = self.at;
        let count = self.count()?;
        let there = self.source.bytes.len() - self.at;
        if count > there / bytes_each {
            let found = format!("{count} numbers in {there} bytes");
            return Err(ImportProblem::FileTruncated.at(self.source.place(count_at), found));
        }
        (self.list, self.left) = (list, count);
        Ok(None)
    }

    fn count(&mut self) -> Result<usize, ImportError> {
        Ok(usize::try_from(u32::from_le_bytes(self.take()?)).unwrap_or(usize::MAX))
    }

    fn counted(&mut self) -> Result<&'a [u8], ImportError> {
        let count_at = self.at;
        let count = self.count()?;
        let rest = self.source.bytes.get(self.at..).unwrap_or_default();
        let Some(bytes) = rest.get(..count) else {
            let found = format!("a text of {count} bytes in {}", rest.len());
            return Err(ImportProblem::FileTruncated.at(self.source.place(count_at), found));
        };
        self.at += count;
        Ok(bytes)
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], ImportError> {
        let rest = self.source.bytes.get(self.at..).unwrap_or_default();
        let Some(taken) = rest.first_chunk::<N>() else {
            let (place, found) = (self.source.place(self.at), "an incomplete token".to_owned());
            return Err(ImportProblem::FileTruncated.at(place, found));
        };
        self.at += N;
        Ok(*taken)
    }
}
