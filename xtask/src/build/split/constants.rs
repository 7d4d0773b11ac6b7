//! Which bytes of the initial memory are in which module.

use wasm_encoder::{ConstExpr, DataSection};

use super::Home;
use super::links::Constant;
use super::parts::Segment;

/// The initial memory, with the module of each byte.
pub(super) struct Constants<'a> {
    segments: Vec<(Segment<'a>, Vec<Home>)>,
}

impl<'a> Constants<'a> {
    /// `homes` has the module of each constant. Bytes that several share are in the first module if one of those is.
    pub(super) fn new(segments: &[Segment<'a>], constants: &[Constant<'_>], homes: &[Home]) -> Self {
        let place = |segment: &Segment<'a>| {
            // Bytes between constants are zero.
            let padding = |&byte: &u8| if byte == 0 { Home::Nowhere } else { Home::Core };
            let mut bytes: Vec<Home> = segment.bytes.iter().map(padding).collect();
            for home in [Home::Nowhere, Home::Late, Home::Core] {
                for (constant, _) in constants.iter().zip(homes).filter(|&(_, &other)| other == home) {
                    let [start, end] = [constant.range.start, constant.range.end]
                        .map(|address| (address.saturating_sub(segment.address) as usize).min(bytes.len()));
                    bytes[start..end].fill(home);
                }
            }
            (*segment, bytes)
        };
        Self { segments: segments.iter().map(place).collect() }
    }

    /// Returns the segments of the first module. The bytes of the second are zero, since that compresses better than
    /// a segment for each piece between them.
    pub(super) fn core(&self) -> DataSection {
        let mut section = DataSection::new();
        for (segment, homes) in &self.segments {
            let keep = |(&byte, &home)| if home == Home::Core { byte } else { 0 };
            let mut bytes: Vec<u8> = segment.bytes.iter().zip(homes).map(keep).collect();
            // Memory is zero before.
            bytes.truncate(bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1));
            section.active(0, &ConstExpr::i32_const(segment.address as i32), bytes);
        }
        section
    }

    /// Returns the segments of the second module.
    pub(super) fn late(&self) -> DataSection {
        let mut section = DataSection::new();
        for (segment, homes) in &self.segments {
            let mut start = 0;
            for run in homes.chunk_by(|&before, &after| (before == Home::Core) == (after == Home::Core)) {
                let end = start + run.len();
                if run.contains(&Home::Late) {
                    let keep = |at: usize| if homes[at] == Home::Late { segment.bytes[at] } else { 0 };
                    let address = segment.address + start as u32;
                    section.active(0, &ConstExpr::i32_const(address as i32), (start..end).map(keep));
                }
                start = end;
            }
        }
        section
    }
}
