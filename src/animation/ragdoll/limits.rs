//! Limits of joints, by the names of the nodes.
use crate::angle::{arc_cosine_single, sin_cos};
use crate::animation::turn;
use glam::{Quat, Vec3};

/// Part of a body that a name tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Spine,
    Neck,
    Head,
    Clavicle,
    UpperArm,
    Forearm,
    Hand,
    /// Anything below a hand: it is part of the hand.
    Finger,
    Thigh,
    Shank,
    Foot,
    Toes,
    /// Held in a hand.
    Held,
    Other,
}

/// Words in names without punctuation, in lower case. The first that fits counts.
const WORDS: [(&str, Role); 36] = [
    ("slot", Role::Other),
    ("twist", Role::Other),
    ("forearm", Role::Forearm),
    ("lowerarm", Role::Forearm),
    ("elbow", Role::Forearm),
    ("upperarm", Role::UpperArm),
    ("uparm", Role::UpperArm),
    ("clavicle", Role::Clavicle),
    ("collar", Role::Clavicle),
    ("shoulder", Role::Clavicle),
    ("thigh", Role::Thigh),
    ("upperleg", Role::Thigh),
    ("upleg", Role::Thigh),
    ("lowerleg", Role::Shank),
    ("calf", Role::Shank),
    ("shin", Role::Shank),
    ("knee", Role::Shank),
    ("hand", Role::Hand),
    ("wrist", Role::Hand),
    ("palm", Role::Hand),
    ("thumb", Role::Finger),
    ("foot", Role::Foot),
    ("ankle", Role::Foot),
    ("toe", Role::Toes),
    ("neck", Role::Neck),
    ("head", Role::Head),
    ("spine", Role::Spine),
    ("chest", Role::Spine),
    ("torso", Role::Spine),
    ("abdomen", Role::Spine),
    ("waist", Role::Spine),
    ("pelvis", Role::Spine),
    ("hips", Role::Spine),
    ("body", Role::Spine),
    // Ambiguous: some rigs call the upper half of a limb by the name of the whole.
    ("arm", Role::UpperArm),
    ("leg", Role::Thigh),
];

/// Returns the role of a node. `parent` is that of the body above.
pub(super) fn role_of(name: &str, parent: Role) -> Role {
    let letters: String =
        name.chars().filter(char::is_ascii_alphabetic).map(|c| c.to_ascii_lowercase()).collect();
    let found = WORDS.iter().position(|(word, _)| letters.contains(word));
    let is_ambiguous = found.is_some_and(|at| at + 2 >= WORDS.len());
    match (found.map_or(Role::Other, |at| WORDS[at].1), parent) {
        (Role::UpperArm, Role::UpperArm) if is_ambiguous => Role::Forearm,
        (Role::UpperArm, Role::Forearm | Role::Hand) if is_ambiguous => Role::Hand,
        (Role::Thigh, Role::Thigh) if is_ambiguous => Role::Shank,
        (Role::Thigh, Role::Shank) if is_ambiguous => Role::Foot,
        (Role::Thigh, Role::Foot | Role::Toes) if is_ambiguous => Role::Toes,
        (Role::Other | Role::Hand, Role::Hand | Role::Finger) => Role::Finger,
        (role, _) => role,
    }
}

/// Range of a joint, relative to the rest pose and in model space.
#[derive(Clone, Copy, Debug)]
pub(super) struct Range {
    /// Rotation from the rest pose to the middle of the range.
    pub(super) middle: Quat,
    /// Axis of the cone and of the twist at rest. A hinge has a cone without width, about its own axis.
    pub(super) axis: Vec3,
    /// Largest angle from the middle.
    pub(super) swing_radians: f32,
    pub(super) twist_radians: f32,
}

/// Directions at rest, in model space.
#[derive(Clone, Copy, Debug)]
pub(super) struct Directions {
    /// From the joint to the center of the body or to its first joint.
    pub(super) along: Vec3,
    /// `along` of the body above.
    pub(super) above: Vec3,
    pub(super) front: Vec3,
    /// From the middle of the model to the joint, to the left or the right.
    pub(super) outward: Vec3,
}

/// Angle of a bent knee or elbow at rest from which the rest pose tells the axis of the hinge.
const BENT: f32 = 0.15;
/// Angle by which the range exceeds the rest pose at least.
const MARGIN: f32 = 0.15;

