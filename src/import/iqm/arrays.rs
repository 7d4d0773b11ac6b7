//! Vertex arrays: each stores one attribute of all meshes' vertices, in one of nine formats.
use super::file::{File, VERTEX_ARRAYS, VERTEX_COUNT_AT};
use crate::import::{ImportError, ImportProblem};
use crate::refusal::Place;

/// Arrays of the attributes that are read. If several have the same type, the first is used.
#[derive(Default)]
pub(super) struct Arrays<'a> {
    pub(super) vertex_count: usize,
    pub(super) positions: Option<Array<'a>>,
    pub(super) uvs: Option<Array<'a>>,
    pub(super) normals: Option<Array<'a>>,
    pub(super) joints: Option<Array<'a>>,
    pub(super) joint_weights: Option<Array<'a>>,
    pub(super) colors: Option<Array<'a>>,
}

#[derive(Clone, Copy)]
pub(super) struct Array<'a> {
    /// Byte offset of the array in the file.
    offset: usize,
    bytes: &'a [u8],
    format: Format,
    /// Numbers per vertex.
    pub(super) size: usize,
}

impl<'a> Arrays<'a> {
    pub(super) fn read(file: &File<'a>) -> Result<Self, ImportError> {
        let mut arrays = Self { vertex_count: file.number(VERTEX_COUNT_AT), ..Self::default() };
        for record in file.records(VERTEX_ARRAYS, 5)? {
            let slot = match record.word(0) {
                0 => &mut arrays.positions,
                1 => &mut arrays.uvs,
                2 => &mut arrays.normals,
                4 => &mut arrays.joints,
                5 => &mut arrays.joint_weights,
                6 => &mut arrays.colors,
                // Tangents (needed only for normal maps, which no material names), reserved types and custom types.
                _ => continue,
            };
            let Some(format) = Format::numbered(record.word(2)) else {
                let found = format!("format {} of 9", record.word(2));
                return Err(ImportProblem::IndexOutOfRange.at(record.place(2), found));
            };
            let (size, offset) = (record.index(3), record.index(4));
            if size == 0 || slot.is_some() {
                continue;
            }
            let length = arrays.vertex_count.saturating_mul(size).saturating_mul(format.byte_count());
            *slot = Some(Array { offset, bytes: file.slice(offset, length, record.at + 12)?, format, size });
        }
        Ok(arrays)
    }
}

impl Array<'_> {
    /// Returns the first `N` numbers of a vertex; those that the array lacks are 0.
    pub(super) fn of_vertex<const N: usize>(&self, vertex: u32) -> [f64; N] {
        let mut numbers = [0.0; N];
        let stored = self.numbers_of(vertex);
        numbers.iter_mut().zip(stored).for_each(|(number, stored)| *number = stored);
        numbers
    }

    /// Returns the first `N` numbers of a vertex, with integers normalised to 0 … 1 or −1 … 1. Floats are unchanged.
    pub(super) fn normalised<const N: usize>(&self, vertex: u32) -> [f64; N] {
        let numbers = self.of_vertex(vertex);
        match self.format {
            Format::F16 | Format::F32 | Format::F64 => numbers,
            // The least signed integer has a greater magnitude than the largest, hence the clamp.
            format => numbers.map(|number| (number / format.most()).max(-1.0)),
        }
    }

    /// Returns all numbers of a vertex.
    pub(super) fn numbers_of(&self, vertex: u32) -> impl Iterator<Item = f64> {
        let byte_count = self.format.byte_count();
        let stride = self.size * byte_count;
        let start = usize::try_from(vertex).unwrap_or(usize::MAX).saturating_mul(stride);
        let bytes = self.bytes.get(start..start.saturating_add(stride)).unwrap_or_default();
        let format = self.format;
        bytes.chunks_exact(byte_count).map(move |bytes| format.number(bytes))
    }

    /// Returns the integer that stands for 1 when normalised: the format's largest. It is 1 for floats.
    pub(super) fn most(&self) -> f64 {
        self.format.most()
    }

    pub(super) fn place(&self) -> String {
        Place::byte(self.offset)
    }

    pub(super) fn place_of(&self, vertex: u32) -> String {
        let stride = self.size * self.format.byte_count();
        Place::byte(self.offset + usize::try_from(vertex).unwrap_or(usize::MAX).saturating_mul(stride))
    }
}

#[derive(Clone, Copy)]
enum Format {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F16,
    F32,
    F64,
}

impl Format {
    fn numbered(number: u32) -> Option<Self> {
        Some(match number {
            0 => Self::I8,
            1 => Self::U8,
            2 => Self::I16,
            3 => Self::U16,
            4 => Self::I32,
            5 => Self::U32,
            6 => Self::F16,
            7 => Self::F32,
            8 => Self::F64,
            _ => return None,
        })
    }

    fn byte_count(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 | Self::F16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::F64 => 8,
        }
    }

    fn most(self) -> f64 {
        match self {
            Self::I8 => i8::MAX.into(),
            Self::U8 => u8::MAX.into(),
            Self::I16 => i16::MAX.into(),
            Self::U16 => u16::MAX.into(),
            Self::I32 => i32::MAX.into(),
            Self::U32 => u32::MAX.into(),
            Self::F16 | Self::F32 | Self::F64 => 1.0,
        }
    }

    /// Decodes one number from as many bytes as the format has.
    fn number(self, bytes: &[u8]) -> f64 {
        fn array<const N: usize>(bytes: &[u8]) -> [u8; N] {
            *bytes.first_chunk().unwrap_or(&[0; N])
        }
        match self {
            Self::I8 => i8::from_le_bytes(array(bytes)).into(),
            Self::U8 => u8::from_le_bytes(array(bytes)).into(),
            Self::I16 => i16::from_le_bytes(array(bytes)).into(),
            Self::U16 => u16::from_le_bytes(array(bytes)).into(),
            Self::I32 => i32::from_le_bytes(array(bytes)).into(),
            Self::U32 => u32::from_le_bytes(array(bytes)).into(),
            Self::F16 => half(u16::from_le_bytes(array(bytes))),
            Self::F32 => f32::from_le_bytes(array(bytes)).into(),
            Self::F64 => f64::from_le_bytes(array(bytes)),
        }
    }
}

/// Converts from IEEE 754 binary16: a sign, five bits of exponent, ten of fraction.
fn half(bits: u16) -> f64 {
    let sign = if bits >> 15 == 0 { 1.0 } else { -1.0 };
    let fraction = f64::from(bits & 0x3ff) / 1024.0;
    sign * match i32::from(bits >> 10 & 0x1f) {
        0 => fraction * 2.0_f64.powi(-14),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        exponent => (1.0 + fraction) * 2.0_f64.powi(exponent - 15),
    }
}

#[cfg(test)]
mod tests {
    use super::half;

    #[test]
    fn halves_have_the_values_that_the_standard_gives() {
        let known = [(0x3c00, 1.0), (0xc000, -2.0), (0x3555, 0.333_251_953_125), (0x7bff, 65504.0)];
        for (bits, value) in known.into_iter().chain([(1, 2.0_f64.powi(-24)), (0x0400, 2.0_f64.powi(-14))]) {
            assert_eq!(half(bits), value, "{bits:#x}");
        }
        assert_eq!(half(0xfc00), f64::NEG_INFINITY);
        assert!(half(0x7e00).is_nan());
    }
}
