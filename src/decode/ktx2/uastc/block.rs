//! A block of UASTC: 16 texels with up to three pairs of colours, and weights between these.
use super::patterns::{Partition, THREE, TWO, TWO_OF_THREE};
use super::range::Range;
use crate::decode::ktx2::bits::{BlockReader, at, low_byte};

/// The mode of blocks with a single colour.
pub(in crate::decode::ktx2) const SOLID: usize = 8;

/// The layout of the blocks of one mode.
#[derive(Clone, Copy)]
pub(in crate::decode::ktx2) struct Mode {
    /// The bits at the beginning of the block, and their number.
    code: u8,
    code_bits: u8,
    pub(in crate::decode::ktx2) weight_bits: u8,
    pub(in crate::decode::ktx2) range: Range,
    pub(in crate::decode::ktx2) subsets: u8,
    pub(in crate::decode::ktx2) has_two_planes: bool,
    /// Number of channels: luminance and alpha, colour, or colour and alpha.
    pub(in crate::decode::ktx2) channels: u8,
    /// Whether there are hints for BC1 and a correction of ETC1's colours.
    hints: Hints,
    /// ASTC's block mode.
    pub(in crate::decode::ktx2) astc: u16,
}

/// The bits of hints for other formats.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Hints {
    /// Two for BC1, eight for ETC1, five for the correction.
    Full,
    /// One for BC1, eight for ETC1.
    Short,
}

pub(in crate::decode::ktx2) const MODES: [Mode; 19] = {
    use Hints::{Full, Short};
    use Range::{L12, L16, L32, L40, L48, L160, L192, L256};
    [
        mode(0x01, 4, 4, L192, 1, 1, 3, Full, 0x242),
        mode(0x35, 6, 2, L256, 1, 1, 3, Full, 0x042),
        mode(0x1d, 5, 3, L16, 2, 1, 3, Full, 0x053),
        mode(0x03, 5, 2, L12, 3, 1, 3, Full, 0x042),
        mode(0x13, 5, 2, L40, 2, 1, 3, Full, 0x042),
        mode(0x0b, 5, 3, L256, 1, 1, 3, Full, 0x053),
        mode(0x1b, 5, 2, L160, 1, 2, 3, Full, 0x442),
        mode(0x07, 5, 2, L40, 2, 1, 3, Full, 0x042),
        mode(0x17, 5, 0, L256, 0, 1, 4, Short, 0),
        mode(0x0f, 5, 2, L16, 2, 1, 4, Full, 0x042),
        mode(0x02, 3, 4, L48, 1, 1, 4, Short, 0x242),
        mode(0x00, 2, 2, L48, 1, 2, 4, Short, 0x442),
        mode(0x06, 3, 3, L192, 1, 1, 4, Short, 0x053),
        mode(0x1f, 5, 1, L256, 1, 2, 4, Full, 0x441),
        mode(0x0d, 5, 2, L256, 1, 1, 4, Full, 0x042),
        mode(0x05, 7, 4, L256, 1, 1, 2, Full, 0x242),
        mode(0x15, 6, 2, L256, 2, 1, 2, Full, 0x042),
        mode(0x25, 6, 2, L256, 1, 2, 2, Full, 0x442),
        mode(0x09, 4, 5, L32, 1, 1, 3, Full, 0x253),
    ]
};

#[allow(clippy::too_many_arguments, reason = "a row of a table")]
const fn mode(
    code: u8,
    code_bits: u8,
    weight_bits: u8,
    range: Range,
    subsets: u8,
    planes: u8,
    channels: u8,
    hints: Hints,
    astc: u16,
) -> Mode {
    Mode { code, code_bits, weight_bits, range, subsets, has_two_planes: planes == 2, channels, hints, astc }
}

/// The mode of each value of the first seven bits. One value is reserved.
#[allow(clippy::cast_possible_truncation, clippy::indexing_slicing, reason = "checked when it is compiled")]
const MODE_OF_CODE: [u8; 128] = {
    let mut table = [19; 128];
    let mut mode = 0;
    while mode < MODES.len() {
        let mut code = MODES[mode].code as usize;
        while code < 128 {
            table[code] = mode as u8;
            code += 1 << MODES[mode].code_bits;
        }
        mode += 1;
    }
    table
};

