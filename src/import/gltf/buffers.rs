//! Bytes of buffers and buffer views.
#[cfg(not(target_arch = "wasm32"))]
use super::Budget;
#[cfg(not(target_arch = "wasm32"))]
use super::compressed;
use super::extensions;
use super::json::Json;
use crate::import::part::Part;
use crate::import::report::WarningKind;
use crate::import::{ImportError, ImportProblem, ImportReport, Resources, data_uri};
use crate::refusal::{Place, element};
use std::borrow::Cow;

/// OpenGL's `ELEMENT_ARRAY_BUFFER`.
const INDICES: u64 = 34_963;

pub(super) struct Buffers<'a> {
    root: Json<'a>,
    /// Bytes of each buffer. `None` if the caller didn't provide them, which is an error only for data in that
    /// buffer.
    bytes: Vec<Option<Cow<'a, [u8]>>>,
    pub(super) resources: &'a Resources,
    /// Bytes of each view that was decoded here.
    #[cfg(not(target_arch = "wasm32"))]
    views: Vec<Option<Vec<u8>>>,
    /// Accessors that were decoded here, and their bytes.
    #[cfg(not(target_arch = "wasm32"))]
    accessors: Vec<(usize, Vec<u8>)>,
}

impl<'a> Buffers<'a> {
    pub(super) fn open(
        root: Json<'a>,
        binary: Option<&'a [u8]>,
        resources: &'a Resources,
        report: &mut ImportReport,
    ) -> Result<Self, ImportError> {
        let mut all = Vec::with_capacity(root.count("buffers"));
        for (index, buffer) in root.list("buffers").enumerate() {
            let bytes = match buffer.text("uri") {
                // The specification assigns the BIN chunk to the first buffer if that has no URI.
                None => binary.filter(|_| index == 0).map(Cow::Borrowed),
                Some(uri) if data_uri::is_data_uri(uri) => {
                    Part::Import.need()?;
                    let decoded = data_uri::decode(uri).ok_or_else(|| invalid_data_uri("buffers", index))?;
                    Some(Cow::Owned(decoded.bytes))
                }
                Some(uri) => {
                    let found = resources.get(uri);
                    if found.is_none() && extensions::replaced_by(buffer).is_none() {
                        // The file may have another spelling of the name.
                        Part::Import.need()?;
                    }
                    found.map(Cow::Borrowed)
                }
            };
            let declared = buffer.integer("byteLength").unwrap_or_default();
            if let Some(there) =
                bytes.as_ref().map(|bytes| bytes.len() as u64).filter(|there| *there < declared)
            {
                return Err(ImportProblem::BufferTooShort
                    .at(element("buffers", index), format!("{there} bytes of {declared}")));
            }
            all.push(bytes);
        }
        for (index, view) in root.list("bufferViews").enumerate() {
            let (_, end) = range(view);
            let buffer = view.index("buffer").and_then(|buffer| root.element("buffers", buffer));
            let declared = buffer.and_then(|buffer| buffer.integer("byteLength")).unwrap_or_default();
            if end > declared {
                return Err(out_of_bounds(index, &format!("its end at {end} of {declared} bytes")));
            }
            let Some(stride) = view.integer("byteStride") else { continue };
            if !(4..=252).contains(&stride) || stride % 4 != 0 || view.integer("target") == Some(INDICES) {
                let place = Place::ROOT.field("bufferViews");
                report.warn(WarningKind::ByteStrideInvalid, &place.index(index));
            }
        }
        Ok(Self {
            root,
            bytes: all,
            resources,
            #[cfg(not(target_arch = "wasm32"))]
            views: Vec::new(),
            #[cfg(not(target_arch = "wasm32"))]
            accessors: Vec::new(),
        })
    }

    /// Decodes the views and accessors that are compressed.
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) fn decode(&mut self, budget: &Budget) -> Result<(), ImportError> {
        let bytes = |buffer: usize, offset: usize, length: usize| {
            self.bytes.get(buffer)?.as_ref()?.get(offset..)?.get(..length)
        };
        self.views = compressed::decode_views(self.root, bytes, budget)?;
        let view = |index| self.view(index).map(|(bytes, _)| bytes);
        self.accessors = compressed::decode_meshes(self.root, view, budget)?;
        Ok(())
    }

    /// Returns the decoded elements of an accessor, without gaps.
    pub(super) fn decoded_accessor(&self, accessor: usize) -> Option<&[u8]> {
        let decoded = self.resources.decoded("accessors", accessor);
        #[cfg(not(target_arch = "wasm32"))]
        let decoded = decoded.or_else(|| {
            let (_, bytes) = self.accessors.iter().find(|(decoded, _)| *decoded == accessor)?;
            Some(bytes.as_slice())
        });
        decoded
    }

    fn decoded(&self, view: usize) -> Option<&[u8]> {
        let decoded = self.resources.decoded("bufferViews", view);
        #[cfg(not(target_arch = "wasm32"))]
        let decoded = decoded.or_else(|| self.views.get(view)?.as_deref());
        decoded
    }

    /// Returns the number of bytes of all buffers together.
    pub(super) fn byte_count(&self) -> usize {
        self.bytes.iter().flatten().map(|bytes| bytes.len()).sum()
    }

    /// Returns the bytes of a view, and the distance between its elements if it gives one.
    pub(super) fn view(&self, index: usize) -> Result<(&[u8], Option<usize>), ImportError> {
        let view = self.root.element("bufferViews", index);
        let Some((view, buffer)) = view.and_then(|view| Some((view, view.index("buffer")?))) else {
            return Err(out_of_bounds(index, "no such view"));
        };
        if let Some(decoded) = self.decoded(index) {
            let length = view.index("byteLength").unwrap_or_default();
            let decoded =
                decoded.get(..length).ok_or_else(|| out_of_bounds(index, "too few decoded bytes"))?;
            return Ok((decoded, view.index("byteStride")));
        }
        let Some(bytes) = self.bytes.get(buffer).and_then(Option::as_ref) else {
            let uri = self.root.element("buffers", buffer).and_then(|buffer| buffer.text("uri"));
            return Err(ImportProblem::BufferMissing
                .at(element("buffers", buffer), uri.unwrap_or("no URI and no binary chunk").to_owned()));
        };
        let (start, end) = range(view);
        let range = usize::try_from(start).ok().zip(usize::try_from(end).ok());
        // The view is within the buffer's declared length, and the buffer has that many bytes; both were checked on
        // opening.
        let bytes = range.and_then(|(start, end)| bytes.get(start..end));
        let bytes = bytes.ok_or_else(|| out_of_bounds(index, "bytes that are missing"))?;
        Ok((bytes, view.index("byteStride")))
    }
}

/// Returns the first byte and the end of a view in its buffer.
fn range(view: Json<'_>) -> (u64, u64) {
    let start = view.integer("byteOffset").unwrap_or_default();
    (start, start.saturating_add(view.integer("byteLength").unwrap_or_default()))
}

fn out_of_bounds(view: usize, found: &str) -> ImportError {
    ImportProblem::BufferViewOutOfBounds.at(element("bufferViews", view), found.to_owned())
}

#[inline(never)]
pub(super) fn invalid_data_uri(array: &str, index: usize) -> ImportError {
    let place = Place::ROOT;
    let place = place.field(array);
    let place = place.index(index);
    let found = "broken base64, or no comma".to_owned();
    ImportProblem::DataUriInvalid.at(place.field("uri").pointer(), found)
}
