//! Names of the parts of a humanoid body, independent of any file.

/// A side of the body, as the character sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Left,
    Right,
}

impl Side {
    pub const BOTH: [Self; 2] = [Self::Left, Self::Right];
}

/// Part of an arm or a leg.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Shoulder,
    UpperArm,
    LowerArm,
    Hand,
    UpperLeg,
    LowerLeg,
    Foot,
    Toes,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finger {
    Thumb,
    Index,
    Middle,
    Ring,
    Little,
}

impl Finger {
    pub const ALL: [Self; 5] = [Self::Thumb, Self::Index, Self::Middle, Self::Ring, Self::Little];
}

/// What a joint is in a humanoid body. The names are those of VRM 1.0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Role(u8);

/// Roles of the middle come first, then those of the left, then those of the right.
const MIDDLE: u8 = 6;
const SIDE: u8 = 23;
const PARTS: u8 = 8;

impl Role {
    /// Joint that carries the legs and the torso.
    pub const HIPS: Self = Self(0);
    pub const SPINE: Self = Self(1);
    pub const CHEST: Self = Self(2);
    pub const UPPER_CHEST: Self = Self(3);
    pub const NECK: Self = Self(4);
    pub const HEAD: Self = Self(5);

    pub const COUNT: usize = NAMES.len();

    pub const fn of(side: Side, part: Part) -> Self {
        Self(MIDDLE + side as u8 * SIDE + part as u8)
    }

    /// Returns the role of a joint of a finger: 0 at the palm, 2 at the tip. `None` for other numbers.
    pub fn finger(side: Side, finger: Finger, nth: usize) -> Option<Self> {
        (nth < 3).then(|| Self(MIDDLE + side as u8 * SIDE + PARTS + finger as u8 * 3 + nth as u8))
    }

    pub fn all() -> impl Iterator<Item = Self> {
        (0..Self::COUNT as u8).map(Self)
    }

    /// Returns the role with a name such as `leftUpperArm`.
    pub fn named(name: &str) -> Option<Self> {
        Self::all().find(|role| role.name() == name)
    }

    pub fn name(self) -> &'static str {
        NAMES[self.index()]
    }

    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// Returns the role above this one in a complete body. The hips have none.
    pub fn parent(self) -> Option<Self> {
        if self.0 < MIDDLE {
            return self.0.checked_sub(1).map(Self);
        }
        let (side, within) = ((self.0 - MIDDLE) / SIDE, (self.0 - MIDDLE) % SIDE);
        let beside = |within: u8| Self(MIDDLE + side * SIDE + within);
        Some(match within {
            0 => Self::UPPER_CHEST,
            4 => Self::HIPS,
            1..PARTS => beside(within - 1),
            _ if (within - PARTS).is_multiple_of(3) => beside(Part::Hand as u8),
            _ => beside(within - 1),
        })
    }
}

const NAMES: [&str; 52] = [
    "hips",
    "spine",
    "chest",
    "upperChest",
    "neck",
    "head",
    "leftShoulder",
    "leftUpperArm",
    "leftLowerArm",
    "leftHand",
    "leftUpperLeg",
    "leftLowerLeg",
    "leftFoot",
    "leftToes",
    "leftThumbMetacarpal",
    "leftThumbProximal",
    "leftThumbDistal",
    "leftIndexProximal",
    "leftIndexIntermediate",
    "leftIndexDistal",
    "leftMiddleProximal",
    "leftMiddleIntermediate",
    "leftMiddleDistal",
    "leftRingProximal",
    "leftRingIntermediate",
    "leftRingDistal",
    "leftLittleProximal",
    "leftLittleIntermediate",
    "leftLittleDistal",
    "rightShoulder",
    "rightUpperArm",
    "rightLowerArm",
    "rightHand",
    "rightUpperLeg",
    "rightLowerLeg",
    "rightFoot",
    "rightToes",
    "rightThumbMetacarpal",
    "rightThumbProximal",
    "rightThumbDistal",
    "rightIndexProximal",
    "rightIndexIntermediate",
    "rightIndexDistal",
    "rightMiddleProximal",
    "rightMiddleIntermediate",
    "rightMiddleDistal",
    "rightRingProximal",
    "rightRingIntermediate",
    "rightRingDistal",
    "rightLittleProximal",
    "rightLittleIntermediate",
    "rightLittleDistal",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_have_the_names_that_they_are_found_by() {
        for role in Role::all() {
            assert_eq!(Role::named(role.name()), Some(role));
        }
        assert_eq!(Role::of(Side::Left, Part::Shoulder).name(), "leftShoulder");
        assert_eq!(Role::of(Side::Right, Part::Toes).name(), "rightToes");
        assert_eq!(Role::finger(Side::Left, Finger::Thumb, 0).unwrap().name(), "leftThumbMetacarpal");
        assert_eq!(Role::finger(Side::Right, Finger::Little, 2).unwrap().name(), "rightLittleDistal");
        assert_eq!(Role::finger(Side::Right, Finger::Little, 3), None);
    }

    #[test]
    fn every_role_hangs_from_the_hips() {
        let parent = |name: &str| Role::named(name).unwrap().parent().map(Role::name);
        assert_eq!(parent("hips"), None);
        assert_eq!(parent("leftShoulder"), Some("upperChest"));
        assert_eq!(parent("rightUpperLeg"), Some("hips"));
        assert_eq!(parent("rightFoot"), Some("rightLowerLeg"));
        assert_eq!(parent("rightRingProximal"), Some("rightHand"));
        assert_eq!(parent("leftRingDistal"), Some("leftRingIntermediate"));
        for role in Role::all() {
            assert!(role.parent().is_none_or(|parent| parent.index() < role.index()));
        }
    }
}
