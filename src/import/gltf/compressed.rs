//! Buffer views and accessors that extensions compress, decoded natively. In a page, the caller decodes them instead.
use super::Budget;
use super::extensions::{DRACO, MESHOPT};
use super::json::Json;
use crate::decode::draco::{ComponentType, DracoError, DracoProblem, Wanted, decode_accessors};
use crate::decode::meshopt::{Filter, MeshoptError, MeshoptProblem, Mode, decode};
use crate::import::{ImportError, ImportProblem};
use crate::refusal::{Place, element};

/// Returns the decoded bytes of each buffer view; `None` for one that isn't compressed.
///
/// `bytes` returns some bytes of a buffer, from an offset on and with a length, if the caller has them.
pub(super) fn decode_views<'a>(
    root: Json<'a>,
    bytes: impl Fn(usize, usize, usize) -> Option<&'a [u8]>,
    budget: &Budget,
) -> Result<Vec<Option<Vec<u8>>>, ImportError> {
    let views = root.list("bufferViews").enumerate();
    views
        .map(|(index, view)| {
            meshopt_of(view).map(|stream| decoded(index, stream, &bytes, budget)).transpose()
        })
        .collect()
}

fn meshopt_of(view: Json<'_>) -> Option<Json<'_>> {
    MESHOPT.iter().find_map(|name| view.extension(name))
}

fn decoded<'a>(
    view: usize,
    stream: Json<'a>,
    bytes: &impl Fn(usize, usize, usize) -> Option<&'a [u8]>,
    budget: &Budget,
) -> Result<Vec<u8>, ImportError> {
    let place = || element("bufferViews", view);
    let number = |name: &str| stream.index(name).unwrap_or_default();
    let mode = Mode::ALL.into_iter().find(|mode| stream.text("mode") == Some(mode.name()));
    let filter = stream.text("filter").unwrap_or(Filter::None.name());
    let filter = Filter::ALL.into_iter().find(|known| filter == known.name());
    let (Some(mode), Some(filter)) = (mode, filter) else {
        let found = "a mode or filter that doesn't exist".to_owned();
        return Err(ImportProblem::CompressedDataUnsupported.at(place(), found));
    };
    let (count, stride) = (number("count"), number("byteStride"));
    budget.charge(count as u64, stride, place)?;
    let Some(bytes) = bytes(number("buffer"), number("byteOffset"), number("byteLength")) else {
        let found = format!("no bytes in buffer {}", number("buffer"));
        return Err(ImportProblem::CompressedDataMissing.at(place(), found));
    };
    let mut elements = vec![0; count * stride];
    decode(mode, filter, stride, bytes, &mut elements).map_err(|error| refused(error, place()))?;
    Ok(elements)
}

fn refused(error: MeshoptError, place: String) -> ImportError {
    let problem = match error.problem() {
        MeshoptProblem::Version => ImportProblem::CompressedDataUnsupported,
        _ => ImportProblem::CompressedDataInvalid,
    };
    problem.at(place, error.to_string())
}

/// Returns the decoded bytes of the accessors of meshes that are compressed with Draco, with their indices.
pub(super) fn decode_meshes<'a>(
    root: Json<'a>,
    view: impl Fn(usize) -> Result<&'a [u8], ImportError>,
    budget: &Budget,
) -> Result<Vec<(usize, Vec<u8>)>, ImportError> {
    let mut decoded = Vec::new();
    for (mesh, parts) in root.list("meshes").enumerate() {
        for (index, primitive) in parts.list("primitives").enumerate() {
            let Some(extension) = primitive.extension(DRACO) else { continue };
            let place = Place::ROOT;
            let place = place.field("meshes");
            let place = place.index(mesh);
            let place = place.field("primitives");
            let place = place.index(index);
            let bytes = view(extension.index("bufferView").unwrap_or(usize::MAX))?;
            decoded.extend(decoded_mesh(root, primitive, extension, bytes, budget, &place)?);
        }
    }
    Ok(decoded)
}

fn decoded_mesh(
    root: Json<'_>,
    primitive: Json<'_>,
    extension: Json<'_>,
    bytes: &[u8],
    budget: &Budget,
    place: &Place<'_>,
) -> Result<Vec<(usize, Vec<u8>)>, ImportError> {
    let invalid = |found: &str| ImportProblem::CompressedDataInvalid.at(place.pointer(), found.to_owned());
    let described = |accessor: Option<usize>| -> Result<(usize, usize, u8, ComponentType), ImportError> {
        let description = accessor.and_then(|index| Some((index, root.element("accessors", index)?)));
        let (index, accessor) = description.ok_or_else(|| invalid("an accessor that doesn't exist"))?;
        let components = match accessor.text("type") {
            Some("SCALAR") => 1,
            Some("VEC2") => 2,
            Some("VEC3") => 3,
            Some("VEC4") => 4,
            _ => 0,
        };
        let component_type = accessor.integer("componentType").and_then(ComponentType::numbered);
        let component_type = component_type.filter(|_| components > 0);
        let component_type = component_type.ok_or_else(|| invalid("an accessor with another type"))?;
        let count = accessor.index("count").unwrap_or_default();
        budget.charge(count as u64, usize::from(components) * component_type.size(), || place.pointer())?;
        Ok((index, count, components, component_type))
    };
    let mut accessors = Vec::new();
    let mut wanted = Vec::new();
    let mut vertex_count = 0;
    let ids = extension.get("attributes");
    for name in ids.into_iter().flat_map(Json::names) {
        let accessor = primitive.get("attributes").and_then(|attributes| attributes.index(name));
        let id = ids.and_then(|ids| ids.integer(name)).and_then(|id| u32::try_from(id).ok());
        // An attribute that only the extension lists is of no use.
        let (Some(accessor), Some(unique_id)) = (accessor, id) else { continue };
        let (accessor, count, components, component_type) = described(Some(accessor))?;
        vertex_count = count;
        accessors.push(Some(accessor));
        wanted.push(Wanted { unique_id, components, component_type });
    }
    let indices = primitive.index("indices").map(|indices| described(Some(indices))).transpose()?;
    let (index_count, index_type) =
        indices.map_or((0, ComponentType::U32), |(_, count, _, component_type)| (count, component_type));
    accessors.insert(0, indices.map(|(accessor, ..)| accessor));
    let parts = decode_accessors(bytes, index_count, vertex_count, index_type, &wanted)
        .map_err(|error| refused_mesh(&error, place.pointer()))?;
    Ok(accessors.into_iter().zip(parts).filter_map(|(accessor, part)| Some((accessor?, part))).collect())
}

fn refused_mesh(error: &DracoError, place: String) -> ImportError {
    let problem = match error.problem() {
        DracoProblem::DracoVersionUnsupported | DracoProblem::DracoKindUnsupported => {
            ImportProblem::CompressedDataUnsupported
        }
        _ => ImportProblem::CompressedDataInvalid,
    };
    problem.at(place, error.found().to_owned())
}
