//! Poses of two bodies at one time: that which lends, sampled, and that which borrows, computed from it.
use super::body::Body;
use super::plan::{Limb, Plan};
use crate::animation::ik::{arc, limb_turns, rotation_of};
use crate::animation::{ClipCursor, LocalPose, ModelPose};
use crate::model::humanoid::{Part, Role, Side};
use crate::model::{ClipIndex, NodeIndex, Srt};
use glam::{Affine3A, Quat, Vec3};

/// The pose of the body that lends its motion, in body space.
pub(super) struct Lent<'a> {
    body: &'a Body<'a>,
    plan: &'a Plan,
    local: LocalPose,
    model: ModelPose,
    cursor: ClipCursor,
    /// Rotation of each source from the reference pose.
    pub(super) turns: Vec<Quat>,
    /// Way of each source from its place below the source above, in the reference pose of that.
    pub(super) shifts: Vec<Vec3>,
}

impl<'a> Lent<'a> {
    pub(super) fn new(body: &'a Body<'a>, plan: &'a Plan) -> Self {
        Self {
            body,
            plan,
            local: LocalPose::rest(body.rig),
            model: ModelPose::new(body.rig),
            cursor: ClipCursor::default(),
            turns: vec![Quat::IDENTITY; plan.sources.len()],
            shifts: vec![Vec3::ZERO; plan.sources.len()],
        }
    }

    pub(super) fn sample(&mut self, clip: ClipIndex, time_secs: f32) {
        self.body.rig.sample_into(clip, time_secs, &mut self.cursor, &mut self.local);
        self.body.rig.resolve_into(&self.local, &mut self.model);
        let body_from_model = self.body.model_from_body.inverse();
        for (turn, source) in self.turns.iter_mut().zip(&self.plan.sources) {
            let rotation = rotation_of(&self.model.model_from_node(source.node));
            let turned = (body_from_model * rotation * source.from_reference).normalize();
            if turned.is_finite() {
                *turn = turned;
            }
        }
        for (index, source) in self.plan.sources.iter().enumerate() {
            let above = self.plan.sources[source.above].node;
            let way = self.place(source.node) - self.place(above);
            self.shifts[index] = self.turns[source.above].inverse() * way - source.way;
        }
    }

    pub(super) fn place(&self, node: NodeIndex) -> Vec3 {
        let place = self.body.in_body(self.model.model_from_node(node).translation.into());
        if place.is_finite() { place } else { Vec3::ZERO }
    }

    /// Returns the point between the hip joints.
    pub(super) fn hips(&self) -> Vec3 {
        let mut sum = Vec3::ZERO;
        for side in Side::BOTH {
            let leg = self.body.roles.node(Role::of(side, Part::UpperLeg));
            sum += leg.map_or(Vec3::ZERO, |leg| self.place(leg));
        }
        sum / 2.0
    }
}

/// The pose of the body that borrows motion.
pub(super) struct Borrowed<'a> {
    pub(super) body: &'a Body<'a>,
    pub(super) plan: &'a Plan,
    /// Rotations of the drives, in model space.
    rotations: Vec<Quat>,
    /// Shifts of the drives' nodes, in model space.
    shifts: Vec<Vec3>,
    /// Transforms of all nodes in model space.
    model: Vec<Affine3A>,
    /// Transform of each drive's node relative to its parent.
    pub(super) local: Vec<Srt>,
    hips_in_model: Vec3,
    /// For each node the drive that it has.
    drive_of: Vec<Option<u16>>,
    has_riders: bool,
}

impl<'a> Borrowed<'a> {
    pub(super) fn new(body: &'a Body<'a>, plan: &'a Plan) -> Self {
        let nodes = &body.rig.model().nodes;
        let mut drive_of = vec![None; nodes.len()];
        for (index, drive) in plan.drives.iter().enumerate() {
            drive_of[drive.node.get()] = Some(index as u16);
        }
        Self {
            body,
            plan,
            rotations: vec![Quat::IDENTITY; plan.drives.len()],
            shifts: vec![Vec3::ZERO; plan.drives.len()],
            model: body.bind.clone(),
            local: plan.drives.iter().map(|drive| nodes[drive.node.get()].rest).collect(),
            hips_in_model: Vec3::ZERO,
            drive_of,
            has_riders: plan.drives.iter().any(|drive| drive.rides.is_some()),
        }
    }

