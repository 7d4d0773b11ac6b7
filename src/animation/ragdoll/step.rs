//! One step of the simulation.
use super::body::{Body, Place};
use super::shape::Placed;
use super::{Ragdoll, RagdollBody, RagdollState, STEP_SECS};
use crate::angle::{angle_of, sin_cos};
use crate::animation::turn;
use glam::{Mat3, Vec3};

/// Parts of a step.
const PARTS: usize = 20;
/// Greatest speed at which bodies that overlap are moved apart, in sizes per second.
const MOST_PUSH: f32 = 2.0;
/// Greatest rate at which joints beyond their limit are brought back, in radians per second: more than a heavy body
/// that rolls over a limb turns it.
const MOST_TURN: f32 = 40.0;
/// Passes over all joints in each part of a step.
const ROUNDS: usize = 2;
/// Distance from which pairs of bodies are checked in all parts of a step, and the factor by which they may become
/// faster in it than they are.
const NEAR: f32 = 0.01;
const FASTER: f32 = 1.5;
/// Rates at which bodies lose speed and spin.
const DRAG: [f32; 2] = [0.05, 0.3];
/// Rate at which bodies on the ground lose spin, for each point that touches it: they are soft.
const ROLLING: f32 = 4.0;
/// Speed in sizes per second below which bodies lose more speed, the more the longer it lasts, and this rate per
/// second.
const CALM: f32 = 0.4;
const CALMING: f32 = 4.0;
/// Time after which faster motion counts as calm, the faster the longer it lasts: every ragdoll comes to rest.
const TIRED_SECS: f32 = 4.0;
/// Time after which whatever is calm by then sleeps, even if it trembles.
const MOST_AWAKE_SECS: f32 = 9.0;
/// Rate at which faster motion ends the calm, relative to the rate at which it grows.
const STIRRING: f32 = 3.0;
/// Distance within which bodies stay while they are still, and the time after which they sleep.
const STILL: f32 = 0.01;
const SLEEP_SECS: f32 = 0.5;
/// Time constant in which a joint that started beyond its limit returns to it.
const SLACK_SECS: f32 = 0.3;

/// Joint of a body with its parent, as it was at the start.
#[derive(Clone, Copy, Debug)]
pub(super) struct Joint {
    bodies: [usize; 2],
    /// Place of the joint in the spaces of both bodies.
    ends: [Vec3; 2],
    /// Angles by which the limits are exceeded at the start. They vanish in time.
    slack: [f32; 2],
    /// Sine and cosine of half the limits of swing and twist.
    swing: (f32, f32),
    twist: (f32, f32),
    /// Direction in which each exceeded limit turns the body back, and the rate at which it turned so before.
    stops: [Option<(Vec3, f32)>; 2],
}

/// Two bodies that touch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contact {
    bodies: [usize; 2],
    arms: [Vec3; 2],
    /// From the first body to the second.
    normal: Vec3,
    /// Speed at which the second moved away from the first.
    parting: f32,
}

impl Ragdoll {
    /// Moves every body by one step. `share` is the time of the step between the last frame and this one.
    pub(super) fn step(&self, state: &mut RagdollState, share: f32) {
        let secs = STEP_SECS as f32 / PARTS as f32;
        for body in &mut state.bodies {
            body.step_before = body.now;
        }
        self.find_near_pairs(state);
        for nth in 1..=PARTS {
            self.move_bodies(state, share, nth, secs);
            for (part, joint) in self.bodies.iter().zip(&mut state.joints) {
                joint.slacken(part, secs);
                joint.stops = [None; 2];
            }
            // Contacts move bodies last, so that none sinks. A second round keeps limbs within limits that lie below
            // others.
            for _ in 0..ROUNDS {
                for (part, joint) in self.bodies.iter().zip(&mut state.joints) {
                    if part.parent.is_some() {
                        joint.limit(part, &mut state.bodies, secs);
                        joint.hold(&mut state.bodies);
                    }
                }
            }
            self.touch(state, secs);
            for body in &mut state.bodies {
                body.measure(secs);
            }
            for contact in &state.contacts {
                contact.calm(&mut state.bodies, 1.0 - ROLLING * secs);
            }
            let kept = 1.0 - (state.damping * secs).min(1.0);
            for (part, joint) in self.bodies.iter().zip(&state.joints) {
                if part.parent.is_some() {
                    joint.damp(&mut state.bodies, kept);
                }
            }
        }
        self.rest(state);
    }

