//! Which joints of one body follow which of another.
//!
//! Torsos, necks and fingers of different numbers of joints are stretched over each other:
//!
//! ```text
//! from     hips ──────── spine ─────── chest        each joint turns as the point of the other body does
//! to       hips ── a ── b ── c ── d ── chest        that is as far along
//! ```
use super::body::Body;
use crate::model::NodeIndex;
use crate::model::humanoid::{Finger, Part, Role, Side};
use glam::{Affine3A, Quat, Vec3};

/// A joint of the body that lends its motion.
pub(super) struct Source {
    pub(super) node: NodeIndex,
    /// Inverse of the rotation in the reference pose, in body space.
    pub(super) from_reference: Quat,
}

/// A joint of the body that borrows motion.
pub(super) struct Drive {
    pub(super) node: NodeIndex,
    /// Indices of two sources, and how far between them the joint is.
    pub(super) from: [usize; 2],
    pub(super) share: f32,
    /// Rotation in the reference pose, in body space.
    pub(super) reference: Quat,
    /// For a joint that isn't below the one it belongs to: that joint, and the place in its space.
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
}

pub(super) struct Plan {
    pub(super) sources: Vec<Source>,
    /// In the order of their nodes.
    pub(super) drives: Vec<Drive>,
    /// The hips' drive.
    pub(super) hips: usize,
    pub(super) legs: Vec<Limb>,
    pub(super) arms: Vec<Limb>,
}

/// A motion along a chain: one source for each joint, the first above the chain.
type Chain = Vec<usize>;

impl Plan {
    /// `pairs` are further joints that turn as each other, of the first body and the second.
    pub(super) fn new(from: &Body, to: &Body, pairs: &[(NodeIndex, NodeIndex)]) -> Self {
        let mut plan =
            Self { sources: Vec::new(), drives: Vec::new(), hips: 0, legs: Vec::new(), arms: Vec::new() };
        // For each role, the source of its rotation: its own joint, or the one above.
        let mut source_of = vec![0; Role::COUNT];
        let role_source = |plan: &mut Self, role: Role, above: usize| {
            let node = from.roles.node(role);
            node.map_or(above, |node| plan.source(node, from.reference(node, Some(role))))
        };
        let hips = role_source(&mut plan, Role::HIPS, 0);
        let torso = plan.sources_of(hips, &from.torso());
        let chest = *torso.last().unwrap_or(&hips);
        let head = role_source(&mut plan, Role::HEAD, chest);
        let mut neck = plan.sources_of(chest, &from.neck());
        neck.push(head);
        plan.follow(to, Role::HIPS, hips);
        plan.stretch(&torso, &to.torso(), 0);
        plan.stretch(&neck, &to.neck(), 1);
        plan.follow(to, Role::HEAD, head);
        for side in Side::BOTH {
            let parts = [
                (Part::Shoulder, None),
                (Part::UpperArm, Some(Part::Shoulder)),
                (Part::LowerArm, Some(Part::UpperArm)),
                (Part::Hand, Some(Part::LowerArm)),
                (Part::UpperLeg, None),
                (Part::LowerLeg, Some(Part::UpperLeg)),
                (Part::Foot, Some(Part::LowerLeg)),
                (Part::Toes, Some(Part::Foot)),
            ];
            for (part, above) in parts {
                let role = Role::of(side, part);
                let above = match above {
                    Some(above) => source_of[Role::of(side, above).index()],
                    None if part == Part::UpperLeg => hips,
                    None => chest,
                };
                let source = role_source(&mut plan, role, above);
                source_of[role.index()] = source;
                plan.follow(to, role, source);
            }
            let hand = source_of[Role::of(side, Part::Hand).index()];
            for finger in Finger::ALL {
                let lent = lender(from, side, finger).map(|finger| joints(from, side, finger));
                let chain = plan.sources_of(hand, &lent.unwrap_or_default());
                plan.stretch(&chain, &joints(to, side, finger), 0);
            }
        }
        for &(lender, node) in pairs {
            let source = plan.source(lender, from.reference(lender, None));
            plan.drive(node, to.reference(node, None), [source; 2], 0.0);
        }
        plan.sort_drives();
        plan.find_limbs(from, to, &source_of);
        plan.find_riders(to);
        plan
    }

