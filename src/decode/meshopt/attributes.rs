//! Elements of a fixed size.
//!
//! ```text
//! header · blocks of up to 256 elements · padding · first element · a byte for each channel (version 1)
//!
//! block  control bits (version 1) · for each byte of an element, that byte of all elements of the block
//! bytes  as they are, or all zero (version 1); else two bits for each group of 16: the width of its codes · groups
//! group  16 codes of 0, 1, 2, 4 or 8 bits · a byte for each code whose bits are all set
//! ```
//!
//! Four bytes of an element are a channel. Its bytes become the differences of bytes, of numbers with 16 bits, or the
//! changed bits of numbers with 32.
use super::arithmetic::{read_group, undo_differences};
use super::reader::Reader;
use super::{MeshoptError, MeshoptProblem};

const MAX_STRIDE: usize = 256;
const MAX_BLOCK_ELEMENTS: usize = 256;
const MAX_BLOCK_BYTES: usize = 8192;
pub(super) const GROUP: usize = 16;
/// The longest group: 16 codes of 4 bits and 16 bytes, in a number of bytes that can be a mask.
pub(super) const WINDOW: usize = 32;

/// One byte of each element of a block.
pub(super) type Plane = [[u8; GROUP]; MAX_BLOCK_ELEMENTS / GROUP];

/// The coding of the four bytes of a channel.
#[derive(Clone, Copy)]
pub(super) enum Coding {
    /// Differences of bytes, with the sign in the lowest bit.
    Bytes,
    /// Differences of numbers with 16 bits.
    Shorts,
    /// Changed bits of a number with 32 bits, rotated to the left.
    Bits { rotation: u32 },
}

/// Decodes elements of `stride` bytes.
pub(super) fn decode(stride: usize, stream: &[u8], elements: &mut [u8]) -> Result<(), MeshoptError> {
    if stride == 0 || stride > MAX_STRIDE || !stride.is_multiple_of(4) {
        return Err(MeshoptProblem::Elements.found(stride));
    }
    let (mut reader, version) = Reader::open(stream, 0xa0)?;
    let (channel_count, least_tail): (usize, usize) = if version == 0 { (0, 32) } else { (stride / 4, 24) };
    let channels = reader.take_tail(channel_count)?;
    let mut last = [[0; 4]; MAX_STRIDE / 4];
    for (last, first) in last.iter_mut().zip(reader.take_tail(stride)?.as_chunks().0) {
        *last = *first;
    }
    // Padding, so that decoders can read beyond a group.
    reader.take_tail(least_tail.saturating_sub(stride + channel_count))?;

    let block_elements = ((MAX_BLOCK_BYTES / stride) & !(GROUP - 1)).min(MAX_BLOCK_ELEMENTS);
    let mut planes = [[[0; GROUP]; MAX_BLOCK_ELEMENTS / GROUP]; 4];
    for block in elements.chunks_mut(block_elements * stride) {
        let count = block.len() / stride;
        let controls = reader.take(channel_count)?;
        for (channel, last) in last.iter_mut().take(stride / 4).enumerate() {
            let control = controls.get(channel).copied();
            for (plane, shift) in planes.iter_mut().zip([0, 2, 4, 6]) {
                read_plane(&mut reader, plane, count, control.map(|bits| bits >> shift & 3))?;
            }
            let coding = coding(channels.get(channel).copied().unwrap_or_default())?;
            let target = block.get_mut(4 * channel..).unwrap_or_default();
            undo_differences(&planes, coding, last, target, stride);
        }
    }
    reader.finish()
}

fn coding(channel: u8) -> Result<Coding, MeshoptError> {
    Ok(match channel & 3 {
        0 => Coding::Bytes,
        1 => Coding::Shorts,
        2 => Coding::Bits { rotation: (channel >> 4).into() },
        _ => return Err(MeshoptProblem::Channel.found(channel.into())),
    })
}

/// Reads one byte of each element. `control` has two bits, in version 1.
fn read_plane(
    reader: &mut Reader<'_>,
    plane: &mut Plane,
    count: usize,
    control: Option<u8>,
) -> Result<(), MeshoptError> {
    let widths = match control {
        None => [0, 2, 4, 8],
        Some(0) => [0, 1, 2, 4],
        Some(1) => [1, 2, 4, 8],
        Some(2) => {
            *plane = Plane::default();
            return Ok(());
        }
        Some(_) => {
            for (slot, byte) in plane.as_flattened_mut().iter_mut().zip(reader.take(count)?) {
                *slot = *byte;
            }
            return Ok(());
        }
    };
    let group_count = count.div_ceil(GROUP);
    let headers = reader.take(group_count.div_ceil(4))?;
    for (groups, header) in plane.get_mut(..group_count).unwrap_or_default().chunks_mut(4).zip(headers) {
        let mut header = *header;
        for group in groups.iter_mut() {
            let mut padded = [0; WINDOW];
            let window = reader.rest.first_chunk().unwrap_or_else(|| {
                for (slot, byte) in padded.iter_mut().zip(reader.rest) {
                    *slot = *byte;
                }
                &padded
            });
            #[expect(clippy::indexing_slicing, reason = "the mask is the length")]
            let used = match widths[usize::from(header & 3)] {
                0 => {
                    *group = [0; GROUP];
                    0
                }
                1 => read_group::<1>(window, group),
                2 => read_group::<2>(window, group),
                4 => read_group::<4>(window, group),
                _ => read_group::<8>(window, group),
            };
            reader.take(used)?;
            header >>= 2;
        }
    }
    Ok(())
}
