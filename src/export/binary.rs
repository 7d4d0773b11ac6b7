//! Binary data of the file: accessors, buffer views, and the one buffer that contains them.
//!
//! ```text
//! view   vertices by stride, one view for each │ indices │ keys │ bind matrices │ sparse parts │ image │ image …
//! ```
//! Equal data with the same purpose is one accessor, for example vertices of several primitives or times of several
//! tracks.
//!
//! With compression, views of numbers are streams of an extension, and have their place in a second buffer without
//! bytes.
use super::Compression;
use super::json_text::{Json, Object};
use super::meshopt::{encode_attributes, encode_sequence, encode_triangles};
use super::streams::{Filter, Stream};
use glam::Vec3;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hasher};
use std::ops::Range;

/// The purpose of numbers. glTF stores different purposes in different views.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Usage {
    Vertices,
    Indices,
    Keys,
    BindMatrices,
}

/// The type of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Element {
    Scalar,
    Vec2,
    Vec3,
    Vec4,
    Mat4,
}

impl Element {
    pub(super) fn width(self) -> usize {
        self.words().1
    }

    fn words(self) -> (&'static str, usize) {
        match self {
            Self::Scalar => ("SCALAR", 1),
            Self::Vec2 => ("VEC2", 2),
            Self::Vec3 => ("VEC3", 3),
            Self::Vec4 => ("VEC4", 4),
            Self::Mat4 => ("MAT4", 16),
        }
    }
}

#[derive(Clone, Copy)]
pub(super) enum Numbers<'a> {
    F32(&'a [f32]),
    U8(&'a [u8]),
    U16(&'a [u16]),
    U32(&'a [u32]),
}

impl Numbers<'_> {
    fn count(self) -> usize {
        match self {
            Self::F32(numbers) => numbers.len(),
            Self::U8(numbers) => numbers.len(),
            Self::U16(numbers) => numbers.len(),
            Self::U32(numbers) => numbers.len(),
        }
    }

    /// Returns OpenGL's constant for the component type, and its size in bytes.
    fn component(self) -> (usize, usize) {
        match self {
            Self::F32(_) => (5126, 4),
            Self::U8(_) => (5121, 1),
            Self::U16(_) => (5123, 2),
            Self::U32(_) => (5125, 4),
        }
    }

    pub(super) fn bytes(self) -> Vec<u8> {
        match self {
            Self::F32(numbers) => numbers.iter().flat_map(|number| number.to_le_bytes()).collect(),
            Self::U8(numbers) => numbers.to_vec(),
            Self::U16(numbers) => numbers.iter().flat_map(|number| number.to_le_bytes()).collect(),
            Self::U32(numbers) => numbers.iter().flat_map(|number| number.to_le_bytes()).collect(),
        }
    }
}

/// The kind of a view. Several accessors share a view, except that each image has its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Vertices {
        stride: usize,
    },
    Indices,
    Keys,
    BindMatrices,
    SparseParts,
    Image,
    Packed {
        usage: Usage,
        stride: usize,
        filter: Filter,
    },
    /// Indices of one size, as triangles or not.
    PackedIndices {
        size: usize,
        triangles: bool,
    },
}

impl Kind {
    /// Returns the mode, the filter and the stride of a compressed view.
    fn compression(self) -> Option<(&'static str, Filter, usize)> {
        match self {
            Self::BindMatrices => Some(("ATTRIBUTES", Filter::None, size_of::<[f32; 16]>())),
            Self::Packed { stride, filter, .. } => Some(("ATTRIBUTES", filter, stride)),
            Self::PackedIndices { size, triangles: true } => Some(("TRIANGLES", Filter::None, size)),
            Self::PackedIndices { size, triangles: false } => Some(("INDICES", Filter::None, size)),
            _ => None,
        }
    }

    /// Returns the stride and the target that the view states.
    fn layout(self) -> (Option<usize>, Option<usize>) {
        const VERTICES: Option<usize> = Some(34_962);
        const INDICES: Option<usize> = Some(34_963);
        match self {
            Self::Vertices { stride } | Self::Packed { usage: Usage::Vertices, stride, .. } => {
                (Some(stride), VERTICES)
            }
            Self::Indices | Self::PackedIndices { .. } => (None, INDICES),
            _ => (None, None),
        }
    }
}

