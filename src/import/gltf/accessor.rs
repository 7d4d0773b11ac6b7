//! Reader of accessors: every component type, normalised integers, interleaving, matrix padding, sparse values.
//!
//! The numbers that it returns are finite, there are exactly `count` elements, and decoded data stays within the
//! file's [`Budget`].
use super::formats::Use;
use super::json::Json;
use super::{Budget, Buffers};
use crate::import::report::WarningKind;
use crate::import::{ImportError, ImportProblem, ImportReport};
use crate::refusal::{Place, element};
use bytemuck::Pod;
use gltf::json::accessor::{ComponentType, Type};

pub(super) struct Accessors<'a> {
    root: Json<'a>,
    buffers: &'a Buffers<'a>,
    pub(super) budget: &'a Budget,
    /// Whether the file declares `KHR_mesh_quantization`.
    is_quantized: bool,
}

/// The layout of elements in their view.
#[derive(Clone, Copy)]
struct Layout {
    component: ComponentType,
    columns: usize,
    rows: usize,
    /// Distance between columns. Columns of matrices begin at multiples of 4 bytes.
    column_stride: usize,
    /// Bytes of a whole element.
    size: usize,
    /// Divisor of stored integers.
    divisor: f64,
}

impl<'a> Accessors<'a> {
    pub(super) fn new(root: Json<'a>, buffers: &'a Buffers<'a>, budget: &'a Budget) -> Self {
        // glTF 2.1 made the extension core.
        let is_quantized = root.texts("extensionsUsed").any(|name| name == "KHR_mesh_quantization")
            || root.get("asset").and_then(|asset| asset.text("version")) != Some("2.0");
        Self { root, buffers, budget, is_quantized }
    }

    pub(super) fn count(&self, accessor: usize) -> usize {
        self.get(accessor).and_then(|accessor| accessor.index("count")).unwrap_or_default()
    }

