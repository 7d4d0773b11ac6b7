//! Data that all levels of an ETC1S texture share: codebooks, Huffman tables, and the places of all images.
use crate::decode::ktx2::bits::BitStream;
use crate::decode::ktx2::header::{Header, u32_at};
use crate::decode::ktx2::huffman::Huffman;
use crate::decode::ktx2::{Ktx2Error, Ktx2Problem};

/// Bytes of the header of the global data.
const HEAD: usize = 20;
/// Bytes of the description of an image.
const IMAGE: usize = 20;
/// Flag of an image that depends on the one before it.
const IS_P_FRAME: u32 = 2;

/// Colour and range of a block.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Endpoint {
    /// Red, green and blue, five bits each.
    pub(super) base: [u8; 3],
    /// Number of ETC1's table of modifiers.
    pub(super) table: u8,
}

/// The four levels of the texels of a block, from the darkest to the brightest.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Selector {
    /// Two bits for each texel, row after row, the lowest bits first.
    pub(super) texels: u32,
    /// A bit for each level that occurs.
    pub(super) used: u8,
}

/// The parsed global data.
#[derive(Debug)]
pub(crate) struct Codebooks<'a> {
    pub(super) endpoints: Vec<Endpoint>,
    pub(super) selectors: Vec<Selector>,
    pub(super) predictions: Huffman,
    pub(super) deltas: Huffman,
    pub(super) selector_codes: Huffman,
    pub(super) runs: Huffman,
    /// Number of recent selectors that have codes of their own.
    pub(super) history: usize,
    images: &'a [u8],
}

impl<'a> Codebooks<'a> {
    /// Reads the global data of a file.
    ///
    /// # Errors
    /// If it ends early or is invalid.
    pub(crate) fn read(header: &Header<'a>) -> Result<Self, Ktx2Error> {
        let (data, at) = (header.global, header.global_at);
        let truncated = || Ktx2Problem::Truncated.byte(at, "a part of the global data");
        let invalid = || Ktx2Problem::DataInvalid.byte(at, "global data of ETC1S");
        if data.len() < HEAD {
            return Err(truncated());
        }
        let count = |number: u32| usize::try_from(number & 0xffff).unwrap_or(0);
        let (endpoint_count, selector_count) = (count(u32_at(data, 0)), count(u32_at(data, 0) >> 16));
        let image_count = header.images().saturating_mul(header.levels.len() as u64);
        let image_bytes = usize::try_from(image_count).ok().and_then(|count| count.checked_mul(IMAGE));
        let mut rest = data.get(HEAD..).unwrap_or_default();
        let mut part = |length: Option<usize>| {
            let (part, after) = length.and_then(|length| rest.split_at_checked(length))?;
            rest = after;
            Some(part)
        };
        let length = |at: usize| usize::try_from(u32_at(data, at)).ok();
        let images = part(image_bytes).ok_or_else(truncated)?;
        let endpoints = part(length(4)).ok_or_else(truncated)?;
        let selectors = part(length(8)).ok_or_else(truncated)?;
        let tables = part(length(12)).ok_or_else(truncated)?;

        // A still image that is marked as a difference to another one can't be decoded.
        if images.chunks_exact(IMAGE).any(|image| u32_at(image, 0) & IS_P_FRAME != 0) {
            return Err(Ktx2Problem::KindUnsupported.byte(at, "a video"));
        }
        let endpoints = read_endpoints(endpoints, endpoint_count).ok_or_else(invalid)?;
        let selectors = read_selectors(selectors, selector_count).ok_or_else(invalid)?;
        let mut stream = BitStream::new(tables);
        let mut table = || Huffman::read(&mut stream).ok_or_else(invalid);
        let [predictions, deltas, selector_codes, runs] = [table()?, table()?, table()?, table()?];
        let history = stream.take(13) as usize;
        if history == 0 || stream.overrun() {
            return Err(invalid());
        }
        Ok(Self { endpoints, selectors, predictions, deltas, selector_codes, runs, history, images })
    }

    /// Returns the stored bytes of an image: colours, and alpha if it has any.
    pub(crate) fn slices<'l>(&self, level: &'l [u8], image: usize) -> Option<(&'l [u8], Option<&'l [u8]>)> {
        let described = self.images.get(image.checked_mul(IMAGE)?..)?;
        let slice = |at: usize| {
            let start = usize::try_from(u32_at(described, at)).ok()?;
            let length = usize::try_from(u32_at(described, at + 4)).ok()?;
            level.get(start..start.checked_add(length)?)
        };
        let has_alpha = u32_at(described, 16) != 0;
        Some((slice(4)?, if has_alpha { Some(slice(12)?) } else { None }))
    }
}

fn read_endpoints(bytes: &[u8], count: usize) -> Option<Vec<Endpoint>> {
    let mut stream = BitStream::new(bytes);
    let colors = [Huffman::read(&mut stream)?, Huffman::read(&mut stream)?, Huffman::read(&mut stream)?];
    let tables = Huffman::read(&mut stream)?;
    let is_grey = stream.take(1) != 0;
    let mut endpoints = Vec::new();
    let mut last = Endpoint { base: [16; 3], table: 0 };
    for _ in 0..count {
        last.table = ((u32::from(last.table) + tables.decode(&mut stream)?) & 7) as u8;
        let [red, others @ ..] = &mut last.base;
        let mut advance = |value: &mut u8| {
            let [dark, middle, bright] = &colors;
            let table = match *value {
                0..=9 => dark,
                10..=21 => middle,
                _ => bright,
            };
            *value = ((u32::from(*value) + table.decode(&mut stream)?) & 31) as u8;
            Some(())
        };
        advance(red)?;
        match is_grey {
            true => *others = [*red; 2],
            false => others.iter_mut().try_for_each(advance)?,
        }
        if stream.overrun() {
            return None;
        }
        endpoints.push(last);
    }
    Some(endpoints)
}

fn read_selectors(bytes: &[u8], count: usize) -> Option<Vec<Selector>> {
    let mut stream = BitStream::new(bytes);
    // The first two bits name codebooks of early versions, which no KTX2 file has.
    if stream.take(2) != 0 {
        return None;
    }
    let is_raw = stream.take(1) != 0;
    let differences = if is_raw { Huffman::default() } else { Huffman::read(&mut stream)? };
    let mut selectors = Vec::new();
    let mut last = [0; 4];
    for index in 0..count {
        for row in &mut last {
            *row = match is_raw || index == 0 {
                true => (stream.take(8) & 0xff) as u8,
                false => *row ^ (differences.decode(&mut stream)? & 0xff) as u8,
            };
        }
        if stream.overrun() {
            return None;
        }
        let texels = u32::from_le_bytes(last);
        let used = (0..16).fold(0, |used, texel| used | 1 << (texels >> (2 * texel) & 3));
        selectors.push(Selector { texels, used });
    }
    Some(selectors)
}
