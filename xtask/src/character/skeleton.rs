//! The skeleton: its joints, their parents and their rest positions.
//!
//! Every joint's rest rotation is identity: its axes are the model's (X to the character's left, Y up, Z forward).
//! A rotation therefore means the same in every clip, and inverse bind matrices are translations.

use glam::Vec3;

/// A side of the body. The character faces +Z, so its left is +X.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Right,
}

pub(super) const SIDES: [Side; 2] = [Side::Left, Side::Right];

impl Side {
    /// Returns +1 for the left and −1 for the right, the factor for X coordinates of the left half.
    pub(super) fn sign(self) -> f32 {
        match self {
            Side::Left => 1.0,
            Side::Right => -1.0,
        }
    }

    /// Returns a point of the left half, mirrored to this side if it is the right.
    pub(super) fn place(self, left: Vec3) -> Vec3 {
        Vec3::new(left.x * self.sign(), left.y, left.z)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Finger {
    Thumb,
    Index,
    Middle,
    Little,
}

pub(super) const FINGERS: [Finger; 4] = [Finger::Thumb, Finger::Index, Finger::Middle, Finger::Little];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Joint {
    Hips,
    Spine,
    Chest,
    Neck,
    Head,
    Forelock,
    Beard,
    /// Joint behind an eye, around which the iris turns below the lids.
    Eye(Side),
    /// Joint of an ear: 0 at the head, 1 halfway to the tip.
    Ear(Side, u8),
    Tail(u8),
    Bell,
    /// Joint of the scarf's end that hangs over the chest.
    ScarfFront(u8),
    /// Joint of the scarf's end that hangs down the back.
    ScarfBack(u8),
    Shoulder(Side),
    UpperArm(Side),
    LowerArm(Side),
    Hand(Side),
    /// Joint of a finger: 0 at the palm, 1 near the middle.
    Finger(Side, Finger, u8),
    UpperLeg(Side),
    LowerLeg(Side),
    Foot(Side),
    Toes(Side),
}

impl Joint {
    pub(super) fn name(self) -> String {
        match self {
            Joint::Ear(side, link) => format!("{side:?}Ear{}", link + 1),
            Joint::Tail(link) => format!("Tail{}", link + 1),
            Joint::ScarfFront(link) => format!("ScarfFront{}", link + 1),
            Joint::ScarfBack(link) => format!("ScarfBack{}", link + 1),
            Joint::Finger(side, finger, link) => format!("{side:?}{finger:?}{}", link + 1),
            Joint::Eye(side) => format!("{side:?}Eye"),
            Joint::Shoulder(side) => format!("{side:?}Shoulder"),
            Joint::UpperArm(side) => format!("{side:?}UpperArm"),
            Joint::LowerArm(side) => format!("{side:?}LowerArm"),
            Joint::Hand(side) => format!("{side:?}Hand"),
            Joint::UpperLeg(side) => format!("{side:?}UpperLeg"),
            Joint::LowerLeg(side) => format!("{side:?}LowerLeg"),
            Joint::Foot(side) => format!("{side:?}Foot"),
            Joint::Toes(side) => format!("{side:?}Toes"),
            central => format!("{central:?}"),
        }
    }

    pub(super) fn parent(self) -> Option<Joint> {
        Some(match self {
            Joint::Hips => return None,
            Joint::Spine | Joint::Tail(0) | Joint::UpperLeg(_) => Joint::Hips,
            Joint::Chest => Joint::Spine,
            Joint::Neck | Joint::Shoulder(_) | Joint::Bell => Joint::Chest,
            Joint::ScarfFront(0) | Joint::ScarfBack(0) => Joint::Chest,
            Joint::Head => Joint::Neck,
            Joint::Forelock | Joint::Beard | Joint::Eye(_) | Joint::Ear(_, 0) => Joint::Head,
            Joint::Ear(side, link) => Joint::Ear(side, link - 1),
            Joint::Tail(link) => Joint::Tail(link - 1),
            Joint::ScarfFront(link) => Joint::ScarfFront(link - 1),
            Joint::ScarfBack(link) => Joint::ScarfBack(link - 1),
            Joint::UpperArm(side) => Joint::Shoulder(side),
            Joint::LowerArm(side) => Joint::UpperArm(side),
            Joint::Hand(side) => Joint::LowerArm(side),
            Joint::Finger(side, _, 0) => Joint::Hand(side),
            Joint::Finger(side, finger, link) => Joint::Finger(side, finger, link - 1),
            Joint::LowerLeg(side) => Joint::UpperLeg(side),
            Joint::Foot(side) => Joint::LowerLeg(side),
            Joint::Toes(side) => Joint::Foot(side),
        })
    }

    /// Returns the joint's rest position in model space.
    pub(super) fn rest(self) -> Vec3 {
        match self {
            Joint::Hips => Vec3::new(0.0, 0.53, 0.0),
            Joint::Spine => Vec3::new(0.0, 0.60, 0.0),
            Joint::Chest => Vec3::new(0.0, 0.69, 0.0),
            Joint::Neck => Vec3::new(0.0, 0.83, 0.0),
            Joint::Head => Vec3::new(0.0, 0.89, 0.0),
            Joint::Forelock => Vec3::new(0.0, 1.40, 0.14),
            Joint::Beard => Vec3::new(0.0, 0.90, 0.255),
            Joint::Eye(side) => side.place(EYE_MIDDLE),
            Joint::Ear(side, link) => side.place(EAR_ROOT.lerp(EAR_TIP, [0.0, 0.5][link as usize])),
            Joint::Tail(link) => TAIL_ROOT.lerp(TAIL_TIP, [0.0, 0.5][link as usize]),
            Joint::Bell => BELL_HANGER,
            Joint::ScarfFront(link) => SCARF_FRONT[link as usize],
            Joint::ScarfBack(link) => SCARF_BACK[link as usize],
            Joint::Shoulder(side) => side.place(Vec3::new(0.035, 0.775, 0.0)),
            Joint::UpperArm(side) => side.place(SHOULDER),
            Joint::LowerArm(side) => side.place(elbow()),
            Joint::Hand(side) => side.place(wrist()),
            Joint::Finger(side, finger, link) => {
                let [root, tip] = finger_line(finger);
                side.place(root.lerp(tip, [0.0, 0.48][link as usize]))
            }
            Joint::UpperLeg(side) => side.place(HIP),
            Joint::LowerLeg(side) => side.place(KNEE),
            Joint::Foot(side) => side.place(ANKLE),
            Joint::Toes(side) => side.place(BALL),
        }
    }

    pub(super) fn index(self) -> usize {
        ALL_JOINTS
            .with(|joints| joints.iter().position(|&joint| joint == self))
            .expect("every joint is listed")
    }
}

thread_local! {
    static ALL_JOINTS: Vec<Joint> = listed();
}

/// Returns all joints, parents before children. This is the order of the skin.
pub(super) fn all_joints() -> Vec<Joint> {
    ALL_JOINTS.with(Clone::clone)
}

fn listed() -> Vec<Joint> {
    let mut joints = vec![Joint::Hips, Joint::Spine, Joint::Chest, Joint::Neck, Joint::Head];
    joints.extend([Joint::Forelock, Joint::Beard]);
    joints.extend(SIDES.iter().flat_map(|&side| [Joint::Ear(side, 0), Joint::Ear(side, 1)]));
    joints.extend([Joint::Bell]);
    joints.extend((0..3).map(Joint::ScarfFront));
    joints.extend((0..3).map(Joint::ScarfBack));
    for side in SIDES {
        joints.extend([
            Joint::Shoulder(side),
            Joint::UpperArm(side),
            Joint::LowerArm(side),
            Joint::Hand(side),
        ]);
        for finger in FINGERS {
            joints.extend([Joint::Finger(side, finger, 0), Joint::Finger(side, finger, 1)]);
        }
    }
    for side in SIDES {
        joints.extend([Joint::UpperLeg(side), Joint::LowerLeg(side), Joint::Foot(side), Joint::Toes(side)]);
    }
    joints.extend([Joint::Tail(0), Joint::Tail(1)]);
    joints.extend(SIDES.map(Joint::Eye));
    joints
}

/// Angle of the resting arms below the horizontal, in radians. It lies halfway between the extremes that clips use,
/// which bends the skin least.
pub(super) const ARM_DROOP: f32 = std::f32::consts::FRAC_PI_4;
pub(super) const UPPER_ARM_LENGTH: f32 = 0.165;
pub(super) const LOWER_ARM_LENGTH: f32 = 0.155;

pub(super) const SHOULDER: Vec3 = Vec3::new(0.125, 0.775, 0.0);
pub(super) const HIP: Vec3 = Vec3::new(0.075, 0.50, 0.0);
pub(super) const KNEE: Vec3 = Vec3::new(0.082, 0.295, 0.012);
pub(super) const ANKLE: Vec3 = Vec3::new(0.088, 0.095, -0.012);
pub(super) const BALL: Vec3 = Vec3::new(0.094, 0.038, 0.075);
pub(super) const HEEL: Vec3 = Vec3::new(0.084, 0.0, -0.085);
pub(super) const TOE_TIP: Vec3 = Vec3::new(0.100, 0.0, 0.165);

/// Middle of the ball of which the left eye would be a part. The eye's dome is as flat as a ball of this size.
pub(super) const EYE_MIDDLE: Vec3 = Vec3::new(0.066, 1.120, 0.012);
pub(super) const EAR_ROOT: Vec3 = Vec3::new(0.285, 1.235, -0.03);
pub(super) const EAR_TIP: Vec3 = Vec3::new(0.565, 1.165, -0.055);
pub(super) const TAIL_ROOT: Vec3 = Vec3::new(0.0, 0.550, -0.135);
pub(super) const TAIL_TIP: Vec3 = Vec3::new(0.0, 0.650, -0.265);
pub(super) const BELL_HANGER: Vec3 = Vec3::new(0.0, 0.775, 0.165);
/// Positions of the scarf's joints. The last point is the end of the cloth and not a joint.
pub(super) const SCARF_FRONT: [Vec3; 4] = [
    Vec3::new(0.084, 0.800, 0.130),
    Vec3::new(0.092, 0.735, 0.134),
    Vec3::new(0.092, 0.665, 0.148),
    Vec3::new(0.090, 0.590, 0.160),
];
/// The end at the back hangs over the left shoulder blade, clear of the tail.
pub(super) const SCARF_BACK: [Vec3; 4] = [
    Vec3::new(0.078, 0.815, -0.128),
    Vec3::new(0.098, 0.750, -0.126),
    Vec3::new(0.110, 0.690, -0.125),
    Vec3::new(0.118, 0.626, -0.132),
];

/// Returns the direction from the left shoulder to the left hand at rest.
pub(super) fn arm_direction() -> Vec3 {
    Vec3::new(ARM_DROOP.cos(), -ARM_DROOP.sin(), 0.0)
}

/// Returns the normal of the left palm at rest.
pub(super) fn palm_normal() -> Vec3 {
    Vec3::new(-ARM_DROOP.sin(), -ARM_DROOP.cos(), 0.0)
}

pub(super) fn elbow() -> Vec3 {
    SHOULDER + arm_direction() * UPPER_ARM_LENGTH
}

pub(super) fn wrist() -> Vec3 {
    elbow() + arm_direction() * LOWER_ARM_LENGTH
}

/// Returns a point of the left hand from its distances from the wrist: along the arm, forward and towards the palm.
pub(super) fn hand_point(along: f32, forward: f32, palmward: f32) -> Vec3 {
    wrist() + arm_direction() * along + Vec3::Z * forward + palm_normal() * palmward
}

/// Returns the root and the tip of a finger of the left hand.
pub(super) fn finger_line(finger: Finger) -> [Vec3; 2] {
    match finger {
        Finger::Thumb => [hand_point(0.030, 0.040, 0.010), hand_point(0.082, 0.088, 0.022)],
        Finger::Index => [hand_point(0.078, 0.032, 0.0), hand_point(0.146, 0.044, 0.006)],
        Finger::Middle => [hand_point(0.084, 0.0, 0.0), hand_point(0.156, 0.0, 0.006)],
        Finger::Little => [hand_point(0.074, -0.032, 0.0), hand_point(0.136, -0.044, 0.006)],
    }
}
