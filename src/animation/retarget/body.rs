//! A humanoid body in its reference pose, in body space: x to its left, y up, z forward.
//!
//! The reference pose is the bind pose with straight arms to the sides and straight legs down. Rotations from there
//! mean the same for every body, whatever the axes of its joints are and however its limbs rest.
use crate::animation::ik::{arc, rotation_of};
use crate::animation::{ClipCursor, LocalPose, ModelPose, Rig};
use crate::model::humanoid::{Finger, Humanoid, Part, Role, Side, bind_pose, snapped};
use crate::model::{ClipIndex, NodeIndex};
use glam::{Affine3A, Mat3, Quat, Vec3};

pub(super) struct Body<'a> {
    pub(super) rig: &'a Rig,
    pub(super) roles: &'a Humanoid,
    /// `model_from_node` in the bind pose.
    pub(super) bind: Vec<Affine3A>,
    pub(super) model_from_body: Quat,
    /// For each role, the rotation from the bind pose to the reference pose.
    straightened: Vec<Quat>,
    /// Length of a straight leg, without the foot. Positive.
    pub(super) leg_length: f32,
    /// Distances between the shoulders and between the hip joints. Positive.
    pub(super) shoulder_width: f32,
    pub(super) hip_width: f32,
    /// Place on the ground below the hips, raised by the height of the ankles.
    pub(super) origin: Vec3,
    pub(super) ground: f32,
}

/// A joint in the reference pose, in body space.
#[derive(Clone, Copy)]
pub(super) struct Joint {
    pub(super) node: NodeIndex,
    pub(super) rotation: Quat,
    /// Rotation from the bind pose to the reference pose.
    pub(super) straightened: Quat,
    /// Place in the bind pose.
    pub(super) place: Vec3,
}

impl<'a> Body<'a> {
    /// Measures a body with all necessary roles. `None` if its arms or legs have no length, or if its legs don't point
    /// away from its torso, as those of animals on four feet don't. With `any_posture` they may point anywhere.
    pub(super) fn new(rig: &'a Rig, roles: &'a Humanoid, any_posture: bool) -> Option<Self> {
        let bind = bind_pose(rig.model());
        let mut body = Self {
            rig,
            roles,
            bind,
            model_from_body: Quat::IDENTITY,
            straightened: vec![Quat::IDENTITY; Role::COUNT],
            leg_length: 0.0,
            shoulder_width: 0.0,
            hip_width: 0.0,
            origin: Vec3::ZERO,
            ground: 0.0,
        };
        let pair = |body: &Self, part| Some(Side::BOTH.map(|side| body.place(Role::of(side, part))));
        let mean = |[left, right]: [Option<Vec3>; 2]| Some((left? + right?) / 2.0);
        let across = |[left, right]: [Option<Vec3>; 2]| Some(left? - right?);
        let (legs, arms) = (pair(&body, Part::UpperLeg)?, pair(&body, Part::UpperArm)?);
        let up = (mean(arms)? - mean(legs)?).try_normalize()?;
        let down = Side::BOTH.map(|side| body.way(Role::of(side, Part::UpperLeg)));
        if !any_posture && mean(down)?.normalize_or_zero().dot(up) > -0.5 {
            return None;
        }
        let left = across(legs)?.reject_from_normalized(up).try_normalize()?;
        let axes = Mat3::from_cols(left, up, left.cross(up));
        body.model_from_body = snapped(Quat::from_mat3(&axes).normalize());

        let legs = pair(&body, Part::UpperLeg)?;
        body.shoulder_width = across(pair(&body, Part::UpperArm)?)?.length();
        body.hip_width = across(legs)?.length();
        let mut ankles = Vec3::ZERO;
        for side in Side::BOTH {
            let [upper, lower, foot] =
                [Part::UpperLeg, Part::LowerLeg, Part::Foot].map(|part| body.place(Role::of(side, part)));
            let (upper, lower) = (upper?, lower?);
            // Without a foot, both parts of the leg are taken to be equally long.
            let foot = foot.unwrap_or(lower * 2.0 - upper);
            body.leg_length += (upper.distance(lower) + lower.distance(foot)) / 2.0;
            ankles += foot / 2.0;
        }
        let hips = mean(legs)?;
        body.ground = body.find_ground(hips, ankles);
        let ankle_height = (ankles.y - body.ground).max(0.0).min(0.4 * body.leg_length);
        body.origin = Vec3::new(hips.x, body.ground + ankle_height, hips.z);
        body.straighten();
        let lengths = [body.leg_length, body.shoulder_width, body.hip_width];
        let is_sound =
            body.origin.is_finite() && lengths.iter().all(|length| *length > 0.0 && length.is_finite());
        is_sound.then_some(body)
    }

