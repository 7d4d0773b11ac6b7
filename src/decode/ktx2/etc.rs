//! Writers of the blocks of ETC1, which ETC2 contains, and of EAC, which is ETC2's alpha.
use super::bits::{at, low_byte};

/// ETC1's tables of modifiers: for the two inner and the two outer levels.
pub(super) const MODIFIERS: [[u8; 2]; 8] =
    [[2, 8], [5, 17], [9, 29], [13, 42], [18, 60], [24, 80], [33, 106], [47, 183]];

/// EAC's tables of modifiers.
pub(super) const EAC_MODIFIERS: [[i8; 8]; 16] = [
    [-3, -6, -9, -15, 2, 5, 8, 14],
    [-3, -7, -10, -13, 2, 6, 9, 12],
    [-2, -5, -8, -13, 1, 4, 7, 12],
    [-2, -4, -6, -13, 1, 3, 5, 12],
    [-3, -6, -8, -12, 2, 5, 7, 11],
    [-3, -7, -9, -11, 2, 6, 8, 10],
    [-4, -7, -8, -11, 3, 6, 7, 10],
    [-3, -5, -8, -11, 2, 4, 7, 10],
    [-2, -6, -8, -10, 1, 5, 7, 9],
    [-2, -5, -8, -10, 1, 4, 7, 9],
    [-2, -4, -8, -10, 1, 3, 7, 9],
    [-2, -5, -7, -10, 1, 4, 6, 9],
    [-3, -4, -7, -10, 2, 3, 6, 9],
    [-1, -2, -3, -10, 0, 1, 2, 9],
    [-4, -6, -8, -9, 3, 5, 7, 8],
    [-3, -5, -7, -9, 2, 4, 6, 8],
];

/// Returns the four levels of a colour, from the darkest to the brightest.
pub(super) fn levels(color: [u8; 3], table: u8) -> [[u8; 3]; 4] {
    let [inner, outer] = at(&MODIFIERS, usize::from(table));
    [
        color.map(|value| value.saturating_sub(outer)),
        color.map(|value| value.saturating_sub(inner)),
        color.map(|value| value.saturating_add(inner)),
        color.map(|value| value.saturating_add(outer)),
    ]
}

/// Expands a number of five bits to eight.
pub(super) fn wide5(value: u8) -> u8 {
    value << 3 | value >> 2
}

/// Writes the levels of the texels, given two bits each, row after row. Levels go from the darkest to the brightest.
pub(super) fn etc1_texels(levels: u32) -> [u8; 4] {
    let (mut low, mut high) = (0_u32, 0_u32);
    for texel in 0..16 {
        // ETC1 numbers the levels 3, 2, 0, 1, and the texels by columns.
        let level = levels >> (2 * texel) & 3;
        let position = (texel & 3) * 4 + (texel >> 2);
        low |= u32::from(level == 0 || level == 3) << position;
        high |= u32::from(level < 2) << position;
    }
    (high << 16 | low).to_be_bytes()
}

/// An EAC block's base, table and multiplier.
#[derive(Clone, Copy, Default)]
pub(super) struct Eac {
    pub(super) base: u8,
    pub(super) table: u8,
    pub(super) multiplier: u8,
}

impl Eac {
    /// A block of which all texels with [`FLAT`](Self::FLAT) have one value.
    pub(super) fn flat(base: u8) -> Self {
        Self { base, table: 13, multiplier: 1 }
    }

    /// The number of the modifier 0 in the table of [`flat`](Self::flat).
    pub(super) const FLAT: u8 = 4;

    /// Returns the eight values that texels can have.
    pub(super) fn values(self) -> [u8; 8] {
        at(&EAC_MODIFIERS, usize::from(self.table)).map(|modifier| {
            let value = i32::from(self.base) + i32::from(modifier) * i32::from(self.multiplier);
            u8::try_from(value.clamp(0, 255)).unwrap_or(0)
        })
    }

    /// Writes a block with the number of a modifier for each texel, row after row.
    pub(super) fn write(self, texels: [u8; 16]) -> [u8; 8] {
        let mut bits = 0_u64;
        for column in 0..4 {
            for row in 0..4 {
                bits = bits << 3 | u64::from(at(&texels, 4 * row + column));
            }
        }
        let [_, _, texels @ ..] = bits.to_be_bytes();
        let [a, b, c, d, e, f] = texels;
        [self.base, self.multiplier << 4 | self.table, a, b, c, d, e, f]
    }
}

/// Returns the position of the value that is nearest to another one, the first of several.
pub(super) fn nearest(values: &[u8], value: u8) -> u8 {
    let distances = (0..).zip(values).map(|(index, &other)| (other.abs_diff(value), index));
    low_byte(distances.min().map_or(0, |(_, index)| index))
}