    /// Finds the pairs that may touch in this step, by their distance and their speeds.
    fn find_near_pairs(&self, state: &mut RagdollState) {
        let RagdollState { bodies, near_pairs, .. } = state;
        near_pairs.clear();
        for &[a, b] in &self.pairs {
            if bodies[a].inverse_mass == 0.0 && bodies[b].inverse_mass == 0.0 {
                continue;
            }
            let reaches = [a, b].map(|body| self.bodies[body].shape.reach());
            let speed =
                |body: usize, reach: f32| bodies[body].speed.length() + bodies[body].spin.length() * reach;
            let speeds = speed(a, reaches[0]) + speed(b, reaches[1]);
            let near = NEAR + FASTER * speeds * STEP_SECS as f32;
            let far = reaches[0] + reaches[1] + near;
            if bodies[a].now.center.distance_squared(bodies[b].now.center) > far * far {
                continue;
            }
            let [first, second] = [a, b].map(|body| self.placed(body, &bodies[body]));
            let [on_first, on_second] = first.nearest_points(&second);
            if on_first.distance(on_second) < first.shape.radius + second.shape.radius + near {
                near_pairs.push([a, b]);
            }
        }
    }

    fn placed<'a>(&'a self, index: usize, body: &'a Body) -> Placed<'a> {
        Placed { shape: &self.bodies[index].shape, center: body.now.center, axes: &body.axes }
    }

    /// Moves all bodies by a part of a step, as if there were no constraints.
    fn move_bodies(&self, state: &mut RagdollState, share: f32, nth: usize, secs: f32) {
        let calming = state.calm_secs * CALMING;
        let kept = DRAG.map(|drag| 1.0 - ((drag + calming) * secs).min(1.0));
        let part_share = nth as f32 / PARTS as f32;
        let [before, now] = &state.animated;
        for index in 0..self.bodies.len() {
            let body = &mut state.bodies[index];
            if body.inverse_mass > 0.0 {
                body.fly(state.gravity, kept, secs);
            } else {
                let target = Place::between(&before[index], &now[index], share);
                let place = Place::between(&body.step_before, &target, part_share);
                (body.before, body.axes_before) = (body.now, body.axes);
                body.set(&place);
                body.measure(secs);
            }
        }
    }

