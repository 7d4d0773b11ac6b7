//! Mode 0 of the extension: elements of any meaning, such as vertices and keys.
//!
//! ```text
//! header │ block: (control modes) byte 0 of all its elements, byte 1, … │ block … │ padding │ first element (modes)
//! ```
//! Each byte of an element is stored as its difference from the previous element, in groups of 16 elements with as
//! many bits as they need.

/// The version of the bitstream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// For both extensions.
    Zero,
    /// For `KHR_meshopt_compression` only.
    One,
}

/// Encodes elements of `stride` bytes. Returns `None` unless the stride is a multiple of 4 up to 256 and `bytes` are
/// whole elements.
pub fn encode_attributes(bytes: &[u8], stride: usize, version: Version) -> Option<Vec<u8>> {
    if !(4..=256).contains(&stride) || !stride.is_multiple_of(4) || !bytes.len().is_multiple_of(stride) {
        return None;
    }
    let is_first = version == Version::Zero;
    let mut modes = Vec::with_capacity(stride / 4);
    let mut planes: Vec<Vec<u8>> = Vec::with_capacity(stride);
    for channel in 0..stride / 4 {
        let word = |element: &[u8]| {
            element
                .get(channel * 4..)
                .and_then(|rest| rest.first_chunk())
                .map(|bytes| u32::from_le_bytes(*bytes))
        };
        let words: Vec<u32> = bytes.chunks_exact(stride).filter_map(word).collect();
        let mode = if is_first { Mode::Bytes } else { best_mode(&words) };
        modes.push(mode.code());
        planes.extend(planes_of(&words, mode));
    }

    let mut encoded = vec![if is_first { 0xa0 } else { 0xa1 }];
    let block_len = ((8192 / stride) & !15).min(256);
    let count = bytes.len() / stride;
    for start in (0..count).step_by(block_len) {
        let range = start..count.min(start + block_len);
        let blocks: Vec<Block> = planes
            .iter()
            .map(|plane| Block::of(plane.get(range.clone()).unwrap_or_default(), version))
            .collect();
        if !is_first {
            let pack =
                |four: &[Block]| four.iter().rev().fold(0, |packed, block| packed << 2 | block.control);
            encoded.extend(blocks.chunks(4).map(pack));
        }
        blocks.iter().for_each(|block| encoded.extend_from_slice(&block.bytes));
    }

    let least_tail = if is_first { 32 } else { 24 };
    let modes: &[u8] = if is_first { &[] } else { &modes };
    let tail_len = stride + modes.len();
    encoded.resize(encoded.len() + least_tail.max(tail_len) - tail_len, 0);
    match bytes.get(..stride) {
        Some(first) => encoded.extend_from_slice(first),
        None => encoded.resize(encoded.len() + stride, 0),
    }
    encoded.extend_from_slice(modes);
    Some(encoded)
}

/// How the difference of four bytes from those of the previous element is computed.
#[derive(Clone, Copy)]
enum Mode {
    Bytes,
    Halves,
    /// Exclusive or, rotated to the left.
    Xor(u8),
}

impl Mode {
    fn code(self) -> u8 {
        match self {
            Self::Bytes => 0,
            Self::Halves => 1,
            Self::Xor(rotation) => rotation << 4 | 2,
        }
    }

    fn difference(self, from: u32, to: u32) -> [u8; 4] {
        match self {
            Self::Bytes => {
                let (from, to) = (from.to_le_bytes(), to.to_le_bytes());
                let mut zigzag = [0; 4];
                for (zigzag, (from, to)) in zigzag.iter_mut().zip(from.into_iter().zip(to)) {
                    let difference = to.wrapping_sub(from);
                    *zigzag = difference << 1 ^ if difference >> 7 == 1 { u8::MAX } else { 0 };
                }
                zigzag
            }
            Self::Halves => {
                let half = |shift: u32| {
                    let difference = (to >> shift & 0xffff).wrapping_sub(from >> shift & 0xffff) & 0xffff;
                    let zigzag = difference << 1 ^ if difference >> 15 == 1 { u32::MAX } else { 0 };
                    (zigzag & 0xffff) << shift
                };
                (half(0) | half(16)).to_le_bytes()
            }
            Self::Xor(rotation) => (from ^ to).rotate_left(rotation.into()).to_le_bytes(),
        }
    }
}

