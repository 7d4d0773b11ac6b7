//! Writer of BC7 blocks.
use super::bits::{BlockWriter, at, low_byte};

/// Number of subsets; bits of the partition's number, of colours, of alpha, and of indices.
const MODES: [[u8; 5]; 8] = [
    [3, 4, 4, 0, 3],
    [2, 6, 6, 0, 3],
    [3, 6, 5, 0, 2],
    [2, 6, 7, 0, 2],
    [1, 0, 5, 6, 2],
    [1, 0, 7, 8, 2],
    [1, 0, 7, 7, 4],
    [2, 6, 5, 5, 2],
];

/// The fields of a block.
#[derive(Default)]
pub(super) struct Bc7 {
    pub(super) mode: u8,
    pub(super) partition: u8,
    /// The subset of each texel, two bits each.
    pub(super) pattern: u32,
    /// The texels of the second and third subset that have a shorter index.
    pub(super) anchors: [u8; 2],
    /// The channel that is exchanged with alpha, plus one.
    pub(super) rotation: u8,
    /// For each subset, the colours at both ends and their lowest bits.
    pub(super) ends: [[[u8; 4]; 2]; 3],
    pub(super) lowest: [[u8; 2]; 3],
    pub(super) indices: [u8; 16],
    /// Indices of alpha, in mode 5.
    pub(super) alphas: [u8; 16],
}

impl Bc7 {
    pub(super) fn write(mut self) -> [u8; 16] {
        let mode = self.mode & 7;
        let [subsets, partition_bits, color_bits, alpha_bits, index_bits] = at(&MODES, usize::from(mode));
        let has_alphas = mode == 5;
        let [second, third] = self.anchors;
        let anchors = [0, second, third];
        let most = (1 << index_bits) - 1;
        let count = usize::from(subsets);
        let subset_of = |texel: usize| (self.pattern >> (2 * texel) & 3) as usize;
        for (subset, anchor) in anchors.iter().enumerate().take(count) {
            let (Some(ends), Some(lowest)) = (self.ends.get_mut(subset), self.lowest.get_mut(subset)) else {
                break;
            };
            if at(&self.indices, usize::from(*anchor)) * 2 > most {
                for (texel, index) in self.indices.iter_mut().enumerate() {
                    if subset_of(texel) == subset {
                        *index = most - *index;
                    }
                }
                ends.reverse();
                lowest.reverse();
                if has_alphas {
                    let [[.., low], [.., high]] = ends;
                    std::mem::swap(low, high);
                }
            }
            if has_alphas && at(&self.alphas, 0) * 2 > most {
                self.alphas.iter_mut().for_each(|index| *index = most - *index);
                let [[.., low], [.., high]] = ends;
                std::mem::swap(low, high);
            }
        }
        let mut block = BlockWriter::new();
        let mut put = |number: u8, count: u8| block.put(u32::from(number), u32::from(count));
        put(low_byte(1 << mode), mode + 1);
        put(self.rotation, if has_alphas { 2 } else { 0 });
        put(self.partition, partition_bits);
        for (channel, bits) in [color_bits, color_bits, color_bits, alpha_bits].into_iter().enumerate() {
            for end in self.ends.iter().take(count).flatten() {
                put(at(end, channel), bits);
            }
        }
        for [low, high] in self.lowest.into_iter().take(count) {
            match mode {
                1 => put(low, 1),
                0 | 3 | 6 | 7 => {
                    put(low, 1);
                    put(high, 1);
                }
                _ => {}
            }
        }
        for (texel, index) in (0..16).zip(self.indices) {
            let is_anchor = anchors.iter().take(count).any(|&anchor| anchor == texel);
            put(index, index_bits - u8::from(is_anchor));
        }
        if has_alphas {
            for (texel, index) in (0..16).zip(self.alphas) {
                put(index, if texel == 0 { 1 } else { 2 });
            }
        }
        block.finish()
    }
}
