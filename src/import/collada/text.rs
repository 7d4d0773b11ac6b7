//! Decodes the encodings of Collada files.
use crate::import::{ImportError, ImportProblem};
use std::borrow::Cow;

/// Decodes a file.
///
/// # Errors
/// If the bytes are invalid in the encoding of the byte-order mark or the XML declaration, or if the declared
/// encoding is unsupported and the bytes aren't UTF-8 either.
pub(super) fn decode(bytes: &[u8]) -> Result<Cow<'_, str>, ImportError> {
    match bytes {
        [0xEF, 0xBB, 0xBF, rest @ ..] => utf_8(rest),
        [0xFF, 0xFE, rest @ ..] => utf_16(rest, u16::from_le_bytes),
        [0xFE, 0xFF, rest @ ..] => utf_16(rest, u16::from_be_bytes),
        [b'<', 0, ..] => utf_16(bytes, u16::from_le_bytes),
        [0, b'<', ..] => utf_16(bytes, u16::from_be_bytes),
        _ => declared(bytes),
    }
}

fn declared(bytes: &[u8]) -> Result<Cow<'_, str>, ImportError> {
    let name = declared_encoding(bytes).unwrap_or_default().to_ascii_lowercase();
    match name.as_str() {
        "" | "utf-8" | "utf8" | "us-ascii" | "ascii" => utf_8(bytes),
        "iso-8859-1" | "latin1" | "latin-1" | "windows-1252" | "cp1252" => {
            Ok(Cow::Owned(bytes.iter().copied().map(windows_1252).collect()))
        }
        // Some exporters declare their machine's encoding but write UTF-8.
        _ => std::str::from_utf8(bytes)
            .map(Cow::Borrowed)
            .map_err(|_| ImportProblem::EncodingUnsupported.at("line 1 column 1".into(), name)),
    }
}

/// Returns the encoding in the XML declaration, if there is one.
fn declared_encoding(bytes: &[u8]) -> Option<&str> {
    let declaration = bytes.trim_ascii_start().strip_prefix(b"<?xml")?;
    let length = declaration.iter().position(|&byte| byte == b'>')?;
    let declaration = std::str::from_utf8(declaration.get(..length)?).ok()?;
    let (_, after) = declaration.split_once("encoding")?;
    let quoted = after.trim_start().strip_prefix('=')?.trim_start();
    let quote = quoted.chars().next().filter(|mark| ['"', '\''].contains(mark))?;
    quoted.split(quote).nth(1)
}

fn utf_8(bytes: &[u8]) -> Result<Cow<'_, str>, ImportError> {
    std::str::from_utf8(bytes).map(Cow::Borrowed).map_err(|error| {
        let valid = bytes.get(..error.valid_up_to()).unwrap_or_default();
        broken(&String::from_utf8_lossy(valid), "bytes that aren't UTF-8")
    })
}

fn utf_16(bytes: &[u8], unit: impl Fn([u8; 2]) -> u16) -> Result<Cow<'_, str>, ImportError> {
    let units =
        bytes.chunks_exact(2).map(|pair| unit([pair.first(), pair.last()].map(|byte| *byte.unwrap_or(&0))));
    let mut text = String::with_capacity(bytes.len() / 2);
    for character in char::decode_utf16(units) {
        match character {
            Ok(character) => text.push(character),
            Err(_) => return Err(broken(&text, "bytes that aren't UTF-16")),
        }
    }
    match bytes.len().is_multiple_of(2) {
        true => Ok(Cow::Owned(text)),
        false => Err(broken(&text, "an incomplete character of UTF-16")),
    }
}

fn broken(text_before: &str, found: &str) -> ImportError {
    let last_line = text_before.rsplit('\n').next().unwrap_or_default();
    let line = 1 + text_before.matches('\n').count();
    let place = format!("line {line} column {}", 1 + last_line.chars().count());
    ImportProblem::SyntaxInvalid.at(place, found.into())
}

/// Decodes a byte of Windows-1252. Files that declare Latin-1 are written in it, too.
fn windows_1252(byte: u8) -> char {
    const FROM_0X80: &str = "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8d}Ž\u{8f}\u{90}‘’“”•–—˜™š›œ\u{9d}žŸ";
    match byte.checked_sub(0x80) {
        Some(high) => FROM_0X80.chars().nth(high.into()).unwrap_or(char::from(byte)),
        None => char::from(byte),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_encoding_gives_the_same_text() {
        let text = "<?xml version='1.0'?>\n<COLLADA name=\"Fähnrich €\"/>";
        let marked = |mark: &[u8]| [mark, text.as_bytes()].concat();
        let wide = |mark: &[u8], bytes: fn(u16) -> [u8; 2]| {
            let units: Vec<u8> = text.encode_utf16().flat_map(bytes).collect();
            [mark, &units].concat()
        };
        for bytes in [
            text.as_bytes().to_vec(),
            marked(b"\xEF\xBB\xBF"),
            wide(b"\xFF\xFE", u16::to_le_bytes),
            wide(b"\xFE\xFF", u16::to_be_bytes),
            wide(b"", u16::to_le_bytes),
            wide(b"", u16::to_be_bytes),
        ] {
            assert_eq!(decode(&bytes).unwrap(), text);
        }
        let latin_1 = b"<?xml version='1.0' encoding = 'ISO-8859-1'?>\xE4\x80";
        assert!(decode(latin_1).unwrap().ends_with("ä€"));
        let mislabelled = "<?xml version='1.0' encoding='Shift_JIS'?>ä".as_bytes();
        assert!(decode(mislabelled).unwrap().ends_with('ä'));
    }

    #[test]
    fn bytes_that_are_something_else_are_refused_with_their_place() {
        let place_of = |bytes: &[u8]| {
            let error = decode(bytes).unwrap_err();
            (error.code(), error.place().to_owned())
        };
        assert_eq!(place_of(b"<a>\nb\xFF"), ("SYNTAX_INVALID", "line 2 column 2".into()));
        assert_eq!(place_of(b"\xFF\xFE<\0a"), ("SYNTAX_INVALID", "line 1 column 2".into()));
        assert_eq!(place_of(b"\xFE\xFF\0<\xD8\0\0<"), ("SYNTAX_INVALID", "line 1 column 2".into()));
        let other = b"<?xml version='1.0' encoding='Shift_JIS'?>\x83\x65";
        assert_eq!(place_of(other), ("ENCODING_UNSUPPORTED", "line 1 column 1".into()));
    }
}
