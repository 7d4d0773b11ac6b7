//! Decoder of triangle meshes that are compressed with Draco, as `KHR_draco_mesh_compression` of glTF has them.
//!
//! Reads version 2.2 of the bit stream, which is the only one that glTF allows. The result is the same as that of
//! Draco's own decoder, byte for byte; `tests/node/draco.test.mjs` compares the two.
//!
//! ```text
//! header ─▶ connectivity ─▶ for each group of attributes: order of values ─▶ for each attribute: values
//!           (edgebreaker       (traversal)                                   rans ─▶ prediction ─▶ attributes
//!            or sequential)
//! ```

mod accessors;
mod attributes;
mod convert;
mod corners;
mod edgebreaker;
mod error;
mod memory;
mod octahedron;
mod points;
mod prediction;
mod rans;
mod reader;
mod sequential;
mod tex_coords;
mod traversal;

pub use accessors::{Wanted, decode_accessors};
pub use error::{DracoError, DracoProblem};

use crate::refusal::Place;
use error::{Fault, Result, invalid, unsupported};
use memory::Memory;
use reader::Reader;

/// A decoded mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    /// Three points for each triangle. All are less than `point_count`.
    pub indices: Vec<u32>,
    pub point_count: u32,
    pub attributes: Vec<Attribute>,
}

/// A value for each point.
#[derive(Clone, Debug, PartialEq)]
pub struct Attribute {
    /// The number by which a glTF file refers to the attribute.
    pub unique_id: u32,
    pub kind: AttributeKind,
    pub component_type: ComponentType,
    /// Number of components of a point, at least one.
    pub components: u8,
    /// Whether integers stand for numbers from 0 or -1 to 1.
    pub normalized: bool,
    /// The points one after the other, without padding, in little-endian order.
    pub bytes: Vec<u8>,
}

/// What an attribute is used for. glTF names attributes itself; this is what the encoder was told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttributeKind {
    Position,
    Normal,
    Color,
    TexCoord,
    Generic,
}

/// Type of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComponentType {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
}

impl ComponentType {
    /// Returns the type by its number in OpenGL and glTF.
    pub fn numbered(number: u64) -> Option<Self> {
        Some(match number {
            5120 => Self::I8,
            5121 => Self::U8,
            5122 => Self::I16,
            5123 => Self::U16,
            5125 => Self::U32,
            5126 => Self::F32,
            _ => return None,
        })
    }

    /// Returns the number of bytes of a component.
    pub fn size(self) -> usize {
        match self {
            ComponentType::I8 | ComponentType::U8 => 1,
            ComponentType::I16 | ComponentType::U16 => 2,
            ComponentType::I32 | ComponentType::U32 | ComponentType::F32 => 4,
        }
    }
}

/// Decodes a mesh. `budget` is the number of bytes that the result and the working memory may take together, which is
/// checked before memory is allocated. Working memory counts even after it was freed. [`budget`] returns a number that
/// suffices.
///
/// # Errors
/// An error that makes the mesh unusable, with its place.
pub fn decode(bytes: &[u8], budget: usize) -> std::result::Result<Mesh, DracoError> {
    let mut reader = Reader::new(bytes);
    mesh(&mut reader, &mut Memory::new(budget)).map_err(|Fault { problem, found }| {
        problem.at(Place::byte(bytes.len() - reader.left()), (*found).into())
    })
}

/// Returns a budget for [`decode`] that suffices for every mesh of this size. `components` has the number of components
/// of each attribute. Room for two more attributes is added, since a mesh can have some that the glTF file doesn't use.
pub fn budget(index_count: usize, point_count: usize, components: &[u8]) -> usize {
    // The sums of what the functions below allocate for each corner and for each point.
    let spare = [4; 2];
    components.iter().chain(&spare).fold(4096, |sum: usize, components| {
        let point = 30 + 8 * usize::from(*components);
        sum.saturating_add(index_count.saturating_mul(24)).saturating_add(point_count.saturating_mul(point))
    })
}

fn mesh(reader: &mut Reader, memory: &mut Memory) -> Result<Mesh> {
    if reader.bytes(5).ok() != Some(b"DRACO") {
        return Err(&Fault { problem: DracoProblem::NotDraco, found: "other content" });
    }
    let [major, minor, geometry, method, _, flags] = reader.array()?;
    if [major, minor] != [2, 2] {
        return Err(&Fault {
            problem: DracoProblem::DracoVersionUnsupported,
            found: "another version than 2.2",
        });
    }
    if geometry != 1 {
        return Err(unsupported!("a point cloud"));
    }
    if flags & 0x80 != 0 {
        skip_metadata(reader)?;
    }
    let connectivity;
    let (indices, point_count, connectivity) = match method {
        0 => {
            let (indices, point_count) = sequential::decode(reader, memory)?;
            (indices, point_count, None)
        }
        1 => {
            connectivity = edgebreaker::decode(reader, memory)?;
            let mut indices = memory.empty(connectivity.points.len())?;
            indices.extend_from_slice(&connectivity.points);
            (indices, connectivity.point_count, Some(&connectivity))
        }
        _ => return Err(unsupported!("an unknown encoding of triangles")),
    };
    if indices.iter().any(|point| *point >= point_count) {
        return Err(invalid!("a triangle with a point that doesn't exist"));
    }
    let attributes = attributes::attributes(reader, memory, connectivity, point_count)?;
    Ok(Mesh { indices, point_count, attributes })
}

/// Skips names and values that applications add: those of attributes, then those of the mesh. Each set can be followed
/// by named sets below it.
fn skip_metadata(reader: &mut Reader) -> Result<()> {
    for is_attribute in (0..reader.varint()?).map(|_| true).chain([false]) {
        if is_attribute {
            let _unique_id = reader.varint()?;
        }
        let mut named = 0_u64;
        loop {
            for _ in 0..reader.varint()? {
                let name = reader.u8()?;
                reader.bytes(name.into())?;
                reader.sized()?;
            }
            named += u64::from(reader.varint()?);
            if named == 0 {
                break;
            }
            named -= 1;
            let name = reader.u8()?;
            reader.bytes(name.into())?;
        }
    }
    Ok(())
}
