//! The box around the posed model, with its size.

use super::measures::length_text;
use super::{FIRST_OF_BOUNDS, label_at, write};
use crate::animation::PosedPrimitive;
use crate::camera::View;
use crate::model::Aabb;
use crate::player::Loaded;
use crate::render::{GuideContent, Label, Stroke};
use glam::{Affine3A, Vec3, Vec4};

const COLOR: Vec4 = Vec4::new(1.0, 0.72, 0.2, 1.0);
const WIDTH: f32 = 1.6;

/// Returns the bounds in model space of the vertices of the first character, as they were posed last, or `None` if
/// nothing is visible.
pub(super) fn of(loaded: &Loaded) -> Option<Aabb> {
    let rig = loaded.rig();
    let mut bounds = None;
    for (index, drawable) in rig.palette_layout().drawables.iter().enumerate() {
        if loaded.hidden_drawables.get(index) == Some(&true) {
            continue;
        }
        for primitive in 0..rig.model().mesh(drawable.mesh).primitives.len() {
            let skinning = loaded.skinning(drawable.skin);
            let posed = PosedPrimitive::new(skinning, rig, drawable, primitive, &loaded.rows);
            let positions = (0..posed.primitive.positions.len()).map(|vertex| posed.position(vertex));
            if let Some(part) = Aabb::around(positions.filter(|position| position.is_finite())) {
                Aabb::join(&mut bounds, part);
            }
        }
    }
    bounds
}

/// Adds the edges of a box in model space, and the lengths of three of them that the viewer sees at the rim.
pub(super) fn trace(content: &mut GuideContent, bounds: &Aabb, world_from_model: &Affine3A, view: &View) {
    let corner = |at: usize| Vec3::from_array([0, 1, 2].map(|axis| end_of(bounds, axis, at >> axis & 1)));
    let corners: Vec<Vec3> = (0..8).map(|at| world_from_model.transform_point3(corner(at))).collect();
    if !corners.iter().all(|corner| corner.is_finite()) {
        return;
    }
    for at in 0..8_usize {
        for bit in [1, 2, 4] {
            if at & bit == 0 {
                let ends = [corners[at], corners[at | bit]];
                content.strokes.push(Stroke { ends, colors: [COLOR; 2], width: WIDTH, dot: 0.0 });
            }
        }
    }
    let viewer = world_from_model.inverse().transform_point3(view.position_in_world);
    let nearer = [0, 1, 2].map(|axis| usize::from(viewer[axis] > bounds.center()[axis]));
    // Width and depth on the ground, at the sides next to the viewer; the height where these don't meet.
    let edges = [nearer[2] << 2, nearer[0] | (1 - nearer[2]) << 2, nearer[0]];
    for (axis, start) in edges.into_iter().enumerate() {
        let [from, to] = [corners[start], corners[start | 1 << axis]];
        let id = FIRST_OF_BOUNDS + axis as u32;
        let color = COLOR.lerp(Vec4::ONE, 0.5);
        let label = Label { color, ..label_at(id, from.midpoint(to)) };
        write(content, &length_text(from.distance(to)), label);
    }
}

/// Returns the lower or the upper end of a box.
fn end_of(bounds: &Aabb, axis: usize, upper: usize) -> f32 {
    [bounds.min, bounds.max][upper][axis]
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Mat4;

    #[test]
    fn a_box_has_twelve_edges_and_three_lengths() {
        let bounds = Aabb { min: Vec3::new(-1.0, 0.0, -2.0), max: Vec3::new(1.0, 3.0, 2.0) };
        let view = View {
            view_from_world: Mat4::IDENTITY,
            projection_from_view: Mat4::IDENTITY,
            position_in_world: Vec3::new(5.0, 1.0, 9.0),
        };
        let mut content = GuideContent::default();
        trace(&mut content, &bounds, &Affine3A::from_scale(Vec3::splat(2.0)), &view);
        let lengths: f32 = content.strokes.iter().map(|stroke| stroke.ends[0].distance(stroke.ends[1])).sum();
        assert_eq!((content.strokes.len(), lengths), (12, 4.0 * 2.0 * (2.0 + 3.0 + 4.0)));
        let places: Vec<Vec3> = content.labels.iter().map(|label| label.position).collect();
        let [width, height, depth] =
            [Vec3::new(0.0, 0.0, 4.0), Vec3::new(2.0, 3.0, -4.0), Vec3::new(2.0, 0.0, 0.0)];
        assert_eq!(places, [width, height, depth], "the sides next to the viewer");

        let nowhere = Affine3A::from_scale(Vec3::splat(f32::NAN));
        let mut content = GuideContent::default();
        trace(&mut content, &bounds, &nowhere, &view);
        assert!(content.strokes.is_empty() && content.labels.is_empty());
    }
}
