//! What a picture may show, so that the rest is neither uploaded nor drawn.

use super::Actor;
use super::gpu_data::FrameData;
use super::gpu_model::matrix_at;
use crate::model::Aabb;
use glam::{Vec3, Vec4};

/// Factor of the radius for characters of a crowd. Some transitions go on for a while with the motion before.
pub(super) const TRANSITIONS: f32 = 1.2;

/// Returns the sphere in which a character stays that blends clips with these bounds, as its centre and radius. Blends
/// may reach farther than the clips.
pub fn reach(bounds: &Aabb) -> Vec4 {
    bounds.center().extend(bounds.radius() * 1.25)
}

/// The part of the world that is in a picture, or casts its shadow there.
pub(super) struct Sight {
    /// Planes through the viewer and the edges of the picture, with unit normals that point inwards.
    sides: [Vec4; 4],
    ground_height: f32,
    towards_key_light: Vec3,
}

impl Sight {
    pub(super) fn of(frame: &FrameData) -> Self {
        let [x, y, w] = [0, 1, 3].map(|row| frame.projection_from_world.row(row));
        let sides = [w + x, w - x, w + y, w - y].map(|plane| {
            let length = plane.truncate().length();
            if length > 0.0 { plane / length } else { Vec4::W }
        });
        Self { sides, ground_height: frame.ground_height, towards_key_light: frame.towards_key_light }
    }

    /// Returns the sphere around what a matrix transforms of another one, as its centre and radius.
    pub(super) fn placed(sphere: Vec4, [x, y, z]: [Vec4; 3]) -> (Vec3, f32) {
        let center = sphere.truncate().extend(1.0);
        // The squares of the lengths of the axes.
        let sizes = (x * x + y * y + z * z).truncate();
        (Vec3::new(x.dot(center), y.dot(center), z.dot(center)), sphere.w * sizes.max_element().sqrt())
    }

    /// Returns whether a sphere or its shadow may be in the picture. What isn't a number is seen.
    pub(super) fn shows(&self, center: Vec3, radius: f32) -> bool {
        let height = (center.y + radius - self.ground_height).max(0.0);
        let shadow = center - self.towards_key_light * (height / self.towards_key_light.y);
        !self.sides.iter().any(|side| {
            let [near, far] = [center, shadow].map(|point| side.dot(point.extend(1.0)));
            near < -radius && far < -radius
        })
    }

    /// Returns the sphere around a character of an actor, as its centre and radius, or `None` if it may be anywhere.
    pub(super) fn sphere(actor: &Actor<'_>, character: u32) -> Option<(Vec3, f32)> {
        let sphere = reach(&actor.clip_bounds.filter(|_| actor.is_bounded)?);
        let sphere = sphere * Vec4::new(1.0, 1.0, 1.0, TRANSITIONS);
        let place = matrix_at(actor.rows, character as usize * actor.model.rows_per_character)?;
        Some(Self::placed(sphere, place))
    }

    /// Lists the characters of an actor that may be in the picture.
    pub(super) fn list(&self, actor: &Actor<'_>, shown: &mut Vec<u32>) {
        let is_shown = |character: u32| {
            Self::sphere(actor, character).is_none_or(|(center, radius)| self.shows(center, radius))
        };
        shown.clear();
        shown.extend((0..actor.character_count as u32).filter(|&character| is_shown(character)));
    }
}

#[cfg(test)]
pub(in crate::render) mod tests {
    use super::*;
    use glam::{Affine3A, Mat4};

    /// A viewer at (0, 1, 10) who looks along −z, and sees 45 degrees to each side.
    pub(in crate::render) fn frame() -> FrameData {
        let depths = [Vec4::new(0.0, 0.0, -1.0, -1.0), Vec4::new(0.0, 0.0, -0.1, 0.0)];
        let projection = Mat4::from_cols(Vec4::X, Vec4::Y, depths[0], depths[1]);
        let mut frame: FrameData = bytemuck::Zeroable::zeroed();
        frame.projection_from_world = projection * Mat4::from_translation(Vec3::new(0.0, -1.0, -10.0));
        frame.viewport = [100.0, 100.0];
        frame.towards_key_light = Vec3::new(0.6, 0.8, 0.0);
        frame
    }

    #[test]
    fn spheres_at_the_edge_or_with_a_shadow_in_the_picture_are_shown() {
        let sight = Sight::of(&frame());
        let shows = |x, z| sight.shows(Vec3::new(x, 1.0, z), 1.0);
        assert!(shows(0.0, 0.0) && shows(10.5, 0.0) && shows(0.0, 9.5));
        assert!(!shows(-14.0, 0.0) && !shows(0.0, 14.0));
        // The light comes from the right.
        assert!(shows(12.5, 0.0) && !shows(-12.5, 0.0));
        assert!(shows(f32::NAN, 0.0));
    }

    #[test]
    fn spheres_are_placed_with_the_longest_axis() {
        let scale = Vec3::new(2.0, 3.0, 1.0);
        let turn = glam::Quat::from_rotation_y(0.7);
        let place = Affine3A::from_scale_rotation_translation(scale, turn, Vec3::new(5.0, 0.0, -2.0));
        let rows = [0, 1, 2].map(|row| Mat4::from(place).row(row));
        let (center, radius) = Sight::placed(Vec4::new(0.0, 1.0, 0.5, 2.0), rows);
        assert!(center.distance(place.transform_point3(Vec3::new(0.0, 1.0, 0.5))) < 1e-5);
        for point in [Vec3::X, Vec3::Y, Vec3::Z, -Vec3::Y] {
            let outermost = place.transform_point3(Vec3::new(0.0, 1.0, 0.5) + point * 2.0);
            assert!(center.distance(outermost) <= radius + 1e-5);
        }
        assert!(radius < 6.1);
    }
}
