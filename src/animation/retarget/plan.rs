//! Which joints of one body follow which of another.
//!
//! Torsos, necks and fingers of different numbers of joints are stretched over each other:
//!
//! ```text
//! from     hips ──────── spine ─────── chest        each joint turns as the point of the other body does
//! to       hips ── a ── b ── c ── d ── chest        that is as far along
//! ```
use super::body::{Body, Joint};
use crate::model::NodeIndex;
use crate::model::humanoid::{Finger, Part, Role, Side};
use glam::{Quat, Vec3};

/// A joint of the body that lends its motion.
pub(super) struct Source {
    pub(super) node: NodeIndex,
    /// Inverse of the rotation in the reference pose, in body space.
    pub(super) from_reference: Quat,
    /// Rotation from the bind pose to the reference pose.
    straightened: Quat,
    place: Vec3,
    /// Index of the source above, and the way from there in the reference pose. Clips may move the joint away.
    pub(super) above: usize,
    pub(super) way: Vec3,
}

/// A joint of the body that borrows motion.
pub(super) struct Drive {
    pub(super) node: NodeIndex,
    /// Indices of two sources, and how far between them the joint is.
    pub(super) from: [usize; 2],
    pub(super) share: f32,
    /// Rotation in the reference pose, in body space.
    pub(super) reference: Quat,
    /// Place in the space of the parent.
    pub(super) place: Vec3,
    /// The source whose shift from its place the joint takes over, in this proportion.
    pub(super) shift: Option<(usize, f32)>,
    /// A shoulder of a body that borrows from one without shoulders turns as their shift of the upper arm says: the way
    /// to the upper arm, and that shift.
    pub(super) aim: Option<(Vec3, usize, f32)>,
    /// For a joint that isn't right below the one it belongs to: that joint, and the place in its space.
    pub(super) rides: Option<(NodeIndex, Vec3)>,
}

/// A limb of two parts: indices of its drives, and its end.
pub(super) struct Limb {
    pub(super) side: Side,
    pub(super) upper: usize,
    pub(super) lower: usize,
    pub(super) end: NodeIndex,
    /// The end of the limb that lends its motion.
    pub(super) source_end: NodeIndex,
    /// Source of the rotation of the end.
    pub(super) source: usize,
    /// How much farther the end of the borrowing body is to its side than that of the other one, in proportion.
    pub(super) aside: Vec3,
}

pub(super) struct Plan {
    pub(super) sources: Vec<Source>,
    /// In the order of their nodes.
    pub(super) drives: Vec<Drive>,
    /// The drives of the hips and of the upper legs.
    pub(super) hips: usize,
    pub(super) upper_legs: [usize; 2],
    pub(super) legs: Vec<Limb>,
    pub(super) arms: Vec<Limb>,
}

/// A motion along a chain: one source for each joint, the first above the chain.
type Chain = Vec<usize>;

impl Plan {
    /// `pairs` are further joints that turn as each other, of the first body and the second.
    pub(super) fn new(from: &Body, to: &Body, pairs: &[(NodeIndex, NodeIndex)]) -> Self {
        let mut plan = Self {
            sources: Vec::new(),
            drives: Vec::new(),
            hips: 0,
            upper_legs: [0; 2],
            legs: Vec::new(),
            arms: Vec::new(),
        };
        let size = to.leg_length / from.leg_length;
        let hips = plan.source_of(from, Role::HIPS, 0).unwrap_or(0);
        let torso = plan.sources_along(hips, &from.torso());
        let chest = *torso.last().unwrap_or(&hips);
        let mut neck = plan.sources_along(chest, &from.neck());
        let below_head = *neck.last().unwrap_or(&chest);
        let head = plan.source_of(from, Role::HEAD, below_head).unwrap_or(chest);
        neck.push(head);
        plan.follow(to, Role::HIPS, hips, None);
        plan.stretch(to, &torso, &to.torso(), 0, size);
        plan.stretch(to, &neck, &to.neck(), 1, size);
        plan.follow(to, Role::HEAD, head, Some((head, size)).filter(|_| head != chest));
        // For each role, the source of its rotation: its own joint, or the one above.
        let mut source_of = vec![0; Role::COUNT];
        for side in Side::BOTH {
            plan.lend_arm(from, to, side, chest, &mut source_of);
            plan.lend_leg(from, to, side, hips, &mut source_of);
            let hand = source_of[Role::of(side, Part::Hand).index()];
            for finger in Finger::ALL {
                let lent = lender(from, side, finger).map(|finger| joints(from, side, finger));
                let chain = plan.sources_along(hand, &lent.unwrap_or_default());
                plan.stretch(to, &chain, &joints(to, side, finger), 0, 0.0);
            }
        }
        for &(lender, node) in pairs {
            let source = plan.source(from.joint(lender, None), hips);
            plan.drive(to, to.joint(node, None), [source; 2], 0.0, None);
        }
        plan.find_twins(to);
        plan.sort_drives();
        plan.find_limbs(from, to, &source_of);
        plan.find_riders(to);
        plan
    }

