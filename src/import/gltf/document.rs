//! Parser of the JSON text into a value whose properties have the right types and are in range.
use super::json::Json;
use super::{Budget, extensions, schema};
use crate::import::{ImportError, ImportProblem, ImportReport};
use crate::json::{self, Value};
use crate::refusal::Place;

pub(super) struct Document<'a> {
    value: Value,
    pub(super) text: &'a [u8],
    /// Bytes of the JSON. Together with those of the buffers they limit what may be allocated.
    pub(super) byte_count: usize,
}

impl Document<'_> {
    pub(super) fn root(&self) -> Json<'_> {
        Json::new(&self.value)
    }
}

/// Parses and checks the JSON. Extensions are checked if `decoders` are known: those whose data the caller decodes.
pub(super) fn parse<'a>(
    bytes: &'a [u8],
    decoders: Option<&[String]>,
    report: &mut ImportReport,
) -> Result<Document<'a>, ImportError> {
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    // Some exporters pad the JSON chunk with zeros; the specification requires spaces.
    let padding = text.iter().rev().take_while(|&&byte| byte == 0).count();
    let text = text.get(..text.len() - padding).unwrap_or_default();
    let value = json::parse(text).map_err(|[place, found]| ImportProblem::JsonInvalid.at(place, found))?;

    check_version(&value)?;
    if let Some(decoders) = decoders {
        extensions::check(&value, decoders, report)?;
    }
    // Each element of a root array takes at least this much memory, even if it is empty.
    let arrays = value.entries().iter().map(|(_, list)| list.elements());
    let elements: usize = arrays.map(<[Value]>::len).sum();
    Budget::of_file(bytes.len()).charge(elements as u64, 512, || Place::ROOT.pointer())?;
    schema::check(&value)?;
    Ok(Document { value, text, byte_count: bytes.len() })
}

/// Checks the version. This comes before the schema, which differs between versions.
fn check_version(value: &Value) -> Result<(), ImportError> {
    let asset = Place::ROOT.field("asset");
    for (name, required) in [("version", true), ("minVersion", false)] {
        let place = asset.field(name);
        let Some(version) = value.get("asset").and_then(|asset| asset.get(name)) else {
            if value.get("asset").is_none() && value.get("nodes").is_none() {
                return Err(ImportProblem::NotAModel.at(Place::byte(0), "JSON that isn't glTF".into()));
            }
            if required {
                return Err(ImportProblem::PropertyMissing.at(place.pointer(), "nothing".into()));
            }
            continue;
        };
        // 2.1 made extensions core that are read in any file. Later files are readable unless they require a later
        // `minVersion`.
        let readable = version.as_str().and_then(|version| version.split_once('.')).is_some_and(|version| {
            let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            version.0 == "2" && if required { digits(version.1) } else { matches!(version.1, "0" | "1") }
        });
        if !readable {
            let found = version.as_str().unwrap_or("no text").to_owned();
            return Err(ImportProblem::VersionUnsupported.at(place.pointer(), found));
        }
    }
    Ok(())
}
