//! An orbit camera: where the viewer stands, damped, framed and limited. Pure: it reads no clock and no input device.

mod framing;
mod lens;
mod orbit;
#[cfg(test)]
mod tests;

pub use lens::Insets;
pub use orbit::Orbit;

use framing::{fitting_orbit, seen_from_all_sides};
use lens::Lens;

use crate::model::Aabb;
use glam::{Mat4, Vec2, Vec3};
use std::f32::consts::{FRAC_PI_2, TAU};

/// What a picture is drawn through.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    pub view_from_world: Mat4,
    /// Right-handed, depth 0 at the near plane and 1 at the far one.
    pub projection_from_view: Mat4,
    /// Where the viewer is; of an orthographic one, so far away that the directions to it are parallel.
    pub position_in_world: Vec3,
}

/// What is known of an orbit before anything is framed; what isn't a finite number is found by framing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wish {
    pub target: Vec3,
    pub yaw: f32,
    pub pitch: f32,
    pub distance: f32,
    /// Of the distance that framing finds.
    pub distance_share: f32,
}

const NO_WISH: Wish =
    Wish { target: Vec3::NAN, yaw: f32::NAN, pitch: f32::NAN, distance: f32::NAN, distance_share: 1.0 };

/// A model's front, from a little to the side and above.
const FIRST_LOOK: Orbit = Orbit { target: Vec3::ZERO, yaw: 0.5, pitch: 0.17, distance: 4.0 };

/// How far the camera can be moved: least and greatest. What isn't a number limits as if nothing was said.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    pub yaw: [f32; 2],
    /// Without a least pitch, moves keep the viewer above the floor.
    pub pitch: [f32; 2],
    pub distance: [f32; 2],
}

const NO_LIMITS: Limits = Limits { yaw: [f32::NAN; 2], pitch: [f32::NAN; 2], distance: [f32::NAN; 2] };

/// Follows its goal smoothly: input moves the goal, [`advance`](Self::advance) moves the camera.
#[derive(Clone, Debug)]
pub struct OrbitCamera {
    goal: Orbit,
    current: Orbit,
    /// What [`reset`](Self::reset) returns to.
    home: Orbit,
    wish: Wish,
    /// Radians a second that it goes round by itself, to the left. Framing makes room for every side.
    pub spin: f32,
    /// The height that moves keep the viewer above.
    pub floor: Option<f32>,
    lens: Lens,
    insets: Insets,
    limits: Limits,
    /// Of what was framed: the scale of near, far and the zoom limits.
    center: Vec3,
    radius: f32,
}

/// Time in which the distance to the goal shrinks to 1/e: fast enough to feel attached to the finger.
const DAMPING_SECS: f32 = 0.07;
/// Short of the poles, where "up" has no meaning.
const PITCH_LIMIT: f32 = FRAC_PI_2 - 0.01;
/// Zoom limits, in radii of what was framed.
const NEAREST_IN_RADII: f32 = 0.1;
const FARTHEST_IN_RADII: f32 = 40.0;
/// Above the floor, in the same.
const CLEARANCE_IN_RADII: f32 = 0.02;

