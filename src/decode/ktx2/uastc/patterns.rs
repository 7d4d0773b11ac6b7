//! Partitions of a block that ASTC and BC7 have in common.

/// A partition, with its numbers in ASTC and BC7.
#[derive(Clone, Copy, Default)]
pub(in crate::decode::ktx2) struct Partition {
    /// ASTC's seed.
    pub(in crate::decode::ktx2) seed: u16,
    /// BC7's number.
    pub(super) bc7: u8,
    /// BC7's texels with a shorter index, for the second and third subset.
    pub(super) anchors: [u8; 2],
    /// ASTC's subset of each texel, two bits each, row after row.
    pub(in crate::decode::ktx2) pattern: u32,
    /// BC7's subset of each texel.
    pub(super) bc7_pattern: u32,
}

/// Partitions into two subsets in both formats.
pub(super) const TWO: [Partition; 30] = [
    two(28, 0, 15, 0xcccc),
    two(20, 1, 15, 0x8888),
    two(16, 2, 15, 0x1111),
    two(29, 3, 15, 0xecc8),
    two(91, 4, 15, 0x377f),
    two(9, 5, 15, 0xfeec),
    two(107, 6, 15, 0x0137),
    two(72, 7, 15, 0x137f),
    two(149, 8, 15, 0xc800),
    two(204, 9, 15, 0x0013),
    two(50, 10, 15, 0xfe80),
    two(114, 11, 15, 0x17ff),
    two(496, 12, 15, 0x0017),
    two(17, 13, 15, 0x00ff),
    two(78, 14, 15, 0xfff0),
    two(39, 15, 15, 0x0fff),
    two(252, 17, 2, 0xff71),
    two(828, 18, 8, 0x8eff),
    two(43, 19, 2, 0x08ce),
    two(156, 20, 2, 0x008c),
    two(116, 21, 8, 0x7310),
    two(210, 22, 8, 0xceff),
    two(476, 23, 15, 0x7331),
    two(273, 24, 2, 0x088c),
    two(684, 25, 8, 0xceef),
    two(359, 26, 2, 0x6666),
    two(246, 29, 8, 0xf00f),
    two(195, 32, 15, 0x5555),
    two(694, 33, 15, 0x0f0f),
    two(524, 52, 15, 0x36c9),
];

/// Partitions into three subsets in both formats.
pub(super) const THREE: [Partition; 11] = [
    three(260, 4, [8, 15], 0xa5a5_0000, 0xa5a5_0000),
    three(74, 8, [8, 15], 0xaa00_5555, 0xaa55_0000),
    three(32, 9, [8, 15], 0xaa00_0055, 0xaa55_5500),
    three(156, 10, [6, 15], 0x0000_aa55, 0xaaaa_5500),
    three(183, 11, [6, 15], 0x2525_2525, 0x9090_9090),
    three(15, 12, [6, 15], 0x9494_9494, 0x9494_9494),
    three(745, 13, [5, 15], 0x5858_5858, 0xa4a4_a4a4),
    three(0, 20, [3, 15], 0x5656_0202, 0xa8a8_5454),
    three(335, 35, [5, 10], 0x9292_9292, 0x2424_2424),
    three(902, 36, [6, 10], 0x55aa_0055, 0x00aa_5500),
    three(254, 57, [10, 15], 0xa050_50a0, 0xa050_50a0),
];

/// Partitions into two subsets in ASTC and three in BC7, of which two are the same.
pub(super) const TWO_OF_THREE: [Partition; 19] = [
    three(36, 10, [6, 15], 0x0000_5500, 0xaaaa_5500),
    three(48, 11, [6, 15], 0x1010_1010, 0x9090_9090),
    three(61, 0, [3, 15], 0x0001_0505, 0xaa68_5050),
    three(137, 2, [15, 8], 0x5050_4000, 0x5a5a_4200),
    three(161, 8, [8, 15], 0x5500_5555, 0xaa55_0000),
    three(183, 13, [5, 15], 0x0404_0404, 0xa4a4_a4a4),
    three(226, 1, [3, 8], 0x5555_5040, 0x6a5a_5040),
    three(281, 33, [15, 3], 0x5050_5054, 0x5090_a0a8),
    three(302, 40, [15, 6], 0x0550_0005, 0x500a_a550),
    three(307, 20, [3, 15], 0x0000_5454, 0xa8a8_5454),
    three(479, 21, [3, 8], 0x1515_0000, 0x6a6a_4040),
    three(495, 58, [8, 15], 0x0500_0005, 0xa0a5_a5a0),
    three(593, 3, [15, 3], 0x0000_5054, 0x5450_a0a8),
    three(594, 32, [8, 15], 0x5555_4000, 0xa9a5_8000),
    three(605, 59, [13, 15], 0x1455_5555, 0x9600_0000),
    three(799, 34, [3, 15], 0x0105_0505, 0xa8a0_9050),
    three(812, 20, [3, 15], 0x0101_5555, 0xa8a8_5454),
    three(988, 14, [3, 15], 0x0105_1450, 0xa9a5_9450),
    three(993, 31, [15, 8], 0x0000_5455, 0x6a5a_0200),
];

