//! Which members of a throng a picture may show, so that the others aren't posed and drawn.

use super::super::gpu_data::FrameData;
use super::super::levels::{COARSER_LEVELS, Ends, Scale, joined};
use super::super::sight::Sight;
use super::ThrongContent;

/// Rows of a member, and among them those of its numbers and of its place. `src/player/throng/rows.rs` writes them.
const ROWS_PER_MEMBER: usize = 6;
const NUMBERS_ROW: usize = 1;
const PLACE_ROW: usize = 3;

/// Members that a picture may show, by their level of detail.
pub(super) struct VisibleMembers {
    /// Numbers of the members, those of one level after those of another.
    pub(super) members: Vec<u32>,
    /// Where the members of each level end.
    pub(super) ends: Ends,
}

/// Returns the members whose spheres, or whose shadows, may be in the picture.
pub(super) fn visible_members(content: &ThrongContent, frame: &FrameData) -> VisibleMembers {
    let (sight, scale) = (Sight::of(frame), Scale::of(frame));
    let (members, _) = content.members.rows[1..].as_chunks::<ROWS_PER_MEMBER>();
    let mut by_level: [Vec<u32>; COARSER_LEVELS + 1] = Default::default();
    for (number, member) in (0..).zip(members) {
        let place = [0, 1, 2].map(|row| member[PLACE_ROW + row]);
        let (center, radius) = Sight::placed(content.reach, place);
        if member[NUMBERS_ROW].y != 0.0 && sight.shows(center, radius) {
            by_level[scale.level_of(center, radius)].push(number);
        }
    }
    let mut members = Vec::new();
    let ends = joined(&by_level, &mut members);
    VisibleMembers { members, ends }
}

#[cfg(test)]
mod tests {
    use super::super::super::levels::Coarse;
    use super::super::super::sight::tests::frame;
    use super::super::Revised;
    use super::*;
    use glam::{Vec3, Vec4};
    use std::rc::Rc;

    /// Members of radius 1 around a centre 1 above their places, all visible but those with a scale of 0.
    fn content(places: &[(Vec3, f32)]) -> ThrongContent {
        let mut rows = vec![Vec4::ZERO];
        for &(place, scale) in places {
            rows.extend([Vec4::ZERO, Vec4::new(0.0, scale, 0.0, 0.0), Vec4::ONE]);
            rows.extend([
                Vec4::new(scale, 0.0, 0.0, place.x),
                Vec4::new(0.0, scale, 0.0, place.y),
                Vec4::new(0.0, 0.0, scale, place.z),
            ]);
        }
        ThrongContent {
            count: places.len(),
            rows_per_character: 3,
            elapsed_secs: 0.0,
            clips: Revised::default(),
            members: Revised { rows: Rc::new(rows), number: 0 },
            reach: Vec4::new(0.0, 1.0, 0.0, 1.0),
            coarse: Coarse::default(),
        }
    }

    #[test]
    fn members_beyond_the_picture_are_left_out_and_those_at_its_edge_are_not() {
        let at = |x, y, z| Vec3::new(x, y, z);
        let content = content(&[
            (at(0.0, 0.0, 0.0), 1.0),
            (at(0.0, 0.0, 0.0), 0.0),
            (at(10.5, 0.0, 0.0), 1.0),
            (at(-14.0, 0.0, 0.0), 1.0),
            (at(-14.0, 0.0, 0.0), 4.0),
            (at(0.0, 0.0, 14.0), 1.0),
            // Its shadow falls to the left, into the picture.
            (at(12.5, 0.0, 0.0), 1.0),
            (at(f32::NAN, 0.0, 0.0), 1.0),
        ]);
        let VisibleMembers { members, ends } = visible_members(&content, &frame());
        // Those at the viewer's height, 14 to the left and 4 large, or nowhere, are drawn whole. The others are 11
        // pixels large.
        assert_eq!(members, [4, 7, 0, 2, 6]);
        assert_eq!(ends, [2, 2, 5, 5]);
    }
}
