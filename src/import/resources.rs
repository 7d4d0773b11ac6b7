//! Files beside a model, and data of the model that the caller has decoded.
use super::part::Part;
use crate::refusal::element;

/// Bytes of files by URI. Lookups ignore differences in escapes (`%20`), `./`, `a/../` and backslashes. A file that
/// was dropped without its folder is found by its name alone.
///
/// A URI such as `#/bufferViews/3` is a part of the model's own document, by JSON pointer. Its bytes replace those of
/// a buffer view or an accessor (`#/accessors/3`, elements without gaps) that is compressed by an extension.
#[derive(Clone, Debug, Default)]
pub struct Resources {
    /// Names of the extensions whose data is here in decoded form, or, for images, is decoded after the import.
    pub(super) decoders: Vec<String>,
    /// Bytes by URI, as they were inserted.
    files: Vec<(String, Vec<u8>)>,
}

impl Resources {
    /// Creates resources without files, for data that these decoders decode.
    pub fn with_decoders(decoders: Vec<String>) -> Self {
        Self { decoders, files: Vec::new() }
    }

    pub fn insert(&mut self, uri: &str, bytes: Vec<u8>) {
        self.files.retain(|(held, _)| held != uri);
        self.files.push((uri.to_owned(), bytes));
    }

    pub fn get(&self, uri: &str) -> Option<&[u8]> {
        let same = self.files.iter().find(|(held, _)| held == uri && !is_part(held));
        if let Some((_, bytes)) = same {
            return Some(bytes);
        }
        // Pages insert files under the URIs that the model has.
        if Part::Import.is_there() { self.alike(uri) } else { None }
    }

    /// Returns the file whose URI means the same, or is the only one with that name. Of several that mean the same,
    /// the last counts.
    #[inline(never)]
    fn alike(&self, uri: &str) -> Option<&[u8]> {
        let wanted = normalised(uri);
        let mut files: Vec<(String, &[u8])> = Vec::new();
        for (uri, bytes) in self.files.iter().rev().filter(|(uri, _)| !is_part(uri)) {
            let uri = normalised(uri);
            if files.iter().all(|(held, _)| *held != uri) {
                files.push((uri, bytes));
            }
        }
        let mut alike = None;
        let mut alike_count = 0;
        for (uri, bytes) in &files {
            if *uri == wanted {
                return Some(bytes);
            }
            if after_last_slash(uri) == after_last_slash(&wanted) {
                alike = Some(*bytes);
                alike_count += 1;
            }
        }
        // If files in different folders have this name, neither is known to be the one meant.
        alike.filter(|_| alike_count == 1)
    }

    /// Returns the decoded bytes of an element of an array of the document.
    pub(super) fn decoded(&self, array: &str, index: usize) -> Option<&[u8]> {
        if self.decoders.is_empty() {
            return None;
        }
        let wanted = ["#", &element(array, index)].concat();
        self.files.iter().find(|(uri, _)| *uri == wanted).map(|(_, bytes)| bytes.as_slice())
    }

    pub(super) fn decoded_byte_count(&self) -> u64 {
        self.files.iter().filter(|(uri, _)| is_part(uri)).map(|(_, bytes)| bytes.len() as u64).sum()
    }
}

fn is_part(uri: &str) -> bool {
    uri.starts_with("#/")
}

/// Returns what follows the last slash. Iterators of pieces from the end take much more code.
pub(super) fn after_last_slash(path: &str) -> &str {
    let slash = path.bytes().rposition(|byte| byte == b'/');
    slash.and_then(|at| path.get(at + 1..)).unwrap_or(path)
}

fn normalised(uri: &str) -> String {
    let bytes = percent_decoded(uri);
    let path = std::str::from_utf8(&bytes).unwrap_or(uri);
    let mut segments: Vec<&str> = Vec::new();
    for segment in path.split(['/', '\\']) {
        match segment {
            "" | "." => {}
            ".." if segments.last().is_some_and(|&last| last != "..") => {
                segments.pop();
            }
            _ => segments.push(segment),
        }
    }
    let mut normalised = String::new();
    for (index, segment) in segments.into_iter().enumerate() {
        if index > 0 {
            normalised.push('/');
        }
        normalised.push_str(segment);
    }
    normalised
}

/// Returns the bytes of a text with each `%XX` decoded. A `%` that begins no escape is kept.
pub(super) fn percent_decoded(text: &str) -> Vec<u8> {
    let mut decoded = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [byte, tail @ ..] = rest {
        let escaped = match rest {
            [b'%', high, low, ..] => hex(*high).zip(hex(*low)).map(|(high, low)| high << 4 | low),
            _ => None,
        };
        decoded.push(escaped.unwrap_or(*byte));
        rest = if escaped.is_some() { rest.get(3..).unwrap_or_default() } else { tail };
    }
    decoded
}

fn hex(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        b'A'..=b'F' => Some(digit - b'A' + 10),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_uri_finds_its_file_however_it_is_written() {
        let mut resources = Resources::default();
        resources.insert("parts/my arm.bin", vec![1]);
        for uri in ["parts/my%20arm.bin", "./parts/my arm.bin", "x/../parts/my arm.bin", "parts\\my arm.bin"]
        {
            assert_eq!(resources.get(uri), Some(&[1][..]), "{uri}");
        }
        assert_eq!(resources.get("parts/my leg.bin"), None);
        // Bytes that aren't UTF-8 stay escaped.
        resources.insert("caff%E9.bin", vec![2]);
        assert_eq!(resources.get("./caff%E9.bin"), Some(&[2][..]));
        assert_eq!(resources.get("caff%E8.bin"), None);
    }

    #[test]
    fn a_file_dropped_without_its_folder_is_found_unless_two_have_that_name() {
        let mut resources = Resources::default();
        resources.insert("arm.bin", vec![1]);
        assert_eq!(resources.get("parts/arm.bin"), Some(&[1][..]));
        resources.insert("old/arm.bin", vec![2]);
        assert_eq!(resources.get("parts/arm.bin"), None);
        assert_eq!(resources.get("old/arm.bin"), Some(&[2][..]));
    }

    #[test]
    fn what_is_no_escape_stays() {
        assert_eq!(percent_decoded("100%&%4a%zz%4"), b"100%&J%zz%4");
    }
}