impl Range {
    pub(super) fn new(role: Role, directions: &Directions) -> Self {
        let &Directions { along, above, front, outward } = directions;
        let degrees = |swing: f32, twist: f32| Self {
            middle: Quat::IDENTITY,
            axis: along,
            swing_radians: swing.to_radians(),
            twist_radians: twist.to_radians(),
        };
        match role {
            Role::Spine => degrees(25.0, 15.0),
            Role::Neck => degrees(30.0, 30.0),
            Role::Head => degrees(35.0, 40.0),
            Role::Clavicle => degrees(15.0, 10.0),
            Role::UpperArm => degrees(95.0, 50.0).towards(outward + front * 0.6 - Vec3::Y * 0.5),
            Role::Forearm => Self::hinge(above, along, front, 2.5),
            Role::Hand => degrees(60.0, 50.0),
            Role::Thigh => degrees(65.0, 30.0).towards(front * 0.5 + outward * 0.2 - Vec3::Y),
            Role::Shank => Self::hinge(above, along, -front, 2.4),
            Role::Foot => degrees(35.0, 15.0),
            Role::Toes => degrees(30.0, 5.0),
            Role::Held => degrees(120.0, 120.0),
            Role::Finger | Role::Other => degrees(60.0, 30.0),
        }
    }

    /// Moves the middle of a cone to a direction. The rest pose stays within.
    fn towards(mut self, middle: Vec3) -> Self {
        if let Some(middle) = middle.try_normalize() {
            let angle = arc_cosine_single(self.axis.dot(middle).clamp(-1.0, 1.0));
            self.middle = turn::arc(self.axis, middle);
            self.swing_radians = self.swing_radians.max(angle + MARGIN);
        }
        self
    }

    /// Returns a hinge that bends a limb from straight towards a side, up to an angle.
    fn hinge(above: Vec3, along: Vec3, side: Vec3, most_radians: f32) -> Self {
        let by_side = above.cross(side).normalize_or(along.any_orthonormal_vector());
        let bend = above.cross(along);
        let axis = if bend.length() > BENT && bend.dot(by_side) > 0.0 { bend.normalize() } else { by_side };
        // The angle at rest, about the axis.
        let bent = axis.dot(bend).clamp(-1.0, 1.0);
        let angle = arc_cosine_single(above.dot(along).clamp(-1.0, 1.0));
        let angle = if bent < 0.0 { -angle } else { angle };
        let (least, most) = ((-angle).min(-MARGIN), (most_radians - angle).max(MARGIN));
        Self {
            middle: turn::about(axis, sin_cos((least + most) * 0.25)),
            axis,
            swing_radians: 0.0,
            twist_radians: (most - least) * 0.5,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_several_programs_have_their_roles() {
        assert_eq!(role_of("LeftHandIndex1", Role::Hand), Role::Finger);
        for (names, role) in [
            (["mixamorig:LeftForeArm", "Bip01 L Forearm", "J_Bip_L_LowerArm", "lowerarm_l"], Role::Forearm),
            (["mixamorig:LeftUpLeg", "Bip01 L Thigh", "J_Bip_L_UpperLeg", "upperleg.l"], Role::Thigh),
            (["mixamorig:Spine2", "Bip01 Pelvis", "J_Bip_C_Chest", "Hips"], Role::Spine),
            (["LeftArm", "Bip01 L UpperArm", "J_Bip_L_UpperArm", "upperarm.l"], Role::UpperArm),
            (["Tail1", "b_Tail03_14", "Armature", "handslot.r"], Role::Other),
        ] {
            for name in names {
                let found = role_of(name, Role::Other);
                assert!(found == role || name == "Armature", "{name}: {found:?}");
            }
        }
        assert_eq!(role_of("mixamorig:LeftLeg", Role::Thigh), Role::Shank);
        assert_eq!(role_of("b_LeftLeg02_016", role_of("b_LeftLeg01_015", Role::Spine)), Role::Shank);
        assert_eq!(role_of("LowerArm.L", Role::UpperArm), Role::Forearm);
    }

    #[test]
    fn knees_bend_back_and_elbows_to_the_front() {
        let down = Vec3::NEG_Y;
        let bent = |role, above: Vec3| {
            let range =
                Range::new(role, &Directions { along: above, above, front: Vec3::Z, outward: Vec3::X });
            assert_eq!(range.swing_radians, 0.0);
            // The end of the range is its middle and half of it again.
            let end = turn::about(range.axis, sin_cos(range.twist_radians * 0.5));
            let half = glam::Mat3::from_quat(range.middle) * above;
            (half, glam::Mat3::from_quat(turn::product(end, range.middle)) * above)
        };
        let (half, end) = bent(Role::Shank, down);
        assert!(half.z < -0.8 && end.y > 0.5, "{half} {end}");
        assert!(bent(Role::Forearm, Vec3::X).0.z > 0.8);
        assert!(bent(Role::Forearm, down).0.z > 0.8);
        let slightly = (down * 3.0 + Vec3::NEG_Z).normalize();
        let directions = Directions { along: slightly, above: down, front: Vec3::Z, outward: Vec3::X };
        let range = Range::new(Role::Shank, &directions);
        // It can be stretched by what it is bent at rest.
        let stretch = turn::about(range.axis, sin_cos(-range.twist_radians * 0.5));
        let stretched = glam::Mat3::from_quat(turn::product(stretch, range.middle)) * slightly;
        assert!(stretched.distance(down) < 1e-3, "{stretched}");
    }
}
