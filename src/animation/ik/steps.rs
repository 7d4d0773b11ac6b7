//! The iterations of the chain solvers, on the nodes of one chain.
//!
//! A joint is rotated in the space of its parent. There, everything below the joint moves rigidly, however its parents
//! are scaled or mirrored.
use super::chain::{Joint, MOST_GOALS};
use super::rotation_of;
use crate::model::Srt;
use glam::{Affine3A, Mat3, Quat, Vec3};

/// Largest number of unknowns of the least squares: three for each goal.
const UNKNOWNS: usize = 3 * MOST_GOALS;

/// Goal of a joint of the chain, by index. All lengths are those of model space.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Goal {
    pub(super) joint: usize,
    pub(super) target: Vec3,
    pub(super) weight: f32,
}

/// State of a node of the chain.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Link {
    /// What the last solve added to the animated rotation.
    pub(super) turn: Quat,
    /// The turn before time last passed, and what was left of it, from which the last solve started.
    pub(super) before: Quat,
    pub(super) start: Quat,
    /// Current transform.
    pub(super) srt: Srt,
    model_from_joint: Affine3A,
    /// Distance from the node above, and the place that FABRIK moves.
    length: f32,
    moved: Vec3,
}

/// A chain during a solve.
pub(super) struct Work<'a> {
    model_from_parent: Affine3A,
    joints: &'a [Joint],
    pub(super) links: &'a mut [Link],
}

/// A point below a joint and the target that it is to come to, both from the joint and in the space of its parent.
#[derive(Clone, Copy, Debug, Default)]
struct Pull {
    from: Vec3,
    to: Vec3,
    weight: f32,
}

impl<'a> Work<'a> {
    /// Resolves the links, whose local transforms have been set.
    pub(super) fn new(model_from_parent: Affine3A, joints: &'a [Joint], links: &'a mut [Link]) -> Self {
        let mut work = Self { model_from_parent, joints, links };
        work.resolve_from(0);
        for index in 1..work.links.len() {
            work.links[index].length = work.place(index - 1).distance(work.place(index));
        }
        work
    }

    pub(super) fn resolve_from(&mut self, first: usize) {
        (first..self.links.len()).for_each(|index| self.resolve(index));
    }

    fn resolve(&mut self, index: usize) {
        self.links[index].model_from_joint = self.parent(index) * self.links[index].srt.parent_from_node();
    }

    pub(super) fn place(&self, joint: usize) -> Vec3 {
        self.links[joint].model_from_joint.translation.into()
    }

    fn parent(&self, joint: usize) -> Affine3A {
        joint.checked_sub(1).map_or(self.model_from_parent, |above| self.links[above].model_from_joint)
    }

    #[inline(never)]
    fn parent_from_model(&self, joint: usize) -> Affine3A {
        self.parent(joint).inverse()
    }

    /// Returns the length of the straight chain from its root to a joint.
    pub(super) fn length_to(&self, joint: usize) -> f32 {
        self.links[1..=joint].iter().map(|link| link.length).sum()
    }

    /// Returns the greatest distance from a goal.
    pub(super) fn error(&self, goals: &[Goal]) -> f32 {
        let errors = goals.iter().map(|goal| self.place(goal.joint).distance(goal.target));
        errors.fold(0.0, f32::max)
    }

    /// Returns the distance from a goal that chains without limits can't avoid: it is too far away, or too near for a
    /// chain with a part that is longer than the others together.
    pub(super) fn least_error(&self, goal: &Goal) -> f32 {
        let away = self.place(0).distance(goal.target);
        let length = self.length_to(goal.joint);
        (away - length).max(2.0 * self.longest(goal) - length - away).max(0.0)
    }

    /// Returns the length of the longest part of the chain down to a goal's joint.
    fn longest(&self, goal: &Goal) -> f32 {
        self.links[1..=goal.joint].iter().map(|link| link.length).fold(0.0, f32::max)
    }

    /// Returns whether the chain is straight and longer than the distance to a goal.
    pub(super) fn is_straight_past(&self, goal: &Goal) -> bool {
        let straight = self.length_to(goal.joint) * (1.0 - 1e-5);
        self.place(0).distance(self.place(goal.joint)) >= straight
            && self.place(0).distance(goal.target) < straight
    }

    /// Brings the goal's joint as near as possible to a goal out of reach: all parts point to it. If it is too near,
    /// only the longest part does, and the others point back.
    pub(super) fn point_at(&mut self, goal: &Goal) {
        let way = goal.target - self.place(0);
        let Some(ahead) = way.try_normalize() else { return };
        let is_near = way.length() < self.length_to(goal.joint);
        let longest = self.longest(goal);
        for index in 0..goal.joint {
            let length = self.links[index + 1].length;
            let along = if is_near && length < longest { -length } else { length };
            self.resolve(index);
            self.pull_next(index, self.place(index) + ahead * along);
        }
        self.resolve_from(goal.joint);
    }

