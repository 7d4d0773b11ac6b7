//! Data embedded in a URI: `data:[<mime type>][;base64],<data>` (RFC 2397).
use super::resources::percent_decoded;

pub(super) struct DataUri {
    /// Empty if the URI has none.
    pub(super) mime_type: String,
    pub(super) bytes: Vec<u8>,
}

pub(super) fn is_data_uri(uri: &str) -> bool {
    uri.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:"))
}

/// Decodes a data URI. Returns `None` if it is another URI or its base64 is broken.
#[inline(never)]
pub(super) fn decode(uri: &str) -> Option<DataUri> {
    let (header, data) = uri.get(5..).filter(|_| is_data_uri(uri))?.split_once(',')?;
    let is_base64 = header.strip_suffix("base64").is_some_and(|rest| rest.is_empty() || rest.ends_with(';'));
    let bytes = if is_base64 { base64(data.as_bytes())? } else { percent_decoded(data) };
    let mime_type = header.split(';').next().unwrap_or_default().to_owned();
    Some(DataUri { mime_type, bytes })
}

/// Decodes base64 of the standard or URL-safe alphabet, padded or not. Line breaks, spaces and tabs are ignored.
fn base64(text: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 3);
    let (mut held, mut held_bits) = (0u32, 0);
    let mut padded = false;
    for &symbol in text {
        let value = match symbol {
            b'A'..=b'Z' => symbol - b'A',
            b'a'..=b'z' => symbol - b'a' + 26,
            b'0'..=b'9' => symbol - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            b'=' => {
                padded = true;
                continue;
            }
            b'\n' | b'\r' | b' ' | b'\t' => continue,
            _ => return None,
        };
        if padded {
            return None;
        }
        held = held << 6 | u32::from(value);
        held_bits += 6;
        if held_bits >= 8 {
            held_bits -= 8;
            let [.., byte] = (held >> held_bits).to_be_bytes();
            bytes.push(byte);
        }
    }
    // Six bits left over are no whole byte: the text is incomplete.
    (held_bits < 6).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    // RFC 4648, section 10.
    #[test]
    fn base64_test_vectors() {
        for (text, bytes) in [
            ("", ""),
            ("Zg==", "f"),
            ("Zm8=", "fo"),
            ("Zm9v", "foo"),
            ("Zm9vYg==", "foob"),
            ("Zm9vYmE=", "fooba"),
            ("Zm9vYmFy", "foobar"),
            ("Zm9v\r\nYg", "foob"),
        ] {
            assert_eq!(base64(text.as_bytes()).as_deref(), Some(bytes.as_bytes()), "{text}");
        }
        for text in ["Z", "Zm9vZ", "Zm!v", "Zg==Zg=="] {
            assert_eq!(base64(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn data_uris_name_their_type_or_not() {
        let image = decode("data:image/png;base64,Zg==").map(|uri| (uri.mime_type, uri.bytes));
        assert_eq!(image, Some(("image/png".to_owned(), b"f".to_vec())));
        let text = decode("DATA:,a%20b").map(|uri| (uri.mime_type, uri.bytes));
        assert_eq!(text, Some((String::new(), b"a b".to_vec())));
        assert!(decode("data:image/png;base64").is_none());
        assert!(decode("http://example.org/,").is_none());
    }
}
