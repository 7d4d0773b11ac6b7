use super::*;

fn tga(kind: u8, bits: u8, origin: u8, palette: &[u8], entry_bits: u8, pixels: &[u8]) -> Vec<u8> {
    let entry_count = palette.len() / usize::from(entry_bits.max(1)).div_ceil(8);
    let mut file = vec![5, u8::from(!palette.is_empty()), kind, 0, 0, entry_count as u8, 0, entry_bits];
    file.extend([0, 0, 0, 0, 3, 0, 2, 0, bits, origin]);
    file.extend(*b"hello");
    file.extend([palette, pixels].concat());
    file
}

/// From the top left.
const TOP: u8 = 0x20;

#[test]
fn colors_of_two_three_and_four_bytes() {
    expect(&tga(2, 24, TOP, &[], 0, &bgr(&SIX)), 3, &SIX, "24 bits");
    let four: Vec<u8> = SIX.iter().flat_map(|&[red, green, blue, _]| [blue, green, red, 51]).collect();
    let seen = SIX.map(|[red, green, blue, _]| [red, green, blue, 51]);
    expect(&tga(2, 32, TOP | 8, &[], 0, &four), 3, &seen, "32 bits");
    let two: Vec<u8> = SIX.iter().flat_map(|&pixel| (rgb_555(pixel) & 0x7fff).to_le_bytes()).collect();
    expect(&tga(2, 16, TOP, &[], 0, &two), 3, &SIX, "16 bits");
    expect(&tga(2, 15, TOP, &[], 0, &two), 3, &SIX, "15 bits");
}

#[test]
fn the_bit_of_alpha_counts_where_it_is_announced() {
    let pixels = [RED, CLEAR, BLUE, WHITE, CLEAR, RED];
    let two: Vec<u8> = pixels.iter().flat_map(|&pixel| rgb_555(pixel).to_le_bytes()).collect();
    expect(&tga(2, 16, TOP | 1, &[], 0, &two), 3, &pixels, "alpha");
    let opaque = pixels.map(|[red, green, blue, _]| [red, green, blue, 255]);
    expect(&tga(2, 16, TOP, &[], 0, &two), 3, &opaque, "no alpha");
}

#[test]
fn alpha_that_is_0_throughout_was_never_written() {
    let four: Vec<u8> = SIX.iter().flat_map(|&[red, green, blue, _]| [blue, green, red, 0]).collect();
    expect(&tga(2, 32, TOP, &[], 0, &four), 3, &SIX, "32 bits");
}

#[test]
fn the_origin_is_any_corner() {
    let file = |origin| tga(2, 24, origin, &[], 0, &bgr(&SIX));
    expect(&file(0), 3, &upside_down(&SIX, 3), "bottom left");
    expect(&file(0x10), 3, &mirrored(&upside_down(&SIX, 3), 3), "bottom right");
    expect(&file(0x30), 3, &mirrored(&SIX, 3), "top right");
}

#[test]
fn greys_alone_and_with_alpha() {
    let greys = [0, 51, 102, 153, 204, 255];
    expect(&tga(3, 8, TOP, &[], 0, &greys), 3, &greys.map(|grey| [grey, grey, grey, 255]), "8 bits");
    let two: Vec<u8> = greys.iter().flat_map(|&grey| [grey, 7]).collect();
    expect(&tga(3, 16, TOP | 8, &[], 0, &two), 3, &greys.map(|grey| [grey, grey, grey, 7]), "16 bits");
}

