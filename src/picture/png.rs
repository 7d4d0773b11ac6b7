//! Writer of PNG: each row gets the filter with the smallest residuals, and the result is deflated.
use super::Picture;
use miniz_oxide::deflate::compress_to_vec_zlib;

const MARK: [u8; 8] = *b"\x89PNG\r\n\x1a\n";

/// Compression level, out of zlib's ten. Higher levels take much longer and save little.
const EFFORT: u8 = 6;

/// Encodes a picture, without alpha if every pixel is opaque.
pub fn to_png(picture: &Picture) -> Vec<u8> {
    let (pixels, _) = picture.rgba.as_chunks::<4>();
    let opaque = pixels.iter().all(|&[.., alpha]| alpha == 255);
    let (stored, pixel_bytes): (Vec<u8>, _) = match opaque {
        true => (pixels.iter().flat_map(|&[red, green, blue, _]| [red, green, blue]).collect(), 3),
        false => (picture.rgba.clone(), 4),
    };
    let width = usize::try_from(picture.width).unwrap_or(usize::MAX).max(1);
    let filtered = filtered(&stored, width * pixel_bytes, pixel_bytes);

    let [width, height] = [picture.width, picture.height].map(u32::to_be_bytes);
    // Eight bits per channel; RGB or RGBA; the only compression and filter method there are; no interlacing.
    let kind = [8, if opaque { 2 } else { 6 }, 0, 0, 0];
    let mut png = MARK.to_vec();
    chunk(&mut png, b"IHDR", &[&width[..], &height, &kind].concat());
    chunk(&mut png, b"IDAT", &compress_to_vec_zlib(&filtered, EFFORT));
    chunk(&mut png, b"IEND", &[]);
    png
}

fn chunk(png: &mut Vec<u8>, kind: &[u8; 4], body: &[u8]) {
    png.extend(u32::try_from(body.len()).unwrap_or(u32::MAX).to_be_bytes());
    png.extend(kind);
    png.extend(body);
    png.extend((!crc(crc(!0, kind), body)).to_be_bytes());
}

/// Continues the CRC-32 that guards PNG's chunks over more bytes.
fn crc(start: u32, bytes: &[u8]) -> u32 {
    bytes.iter().fold(start, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| {
            let low = crc & 1;
            (crc >> 1) ^ (0xedb8_8320 * low)
        })
    })
}

/// Returns the filtered rows, each after the number of its filter.
fn filtered(stored: &[u8], row_len: usize, pixel_bytes: usize) -> Vec<u8> {
    let mut filtered = Vec::with_capacity(stored.len() + stored.len() / row_len.max(1) + 1);
    let first = vec![0; row_len];
    let mut above: &[u8] = &first;
    let mut tried = Vec::with_capacity(row_len);
    let mut best = Vec::with_capacity(row_len);
    for row in stored.chunks(row_len.max(1)) {
        let mut least = u64::MAX;
        let mut number = 0;
        for (filter, predict) in (0..).zip(PREDICTIONS) {
            tried.clear();
            tried.extend(row.iter().enumerate().map(|(at, &byte)| {
                let before = at.checked_sub(pixel_bytes);
                let of = |row: &[u8], at: Option<usize>| at.and_then(|at| row.get(at)).copied().unwrap_or(0);
                byte.wrapping_sub(predict(of(row, before), of(above, Some(at)), of(above, before)))
            }));
            // Residuals count as signed: 255 is as good as 1.
            let left = tried.iter().map(|&byte| u64::from(byte.cast_signed().unsigned_abs())).sum();
            if left < least {
                (least, number) = (left, filter);
                std::mem::swap(&mut tried, &mut best);
            }
        }
        filtered.push(number);
        filtered.extend_from_slice(&best);
        above = row;
    }
    filtered
}

/// Predictions of PNG's filters for a byte, from those to its left, above it, and above its left.
const PREDICTIONS: [fn(u8, u8, u8) -> u8; 5] =
    [|_, _, _| 0, |left, _, _| left, |_, above, _| above, |left, above, _| left.midpoint(above), paeth];

/// Returns the one of the three that is nearest to left + above − corner. Of equally near ones the first is returned.
fn paeth(left: u8, above: u8, corner: u8) -> u8 {
    let distance = |of: u8| (i16::from(left) + i16::from(above) - i16::from(corner) - i16::from(of)).abs();
    let (to_left, to_above, to_corner) = (distance(left), distance(above), distance(corner));
    if to_left <= to_above && to_left <= to_corner {
        left
    } else if to_above <= to_corner {
        above
    } else {
        corner
    }
}
