//! Triangles and their neighbours.
//!
//! A corner is one vertex of one triangle; triangle `t` has the corners `3t`, `3t + 1` and `3t + 2`. A corner also
//! stands for the edge opposite to it in its triangle. Indices are not checked: what doesn't exist has the index
//! [`NONE`], in and out. Every walk ends, because [`Corners::link`] keeps edges paired.
use super::error::{Result, invalid};
use super::memory::Memory;
use super::rans::RansBits;

/// The index of what doesn't exist.
pub(super) const NONE: u32 = u32::MAX;

/// Returns an element, or [`NONE`].
pub(super) fn get(elements: &[u32], index: u32) -> u32 {
    elements.get(index as usize).copied().unwrap_or(NONE)
}

/// Replaces an element, if there is such.
pub(super) fn set(elements: &mut [u32], index: u32, value: u32) {
    if let Some(element) = elements.get_mut(index as usize) {
        *element = value;
    }
}

/// Returns the next corner of the same triangle.
pub(super) fn next(corner: u32) -> u32 {
    match corner {
        NONE => NONE,
        _ if corner % 3 == 2 => corner - 2,
        _ => corner + 1,
    }
}

/// Returns the previous corner of the same triangle.
pub(super) fn previous(corner: u32) -> u32 {
    match corner {
        NONE => NONE,
        _ if corner.is_multiple_of(3) => corner + 2,
        _ => corner - 1,
    }
}

/// Returns the triangle of a corner.
pub(super) fn face(corner: u32) -> u32 {
    if corner == NONE { NONE } else { corner / 3 }
}

/// How triangles share vertices and edges, for positions or for an attribute with seams.
pub(super) struct Corners {
    /// For each corner, the one beyond the opposite edge.
    pub(super) opposite: Vec<u32>,
    /// For each corner, its vertex.
    pub(super) vertex: Vec<u32>,
    /// For each vertex, the corner from which a walk to the right passes all of its corners.
    pub(super) left_most: Vec<u32>,
}

impl Corners {
    pub(super) fn opposite(&self, corner: u32) -> u32 {
        get(&self.opposite, corner)
    }

    pub(super) fn vertex(&self, corner: u32) -> u32 {
        get(&self.vertex, corner)
    }

    /// Returns the next corner of the same vertex, counter-clockwise.
    pub(super) fn swing_left(&self, corner: u32) -> u32 {
        next(self.opposite(next(corner)))
    }

    /// Returns the next corner of the same vertex, clockwise.
    pub(super) fn swing_right(&self, corner: u32) -> u32 {
        previous(self.opposite(previous(corner)))
    }

    pub(super) fn is_on_boundary(&self, vertex: u32) -> bool {
        self.swing_left(get(&self.left_most, vertex)) == NONE
    }

    /// Returns all corners of the vertex of `start`: first those on the left, then those on the right.
    pub(super) fn around(&self, start: u32) -> impl Iterator<Item = u32> {
        let mut corner = start;
        let mut to_left = true;
        std::iter::from_fn(move || {
            let current = corner;
            if to_left {
                corner = self.swing_left(corner);
                if corner == NONE {
                    to_left = false;
                    corner = self.swing_right(start);
                } else if corner == start {
                    corner = NONE;
                    to_left = false;
                }
            } else {
                corner = self.swing_right(corner);
            }
            (current != NONE).then_some(current)
        })
    }

    /// Joins two edges.
    ///
    /// # Errors
    /// If one of them is joined already, since walks around a vertex would not end.
    pub(super) fn link(&mut self, one: u32, other: u32) -> Result<()> {
        for (from, to) in [(one, other), (other, one)] {
            match self.opposite.get_mut(from as usize) {
                Some(opposite) if *opposite == NONE => *opposite = to,
                _ => return Err(invalid!("an edge of three triangles")),
            }
        }
        Ok(())
    }

    /// Checks that joined edges have the same vertices, so that a walk around a vertex stays there.
    pub(super) fn check(&self) -> Result<()> {
        for (corner, &opposite) in (0..).zip(&self.opposite) {
            if opposite != NONE && self.vertex(next(corner)) != self.vertex(previous(opposite)) {
                return Err(invalid!("an edge whose triangles have other vertices"));
            }
        }
        Ok(())
    }

    /// Returns the corners of an attribute that has several values at some vertices. `seams` has a bit for each edge of
    /// two triangles; between the triangles of a seam, vertices are separate.
    pub(super) fn cut(&self, seams: &mut RansBits, memory: &mut Memory) -> Result<Corners> {
        let mut opposite = memory.empty(self.opposite.len())?;
        opposite.extend_from_slice(&self.opposite);
        for (corner, &other) in (0..).zip(&self.opposite) {
            if other != NONE && face(other) >= face(corner) && seams.next() {
                set(&mut opposite, corner, NONE);
                set(&mut opposite, other, NONE);
            }
        }
        memory.charge::<u32>(self.vertex.len())?;
        let vertex = memory.filled(NONE, self.vertex.len())?;
        let mut cut = Corners { opposite, vertex, left_most: Vec::new() };
        for &start in self.left_most.iter().filter(|start| **start != NONE) {
            // The first corner to the right of a seam, if there is one.
            let mut first = start;
            loop {
                let left = cut.swing_left(first);
                if left == NONE {
                    break;
                }
                first = left;
                if left == start {
                    break;
                }
            }
            let mut corner = first;
            loop {
                if corner == first || cut.opposite(next(corner)) == NONE {
                    cut.left_most.push(corner);
                }
                let count = u32::try_from(cut.left_most.len()).unwrap_or(NONE);
                set(&mut cut.vertex, corner, count.wrapping_sub(1));
                corner = self.swing_right(corner);
                if corner == NONE || corner == first {
                    break;
                }
            }
        }
        Ok(cut)
    }
}