struct View {
    kind: Kind,
    bytes: Vec<u8>,
}

impl View {
    /// Returns the name of the extension and the stream, if the view is compressed and that is shorter or filtered.
    fn encoded(&self, compression: Compression) -> Option<(&'static str, Vec<u8>)> {
        let (extension, version) = compression.extension()?;
        let (mode, filter, stride) = self.kind.compression()?;
        let indices = || {
            self.bytes
                .chunks_exact(stride)
                .map(|index| index.iter().rev().fold(0_u32, |index, &byte| index << 8 | u32::from(byte)))
        };
        let encoded = match mode {
            "TRIANGLES" => encode_triangles(indices()),
            "INDICES" => encode_sequence(indices()),
            _ => encode_attributes(&self.bytes, stride, version)?,
        };
        (filter != Filter::None || encoded.len() < self.bytes.len()).then_some((extension, encoded))
    }
}

/// The properties of an accessor, without its range of bytes.
#[derive(Clone, Copy, PartialEq)]
struct Reading {
    view: usize,
    component: usize,
    element: Element,
    bounded: bool,
    normalized: bool,
}

/// An accessor that may be reused.
struct Written {
    reading: Reading,
    bytes: Range<usize>,
    number: usize,
}

/// The parts of the document about binary data, and the bytes.
pub(super) struct Finished {
    pub(super) accessors: Vec<Json>,
    pub(super) views: Vec<Json>,
    pub(super) buffers: Vec<Json>,
    pub(super) bytes: Vec<u8>,
    /// Whether any view is compressed.
    pub(super) is_compressed: bool,
}

#[derive(Default)]
pub(super) struct Binary {
    views: Vec<View>,
    accessors: Vec<Json>,
    /// Accessors by a hash of their bytes.
    written: HashMap<u64, Vec<Written>>,
    /// Accessors without bytes, by their count of zero vectors.
    zeros: HashMap<usize, usize>,
}

impl Binary {
    /// Adds an accessor, or finds an equal one, and returns its index. `bounded` accessors have `min` and `max`,
    /// which glTF requires for positions and key times.
    pub(super) fn accessor(
        &mut self,
        usage: Usage,
        element: Element,
        numbers: Numbers<'_>,
        bounded: bool,
    ) -> usize {
        let (type_name, width) = element.words();
        let (component, size) = numbers.component();
        let bytes = numbers.bytes();
        let view = self.view(match usage {
            Usage::Vertices => Kind::Vertices { stride: width * size },
            Usage::Indices => Kind::Indices,
            Usage::Keys => Kind::Keys,
            Usage::BindMatrices => Kind::BindMatrices,
        });
        let reading = Reading { view, component, element, bounded, normalized: false };
        let bounds = match numbers {
            Numbers::F32(numbers) if bounded => Some(bounds(numbers, width)),
            _ => None,
        };
        self.add(reading, &bytes, numbers.count() / width, type_name, bounds)
    }

    /// Adds an accessor for a stream, or finds an equal one, and returns its index.
    pub(super) fn packed(&mut self, usage: Usage, stream: &Stream, bounded: bool) -> usize {
        let Stream { element, component, normalized, filter, stride, ref bytes } = *stream;
        let view = self.view(Kind::Packed { usage, stride, filter });
        let reading = Reading { view, component, element, bounded, normalized };
        let bounds = if bounded { stream.bounds() } else { None };
        self.add(reading, bytes, stream.count(), element.words().0, bounds)
    }

    /// Adds an accessor for indices that are compressed, and returns its index.
    pub(super) fn packed_indices(&mut self, numbers: Numbers<'_>, triangles: bool) -> usize {
        let (component, size) = numbers.component();
        let view = self.view(Kind::PackedIndices { size, triangles });
        let (element, bounded, normalized) = (Element::Scalar, false, false);
        let reading = Reading { view, component, element, bounded, normalized };
        self.add(reading, &numbers.bytes(), numbers.count(), element.words().0, None)
    }