    /// Finds all contacts, and moves bodies apart.
    fn touch(&self, state: &mut RagdollState, secs: f32) {
        let RagdollState { bodies, tips, contacts, near_pairs, ground, friction, .. } = state;
        contacts.clear();
        let most = MOST_PUSH * secs;
        let mut touch =
            |bodies: &mut [Body], pair: [usize; 2], points: [Vec3; 2], normal: Vec3, depth: f32| {
                let arms = [points[0] - bodies[pair[0]].now.center, points[1] - bodies[pair[1]].now.center];
                let [first, second] = pair.map(|body| &bodies[body]);
                let parting = (second.speed_at(arms[1]) - first.speed_at(arms[0])).dot(normal);
                contacts.push(Contact { bodies: pair, arms, normal, parting });
                let pressure = close(bodies, pair, arms, normal * -depth.min(most), f32::INFINITY);
                let [first, second] = pair.map(|body| &bodies[body]);
                let way = second.way_of(arms[1]) - first.way_of(arms[0]);
                close(bodies, pair, arms, way - normal * way.dot(normal), pressure * *friction);
            };
        if let Some((normal, height)) = *ground {
            for (index, part) in self.bodies.iter().enumerate() {
                if bodies[index].inverse_mass == 0.0 {
                    continue;
                }
                let (corners, count) = part.shape.corners();
                for corner in &corners[..count] {
                    let lowest =
                        bodies[index].now.center + bodies[index].axes * *corner - normal * part.shape.radius;
                    let depth = height - lowest.dot(normal);
                    if depth > 0.0 {
                        touch(bodies, [self.bodies.len(), index], [lowest; 2], normal, depth);
                    }
                }
            }
            for &(index, tip) in tips.iter() {
                let lowest = bodies[index].now.center + bodies[index].axes * tip;
                let depth = height - lowest.dot(normal);
                if depth > 0.0 && bodies[index].inverse_mass > 0.0 {
                    touch(bodies, [self.bodies.len(), index], [lowest; 2], normal, depth);
                }
            }
        }
        for &[a, b] in near_pairs.iter() {
            let [first, second] = [a, b].map(|body| self.placed(body, &bodies[body]));
            let radii = first.shape.radius + second.shape.radius;
            let [on_first, on_second] = first.nearest_points(&second);
            let way = on_second - on_first;
            let distance = way.length();
            if distance < radii
                && let Some(normal) = way.try_normalize().or((second.center - first.center).try_normalize())
            {
                let points =
                    [on_first + normal * first.shape.radius, on_second - normal * second.shape.radius];
                touch(bodies, [a, b], points, normal, radii - distance);
            }
        }
    }

    /// Finds out whether the bodies move, and lets them sleep if they have stayed near one place for some time.
    fn rest(&self, state: &mut RagdollState) {
        let (mut moved, mut strayed, mut is_finite) = (0.0_f32, 0.0_f32, true);
        for (index, part) in self.bodies.iter().enumerate() {
            let body = &state.bodies[index];
            is_finite &= body.now.is_finite() && body.speed.is_finite() && body.spin.is_finite();
            if body.inverse_mass > 0.0 {
                let reach = part.shape.reach();
                moved = moved.max(body.now.distance(&body.step_before, reach));
                strayed = strayed.max(body.now.distance(&state.places[index], reach));
            }
        }
        let step_secs = STEP_SECS as f32;
        state.awake_secs += step_secs;
        let calm = CALM * (1.0 + (state.awake_secs - TIRED_SECS).max(0.0));
        let is_calm = moved < calm * step_secs;
        let change = if is_calm { step_secs } else { -STIRRING * step_secs };
        state.calm_secs = (state.calm_secs + change).max(0.0);
        state.still_secs += step_secs;
        if strayed > STILL * (1.0 + state.calm_secs) {
            state.still_secs = 0.0;
            for (place, body) in state.places.iter_mut().zip(&state.bodies) {
                *place = body.now;
            }
        }
        let [before, now] = &state.animated;
        let is_still = state.still_secs > SLEEP_SECS || (is_calm && state.awake_secs > MOST_AWAKE_SECS);
        state.is_asleep = !is_finite || (is_still && before == now);
        if state.is_asleep {
            for body in &mut state.bodies {
                if is_finite {
                    body.step_before = body.now;
                } else {
                    // Numbers have become too large: the last step counts as the end.
                    body.set(&body.step_before.clone());
                }
                (body.speed, body.spin) = (Vec3::ZERO, Vec3::ZERO);
            }
        }
    }
}

impl Joint {
    /// Joins two bodies at a point, where they are.
    pub(super) fn new(part: &RagdollBody, bodies: [usize; 2], all: &[Body], at: Vec3) -> Self {
        let end = |body: usize| all[body].axes.transpose() * (at - all[body].now.center);
        let mut joint = Self {
            bodies,
            ends: bodies.map(end),
            slack: [0.0; 2],
            swing: sin_cos(part.swing_radians * 0.5),
            twist: sin_cos(part.twist_radians * 0.5),
            stops: [None; 2],
        };
        let (_, swing, _, twist) = joint.angles(part, all);
        joint.slack = [(swing - part.swing_radians).max(0.0), (twist.abs() - part.twist_radians).max(0.0)];
        joint
    }

