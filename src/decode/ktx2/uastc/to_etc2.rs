//! UASTC as ETC2, by the hints in its blocks. The results equal those of Basis Universal.
use super::block::{Block, SOLID};
use crate::decode::ktx2::bits::{at, low_byte};
use crate::decode::ktx2::etc::{EAC_MODIFIERS, Eac, etc1_texels, levels, nearest, wide5};

type Texels = [[u8; 4]; 16];

/// Writes the colours as ETC1.
pub(super) fn color(block: &Block, texels: &Texels) -> [u8; 8] {
    let hint = &block.etc1;
    let [first, second] = hint.tables;
    let tables = first << 5 | second << 2;
    let differential = u8::from(hint.is_differential) << 1;
    if block.number == SOLID {
        let [red, green, blue] =
            hint.base.map(|value| if hint.is_differential { value << 3 } else { value << 4 | value });
        let [a, b, c, d] = etc1_texels(u32::from(hint.level) * 0x5555_5555);
        return [red, green, blue, tables | differential, a, b, c, d];
    }

    let most = if hint.is_differential { 31 } else { 15 };
    let half_of = |texel: usize| if hint.is_flipped { texel >> 3 } else { texel >> 1 & 1 };
    let mut bases = [[0; 3]; 2];
    for (half, base) in bases.iter_mut().enumerate() {
        for (channel, value) in base.iter_mut().enumerate() {
            let texels = (0..16).zip(texels).filter(|&(texel, _)| half_of(texel) == half);
            let sum: u32 = texels.map(|(_, texel)| u32::from(at(texel, channel))).sum();
            // The mean of eight texels, scaled.
            let mean = low_byte((sum * most + 1020) / (8 * 255));
            *value = match hint.bias {
                Some(bias) => biased(mean, low_byte(most), correction(bias, channel, half)),
                None => mean,
            };
        }
    }
    let [first, second] = bases;
    let mut colors = [0; 3];
    let mut stored = bases;
    for (channel, color) in colors.iter_mut().enumerate() {
        let (first, second) = (at(&first, channel), at(&second, channel));
        *color = match hint.is_differential {
            true => {
                let step = (i16::from(second) - i16::from(first)).clamp(-4, 3);
                let second = first.wrapping_add_signed(i8::try_from(step).unwrap_or(0));
                if let [_, stored] = &mut stored
                    && let Some(stored) = stored.get_mut(channel)
                {
                    *stored = second;
                }
                first << 3 | second.wrapping_sub(first) & 7
            }
            false => first << 4 | second,
        };
    }
    let wide = |value: u8| if hint.is_differential { wide5(value) } else { value << 4 | value };
    let [first_table, second_table] = hint.tables;
    let [first, second] = stored.map(|base| base.map(wide));
    let palettes = [levels(first, first_table), levels(second, second_table)].map(|levels| levels.map(luma));
    let mut chosen = 0;
    for (index, texel) in texels.iter().enumerate() {
        let [dark, middle, bright, brightest] = at(&palettes, half_of(index));
        let [red, green, blue, _] = *texel;
        let value = 2 * luma([red, green, blue]);
        let limits = [dark + middle, middle + bright, bright + brightest];
        let level = limits.map(|limit| u32::from(value >= limit)).iter().sum::<u32>();
        chosen |= level << (2 * index);
    }
    let [red, green, blue] = colors;
    let [a, b, c, d] = etc1_texels(chosen);
    [red, green, blue, tables | differential | u8::from(hint.is_flipped), a, b, c, d]
}

/// Writes alpha as EAC.
pub(super) fn alpha(block: &Block, texels: &Texels) -> [u8; 8] {
    let alphas = texels.map(|[.., alpha]| alpha);
    let least = alphas.iter().copied().min().unwrap_or(0);
    let most = alphas.iter().copied().max().unwrap_or(0);
    if least == most {
        return Eac::flat(least).write([Eac::FLAT; 16]);
    }
    let (table, multiplier) = (block.eac & 15, block.eac >> 4);
    let modifiers = at(&EAC_MODIFIERS, usize::from(table));
    let (lowest, highest) = (f32::from(modifiers[3]), f32::from(modifiers[7]));
    let (low, high) = (f32::from(least), f32::from(most));
    let base = low + (high - low) * (-lowest / (highest - lowest));
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 255")]
    let eac = Eac { base: base.round() as u8, table, multiplier };
    let values = eac.values();
    eac.write(alphas.map(|alpha| nearest(&values, alpha)))
}

/// Returns a measure of brightness, 256 times the luma of a colour.
fn luma([red, green, blue]: [u8; 3]) -> u32 {
    u32::from(red) * 54 + u32::from(green) * 183 + u32::from(blue) * 19
}

/// Returns the step that a number of UASTC's table of corrections stands for, for one channel of one half.
fn correction(bias: u8, channel: usize, half: usize) -> i8 {
    // Steps of one channel in one half.
    const SINGLE: [(u8, usize, usize, i8); 12] = [
        (2, 0, 0, -1),
        (5, 1, 0, -1),
        (6, 2, 0, -1),
        (7, 0, 0, 1),
        (11, 1, 0, 1),
        (15, 2, 0, 1),
        (18, 0, 1, -1),
        (19, 1, 1, -1),
        (20, 2, 1, -1),
        (21, 0, 1, 1),
        (24, 1, 1, 1),
        (8, 2, 1, 1),
    ];
    if let Some(&(_, of_channel, of_half, step)) = SINGLE.iter().find(|(number, ..)| *number == bias) {
        return if (of_channel, of_half) == (channel, half) { step } else { 0 };
    }
    // Steps of all channels in the first and in the second half.
    let (first, second) = match bias {
        10 => (-2, -2),
        27 => (-1, 0),
        28 => (1, -1),
        29 => (0, 1),
        30 => (0, -1),
        31 => (1, 0),
        _ => {
            let step = bias / at(&[1, 3, 9], channel).max(1) % 3;
            return step.cast_signed() - 1;
        }
    };
    if half == 0 { first } else { second }
}

/// Adds a step, which turns around where it would leave the range.
fn biased(value: u8, most: u8, step: i8) -> u8 {
    match (value, step) {
        (0, -2) => 3,
        (0, _) => low_byte(u32::from((step + 1).unsigned_abs())),
        _ if value == most => value.saturating_add_signed(step - 1),
        _ => match value.checked_add_signed(step) {
            Some(sum) if sum <= most => sum,
            _ => value.saturating_add_signed(-step),
        },
    }
}
