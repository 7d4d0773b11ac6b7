//! Lens: the view and projection matrices of an orbit.
use super::View;
use super::orbit::Orbit;
use crate::angle::sin_cos;
use glam::{Mat4, Vec2, Vec3, Vec4};

/// Margins of the canvas that something covers: `top` and `bottom` as fractions of its height, `right` and `left` as
/// fractions of its width.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Insets {
    pub top: f32,
    pub right: f32,
    pub bottom: f32,
    pub left: f32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Lens {
    pub(super) vertical_fov: f32,
    /// Roll in radians. A positive roll leans the camera to its right.
    pub(super) roll: f32,
    /// Whether the projection is orthographic, with the extent that a perspective has at the target.
    pub(super) orthographic: bool,
    /// Position of the target on the canvas, from −1 to 1, x right and y up.
    pub(super) middle: Vec2,
}

/// Extent of the ground around the model, in radii of the model, which the planes of the view include.
pub(super) const GROUND_IN_RADII: f32 = 8.0;
/// Distance of an orthographic viewer, in radii of the model. Ideally it is infinite; at this distance the directions
/// to the viewer are parallel to a thousandth.
const FAR_AWAY_IN_RADII: f32 = 1e3;
/// Least fraction of the canvas that shows the model, however large the insets are.
const LEAST_FREE: f32 = 0.1;

impl Insets {
    /// Returns the middle of the free area, as in [`Lens::middle`], and its size as fractions of the canvas.
    pub(super) fn free(self) -> (Vec2, Vec2) {
        let (near, far) = (Vec2::new(self.left, self.bottom), Vec2::new(self.right, self.top));
        let (near, far) = (near.clamp(Vec2::ZERO, Vec2::ONE), far.clamp(Vec2::ZERO, Vec2::ONE));
        let covered = (near + far).max(Vec2::splat(f32::MIN_POSITIVE));
        let fits = ((1.0 - LEAST_FREE) / covered).min(Vec2::ONE);
        ((near - far) * fits, 1.0 - covered * fits)
    }
}

impl Lens {
    /// Returns half the width and height of the visible area, per unit of distance.
    pub(super) fn half_extent_per_distance(&self, aspect: f32) -> Vec2 {
        let aspect = if aspect.is_finite() && aspect > 0.0 { aspect } else { 1.0 };
        let (sine, cosine) = sin_cos(self.vertical_fov * 0.5);
        let half_height = sine / cosine;
        Vec2::new(half_height * aspect, half_height)
    }

    /// Returns the view from an orbit. Its near and far planes depend on the bounding sphere of the model.
    pub(super) fn view(&self, orbit: &Orbit, aspect: f32, center: Vec3, radius: f32) -> View {
        let axes = orbit.axes(self.roll);
        let eye = orbit.eye();
        let world_from_view = Mat4::from_cols(
            axes.right.extend(0.0),
            axes.up.extend(0.0),
            axes.towards_viewer.extend(0.0),
            eye.extend(1.0),
        );
        let half = self.half_extent_per_distance(aspect);
        let (projection_from_view, position_in_world) = if self.orthographic {
            let depth = (eye - center).dot(axes.towards_viewer);
            let reach = GROUND_IN_RADII * radius;
            let far_away = axes.towards_viewer * (FAR_AWAY_IN_RADII * radius);
            let far = (depth + reach).max(depth - reach + depth.abs() * 1e-3);
            (self.orthographic(half * orbit.distance, depth - reach, far), eye + far_away)
        } else {
            let to_center = eye.distance(center);
            let near = (to_center - 2.0 * radius).max(orbit.distance.min(radius) * 0.02);
            // From very far away, rounding would make both planes equal.
            let far = (to_center + GROUND_IN_RADII * radius).max(near * 1.001);
            (self.perspective(half, near, far), eye)
        };
        View { view_from_world: world_from_view.inverse(), projection_from_view, position_in_world }
    }

    /// Returns a right-handed perspective projection that looks along −Z, with depth from 0 to 1.
    fn perspective(&self, half: Vec2, near: f32, far: f32) -> Mat4 {
        let depth = far / (near - far);
        Mat4::from_cols(
            Vec4::X / half.x,
            Vec4::Y / half.y,
            Vec4::new(-self.middle.x, -self.middle.y, depth, -1.0),
            Vec4::new(0.0, 0.0, depth * near, 0.0),
        )
    }

    /// Returns a right-handed orthographic projection that looks along −Z, with depth from 0 to 1.
    fn orthographic(&self, half: Vec2, near: f32, far: f32) -> Mat4 {
        let depth = 1.0 / (near - far);
        Mat4::from_cols(
            Vec4::X / half.x,
            Vec4::Y / half.y,
            Vec4::Z * depth,
            Vec4::new(self.middle.x, self.middle.y, depth * near, 1.0),
        )
    }
}
