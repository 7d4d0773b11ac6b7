//! Tokens of the text encoding.
//!
//! Exporters place `;` and `,` differently. That doesn't matter, since the objects' counts define where a list ends.
//! A separator only ends a word.
use super::source::Source;
use super::tokens::{Placed, Token};
use crate::import::{ImportError, ImportProblem};

pub(super) struct Text<'a> {
    source: &'a Source<'a>,
    at: usize,
}

impl<'a> Text<'a> {
    pub(super) fn new(source: &'a Source<'_>, at: usize) -> Self {
        Self { source, at }
    }

    pub(super) fn next(&mut self) -> Result<Option<Placed<'a>>, ImportError> {
        self.skip_space_and_comments();
        let start = self.at;
        let Some(byte) = self.peek(0) else { return Ok(None) };
        self.at += 1;
        let token = match byte {
            b'{' => Token::Open,
            b'}' => Token::Close,
            b';' | b',' => Token::Separator,
            b'"' => Token::String(self.read_until(b'"', start)?),
            b'<' => {
                self.read_until(b'>', start)?;
                Token::Guid
            }
            _ => {
                while self.peek(0).is_some_and(|byte| !ends_word(byte)) && !self.is_comment() {
                    self.at += 1;
                }
                let word = self.source.bytes.get(start..self.at).unwrap_or_default();
                match number(word, self.source.wide_floats) {
                    Some(number) => Token::Number(number),
                    None if word.eq_ignore_ascii_case(b"template") => Token::Template,
                    None => Token::Name(word),
                }
            }
        };
        Ok(Some(Placed { token, start, end: self.at }))
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.source.bytes.get(self.at + ahead).copied()
    }

    fn is_comment(&self) -> bool {
        self.peek(0) == Some(b'/') && self.peek(1) == Some(b'/')
    }

    fn skip_space_and_comments(&mut self) {
        while let Some(byte) = self.peek(0) {
            if byte == b'#' || self.is_comment() {
                while self.peek(0).is_some_and(|byte| byte != b'\n' && byte != b'\r') {
                    self.at += 1;
                }
            } else if is_space(byte) {
                self.at += 1;
            } else {
                break;
            }
        }
    }

    /// Returns the text up to the closing mark, and moves past the mark. There are no escapes.
    fn read_until(&mut self, mark: u8, start: usize) -> Result<&'a [u8], ImportError> {
        let rest = self.source.bytes.get(self.at..).unwrap_or_default();
        let Some(length) = rest.iter().position(|byte| *byte == mark) else {
            let found = format!("no closing {}", char::from(mark));
            return Err(ImportProblem::FileTruncated.at(self.source.place(start), found));
        };
        self.at += length + 1;
        Ok(rest.get(..length).unwrap_or_default())
    }
}

/// Returns whether a byte is a space or a control character. Some files end in zeros or in DOS's end-of-file mark.
fn is_space(byte: u8) -> bool {
    byte <= b' '
}

fn ends_word(byte: u8) -> bool {
    is_space(byte) || matches!(byte, b'{' | b'}' | b';' | b',' | b'"' | b'<')
}

/// Parses a number; `None` if the word isn't one. Floats are rounded as the binary encoding stores them, so that both
/// encodings give the same model.
fn number(word: &[u8], wide_floats: bool) -> Option<f64> {
    let text = std::str::from_utf8(word).ok()?;
    let unsigned = text.trim_start_matches(['+', '-']);
    // Integers of up to 15 digits are exact in an `f64`; longer ones could be rounded twice.
    let is_integer = unsigned.len() <= 15 && unsigned.bytes().all(|byte| byte.is_ascii_digit());
    let number = match wide_floats || is_integer {
        true => text.parse::<f64>().ok(),
        false => text.parse::<f32>().ok().map(f64::from),
    };
    // C libraries print NaN as `1.#QNAN0`, `-1.#IND00` or `nan(ind)`.
    number.or_else(|| (unsigned.starts_with("1.#") || unsigned.starts_with("nan(")).then_some(f64::NAN))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::budget::Budget;

    fn words(text: &str) -> Vec<String> {
        let file = ["xof 0303txt 0032", text].concat();
        let source = Source::open(file.as_bytes(), &Budget::of_file(0)).unwrap();
        let mut text = Text::new(&source, source.start);
        let mut words = Vec::new();
        while let Some(Placed { token, .. }) = text.next().unwrap() {
            words.push(match token {
                Token::Name(name) => format!("name {}", name.escape_ascii()),
                Token::String(string) => format!("string {}", string.escape_ascii()),
                Token::Number(number) => number.to_string(),
                other => format!("{other:?}"),
            });
        }
        words
    }

    #[test]
    fn words_end_at_separators_braces_strings_guids_and_comments() {
        assert_eq!(
            words("Frame Bip01{1;-2.5,;\"a{b\"}"),
            [
                "name Frame",
                "name Bip01",
                "Open",
                "1",
                "Separator",
                "-2.5",
                "Separator",
                "Separator",
                "string a{b",
                "Close"
            ]
        );
        assert_eq!(words("A#1<3D82-11cf>2//;{\n# {\r3"), ["name A#1", "Guid", "2", "3"]);
        assert_eq!(words("template T\0\x1A"), ["Template", "name T"]);
    }

    #[test]
    fn numbers_are_read_as_programs_write_them() {
        let found = words("007 4294967295 .5 5. +1e-2 -0 1.#QNAN0 -1.#IND00 nan -inf 01_arm 1.2.3");
        let expected = [
            "7",
            "4294967295",
            "0.5",
            "5",
            &f64::from(0.01_f32).to_string(),
            "-0",
            "NaN",
            "NaN",
            "NaN",
            "-inf",
            "name 01_arm",
            "name 1.2.3",
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn decimals_are_rounded_once() {
        // Halfway between two `f32`, and a little more: by way of an `f64` it would be rounded down to even.
        let word = b"1.00000005960464477540";
        assert_eq!(number(word, false), Some(f64::from(1.000_000_1_f32)));
        assert_eq!(number(word, true), Some(1.000_000_059_604_644_8));
    }
}
