//! Blanks data that nobody reads: the columns of the places that panics print. Line numbers stay.

use std::ops::Range;

use wasmparser::{BinaryReaderError, DataKind, Operator, Parser, Payload};

/// Longest name of a file, and greatest line and column, of a place.
const LONGEST_NAME: usize = 200;
const LAST_LINE: u32 = 20_000;
const LAST_COLUMN: u32 = 400;

/// Blanks the data of a module in place.
///
/// # Errors
///
/// When the module can't be read.
pub(super) fn blank(module: &mut [u8]) -> Result<(), String> {
    let segments = segments(module).map_err(|error| format!("cannot read the module's data: {error}"))?;
    for segment in &segments {
        // Places are aligned in memory.
        let aligned = segment.address.next_multiple_of(4) - segment.address;
        for at in segment.bytes.clone().skip(aligned).step_by(4) {
            if at + 16 <= segment.bytes.end && is_place(module, &segments, at) {
                module[at + 12..at + 16].fill(0);
            }
        }
    }
    Ok(())
}

/// A piece of the initial memory: its address there, and where its bytes are in the module.
struct Segment {
    address: usize,
    bytes: Range<usize>,
}

fn segments(module: &[u8]) -> Result<Vec<Segment>, BinaryReaderError> {
    let mut segments = Vec::new();
    for payload in Parser::new(0).parse_all(module) {
        let Payload::DataSection(section) = payload? else { continue };
        for data in section {
            let data = data?;
            let DataKind::Active { offset_expr, .. } = data.kind else { continue };
            let Operator::I32Const { value } = offset_expr.get_operators_reader().read()? else { continue };
            let end = data.range.end;
            segments.push(Segment { address: value as usize, bytes: end - data.data.len()..end });
        }
    }
    Ok(segments)
}

/// Returns whether a place of a panic begins at a byte of the module: the address and length of a file's name, a line
/// and a column.
fn is_place(module: &[u8], segments: &[Segment], at: usize) -> bool {
    let word = |nth: usize| {
        let at = at + nth * 4;
        u32::from_le_bytes([module[at], module[at + 1], module[at + 2], module[at + 3]])
    };
    let (address, length) = (word(0) as usize, word(1) as usize);
    if length > LONGEST_NAME || !(1..LAST_LINE).contains(&word(2)) || !(1..LAST_COLUMN).contains(&word(3)) {
        return false;
    }
    let name = segments.iter().find_map(|segment| {
        let start = segment.bytes.start + address.checked_sub(segment.address)?;
        module.get(start..start + length).filter(|_| start + length <= segment.bytes.end)
    });
    name.is_some_and(|name| name.ends_with(b".rs") && name.iter().all(u8::is_ascii_graphic))
}

#[cfg(test)]
mod tests {
    use super::blank;
    use wasm_encoder::{ConstExpr, DataSection, MemorySection, MemoryType, Module};

    /// Returns a module with this data at address 100.
    fn module(data: &[u8]) -> Vec<u8> {
        let mut memories = MemorySection::new();
        memories.memory(MemoryType {
            minimum: 1,
            maximum: None,
            memory64: false,
            shared: false,
            page_size_log2: None,
        });
        let mut section = DataSection::new();
        section.active(0, &ConstExpr::i32_const(100), data.iter().copied());
        let mut module = Module::new();
        module.section(&memories).section(&section);
        module.finish()
    }

    fn words(words: [u32; 4]) -> Vec<u8> {
        words.into_iter().flat_map(u32::to_le_bytes).collect()
    }

    /// Returns what becomes of 16 bytes behind the name of a file, which is at address 100 and has eight characters.
    fn behind_a_name(name: &str, place: [u32; 4]) -> Vec<u8> {
        let before = module(&[name.as_bytes(), &words(place)].concat());
        let mut after = before.clone();
        blank(&mut after).expect("the module is whole");
        assert_eq!(after[..before.len() - 16], before[..before.len() - 16]);
        after[before.len() - 16..].to_vec()
    }

    #[test]
    fn places_lose_their_column_only() {
        assert_eq!(behind_a_name("src/a.rs", [100, 8, 12, 7]), words([100, 8, 12, 0]));
    }

    #[test]
    fn other_numbers_stay() {
        for place in [[100, 7, 12, 7], [100, 8, 0, 7], [100, 8, 12, 400], [200, 8, 12, 7], [96, 8, 12, 7]] {
            assert_eq!(behind_a_name("src/a.rs", place), words(place));
        }
        assert_eq!(behind_a_name("a\u{1}/b.rs!", [100, 7, 12, 7]), words([100, 7, 12, 7]));
        assert_eq!(behind_a_name("notafile", [100, 8, 12, 7]), words([100, 8, 12, 7]));
    }
}
