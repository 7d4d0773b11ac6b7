//! Decoder of Zstandard (RFC 8878) for data of a known size.
mod bits;
mod fse;
mod literals;
mod sequences;

use fse::FseTable;
use literals::Literals;
use sequences::Sequences;

const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// The largest size of a block, compressed or not.
const LARGEST_BLOCK: usize = 128 << 10;

/// Decompresses all frames. Returns `None` if they are invalid, or don't have exactly `size` bytes.
pub(super) fn decode(mut input: &[u8], size: usize) -> Option<Vec<u8>> {
    let mut output = Vec::new();
    output.try_reserve_exact(size).ok()?;
    while !input.is_empty() {
        let magic: [u8; 4] = *take_array(&mut input)?;
        if magic == MAGIC {
            frame(&mut input, size, &mut output)?;
        } else if u32::from_le_bytes(magic) >> 4 == 0x0184_d2a5 {
            // A frame with data of other programs.
            let length = u32::from_le_bytes(*take_array(&mut input)?);
            take(&mut input, length as usize)?;
        } else {
            return None;
        }
    }
    (output.len() == size).then_some(output)
}

fn frame(input: &mut &[u8], size: usize, output: &mut Vec<u8>) -> Option<()> {
    let [flags] = *take_array(input)?;
    let is_single = flags >> 5 & 1;
    let dictionary = *[0, 1, 2, 4].get(usize::from(flags & 3))?;
    let content = *[usize::from(is_single), 2, 4, 8].get(usize::from(flags >> 6))?;
    // The size of the window doesn't matter, since all of the output is kept. A reserved bit must be zero.
    take(input, usize::from(1 - is_single))?;
    let dictionary = take(input, dictionary)?;
    if flags & 8 != 0 || dictionary.iter().any(|&byte| byte != 0) {
        return None;
    }
    take(input, content)?;

    let start = output.len();
    let (mut literals, mut sequences) = (Literals::default(), Sequences::default());
    loop {
        let [a, b, c] = *take_array(input)?;
        let header = u32::from_le_bytes([a, b, c, 0]);
        let length = (header >> 3) as usize;
        let room = size - output.len();
        match header >> 1 & 3 {
            0 => {
                let bytes = take(input, length)?;
                if length > room {
                    return None;
                }
                output.extend_from_slice(bytes);
            }
            1 => {
                let [byte] = *take_array(input)?;
                if length > room {
                    return None;
                }
                output.resize(output.len() + length, byte);
            }
            2 if length <= LARGEST_BLOCK => {
                let mut block = take(input, length)?;
                let bytes = literals.read(&mut block)?;
                let end = output.len() + room.min(LARGEST_BLOCK);
                sequences.write(block, bytes, start, end, output)?;
            }
            _ => return None,
        }
        if header & 1 != 0 {
            break;
        }
    }
    // The checksum isn't compared: wrong texels do no harm, and few writers add it.
    take(input, if flags & 4 != 0 { 4 } else { 0 })?;
    Some(())
}

/// Takes bytes from the beginning of the input.
fn take<'a>(input: &mut &'a [u8], count: usize) -> Option<&'a [u8]> {
    let (taken, rest) = input.split_at_checked(count)?;
    *input = rest;
    Some(taken)
}

fn take_array<'a, const N: usize>(input: &mut &'a [u8]) -> Option<&'a [u8; N]> {
    let (taken, rest) = input.split_first_chunk()?;
    *input = rest;
    Some(taken)
}
