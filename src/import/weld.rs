//! Corners with an index for each attribute become vertices: those alike in every index are one.
use std::collections::HashMap;

pub(super) struct Welder {
    width: usize,
    vertex_of: HashMap<Box<[u32]>, u32>,
    corners: Vec<u32>,
}

impl Welder {
    /// `width` is how many indices a corner has.
    pub(super) fn new(width: usize) -> Self {
        Self { width: width.max(1), vertex_of: HashMap::new(), corners: Vec::new() }
    }

    /// The vertex of this corner. New ones are counted from 0.
    pub(super) fn vertex(&mut self, corner: &[u32]) -> u32 {
        debug_assert_eq!(corner.len(), self.width, "as the welder was made for");
        if let Some(&vertex) = self.vertex_of.get(corner) {
            return vertex;
        }
        // Corners are bounded by the file's size long before.
        let vertex = u32::try_from(self.vertex_of.len()).unwrap_or(u32::MAX);
        self.vertex_of.insert(corner.into(), vertex);
        self.corners.extend_from_slice(corner);
        vertex
    }

    /// Vertex after vertex, the indices it was made from.
    pub(super) fn corners(&self) -> impl ExactSizeIterator<Item = &[u32]> {
        self.corners.chunks_exact(self.width)
    }
}

#[cfg(test)]
mod tests {
    use super::Welder;

    #[test]
    fn corners_alike_are_one_vertex() {
        let mut welder = Welder::new(2);
        let corners = [[0, 0], [1, 0], [0, 0], [0, 1]];
        assert_eq!(corners.map(|corner| welder.vertex(&corner)), [0, 1, 0, 2]);
        assert_eq!(welder.corners().collect::<Vec<_>>(), [[0, 0], [1, 0], [0, 1]]);
    }
}
