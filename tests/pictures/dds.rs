use super::*;
use gambol::picture::PictureProblem;

const NAMED: u32 = 4;

fn dds(width: u32, height: u32, format: [u32; 6], letters: &[u8; 4], pixels: &[u8]) -> Vec<u8> {
    let [flags, bits, red, green, blue, alpha] = format;
    let mut file = b"DDS ".to_vec();
    let letters = u32::from_le_bytes(*letters);
    let before = [124, 0x1007, height, width].into_iter().chain([0; 14]);
    for number in before.chain([32, flags, letters, bits, red, green, blue, alpha]) {
        file.extend(number.to_le_bytes());
    }
    file.resize(128, 0);
    file.extend(pixels);
    file
}

fn named(letters: &[u8; 4], width: u32, pixels: &[u8]) -> Vec<u8> {
    dds(width, 4, [NAMED, 0, 0, 0, 0, 0], letters, pixels)
}

fn numbered(number: u32, width: u32, height: u32, pixels: &[u8]) -> Vec<u8> {
    let header: Vec<u8> = [number, 3, 0, 1, 0].map(u32::to_le_bytes).concat();
    dds(width, height, [NAMED, 0, 0, 0, 0, 0], b"DX10", &[&header, pixels].concat())
}

/// Red to blue, each row of codes 0, 1, 2, 3.
const COLORS: [u8; 8] = [0x00, 0xf8, 0x1f, 0x00, 0xe4, 0xe4, 0xe4, 0xe4];
const FOUR: [Pixel; 4] = [RED, BLUE, [170, 0, 85, 255], [85, 0, 170, 255]];

fn four_rows(row: [Pixel; 4]) -> Vec<Pixel> {
    [row; 4].concat()
}

/// 255 down to 0 in eight steps; texels 0 to 7 have codes 0 to 7, and again.
const NUMBERS: [u8; 8] = [255, 0, 0x88, 0xc6, 0xfa, 0x88, 0xc6, 0xfa];
const EIGHT: [u8; 8] = [255, 0, 219, 182, 146, 109, 73, 36];

#[test]
fn bc1_has_four_colors_or_three_and_a_hole() {
    expect(&named(b"DXT1", 4, &COLORS), 4, &four_rows(FOUR), "four");
    let three = [0x1f, 0x00, 0x00, 0xf8, 0xe4, 0xe4, 0xe4, 0xe4];
    let row = [BLUE, RED, [128, 0, 128, 255], CLEAR];
    expect(&named(b"DXT1", 4, &three), 4, &four_rows(row), "three");
    expect(&numbered(72, 4, 4, &COLORS), 4, &four_rows(FOUR), "by number");
}

#[test]
fn bc2_has_four_bits_of_alpha() {
    let file = named(b"DXT3", 4, &[[0x10, 0xf8].repeat(4), COLORS.to_vec()].concat());
    let alphas = [0, 17, 136, 255];
    let row = std::array::from_fn(|at| [FOUR[at][0], FOUR[at][1], FOUR[at][2], alphas[at]]);
    expect(&file, 4, &four_rows(row), "bc2");
}

#[test]
fn bc3_blends_alpha_in_eight_steps() {
    let file = named(b"DXT5", 4, &[NUMBERS, COLORS].concat());
    let texel = |at: usize| [FOUR[at % 4][0], FOUR[at % 4][1], FOUR[at % 4][2], EIGHT[at % 8]];
    expect(&file, 4, &std::array::from_fn::<_, 16, _>(texel), "bc3");
    let six = [0, 250, 0x88, 0xc6, 0xfa, 0x88, 0xc6, 0xfa];
    let file = named(b"DXT5", 4, &[six, COLORS].concat());
    let alphas = [0, 250, 50, 100, 150, 200, 0, 255];
    let texel = |at: usize| [FOUR[at % 4][0], FOUR[at % 4][1], FOUR[at % 4][2], alphas[at % 8]];
    expect(&file, 4, &std::array::from_fn::<_, 16, _>(texel), "six steps");
}

#[test]
fn bc4_is_grey_and_bc5_a_normal() {
    let grey = |at: usize| [EIGHT[at % 8], EIGHT[at % 8], EIGHT[at % 8], 255];
    for letters in [b"ATI1", b"BC4U"] {
        expect(&named(letters, 4, &NUMBERS), 4, &std::array::from_fn::<_, 16, _>(grey), "bc4");
    }
    let signed = [127, 0x81, 0x88, 0xc6, 0xfa, 0x88, 0xc6, 0xfa];
    expect(&named(b"BC4S", 4, &signed), 4, &std::array::from_fn::<_, 16, _>(grey), "signed");
    let middle = [128, 128, 0, 0, 0, 0, 0, 0];
    for letters in [b"ATI2", b"BC5U"] {
        let file = named(letters, 4, &[middle, middle].concat());
        expect(&file, 4, &[[128, 128, 255, 255]; 16], "straight up");
    }
    let file = numbered(83, 4, 4, &[[255, 255, 0, 0, 0, 0, 0, 0], middle].concat());
    expect(&file, 4, &[[255, 128, 128, 255]; 16], "to the side");
    let file = named(b"BC5S", 4, &[[0; 8], [0; 8]].concat());
    expect(&file, 4, &[[128, 128, 255, 255]; 16], "signed");
}

