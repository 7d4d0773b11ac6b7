//! Decoder of meshopt streams, which `EXT_meshopt_compression` and `KHR_meshopt_compression` store in buffer views.
//!
//! - [`Mode::Attributes`]: elements of a fixed size, as differences between neighbours, byte by byte.
//! - [`Mode::Triangles`]: indices of a triangle list, by edges and vertices that occurred shortly before.
//! - [`Mode::Indices`]: any other indices, as differences.
//!
//! The result equals the reference decoder's to the byte. No input panics, and nothing is allocated. The module needs
//! `core` alone, because its wasm file (`decoders/meshopt`) has no standard library.

mod attributes;
mod error;
mod filters;
mod indices;
#[cfg(target_arch = "wasm32")]
mod lanes;
mod reader;
#[cfg(not(target_arch = "wasm32"))]
mod scalar;

pub use error::{MeshoptError, MeshoptProblem};

#[cfg(target_arch = "wasm32")]
use lanes as arithmetic;
#[cfg(not(target_arch = "wasm32"))]
use scalar as arithmetic;

/// Kind of data in a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    Attributes,
    Triangles,
    Indices,
}

/// Transform of decoded elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filter {
    None,
    /// Unit vectors, from two coordinates on an octahedron.
    Octahedral,
    /// Unit quaternions, from the three smallest components.
    Quaternion,
    /// Floating point numbers, from an exponent of 8 bits and a mantissa of 24.
    Exponential,
    /// Colours, from luma and two differences.
    Color,
}

impl Mode {
    pub const ALL: [Self; 3] = [Self::Attributes, Self::Triangles, Self::Indices];

    /// The name in a glTF file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Attributes => "ATTRIBUTES",
            Self::Triangles => "TRIANGLES",
            Self::Indices => "INDICES",
        }
    }
}

impl Filter {
    pub const ALL: [Self; 5] =
        [Self::None, Self::Octahedral, Self::Quaternion, Self::Exponential, Self::Color];

    /// The name in a glTF file.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "NONE",
            Self::Octahedral => "OCTAHEDRAL",
            Self::Quaternion => "QUATERNION",
            Self::Exponential => "EXPONENTIAL",
            Self::Color => "COLOR",
        }
    }
}

/// Decodes a stream into `elements`, whose length is the number of elements times `stride`, the bytes of each.
///
/// # Errors
/// A stream that is damaged, or doesn't have these elements. Some elements may have been written then.
pub fn decode(
    mode: Mode,
    filter: Filter,
    stride: usize,
    stream: &[u8],
    elements: &mut [u8],
) -> Result<(), MeshoptError> {
    match mode {
        Mode::Attributes => {
            attributes::decode(stride, stream, elements)?;
            filters::apply(filter, stride, elements)
        }
        _ if filter != Filter::None => Err(MeshoptProblem::Filter.found(stride)),
        Mode::Triangles => indices::decode_triangles(stride, stream, elements),
        Mode::Indices => indices::decode_sequence(stride, stream, elements),
    }
}
