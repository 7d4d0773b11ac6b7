//! Writer of ASTC blocks of 4 × 4 texels with the layouts of UASTC.
use super::bits::{BlockWriter, low_byte};
use super::uastc::block::{Block, SOLID};

/// Writes a block, which keeps its texels exactly.
pub(super) fn write(mut block: Block) -> [u8; 16] {
    if block.number == SOLID {
        return solid(block.solid);
    }
    order(&mut block);
    let mode = block.mode;
    let mut out = BlockWriter::new();
    out.put(u32::from(mode.astc), 11);
    out.put(u32::from(mode.subsets) - 1, 2);
    // The kind of endpoints: luminance and alpha, colour, or colour and alpha.
    let kind = u32::from(mode.channels - 1) * 4;
    if mode.subsets > 1 {
        out.put(u32::from(block.partition.seed), 10);
        out.put(kind << 2, 6);
    } else {
        out.put(kind, 4);
    }
    let count = block.endpoint_count();
    mode.range.write(block.endpoints.get(..count).unwrap_or_default(), &mut out);

    // Weights are stored from the end of the block, their bits in reverse.
    let (bits, weight_count) = (u32::from(mode.weight_bits), if mode.has_two_planes { 32 } else { 16 });
    let mut position = 128;
    for &weight in block.weights.iter().take(weight_count) {
        position -= bits;
        out.put_at(position, u32::from(weight).reverse_bits() >> (32 - bits), bits);
    }
    if mode.has_two_planes {
        out.put_at(position - 2, u32::from(block.second_plane), 2);
    }
    out.finish()
}

/// Writes a block with a single colour.
pub(super) fn solid(color: [u8; 4]) -> [u8; 16] {
    let [red, green, blue, alpha] = color;
    // The position of the block in the texture isn't limited: all its bits are set.
    [0xfc, 0xfd, 255, 255, 255, 255, 255, 255, red, red, green, green, blue, blue, alpha, alpha]
}

/// Exchanges the ends of subsets of which the first is the brighter one. ASTC would read another colour from them.
fn order(block: &mut Block) {
    let channels = usize::from(block.mode.channels);
    if channels < 3 {
        return;
    }
    let most = low_byte((1 << block.mode.weight_bits) - 1);
    let planes = if block.mode.has_two_planes { 2 } else { 1 };
    for subset in 0..usize::from(block.mode.subsets) {
        let [low, high] = block
            .ends(subset)
            .map(|[red, green, blue, _]| u32::from(red) + u32::from(green) + u32::from(blue));
        if low <= high {
            continue;
        }
        for pair in block.endpoints.chunks_exact_mut(2).skip(subset * channels).take(channels) {
            pair.reverse();
        }
        for (texel, weights) in (0..16).zip(block.weights.chunks_exact_mut(planes)) {
            if (block.partition.pattern >> (2 * texel) & 3) as usize == subset {
                weights.iter_mut().for_each(|weight| *weight = most - *weight);
            }
        }
    }
}
