//! Which members of a throng a picture may show, so that the others aren't posed and drawn.

use super::super::gpu_data::FrameData;
use super::ThrongContent;
use super::levels::{COARSER_LEVELS, Scale};
use glam::{Vec3, Vec4};

/// Rows of a member, and among them those of its numbers and of its place. `src/player/throng/rows.rs` writes them.
const ROWS_PER_MEMBER: usize = 6;
const NUMBERS_ROW: usize = 1;
const PLACE_ROW: usize = 3;

/// Members that a picture may show, by their level of detail.
pub(super) struct VisibleMembers {
    /// Numbers of the members, those of one level after those of another.
    pub(super) members: Vec<u32>,
    /// Where the members of each level end.
    pub(super) ends: [u32; COARSER_LEVELS + 1],
}

/// Returns the members whose spheres, or whose shadows, may be in the picture.
pub(super) fn visible_members(content: &ThrongContent, frame: &FrameData) -> VisibleMembers {
    let (sides, scale) = (sides(frame), Scale::of(frame));
    let (members, _) = content.members.rows[1..].as_chunks::<ROWS_PER_MEMBER>();
    let mut by_level: [Vec<u32>; COARSER_LEVELS + 1] = Default::default();
    for (number, member) in (0..).zip(members) {
        let [x, y, z] = [member[PLACE_ROW], member[PLACE_ROW + 1], member[PLACE_ROW + 2]];
        let center = content.reach.truncate().extend(1.0);
        let center = Vec3::new(x.dot(center), y.dot(center), z.dot(center));
        // The squares of the lengths of the axes.
        let sizes = (x * x + y * y + z * z).truncate();
        let radius = content.reach.w * sizes.max_element().sqrt();
        let height = (center.y + radius - frame.ground_height).max(0.0);
        let shadow = center - frame.towards_key_light * (height / frame.towards_key_light.y);
        // What isn't a number is seen.
        let is_beyond = |side: &Vec4| {
            let [near, far] = [center, shadow].map(|point| side.dot(point.extend(1.0)));
            near < -radius && far < -radius
        };
        if member[NUMBERS_ROW].y != 0.0 && !sides.iter().any(is_beyond) {
            by_level[scale.level_of(center, radius)].push(number);
        }
    }
    let mut visible = VisibleMembers { members: Vec::new(), ends: [0; COARSER_LEVELS + 1] };
    for (level, end) in by_level.iter().zip(&mut visible.ends) {
        visible.members.extend_from_slice(level);
        *end = visible.members.len() as u32;
    }
    visible
}

/// Returns planes through the viewer and the edges of the picture, with unit normals that point inwards, and one that
/// has the viewer's back behind it.
fn sides(frame: &FrameData) -> [Vec4; 5] {
    let [x, y, w] = [0, 1, 3].map(|row| frame.projection_from_world.row(row));
    [w + x, w - x, w + y, w - y, w].map(|plane| {
        let length = plane.truncate().length();
        if length > 0.0 { plane / length } else { Vec4::W }
    })
}

#[cfg(test)]
mod tests {
    use super::super::Revised;
    use super::*;
    use glam::Mat4;
    use std::rc::Rc;

    fn frame(projection_from_world: Mat4) -> FrameData {
        let mut frame: FrameData = bytemuck::Zeroable::zeroed();
        frame.projection_from_world = projection_from_world;
        frame.viewport = [100.0, 100.0];
        frame.towards_key_light = Vec3::new(0.6, 0.8, 0.0);
        frame
    }

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
            levels: Rc::default(),
        }
    }

    #[test]
    fn members_beyond_the_picture_are_left_out_and_those_at_its_edge_are_not() {
        // A viewer at (0, 1, 10) who looks along −z, and sees 45 degrees to each side.
        let depths = [Vec4::new(0.0, 0.0, -1.0, -1.0), Vec4::new(0.0, 0.0, -0.1, 0.0)];
        let projection = Mat4::from_cols(Vec4::X, Vec4::Y, depths[0], depths[1]);
        let view = Mat4::from_translation(Vec3::new(0.0, -1.0, -10.0));
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
        let VisibleMembers { members, ends } = visible_members(&content, &frame(projection * view));
        // Those at the viewer's height, 14 to the left and 4 large, or nowhere, are drawn whole. The others are 11
        // pixels large.
        assert_eq!(members, [4, 7, 0, 2, 6]);
        assert_eq!(ends, [2, 2, 5, 5]);
    }
}
