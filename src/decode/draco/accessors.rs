//! A mesh in the form in which glTF's accessors describe it.
use super::{ComponentType, DracoError, DracoProblem, Mesh, budget, decode};
use crate::refusal::Place;

/// An attribute that an accessor describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// The number by which the file refers to the attribute.
    pub unique_id: u32,
    pub components: u8,
    pub component_type: ComponentType,
}

/// Decodes a mesh. Returns the bytes of the indices, in a type, and of the attributes.
///
/// # Errors
/// A mesh that is damaged, larger than these counts, or without one of the attributes.
pub fn decode_accessors(
    bytes: &[u8],
    index_count: usize,
    vertex_count: usize,
    index_type: ComponentType,
    wanted: &[Wanted],
) -> Result<Vec<Vec<u8>>, DracoError> {
    let components: Vec<u8> = wanted.iter().map(|wanted| wanted.components).collect();
    let mesh = decode(bytes, budget(index_count, vertex_count, &components))?;
    let mut accessors = Vec::with_capacity(1 + wanted.len());
    accessors
        .push(indices(&mesh, index_type).ok_or_else(|| invalid("more points than its indices can count"))?);
    for wanted in wanted {
        let attribute = mesh.attributes.iter().find(|attribute| attribute.unique_id == wanted.unique_id);
        let attribute = attribute.filter(|attribute| attribute.components == wanted.components);
        let attribute = attribute.ok_or_else(|| invalid("no attribute of this number and size"))?;
        let converted = attribute.converted(wanted.component_type);
        accessors.push(converted.ok_or_else(|| invalid("a number that the accessor's type can't have"))?);
    }
    Ok(accessors)
}

fn indices(mesh: &Mesh, index_type: ComponentType) -> Option<Vec<u8>> {
    let size = index_type.size();
    let last = mesh.point_count.saturating_sub(1).to_le_bytes();
    if last.get(size..)?.iter().any(|&byte| byte != 0) {
        return None;
    }
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(mesh.indices.len().checked_mul(size)?).ok()?;
    for index in &mesh.indices {
        bytes.extend_from_slice(index.to_le_bytes().get(..size)?);
    }
    Some(bytes)
}

fn invalid(found: &str) -> DracoError {
    DracoProblem::DracoInvalid.at(Place::byte(0), found.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_have_the_type_of_their_accessor_or_do_not_fit() {
        let mesh =
            |point_count| Mesh { indices: vec![0, 1, 2, 2, 1, 3], point_count, attributes: Vec::new() };
        assert_eq!(indices(&mesh(256), ComponentType::U8), Some(vec![0, 1, 2, 2, 1, 3]));
        assert_eq!(indices(&mesh(257), ComponentType::U8), None);
        let short = indices(&mesh(65_536), ComponentType::U16);
        assert_eq!(short, Some(vec![0, 0, 1, 0, 2, 0, 2, 0, 1, 0, 3, 0]));
        assert_eq!(indices(&mesh(65_537), ComponentType::U16), None);
        assert_eq!(indices(&mesh(65_537), ComponentType::U32).map(|bytes| bytes.len()), Some(24));
    }
}