    pub(super) fn ends(&self, all: &[Body]) -> [Vec3; 2] {
        [0, 1].map(|nth| {
            let body = &all[self.bodies[nth]];
            body.now.center + body.axes * self.ends[nth]
        })
    }

    /// Narrows the limits to those of the part, in time.
    fn slacken(&mut self, part: &RagdollBody, secs: f32) {
        if self.slack != [0.0; 2] {
            let kept = 1.0 - secs / SLACK_SECS;
            self.slack = self.slack.map(|slack| if slack > 1e-3 { slack * kept } else { 0.0 });
            let [swing, twist] = self.slack;
            self.swing = sin_cos((part.swing_radians + swing) * 0.5);
            self.twist = sin_cos((part.twist_radians + twist) * 0.5);
        }
    }

    /// Splits the rotation of the joint from the middle of its range: twist about the axis first, then swing.
    ///
    /// Returns the axes of both in the world, and the angles if they exceed the limits, otherwise 0.
    fn angles(&self, part: &RagdollBody, all: &[Body]) -> (Vec3, f32, Vec3, f32) {
        let [parent, body] = self.bodies.map(|body| &all[body]);
        let middle = turn::product(parent.now.rotation, part.parent_from_body);
        let mut turned = turn::product(turn::inverse(middle), body.now.rotation);
        if turned.w < 0.0 {
            turned = -turned;
        }
        let along = Vec3::new(turned.x, turned.y, turned.z).dot(part.axis);
        let length = (along * along + turned.w * turned.w).sqrt();
        // A swing by a half turn has no certain twist.
        let (sine, cosine) = if length > 1e-3 { (along / length, turned.w / length) } else { (0.0, 1.0) };
        let swing = turn::product(turned, turn::inverse(turn::about(part.axis, (sine, cosine))));
        let sideways = Vec3::new(swing.x, swing.y, swing.z);
        let (mut swing_angle, mut twist_angle) = (0.0, 0.0);
        if length < self.swing.1 || self.swing.0 == 0.0 {
            swing_angle = 2.0 * angle_of(sideways.length().into(), length.into()) as f32;
        }
        if sine.abs() > self.twist.0 {
            twist_angle = 2.0 * angle_of(sine.into(), cosine.into()) as f32;
        }
        let swing_axis = Mat3::from_quat(turn::unit(middle)) * sideways.normalize_or_zero();
        (swing_axis, swing_angle, body.axes * part.axis, twist_angle)
    }

    /// Turns both bodies so that the joint is within its limits.
    fn limit(&mut self, part: &RagdollBody, all: &mut [Body], secs: f32) {
        let (swing_axis, swing, twist_axis, twist) = self.angles(part, all);
        let backwards = [-swing_axis, twist_axis * -twist.signum()];
        let excess =
            [swing - part.swing_radians - self.slack[0], twist.abs() - part.twist_radians - self.slack[1]];
        for nth in 0..2 {
            if excess[nth] > 0.0 {
                self.stops[nth] = Some((backwards[nth], self.spin(all).dot(backwards[nth])));
                self.turn(all, backwards[nth], excess[nth].min(MOST_TURN * secs));
            }
        }
    }

    /// Returns the spin of the body relative to its parent.
    fn spin(&self, all: &[Body]) -> Vec3 {
        all[self.bodies[1]].spin - all[self.bodies[0]].spin
    }

