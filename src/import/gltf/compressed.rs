//! Buffer views that an extension compresses, decoded natively. In a page, the caller decodes them instead.
use super::Budget;
use super::extensions::MESHOPT;
use super::json::Json;
use crate::decode::meshopt::{Filter, MeshoptError, MeshoptProblem, Mode, decode};
use crate::import::{ImportError, ImportProblem};
use crate::refusal::element;

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
