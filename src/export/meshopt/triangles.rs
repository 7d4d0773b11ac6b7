//! Mode 1 of the extension: indices of triangles.
//!
//! ```text
//! header │ one code for each triangle │ explicit indices │ table of 16 codes
//! ```
//! A triangle at an edge of one of the last triangles takes one byte, if its third corner is new or recent.
use super::{push_varint, zigzag};

/// Encodes triangles. Each may begin with another of its corners, in the same order. Indices that don't form a whole
/// triangle are left out.
pub fn encode_triangles(indices: impl IntoIterator<Item = u32>) -> Vec<u8> {
    let mut encoder = Encoder::default();
    let mut indices = indices.into_iter();
    while let (Some(a), Some(b), Some(c)) = (indices.next(), indices.next(), indices.next()) {
        encoder.triangle([a, b, c]);
    }
    let mut encoded = vec![0xe1];
    encoded.append(&mut encoder.codes);
    encoded.append(&mut encoder.data);
    encoded.extend(TABLE);
    encoded
}

/// Pairs of corners that have a code of their own: in each half 0 for a new vertex, otherwise 1 + the place of a recent
/// one. They are the pairs that meshoptimizer's encoder writes. The format requires that the last two are 0.
const TABLE: [u8; 16] =
    [0x00, 0x76, 0x87, 0x56, 0x67, 0x78, 0xa9, 0x86, 0x65, 0x89, 0x68, 0x98, 0x01, 0x69, 0, 0];
const TABLE_CODES: usize = 14;

/// The code of a corner that is stored explicitly.
const EXPLICIT: u8 = 15;

#[derive(Default)]
struct Encoder {
    codes: Vec<u8>,
    data: Vec<u8>,
    edges: Recent<(u32, u32)>,
    vertices: Recent<u32>,
    /// The next vertex, if vertices are in the order of their first use.
    next: u32,
    /// The last vertex that was stored explicitly.
    last: u32,
}

impl Encoder {
    fn triangle(&mut self, corners: [u32; 3]) {
        let [a, b, c] = corners;
        let turns = [[a, b, c], [b, c, a], [c, a, b]];
        let starts_again = self.next > 0 && turns.contains(&[0, 1, 2]);
        let shared = |(from, to)| turns.iter().find(|[a, b, _]| (*a, *b) == (from, to)).copied();
        let edge = self.edges.newest_first().take(15).find_map(|(place, edge)| Some((place, shared(edge)?)));
        match edge.filter(|_| !starts_again) {
            Some((place, corners)) => self.beside_edge(place, corners),
            None => {
                let first = if starts_again { 0 } else { self.next };
                let turned = turns.into_iter().find(|[a, ..]| *a == first);
                self.apart(turned.unwrap_or(corners), starts_again);
            }
        }
    }

    /// Encodes a triangle whose first two corners are a recent edge.
    fn beside_edge(&mut self, place: u8, [a, b, c]: [u32; 3]) {
        let recent = self.vertices.place_of(c).filter(|place| (1..13).contains(place));
        let third = match recent {
            _ if c == self.next => {
                self.next = self.next.wrapping_add(1);
                0
            }
            Some(place) => place,
            None if c.wrapping_add(1) == self.last => 13,
            None if c == self.last.wrapping_add(1) => 14,
            None => EXPLICIT,
        };
        match third {
            13 | 14 => self.last = c,
            EXPLICIT => self.push_index(c),
            _ => {}
        }
        self.codes.push(place << 4 | third);
        if third == 0 || third > 12 {
            self.vertices.push(c);
        }
        self.edges.push((c, b));
        self.edges.push((a, c));
    }

    /// Encodes a triangle that shares no recent edge.
    fn apart(&mut self, [a, b, c]: [u32; 3], starts_again: bool) {
        if starts_again {
            self.next = 0;
        }
        let first = if a == self.next { self.corner(a) } else { EXPLICIT };
        let (second, third) = (self.corner(b), self.corner(c));
        let pair = second << 4 | third;
        let known = TABLE.iter().take(TABLE_CODES).position(|&known| known == pair);
        let known = known.and_then(|place| u8::try_from(place).ok());
        match known.filter(|_| first == 0 && !starts_again) {
            Some(place) => self.codes.push(0xf0 | place),
            None => {
                self.codes.push(if first == 0 { 0xfe } else { 0xff });
                self.data.push(pair);
                for (code, index) in [(first, a), (second, b), (third, c)] {
                    if code == EXPLICIT {
                        self.push_index(index);
                    }
                }
            }
        }
        self.vertices.push(a);
        for (code, index) in [(second, b), (third, c)] {
            if code == 0 || code == EXPLICIT {
                self.vertices.push(index);
            }
        }
        self.edges.push((b, a));
        self.edges.push((c, b));
        self.edges.push((a, c));
    }

    fn corner(&mut self, index: u32) -> u8 {
        if index == self.next {
            self.next = self.next.wrapping_add(1);
            return 0;
        }
        self.vertices.place_of(index).filter(|place| *place < 14).map_or(EXPLICIT, |place| place + 1)
    }

    fn push_index(&mut self, index: u32) {
        push_varint(&mut self.data, zigzag(index.wrapping_sub(self.last)));
        self.last = index;
    }
}

/// The last 16 elements.
struct Recent<T> {
    elements: [Option<T>; 16],
    next: usize,
}

impl<T> Default for Recent<T> {
    fn default() -> Self {
        Self { elements: [const { None }; 16], next: 0 }
    }
}

impl<T: Copy + PartialEq> Recent<T> {
    fn push(&mut self, element: T) {
        if let Some(slot) = self.elements.get_mut(self.next) {
            *slot = Some(element);
        }
        self.next = (self.next + 1) % 16;
    }

    /// Returns the elements with their places, of which 0 is the newest.
    fn newest_first(&self) -> impl Iterator<Item = (u8, T)> {
        let (newest, oldest) = self.elements.split_at_checked(self.next).unwrap_or_default();
        (0..)
            .zip(newest.iter().rev().chain(oldest.iter().rev()).copied())
            .map_while(|(place, element)| Some((place, element?)))
    }

    fn place_of(&self, element: T) -> Option<u8> {
        self.newest_first().find(|(_, recent)| *recent == element).map(|(place, _)| place)
    }
}