    /// Turns the body by an angle about an axis through the joint, relative to its parent.
    fn turn(&self, all: &mut [Body], axis: Vec3, angle: f32) {
        if angle == 0.0 {
            return;
        }
        let moves = self.turning(all, axis);
        for (body, (turn, way)) in self.bodies.into_iter().zip(moves) {
            all[body].rotate(axis * (turn * angle));
            all[body].now.center += way * angle;
        }
    }

    /// Returns how parent and body turn about an axis through the joint, and how their centers move, for an angle of 1
    /// between them. Both momenta are kept, and the joint stays joined.
    ///
    /// Let α and β be the angles of the body and of its parent, c and p the ways from their centers to the joint
    /// across the axis, and μ their reduced mass. The angular momentum is then
    /// `α·(I + μ·(c² − c·p)) − β·(J + μ·(p² − c·p)) = 0`, and `α + β = 1`.
    fn turning(&self, all: &[Body], axis: Vec3) -> [(f32, Vec3); 2] {
        let [parent, body] = self.bodies.map(|body| &all[body]);
        let across = |arm: Vec3| arm - axis * arm.dot(axis);
        let (p, c) = (across(parent.axes * self.ends[0]), across(body.axes * self.ends[1]));
        let weights = parent.inverse_mass + body.inverse_mass;
        if parent.inverse_mass == 0.0 || weights == 0.0 {
            let turns = body.inverse_mass > 0.0;
            return [(0.0, Vec3::ZERO), if turns { (1.0, c.cross(axis)) } else { (0.0, Vec3::ZERO) }];
        }
        let reduced = 1.0 / weights;
        let of_body = body.inertia_about(axis) + reduced * (c.dot(c) - c.dot(p));
        let of_parent = parent.inertia_about(axis) + reduced * (p.dot(p) - c.dot(p));
        let alpha = of_parent / (of_body + of_parent);
        let beta = 1.0 - alpha;
        let ways = [axis.cross(p) * beta, c.cross(axis) * alpha];
        // The center of both stays in its place.
        let shift = (ways[0] * body.inverse_mass + ways[1] * parent.inverse_mass) / weights;
        [(-beta, ways[0] - shift), (alpha, ways[1] - shift)]
    }

    /// Moves both bodies so that they meet at the joint.
    fn hold(&self, all: &mut [Body]) {
        let [parent, body] = self.bodies;
        let arms = [all[parent].axes * self.ends[0], all[body].axes * self.ends[1]];
        let gap = (all[body].now.center + arms[1]) - (all[parent].now.center + arms[0]);
        close(all, self.bodies, arms, gap, f32::INFINITY);
    }

    /// Stops the rotation at limits, from where the joint would bounce otherwise, and slows it.
    fn damp(&self, all: &mut [Body], kept: f32) {
        for (way, before) in self.stops.into_iter().flatten() {
            let speed = self.spin(all).dot(way);
            self.spin_up(all, way, speed.max(0.0).min(before.max(0.0)) - speed);
        }
        let spin = self.spin(all);
        if let Some(axis) = spin.try_normalize() {
            self.spin_up(all, axis, spin.length() * (kept - 1.0));
        }
    }

    /// Changes the spin of the body relative to its parent.
    fn spin_up(&self, all: &mut [Body], axis: Vec3, change: f32) {
        if change == 0.0 {
            return;
        }
        let moves = self.turning(all, axis);
        for (body, (turn, way)) in self.bodies.into_iter().zip(moves) {
            all[body].spin += axis * (turn * change);
            all[body].speed += way * change;
        }
    }
}

impl Contact {
    /// Stops bodies that have been moved apart, which would bounce otherwise, and slows those that roll.
    fn calm(&self, all: &mut [Body], kept: f32) {
        let Self { bodies: [first, second], arms, normal, parting } = *self;
        let speed = (all[second].speed_at(arms[1]) - all[first].speed_at(arms[0])).dot(normal);
        let change = speed.max(0.0).min(parting.max(0.0)) - speed;
        let give = all[first].give(arms[0], normal) + all[second].give(arms[1], normal);
        if change != 0.0 && give > 0.0 {
            let impulse = normal * (change / give);
            all[first].hit(arms[0], -impulse);
            all[second].hit(arms[1], impulse);
        }
        let ground = all.len() - 1;
        if first == ground {
            all[second].spin *= kept;
        }
    }
}

