//! `DeclData` and `FVFData`: vertex attributes in Direct3D's memory layout, stored as numbers of 32 bits.
use super::document::{Kind, Object};
use super::fields::{Fields, integer};
use crate::import::report::WarningKind;
use crate::import::{ImportError, ImportProblem, ImportReport};
use glam::Vec4;

/// Vertex attributes in the file's own space, each with one value per vertex or empty.
#[derive(Debug, Default)]
pub(super) struct VertexData {
    pub(super) normals: Vec<[f32; 3]>,
    pub(super) uvs: Vec<[f32; 2]>,
    /// In sRGB, as in the file.
    pub(super) colors: Vec<Vec4>,
}

impl VertexData {
    pub(super) fn read(
        mesh: Object<'_>,
        vertex_count: usize,
        report: &mut ImportReport,
    ) -> Result<Self, ImportError> {
        let mut data = Self::default();
        for object in mesh.children() {
            match object.kind() {
                Kind::DeclData => data.read_declared(object, vertex_count, report)?,
                Kind::FvfData => data.read_flexible(object, vertex_count)?,
                _ => {}
            }
        }
        Ok(data)
    }

    /// Reads `DeclData`: four numbers per element (storage type, tessellation method, usage, index among elements of
    /// that usage), then the data of all vertices.
    fn read_declared(
        &mut self,
        object: Object<'_>,
        vertex_count: usize,
        report: &mut ImportReport,
    ) -> Result<(), ImportError> {
        let mut fields = object.fields();
        let element_count = fields.count()?;
        let elements = fields.take(element_count.saturating_mul(4))?;
        let mut attributes = Vec::new();
        let mut stride = 0;
        for element in elements.as_chunks::<4>().0 {
            let [stored, _, usage, nth] = element.map(integer);
            let Some(layout) = stored.and_then(Layout::declared) else {
                // The offset of the next element is unknown.
                report.warn_at(WarningKind::VertexDataUnknown, object.place(), "");
                return Ok(());
            };
            if let (Some(usage), Some(0)) = (usage, nth) {
                attributes.push((usage, layout, stride));
            }
            stride += layout.words();
        }
        let words = words_of(object, &mut fields, vertex_count, stride)?;
        for (usage, layout, offset) in attributes {
            // D3DDECLUSAGE_NORMAL, _TEXCOORD and _COLOR; tangents would need a normal map.
            match usage {
                3 => self.normals = layout.read(&words, stride, offset, |[x, y, z, _]| [x, y, z]),
                5 => self.uvs = layout.read(&words, stride, offset, |[u, v, ..]| [u, v]),
                10 => self.colors = layout.read(&words, stride, offset, Vec4::from_array),
                _ => {}
            }
        }
        Ok(())
    }

    /// Reads `FVFData`: a word of flags, then the data. The flags list the attributes; the data omits the position.
    fn read_flexible(&mut self, object: Object<'_>, vertex_count: usize) -> Result<(), ImportError> {
        const NORMAL: u32 = 0x10;
        const POINT_SIZE: u32 = 0x20;
        const DIFFUSE: u32 = 0x40;
        const SPECULAR: u32 = 0x80;
        let mut fields = object.fields();
        let flags = integer(fields.number()?).unwrap_or_default();
        // A position may be followed by up to five blend weights.
        let mut stride = match flags & 0xE {
            weighted @ 6.. => (weighted as usize - 4) / 2,
            _ => 0,
        };
        let mut place = |flag: u32, words: usize| {
            let offset = (flags & flag != 0).then_some(stride);
            stride += offset.map_or(0, |_| words);
            offset
        };
        let normal = place(NORMAL, 3);
        place(POINT_SIZE, 1);
        let diffuse = place(DIFFUSE, 1);
        place(SPECULAR, 1);
        let uv_set_count = flags >> 8 & 0xF;
        let uv = (uv_set_count > 0).then_some(stride);
        // Two bits per set encode its number of coordinates, in Direct3D's own order.
        let uv_words =
            |set: u32| [2, 3, 4, 1].get((flags >> (16 + 2 * set.min(7)) & 3) as usize).copied().unwrap_or(2);
        stride += (0..uv_set_count).map(uv_words).sum::<usize>();

        let words = words_of(object, &mut fields, vertex_count, stride)?;
        if let Some(offset) = normal {
            self.normals = Layout::Floats(3).read(&words, stride, offset, |[x, y, z, _]| [x, y, z]);
        }
        if let Some(offset) = uv.filter(|_| uv_words(0) >= 2) {
            self.uvs = Layout::Floats(2).read(&words, stride, offset, |[u, v, ..]| [u, v]);
        }
        if let Some(offset) = diffuse {
            self.colors = Layout::Color.read(&words, stride, offset, Vec4::from_array);
        }
        Ok(())
    }
}

/// Returns the data after its count, which must be `stride` words per vertex.
fn words_of(
    object: Object<'_>,
    fields: &mut Fields<'_>,
    vertex_count: usize,
    stride: usize,
) -> Result<Vec<u32>, ImportError> {
    let count = fields.count()?;
    let expected = vertex_count.saturating_mul(stride);
    if count != expected {
        let found = format!("{count} numbers for {vertex_count} vertices of {stride}");
        return Err(ImportProblem::CountWrong.at(fields.place(1), found));
    }
    let words = fields.take(count)?;
    words.iter().map(|&number| integer(number)).collect::<Option<_>>().ok_or_else(|| {
        let (place, found) = (object.place(), "fractions among the data".to_owned());
        ImportProblem::CountWrong.at(place, found)
    })
}

/// The storage type of a vertex element: D3DDECLTYPE.
#[derive(Clone, Copy)]
enum Layout {
    /// The given number of floats.
    Floats(usize),
    /// Blue, green, red and alpha, one byte each.
    Color,
    /// Integers, packed integers or half floats. They are skipped; only their size matters.
    Words(usize),
}

impl Layout {
    fn declared(stored: u32) -> Option<Self> {
        Some(match stored {
            0 => Self::Floats(1),
            1 => Self::Floats(2),
            2 => Self::Floats(3),
            3 => Self::Floats(4),
            4 => Self::Color,
            5 | 6 | 8 | 9 | 11 | 13..=15 => Self::Words(1),
            7 | 10 | 12 | 16 => Self::Words(2),
            _ => return None,
        })
    }

    fn words(self) -> usize {
        match self {
            Self::Floats(count) | Self::Words(count) => count,
            Self::Color => 1,
        }
    }

    /// Returns the element of each vertex; nothing if it is stored neither in floats nor as a colour.
    fn read<T>(
        self,
        words: &[u32],
        stride: usize,
        offset: usize,
        as_value: impl Fn([f32; 4]) -> T,
    ) -> Vec<T> {
        let element = |vertex: &[u32]| {
            let word = |at: usize| vertex.get(offset + at).copied().unwrap_or_default();
            let finite = |number: f32| if number.is_finite() { number } else { 0.0 };
            match self {
                Self::Color => {
                    let [blue, green, red, alpha] = word(0).to_le_bytes().map(|byte| f32::from(byte) / 255.0);
                    Some(as_value([red, green, blue, alpha]))
                }
                Self::Floats(count) => {
                    let float = |at: usize| if at < count { finite(f32::from_bits(word(at))) } else { 0.0 };
                    Some(as_value([float(0), float(1), float(2), float(3)]))
                }
                Self::Words(_) => None,
            }
        };
        words.chunks_exact(stride.max(1)).filter_map(element).collect()
    }
}
