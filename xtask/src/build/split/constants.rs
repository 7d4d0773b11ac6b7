//! Which bytes of the initial memory are in which module.

use wasm_encoder::{ConstExpr, DataSection};

use super::Home;
use super::links::Constant;
use super::parts::Segment;

/// The initial memory, with the module of each byte.
pub(super) struct Constants<'a> {
    segments: Vec<(Segment<'a>, Vec<Home>)>,
}

/// Number of zeros from which on another segment is smaller than the zeros, compressed.
const LONG_RUN: usize = 32_768;

impl<'a> Constants<'a> {
    /// `homes` has the module of each constant. Bytes that constants of several modules share are in the core.
    pub(super) fn new(segments: &[Segment<'a>], constants: &[Constant<'_>], homes: &[Home]) -> Self {
        let place = |segment: &Segment<'a>| {
            // Bytes between constants are zero.
            let padding = |&byte: &u8| if byte == 0 { None } else { Some(Home::Core) };
            let mut bytes: Vec<Option<Home>> = segment.bytes.iter().map(padding).collect();
            let range = |constant: &Constant<'_>| {
                let [start, end] = [constant.range.start, constant.range.end].map(|address| {
                    (address.saturating_sub(segment.address) as usize).min(segment.bytes.len())
                });
                start..end
            };
            for constant in constants {
                bytes[range(constant)].fill(None);
            }
            for (constant, &home) in constants.iter().zip(homes).filter(|it| *it.1 != Home::Nowhere) {
                for byte in &mut bytes[range(constant)] {
                    let is_shared = byte.is_some_and(|other| other != home);
                    *byte = Some(if is_shared { Home::Core } else { home });
                }
            }
            (*segment, bytes.into_iter().map(|home| home.unwrap_or(Home::Nowhere)).collect())
        };
        Self { segments: segments.iter().map(place).collect() }
    }

    /// Returns the segments of the core. The bytes of parts are zero, since that compresses better than a segment for
    /// each piece between them. Only long runs of zeros are left out.
    pub(super) fn core(&self) -> DataSection {
        let mut section = DataSection::new();
        for (segment, homes) in &self.segments {
            let keep = |(&byte, &home)| if home == Home::Core { byte } else { 0 };
            let bytes: Vec<u8> = segment.bytes.iter().zip(homes).map(keep).collect();
            let (mut start, mut end) = (0, 0);
            let mut add = |start: usize, end: usize| {
                let address = segment.address + start as u32;
                section.active(0, &ConstExpr::i32_const(address as i32), bytes[start..end].iter().copied());
            };
            // Memory is zero before.
            for at in (0..bytes.len()).filter(|&at| bytes[at] != 0) {
                if at - end >= LONG_RUN {
                    add(start, end);
                    start = at;
                }
                end = at + 1;
            }
            add(start, end);
        }
        section
    }

    /// Returns the segments of a part.
    pub(super) fn of(&self, part: Home) -> DataSection {
        let mut section = DataSection::new();
        let is_other = |home: Home| home != part && home != Home::Nowhere;
        for (segment, homes) in &self.segments {
            let mut start = 0;
            for run in homes.chunk_by(|&before, &after| is_other(before) == is_other(after)) {
                let end = start + run.len();
                if run.contains(&part) {
                    let keep = |at: usize| if homes[at] == part { segment.bytes[at] } else { 0 };
                    let address = segment.address + start as u32;
                    section.active(0, &ConstExpr::i32_const(address as i32), (start..end).map(keep));
                }
                start = end;
            }
        }
        section
    }
}