/// Moves two points of bodies so that the gap between them closes, by an impulse up to a limit. Returns the impulse.
fn close(all: &mut [Body], [first, second]: [usize; 2], arms: [Vec3; 2], gap: Vec3, most: f32) -> f32 {
    let distance = gap.length();
    let way = gap / distance;
    let give = all[first].give(arms[0], way) + all[second].give(arms[1], way);
    if distance < 1e-9 || give <= 0.0 {
        return 0.0;
    }
    let size = (distance / give).min(most);
    all[first].pull(arms[0], way * size);
    all[second].pull(arms[1], way * -size);
    size
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Quat;

    /// Numbers from −1 to 1.
    fn roll(seed: &mut u32) -> f32 {
        *seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (*seed >> 8) as f32 / (1 << 23) as f32 - 1.0
    }

    fn vector(seed: &mut u32) -> Vec3 {
        Vec3::new(roll(seed), roll(seed), roll(seed))
    }

    fn body(seed: &mut u32) -> Body {
        let rotation = Quat::from_axis_angle(vector(seed).normalize(), roll(seed) * 3.0);
        let mut body = Body::at(Place { center: vector(seed), rotation });
        body.inverse_mass = 1.0 / (1.2 + roll(seed));
        // Bodies whose inertia is equal about all axes: the formula leaves out what turns about other axes.
        body.inverse_inertia = Vec3::splat(3.0 + 2.0 * roll(seed));
        body
    }

    #[test]
    fn turning_a_joint_keeps_both_momenta_and_the_joint() {
        let mut seed = 5;
        for driven in [false, true] {
            for _ in 0..100 {
                let mut all = [body(&mut seed), body(&mut seed)];
                if driven {
                    (all[0].inverse_mass, all[0].inverse_inertia) = (0.0, Vec3::ZERO);
                }
                let axis = vector(&mut seed).normalize();
                // Joints whose arms are across the axis, as in a flat drawing.
                let flat = |way: Vec3| way - axis * way.dot(axis);
                all[1].now.center = all[0].now.center + flat(all[1].now.center - all[0].now.center);
                let at = all[0].now.center + flat(vector(&mut seed));
                let ends = [0, 1].map(|nth: usize| all[nth].axes.transpose() * (at - all[nth].now.center));
                let none = (0.0, 1.0);
                let joint = Joint {
                    bodies: [0, 1],
                    ends,
                    slack: [0.0; 2],
                    swing: none,
                    twist: none,
                    stops: [None; 2],
                };
                let [(turn, way), (other_turn, other_way)] = joint.turning(&all, axis);
                assert!((other_turn - turn - 1.0).abs() < 1e-5);
                let at_joint =
                    |nth: usize, turn: f32, way: Vec3| way + axis.cross(at - all[nth].now.center) * turn;
                let apart = at_joint(0, turn, way).distance(at_joint(1, other_turn, other_way));
                assert!(apart < 1e-4, "{apart}");
                if driven {
                    assert_eq!((turn, way), (0.0, Vec3::ZERO));
                    continue;
                }
                let [mass, other_mass] = all.map(|body| 1.0 / body.inverse_mass);
                assert!((way * mass + other_way * other_mass).length() < 1e-4);
                let spin = |nth: usize, turn: f32, way: Vec3, mass: f32| {
                    axis * (turn / all[nth].inverse_inertia.x) + all[nth].now.center.cross(way * mass)
                };
                let sum = spin(0, turn, way, mass) + spin(1, other_turn, other_way, other_mass);
                assert!(sum.length() < 2e-3, "{sum}");
            }
        }
    }
}