    /// Bends every joint a little.
    pub(super) fn bend(&mut self) {
        for index in 0..self.links.len() - 1 {
            let rotation = self.links[index].srt.rotation;
            let along = rotation * self.links[index + 1].srt.translation;
            let axis = along.try_normalize().map_or(Vec3::X, |along| along.any_orthonormal_vector());
            let axis = self.joints[index].limit.and_then(|limit| limit.hinge(rotation)).unwrap_or(axis);
            // A hinge may be at one end of its range.
            for sine in [0.05, -0.05] {
                let bent = self.joints[index]
                    .limited(Quat::from_vec4((axis * sine).extend(1.0)).normalize() * rotation);
                if bent.dot(rotation).abs() < 0.9999 {
                    self.links[index].srt.rotation = bent;
                    break;
                }
            }
        }
        self.resolve_from(0);
    }

    /// Gives the tip a rotation in model space.
    pub(super) fn turn_tip(&mut self, rotation_in_model: Quat) {
        let tip = self.links.len() - 1;
        let rotation = (rotation_of(&self.parent(tip)).inverse() * rotation_in_model).normalize();
        if rotation.is_finite() {
            self.links[tip].srt.rotation = self.joints[tip].limited(rotation);
        }
    }

    /// Cyclic coordinate descent: turns one joint after another, from the tip to the root.
    pub(super) fn descend(&mut self, goals: &[Goal]) {
        let mut reached = [Vec3::ZERO; MOST_GOALS];
        for (place, goal) in reached.iter_mut().zip(goals) {
            *place = self.place(goal.joint);
        }
        for index in (0..self.links.len() - 1).rev() {
            let parent = self.parent(index);
            let parent_from_model = self.parent_from_model(index);
            let joint = self.links[index].srt.translation;
            let mut pulls = [Pull::default(); MOST_GOALS];
            for ((pull, goal), place) in pulls.iter_mut().zip(goals).zip(&reached) {
                if goal.joint > index {
                    let [from, to] =
                        [*place, goal.target].map(|point| parent_from_model.transform_point3(point) - joint);
                    *pull = Pull { from, to, weight: goal.weight };
                }
            }
            let turn = self.pull(index, &pulls[..goals.len()]);
            for ((pull, goal), place) in pulls.iter().zip(goals).zip(&mut reached) {
                if goal.joint > index {
                    *place = parent.transform_point3(joint + turn * pull.from);
                }
            }
        }
        self.resolve_from(0);
    }

    /// FABRIK: moves the places from the tip to the root, then turns the joints from the root to the tip.
    pub(super) fn reach_back_and_forth(&mut self, goals: &[Goal]) {
        let last = goals.iter().map(|goal| goal.joint).max().unwrap_or(0);
        let mut weight_below = 0.0;
        for index in (1..=last).rev() {
            let mut moved = self.place(index);
            if index < last {
                let (below, next) = (self.links[index + 1].moved, self.links[index + 1].length);
                moved = below + (moved - below).normalize_or_zero() * next;
            }
            for goal in goals.iter().filter(|goal| goal.joint == index) {
                weight_below += goal.weight;
                moved = moved.lerp(goal.target, goal.weight / weight_below);
            }
            self.links[index].moved = moved;
        }
        for index in 0..last {
            self.resolve(index);
            self.pull_next(index, self.links[index + 1].moved);
        }
        self.resolve_from(last);
    }

    /// Damped least squares: turns all joints together, by the least turns that bring the goals nearer.
    pub(super) fn turn_together(&mut self, goals: &[Goal]) {
        let size = 3 * goals.len();
        let mut system = [[0.0; UNKNOWNS + 1]; UNKNOWNS];
        let mut moves = [Mat3::ZERO; MOST_GOALS];
        for index in 0..self.links.len() - 1 {
            self.moves_into(index, goals, &mut moves);
            for cell in 0..size * size {
                let (row, column) = (cell / size, cell % size);
                let (of_row, of_column) = (moves[row / 3].row(row % 3), moves[column / 3].row(column % 3));
                system[row][column] += of_row.dot(of_column);
            }
        }
        // A step is short enough for small turns to add up as vectors do. Damping in proportion to it makes it safe
        // where the chain is nearly straight, and the last steps still converge quickly.
        let length = self.length_to(self.links.len() - 1);
        let mut longest = 0.0_f32;
        for (rows, goal) in system.chunks_exact_mut(3).zip(goals) {
            let way = (goal.target - self.place(goal.joint)).clamp_length_max(length * 0.4) * goal.weight;
            longest = longest.max(way.length());
            for (row, way) in rows.iter_mut().zip(way.to_array()) {
                row[size] = way;
            }
        }
        let damping = (0.1 * longest + 1e-7 * length) * length;
        for (index, row) in system[..size].iter_mut().enumerate() {
            row[index] += damping;
        }
        if !solve(&mut system[..size]) {
            return;
        }
        for index in 0..self.links.len() - 1 {
            self.moves_into(index, goals, &mut moves);
            let mut turn = Vec3::ZERO;
            for (row, solved) in system[..size].iter().enumerate() {
                turn += moves[row / 3].row(row % 3) * solved[size];
            }
            let rotation = self.links[index].srt.rotation;
            let turned = (Quat::from_vec4((turn * 0.5).extend(1.0)) * rotation).normalize();
            if turned.is_finite() {
                self.links[index].srt.rotation = self.joints[index].limited(turned);
            }
        }
        self.resolve_from(0);
    }

