//! The bytes that buffers and their views stand for.
use crate::import::place::{Place, element};
use crate::import::{ImportError, Resources, data_uri};
use gltf::json::{Index, Root, buffer};
use std::borrow::Cow;

pub(super) struct Buffers<'a> {
    root: &'a Root,
    /// `None` where no one brought the bytes: an error only for what uses them.
    bytes: Vec<Option<Cow<'a, [u8]>>>,
}

impl<'a> Buffers<'a> {
    pub(super) fn open(
        root: &'a Root,
        binary: Option<&'a [u8]>,
        resources: &'a Resources,
    ) -> Result<Self, ImportError> {
        let mut all = Vec::with_capacity(root.buffers.len());
        for (index, buffer) in root.buffers.iter().enumerate() {
            let bytes = match &buffer.uri {
                // The specification: the BIN chunk is the first buffer, which then has no URI.
                None => binary.filter(|_| index == 0).map(Cow::Borrowed),
                Some(uri) if data_uri::is_data_uri(uri) => match data_uri::decode(uri) {
                    Some(decoded) => Some(Cow::Owned(decoded.bytes)),
                    None => return Err(invalid_data_uri("buffers", index)),
                },
                Some(uri) => resources.get(uri).map(Cow::Borrowed),
            };
            let (declared, there) = (buffer.byte_length.0, bytes.as_ref().map(|bytes| bytes.len() as u64));
            if there.is_some_and(|there| there < declared) {
                return Err(ImportError::BufferTooShort {
                    place: element("buffers", index),
                    found: format!("{} bytes of {declared}", there.unwrap_or_default()),
                });
            }
            all.push(bytes);
        }
        for (index, view) in root.buffer_views.iter().enumerate() {
            let end = view.byte_offset.unwrap_or_default().0.saturating_add(view.byte_length.0);
            let declared = root.get(view.buffer).map_or(0, |buffer| buffer.byte_length.0);
            if end > declared {
                return Err(out_of_bounds(index, &format!("its end at {end} of {declared} bytes")));
            }
        }
        Ok(Self { root, bytes: all })
    }

    /// Bytes of all buffers together.
    pub(super) fn byte_count(&self) -> usize {
        self.bytes.iter().flatten().map(|bytes| bytes.len()).sum()
    }

    /// The bytes of a view, and the distance between its elements where it gives one.
    pub(super) fn view(&self, index: Index<buffer::View>) -> Result<(&[u8], Option<usize>), ImportError> {
        let index = index.value();
        let Some(view) = self.root.buffer_views.get(index) else {
            return Err(out_of_bounds(index, "no such view"));
        };
        let buffer_index = view.buffer.value();
        let Some(bytes) = self.bytes.get(buffer_index).and_then(Option::as_ref) else {
            let uri = self.root.buffers.get(buffer_index).and_then(|buffer| buffer.uri.as_deref());
            return Err(ImportError::BufferMissing {
                place: element("buffers", buffer_index),
                found: uri.unwrap_or("no URI and no binary chunk").to_owned(),
            });
        };
        let start = view.byte_offset.unwrap_or_default().0;
        let end = start.saturating_add(view.byte_length.0);
        let range = usize::try_from(start).ok().zip(usize::try_from(end).ok());
        // Within what the buffer declares, and that is there: both were seen on opening.
        let bytes = range.and_then(|(start, end)| bytes.get(start..end));
        let bytes = bytes.ok_or_else(|| out_of_bounds(index, "bytes that aren't there"))?;
        Ok((bytes, view.byte_stride.map(|stride| stride.0)))
    }
}

fn out_of_bounds(view: usize, found: &str) -> ImportError {
    ImportError::BufferViewOutOfBounds { place: element("bufferViews", view), found: found.to_owned() }
}

pub(super) fn invalid_data_uri(array: &str, index: usize) -> ImportError {
    let place = Place::ROOT;
    let place = place.field(array);
    let place = place.index(index);
    let found = "broken base64, or no comma".to_owned();
    ImportError::DataUriInvalid { place: place.field("uri").pointer(), found }
}