    /// Returns the place of a role's joint in the bind pose, in body space.
    pub(super) fn place(&self, role: Role) -> Option<Vec3> {
        let node = self.roles.node(role)?;
        Some(self.in_body(self.bind[node.get()].translation.into()))
    }

    /// Converts a point or a direction from model space to body space.
    pub(super) fn in_body(&self, in_model: Vec3) -> Vec3 {
        self.model_from_body.inverse() * in_model
    }

    /// Returns a node in the reference pose.
    pub(super) fn joint(&self, node: NodeIndex, role: Option<Role>) -> Joint {
        let bind = &self.bind[node.get()];
        let straightened = role.map_or(Quat::IDENTITY, |role| self.straightened[role.index()]);
        Joint {
            node,
            rotation: straightened * (self.model_from_body.inverse() * rotation_of(bind)),
            straightened,
            place: self.in_body(bind.translation.into()),
        }
    }

    /// Returns the joint of a role in the reference pose.
    pub(super) fn joint_of(&self, role: Role) -> Option<Joint> {
        self.roles.node(role).map(|node| self.joint(node, Some(role)))
    }

    /// Returns the place of a node in the space of its parent, in the bind pose.
    pub(super) fn place_in_parent(&self, node: NodeIndex) -> Vec3 {
        let held = self.rig.model().node(node);
        let parent = held.parent.map_or(Affine3A::IDENTITY, |parent| self.bind[parent.get()]);
        let place = parent.inverse().transform_point3(self.bind[node.get()].translation.into());
        let rest = held.rest.translation;
        // The same but for rounding.
        let is_rest = place.distance(rest) <= 1e-5 * rest.length();
        if is_rest || !place.is_finite() { rest } else { place }
    }

    /// Returns a leader and the place of a node in its space, in the bind pose.
    pub(super) fn place_in(&self, node: NodeIndex, leader: NodeIndex) -> Option<(NodeIndex, Vec3)> {
        let place = self.bind[node.get()].translation.into();
        let place = self.bind[leader.get()].inverse().transform_point3(place);
        place.is_finite().then_some((leader, place))
    }

    /// Returns the vectors from an ankle to the ground below the heel and below the toes, in the reference pose. Feet
    /// without toes have a length that is usual.
    pub(super) fn sole(&self, side: Side) -> [Vec3; 2] {
        let [foot, toes] = [Part::Foot, Part::Toes].map(|part| self.joint_of(Role::of(side, part)));
        let ahead = foot.zip(toes).map(|(foot, toes)| (foot.straightened * (toes.place - foot.place)).z);
        let [shortest, usual, longest] = [0.15, 0.2, 0.4].map(|part| part * self.leg_length);
        let ahead = ahead.map_or(usual, |ahead| ahead.max(shortest).min(longest));
        let height = self.origin.y - self.ground;
        [Vec3::new(0.0, -height, 0.0), Vec3::new(0.0, -height, ahead)]
    }

    /// Returns the joints from below the hips to the chest, from the first to the last.
    pub(super) fn torso(&self) -> Vec<Joint> {
        let top =
            [Role::UPPER_CHEST, Role::CHEST, Role::SPINE].into_iter().find_map(|role| self.roles.node(role));
        self.chain(self.roles.node(Role::HIPS), top, &[Role::SPINE, Role::CHEST, Role::UPPER_CHEST])
    }