    fn add(
        &mut self,
        reading: Reading,
        bytes: &[u8],
        count: usize,
        type_name: &'static str,
        bounds: Option<(Vec<f32>, Vec<f32>)>,
    ) -> usize {
        let mut hasher = DefaultHasher::new();
        hasher.write(bytes);
        let hash = hasher.finish();
        let mut known = self.written.get(&hash).into_iter().flatten();
        if let Some(written) = known.find(|written| self.is_same(written, reading, bytes)) {
            return written.number;
        }

        let offset = self.append(reading.view, bytes);
        let mut accessor = Object::new()
            .with("bufferView", reading.view)
            .with_unless(0, "byteOffset", offset)
            .with("componentType", reading.component)
            .with_unless(false, "normalized", reading.normalized)
            .with("count", count)
            .with("type", type_name);
        if let Some((least, largest)) = bounds {
            accessor = accessor.with("min", least).with("max", largest);
        }
        let number = self.push(accessor);
        let written = Written { reading, bytes: offset..offset + bytes.len(), number };
        self.written.entry(hash).or_default().push(written);
        number
    }

    /// Adds an accessor of displacements of a morph target and returns its index. It is sparse if that is shorter.
    pub(super) fn deltas(&mut self, deltas: &[Vec3], bounded: bool) -> usize {
        // Bytes of JSON that a sparse accessor has in addition.
        const SPARSE_COST: usize = 200;
        let moved: Vec<usize> = (0..deltas.len()).filter(|&at| deltas.get(at) != Some(&Vec3::ZERO)).collect();
        if moved.is_empty() {
            return self.zeros(deltas.len());
        }
        let (index_size, _) = sparse_index(deltas.len());
        let sparse_len = moved.len() * (index_size + size_of::<Vec3>()) + SPARSE_COST;
        if sparse_len >= size_of_val(deltas) {
            let numbers = Numbers::F32(bytemuck::cast_slice(deltas));
            return self.accessor(Usage::Vertices, Element::Vec3, numbers, bounded);
        }
        let sparse = self.sparse(deltas, &moved);
        let mut accessor = Object::new()
            .with("componentType", Numbers::F32(&[]).component().0)
            .with("count", deltas.len())
            .with("type", "VEC3")
            .with("sparse", sparse);
        if bounded {
            let (least, largest) = bounds(bytemuck::cast_slice(deltas), 3);
            accessor = accessor.with("min", least).with("max", largest);
        }
        self.push(accessor)
    }

    /// Returns the index of an accessor of zero vectors, which takes no bytes.
    pub(super) fn zeros(&mut self, count: usize) -> usize {
        if let Some(&number) = self.zeros.get(&count) {
            return number;
        }
        let accessor = Object::new()
            .with("componentType", Numbers::F32(&[]).component().0)
            .with("count", count)
            .with("type", "VEC3")
            .with("min", [0.0; 3])
            .with("max", [0.0; 3]);
        let number = self.push(accessor);
        self.zeros.insert(count, number);
        number
    }

    /// Adds a view with an encoded image and returns its index.
    pub(super) fn image(&mut self, bytes: &[u8]) -> usize {
        self.views.push(View { kind: Kind::Image, bytes: bytes.to_vec() });
        self.views.len() - 1
    }

    /// Returns the finished data. Views begin at multiples of 4 bytes of their buffers.
    ///
    /// With `compression`, buffer 0 has the compressed views, and buffer 1, which has no bytes, their places.
    pub(super) fn finish(self, compression: Compression) -> Finished {
        let mut bytes = Vec::with_capacity(self.views.iter().map(|view| view.bytes.len() + 4).sum());
        let mut unpacked_len = 0_usize;
        let mut views = Vec::with_capacity(self.views.len());
        for view in self.views {
            let (stride, target) = view.kind.layout();
            let encoded = view.encoded(compression);
            let place = if encoded.is_some() { (1, unpacked_len) } else { (0, bytes.len()) };
            let len = view.bytes.len();
            let written = Object::new()
                .with("buffer", place.0)
                .with_unless(0, "byteOffset", place.1)
                .with("byteLength", len)
                .with_some("byteStride", stride)
                .with_some("target", target);
            let Some((extension, encoded)) = encoded else {
                views.push(written.into());
                bytes.extend_from_slice(&view.bytes);
                pad(&mut bytes, 0);
                continue;
            };
            let (mode, filter, stride) = view.kind.compression().unwrap_or(("", Filter::None, 1));
            let stream = Object::new()
                .with("buffer", 0)
                .with_unless(0, "byteOffset", bytes.len())
                .with("byteLength", encoded.len())
                .with("byteStride", stride)
                .with("count", len / stride)
                .with("mode", mode)
                .with_some("filter", filter.name());
            views.push(written.with("extensions", Object::new().with(extension, stream)).into());
            unpacked_len += len.next_multiple_of(4);
            bytes.extend_from_slice(&encoded);
            pad(&mut bytes, 0);
        }
        let mut buffers: Vec<Json> = Vec::new();
        if !bytes.is_empty() {
            buffers.push(Object::new().with("byteLength", bytes.len()).into());
        }
        let extension = compression.extension().filter(|_| unpacked_len > 0);
        if let Some(extension) = extension {
            let fallback = Object::new().with(extension.0, Object::new().with("fallback", true));
            buffers.push(Object::new().with("byteLength", unpacked_len).with("extensions", fallback).into());
        }
        Finished { accessors: self.accessors, views, buffers, bytes, is_compressed: extension.is_some() }
    }

