//! Direct3D's block compression: 4 × 4 texels as two colours, or two numbers, and a code for each texel.
//!
//! ```text
//! BC1  colours                      BC4  numbers
//! BC2  alpha, 4 bits each, colours  BC5  numbers, numbers
//! BC3  numbers for alpha, colours
//! ```

/// RGBA of 4 × 4 texels, row after row.
pub(super) type Block = [[u8; 4]; 16];

pub(super) fn bc1(bytes: [u8; 8]) -> Block {
    colors(bytes, true)
}

pub(super) fn bc2(bytes: [u8; 16]) -> Block {
    let (alphas, rgb) = halves(bytes);
    let alphas = u64::from_le_bytes(alphas);
    let mut texels = colors(rgb, false);
    for (at, [.., alpha]) in texels.iter_mut().enumerate() {
        *alpha = u8::try_from(alphas >> (4 * at) & 0xf).unwrap_or(0xf) * 17;
    }
    texels
}

pub(super) fn bc3(bytes: [u8; 16]) -> Block {
    let (alphas, rgb) = halves(bytes);
    let mut texels = colors(rgb, false);
    for ([.., alpha], number) in texels.iter_mut().zip(numbers(alphas)) {
        *alpha = number;
    }
    texels
}

/// Decodes one channel as grey.
pub(super) fn bc4<const SIGNED: bool>(bytes: [u8; 8]) -> Block {
    numbers(from_zero::<SIGNED>(bytes)).map(|grey| [grey, grey, grey, 255])
}

/// Decodes two channels as the x and y of a normal. z completes it to unit length.
pub(super) fn bc5<const SIGNED: bool>(bytes: [u8; 16]) -> Block {
    let (red, green) = halves(bytes);
    let (red, green) = (numbers(from_zero::<SIGNED>(red)), numbers(from_zero::<SIGNED>(green)));
    let mut texels = Block::default();
    for ((texel, red), green) in texels.iter_mut().zip(red).zip(green) {
        *texel = [red, green, third(red, green), 255];
    }
    texels
}

fn halves(bytes: [u8; 16]) -> ([u8; 8], [u8; 8]) {
    let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = bytes;
    ([a, b, c, d, e, f, g, h], [i, j, k, l, m, n, o, p])
}

/// Decodes colours: two and two interpolated ones. In BC1, if the first isn't above the second, one interpolated and
/// one transparent.
fn colors(bytes: [u8; 8], may_be_clear: bool) -> Block {
    let [a, b, c, d, codes @ ..] = bytes;
    let (first, second) = (u16::from_le_bytes([a, b]), u16::from_le_bytes([c, d]));
    let (from, to) = (rgb_565(first), rgb_565(second));
    let palette = match may_be_clear && first <= second {
        true => [from, to, mixed(from, to, 1, 2), [0; 4]],
        false => [from, to, mixed(from, to, 1, 3), mixed(from, to, 2, 3)],
    };
    let codes = u32::from_le_bytes(codes);
    std::array::from_fn(|at| {
        let code = usize::try_from(codes >> (2 * at) & 3).unwrap_or(0);
        palette.get(code).copied().unwrap_or_default()
    })
}

fn rgb_565(color: u16) -> [u8; 4] {
    let stretched = |value: u16, most: u16| u8::try_from((value * 255 + most / 2) / most).unwrap_or(255);
    [stretched(color >> 11, 31), stretched(color >> 5 & 63, 63), stretched(color & 31, 31), 255]
}

/// Returns the colour at `step` of `steps` from one to the other.
fn mixed(from: [u8; 4], to: [u8; 4], step: u16, steps: u16) -> [u8; 4] {
    let mut mixed = [0; 4];
    for ((mixed, from), to) in mixed.iter_mut().zip(from).zip(to) {
        *mixed = between(from, to, step, steps);
    }
    mixed
}

fn between(from: u8, to: u8, step: u16, steps: u16) -> u8 {
    let sum = u16::from(from) * (steps - step) + u16::from(to) * step;
    u8::try_from((sum + steps / 2) / steps).unwrap_or(255)
}

/// Decodes numbers: two and six interpolated ones. If the first isn't above the second, four interpolated ones, 0 and
/// 255.
fn numbers(bytes: [u8; 8]) -> [u8; 16] {
    let [from, to, a, b, c, d, e, f] = bytes;
    let codes = u64::from_le_bytes([a, b, c, d, e, f, 0, 0]);
    std::array::from_fn(|at| match (u16::try_from(codes >> (3 * at) & 7).unwrap_or(0), from > to) {
        (0, _) => from,
        (1, _) => to,
        (code, true) => between(from, to, code - 1, 7),
        (6, false) => 0,
        (7, false) => 255,
        (code, false) => between(from, to, code - 1, 5),
    })
}

/// Maps signed endpoints from −127..127 to 0..255, in the same order. Unsigned ones stay as they are.
fn from_zero<const SIGNED: bool>(bytes: [u8; 8]) -> [u8; 8] {
    let [from, to, codes @ ..] = bytes;
    let moved = |number: u8| match SIGNED {
        true => {
            let number = number.cast_signed().max(-127);
            u8::try_from(((i32::from(number) + 127) * 255 + 127) / 254).unwrap_or(255)
        }
        false => number,
    };
    let [a, b, c, d, e, f] = codes;
    [moved(from), moved(to), a, b, c, d, e, f]
}

fn third(x: u8, y: u8) -> u8 {
    let signed = |number: u8| f32::from(number) / 127.5 - 1.0;
    let (x, y) = (signed(x), signed(y));
    let z = (1.0 - x * x - y * y).max(0.0).sqrt();
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 127 and 255")]
    let byte = ((z + 1.0) * 127.5).round() as u8;
    byte
}