    /// Returns the joints from below the chest to above the head.
    pub(super) fn neck(&self) -> Vec<Joint> {
        let base = self.torso().last().map(|joint| joint.node).or(self.roles.node(Role::HIPS));
        let head = self.roles.node(Role::HEAD);
        let above_head = head.and_then(|head| self.rig.model().node(head).parent);
        self.chain(base, above_head.filter(|_| head.is_some()), &[Role::NECK])
    }

    /// Returns the nodes below `base` down to `end`, or those with some roles if `end` isn't below it.
    fn chain(&self, base: Option<NodeIndex>, end: Option<NodeIndex>, roles: &[Role]) -> Vec<Joint> {
        let mut nodes = Vec::new();
        let mut at = end;
        while let Some(node) = at.filter(|_| at != base) {
            nodes.push(node);
            at = self.rig.model().node(node).parent;
        }
        nodes.reverse();
        if at.is_none() || base.is_none() {
            nodes = roles.iter().filter_map(|&role| self.roles.node(role)).collect();
        }
        nodes.into_iter().map(|node| self.joint(node, None)).collect()
    }

    /// Returns whether a node is below another.
    pub(super) fn is_below(&self, node: NodeIndex, above: NodeIndex) -> bool {
        let mut at = self.rig.model().node(node).parent;
        while let Some(node) = at.filter(|&node| node > above) {
            at = self.rig.model().node(node).parent;
        }
        at == Some(above)
    }

    /// Returns the height of the ground: 0 where the ankles are near that, as models usually stand. Motion capture
    /// files rest with the hips at 0 and stand at 0 too. Otherwise it is the height of the lowest joint of a foot.
    fn find_ground(&self, hips: Vec3, ankles: Vec3) -> f32 {
        let is_near = |height: f32, from: f32, to: f32| {
            (from * self.leg_length..=to * self.leg_length).contains(&height)
        };
        let rises = || is_near(hips.y, -0.02, 0.02) && self.first_height() > 0.5 * self.leg_length;
        if is_near(ankles.y, -0.05, 0.3) || rises() {
            return 0.0;
        }
        let feet =
            [Part::Foot, Part::Toes].map(|part| Side::BOTH.map(|side| self.place(Role::of(side, part))));
        feet.as_flattened().iter().flatten().fold(ankles.y, |lowest, foot| lowest.min(foot.y))
    }

    /// Returns the height of the hips at the start of the first clip.
    fn first_height(&self) -> f32 {
        let mut local = LocalPose::rest(self.rig);
        let mut model = ModelPose::new(self.rig);
        if self.rig.clip_count() > 0 {
            self.rig.sample_into(ClipIndex::new(0), 0.0, &mut ClipCursor::default(), &mut local);
        }
        self.rig.resolve_into(&local, &mut model);
        let hips = self.roles.node(Role::HIPS);
        hips.map_or(0.0, |hips| self.in_body(model.model_from_node(hips).translation.into()).y)
    }

    /// Returns the way from a joint to the next of its limb, in body space.
    fn way(&self, role: Role) -> Option<Vec3> {
        let next = Role::all().find(|next| next.parent() == Some(role) && self.place(*next).is_some())?;
        Some(self.place(next)? - self.place(role)?).filter(|way| way.length_squared() > 0.0)
    }