    /// Takes over a pose. `hips` is the point between the hip joints, in body space.
    pub(super) fn pose(&mut self, lent: &Lent, hips: Vec3) {
        let model_from_body = self.body.model_from_body;
        for (index, drive) in self.plan.drives.iter().enumerate() {
            let [from, to] = drive.from.map(|source| lent.turns[source]);
            let near = if from.dot(to) < 0.0 { -to } else { to };
            let mut turn = (from * (1.0 - drive.share) + near * drive.share).normalize();
            if let Some((way, source, size)) = drive.aim {
                turn *= arc(way, way + lent.shifts[source] * size);
            }
            self.rotations[index] = model_from_body * turn * drive.reference;
            let shift = drive.shift.map_or(Vec3::ZERO, |(source, size)| {
                let above = lent.turns[self.plan.sources[source].above];
                model_from_body * (above * lent.shifts[source] * size)
            });
            self.shifts[index] = if shift.is_finite() { shift } else { Vec3::ZERO };
        }
        let hips_node = self.plan.drives[self.plan.hips].node;
        let bind = self.body.bind[hips_node.get()];
        let turned = self.rotations[self.plan.hips] * rotation_of(&bind).inverse();
        self.hips_in_model = model_from_body * hips;
        for leg in self.plan.upper_legs {
            let place = self.body.bind[self.plan.drives[leg].node.get()].translation;
            let way = turned * Vec3::from(place - bind.translation) + self.shifts[leg];
            self.hips_in_model -= way / 2.0;
        }
        self.resolve();
    }

    /// Moves the hips and all below them, by a vector in body space.
    pub(super) fn raise(&mut self, by: Vec3) {
        self.hips_in_model += self.body.model_from_body * by;
    }

    /// Returns the place of a node in body space.
    pub(super) fn place(&self, node: NodeIndex) -> Vec3 {
        self.body.in_body(self.model[node.get()].translation.into())
    }

    /// Returns the way from the start of a limb to its end, in body space, and its length when it is straight.
    pub(super) fn reach(&self, limb: &Limb) -> (Vec3, f32) {
        let nodes = [self.plan.drives[limb.upper].node, self.plan.drives[limb.lower].node, limb.end];
        let [upper, lower, end] = nodes.map(|node| self.place(node));
        (end - upper, upper.distance(lower) + lower.distance(end))
    }

    /// Bends a limb so that its end comes to a point in body space. A straight limb bends towards `ahead`.
    pub(super) fn bend(&mut self, limb: &Limb, target: Vec3, ahead: Vec3) {
        let model_from_body = self.body.model_from_body;
        let places = [self.plan.drives[limb.upper].node, self.plan.drives[limb.lower].node, limb.end]
            .map(|node| Vec3::from(self.model[node.get()].translation));
        let length = places[0].distance(places[1]);
        // The hint counts only where the limb is as good as straight.
        let pole = places[1] + model_from_body * ahead * (length * 0.005);
        if let Some([first, second]) = limb_turns(places, model_from_body * target, Some(pole))
            && first.is_finite()
            && second.is_finite()
        {
            self.rotations[limb.upper] = first * self.rotations[limb.upper];
            self.rotations[limb.lower] = second * first * self.rotations[limb.lower];
        }
    }

    /// Computes the transforms of all nodes from the rotations of the drives.
    pub(super) fn resolve(&mut self) {
        // Riders may stand before the joints that they belong to.
        for _ in 0..if self.has_riders { 2 } else { 1 } {
            for (index, node) in self.body.rig.model().nodes.iter().enumerate() {
                let parent = node.parent.map_or(Affine3A::IDENTITY, |parent| self.model[parent.get()]);
                let Some(drive) = self.drive_of[index].map(usize::from) else {
                    let local = node.sheared_rest.unwrap_or_else(|| node.rest.parent_from_node());
                    self.model[index] = parent * local;
                    continue;
                };
                let plan = &self.plan.drives[drive];
                let mut srt = node.rest;
                srt.rotation = (rotation_of(&parent).inverse() * self.rotations[drive]).normalize();
                srt.translation = plan.place;
                let place = match plan.rides {
                    _ if drive == self.plan.hips => Some(self.hips_in_model),
                    Some((leader, place)) => Some(self.model[leader.get()].transform_point3(place)),
                    None if self.shifts[drive] != Vec3::ZERO => Some(parent.transform_point3(plan.place)),
                    None => None,
                };
                if let Some(place) = place {
                    let shifted = if drive == self.plan.hips { place } else { place + self.shifts[drive] };
                    srt.translation = parent.inverse().transform_point3(shifted);
                }
                if srt.rotation.is_finite() && srt.translation.is_finite() {
                    self.local[drive] = srt;
                }
                self.model[index] = parent * self.local[drive].parent_from_node();
            }
        }
    }
}