/// Returns the mode that gives the fewest bytes, judged by the first elements.
fn best_mode(words: &[u32]) -> Mode {
    const JUDGED: usize = 2048;
    let words = words.get(..JUDGED).unwrap_or(words);
    let cost = |mode: &Mode| -> usize {
        let planes = planes_of(words, *mode);
        planes
            .iter()
            .flat_map(|plane| plane.chunks(256))
            .map(|part| Block::of(part, Version::One).bytes.len())
            .sum()
    };
    let modes = [Mode::Bytes, Mode::Halves].into_iter().chain((0..16).map(Mode::Xor));
    modes.min_by_key(cost).unwrap_or(Mode::Bytes)
}

/// Returns the differences of each of the four bytes. The first element differs from itself.
fn planes_of(words: &[u32], mode: Mode) -> [Vec<u8>; 4] {
    let mut planes = [const { Vec::new() }; 4];
    planes.iter_mut().for_each(|plane| plane.reserve(words.len()));
    let mut from = words.first().copied().unwrap_or_default();
    for &to in words {
        for (plane, byte) in planes.iter_mut().zip(mode.difference(from, to)) {
            plane.push(byte);
        }
        from = to;
    }
    planes
}

/// Differences of one byte of the elements of a block.
struct Block {
    control: u8,
    bytes: Vec<u8>,
}

impl Block {
    fn of(differences: &[u8], version: Version) -> Self {
        if version == Version::Zero {
            return Self { control: 0, bytes: packed(differences, [0, 2, 4, 8]) };
        }
        if differences.iter().all(|&difference| difference == 0) {
            return Self { control: 2, bytes: Vec::new() };
        }
        let few = Self { control: 0, bytes: packed(differences, [0, 1, 2, 4]) };
        let many = Self { control: 1, bytes: packed(differences, [1, 2, 4, 8]) };
        let best = if few.bytes.len() <= many.bytes.len() { few } else { many };
        if best.bytes.len() < differences.len() {
            return best;
        }
        Self { control: 3, bytes: differences.to_vec() }
    }
}

const GROUP: usize = 16;

/// Packs groups of 16, each with the cheapest of four numbers of bits. The choices come first, four in a byte.
fn packed(differences: &[u8], bits: [u8; 4]) -> Vec<u8> {
    let group_count = differences.len().div_ceil(GROUP);
    let mut choices = Vec::with_capacity(group_count);
    let mut groups = Vec::with_capacity(differences.len());
    for part in differences.chunks(GROUP) {
        let mut group = [0; GROUP];
        group.iter_mut().zip(part).for_each(|(slot, &difference)| *slot = difference);
        let best = (0_u8..).zip(bits).min_by_key(|&(_, bits)| cost(&group, bits));
        let (choice, bits) = best.unwrap_or_default();
        choices.push(choice);
        push_group(&mut groups, &group, bits);
    }
    let pack = |four: &[u8]| four.iter().rev().fold(0, |packed, choice| packed << 2 | choice);
    let mut packed: Vec<u8> = choices.chunks(4).map(pack).collect();
    packed.append(&mut groups);
    packed
}

/// Returns the number from which on differences are stored as whole bytes behind the group.
fn sentinel(bits: u8) -> u8 {
    u8::MAX >> (8 - bits.clamp(1, 8))
}

fn cost(group: &[u8; GROUP], bits: u8) -> usize {
    match bits {
        0 if group.iter().all(|&difference| difference == 0) => 0,
        0 => usize::MAX,
        8 => GROUP,
        _ => {
            let whole = group.iter().filter(|&&difference| difference >= sentinel(bits)).count();
            usize::from(bits) * GROUP / 8 + whole
        }
    }
}

fn push_group(bytes: &mut Vec<u8>, group: &[u8; GROUP], bits: u8) {
    match bits {
        0 => {}
        8 => bytes.extend_from_slice(group),
        _ => {
            let limit = sentinel(bits);
            let pack = |part: &[u8]| {
                let push = |packed: u8, difference: &u8| packed << bits | (*difference).min(limit);
                // Single bits begin at the lowest one of a byte, pairs and quadruples at the highest ones.
                if bits == 1 { part.iter().rev().fold(0, push) } else { part.iter().fold(0, push) }
            };
            bytes.extend(group.chunks(8 / usize::from(bits)).map(pack));
            bytes.extend(group.iter().filter(|&&difference| difference >= limit));
        }
    }
}
