//! Connectivity in the sequential encoding: the points of triangles one after the other.
use super::error::{Result, invalid};
use super::memory::Memory;
use super::rans::symbols;
use super::reader::Reader;

/// Decodes the points of triangles, and the number of points. The points may exceed that number.
pub(super) fn decode(reader: &mut Reader, memory: &mut Memory) -> Result<(Vec<u32>, u32)> {
    let face_count = reader.varint()?;
    let point_count = reader.varint()?;
    let count = (face_count as usize).saturating_mul(3);
    let is_plain = reader.u8()? > 0;
    let mut indices = memory.empty(count)?;
    if is_plain {
        for _ in 0..count {
            indices.push(match point_count {
                0..0x100 => reader.u8()?.into(),
                0x100..0x1_0000 => u16::from_le_bytes(reader.array()?).into(),
                0x1_0000..0x20_0000 => reader.varint()?,
                _ => u32::from_le_bytes(reader.array()?),
            });
        }
    } else {
        let mut index = 0_u32;
        for symbol in symbols(reader, memory, count, 1)? {
            // The lowest bit is the sign of the difference to the index before.
            let symbol = symbol.cast_unsigned();
            let (negative, distance) = (symbol & 1 == 1, symbol >> 1);
            let next = if negative { index.checked_sub(distance) } else { index.checked_add(distance) };
            index = next.ok_or(invalid!("a triangle with a point that doesn't exist"))?;
            indices.push(index);
        }
    }
    Ok((indices, point_count))
}