    fn get(&self, accessor: usize) -> Option<Json<'a>> {
        self.root.element("accessors", accessor)
    }

    /// Returns the elements as a flat list of numbers without padding.
    ///
    /// `place` is where the accessor is used, for errors about its type and warnings about its number format.
    pub(super) fn floats(
        &self,
        accessor: usize,
        of: Use,
        place: &Place<'_>,
        report: &mut ImportReport,
    ) -> Result<Vec<f32>, ImportError> {
        let numbers = self.unchecked_floats(accessor, of, place, report)?;
        match numbers.iter().position(|number| !number.is_finite()) {
            Some(at) => Err(ImportProblem::ValueNotFinite
                .at(element("accessors", accessor), format!("number {at} of {}", numbers.len()))),
            None => Ok(numbers),
        }
    }

    /// Returns the same numbers as [`floats`](Self::floats), with 0 for those that aren't finite. Exporters divide by
    /// 0 if a vertex has no weight or no normal, and nothing else depends on these attributes.
    pub(super) fn repaired_floats(
        &self,
        accessor: usize,
        of: Use,
        place: &Place<'_>,
        report: &mut ImportReport,
    ) -> Result<Vec<f32>, ImportError> {
        let mut numbers = self.unchecked_floats(accessor, of, place, report)?;
        let mut repaired = 0;
        for number in numbers.iter_mut().filter(|number| !number.is_finite()) {
            *number = 0.0;
            repaired += 1;
        }
        report.warn_counted(WarningKind::ValuesNotFinite, place, repaired, numbers.len());
        Ok(numbers)
    }

    fn unchecked_floats(
        &self,
        accessor: usize,
        of: Use,
        place: &Place<'_>,
        report: &mut ImportReport,
    ) -> Result<Vec<f32>, ImportError> {
        #[allow(clippy::cast_possible_truncation, reason = "to the nearest single")]
        self.decode(accessor, of, place, report, |number| number as f32)
    }

    /// Returns the elements as vectors or matrices of `f32`.
    ///
    /// `T` must have as many components as each type that `of` allows.
    pub(super) fn vectors<T: Pod>(
        &self,
        accessor: usize,
        of: Use,
        place: &Place<'_>,
        report: &mut ImportReport,
    ) -> Result<Vec<T>, ImportError> {
        self.floats(accessor, of, place, report).map(|numbers| grouped(&numbers))
    }

    /// Returns unsigned integers, such as indices and joints.
    pub(super) fn integers(
        &self,
        accessor: usize,
        of: Use,
        place: &Place<'_>,
        report: &mut ImportReport,
    ) -> Result<Vec<u32>, ImportError> {
        use ComponentType::{U8, U16, U32};
        if !matches!(self.get(accessor).and_then(component_type), Some(U8 | U16 | U32)) {
            return Err(wrong_type(place, "numbers that aren't unsigned integers"));
        }
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "read as u32 at most")]
        self.decode(accessor, of, place, report, |number| number as u32)
    }

    /// Returns the largest value of the component type of `accessor`.
    pub(super) fn max_integer(&self, accessor: usize) -> u32 {
        match self.get(accessor).and_then(component_type) {
            Some(ComponentType::U8) => u8::MAX.into(),
            Some(ComponentType::U16) => u16::MAX.into(),
            _ => u32::MAX,
        }
    }

    pub(super) fn type_of(&self, accessor: usize) -> Option<Type> {
        element_type(self.get(accessor)?)
    }

    /// Warns about data that a GPU couldn't read in place.
    pub(super) fn report_alignment(&self, report: &mut ImportReport) {
        let place = Place::ROOT.field("accessors");
        for (index, accessor) in self.root.list("accessors").enumerate() {
            let Some(component) = component_type(accessor) else { continue };
            let view = accessor.index("bufferView").and_then(|view| self.root.element("bufferViews", view));
            let Some(view) = view else { continue };
            let offset = offset_of(accessor).wrapping_add(offset_of(view));
            let stride = view.integer("byteStride").unwrap_or_default();
            if !(offset | stride).is_multiple_of(component.size() as u64) {
                report.warn(WarningKind::AccessorUnaligned, &place.index(index));
            }
        }
    }

    fn decode<T: Copy + Default>(
        &self,
        index: usize,
        of: Use,
        place: &Place<'_>,
        report: &mut ImportReport,
        convert: fn(f64) -> T,
    ) -> Result<Vec<T>, ImportError> {
        let at = || element("accessors", index);
        let found = self.get(index).and_then(|accessor| Some((accessor, Layout::of(accessor)?)));
        let Some((accessor, layout)) = found else {
            return Err(wrong_type(place, "an accessor of unknown type"));
        };
        if !self.type_of(index).is_some_and(|of_type| of.types.contains(&of_type)) {
            let found = format!("{} × {} components", layout.columns, layout.rows);
            return Err(wrong_type(place, &found));
        }
        if !of.allows(layout.component, accessor.flag("normalized"), self.is_quantized) {
            report.warn(WarningKind::NumberFormatInvalid, place);
        }
        let components = layout.columns * layout.rows;
        let count = accessor.integer("count").unwrap_or_default();
        self.budget.charge(count, components * size_of::<T>(), at)?;
        // A count within the budget fits into `usize`.
        let count = usize::try_from(count).unwrap_or_default();
        let mut numbers = vec![T::default(); count * components];

        let stored = match (self.buffers.decoded_accessor(index), accessor.index("bufferView")) {
            (Some(decoded), _) => Some((decoded, None, 0)),
            (None, Some(view)) => {
                let (bytes, stride) = self.buffers.view(view)?;
                if stride.is_some() && !of.is_vertex {
                    let place = Place::ROOT.field("bufferViews");
                    report.warn(WarningKind::ByteStrideInvalid, &place.index(view));
                }
                Some((bytes, stride, offset_of(accessor)))
            }
            (None, None) => None,
        };
        if let Some((view, stride, offset)) = stored {
            let stride = stride.unwrap_or(layout.size);
            if stride < layout.size {
                let found = format!("{stride} bytes for elements of {}", layout.size);
                return Err(ImportProblem::ByteStrideTooSmall.at(at(), found));
            }
            let elements = Elements::new(view, offset, stride, layout.size, count).ok_or_else(|| {
                let found = format!("{count} elements every {stride} bytes from {offset} of {}", view.len());
                ImportProblem::AccessorOutOfBounds.at(at(), found)
            })?;
            for (numbers, element) in numbers.chunks_exact_mut(components).zip(elements) {
                layout.read(element, numbers, convert);
            }
        }
        if let Some(sparse) = accessor.get("sparse") {
            self.overwrite(&mut numbers, sparse, layout, index, convert)?;
        }
        Ok(numbers)
    }

    fn overwrite<T: Copy>(
        &self,
        numbers: &mut [T],
        sparse: Json<'a>,
        layout: Layout,
        index: usize,
        convert: fn(f64) -> T,
    ) -> Result<(), ImportError> {
        let at = || [&element("accessors", index), "/sparse"].concat();
        let invalid = |found: String| ImportProblem::SparseIndexInvalid.at(at(), found);
        let out_of_bounds = || ImportProblem::AccessorOutOfBounds.at(at(), "sparse data".into());
        let (indices, values) = (sparse.get("indices"), sparse.get("values"));
        let Some((indices, values)) = indices.zip(values) else { return Ok(()) };
        let index_layout = Layout::packed(component_type(indices).unwrap_or(ComponentType::U32));
        let count = sparse.index("count").unwrap_or(usize::MAX);
        let elements = |part: Json<'_>, size: usize| {
            let (view, _) = self.buffers.view(part.index("bufferView").unwrap_or(usize::MAX))?;
            Elements::new(view, offset_of(part), size, size, count).ok_or_else(out_of_bounds)
        };
        let indices = elements(indices, index_layout.size)?;
        let values = elements(values, layout.size)?;

        let components = layout.columns * layout.rows;
        let mut next = 0;
        for (index, value) in indices.zip(values) {
            let mut at = [0.0];
            index_layout.read(index, &mut at, |number| number);
            let [number] = at;
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "read as u32 at most")]
            let at = number as usize;
            let target = numbers.chunks_exact_mut(components).nth(at).filter(|_| at >= next);
            let target = target.ok_or_else(|| invalid(format!("index {at}")))?;
            layout.read(value, target, convert);
            next = at + 1;
        }
        Ok(())
    }
}

