//! Views through cameras of files: a camera in the world, with a lens of its own, expressed as an orbit.

use super::lens::{GROUND_IN_RADII, Lens};
use super::orbit::Orbit;
use super::{NEAREST_IN_RADII, OrbitCamera, View};
use crate::angle::{angle_of, sin_cos};
use crate::model::Projection;
use glam::{Affine3A, Vec3};

/// Orbit and lens of a camera before it looked through a camera of a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SavedOrbit {
    goal: Orbit,
    lens: Lens,
}

/// Largest coordinate, as in the table of `src/player/value.rs`.
const LARGEST: f32 = 1e9;
/// Least ratio of the planes' distances. Depths have 24 bits, or are rounded to so many.
const LEAST_RATIO: f32 = 2.5e-7;
/// Smallest and largest vertical field of view of a file's perspective.
const FOV: [f32; 2] = [1e-4, 3.1];
/// Greatest tangent of half a field of view. Beyond it, single precision can't tell the angle from π.
const STEEPEST: f32 = 1e4;

impl OrbitCamera {
    /// Returns what [`restore`](Self::restore) takes.
    pub fn saved(&self) -> SavedOrbit {
        SavedOrbit { goal: self.goal, lens: self.lens }
    }

    /// Moves the camera back to a saved orbit at once.
    pub fn restore(&mut self, saved: &SavedOrbit) {
        self.lens = saved.lens;
        self.set_goal(saved.goal);
        self.jump_to_goal();
    }

    /// Moves the camera at once to where a camera of a file is, and returns its view. The orbit's target is on the
    /// line of sight, as far away as the middle of what was framed.
    ///
    /// - The camera looks along −Z of `world_from_camera`, and its y-axis points up. Scale is ignored. An axis without
    ///   a direction is replaced by that of the world.
    /// - The picture includes the whole authored frame, in the part of the canvas that no inset covers. A wider canvas
    ///   shows more at the sides; a higher one shows more above and below.
    /// - Numbers of the projection that make no sense are replaced by the nearest that do.
    pub fn look_through(
        &mut self,
        world_from_camera: &Affine3A,
        projection: &Projection,
        aspect: f32,
    ) -> View {
        let Affine3A { matrix3, translation } = *world_from_camera;
        let mut eye = Vec3::from(translation);
        for coordinate in eye.as_mut() {
            *coordinate = between(*coordinate, -LARGEST, LARGEST);
        }
        let towards_viewer = direction(matrix3.z_axis.into()).unwrap_or(Vec3::Z);
        let up = direction(matrix3.y_axis.into()).unwrap_or(Vec3::Y);
        let level = towards_viewer.x * towards_viewer.x + towards_viewer.z * towards_viewer.z;
        let mut orbit = Orbit {
            target: eye,
            yaw: angle(towards_viewer.x, towards_viewer.z),
            pitch: angle(towards_viewer.y, level.sqrt()),
            distance: 1.0,
        };
        let upright = orbit.axes(0.0);
        let right = up.cross(towards_viewer);
        let roll = angle(-right.dot(upright.up), right.dot(upright.right));

        let radius = positive(self.radius);
        let away = (eye - self.center).dot(towards_viewer);
        orbit.distance = positive(away.max(radius * NEAREST_IN_RADII));
        let (_, free) = self.insets.free();
        let shape = Lens { vertical_fov: 1.0, ..self.lens }.half_extent_per_distance(aspect) * free;
        // Half the height of the picture with the whole frame, which is as wide as `frame_aspect` times its height.
        let half_height = |half_height: f32, frame_aspect: f32| {
            half_height / free.y * (frame_aspect * shape.y / shape.x).max(1.0)
        };
        let (orthographic, tangent, near, far) = match *projection {
            Projection::Perspective { vertical_fov, aspect, near, far } => {
                let (sine, cosine) = sin_cos(between(vertical_fov, FOV[0], FOV[1]) * 0.5);
                let near = positive(near);
                let visible = positive(eye.distance(self.center)) + GROUND_IN_RADII * radius;
                let far = far.unwrap_or(f32::MAX).min(visible.max(near / LEAST_RATIO));
                (false, half_height(sine / cosine, aspect.unwrap_or(0.0)), near.max(far * LEAST_RATIO), far)
            }
            Projection::Orthographic { half_width, half_height: half, near, far } => {
                let half = positive(half.abs());
                let half = half_height(half, positive(half_width.abs()) / half);
                orbit.distance = orbit.distance.max(half / STEEPEST);
                (true, half / orbit.distance, between(near, 0.0, LARGEST), far.min(LARGEST))
            }
        };
        let far = far.max(near * 1.001 + 1.0 / LARGEST);
        orbit.target = eye - orbit.towards_viewer() * orbit.distance;
        self.goal = orbit;
        self.current = orbit;
        let vertical_fov = 2.0 * angle(tangent.min(STEEPEST), 1.0);
        self.lens = Lens { vertical_fov, roll, orthographic, middle: self.lens.middle };
        let mut view = self.view(aspect);
        let depth = if orthographic { 1.0 } else { far } / (near - far);
        view.projection_from_view.z_axis.z = depth;
        view.projection_from_view.w_axis.z = depth * near;
        view
    }
}

/// Returns the direction of a vector of any length, or `None` if it has none.
fn direction(vector: Vec3) -> Option<Vec3> {
    (vector / vector.abs().max_element()).try_normalize()
}

/// Returns the nearest number from 1e-9 to 1e9.
fn positive(number: f32) -> f32 {
    between(number, 1.0 / LARGEST, LARGEST)
}

#[allow(clippy::manual_clamp, reason = "`clamp` returns NaN for NaN")]
fn between(number: f32, least: f32, most: f32) -> f32 {
    number.max(least).min(most)
}

fn angle(sine: f32, cosine: f32) -> f32 {
    angle_of(f64::from(sine), f64::from(cosine)) as f32
}