/// Makes a partition from a bit for each texel. In BC7, the first texel is always in the first subset.
const fn two(seed: u16, bc7: u8, anchor: u8, bits: u16) -> Partition {
    let (mut pattern, mut texel) = (0, 0);
    while texel < 16 {
        pattern |= ((bits >> texel) as u32 & 1) << (2 * texel);
        texel += 1;
    }
    let bc7_pattern = if bits & 1 == 0 { pattern } else { pattern ^ 0x5555_5555 };
    Partition { seed, bc7, anchors: [anchor, 0], pattern, bc7_pattern }
}

const fn three(seed: u16, bc7: u8, anchors: [u8; 2], pattern: u32, bc7_pattern: u32) -> Partition {
    Partition { seed, bc7, anchors, pattern, bc7_pattern }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The function that makes partitions in the specification of ASTC, for a block of fewer than 31 texels.
    fn subset(seed: u16, x: u32, y: u32, count: u32) -> u32 {
        let (x, y) = (x << 1, y << 1);
        let seed = u32::from(seed) + (count - 1) * 1024;
        let mut hash = seed;
        hash ^= hash >> 15;
        hash = hash.wrapping_sub(hash << 17);
        hash = hash.wrapping_add(hash << 7);
        hash = hash.wrapping_add(hash << 4);
        hash ^= hash >> 5;
        hash = hash.wrapping_add(hash << 16);
        hash ^= hash >> 7;
        hash ^= hash >> 3;
        hash ^= hash << 6;
        hash ^= hash >> 17;
        let part = |shift: u32| (hash >> shift & 15).pow(2);
        let of_three = if count == 3 { 6 } else { 5 };
        let of_two = if seed & 2 != 0 { 4 } else { 5 };
        let (a, b) = if seed & 1 != 0 { (of_two, of_three) } else { (of_three, of_two) };
        let sum =
            |i: u32, j: u32, shift: u32| ((part(i) >> a) * x + (part(j) >> b) * y + (hash >> shift)) & 63;
        let [first, second, third] = [sum(0, 4, 14), sum(8, 12, 10), sum(16, 20, 6)];
        let third = if count < 3 { 0 } else { third };
        match (first >= second && first >= third, second >= third) {
            (true, _) => 0,
            (false, true) => 1,
            (false, false) => 2,
        }
    }

    #[test]
    fn partitions_are_those_of_their_seeds() {
        for (partitions, count) in [(&TWO[..], 2), (&THREE, 3), (&TWO_OF_THREE, 2)] {
            for partition in partitions {
                for texel in 0..16 {
                    let expected = subset(partition.seed, texel & 3, texel >> 2, count);
                    assert_eq!(partition.pattern >> (2 * texel) & 3, expected, "seed {}", partition.seed);
                }
            }
        }
    }

    #[test]
    fn texels_of_one_subset_in_bc7_are_in_one_subset_in_astc() {
        for partition in TWO.iter().chain(&THREE).chain(&TWO_OF_THREE) {
            assert_eq!(partition.bc7_pattern & 3, 0);
            for subset in 0..3 {
                let texels = (0..16).filter(|texel| partition.bc7_pattern >> (2 * texel) & 3 == subset);
                let mut others = texels.map(|texel| partition.pattern >> (2 * texel) & 3);
                let first = others.next();
                assert!(others.all(|other| Some(other) == first));
            }
        }
    }
}