    /// Turns the limbs straight, from their roots to their ends.
    fn straighten(&mut self) {
        for side in Side::BOTH {
            let aside = if side == Side::Left { Vec3::X } else { Vec3::NEG_X };
            let [upper, lower, hand] =
                [Part::UpperArm, Part::LowerArm, Part::Hand].map(|part| Role::of(side, part));
            let turn = self.straightened_along(upper, Quat::IDENTITY, aside);
            let turn = self.straightened_along(lower, turn, aside);
            // The middle finger, or another one but the thumb, tells the direction of the hand.
            let first = |finger| Role::finger(side, finger, 0).and_then(|role| self.place(role));
            let knuckle =
                [Finger::Middle, Finger::Index, Finger::Ring, Finger::Little].into_iter().find_map(first);
            let palm = knuckle.zip(self.place(hand)).map(|(knuckle, hand)| knuckle - hand);
            let turn = palm.map_or(turn, |palm| aligned(palm, turn, aside));
            // Forearms turn with the hand, by half of it.
            let palm_down = self.palm_down(side, turn, aside);
            let half = (Quat::IDENTITY + palm_down).normalize();
            self.straightened[lower.index()] = half * self.straightened[lower.index()];
            let turn = palm_down * turn;
            self.straightened[hand.index()] = turn;
            for finger in Finger::ALL {
                let mut along = turn;
                for nth in 0..3 {
                    let Some(role) = Role::finger(side, finger, nth) else { continue };
                    if finger == Finger::Thumb {
                        self.straightened[role.index()] = turn;
                    } else {
                        along = self.straightened_along(role, along, aside);
                    }
                }
            }

            let [upper, lower, foot, toes] =
                [Part::UpperLeg, Part::LowerLeg, Part::Foot, Part::Toes].map(|part| Role::of(side, part));
            let turn = self.straightened_along(upper, Quat::IDENTITY, Vec3::NEG_Y);
            let shin = self.way(lower).map_or(Vec3::NEG_Y, Vec3::normalize_or_zero);
            let turn = self.straightened_along(lower, turn, Vec3::NEG_Y);
            // Feet of a standing body are flat on the ground, however its legs are spread.
            let turn = match self.way(foot) {
                _ if shin.y > -0.7 => turn,
                Some(way) if way.with_y(0.0).length() > 0.3 * way.length() && way.z > 0.0 => {
                    arc(way.with_y(0.0), Vec3::Z)
                }
                _ => Quat::IDENTITY,
            };
            self.straightened[foot.index()] = turn;
            self.straightened[toes.index()] = turn;
        }
    }

    /// Returns the turn about a straight arm that takes the palm down, for a hand with a turn. Hands without fingers
    /// are taken to be so.
    fn palm_down(&self, side: Side, turn: Quat, aside: Vec3) -> Quat {
        let place = |finger| Role::finger(side, finger, 0).and_then(|role| self.place(role));
        let [thumb, index, ring, little] =
            [Finger::Thumb, Finger::Index, Finger::Ring, Finger::Little].map(place);
        let across = |way: Vec3| {
            let way = (turn * way).reject_from_normalized(aside);
            way.try_normalize()
        };
        // From the little finger to the first one, which is forward where palms are down.
        let knuckles = index.zip(little.or(ring)).and_then(|(index, last)| across(index - last));
        let forward = knuckles.or_else(|| {
            // Thumbs begin at the side of a palm or below it.
            let hand = self.place(Role::of(side, Part::Hand))?;
            let way = across(thumb? - hand)?;
            let (y, z) = (way.y.abs(), way.z.abs());
            Some(if y > 2.0 * z { Vec3::Y * way.y.signum() } else { Vec3::Z * way.z.signum() })
        });
        match forward {
            Some(forward) if forward.z < -0.99 => Quat::from_vec4(aside.extend(0.0)),
            Some(forward) => arc(forward, Vec3::Z),
            None => Quat::IDENTITY,
        }
    }

    /// Stores and returns the turn of a joint whose parent has a turn, so that the next joint lies in a direction.
    fn straightened_along(&mut self, role: Role, above: Quat, direction: Vec3) -> Quat {
        let turn = self.way(role).map_or(above, |way| aligned(way, above, direction));
        self.straightened[role.index()] = turn;
        turn
    }
}

/// Returns a turn, followed by the shortest one that takes what it makes of `way` to a direction.
fn aligned(way: Vec3, turn: Quat, direction: Vec3) -> Quat {
    arc(turn * way, direction) * turn
}
