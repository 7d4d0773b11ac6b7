//! Orbit camera with damping, framing and limits, which can look through cameras of files. It reads no clock and no
//! input device.

mod framing;
mod lens;
mod orbit;
mod ray;
#[cfg(test)]
mod tests;
mod through;

pub use lens::Insets;
pub use orbit::Orbit;
pub use ray::{PlaceInPicture, Ray};
pub use through::SavedOrbit;

use framing::{fitting_orbit, seen_from_all_sides};
use lens::Lens;

use crate::model::Aabb;
use glam::{Mat4, Vec2, Vec3};
use std::f32::consts::{FRAC_PI_2, TAU};

/// View and projection of a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    pub view_from_world: Mat4,
    /// Right-handed projection with depth 0 at the near plane and 1 at the far plane.
    pub projection_from_view: Mat4,
    /// Position of the viewer; in an orthographic view so far away that directions to it are nearly parallel.
    pub position_in_world: Vec3,
}

/// Preset parts of the orbit at which a model is framed. If the target or the distance isn't finite, framing computes
/// it. If an angle isn't finite, the default angle is used.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HomeView {
    pub target: Vec3,
    pub yaw: f32,
    pub pitch: f32,
    pub distance: f32,
    /// Factor for the distance that framing computes. Unused if `distance` is finite.
    pub distance_share: f32,
}

const NO_HOME_VIEW: HomeView =
    HomeView { target: Vec3::NAN, yaw: f32::NAN, pitch: f32::NAN, distance: f32::NAN, distance_share: 1.0 };

/// Default orbit: the front of a model, seen slightly from the side and from above.
const DEFAULT_ORBIT: Orbit = Orbit { target: Vec3::ZERO, yaw: 0.5, pitch: 0.17, distance: 4.0 };

/// Limits of the camera's orbit, each a minimum and a maximum. A limit that isn't finite has its default.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    pub yaw: [f32; 2],
    /// Without a finite minimum, moves keep the viewer above the floor.
    pub pitch: [f32; 2],
    pub distance: [f32; 2],
}

const NO_LIMITS: Limits = Limits { yaw: [f32::NAN; 2], pitch: [f32::NAN; 2], distance: [f32::NAN; 2] };

/// Orbit camera that follows a goal smoothly: input moves the goal, [`advance`](Self::advance) moves the camera.
#[derive(Clone, Debug)]
pub struct OrbitCamera {
    goal: Orbit,
    current: Orbit,
    /// Orbit to which [`reset`](Self::reset) returns.
    home: Orbit,
    home_view: HomeView,
    /// Speed of the automatic rotation, in radians of yaw per second. Unless it is 0, framing fits the view from
    /// every side.
    pub spin: f32,
    /// Height in the world above which moves keep the viewer; `None` for no floor.
    pub floor: Option<f32>,
    lens: Lens,
    insets: Insets,
    limits: Limits,
    /// Bounding sphere of what was framed, from which the near and far planes and the zoom limits are computed.
    center: Vec3,
    radius: f32,
}

/// Time in which the distance to the goal shrinks to 1/e: short, so that the picture feels attached to the finger.
const DAMPING_SECS: f32 = 0.07;
/// Largest pitch, slightly below the poles, where the up direction is undefined.
const PITCH_LIMIT: f32 = FRAC_PI_2 - 0.01;
/// Default zoom limits, in radii of what was framed.
const NEAREST_IN_RADII: f32 = 0.1;
const FARTHEST_IN_RADII: f32 = 40.0;
/// Least height of the viewer above the floor, in radii of what was framed.
const CLEARANCE_IN_RADII: f32 = 0.02;

impl Default for OrbitCamera {
    fn default() -> Self {
        Self {
            goal: DEFAULT_ORBIT,
            current: DEFAULT_ORBIT,
            home: DEFAULT_ORBIT,
            home_view: NO_HOME_VIEW,
            spin: 0.0,
            floor: None,
            lens: Lens { vertical_fov: 0.6, roll: 0.0, orthographic: false, middle: Vec2::ZERO },
            insets: Insets::default(),
            limits: NO_LIMITS,
            center: Vec3::ZERO,
            radius: 1.0,
        }
    }
}

impl OrbitCamera {
    /// Returns the orbit that the camera moves towards.
    pub fn goal(&self) -> Orbit {
        self.goal
    }

    /// Returns the current orbit.
    pub fn current(&self) -> Orbit {
        self.current
    }

    /// Sets the goal, clamped to the limits. Components that aren't finite leave those of the present goal.
    pub fn set_goal(&mut self, goal: Orbit) {
        let Limits { yaw, pitch, distance } = self.limits;
        let [nearest, farthest] = [NEAREST_IN_RADII, FARTHEST_IN_RADII].map(|radii| self.radius * radii);
        self.goal = Orbit {
            target: if goal.target.is_finite() { goal.target } else { self.goal.target },
            yaw: within(yaw, [f32::MIN, f32::MAX], finite(goal.yaw, self.goal.yaw)),
            pitch: within(pitch, [-PITCH_LIMIT, PITCH_LIMIT], finite(goal.pitch, self.goal.pitch))
                .clamp(-PITCH_LIMIT, PITCH_LIMIT),
            distance: within(distance, [nearest, farthest], finite(goal.distance, self.goal.distance))
                .max(f32::MIN_POSITIVE),
        };
    }

