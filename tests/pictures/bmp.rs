use super::*;

const TOP_DOWN: i32 = -2;

/// Writes a file with the header of Windows 3.
fn bmp(height: i32, bits: u16, compression: u32, between: &[u8], pixels: &[u8]) -> Vec<u8> {
    with_header(40, height, bits, compression, between, pixels)
}

fn with_header(
    header_len: u32,
    height: i32,
    bits: u16,
    compression: u32,
    between: &[u8],
    pixels: &[u8],
) -> Vec<u8> {
    let mut file = b"BM\0\0\0\0\0\0\0\0".to_vec();
    let mut header = header_len.to_le_bytes().to_vec();
    if header_len == 12 {
        header.extend([3, 0, height as u8, 0, 1, 0]);
        header.extend(bits.to_le_bytes());
    } else {
        header.extend(3_u32.to_le_bytes());
        header.extend(height.to_le_bytes());
        header.extend([1, 0]);
        header.extend(bits.to_le_bytes());
        header.extend(compression.to_le_bytes());
        header.extend([0; 20]);
    }
    header.extend(between);
    file.extend((14 + header.len() as u32).to_le_bytes());
    file.extend(header);
    file.extend(pixels);
    file
}

fn padded(rows: &[&[u8]]) -> Vec<u8> {
    let row = |row: &&[u8]| {
        let mut row = row.to_vec();
        row.resize(row.len().next_multiple_of(4), 0xaa);
        row
    };
    rows.iter().flat_map(row).collect()
}

fn palette(colors: &[Pixel], count: usize) -> Vec<u8> {
    let mut entries: Vec<u8> =
        colors.iter().flat_map(|&[red, green, blue, _]| [blue, green, red, 0]).collect();
    entries.resize(count * 4, 0);
    entries
}

const FIVE: [Pixel; 5] = [RED, GREEN, BLUE, WHITE, BLACK];

#[test]
fn palettes_of_every_depth() {
    let one = padded(&[&[0b0110_0000], &[0b1000_0000]]);
    let pixels = [WHITE, RED, RED, RED, WHITE, WHITE];
    expect(&bmp(TOP_DOWN, 1, 0, &palette(&[WHITE, RED], 2), &one), 3, &pixels, "1 bit");
    let four = padded(&[&[0x01, 0x20], &[0x34, 0x00]]);
    expect(&bmp(TOP_DOWN, 4, 0, &palette(&FIVE, 16), &four), 3, &SIX, "4 bits");
    let eight = padded(&[&[0, 1, 2], &[3, 4, 0]]);
    expect(&bmp(TOP_DOWN, 8, 0, &palette(&FIVE, 256), &eight), 3, &SIX, "8 bits");
    expect(&bmp(2, 8, 0, &palette(&FIVE, 256), &eight), 3, &upside_down(&SIX, 3), "bottom up");
    let short = bmp(TOP_DOWN, 8, 0, &palette(&[RED, GREEN], 2), &eight);
    expect(&short, 3, &[RED, GREEN, BLACK, BLACK, BLACK, RED], "a palette that ends at the pixels");
}

#[test]
fn colors_of_every_depth() {
    let two: Vec<u8> = SIX.iter().flat_map(|&pixel| (rgb_555(pixel) & 0x7fff).to_le_bytes()).collect();
    let two = padded(&[&two[..6], &two[6..]]);
    expect(&bmp(TOP_DOWN, 16, 0, &[], &two), 3, &SIX, "16 bits");
    let three = bgr(&SIX);
    let three = padded(&[&three[..9], &three[9..]]);
    expect(&bmp(TOP_DOWN, 24, 0, &[], &three), 3, &SIX, "24 bits");
    let four: Vec<u8> = SIX.iter().flat_map(|&[red, green, blue, _]| [blue, green, red, 9]).collect();
    expect(&bmp(TOP_DOWN, 32, 0, &[], &four), 3, &SIX, "32 bits, whose last byte means nothing");
}