/// A block with its fields apart.
pub(in crate::decode::ktx2) struct Block {
    pub(in crate::decode::ktx2) number: usize,
    pub(in crate::decode::ktx2) mode: &'static Mode,
    pub(in crate::decode::ktx2) partition: &'static Partition,
    /// The channel of the second plane.
    pub(in crate::decode::ktx2) second_plane: u8,
    /// Pairs of codes: for each subset and channel, the lower and the upper end.
    pub(in crate::decode::ktx2) endpoints: [u8; 18],
    /// For each texel, a weight, or two with two planes.
    pub(in crate::decode::ktx2) weights: [u8; 32],
    /// The colour of a block with a single one.
    pub(in crate::decode::ktx2) solid: [u8; 4],
    pub(in crate::decode::ktx2) etc1: Etc1Hint,
    /// EAC's table, and the multiplier above it.
    pub(in crate::decode::ktx2) eac: u8,
}

/// How the block is best written as ETC1.
#[derive(Default)]
pub(in crate::decode::ktx2) struct Etc1Hint {
    pub(in crate::decode::ktx2) is_flipped: bool,
    pub(in crate::decode::ktx2) is_differential: bool,
    pub(in crate::decode::ktx2) tables: [u8; 2],
    /// Correction of the mean colours.
    pub(in crate::decode::ktx2) bias: Option<u8>,
    /// For a block with a single colour: the level of its texels, and the colour.
    pub(in crate::decode::ktx2) level: u8,
    pub(in crate::decode::ktx2) base: [u8; 3],
}

impl Block {
    /// Reads a block. Returns `None` for a reserved mode or partition.
    pub(in crate::decode::ktx2) fn read(bytes: &[u8; 16]) -> Option<Self> {
        let mut bits = BlockReader::new(bytes);
        let number = usize::from(at(&MODE_OF_CODE, bits.peek(7) as usize));
        let mode = MODES.get(number)?;
        bits.take(u32::from(mode.code_bits));
        let mut take = |count: u32| low_byte(bits.take(count));
        let mut block = Self::of(number, mode);
        if number == SOLID {
            block.solid = [take(8), take(8), take(8), take(8)];
            block.etc1.is_differential = take(1) != 0;
            block.etc1.tables = [take(3); 2];
            block.etc1.level = take(2);
            block.etc1.base = [take(5), take(5), take(5)];
            return Some(block);
        }

        take(if mode.hints == Hints::Full { 2 } else { 1 });
        block.etc1.is_flipped = take(1) != 0;
        block.etc1.is_differential = take(1) != 0;
        block.etc1.tables = [take(3), take(3)];
        if mode.hints == Hints::Full {
            block.etc1.bias = Some(take(5));
        }
        if mode.channels != 3 {
            block.eac = take(8);
        }
        block.partition = match (mode.subsets, number) {
            (2, 7) => TWO_OF_THREE.get(usize::from(take(5)))?,
            (2, _) => TWO.get(usize::from(take(5)))?,
            (3, _) => THREE.get(usize::from(take(4)))?,
            _ => block.partition,
        };
        if mode.has_two_planes {
            block.second_plane = if mode.channels == 2 { 3 } else { take(2) };
        }
        let count = block.endpoint_count();
        mode.range.read(block.endpoints.get_mut(..count)?, &mut take);
        block.read_weights(take);
        Some(block)
    }

    /// Makes a block with one subset and nothing in it.
    pub(in crate::decode::ktx2) fn of(number: usize, mode: &'static Mode) -> Self {
        const WHOLE: &Partition = &Partition { seed: 0, bc7: 0, anchors: [0; 2], pattern: 0, bc7_pattern: 0 };
        Self {
            number,
            mode,
            partition: WHOLE,
            second_plane: 0,
            endpoints: [0; 18],
            weights: [0; 32],
            solid: [0; 4],
            etc1: Etc1Hint::default(),
            eac: 0,
        }
    }