    fn view(&mut self, kind: Kind) -> usize {
        let found = self.views.iter().position(|view| view.kind == kind);
        found.unwrap_or_else(|| {
            self.views.push(View { kind, bytes: Vec::new() });
            self.views.len() - 1
        })
    }

    /// Appends bytes to a view and returns their offset in it, a multiple of their component's size.
    fn append(&mut self, view: usize, bytes: &[u8]) -> usize {
        let Some(view) = self.views.get_mut(view) else { return 0 };
        // Compressed indices have no gaps, since each belongs to a triangle.
        if !matches!(view.kind, Kind::PackedIndices { .. }) {
            pad(&mut view.bytes, 0);
        }
        let offset = view.bytes.len();
        view.bytes.extend_from_slice(bytes);
        offset
    }

    fn push(&mut self, accessor: Object) -> usize {
        self.accessors.push(accessor.into());
        self.accessors.len() - 1
    }

    fn is_same(&self, written: &Written, reading: Reading, bytes: &[u8]) -> bool {
        let there = self.views.get(reading.view).and_then(|view| view.bytes.get(written.bytes.clone()));
        written.reading == reading && there == Some(bytes)
    }

    fn sparse(&mut self, deltas: &[Vec3], moved: &[usize]) -> Object {
        let (index_size, component) = sparse_index(deltas.len());
        let little_endian = moved.iter().flat_map(|at| at.to_le_bytes().into_iter().take(index_size));
        let indices: Vec<u8> = little_endian.collect();
        let values: Vec<Vec3> = moved.iter().filter_map(|&at| deltas.get(at).copied()).collect();
        let view = self.view(Kind::SparseParts);
        let indices_at = self.append(view, &indices);
        let values_at = self.append(view, &Numbers::F32(bytemuck::cast_slice(&values)).bytes());
        let part = |offset| Object::new().with("bufferView", view).with_unless(0, "byteOffset", offset);
        Object::new()
            .with("count", moved.len())
            .with("indices", part(indices_at).with("componentType", component))
            .with("values", part(values_at))
    }
}

/// Returns size and component type of the smallest index type for `count` elements.
fn sparse_index(count: usize) -> (usize, usize) {
    match count {
        0..=0x100 => (1, Numbers::U8(&[]).component().0),
        0x101..=0x1_0000 => (2, Numbers::U16(&[]).component().0),
        _ => (4, Numbers::U32(&[]).component().0),
    }
}

pub(super) fn bounds(numbers: &[f32], width: usize) -> (Vec<f32>, Vec<f32>) {
    let (mut least, mut largest) = (vec![f32::INFINITY; width], vec![f32::NEG_INFINITY; width]);
    for element in numbers.chunks_exact(width) {
        for ((least, largest), &number) in least.iter_mut().zip(&mut largest).zip(element) {
            *least = least.min(number);
            *largest = largest.max(number);
        }
    }
    (least, largest)
}

/// Appends bytes up to a multiple of 4.
pub(super) fn pad(bytes: &mut Vec<u8>, with: u8) {
    bytes.resize(bytes.len().next_multiple_of(4), with);
}
