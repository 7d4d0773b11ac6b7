use gambol::picture::Picture;

/// Reads what `to_png` writes: whole bytes, without interlacing. Checks each chunk's remainder.
pub(crate) fn read_png(png: &[u8]) -> Picture {
    let mut rest = png.strip_prefix(b"\x89PNG\r\n\x1a\n").unwrap();
    let (mut header, mut packed) = (Vec::new(), Vec::new());
    while !rest.is_empty() {
        let length = u32::from_be_bytes(rest[..4].try_into().unwrap()) as usize;
        let (chunk, after) = rest[4..].split_at(4 + length);
        assert_eq!(after[..4], remainder(chunk).to_be_bytes());
        match &chunk[..4] {
            b"IHDR" => header = chunk[4..].to_vec(),
            b"IDAT" => packed.extend(&chunk[4..]),
            other => assert_eq!(other, b"IEND"),
        }
        rest = &after[4..];
    }
    let side = |at: usize| u32::from_be_bytes(header[at..at + 4].try_into().unwrap());
    let (width, height) = (side(0), side(4));
    assert_eq!(header[8], 8);
    assert_eq!(header[10..], [0; 3]);
    let bytes = if header[9] == 6 { 4 } else { 3 };
    let row_len = width as usize * bytes;
    let raw = miniz_oxide::inflate::decompress_to_vec_zlib(&packed).unwrap();
    assert_eq!(raw.len(), (row_len + 1) * height as usize);

    let mut above = vec![0; row_len];
    let mut rgba = Vec::new();
    for row in raw.chunks(row_len + 1) {
        let mut plain: Vec<u8> = Vec::new();
        for (at, &byte) in row[1..].iter().enumerate() {
            let left = if at < bytes { 0 } else { plain[at - bytes] };
            let corner = if at < bytes { 0 } else { above[at - bytes] };
            let [a, b, c] = [left, above[at], corner].map(i32::from);
            let near = *[a, b, c].iter().min_by_key(|&&near| (a + b - c - near).abs()).unwrap();
            let expected = [0, a, b, (a + b) / 2, near][usize::from(row[0])];
            plain.push(byte.wrapping_add(expected as u8));
        }
        for pixel in plain.chunks(bytes) {
            rgba.extend([pixel[0], pixel[1], pixel[2], pixel.get(3).copied().unwrap_or(255)]);
        }
        above = plain;
    }
    Picture { width, height, rgba }
}

/// CRC-32, bit by bit as PNG's specification has it.
fn remainder(bytes: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    for byte in bytes {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { 0xedb8_8320 ^ (crc >> 1) } else { crc >> 1 };
        }
    }
    !crc
}