    fn lend_arm(&mut self, from: &Body, to: &Body, side: Side, chest: usize, source_of: &mut [usize]) {
        let size = to.shoulder_width / from.shoulder_width;
        let [shoulder, upper] = [Part::Shoulder, Part::UpperArm].map(|part| Role::of(side, part));
        let lent = self.source_of(from, shoulder, chest);
        let collar = lent.unwrap_or(chest);
        self.follow(to, shoulder, collar, lent.map(|lent| (lent, size)));
        // A body without shoulders shifts its upper arms instead.
        let has_shoulder = to.roles.node(shoulder).is_some();
        let above = if has_shoulder { collar } else { chest };
        let arm = self.source_of(from, upper, above).unwrap_or(collar);
        if let (true, None, Some(drive)) = (has_shoulder, lent, self.drive_of(to, shoulder)) {
            let ends = to.joint_of(shoulder).zip(to.joint_of(upper));
            let way = ends.map_or(Vec3::ZERO, |(shoulder, upper)| upper.place - shoulder.place);
            self.drives[drive].aim = Some((way, arm, size));
            self.follow(to, upper, arm, None);
        } else {
            self.follow(to, upper, arm, Some((arm, size)));
        }
        source_of[upper.index()] = arm;
        self.lend_parts(from, to, side, [Part::UpperArm, Part::LowerArm, Part::Hand], source_of);
    }

    fn lend_leg(&mut self, from: &Body, to: &Body, side: Side, hips: usize, source_of: &mut [usize]) {
        let upper = Role::of(side, Part::UpperLeg);
        let leg = self.source_of(from, upper, hips).unwrap_or(hips);
        self.follow(to, upper, leg, Some((leg, to.hip_width / from.hip_width)));
        source_of[upper.index()] = leg;
        self.lend_parts(from, to, side, [Part::UpperLeg, Part::LowerLeg, Part::Foot], source_of);
        self.lend_parts(from, to, side, [Part::LowerLeg, Part::Foot, Part::Toes], source_of);
    }

    /// Lends the second and the third part of a limb, whose first part is lent.
    fn lend_parts(&mut self, from: &Body, to: &Body, side: Side, parts: [Part; 3], source_of: &mut [usize]) {
        let size = to.leg_length / from.leg_length;
        let [above, middle, end] = parts.map(|part| Role::of(side, part));
        let mut above = source_of[above.index()];
        for role in [middle, end] {
            let lent = self.source_of(from, role, above);
            above = lent.unwrap_or(above);
            source_of[role.index()] = above;
            self.follow(to, role, above, lent.map(|lent| (lent, size)));
        }
    }

    fn source_of(&mut self, from: &Body, role: Role, above: usize) -> Option<usize> {
        let joint = from.joint_of(role)?;
        Some(self.source(joint, above))
    }

    /// Adds a source below another; the first one is below itself.
    fn source(&mut self, joint: Joint, above: usize) -> usize {
        let Joint { node, rotation, straightened, place } = joint;
        let way = self.sources.get(above).map(|above| above.straightened * (place - above.place));
        self.sources.push(Source {
            node,
            from_reference: rotation.inverse(),
            straightened,
            place,
            above,
            way: way.unwrap_or(Vec3::ZERO),
        });
        self.sources.len() - 1
    }