#[test]
fn masks_after_the_header_and_within_it() {
    let masks = |masks: [u32; 4]| masks.map(u32::to_le_bytes).concat();
    let rgb_565 = masks([0xf800, 0x7e0, 0x1f, 0]);
    let two: Vec<u8> = [0xf800, 0x7e0, 0x1f, 0xffff, 0, 0xf800_u16].map(u16::to_le_bytes).concat();
    let two = padded(&[&two[..6], &two[6..]]);
    expect(&bmp(TOP_DOWN, 16, 3, &rgb_565[..12], &two), 3, &SIX, "5, 6 and 5 bits");

    let seen = [[255, 0, 0, 51], GREEN, BLUE, WHITE, CLEAR, RED];
    let rgba = masks([0xff00_0000, 0xff_0000, 0xff00, 0xff]);
    let four: Vec<u8> = seen.iter().flat_map(|&pixel| u32::from_be_bytes(pixel).to_le_bytes()).collect();
    expect(&bmp(TOP_DOWN, 32, 6, &rgba, &four), 3, &seen, "alpha after the header");
    for header_len in [56, 108, 124] {
        let mut rest = rgba.clone();
        rest.resize(header_len as usize - 40, 0);
        let file = with_header(header_len, TOP_DOWN, 32, 3, &rest, &four);
        expect(&file, 3, &seen, &format!("a header of {header_len} bytes"));
    }
    let file = with_header(52, TOP_DOWN, 16, 3, &rgb_565[..12], &two);
    expect(&file, 3, &SIX, "a header of 52 bytes");
}

#[test]
fn headers_of_os2() {
    let core: Vec<u8> = [bgr(&FIVE), vec![0; 33]].concat();
    let four = padded(&[&[0x01, 0x20], &[0x34, 0x00]]);
    let file = with_header(12, 2, 4, 0, &core, &four);
    expect(&file, 3, &upside_down(&SIX, 3), "the first");
    let second = [vec![0; 24], palette(&FIVE, 16)].concat();
    expect(&with_header(64, TOP_DOWN, 4, 0, &second, &four), 3, &SIX, "the second");
    assert_eq!(code(&with_header(64, TOP_DOWN, 24, 4, &second, &four)), "PICTURE_KIND_UNSUPPORTED");
}

#[test]
fn runs_of_8_bits() {
    let colors = palette(&FIVE, 256);
    // One by one, padded to two bytes; the end of the row; a run; the end.
    let runs = [0, 3, 0, 1, 2, 0xaa, 0, 0, 2, 3, 1, 0, 0, 1];
    let pixels = [WHITE, WHITE, RED, RED, GREEN, BLUE];
    expect(&bmp(2, 8, 1, &colors, &runs), 3, &pixels, "runs");
    // One pixel, a jump of one to the right and one up, one pixel; the rest is never written.
    let jump = [1, 0, 0, 2, 1, 1, 1, 1, 0, 1];
    expect(&bmp(2, 8, 1, &colors, &jump), 3, &[CLEAR, CLEAR, GREEN, RED, CLEAR, CLEAR], "a jump");
    let long = [200, 0, 0, 0, 3, 1, 0, 1];
    expect(&bmp(2, 8, 1, &colors, &long), 3, &[GREEN, GREEN, GREEN, RED, RED, RED], "a run too long");
}

#[test]
fn runs_of_4_bits() {
    let colors = palette(&FIVE, 16);
    let runs = [3, 0x01, 0, 0, 0, 3, 0x23, 0x40, 0, 1];
    let pixels = [BLUE, WHITE, BLACK, RED, GREEN, RED];
    expect(&bmp(2, 4, 2, &colors, &runs), 3, &pixels, "runs of two colours");
}

#[test]
fn lies_are_refused() {
    let eight = padded(&[&[0, 1, 2], &[3, 4, 0]]);
    let colors = palette(&FIVE, 256);
    assert_eq!(code(&bmp(i32::MIN, 8, 0, &colors, &eight)), "PICTURE_TOO_LARGE");
    assert_eq!(code(&bmp(0, 8, 0, &colors, &eight)), "PICTURE_EMPTY");
    assert_eq!(code(&bmp(-3, 8, 0, &colors, &eight)), "PICTURE_TRUNCATED");
    assert_eq!(code(&bmp(2, 7, 0, &colors, &eight)), "PICTURE_KIND_UNSUPPORTED");
    assert_eq!(code(&bmp(2, 24, 5, &colors, &eight)), "PICTURE_KIND_UNSUPPORTED");
    assert_eq!(code(&bmp(TOP_DOWN, 8, 1, &colors, &eight)), "PICTURE_KIND_UNSUPPORTED");
    assert_eq!(code(&with_header(41, 2, 8, 0, &colors, &eight)), "PICTURE_KIND_UNSUPPORTED");
}
