//! An orbit camera: where the viewer stands, damped, framed and limited. Pure: it reads no clock and no input device.

use crate::angle::sin_cos;
use crate::model::Aabb;
use glam::{Mat4, Vec2, Vec3, Vec4};
use std::f32::consts::{FRAC_PI_2, TAU};

/// What a picture is drawn through.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    pub view_from_world: Mat4,
    /// Right-handed, depth 0 at the near plane and 1 at the far one.
    pub projection_from_view: Mat4,
    pub position_in_world: Vec3,
}

/// A place on the sphere around a point. Angles are radians.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Orbit {
    pub target: Vec3,
    /// Around +Y; 0 looks at the front of a glTF model (which faces +Z), positive walks to its left hand.
    pub yaw: f32,
    /// Positive looks from above.
    pub pitch: f32,
    pub distance: f32,
}

impl Orbit {
    /// From the target towards the viewer, unit length.
    fn towards_viewer(&self) -> Vec3 {
        let (pitch_sin, pitch_cos) = sin_cos(self.pitch);
        let (yaw_sin, yaw_cos) = sin_cos(self.yaw);
        Vec3::new(yaw_sin * pitch_cos, pitch_sin, yaw_cos * pitch_cos)
    }

    /// Right and up of the picture, in the world.
    fn picture_axes(&self) -> (Vec3, Vec3) {
        let (yaw_sin, yaw_cos) = sin_cos(self.yaw);
        let right = Vec3::new(yaw_cos, 0.0, -yaw_sin);
        (right, self.towards_viewer().cross(right))
    }
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

/// Follows its goal smoothly: input moves the goal, [`advance`](Self::advance) moves the camera.
#[derive(Clone, Debug)]
pub struct OrbitCamera {
    goal: Orbit,
    current: Orbit,
    /// What [`reset`](Self::reset) returns to.
    home: Orbit,
    wish: Wish,
    /// Radians a second that it goes round by itself, to the left.
    pub spin: f32,
    vertical_fov: f32,
    /// Of what was framed: the scale of near, far and the zoom limits.
    center: Vec3,
    radius: f32,
}

/// Time in which the distance to the goal shrinks to 1/e: fast enough to feel attached to the finger.
const DAMPING_SECS: f32 = 0.07;
/// Short of the poles, where "up" has no meaning.
const PITCH_LIMIT: f32 = FRAC_PI_2 - 0.01;
/// Air around a framed box, as a share of its distance.
const FRAMING_MARGIN: f32 = 1.06;
/// Zoom limits, in radii of what was framed.
const NEAREST_IN_RADII: f32 = 0.1;
const FARTHEST_IN_RADII: f32 = 40.0;
/// The ground reaches further than what stands on it.
const GROUND_IN_RADII: f32 = 8.0;

impl Default for OrbitCamera {
    fn default() -> Self {
        Self {
            goal: FIRST_LOOK,
            current: FIRST_LOOK,
            home: FIRST_LOOK,
            wish: NO_WISH,
            spin: 0.0,
            vertical_fov: 0.6,
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
        let nearest = self.radius * NEAREST_IN_RADII;
        self.goal = Orbit {
            target: if goal.target.is_finite() { goal.target } else { self.goal.target },
            yaw: finite(goal.yaw, self.goal.yaw),
            pitch: finite(goal.pitch, self.goal.pitch).clamp(-PITCH_LIMIT, PITCH_LIMIT),
            distance: finite(goal.distance, self.goal.distance)
                .max(nearest)
                .min(self.radius * FARTHEST_IN_RADII),
        };
    }

    /// Arrives at the goal at once.
    pub fn jump_to_goal(&mut self) {
        self.current = self.goal;
    }

    pub fn vertical_fov(&self) -> f32 {
        self.vertical_fov
    }

    pub fn set_vertical_fov(&mut self, vertical_fov: f32) {
        if vertical_fov.is_finite() {
            self.vertical_fov = vertical_fov.clamp(0.02, 2.6);
        }
    }

    pub fn orbit(&mut self, yaw: f32, pitch: f32) {
        self.set_goal(Orbit { yaw: self.goal.yaw + yaw, pitch: self.goal.pitch + pitch, ..self.goal });
    }

    /// Moves what is looked at with the finger: `dx` to the right and `dy` down, in fractions of the viewport's height.
    pub fn pan(&mut self, dx: f32, dy: f32) {
        let world_per_viewport = 2.0 * self.goal.distance * half_height_per_distance(self.vertical_fov);
        let (right, up) = self.goal.picture_axes();
        let target = self.goal.target + (up * dy - right * dx) * world_per_viewport;
        self.set_goal(Orbit { target, ..self.goal });
    }

    /// Multiplies the distance: below 1 comes closer.
    pub fn zoom(&mut self, factor: f32) {
        self.set_goal(Orbit { distance: self.goal.distance * factor, ..self.goal });
    }

    /// Where [`frame`](Self::frame) is to put it from now on, instead of where it would.
    pub fn set_wish(&mut self, wish: Wish) {
        self.home.yaw = finite(wish.yaw, FIRST_LOOK.yaw);
        self.home.pitch = finite(wish.pitch, FIRST_LOOK.pitch);
        self.wish = wish;
    }

    /// Jumps to where all the points are seen from the home direction, or where it was wished, and makes that the home.
    pub fn frame(&mut self, points: &[Vec3], aspect: f32) {
        let Some(aabb) = Aabb::around(points.iter().copied()) else { return };
        if !(aabb.min.is_finite() && aabb.max.is_finite()) {
            return;
        }
        self.center = aabb.center();
        self.radius = aabb.radius().max(1e-6);
        let half = half_extent_per_distance(self.vertical_fov, aspect);
        let Orbit { target, distance, .. } =
            fitting_orbit(Orbit { target: self.center, ..self.home }, points, half);
        let wish = self.wish;
        self.set_goal(Orbit {
            target: Vec3::select(wish.target.is_finite_mask(), wish.target, target),
            distance: finite(wish.distance, distance * finite(wish.distance_share, 1.0)),
            ..self.home
        });
        self.jump_to_goal();
        self.home = self.goal;
    }

    /// Whether nobody has moved it since it was framed.
    pub fn is_home(&self) -> bool {
        self.goal == self.home && self.current == self.home
    }

    /// Goes back to the framed view, smoothly and the short way round.
    pub fn reset(&mut self) {
        let turns = ((self.current.yaw - self.home.yaw) / TAU).round();
        self.set_goal(Orbit { yaw: self.home.yaw + turns * TAU, ..self.home });
    }

    /// Moves towards the goal; two steps of `dt_secs / 2` arrive where one of `dt_secs` does. False when at rest.
    pub fn advance(&mut self, dt_secs: f32) -> bool {
        let spins = self.go_round(dt_secs.max(0.0));
        if self.current == self.goal {
            return spins;
        }
        let share = 1.0 - decay(dt_secs.max(0.0) / DAMPING_SECS);
        let (current, goal) = (&mut self.current, &self.goal);
        current.target += (goal.target - current.target) * share;
        current.yaw += (goal.yaw - current.yaw) * share;
        current.pitch += (goal.pitch - current.pitch) * share;
        current.distance += (goal.distance - current.distance) * share;

        // A tenth of a pixel on a large screen.
        const AT_REST: f32 = 1e-4;
        let left = ((goal.target - current.target).length() / goal.distance)
            .max((goal.yaw - current.yaw).abs())
            .max((goal.pitch - current.pitch).abs())
            .max((goal.distance / current.distance - 1.0).abs());
        if left < AT_REST {
            self.current = self.goal;
        }
        true
    }

    /// The home goes along, so that what nobody moved stays framed, and going home doesn't undo it.
    fn go_round(&mut self, dt_secs: f32) -> bool {
        let mut turn = self.spin * dt_secs;
        // After hours there would be nothing left of the digits.
        turn -= if self.home.yaw.abs() > TAU { TAU.copysign(self.home.yaw) } else { 0.0 };
        for orbit in [&mut self.home, &mut self.goal, &mut self.current] {
            orbit.yaw += turn;
        }
        self.spin != 0.0
    }

    pub fn view(&self, aspect: f32) -> View {
        let Orbit { target, distance, .. } = self.current;
        let position_in_world = target + self.current.towards_viewer() * distance;
        let (right, up) = self.current.picture_axes();
        let world_from_view = Mat4::from_cols(
            right.extend(0.0),
            up.extend(0.0),
            self.current.towards_viewer().extend(0.0),
            position_in_world.extend(1.0),
        );

        let to_center = position_in_world.distance(self.center);
        let near = (to_center - 2.0 * self.radius).max(distance.min(self.radius) * 0.02);
        let far = to_center + GROUND_IN_RADII * self.radius;
        let half = half_extent_per_distance(self.vertical_fov, aspect);
        View {
            view_from_world: world_from_view.inverse(),
            projection_from_view: perspective(half, near, far),
            position_in_world,
        }
    }
}

fn finite(value: f32, otherwise: f32) -> f32 {
    if value.is_finite() { value } else { otherwise }
}

/// e to the power of −x, without the system's library and its size.
fn decay(x: f32) -> f32 {
    // Beyond this nothing is left in 32 bits; and a 1024th of it is so small that four terms are all that count.
    const NOTHING_LEFT: f64 = 100.0;
    let small = f64::from(x).min(NOTHING_LEFT) / 1024.0;
    let once = 1.0 - small * (1.0 - small * (0.5 - small / 6.0));
    (0..10).fold(once, |power, _| power * power) as f32
}

/// Right-handed, looking along −Z, depth 0 to 1.
fn perspective(half: Vec2, near: f32, far: f32) -> Mat4 {
    let depth = far / (near - far);
    Mat4::from_cols(
        Vec4::X / half.x,
        Vec4::Y / half.y,
        Vec4::new(0.0, 0.0, depth, -1.0),
        Vec4::new(0.0, 0.0, depth * near, 0.0),
    )
}

/// Half the width and height of what is seen, per unit of distance.
fn half_extent_per_distance(vertical_fov: f32, aspect: f32) -> Vec2 {
    let aspect = if aspect.is_finite() && aspect > 0.0 { aspect } else { 1.0 };
    let half_height = half_height_per_distance(vertical_fov);
    Vec2::new(half_height * aspect, half_height)
}

fn half_height_per_distance(vertical_fov: f32) -> f32 {
    let (sine, cosine) = sin_cos(vertical_fov * 0.5);
    sine / cosine
}

/// The nearest orbit from which every point is inside the picture, with as much air above as below.
///
/// A point at height `y` and depth `z` is inside while `|y − shift| ≤ (distance − z) · half.y`.
fn fitting_orbit(orbit: Orbit, points: &[Vec3], half: Vec2) -> Orbit {
    let towards_viewer = orbit.towards_viewer();
    let (right, up) = orbit.picture_axes();
    let greatest = |reach: &dyn Fn(Vec3) -> f32| {
        let seen = points.iter().map(|&point| {
            let from_target = point - orbit.target;
            Vec3::new(from_target.dot(right), from_target.dot(up), from_target.dot(towards_viewer))
        });
        seen.map(reach).fold(f32::MIN, f32::max)
    };
    let above = greatest(&|point| point.y + point.z * half.y);
    let below = greatest(&|point| -point.y + point.z * half.y);
    // Sideways the middle stays in the middle: that is what one orbits around.
    let aside = greatest(&|point| point.x.abs() + point.z * half.x);
    let distance = ((above + below) * 0.5 / half.y).max(aside / half.x).max(0.0) * FRAMING_MARGIN;

    // Centring at one distance uncentres at another: a few steps settle it.
    let mut shift = (above - below) * 0.5;
    for _ in 0..8 {
        let height = |point: Vec3| (point.y - shift) / (distance - point.z).max(f32::MIN_POSITIVE);
        let (highest, lowest) = (greatest(&height), -greatest(&|point| -height(point)));
        shift += (highest + lowest) * 0.5 * distance;
    }
    if !shift.is_finite() {
        shift = 0.0;
    }
    Orbit { target: orbit.target + up * shift, distance, ..orbit }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn character_box() -> Aabb {
        Aabb { min: Vec3::new(-0.7, 0.0, -0.4), max: Vec3::new(0.8, 1.9, 0.5) }
    }

    #[test]
    fn framed_box_is_inside_the_picture_at_any_aspect() {
        for aspect in [0.2, 0.5, 1.0, 1.78, 4.0] {
            let mut camera = OrbitCamera::default();
            camera.frame(&character_box().corners(), aspect);
            let view = camera.view(aspect);
            let mut widest = 0.0_f32;
            for corner in character_box().corners() {
                let seen = (view.projection_from_view * view.view_from_world).project_point3(corner);
                assert!(
                    seen.x.abs() <= 1.0 && seen.y.abs() <= 1.0,
                    "{corner} at aspect {aspect} is at {seen}"
                );
                assert!((0.0..=1.0).contains(&seen.z), "{corner} is between near and far");
                widest = widest.max(seen.x.abs()).max(seen.y.abs());
            }
            assert!(widest > 0.7, "at aspect {aspect} the box fills only {widest} of the picture");
        }
    }

    #[test]
    fn a_wide_scene_has_as_much_air_above_as_below() {
        let mut camera = OrbitCamera::default();
        let scene = Aabb { min: Vec3::new(-20.0, 0.0, -20.0), max: Vec3::new(20.0, 2.0, 20.0) };
        camera.frame(&scene.corners(), 0.1);
        camera.frame(&scene.corners(), 1.5);
        let view = camera.view(1.5);
        let heights = scene
            .corners()
            .map(|corner| (view.projection_from_view * view.view_from_world).project_point3(corner).y);
        let (lowest, highest) =
            heights.into_iter().fold((f32::MAX, f32::MIN), |(low, high), y| (low.min(y), high.max(y)));
        assert!((lowest + highest).abs() < 0.1, "from {lowest} to {highest}");
    }

    #[test]
    fn frames_from_where_it_was_wished() {
        let mut framed = OrbitCamera::default();
        framed.frame(&character_box().corners(), 1.5);
        let mut wished = OrbitCamera::default();
        let target = Vec3::new(f32::NAN, 1.2, f32::NAN);
        wished.set_wish(Wish { target, yaw: -1.0, distance_share: 1.5, ..NO_WISH });
        wished.frame(&character_box().corners(), 1.5);
        let (found, at) = (framed.current(), wished.current());
        assert_eq!((at.yaw, at.pitch, at.target.y), (-1.0, found.pitch, 1.2));
        let mut aside = OrbitCamera::default();
        aside.set_wish(Wish { yaw: -1.0, ..NO_WISH });
        aside.frame(&character_box().corners(), 1.5);
        assert!((at.distance / aside.current().distance - 1.5).abs() < 1e-5);

        wished.orbit(0.5, 0.1);
        wished.reset();
        wished.advance(60.0);
        assert!(wished.is_home() && wished.current() == at);
    }

    #[test]
    fn goes_round_by_itself_and_stays_at_home() {
        let mut camera = OrbitCamera::default();
        camera.frame(&character_box().corners(), 1.5);
        let yaw = camera.current().yaw;
        camera.spin = 0.5;
        for _ in 0..600 {
            assert!(camera.advance(0.1), "another frame looks different");
        }
        assert!(camera.is_home());
        let turned = (camera.current().yaw - yaw - 30.0).rem_euclid(TAU);
        assert!(turned.min(TAU - turned) < 1e-3, "off by {turned}");
        camera.spin = 0.0;
        assert!(!camera.advance(0.1));
    }

    #[test]
    fn one_step_arrives_where_many_small_ones_do() {
        let mut once = OrbitCamera::default();
        once.orbit(1.0, 0.3);
        once.zoom(0.5);
        once.pan(0.1, 0.2);
        let mut often = once.clone();
        once.advance(0.1);
        for _ in 0..10 {
            often.advance(0.01);
        }
        let (once, often) = (once.current(), often.current());
        assert!((once.yaw - often.yaw).abs() < 1e-4 && (once.pitch - often.pitch).abs() < 1e-4);
        assert!((once.distance - often.distance).abs() < 1e-4);
        assert!((once.target - often.target).length() < 1e-4);
    }

    #[test]
    fn comes_to_rest_exactly_at_the_goal() {
        let mut camera = OrbitCamera::default();
        assert!(!camera.advance(0.016), "nothing was asked of it");
        camera.orbit(2.0, -0.4);
        let steps = (0..1000).take_while(|_| camera.advance(0.016)).count();
        assert!(steps < 100, "{steps} steps");
        assert_eq!(camera.current(), camera.goal());
    }

    #[test]
    fn pitch_and_distance_stay_within_limits() {
        let mut camera = OrbitCamera::default();
        camera.frame(&character_box().corners(), 1.0);
        camera.orbit(0.0, 100.0);
        camera.zoom(1e9);
        assert!(camera.goal().pitch < FRAC_PI_2);
        assert!(camera.goal().distance <= character_box().radius() * FARTHEST_IN_RADII);
        camera.orbit(0.0, -100.0);
        camera.zoom(0.0);
        assert!(camera.goal().pitch > -FRAC_PI_2);
        assert!(camera.goal().distance >= character_box().radius() * NEAREST_IN_RADII);
    }

    #[test]
    fn input_that_is_not_finite_changes_nothing() {
        let mut camera = OrbitCamera::default();
        camera.frame(&character_box().corners(), 1.0);
        let before = camera.goal();
        camera.orbit(f32::NAN, f32::INFINITY);
        camera.zoom(f32::NAN);
        camera.pan(f32::NAN, 0.0);
        camera.frame(&[Vec3::NAN, Vec3::NAN], 1.0);
        assert_eq!(camera.goal(), before);
        assert!(camera.view(f32::NAN).projection_from_view.is_finite());
    }

    #[test]
    fn is_home_until_it_is_moved() {
        let mut camera = OrbitCamera::default();
        camera.frame(&character_box().corners(), 1.0);
        assert!(camera.is_home());
        camera.orbit(0.1, 0.0);
        assert!(!camera.is_home());
        camera.reset();
        while camera.advance(0.1) {}
        assert!(camera.is_home());
    }

    #[test]
    fn reset_returns_to_the_framed_view_the_short_way() {
        let mut camera = OrbitCamera::default();
        camera.frame(&character_box().corners(), 1.0);
        let home = camera.goal();
        camera.orbit(3.0 * TAU + 0.1, 0.2);
        camera.jump_to_goal();
        camera.reset();
        assert!((camera.goal().yaw - camera.current().yaw).abs() < 0.2);
        camera.jump_to_goal();
        let (now, then) = (camera.view(1.0).view_from_world, {
            camera.set_goal(home);
            camera.jump_to_goal();
            camera.view(1.0).view_from_world
        });
        assert!(now.abs_diff_eq(then, 1e-4));
    }

    #[test]
    fn panning_right_moves_the_picture_right() {
        let mut camera = OrbitCamera::default();
        camera.frame(&character_box().corners(), 1.0);
        let center = camera.goal().target;
        camera.pan(0.25, 0.0);
        camera.jump_to_goal();
        let view = camera.view(1.0);
        let seen = (view.projection_from_view * view.view_from_world).project_point3(center);
        assert!(
            (seen.x - 0.5).abs() < 1e-3 && seen.y.abs() < 1e-3,
            "a quarter of the height is half a unit: {seen}"
        );
    }

    #[test]
    fn a_single_point_can_be_framed() {
        let mut camera = OrbitCamera::default();
        camera.frame(&[Vec3::ONE, Vec3::ONE], 1.0);
        assert!(camera.view(1.0).view_from_world.is_finite());
        assert!(camera.view(1.0).projection_from_view.is_finite());
    }
}