    /// Moves the camera to the goal at once.
    pub fn jump_to_goal(&mut self) {
        self.current = self.goal;
        self.lens.middle = self.middle();
    }

    pub fn vertical_fov(&self) -> f32 {
        self.lens.vertical_fov
    }

    pub fn set_vertical_fov(&mut self, vertical_fov: f32) {
        if vertical_fov.is_finite() {
            self.lens.vertical_fov = vertical_fov.clamp(0.02, 2.6);
        }
    }

    /// Returns the roll in radians. A positive roll leans the camera to its right.
    pub fn roll(&self) -> f32 {
        self.lens.roll
    }

    pub fn set_roll(&mut self, roll: f32) {
        self.lens.roll = finite(roll, self.lens.roll);
    }

    /// Returns whether the projection is orthographic instead of perspective.
    pub fn is_orthographic(&self) -> bool {
        self.lens.orthographic
    }

    /// Selects an orthographic or a perspective projection. Both show the same extent at the target.
    pub fn set_orthographic(&mut self, orthographic: bool) {
        self.lens.orthographic = orthographic;
    }

    /// Returns the position of the target on the canvas, from −1 to 1, x right and y up. At rest it is the middle of
    /// the area that no inset covers.
    pub fn target_in_picture(&self) -> Vec2 {
        self.lens.middle
    }

    /// Sets the insets; values that aren't finite count as 0. The target moves smoothly to the middle of the free
    /// area, and framing fits everything into that area.
    pub fn set_insets(&mut self, insets: Insets) {
        let Insets { top, right, bottom, left } = insets;
        let [top, right, bottom, left] = [top, right, bottom, left].map(|share| finite(share, 0.0));
        self.insets = Insets { top, right, bottom, left };
    }

