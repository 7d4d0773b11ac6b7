//! Writes PNG files of tiny pictures, without compression.

/// Returns the file of a picture with three bytes a pixel. A row and its filter byte must fit one stored block.
pub(super) fn rgb(width: usize, pixels: &[[u8; 3]]) -> Vec<u8> {
    let height = pixels.len() / width;
    let size = [width, height].map(|length| (length as u32).to_be_bytes());
    // Eight bits a channel, red, green and blue, and the only methods that there are.
    let header = [&size[0][..], &size[1][..], &[8, 2, 0, 0, 0]].concat();
    let rows: Vec<u8> = pixels
        .chunks(width)
        .flat_map(|row| std::iter::once(0).chain(row.iter().flatten().copied()))
        .collect();
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    for (name, data) in [(b"IHDR", header), (b"IDAT", zlib(&rows)), (b"IEND", Vec::new())] {
        let named = [&name[..], &data].concat();
        png.extend((data.len() as u32).to_be_bytes());
        png.extend(&named);
        png.extend(crc32(&named).to_be_bytes());
    }
    png
}

/// Wraps bytes in a zlib stream with one stored block (RFC 1950 and 1951).
fn zlib(bytes: &[u8]) -> Vec<u8> {
    let length = u16::try_from(bytes.len()).expect("the picture is tiny");
    let mut stream = vec![0x78, 0x01, 1];
    stream.extend(length.to_le_bytes());
    stream.extend((!length).to_le_bytes());
    stream.extend(bytes);
    let (a, b) = bytes.iter().fold((1_u32, 0_u32), |(a, b), &byte| {
        let a = (a + u32::from(byte)) % 65521;
        (a, (b + a) % 65521)
    });
    stream.extend((b << 16 | a).to_be_bytes());
    stream
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, &byte| {
        (0..8).fold(
            crc ^ u32::from(byte),
            |crc, _| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 },
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_are_those_of_the_specifications() {
        // From the check value of CRC-32/ISO-HDLC, and RFC 1950's Adler-32 of the same digits.
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
        assert_eq!(zlib(b"123456789")[16..], 0x091e_01de_u32.to_be_bytes());
    }
}
