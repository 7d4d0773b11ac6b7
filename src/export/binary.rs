//! Binary data of the file: accessors, buffer views, and the one buffer that contains them.
//!
//! ```text
//! view   vertices by stride, one view for each │ indices │ keys │ bind matrices │ sparse parts │ image │ image …
//! ```
//! Equal data with the same purpose is one accessor, for example vertices of several primitives or times of several
//! tracks.
use super::json_text::{Json, Object};
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

    fn bytes(self) -> Vec<u8> {
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
    Vertices { stride: usize },
    Indices,
    Keys,
    BindMatrices,
    SparseParts,
    Image,
}

struct View {
    kind: Kind,
    bytes: Vec<u8>,
}

/// The properties of an accessor, without its range of bytes.
#[derive(Clone, Copy, PartialEq)]
struct Reading {
    view: usize,
    component: usize,
    element: Element,
    bounded: bool,
}

/// An accessor that may be reused.
struct Written {
    reading: Reading,
    bytes: Range<usize>,
    number: usize,
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

        let mut hasher = DefaultHasher::new();
        hasher.write(&bytes);
        let hash = hasher.finish();
        let reading = Reading { view, component, element, bounded };
        let mut known = self.written.get(&hash).into_iter().flatten();
        if let Some(written) = known.find(|written| self.is_same(written, reading, &bytes)) {
            return written.number;
        }

        let offset = self.append(view, &bytes);
        let mut accessor = Object::new()
            .with("bufferView", view)
            .with_unless(0, "byteOffset", offset)
            .with("componentType", component)
            .with("count", numbers.count() / width)
            .with("type", type_name);
        if let (true, Numbers::F32(numbers)) = (bounded, numbers) {
            let (least, largest) = bounds(numbers, width);
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

    /// Returns the accessors, the views and the buffer, in which views begin at multiples of 4 bytes.
    pub(super) fn finish(self) -> (Vec<Json>, Vec<Json>, Vec<u8>) {
        let mut buffer = Vec::with_capacity(self.views.iter().map(|view| view.bytes.len() + 4).sum());
        let mut views = Vec::with_capacity(self.views.len());
        for View { kind, bytes } in self.views {
            let (stride, target) = match kind {
                Kind::Vertices { stride } => (Some(stride), Some(34962)),
                Kind::Indices => (None, Some(34963)),
                _ => (None, None),
            };
            let view = Object::new()
                .with("buffer", 0)
                .with_unless(0, "byteOffset", buffer.len())
                .with("byteLength", bytes.len())
                .with_some("byteStride", stride)
                .with_some("target", target);
            views.push(view.into());
            buffer.extend_from_slice(&bytes);
            pad(&mut buffer, 0);
        }
        (self.accessors, views, buffer)
    }

    fn view(&mut self, kind: Kind) -> usize {
        let found = self.views.iter().position(|view| view.kind == kind);
        found.unwrap_or_else(|| {
            self.views.push(View { kind, bytes: Vec::new() });
            self.views.len() - 1
        })
    }

    /// Appends bytes to a view and returns their offset in it, a multiple of 4.
    fn append(&mut self, view: usize, bytes: &[u8]) -> usize {
        let Some(view) = self.views.get_mut(view) else { return 0 };
        pad(&mut view.bytes, 0);
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

fn bounds(numbers: &[f32], width: usize) -> (Vec<f32>, Vec<f32>) {
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