    /// Writes how a small rotation of a joint, in the space of its parent, moves each goal's joint in model space,
    /// times the goal's weight. A hinge's part across its axis is 0.
    fn moves_into(&self, index: usize, goals: &[Goal], moves: &mut [Mat3; MOST_GOALS]) {
        let parent = self.parent(index);
        let parent_from_model = self.parent_from_model(index);
        let Srt { rotation, translation, .. } = self.links[index].srt;
        let hinge = self.joints[index].limit.and_then(|limit| limit.hinge(rotation));
        for (moves, goal) in moves.iter_mut().zip(goals) {
            let from = parent_from_model.transform_point3(self.place(goal.joint)) - translation;
            let moved = |axis: Vec3| parent.transform_vector3(axis.cross(from)) * goal.weight;
            *moves = match hinge {
                _ if goal.joint <= index || !from.is_finite() => Mat3::ZERO,
                Some(axis) => {
                    let moved = moved(axis);
                    Mat3::from_cols(moved * axis.x, moved * axis.y, moved * axis.z)
                }
                None => Mat3::from_cols(moved(Vec3::X), moved(Vec3::Y), moved(Vec3::Z)),
            };
        }
    }

    /// Turns a resolved joint so that the next one comes to a point in model space, and resolves it again.
    fn pull_next(&mut self, index: usize, target: Vec3) {
        let parent_from_model = self.parent_from_model(index);
        let Srt { translation, .. } = self.links[index].srt;
        let next = self.links[index].model_from_joint.transform_point3(self.links[index + 1].srt.translation);
        let [from, to] = [next, target].map(|point| parent_from_model.transform_point3(point) - translation);
        self.pull(index, &[Pull { from, to, weight: 1.0 }]);
        self.resolve(index);
    }

    /// Turns a joint so that the sum of the squared distances to the targets is least, and returns the rotation in the
    /// space of its parent.
    fn pull(&mut self, index: usize, pulls: &[Pull]) -> Quat {
        let joint = &self.joints[index];
        let rotation = self.links[index].srt.rotation;
        let cross: Vec3 = pulls.iter().map(|pull| pull.from.cross(pull.to) * pull.weight).sum();
        let hinge = joint.limit.and_then(|limit| limit.hinge(rotation));
        let Some(axis) = hinge.or_else(|| cross.try_normalize()) else { return Quat::IDENTITY };
        let cosines = pulls
            .iter()
            .map(|Pull { from, to, weight }| (from.dot(*to) - axis.dot(*from) * axis.dot(*to)) * weight);
        let (sine, cosine) = (axis.dot(cross), cosines.sum::<f32>());
        // Half of the angle with this sine and cosine, which have a common factor.
        let half = Quat::from_vec4((axis * sine).extend(cosine + (sine * sine + cosine * cosine).sqrt()));
        let turned = joint.limited((half.normalize() * rotation).normalize());
        if !turned.is_finite() {
            return Quat::IDENTITY;
        }
        self.links[index].srt.rotation = turned;
        turned * rotation.inverse()
    }
}

/// Solves a positive definite system by elimination, in place. The right side is the column after the last unknown.
/// Returns false if the system has no solution.
fn solve(system: &mut [[f32; UNKNOWNS + 1]]) -> bool {
    for pivot in 0..system.len() {
        let mut row = system[pivot];
        let scale = row[pivot];
        if scale.is_nan() || scale <= 0.0 {
            return false;
        }
        row.iter_mut().for_each(|cell| *cell /= scale);
        for other in system.iter_mut() {
            let factor = other[pivot];
            other.iter_mut().zip(&row).for_each(|(cell, share)| *cell -= factor * share);
        }
        system[pivot] = row;
    }
    true
}
