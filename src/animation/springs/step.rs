//! One step of the simulation.
use super::shapes::Shape;
use super::{Buffers, Joint, STEP_SECS, SpringInput, SpringSolver, SpringState};
use crate::animation::turn;
use glam::{Affine3A, Quat, Vec3, Vec3A};

/// Share of its length by which an end has to move in a step for the spring to be in motion. Less isn't visible.
const STILL: f32 = 1e-5;

/// What a joint depends on in a step, in model space.
struct Moment<'a> {
    /// Transform of the joint before the spring rotates it, without its scale.
    model_from_joint: Affine3A,
    scale: Vec3,
    /// Place where the last step has left the end, before any joint above has moved.
    end_before: Vec3,
    /// Distance by which gravity and wind move the end.
    force: Vec3,
    /// Movement of what the inertia is relative to.
    carried: Option<Affine3A>,
    colliders: &'a [usize],
    shapes: &'a [Shape],
}

impl SpringSolver {
    /// Moves every joint by one step. `share` is the time of the step between the last frame and this one. Returns
    /// whether anything has moved.
    pub(super) fn step(&mut self, state: &mut SpringState, input: &SpringInput, share: f32) -> bool {
        let SpringInput { world_from_model, wind, .. } = input;
        self.pose(state, share);
        self.carry(state, world_from_model);
        let Self { joints, springs, colliders, frames, buffers, .. } = self;
        let Buffers { animated, scales, posed, shapes, carried } = buffers;
        shapes.clear();
        shapes.extend(colliders.iter().map(|(frame, shape)| Shape::new(shape, &posed[*frame])));
        // Forces keep their strength in model space, whatever the scale of the character.
        let axes = world_from_model.matrix3;
        let along = |axis: Vec3A, force: Vec3| Vec3::from(axis).normalize_or_zero().dot(force);
        let mut has_moved = false;
        for (index, joint) in joints.iter().enumerate() {
            let mut model_from_joint = between(&state.animated[index], &animated[index], share);
            if let Some(above) = frames[index].joint_above {
                model_from_joint = posed[above] * model_from_joint;
            }
            let force = joint.gravity + *wind * STEP_SECS as f32;
            let moment = Moment {
                model_from_joint,
                scale: scales[index],
                end_before: posed[index].transform_point3(joint.end),
                force: Vec3::new(
                    along(axes.x_axis, force),
                    along(axes.y_axis, force),
                    along(axes.z_axis, force),
                ),
                carried: carried[joint.spring],
                colliders: &springs[joint.spring].colliders,
                shapes,
            };
            has_moved |= joint.swing(&moment, &mut state.ends[index]);
            let turn = joint.turn(&moment, state.ends[index][1]);
            state.turns[index] = [state.turns[index][1], turn];
            posed[index] = turned(&model_from_joint, turn, scales[index]);
        }
        has_moved
    }

    /// Computes `model_from_node` of every frame, with the joints as the last step has left them.
    pub(super) fn pose(&mut self, state: &SpringState, share: f32) {
        let Buffers { animated, scales, posed, .. } = &mut self.buffers;
        posed.clear();
        for (index, frame) in self.frames.iter().enumerate() {
            let mut model_from_node = between(&state.animated[index], &animated[index], share);
            if let Some(above) = frame.joint_above {
                model_from_node = posed[above] * model_from_node;
            }
            if let Some([_, turn]) = state.turns.get(index) {
                model_from_node = turned(&model_from_node, *turn, scales[index]);
            }
            posed.push(model_from_node);
        }
    }

    /// Computes the movement of what each spring is relative to, since the last step.
    fn carry(&mut self, state: &mut SpringState, world_from_model: &Affine3A) {
        let Buffers { posed, carried, .. } = &mut self.buffers;
        let usable = |movement: Affine3A| movement.is_finite().then_some(movement);
        let before = std::mem::replace(&mut state.worlds[1], *world_from_model);
        let by_world =
            if before == *world_from_model { None } else { usable(relative(&before, world_from_model)) };
        carried.clear();
        for (spring, before) in self.springs.iter().zip(&mut state.centers) {
            carried.push(match spring.center.map(|center| posed[center]) {
                Some(now) if now == *before => None,
                Some(now) => usable(now * std::mem::replace(before, now).inverse()),
                None => by_world,
            });
        }
    }
}

impl Joint {
    /// Moves the end by one step: inertia, stiffness, forces, then colliders. `before` and `now` are its places in the
    /// last two steps. Returns whether it has moved.
    fn swing(&self, moment: &Moment<'_>, [before, now]: &mut [Vec3; 2]) -> bool {
        let origin = Vec3::from(moment.model_from_joint.translation);
        let to_rest = moment.model_from_joint.transform_vector3(moment.scale * self.end);
        let mut length = to_rest.length();
        if self.ends_at_node {
            // three-vrm, for which files are made, measures the length to the place before joints above have moved.
            length = moment.end_before.distance(origin);
        }
        if let Some(carried) = moment.carried {
            (*before, *now) = (carried.transform_point3(*before), carried.transform_point3(*now));
        }
        // Keeps the distance from the joint. A point at the joint has no direction, and returns to rest.
        let within = |end: Vec3| origin + (end - origin).try_normalize().map_or(to_rest, |way| way * length);
        let mut next = *now + (*now - *before) * self.kept;
        next = within(next + to_rest.normalize_or_zero() * self.stiffness + moment.force);
        for &collider in moment.colliders {
            if let Some(push) = moment.shapes[collider].push(next, self.radius) {
                next = within(next + push);
            }
        }
        if !next.is_finite() || !now.is_finite() {
            // Numbers have become too large.
            (*before, *now) = (origin + to_rest, origin + to_rest);
            return false;
        }
        let has_moved = next.distance_squared(*now) > (length * STILL) * (length * STILL);
        (*before, *now) = (*now, next);
        has_moved
    }

    /// Returns the rotation in the joint's own space that points the joint at its end.
    fn turn(&self, moment: &Moment<'_>, end: Vec3) -> Quat {
        let Moment { model_from_joint, scale, .. } = moment;
        let way: Vec3 = model_from_joint.matrix3.inverse() * (end - Vec3::from(model_from_joint.translation));
        let (Some(from), Some(to)) = ((*scale * self.end).try_normalize(), way.try_normalize()) else {
            return Quat::IDENTITY;
        };
        turn::arc(from, to)
    }
}

#[inline(never)]
fn turned(model_from_joint: &Affine3A, turn: Quat, scale: Vec3) -> Affine3A {
    *model_from_joint * Affine3A::from_quat(turn) * Affine3A::from_scale(scale)
}

/// Interpolates between two transforms, element by element.
#[inline(never)]
pub(super) fn between(from: &Affine3A, to: &Affine3A, share: f32) -> Affine3A {
    if share >= 1.0 || from == to {
        return *to;
    }
    Affine3A {
        matrix3: from.matrix3 * (1.0 - share) + to.matrix3 * share,
        translation: from.translation.lerp(to.translation, share),
    }
}

/// Returns the movement of the world in model space, while `world_from_model` changes from `before` to `now`.
pub(super) fn relative(before: &Affine3A, now: &Affine3A) -> Affine3A {
    let model_from_world = now.matrix3.inverse();
    // The difference first: both places may be far from the origin.
    Affine3A {
        matrix3: model_from_world * before.matrix3,
        translation: model_from_world * (before.translation - now.translation),
    }
}
