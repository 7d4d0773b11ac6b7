//! Rays through the picture, and places in the picture.

use super::View;
use glam::{Mat4, Vec2, Vec3, Vec4Swizzles};

/// A part of a straight line in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    pub origin: Vec3,
    /// Unit length.
    pub direction: Vec3,
    /// Distances from the origin at which the ray begins and ends.
    pub range: [f32; 2],
}

/// A place in the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlaceInPicture {
    /// Fractions of the width and height, from the left and top. Outside of the picture, they are below 0 or above 1.
    pub position: Vec2,
    /// Distance from the plane of the viewer, which is negative behind it.
    pub depth: f32,
    /// Whether the place is in front of the viewer and not cut off by the near plane.
    pub in_front: bool,
}

/// Factors that project a point in view space to the plane of the viewer.
const DEPTHLESS: Vec3 = Vec3::new(1.0, 1.0, 0.0);

impl Ray {
    /// Returns an endless ray, or `None` if the direction has no length.
    pub fn new(origin: Vec3, direction: Vec3) -> Option<Self> {
        let direction = direction.try_normalize().filter(|_| origin.is_finite())?;
        Some(Self { origin, direction, range: [0.0, f32::INFINITY] })
    }

    pub fn at(&self, distance: f32) -> Vec3 {
        self.origin + self.direction * distance
    }
}

impl View {
    /// Returns the ray that is seen at a place in the picture, in fractions of its width and height from the left and
    /// top. It extends from the near to the far plane.
    ///
    /// Its origin is the viewer in a perspective view, and in the plane of the camera's position in an orthographic
    /// one.
    pub fn ray(&self, x: f32, y: f32) -> Ray {
        let [near, far] = [0.0, 1.0].map(|depth| self.in_view(x, y, depth));
        let world_from_view = self.world_from_view();
        let is_perspective = self.projection_from_view.w_axis.w == 0.0;
        let (origin, along) =
            if is_perspective { (Vec3::ZERO, near) } else { (near * DEPTHLESS, Vec3::NEG_Z) };
        let per_depth = -along.length() / along.z;
        Ray {
            origin: world_from_view.transform_point3(origin),
            direction: world_from_view.transform_vector3(along).normalize_or(Vec3::NEG_Z),
            range: [-near.z * per_depth, -far.z * per_depth],
        }
    }

    /// Returns the place in the picture of a point in the world.
    pub fn place(&self, point: Vec3) -> PlaceInPicture {
        let in_view = self.view_from_world.transform_point3(point);
        let projected = self.projection_from_view * in_view.extend(1.0);
        let position = projected.xy() / projected.w * Vec2::new(0.5, -0.5) + 0.5;
        let in_front = projected.w > 0.0 && projected.z >= 0.0;
        PlaceInPicture { position, depth: -in_view.z, in_front }
    }

    /// Returns the position of the camera in the world.
    pub fn eye(&self) -> Vec3 {
        self.world_from_view().w_axis.xyz()
    }

    fn world_from_view(&self) -> Mat4 {
        self.view_from_world.inverse()
    }

    /// Returns the point in view space at a place in the picture and a depth from 0 to 1.
    fn in_view(&self, x: f32, y: f32, depth: f32) -> Vec3 {
        let [x_axis, y_axis, z_axis, w_axis] = {
            let projection = &self.projection_from_view;
            [projection.x_axis, projection.y_axis, projection.z_axis, projection.w_axis]
        };
        let z = (depth * w_axis.w - w_axis.z) / (z_axis.z - depth * z_axis.w);
        let w = z_axis.w * z + w_axis.w;
        let on_plane = Vec2::new(x * 2.0 - 1.0, 1.0 - y * 2.0) * w - z_axis.xy() * z - w_axis.xy();
        (on_plane / Vec2::new(x_axis.x, y_axis.y)).extend(z)
    }
}