/// Groups numbers into vectors.
pub(super) fn grouped<T: Pod>(numbers: &[f32]) -> Vec<T> {
    let mut vectors = vec![T::zeroed(); size_of_val(numbers) / size_of::<T>()];
    bytemuck::cast_slice_mut(&mut vectors).copy_from_slice(numbers);
    vectors
}

fn wrong_type(place: &Place<'_>, found: &str) -> ImportError {
    ImportProblem::AccessorTypeWrong.at(place.pointer(), found.to_owned())
}

fn component_type(accessor: Json<'_>) -> Option<ComponentType> {
    Some(match accessor.integer("componentType")? {
        5120 => ComponentType::I8,
        5121 => ComponentType::U8,
        5122 => ComponentType::I16,
        5123 => ComponentType::U16,
        5125 => ComponentType::U32,
        5126 => ComponentType::F32,
        _ => return None,
    })
}

fn element_type(accessor: Json<'_>) -> Option<Type> {
    Some(match accessor.text("type")? {
        "SCALAR" => Type::Scalar,
        "VEC2" => Type::Vec2,
        "VEC3" => Type::Vec3,
        "VEC4" => Type::Vec4,
        "MAT2" => Type::Mat2,
        "MAT3" => Type::Mat3,
        "MAT4" => Type::Mat4,
        _ => return None,
    })
}

fn offset_of(part: Json<'_>) -> u64 {
    part.integer("byteOffset").unwrap_or_default()
}

impl Layout {
    fn of(accessor: Json<'_>) -> Option<Self> {
        let (component, of_type) = (component_type(accessor)?, element_type(accessor)?);
        let (columns, rows) = match of_type {
            Type::Scalar => (1, 1),
            Type::Vec2 => (1, 2),
            Type::Vec3 => (1, 3),
            Type::Vec4 => (1, 4),
            Type::Mat2 => (2, 2),
            Type::Mat3 => (3, 3),
            Type::Mat4 => (4, 4),
        };
        let column_size = rows * component.size();
        let column_stride = if columns > 1 { column_size.next_multiple_of(4) } else { column_size };
        let divisor = match component {
            _ if !accessor.flag("normalized") => 1.0,
            ComponentType::I8 => f64::from(i8::MAX),
            ComponentType::U8 => f64::from(u8::MAX),
            ComponentType::I16 => f64::from(i16::MAX),
            ComponentType::U16 => f64::from(u16::MAX),
            ComponentType::U32 => f64::from(u32::MAX),
            ComponentType::F32 => 1.0,
        };
        // The last column of an element is padded too, as in three.js and the Khronos validator.
        Some(Self { component, columns, rows, column_stride, size: columns * column_stride, divisor })
    }

