//! Detects the type of an image by its first bytes. No other place does.

/// Signatures at the start of images, with their MIME types.
static SIGNATURES: [(&[u8], &str); 6] = [
    (b"\x89PNG", "image/png"),
    (b"\xFF\xD8\xFF", "image/jpeg"),
    (b"RIFF", "image/webp"),
    (b"\xABKTX 20", "image/ktx2"),
    (b"BM", "image/bmp"),
    (b"DDS ", "image/vnd-ms.dds"),
];

/// Returns the MIME type of an image, of which the first 18 bytes are enough.
///
/// A signature is more reliable than the `declared` type, which may be empty. A .tga has no signature: unless another
/// type is declared, a plausible header counts. The result is empty if nothing reveals the type.
pub(crate) fn image_type<'a>(bytes: &[u8], declared: &'a str) -> &'a str {
    match SIGNATURES.iter().find(|(signature, _)| bytes.starts_with(signature)) {
        Some((_, name)) => name,
        None if declared.is_empty() && is_tga(bytes) => "image/x-tga",
        None => declared,
    }
}

/// Returns whether the bytes begin with a plausible header of a .tga.
fn is_tga(bytes: &[u8]) -> bool {
    let Some(&[_, palettes, kind, _, _, _, _, entry_bits, _, _, _, _, _, _, _, _, pixel_bits, origin]) =
        bytes.first_chunk::<18>()
    else {
        return false;
    };
    let is_color = |bits: u8| matches!(bits, 15 | 16 | 24 | 32);
    // Kinds from 9 on are run-length encoded.
    let pixel_fits = match kind & !8 {
        1 | 3 => matches!(pixel_bits, 8 | 16),
        2 => is_color(pixel_bits),
        _ => false,
    };
    pixel_fits && palettes <= 1 && (palettes == 0 || is_color(entry_bits)) && origin < 0x40
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