    /// Sets the limits, and clamps the goal to them.
    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
        self.set_goal(self.goal);
    }

    pub fn orbit(&mut self, yaw: f32, pitch: f32) {
        self.move_to(Orbit { yaw: self.goal.yaw + yaw, pitch: self.goal.pitch + pitch, ..self.goal });
    }

    /// Moves the target so that the picture follows the finger by `dx` to the right and `dy` down, in fractions of
    /// the viewport's height.
    pub fn pan(&mut self, dx: f32, dy: f32) {
        let world_per_viewport = 2.0 * self.goal.distance * self.lens.half_extent_per_distance(1.0).y;
        let axes = self.goal.axes(self.lens.roll);
        let target = self.goal.target + (axes.up * dy - axes.right * dx) * world_per_viewport;
        let moved = Orbit { target, ..self.goal };
        let sunk = self.lowest_eye().map_or(0.0, |lowest| (lowest - moved.eye().y).max(0.0));
        self.set_goal(Orbit { target: target + Vec3::Y * sunk, ..moved });
    }

    /// Multiplies the distance by a factor. A factor below 1 moves closer.
    pub fn zoom(&mut self, factor: f32) {
        self.move_to(Orbit { distance: self.goal.distance * factor, ..self.goal });
    }

    /// Sets the goal, with a pitch that keeps the viewer above the floor.
    fn move_to(&mut self, goal: Orbit) {
        let lowest = self.lowest_eye();
        self.set_goal(goal);
        if let Some(lowest) = lowest.filter(|&lowest| self.goal.eye().y < lowest) {
            let pitch = self.goal.pitch_at_height(lowest).max(self.goal.pitch);
            self.set_goal(Orbit { pitch, ..self.goal });
        }
    }

    /// Returns the least height to which moves may bring the viewer, or `None` if there is no such limit. If the
    /// viewer is lower already, that is its present height.
    fn lowest_eye(&self) -> Option<f32> {
        let floor = self.floor.filter(|_| !self.limits.pitch[0].is_finite())?;
        // Parallel lines of sight that rise show the floor from below, at any height of the viewer.
        let level = if self.lens.orthographic { self.goal.target.y } else { f32::MIN };
        let lowest = (floor + self.radius * CLEARANCE_IN_RADII).max(level);
        Some(lowest.min(self.goal.eye().y))
    }

    /// Sets the preset parts of the orbit for later calls of [`frame`](Self::frame).
    pub fn set_home_view(&mut self, home_view: HomeView) {
        self.home.yaw = finite(home_view.yaw, DEFAULT_ORBIT.yaw);
        self.home.pitch = finite(home_view.pitch, DEFAULT_ORBIT.pitch);
        self.home_view = home_view;
    }

    /// Jumps to the orbit at which all points are in the picture, seen from the home direction, and makes it the
    /// home. Preset parts override that orbit.
    pub fn frame(&mut self, points: &[Vec3], aspect: f32) {
        if self.aim(points, aspect) {
            self.jump_to_goal();
        }
    }

    /// Makes the orbit of [`frame`](Self::frame) the home and the goal. Returns false if there are no points, or if
    /// they aren't finite.
    pub fn aim(&mut self, points: &[Vec3], aspect: f32) -> bool {
        let Some(aabb) = Aabb::around(points.iter().copied()) else { return false };
        if !(aabb.min.is_finite() && aabb.max.is_finite()) {
            return false;
        }
        self.center = aabb.center();
        self.radius = aabb.radius().max(1e-6);
        let (_, free) = self.insets.free();
        let half = self.lens.half_extent_per_distance(aspect) * free;
        let from = Orbit { target: self.center, ..self.home };
        let depth = if self.lens.orthographic { 0.0 } else { 1.0 };
        let spins = self.spin != 0.0;
        let turned = if spins { seen_from_all_sides(points, self.center) } else { Vec::new() };
        let seen = if spins { &turned } else { points };
        let Orbit { target, distance, .. } =
            fitting_orbit(from, &from.axes(self.lens.roll), seen, half, depth, spins);
        let home_view = self.home_view;
        self.set_goal(Orbit {
            target: Vec3::select(home_view.target.is_finite_mask(), home_view.target, target),
            distance: finite(home_view.distance, distance * finite(home_view.distance_share, 1.0)),
            ..self.home
        });
        self.home = self.goal;
        true
    }

    /// Returns whether the goal is the home: the camera hasn't been moved since framing, or it is returning.
    pub fn is_home(&self) -> bool {
        self.goal == self.home
    }

    /// Returns to the home smoothly, the short way round.
    pub fn reset(&mut self) {
        self.current.yaw -= ((self.current.yaw - self.home.yaw) / TAU).round() * TAU;
        self.set_goal(self.home);
    }

    /// Moves towards the goal; two steps of `dt_secs / 2` have the same result as one of `dt_secs`. Returns false if
    /// the camera is at rest and doesn't spin.
    pub fn advance(&mut self, dt_secs: f32) -> bool {
        let spins = self.advance_spin(dt_secs.max(0.0));
        let middle = self.middle();
        if self.current == self.goal && self.lens.middle == middle {
            return spins;
        }
        let share = 1.0 - decay(dt_secs.max(0.0) / DAMPING_SECS);
        let (current, goal) = (&mut self.current, &self.goal);
        current.target += (goal.target - current.target) * share;
        current.yaw += (goal.yaw - current.yaw) * share;
        current.pitch += (goal.pitch - current.pitch) * share;
        current.distance += (goal.distance - current.distance) * share;
        self.lens.middle += (middle - self.lens.middle) * share;

        // Corresponds to a tenth of a pixel on a large screen.
        const AT_REST: f32 = 1e-4;
        let left = ((goal.target - current.target).length() / goal.distance)
            .max((goal.yaw - current.yaw).abs())
            .max((goal.pitch - current.pitch).abs())
            .max((goal.distance / current.distance - 1.0).abs())
            .max((middle - self.lens.middle).abs().max_element());
        if left < AT_REST {
            self.jump_to_goal();
        }
        true
    }

    /// Rotates the goal and the camera by the spin. The home rotates too, so that an unmoved camera stays at home,
    /// and that returning doesn't undo the spin. Returns whether there is a spin.
    fn advance_spin(&mut self, dt_secs: f32) -> bool {
        // Whole turns are dropped, since the sine of a very large angle loses its precision.
        let turns = f64::from(self.spin) * f64::from(dt_secs) / f64::from(TAU);
        let mut turn = ((turns - turns.trunc()) * f64::from(TAU)) as f32;
        // Keeps the yaw small: after hours of spin an `f32` would have lost its precision.
        turn -= if self.home.yaw.abs() > TAU { TAU.copysign(self.home.yaw) } else { 0.0 };
        let Limits { yaw, .. } = self.limits;
        turn = within(yaw, [f32::MIN, f32::MAX], self.goal.yaw + turn) - self.goal.yaw;
        for orbit in [&mut self.home, &mut self.goal, &mut self.current] {
            orbit.yaw += turn;
        }
        self.spin != 0.0
    }

    pub fn view(&self, aspect: f32) -> View {
        self.lens.view(&self.current, aspect, self.center, self.radius)
    }

    fn middle(&self) -> Vec2 {
        self.insets.free().0
    }
}

/// Clamps a number to limits; those that aren't finite are replaced by `otherwise`. A minimum above the maximum wins.
fn within(limits: [f32; 2], otherwise: [f32; 2], number: f32) -> f32 {
    let [least, most] = [0, 1].map(|end| finite(limits[end], otherwise[end]));
    number.max(least).min(most.max(least))
}

fn finite(value: f32, otherwise: f32) -> f32 {
    if value.is_finite() { value } else { otherwise }
}

/// Returns e to the power of −x, without the size of a math library.
pub(crate) fn decay(x: f32) -> f32 {
    // Beyond this the result is practically 0 in 32 bits. For a 1024th of it, four terms of the series suffice.
    const NOTHING_LEFT: f64 = 100.0;
    let small = f64::from(x).min(NOTHING_LEFT) / 1024.0;
    let once = 1.0 - small * (1.0 - small * (0.5 - small / 6.0));
    (0..10).fold(once, |power, _| power * power) as f32
}
