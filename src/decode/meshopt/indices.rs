//! Indices of triangles, and sequences of indices.
//!
//! ```text
//! triangles  header · a code for each triangle · numbers where codes need them · 16 common second codes
//! sequence   header · a number for each index · 4 bytes
//! ```
use super::reader::Reader;
use super::{MeshoptError, MeshoptProblem};

/// Decodes a triangle list. `size` is that of an index in bytes, 2 or 4.
pub(super) fn decode_triangles(size: usize, stream: &[u8], indices: &mut [u8]) -> Result<(), MeshoptError> {
    let count = count(size, indices)?;
    if !count.is_multiple_of(3) {
        return Err(MeshoptProblem::Elements.found(count));
    }
    let (mut reader, version) = Reader::open(stream, 0xe0)?;
    let second_codes = reader.take_tail(16)?;
    let codes = reader.take(count / 3)?;
    let mut coder = Coder::new();
    // Version 1 uses two codes of free vertices for the neighbours of the last one.
    let first_free = if version == 0 { 15 } else { 13 };
    for (target, &code) in indices.chunks_mut(3 * size).zip(codes) {
        let (high, low) = (code >> 4, code & 15);
        let triangle = if high < 15 {
            let [a, b] = coder.edges.recent(high);
            let c = match low {
                0 => coder.next(),
                low if low < first_free => coder.vertices.recent(low),
                low => {
                    let c = match low {
                        13 => coder.after_last(u32::MAX),
                        14 => coder.after_last(1),
                        _ => coder.free(&mut reader)?,
                    };
                    coder.vertices.push(c);
                    c
                }
            };
            coder.edges.push([c, b]);
            coder.edges.push([a, c]);
            [a, b, c]
        } else {
            let second = match second_codes.get(usize::from(low)) {
                Some(&second) if low < 14 => second,
                _ => reader.byte()?,
            };
            if low >= 14 && second == 0 {
                coder.next = 0;
            }
            // A free vertex is the last of the 15 codes in a stream's own second code, and is never in a common one.
            let has_free = low >= 14;
            let kinds = [if low == 15 { 15 } else { 0 }, second >> 4, second & 15];
            coder.triangle(kinds, has_free, &mut reader)?
        };
        for (target, index) in target.chunks_mut(size).zip(triangle) {
            write(target, index);
        }
    }
    reader.finish()
}

/// Decodes a list of indices. `size` is that of an index in bytes, 2 or 4.
pub(super) fn decode_sequence(size: usize, stream: &[u8], indices: &mut [u8]) -> Result<(), MeshoptError> {
    count(size, indices)?;
    let (mut reader, _) = Reader::open(stream, 0xd0)?;
    reader.take_tail(4)?;
    let mut lasts = [0_u32; 2];
    for target in indices.chunks_mut(size) {
        let number = reader.number()?;
        // The lowest bit is the baseline that the difference refers to.
        let [even, odd] = &mut lasts;
        let last = if number & 1 == 0 { even } else { odd };
        *last = last.wrapping_add(signed(number >> 1));
        write(target, *last);
    }
    reader.finish()
}

/// What occurred shortly before.
struct Coder {
    edges: Recent<[u32; 2]>,
    vertices: Recent<u32>,
    /// The lowest index that hasn't occurred, if vertices are in the order of their first use.
    next: u32,
    /// The index that was coded last by its difference.
    last: u32,
}

impl Coder {
    fn new() -> Self {
        // Streams that refer to what hasn't occurred give indices that no mesh has.
        Self { edges: Recent::new([u32::MAX; 2]), vertices: Recent::new(u32::MAX), next: 0, last: 0 }
    }

    fn next(&mut self) -> u32 {
        let next = self.next;
        self.next = next.wrapping_add(1);
        self.vertices.push(next);
        next
    }

    fn after_last(&mut self, difference: u32) -> u32 {
        self.last = self.last.wrapping_add(difference);
        self.last
    }

    fn free(&mut self, reader: &mut Reader<'_>) -> Result<u32, MeshoptError> {
        let difference = signed(reader.number()?);
        Ok(self.after_last(difference))
    }

    /// Decodes a triangle that shares no recent edge.
    fn triangle(
        &mut self,
        kinds: [u8; 3],
        has_free: bool,
        reader: &mut Reader<'_>,
    ) -> Result<[u32; 3], MeshoptError> {
        let mut triangle = [0; 3];
        // All vertices that are known or next come before those with a difference.
        let mut next = self.next;
        for (vertex, kind) in triangle.iter_mut().zip(kinds) {
            *vertex = match kind {
                0 => {
                    let new = next;
                    next = next.wrapping_add(1);
                    new
                }
                kind => self.vertices.recent(kind - 1),
            };
        }
        self.next = next;
        for (vertex, kind) in triangle.iter_mut().zip(kinds) {
            if has_free && kind == 15 {
                *vertex = self.free(reader)?;
            }
        }
        for (position, (&vertex, kind)) in triangle.iter().zip(kinds).enumerate() {
            if position == 0 || kind == 0 || has_free && kind == 15 {
                self.vertices.push(vertex);
            }
        }
        let [a, b, c] = triangle;
        self.edges.push([b, a]);
        self.edges.push([c, b]);
        self.edges.push([a, c]);
        Ok(triangle)
    }
}

/// The last 16 values.
struct Recent<T> {
    values: [T; 16],
    pushed: usize,
}

impl<T: Copy> Recent<T> {
    fn new(initial: T) -> Self {
        Self { values: [initial; 16], pushed: 0 }
    }

    fn push(&mut self, value: T) {
        if let Some(slot) = self.values.get_mut(self.pushed & 15) {
            *slot = value;
        }
        self.pushed = self.pushed.wrapping_add(1);
    }

    /// Returns the value that was pushed before `age` others.
    fn recent(&self, age: u8) -> T {
        let at = self.pushed.wrapping_sub(usize::from(age) + 1);
        #[expect(clippy::indexing_slicing, reason = "the mask is the length")]
        self.values[at & 15]
    }
}

fn count(size: usize, indices: &[u8]) -> Result<usize, MeshoptError> {
    match size {
        2 | 4 => Ok(indices.len() / size),
        _ => Err(MeshoptProblem::Elements.found(size)),
    }
}

/// Writes the lowest bytes of an index.
fn write(target: &mut [u8], index: u32) {
    for (slot, byte) in target.iter_mut().zip(index.to_le_bytes()) {
        *slot = byte;
    }
}

/// Returns a difference whose sign is in the lowest bit.
fn signed(number: u32) -> u32 {
    (number >> 1) ^ (number & 1).wrapping_neg()
}