    fn sources_along(&mut self, above: usize, joints: &[Joint]) -> Chain {
        let mut chain = vec![above];
        for &joint in joints {
            let last = *chain.last().unwrap_or(&above);
            chain.push(self.source(joint, last));
        }
        chain
    }

    fn follow(&mut self, to: &Body, role: Role, source: usize, shift: Option<(usize, f32)>) {
        if let Some(joint) = to.joint_of(role) {
            self.drive(to, joint, [source; 2], 0.0, shift);
        }
    }

    /// Drives a chain of joints along another. `beyond` joints of both follow the chain and aren't driven here. Joints
    /// of chains that are alike take over shifts in proportion to `size`.
    fn stretch(&mut self, to: &Body, chain: &[usize], joints: &[Joint], beyond: usize, size: f32) {
        let steps = chain.len() - 1;
        let is_alike = steps == joints.len() + beyond;
        for (index, &joint) in joints.iter().enumerate() {
            let along = (index + 1) as f32 * steps as f32 / (joints.len() + beyond) as f32;
            let first = if is_alike { index + 1 } else { (along as usize).min(steps) };
            let next = chain[(first + 1).min(steps)];
            let share = if is_alike { 0.0 } else { along - first as f32 };
            self.drive(to, joint, [chain[first], next], share, is_alike.then_some((chain[first], size)));
        }
    }

    fn drive(&mut self, to: &Body, joint: Joint, from: [usize; 2], share: f32, shift: Option<(usize, f32)>) {
        let Joint { node, rotation, .. } = joint;
        if self.drives.iter().all(|drive| drive.node != node) {
            let place = to.place_in_parent(node);
            self.drives.push(Drive {
                node,
                from,
                share,
                reference: rotation,
                place,
                shift,
                aim: None,
                rides: None,
            });
        }
    }

    /// Finds nodes outside of a limb that carry its hand or foot, as handles of inverse kinematics do in some files:
    /// they are at the same place. They go with it.
    fn find_twins(&mut self, to: &Body) {
        let mut is_joint = vec![false; to.bind.len()];
        for joint in to.rig.model().skins.iter().flat_map(|skin| &skin.joints) {
            is_joint[joint.get()] = true;
        }
        for side in Side::BOTH {
            for end in [Part::Hand, Part::Foot] {
                let end = Role::of(side, end);
                let (Some(joint), Some(drive)) = (to.joint_of(end), self.drive_of(to, end)) else { continue };
                let limb = end.parent().and_then(|above| to.roles.node(above));
                let from = self.drives[drive].from;
                for (index, is_joint) in is_joint.iter().enumerate() {
                    let node = NodeIndex::new(index);
                    let twin = to.joint(node, None);
                    let is_near = twin.place.distance(joint.place) < 1e-3 * to.leg_length;
                    let is_apart = node != joint.node
                        && !to.is_below(node, joint.node)
                        && !to.is_below(joint.node, node)
                        && limb.is_none_or(|limb| !to.is_below(node, limb))
                        && self
                            .drives
                            .iter()
                            .all(|drive| !to.is_below(node, drive.node) || drive.rides.is_none());
                    if is_near && is_apart && *is_joint {
                        let rotation = joint.straightened * twin.rotation;
                        self.drive(to, Joint { rotation, ..twin }, from, 0.0, None);
                        if let Some(drive) = self.drives.last_mut().filter(|drive| drive.node == node) {
                            drive.rides = to.place_in(node, joint.node);
                        }
                    }
                }
            }
        }
    }

    /// Sorts the drives by their nodes, parents before children.
    fn sort_drives(&mut self) {
        // Insertion: there are some sixty.
        for end in 1..self.drives.len() {
            for at in (0..end).rev() {
                if self.drives[at].node < self.drives[at + 1].node {
                    break;
                }
                self.drives.swap(at, at + 1);
            }
        }
    }

