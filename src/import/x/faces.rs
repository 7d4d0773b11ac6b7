//! Polygons with any number of corners.
use super::fields::Fields;
use crate::import::ImportError;

#[derive(Debug, PartialEq)]
pub(super) struct Faces {
    /// One index per corner, face by face.
    pub(super) corners: Vec<u32>,
    /// End of each face in `corners`.
    ends: Vec<usize>,
}

impl Faces {
    /// Reads a count, then for each face its number of corners and their indices, all below `bound`.
    pub(super) fn read(fields: &mut Fields<'_>, bound: usize) -> Result<Self, ImportError> {
        let count = fields.count()?;
        let mut faces = Self { corners: Vec::new(), ends: Vec::new() };
        for _ in 0..count {
            let corner_count = fields.count()?;
            faces.corners.extend(fields.indices(corner_count, bound)?);
            faces.ends.push(faces.corners.len());
        }
        Ok(faces)
    }

    pub(super) fn count(&self) -> usize {
        self.ends.len()
    }

    /// Returns each face's range of `corners`.
    pub(super) fn ranges(&self) -> impl Iterator<Item = std::ops::Range<usize>> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| start..end)
    }

    /// Returns whether both have as many faces, each with as many corners.
    pub(super) fn fit(&self, other: &Self) -> bool {
        self.ends == other.ends
    }
}

/// Triangulates a polygon as a fan about its first corner, with the winding reversed: see
/// [`handedness`](super::handedness).
pub(super) fn fan(polygon: &[u32]) -> impl Iterator<Item = [u32; 3]> {
    let first = polygon.first().copied().unwrap_or_default();
    polygon.get(1..).unwrap_or_default().windows(2).filter_map(move |pair| match *pair {
        [second, third] => Some([first, third, second]),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_polygon_becomes_a_fan_that_runs_the_other_way() {
        let fan = |polygon: &[u32]| super::fan(polygon).collect::<Vec<_>>();
        assert_eq!(fan(&[5, 6, 7, 8, 9]), [[5, 7, 6], [5, 8, 7], [5, 9, 8]]);
        assert_eq!(fan(&[5, 6, 7]), [[5, 7, 6]]);
        assert!(fan(&[5, 6]).is_empty() && fan(&[]).is_empty());
    }
}
