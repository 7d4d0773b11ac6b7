//! ASTC's ranges of numbers: a number is some bits, and maybe a digit of base three or five.
use crate::decode::ktx2::bits::{BlockWriter, at, low_byte};

/// A range, by its number of levels.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::decode::ktx2) enum Range {
    L12,
    L16,
    L32,
    L40,
    L48,
    L160,
    L192,
    L256,
}

impl Range {
    /// Returns the number of bits, and the base of the digit, or 1.
    pub(super) fn parts(self) -> (u32, u32) {
        match self {
            Range::L12 => (2, 3),
            Range::L16 => (4, 1),
            Range::L32 => (5, 1),
            Range::L40 => (3, 5),
            Range::L48 => (4, 3),
            Range::L160 => (5, 5),
            Range::L192 => (6, 3),
            Range::L256 => (8, 1),
        }
    }

    /// Returns the value from 0 to 255 of a code.
    pub(in crate::decode::ktx2) fn value(self, code: u8) -> u8 {
        let code = u32::from(code);
        let (bits, _) = self.parts();
        // The bits above the lowest one, and their sum in the specification's table of B.
        let upper = code >> 1 & ((1 << (bits - 1)) - 1);
        let (step, sum) = match self {
            Range::L16 => return low_byte(code * 17),
            Range::L32 => return low_byte(code << 3 | code >> 2),
            Range::L256 => return low_byte(code),
            Range::L12 => (93, upper * 0x116),
            Range::L40 => (26, (upper * 0x82) | upper >> 1),
            Range::L48 => (22, upper << 6 | upper),
            Range::L160 => (6, upper << 5 | upper >> 3),
            Range::L192 => (5, upper << 4 | upper >> 4),
        };
        let flip = if code & 1 == 0 { 0 } else { 511 };
        let value = ((code >> bits) * step + sum) ^ flip;
        low_byte(flip & 0x80 | value >> 2)
    }

    /// Reads codes as UASTC stores them: first all digits in groups of five or three, then the bits.
    pub(super) fn read(self, codes: &mut [u8], take: &mut impl FnMut(u32) -> u8) {
        let (bits, base) = self.parts();
        if base > 1 {
            // The number of bits for one to five digits of base three, and for one to three of base five.
            let sizes: &[u8] = if base == 3 { &[2, 4, 5, 7, 8] } else { &[3, 5, 7] };
            for group in codes.chunks_mut(sizes.len()) {
                let mut digits = u32::from(take(u32::from(at(sizes, group.len() - 1))));
                for code in group {
                    *code = low_byte((digits % base) << bits);
                    digits /= base;
                }
            }
        }
        for code in codes {
            *code |= take(bits);
        }
    }

    /// Writes codes as ASTC stores them: the bits of the digits between those of the numbers.
    pub(in crate::decode::ktx2) fn write(self, codes: &[u8], block: &mut BlockWriter) {
        let (bits, base) = self.parts();
        // How many bits of the digits follow each number.
        let (length, follow): (usize, [u32; 5]) = match base {
            3 => (5, [2, 2, 1, 2, 1]),
            5 => (3, [3, 2, 2, 0, 0]),
            _ => (1, [0; 5]),
        };
        for group in codes.chunks(length) {
            let digits =
                group.iter().rev().fold(0, |digits, code| digits * base + (u32::from(*code) >> bits));
            let mut packed = u32::from(match base {
                3 => at(&THREES, digits as usize),
                5 => at(&FIVES, digits as usize),
                _ => 0,
            });
            for (code, follow) in group.iter().zip(follow) {
                block.put(u32::from(*code), bits);
                block.put(packed, follow);
                packed >>= follow;
            }
        }
    }
}

/// The eight bits for five digits of base three, the first of several possible ones.
#[allow(clippy::cast_possible_truncation, clippy::indexing_slicing, reason = "checked when it is compiled")]
const THREES: [u8; 243] = {
    let mut table = [0; 243];
    let mut packed = 256;
    while packed > 0 {
        packed -= 1;
        table[threes(packed)] = packed as u8;
    }
    table
};

/// The seven bits for three digits of base five.
#[allow(clippy::cast_possible_truncation, clippy::indexing_slicing, reason = "checked when it is compiled")]
const FIVES: [u8; 125] = {
    let mut table = [0; 125];
    let mut packed = 0;
    while packed < 128 {
        table[fives(packed)] = packed as u8;
        packed += 1;
    }
    table
};

/// Decodes five digits of base three, as the section “Integer sequence encoding” of ASTC's specification describes.
const fn threes(packed: usize) -> usize {
    let (fourth, fifth, rest) = if packed >> 2 & 7 == 7 {
        (2, 2, packed >> 5 << 2 | packed & 3)
    } else if packed >> 5 & 3 == 3 {
        (packed >> 7, 2, packed & 31)
    } else {
        (packed >> 5 & 3, packed >> 7, packed & 31)
    };
    // A pair of bits is a digit whose lower bit counts only without the upper one.
    let (first, second, third) = if rest & 3 == 3 {
        (rest >> 2 & (3 ^ (rest >> 3 & 1)), rest >> 4 & 1, 2)
    } else if rest >> 2 & 3 == 3 {
        (rest & 3, 2, 2)
    } else {
        (rest & (3 ^ (rest >> 1 & 1)), rest >> 2 & 3, rest >> 4 & 1)
    };
    first + 3 * second + 9 * third + 27 * fourth + 81 * fifth
}

/// Decodes three digits of base five.
const fn fives(packed: usize) -> usize {
    let (first, second, third);
    if packed >> 1 & 3 == 3 && packed >> 5 & 3 == 0 {
        let low = packed & 1;
        (first, second, third) = (4, 4, low << 2 | ((packed >> 3 & 3) * (1 - low)));
    } else {
        let rest;
        if packed >> 1 & 3 == 3 {
            (third, rest) = (4, (packed >> 3 & 3) << 3 | (!packed >> 5 & 3) << 1 | packed & 1);
        } else {
            (third, rest) = (packed >> 5 & 3, packed & 31);
        }
        if rest & 7 == 5 {
            (first, second) = (rest >> 3 & 3, 4);
        } else {
            (first, second) = (rest & 7, rest >> 3 & 3);
        }
    }
    first + 5 * second + 25 * third
}