    fn source(&mut self, node: NodeIndex, reference: Quat) -> usize {
        self.sources.push(Source { node, from_reference: reference.inverse() });
        self.sources.len() - 1
    }

    fn sources_of(&mut self, above: usize, joints: &[(NodeIndex, Quat)]) -> Chain {
        let mut chain = vec![above];
        chain.extend(joints.iter().map(|&(node, reference)| self.source(node, reference)));
        chain
    }

    fn follow(&mut self, to: &Body, role: Role, source: usize) {
        if let Some(node) = to.roles.node(role) {
            self.drive(node, to.reference(node, Some(role)), [source; 2], 0.0);
        }
    }

    /// Drives a chain of joints along another. `beyond` joints of both follow the chain and aren't driven here.
    fn stretch(&mut self, chain: &[usize], joints: &[(NodeIndex, Quat)], beyond: usize) {
        let steps = (chain.len() - 1) as f32;
        for (index, &(node, reference)) in joints.iter().enumerate() {
            let along = (index + 1) as f32 * steps / (joints.len() + beyond) as f32;
            let first = (along as usize).min(chain.len() - 1);
            let next = chain[(first + 1).min(chain.len() - 1)];
            self.drive(node, reference, [chain[first], next], along - first as f32);
        }
    }

    fn drive(&mut self, node: NodeIndex, reference: Quat, from: [usize; 2], share: f32) {
        if self.drives.iter().all(|drive| drive.node != node) {
            self.drives.push(Drive { node, from, share, reference, rides: None });
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
        for side in Side::BOTH {
            for [upper, lower, end] in
                [[Part::UpperLeg, Part::LowerLeg, Part::Foot], [Part::UpperArm, Part::LowerArm, Part::Hand]]
            {
                let [upper, lower, end] = [upper, lower, end].map(|part| Role::of(side, part));
                let drives = self.drive_of(to, upper).zip(self.drive_of(to, lower));
                let ends = to.roles.node(end).zip(from.roles.node(end));
                if let (Some((upper, lower)), Some((node, source_end))) = (drives, ends) {
                    let source = source_of[end.index()];
                    let limb = Limb { side, upper, lower, end: node, source_end, source };
                    if end == Role::of(side, Part::Foot) {
                        self.legs.push(limb);
                    } else {
                        self.arms.push(limb);
                    }
                }
            }
        }
    }

    /// Finds joints that aren't below the joint that they belong to, as feet are that were animated by themselves.
    fn find_riders(&mut self, to: &Body) {
        for drive in &mut self.drives {
            let mut above = to.roles.role_of(drive.node).and_then(Role::parent);
            while let Some(role) = above {
                let Some(leader) = to.roles.node(role) else {
                    above = role.parent();
                    continue;
                };
                if !to.is_below(drive.node, leader) {
                    let leader_from_model: Affine3A = to.bind[leader.get()].inverse();
                    let place =
                        leader_from_model.transform_point3(to.bind[drive.node.get()].translation.into());
                    drive.rides = Some((leader, place)).filter(|(_, place)| place.is_finite());
                }
                break;
            }
        }
    }
}

/// Returns the joints of a finger with their rotations in the reference pose.
fn joints(body: &Body, side: Side, finger: Finger) -> Vec<(NodeIndex, Quat)> {
    let mut joints = Vec::new();
    for nth in 0..3 {
        let Some(role) = Role::finger(side, finger, nth) else { continue };
        if let Some(node) = body.roles.node(role) {
            joints.push((node, body.reference(node, Some(role))));
        }
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