#[test]
fn palettes_of_every_depth() {
    let palette = [RED, GREEN, BLUE, WHITE, BLACK];
    let numbers = [0, 1, 2, 3, 4, 0];
    expect(&tga(1, 8, TOP, &bgr(&palette), 24, &numbers), 3, &SIX, "24 bits");
    expect(&tga(1, 8, TOP, &palette.map(bgra).concat(), 32, &numbers), 3, &SIX, "32 bits");
    let two: Vec<u8> = palette.iter().flat_map(|&pixel| rgb_555(pixel).to_le_bytes()).collect();
    expect(&tga(1, 8, TOP, &two, 16, &numbers), 3, &SIX, "16 bits");
    expect(&tga(1, 8, TOP, &two, 15, &numbers), 3, &SIX, "15 bits");
    let wide: Vec<u8> = numbers.iter().flat_map(|&number| [number, 0]).collect();
    expect(&tga(1, 16, TOP, &bgr(&palette), 24, &wide), 3, &SIX, "numbers of two bytes");
}

#[test]
fn colors_need_no_palette_whatever_is_said_of_one() {
    let mut file = tga(2, 24, TOP, &[], 0, &bgr(&SIX));
    file[5..8].copy_from_slice(&[9, 0, 24]);
    expect(&file, 3, &SIX, "nine entries that aren't there");
}

#[test]
fn a_palette_may_begin_at_another_number_and_end_too_soon() {
    let mut file = tga(1, 8, TOP, &bgr(&[RED, GREEN, BLUE]), 24, &[7, 8, 9, 10, 6, 7]);
    file[3] = 7;
    expect(&file, 3, &[RED, GREEN, BLUE, BLACK, BLACK, RED], "first entry 7");
}

#[test]
fn runs_and_pixels_one_by_one_go_over_rows() {
    let pixels = [RED, GREEN, GREEN, GREEN, GREEN, BLUE];
    let packed = |bytes_of: &dyn Fn(Pixel) -> Vec<u8>| {
        let mut packed = vec![0];
        packed.extend(bytes_of(RED));
        packed.push(0x83);
        packed.extend(bytes_of(GREEN));
        packed.push(0x02);
        packed.extend([bytes_of(BLUE), bytes_of(WHITE), bytes_of(WHITE)].concat());
        packed
    };
    expect(&tga(10, 24, TOP, &[], 0, &packed(&|pixel| bgr(&[pixel]))), 3, &pixels, "24 bits");
    expect(&tga(10, 32, TOP | 8, &[], 0, &packed(&|pixel| bgra(pixel).to_vec())), 3, &pixels, "32 bits");
    let two = packed(&|pixel| (rgb_555(pixel) & 0x7fff).to_le_bytes().to_vec());
    expect(&tga(10, 16, TOP, &[], 0, &two), 3, &pixels, "16 bits");
    let number =
        |pixel| vec![[RED, GREEN, BLUE, WHITE].iter().position(|&entry| entry == pixel).unwrap() as u8];
    let palette = bgr(&[RED, GREEN, BLUE, WHITE]);
    expect(&tga(9, 8, TOP, &palette, 24, &packed(&number)), 3, &pixels, "a palette");
    let grey = |pixel: Pixel| vec![pixel[0]];
    let greys = [WHITE, BLACK, BLACK, BLACK, BLACK, BLACK];
    expect(&tga(11, 8, TOP, &[], 0, &packed(&grey)), 3, &greys, "greys");
}

#[test]
fn lies_are_told_from_pictures() {
    let whole = tga(2, 24, TOP, &[], 0, &bgr(&SIX));
    let with = |at: usize, byte: u8| {
        let mut file = whole.clone();
        file[at] = byte;
        code(&file)
    };
    assert_eq!(code(&whole), "");
    assert_eq!(code(&whole[..whole.len() - 1]), "PICTURE_TRUNCATED");
    assert_eq!(with(12, 0), "PICTURE_EMPTY");
    assert_eq!(with(13, 255), "PICTURE_TOO_LARGE");
    assert_eq!(with(2, 4), "NOT_A_PICTURE");
    assert_eq!(with(16, 7), "NOT_A_PICTURE");
    assert_eq!(code(&tga(1, 8, TOP, &[], 0, &[0; 6])), "PICTURE_VALUE_INVALID");
}