    fn drive_of(&self, to: &Body, role: Role) -> Option<usize> {
        let node = to.roles.node(role)?;
        self.drives.iter().position(|drive| drive.node == node)
    }

    fn find_limbs(&mut self, from: &Body, to: &Body, source_of: &[usize]) {
        self.hips = self.drive_of(to, Role::HIPS).unwrap_or(0);
        self.upper_legs =
            Side::BOTH.map(|side| self.drive_of(to, Role::of(side, Part::UpperLeg)).unwrap_or(self.hips));
        for side in Side::BOTH {
            for [upper, lower, end] in
                [[Part::UpperLeg, Part::LowerLeg, Part::Foot], [Part::UpperArm, Part::LowerArm, Part::Hand]]
            {
                let [upper, lower, end] = [upper, lower, end].map(|part| Role::of(side, part));
                let drives = self.drive_of(to, upper).zip(self.drive_of(to, lower));
                let ends = to.roles.node(end).zip(from.roles.node(end));
                if let (Some((upper, lower)), Some((node, source_end))) = (drives, ends) {
                    let source = source_of[end.index()];
                    let away = |body: &Body| body.place(end).map_or(0.0, |place| place.x - body.origin.x);
                    let aside = Vec3::X * (away(to) - away(from) * to.leg_length / from.leg_length);
                    let limb = Limb { side, upper, lower, end: node, source_end, source, aside };
                    if end == Role::of(side, Part::Foot) {
                        self.legs.push(limb);
                    } else {
                        self.arms.push(limb);
                    }
                }
            }
        }
    }

    /// Finds joints that aren't right below the joint that they belong to: feet that were animated by themselves, and
    /// thighs that hang from a joint of the spine.
    fn find_riders(&mut self, to: &Body) {
        let mut is_driven = vec![false; to.bind.len()];
        for drive in &self.drives {
            is_driven[drive.node.get()] = true;
        }
        for drive in &mut self.drives {
            let role = to.roles.role_of(drive.node);
            let mut above = role.and_then(Role::parent);
            let mut leader = None;
            while let (Some(role), None) = (above, leader) {
                leader = to.roles.node(role);
                above = role.parent();
            }
            let Some(leader) = leader else { continue };
            let parent = |node: NodeIndex| to.rig.model().node(node).parent;
            let mut above = parent(drive.node);
            while let Some(node) = above.filter(|node| !is_driven[node.get()]) {
                above = parent(node);
            }
            let is_spine = to.torso().iter().chain(&to.neck()).any(|joint| joint.node == drive.node);
            if above != Some(leader) && !is_spine {
                drive.rides = to.place_in(drive.node, leader);
            } else if is_end(role) {
                // Feet that were animated by themselves may leave the leg. Those of a skin would stretch it.
                drive.shift = None;
            }
        }
    }
}

/// Returns whether a role is that of a hand or a foot.
fn is_end(role: Option<Role>) -> bool {
    let ends = Side::BOTH.map(|side| [Part::Hand, Part::Foot].map(|part| Some(Role::of(side, part))));
    ends.as_flattened().contains(&role)
}

/// Returns the joints of a finger.
fn joints(body: &Body, side: Side, finger: Finger) -> Vec<Joint> {
    let mut joints = Vec::new();
    for nth in 0..3 {
        let Some(role) = Role::finger(side, finger, nth) else { continue };
        joints.extend(body.joint_of(role));
    }
    joints
}

/// Returns the finger whose motion a finger borrows: the same, or one beside it.
fn lender(from: &Body, side: Side, finger: Finger) -> Option<Finger> {
    use Finger::{Index, Little, Middle, Ring, Thumb};
    let candidates: &[Finger] = match finger {
        Thumb => &[Thumb],
        Index => &[Index, Middle, Ring, Little],
        Middle => &[Middle, Index, Ring, Little],
        Ring => &[Ring, Middle, Little, Index],
        Little => &[Little, Ring, Middle, Index],
    };
    candidates.iter().copied().find(|&finger| !joints(from, side, finger).is_empty())
}