#[test]
fn the_last_blocks_reach_over_the_edge() {
    let blue = [0x1f, 0x00, 0x00, 0x00, 0, 0, 0, 0];
    let file = dds(5, 2, [NAMED, 0, 0, 0, 0, 0], b"DXT1", &[COLORS, blue].concat());
    let [a, b, c, d] = FOUR;
    expect(&file, 5, &[a, b, c, d, BLUE, a, b, c, d, BLUE], "five by two");
}

#[test]
fn masks_of_every_width() {
    let rgb = 0x40;
    let four: Vec<u8> = SIX.map(bgra).concat();
    let masks = [0xff_0000, 0xff00, 0xff];
    let [red, green, blue] = masks;
    let file = dds(3, 2, [rgb, 32, red, green, blue, 0], b"\0\0\0\0", &four);
    expect(&file, 3, &SIX, "32 bits without alpha");
    let seen = [[255, 0, 0, 51], GREEN, BLUE, WHITE, CLEAR, RED];
    let file = dds(3, 2, [rgb | 1, 32, red, green, blue, 0xff00_0000], b"\0\0\0\0", &seen.map(bgra).concat());
    expect(&file, 3, &seen, "32 bits with alpha");
    let file = dds(3, 2, [rgb, 24, red, green, blue, 0], b"\0\0\0\0", &bgr(&SIX));
    expect(&file, 3, &SIX, "24 bits");
    let two = [0xf800, 0x7e0, 0x1f, 0xffff, 0, 0xf800_u16].map(u16::to_le_bytes).concat();
    expect(&dds(3, 2, [rgb, 16, 0xf800, 0x7e0, 0x1f, 0], b"\0\0\0\0", &two), 3, &SIX, "16 bits");
    let one = [0xe0, 0x1c, 0x03, 0xff, 0x00, 0xe0];
    expect(&dds(3, 2, [rgb, 8, 0xe0, 0x1c, 0x03, 0], b"\0\0\0\0", &one), 3, &SIX, "8 bits");
    let luminance = 0x2_0000;
    let grey = [0, 51, 102, 153, 204, 255];
    let seen = grey.map(|grey| [grey, grey, grey, 255]);
    expect(&dds(3, 2, [luminance, 8, 0xff, 0, 0, 0], b"\0\0\0\0", &grey), 3, &seen, "luminance");
    let with_alpha: Vec<u8> = grey.iter().flat_map(|&grey| [grey, 7]).collect();
    let seen = grey.map(|grey| [grey, grey, grey, 7]);
    let file = dds(3, 2, [luminance | 1, 16, 0xff, 0, 0, 0xff00], b"\0\0\0\0", &with_alpha);
    expect(&file, 3, &seen, "luminance and alpha");
    let file = dds(3, 2, [2, 8, 0, 0, 0, 0xff], b"\0\0\0\0", &[7; 6]);
    expect(&file, 3, &[[0, 0, 0, 7]; 6], "alpha alone");
}

#[test]
fn plain_formats_by_number() {
    expect(&numbered(28, 3, 2, &SIX.concat()), 3, &SIX, "R8G8B8A8");
    expect(&numbered(87, 3, 2, &SIX.map(bgra).concat()), 3, &SIX, "B8G8R8A8");
    let two: Vec<u8> = SIX.iter().flat_map(|&pixel| rgb_555(pixel).to_le_bytes()).collect();
    expect(&numbered(86, 3, 2, &two), 3, &SIX, "B5G5R5A1");
    let ten = [0xc000_03ff, 0xc00f_fc00, 0xfff0_0000, 0xffff_ffff, 0xc000_0000, 0xc000_03ff_u32];
    expect(&numbered(24, 3, 2, &ten.map(u32::to_le_bytes).concat()), 3, &SIX, "R10G10B10A2");
}

#[test]
fn other_kinds_and_lies_are_refused() {
    assert_eq!(code(&named(b"DXT2", 4, &COLORS)), "PICTURE_KIND_UNSUPPORTED");
    assert_eq!(code(&numbered(98, 4, 4, &[0; 16])), "PICTURE_KIND_UNSUPPORTED");
    assert_eq!(code(&named(b"DXT1", 0, &COLORS)), "PICTURE_EMPTY");
    assert_eq!(code(&named(b"DXT1", 8, &COLORS)), "PICTURE_TRUNCATED");
    assert_eq!(code(&named(b"DXT1", 1 << 20, &COLORS)), "PICTURE_TOO_LARGE");
    let error = decode(&named(b"DXT2", 4, &COLORS)).unwrap_err();
    assert_eq!(error.problem(), PictureProblem::PictureKindUnsupported);
    assert_eq!((error.place(), error.found()), ("byte 80", "the pixel format DXT2"));
}
