//! Detects the type of an image by its first bytes. No other place does.

/// Returns the MIME type of an image, of which the first 18 bytes are enough.
///
/// A signature is more reliable than the `declared` type, which may be empty. A .tga has no signature: unless another
/// type is declared, a plausible header counts. The result is empty if nothing reveals the type.
pub(crate) fn image_type<'a>(bytes: &[u8], declared: &'a str) -> &'a str {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => "image/png",
        [0xFF, 0xD8, 0xFF, ..] => "image/jpeg",
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => "image/webp",
        [0xAB, b'K', b'T', b'X', b' ', b'2', b'0', ..] => "image/ktx2",
        [b'B', b'M', ..] => "image/bmp",
        [b'D', b'D', b'S', b' ', ..] => "image/vnd-ms.dds",
        _ if declared.is_empty() && is_tga(bytes) => "image/x-tga",
        _ => declared,
    }
}

/// Returns whether the bytes begin with a plausible header of a .tga.
fn is_tga(bytes: &[u8]) -> bool {
    let &[_, palettes, kind, _, _, _, _, entry_bits, _, _, _, _, _, _, _, _, pixel_bits, origin, ..] = bytes
    else {
        return false;
    };
    let entry_fits = palettes == 0 || matches!(entry_bits, 15 | 16 | 24 | 32);
    let pixel_fits = match kind {
        1 | 3 | 9 | 11 => matches!(pixel_bits, 8 | 16),
        2 | 10 => matches!(pixel_bits, 15 | 16 | 24 | 32),
        _ => false,
    };
    palettes <= 1 && entry_fits && pixel_fits && origin & 0xc0 == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Header of an uncompressed .tga with 24 bits a pixel.
    const TGA: [u8; 18] = [0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 4, 0, 24, 0];

    #[test]
    fn a_signature_decides() {
        for (bytes, expected) in [
            (&b"\x89PNG\r\n"[..], "image/png"),
            (b"\xFF\xD8\xFF\xE0", "image/jpeg"),
            (b"RIFF\0\0\0\0WEBPVP8 ", "image/webp"),
            (b"\xABKTX 20\xBB", "image/ktx2"),
            (b"BM\0\0", "image/bmp"),
            (b"DDS |", "image/vnd-ms.dds"),
        ] {
            assert_eq!(image_type(bytes, ""), expected);
            assert_eq!(image_type(bytes, "image/x-other"), expected, "the declared type may be wrong");
        }
    }

    #[test]
    fn a_tga_is_detected_by_its_header_unless_another_type_is_declared() {
        assert_eq!(image_type(&TGA, ""), "image/x-tga");
        assert_eq!(image_type(&TGA, "image/x-other"), "image/x-other");
        assert_eq!(image_type(&TGA[..17], ""), "", "the header is cut");
        for (at, wrong) in [(1, 2), (2, 4), (16, 23), (17, 0x40)] {
            let mut header = TGA;
            header[at] = wrong;
            assert_eq!(image_type(&header, ""), "", "byte {at}");
        }
    }

    #[test]
    fn other_content_has_the_declared_type() {
        assert_eq!(image_type(b"<html>", "image/avif"), "image/avif");
        assert_eq!(image_type(b"", ""), "");
    }
}
