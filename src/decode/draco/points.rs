//! Points of a mesh whose attributes have seams.
use super::corners::{Corners, NONE, get, set};
use super::error::Result;
use super::memory::Memory;

/// Gives each corner a point. The corners of a vertex between two seams, of whichever attributes, share one. Returns
/// the points and their number.
pub(super) fn points(corners: &Corners, seams: &[Corners], memory: &mut Memory) -> Result<(Vec<u32>, u32)> {
    let mut points = memory.filled(0, corners.vertex.len())?;
    let mut count = 0_u32;
    for &left_most in corners.left_most.iter().filter(|corner| **corner != NONE) {
        let first = if corners.swing_left(left_most) == NONE {
            left_most
        } else {
            first_after_seam(corners, seams, left_most)
        };
        let mut corner = first;
        let mut previous = NONE;
        while corner != NONE {
            let is_new = seams.iter().any(|seams| seams.vertex(corner) != seams.vertex(previous));
            count += u32::from(is_new);
            set(&mut points, corner, count.wrapping_sub(1));
            previous = corner;
            corner = corners.swing_right(corner);
            if corner == first {
                break;
            }
        }
    }
    Ok((points, count))
}

/// Returns the first corner to the right of a seam, of the first attribute that has one at this vertex.
fn first_after_seam(corners: &Corners, seams: &[Corners], start: u32) -> u32 {
    for seams in seams {
        let vertex = seams.vertex(start);
        if seams.swing_left(get(&seams.left_most, vertex)) != NONE {
            continue;
        }
        let mut corner = corners.swing_right(start);
        while corner != start && corner != NONE {
            if seams.vertex(corner) != vertex {
                return corner;
            }
            corner = corners.swing_right(corner);
        }
    }
    start
}