impl Default for OrbitCamera {
    fn default() -> Self {
        Self {
            goal: FIRST_LOOK,
            current: FIRST_LOOK,
            home: FIRST_LOOK,
            wish: NO_WISH,
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
    /// Where the camera is going.
    pub fn goal(&self) -> Orbit {
        self.goal
    }

    /// Where the camera is.
    pub fn current(&self) -> Orbit {
        self.current
    }

    /// Sends the camera somewhere; what isn't finite or allowed is brought to the nearest that is.
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

    /// Arrives at the goal at once.
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

    /// How far the camera leans to its right, in radians.
    pub fn roll(&self) -> f32 {
        self.lens.roll
    }

    pub fn set_roll(&mut self, roll: f32) {
        self.lens.roll = finite(roll, self.lens.roll);
    }

    /// Whether what is far away looks as large as what is near.
    pub fn is_orthographic(&self) -> bool {
        self.lens.orthographic
    }

    /// The picture shows as much as in perspective at the target, whatever the distance.
    pub fn set_orthographic(&mut self, orthographic: bool) {
        self.lens.orthographic = orthographic;
    }

    /// Where the target is seen, from −1 to 1 across the canvas, x right and y up: the middle of what no inset covers.
    pub fn target_in_picture(&self) -> Vec2 {
        self.lens.middle
    }

    /// What isn't a number counts as 0. The target moves to the middle of what is left; framing makes it all fit.
    pub fn set_insets(&mut self, insets: Insets) {
        let Insets { top, right, bottom, left } = insets;
        let [top, right, bottom, left] = [top, right, bottom, left].map(|share| finite(share, 0.0));
        self.insets = Insets { top, right, bottom, left };
    }

    /// Also brings the camera to within the limits.
    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
        self.set_goal(self.goal);
    }

    pub fn orbit(&mut self, yaw: f32, pitch: f32) {
        self.move_to(Orbit { yaw: self.goal.yaw + yaw, pitch: self.goal.pitch + pitch, ..self.goal });
    }

    /// Moves what is looked at with the finger: `dx` to the right and `dy` down, in fractions of the viewport's height.
    pub fn pan(&mut self, dx: f32, dy: f32) {
        let world_per_viewport = 2.0 * self.goal.distance * self.lens.half_extent_per_distance(1.0).y;
        let axes = self.goal.axes(self.lens.roll);
        let target = self.goal.target + (axes.up * dy - axes.right * dx) * world_per_viewport;
        let moved = Orbit { target, ..self.goal };
        let sunk = self.lowest_eye().map_or(0.0, |lowest| (lowest - moved.eye().y).max(0.0));
        self.set_goal(Orbit { target: target + Vec3::Y * sunk, ..moved });
    }

    /// Multiplies the distance: below 1 comes closer.
    pub fn zoom(&mut self, factor: f32) {
        self.move_to(Orbit { distance: self.goal.distance * factor, ..self.goal });
    }

    /// Not below the floor.
    fn move_to(&mut self, goal: Orbit) {
        let lowest = self.lowest_eye();
        self.set_goal(goal);
        if let Some(lowest) = lowest.filter(|&lowest| self.goal.eye().y < lowest) {
            let pitch = self.goal.pitch_at_height(lowest).max(self.goal.pitch);
            self.set_goal(Orbit { pitch, ..self.goal });
        }
    }

    /// How low moves may take the viewer; no lower than now where something else has put it below the floor.
    fn lowest_eye(&self) -> Option<f32> {
        let floor = self.floor.filter(|_| !self.limits.pitch[0].is_finite())?;
        // Parallel lines of sight meet the floor from below wherever they rise.
        let level = if self.lens.orthographic { self.goal.target.y } else { f32::MIN };
        let lowest = (floor + self.radius * CLEARANCE_IN_RADII).max(level);
        Some(lowest.min(self.goal.eye().y))
    }

    /// Where [`frame`](Self::frame) is to put it from now on, instead of where it would.
    pub fn set_wish(&mut self, wish: Wish) {
        self.home.yaw = finite(wish.yaw, FIRST_LOOK.yaw);
        self.home.pitch = finite(wish.pitch, FIRST_LOOK.pitch);
        self.wish = wish;
    }

    /// Jumps to where all the points are seen from the home direction, or where it was wished, and makes that the home.
    pub fn frame(&mut self, points: &[Vec3], aspect: f32) {
        if self.aim(points, aspect) {
            self.jump_to_goal();
        }
    }

    /// Makes that the home and goes there; false where there is nothing to see.
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
        let wish = self.wish;
        self.set_goal(Orbit {
            target: Vec3::select(wish.target.is_finite_mask(), wish.target, target),
            distance: finite(wish.distance, distance * finite(wish.distance_share, 1.0)),
            ..self.home
        });
        self.home = self.goal;
        true
    }

    /// Whether nobody has moved it since it was framed, or it is on its way back.
    pub fn is_home(&self) -> bool {
        self.goal == self.home
    }

    /// Goes back to the framed view, smoothly and the short way round.
    pub fn reset(&mut self) {
        self.current.yaw -= ((self.current.yaw - self.home.yaw) / TAU).round() * TAU;
        self.set_goal(self.home);
    }

    /// Moves towards the goal; two steps of `dt_secs / 2` arrive where one of `dt_secs` does. False when at rest.
    pub fn advance(&mut self, dt_secs: f32) -> bool {
        let spins = self.go_round(dt_secs.max(0.0));
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

        // A tenth of a pixel on a large screen.
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

    /// The home goes along, so that what nobody moved stays framed, and going home doesn't undo it.
    fn go_round(&mut self, dt_secs: f32) -> bool {
        // Whole turns are left out: a sine has no digits for very many of them.
        let turns = f64::from(self.spin) * f64::from(dt_secs) / f64::from(TAU);
        let mut turn = ((turns - turns.trunc()) * f64::from(TAU)) as f32;
        // After hours there would be nothing left of the digits.
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

/// The nearest number within the limits, of which the second ones stand in for those that aren't numbers.
fn within(limits: [f32; 2], otherwise: [f32; 2], number: f32) -> f32 {
    let [least, most] = [0, 1].map(|end| finite(limits[end], otherwise[end]));
    number.max(least).min(most.max(least))
}

fn finite(value: f32, otherwise: f32) -> f32 {
    if value.is_finite() { value } else { otherwise }
}

/// e to the power of −x, without the system's library and its size.
pub(crate) fn decay(x: f32) -> f32 {
    // Beyond this nothing is left in 32 bits; and a 1024th of it is so small that four terms are all that count.
    const NOTHING_LEFT: f64 = 100.0;
    let small = f64::from(x).min(NOTHING_LEFT) / 1024.0;
    let once = 1.0 - small * (1.0 - small * (0.5 - small / 6.0));
    (0..10).fold(once, |power, _| power * power) as f32
}