    /// Creates the layout of tightly packed scalars.
    fn packed(component: ComponentType) -> Self {
        let size = component.size();
        Self { component, columns: 1, rows: 1, column_stride: size, size, divisor: 1.0 }
    }

    /// Decodes an element into `numbers`, column after column.
    fn read<T>(&self, element: &[u8], numbers: &mut [T], convert: fn(f64) -> T) {
        let component_size = self.component.size();
        let columns = element.chunks(self.column_stride).zip(numbers.chunks_mut(self.rows));
        for (column, numbers) in columns {
            for (component, number) in column.chunks_exact(component_size).zip(numbers) {
                let stored = match (self.component, component) {
                    (ComponentType::I8, &[a]) => i8::from_le_bytes([a]).into(),
                    (ComponentType::U8, &[a]) => a.into(),
                    (ComponentType::I16, &[a, b]) => i16::from_le_bytes([a, b]).into(),
                    (ComponentType::U16, &[a, b]) => u16::from_le_bytes([a, b]).into(),
                    (ComponentType::U32, &[a, b, c, d]) => u32::from_le_bytes([a, b, c, d]).into(),
                    (ComponentType::F32, &[a, b, c, d]) => f32::from_le_bytes([a, b, c, d]).into(),
                    // Unreachable: the slice has the length of the component.
                    _ => 0.0,
                };
                // −128 / 127 is below −1; the specification clamps it.
                *number =
                    convert(if self.divisor == 1.0 { stored } else { (stored / self.divisor).max(-1.0) });
            }
        }
    }
}

/// Iterator over elements of one size at equal distances.
struct Elements<'a> {
    bytes: &'a [u8],
    stride: usize,
    size: usize,
    left: usize,
}

impl<'a> Elements<'a> {
    /// Returns `None` if not all elements are within `bytes`.
    fn new(bytes: &'a [u8], offset: u64, stride: usize, size: usize, count: usize) -> Option<Self> {
        let bytes = bytes.get(usize::try_from(offset).ok()?..)?;
        let end = stride.checked_mul(count.checked_sub(1)?)?.checked_add(size)?;
        (end <= bytes.len()).then_some(Self { bytes, stride, size, left: count })
    }
}

impl<'a> Iterator for Elements<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        self.left = self.left.checked_sub(1)?;
        let element = self.bytes.get(..self.size);
        self.bytes = self.bytes.get(self.stride..).unwrap_or_default();
        element
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::parse;

    fn numbers(accessor: &str, bytes: &[u8]) -> Vec<f32> {
        let accessor = parse(accessor.as_bytes()).unwrap();
        let layout = Layout::of(Json::new(&accessor)).unwrap();
        assert_eq!(bytes.len(), layout.size);
        let mut numbers = vec![f32::NAN; layout.columns * layout.rows];
        layout.read(bytes, &mut numbers, |number| number as f32);
        numbers
    }

    // The examples of glTF 2.0, section 3.6.2.4: each column begins at a multiple of 4 bytes.
    #[test]
    fn columns_of_small_matrices_are_padded() {
        let two = numbers(r#"{"type":"MAT2","componentType":5121}"#, &[1, 2, 99, 99, 3, 4, 99, 99]);
        assert_eq!(two, [1.0, 2.0, 3.0, 4.0]);
        let three =
            numbers(r#"{"type":"MAT3","componentType":5120}"#, &[1, 2, 3, 99, 4, 5, 6, 99, 7, 8, 0x80, 99]);
        assert_eq!(three, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, -128.0]);
        let shorts: Vec<u8> = [1u16, 2, 3, 999, 4, 5, 6, 999, 7, 8, 65535, 999]
            .iter()
            .flat_map(|number| number.to_le_bytes())
            .collect();
        let three = numbers(r#"{"type":"MAT3","componentType":5123,"normalized":true}"#, &shorts);
        assert_eq!(three[8], 1.0);
        assert_eq!(three[3], 4.0 / 65535.0);
    }

    #[test]
    fn matrices_of_floats_and_vectors_are_packed() {
        let bytes: Vec<u8> = (0..16).flat_map(|number| (number as f32).to_le_bytes()).collect();
        let four = numbers(r#"{"type":"MAT4","componentType":5126}"#, &bytes);
        assert_eq!(four, (0..16).map(|number| number as f32).collect::<Vec<_>>());
        assert_eq!(numbers(r#"{"type":"VEC3","componentType":5121}"#, &[1, 2, 3]), [1.0, 2.0, 3.0]);
    }
}