    pub(in crate::decode::ktx2) fn endpoint_count(&self) -> usize {
        2 * usize::from(self.mode.channels) * usize::from(self.mode.subsets)
    }

    /// Reads the weights. The first one of each subset has a bit less, since its highest bit is always zero.
    fn read_weights(&mut self, mut take: impl FnMut(u32) -> u8) {
        let (bits, planes) = (u32::from(self.mode.weight_bits), if self.mode.has_two_planes { 2 } else { 1 });
        let mut seen = 0;
        for (texel, weights) in (0..16).zip(self.weights.chunks_exact_mut(planes)) {
            let subset = 1 << (self.partition.pattern >> (2 * texel) & 3);
            let missing = u32::from(seen & subset == 0);
            seen |= subset;
            for weight in weights {
                *weight = take(bits - missing);
            }
        }
    }

    /// Returns the colours between which the texels of a subset are.
    pub(in crate::decode::ktx2) fn ends(&self, subset: usize) -> [[u8; 4]; 2] {
        let channels = usize::from(self.mode.channels);
        let end = |channel: usize, end: usize| {
            self.mode.range.value(at(&self.endpoints, 2 * (subset * channels + channel) + end))
        };
        [0, 1].map(|side| match channels {
            2 => {
                let grey = end(0, side);
                [grey, grey, grey, end(1, side)]
            }
            3 => [end(0, side), end(1, side), end(2, side), 255],
            _ => [end(0, side), end(1, side), end(2, side), end(3, side)],
        })
    }

    /// Returns the texels, row after row.
    pub(in crate::decode::ktx2) fn texels(&self) -> [[u8; 4]; 16] {
        if self.number == SOLID {
            return [self.solid; 16];
        }
        let bits = u32::from(self.mode.weight_bits);
        // At most 32 colours: the modes with several subsets have fewer weights.
        let mut palette = [[0; 4]; 32];
        let (subsets, _) = palette.split_at_mut(usize::from(self.mode.subsets) << bits);
        for (subset, colors) in subsets.chunks_exact_mut(1 << bits).enumerate() {
            let [low, high] = self.ends(subset);
            for (weight, color) in (0..).zip(colors) {
                let weight = weight_of_64(weight, bits);
                for ((channel, low), high) in color.iter_mut().zip(low).zip(high) {
                    *channel = between(low, high, weight);
                }
            }
        }
        let color = |subset: u32, weight: u8| at(&palette, (subset << bits) as usize | usize::from(weight));
        let mut texels = [[0; 4]; 16];
        if self.mode.has_two_planes {
            for (texel, weights) in texels.iter_mut().zip(self.weights.as_chunks().0) {
                let [first, second] = *weights;
                *texel = color(0, first);
                let channel = usize::from(self.second_plane & 3);
                if let (Some(channel), other) = (texel.get_mut(channel), at(&color(0, second), channel)) {
                    *channel = other;
                }
            }
        } else {
            for ((index, texel), weight) in (0..).zip(&mut texels).zip(self.weights) {
                *texel = color(self.partition.pattern >> (2 * index) & 3, weight);
            }
        }
        texels
    }
}

/// Returns a weight of `bits` bits as one of 0 to 64.
fn weight_of_64(weight: u32, bits: u32) -> u32 {
    let wide = match bits {
        1 => weight * 63,
        2 => weight * 21,
        3 => weight * 9,
        4 => weight << 2 | weight >> 2,
        _ => weight << 1 | weight >> 4,
    };
    wide + u32::from(wide > 32)
}

/// Interpolates as ASTC does for textures that aren't in sRGB.
#[inline(always)]
fn between(low: u8, high: u8, weight: u32) -> u8 {
    let wide = |value: u8| u32::from(value) * 257;
    low_byte((wide(low) * (64 - weight) + wide(high) * weight + 32) >> 14)
}
