//! What the name of a joint tells about its place in the body.
//!
//! ```text
//! mixamorig:LeftForeArm  ─▶ left fore arm     ─▶ lower arm, left
//! Bip01_L_UpperArm       ─▶ l upper arm       ─▶ upper arm, left
//! lloarm                 ─▶ l loarm           ─▶ lower arm, left
//! upperarm_twist_01_l    ─▶ … twist …         ─▶ nothing: a helper
//! ```
use super::{Finger, Side};

/// What a name calls a joint. Some names mean different joints in different files, so that only the joints around it
/// tell the role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word {
    Hips,
    Torso,
    Neck,
    Head,
    Collar,
    Shoulder,
    UpperArm,
    LowerArm,
    /// Any joint of an arm.
    Arm,
    Hand,
    Palm,
    Hip,
    UpperLeg,
    LowerLeg,
    /// Any joint of a leg.
    Leg,
    Foot,
    Toes,
    Finger(Finger),
    /// A finger without a name, which may have a number.
    AnyFinger,
}

/// A name that means a part of the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reading {
    pub(super) word: Word,
    pub(super) side: Option<Side>,
    /// Number of letters that the word and the side don't account for.
    pub(super) spare: usize,
    /// The first number in the name.
    pub(super) number: u32,
}

/// Parts of names, the more specific before those that they contain.
const WORDS: &[(&str, Word)] = &[
    ("thumb", Word::Finger(Finger::Thumb)),
    ("index", Word::Finger(Finger::Index)),
    ("pointer", Word::Finger(Finger::Index)),
    ("middle", Word::Finger(Finger::Middle)),
    ("pinky", Word::Finger(Finger::Little)),
    ("pinkie", Word::Finger(Finger::Little)),
    ("little", Word::Finger(Finger::Little)),
    ("finger", Word::AnyFinger),
    ("upperarm", Word::UpperArm),
    ("uparm", Word::UpperArm),
    ("armupper", Word::UpperArm),
    ("bicep", Word::UpperArm),
    ("forearm", Word::LowerArm),
    ("lowerarm", Word::LowerArm),
    ("lowarm", Word::LowerArm),
    ("loarm", Word::LowerArm),
    ("armlower", Word::LowerArm),
    ("elbow", Word::LowerArm),
    ("hand", Word::Hand),
    ("wrist", Word::Hand),
    ("fist", Word::Hand),
    ("palm", Word::Palm),
    ("upperleg", Word::UpperLeg),
    ("upleg", Word::UpperLeg),
    ("legupper", Word::UpperLeg),
    ("thigh", Word::UpperLeg),
    ("lowerleg", Word::LowerLeg),
    ("lowleg", Word::LowerLeg),
    ("loleg", Word::LowerLeg),
    ("leglower", Word::LowerLeg),
    ("calf", Word::LowerLeg),
    ("shin", Word::LowerLeg),
    ("knee", Word::LowerLeg),
    ("toe", Word::Toes),
    ("ball", Word::Toes),
    ("foot", Word::Foot),
    ("ankle", Word::Foot),
    ("clavicle", Word::Collar),
    ("collar", Word::Collar),
    ("shoulder", Word::Shoulder),
    ("shldr", Word::Shoulder),
    ("leg", Word::Leg),
    ("arm", Word::Arm),
    ("pelvis", Word::Hips),
    ("hips", Word::Hips),
    ("hip", Word::Hip),
    ("neck", Word::Neck),
    ("head", Word::Head),
    ("spine", Word::Torso),
    ("chest", Word::Torso),
    ("torso", Word::Torso),
    ("abdomen", Word::Torso),
    ("waist", Word::Torso),
    ("tummy", Word::Torso),
    ("belly", Word::Torso),
    ("back", Word::Torso),
    ("body", Word::Torso),
];

/// Words that tell nothing.
const FILLERS: [&str; 17] = [
    "mixamorig",
    "armature",
    "skeleton",
    "joint",
    "bone",
    "bip",
    "biped",
    "valve",
    "valvebiped",
    "def",
    "jnt",
    "rig",
    "base",
    "cc",
    "j",
    "b",
    "f",
];

/// Words of helpers that aren't parts of the body: handles of inverse kinematics, ends, twists and things held.
const HELPERS: [&str; 22] = [
    "ik",
    "fk",
    "pole",
    "target",
    "control",
    "ctrl",
    "twist",
    "roll",
    "end",
    "nub",
    "tip",
    "helper",
    "slot",
    "goal",
    "null",
    "mch",
    "org",
    "vis",
    "socket",
    "effector",
    "site",
    "metacarpal",
];

/// Reads a name. `None` if it isn't that of a part of the body.
pub(super) fn read(name: &str) -> Option<Reading> {
    let own = name.rsplit([':', '|', '/']).next().unwrap_or_default();
    let mut letters = String::new();
    let (mut side, mut number, mut is_ring) = (None, None, false);
    for token in tokens(own) {
        if let Ok(read) = token.parse::<u32>() {
            number = number.or(Some(read));
            continue;
        }
        // The metacarpal of a thumb is the first of its three joints.
        let is_thumb = token == "metacarpal" && letters.contains("thumb");
        match token.as_str() {
            "l" | "left" | "lft" => side = Some(Side::Left),
            "r" | "right" | "rgt" => side = Some(Side::Right),
            helper if HELPERS.contains(&helper) && !is_thumb => return None,
            "ring" => is_ring = true,
            filler if FILLERS.contains(&filler) => {}
            word => letters += word,
        }
    }
    for (word, of) in [("left", Side::Left), ("right", Side::Right)] {
        if side.is_none() && letters.contains(word) {
            letters = letters.replacen(word, "", 1);
            side = Some(of);
        }
    }
    let number = number.unwrap_or(0);
    if is_ring {
        return Some(Reading { word: Word::Finger(Finger::Ring), side, spare: 0, number });
    }
    // A letter before a word may be the side, as in `lloarm`.
    if side.is_none() && starts(&letters).is_none() {
        let of = match letters.chars().next() {
            Some('l') => Some(Side::Left),
            Some('r') => Some(Side::Right),
            _ => None,
        };
        if of.is_some() && starts(letters.get(1..).unwrap_or_default()).is_some() {
            letters.remove(0);
            side = of;
        }
    }
    let &(part, word) = WORDS.iter().find(|(part, _)| letters.contains(part))?;
    let word = if word == Word::Hip && side.is_none() { Word::Hips } else { word };
    Some(Reading { word, side, spare: letters.len() - part.len(), number })
}

fn starts(letters: &str) -> Option<Word> {
    WORDS.iter().find(|(part, _)| letters.starts_with(part)).map(|&(_, word)| word)
}

/// Splits a name into words in lower case and numbers. Letters beyond ASCII belong to words, and have no case.
fn tokens(name: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let letters: Vec<char> = name.chars().collect();
    let mut is_inside = false;
    for (at, &letter) in letters.iter().enumerate() {
        if letter.is_ascii() && !letter.is_ascii_alphanumeric() {
            is_inside = false;
            continue;
        }
        let before = at.checked_sub(1).map_or(' ', |at| letters[at]);
        let after = letters.get(at + 1).copied().unwrap_or(' ');
        let is_start = letter.is_ascii_digit() != before.is_ascii_digit()
            || letter.is_ascii_uppercase() && (before.is_ascii_lowercase() || after.is_ascii_lowercase());
        if !is_inside || is_start {
            tokens.push(String::new());
        }
        is_inside = true;
        if let Some(token) = tokens.last_mut() {
            token.push(letter.to_ascii_lowercase());
        }
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_many_programs_are_read() {
        use Side::{Left, Right};
        for (name, word, side, spare) in [
            ("mixamorig:LeftForeArm", Word::LowerArm, Some(Left), 0),
            ("mixamorigRightHandRing2", Word::Finger(Finger::Ring), Some(Right), 0),
            ("mixamorig9:Hips", Word::Hips, None, 0),
            ("Bip01 L UpperArm", Word::UpperArm, Some(Left), 0),
            ("Bip001 R Finger02", Word::AnyFinger, Some(Right), 0),
            ("ValveBiped.Bip01_R_Calf", Word::LowerLeg, Some(Right), 0),
            ("J_Bip_L_UpperLeg", Word::UpperLeg, Some(Left), 0),
            ("CC_Base_R_Clavicle", Word::Collar, Some(Right), 0),
            ("DEF-upper_arm.L.001", Word::UpperArm, Some(Left), 0),
            ("DEF-f_index.01.R", Word::Finger(Finger::Index), Some(Right), 0),
            ("lloarm", Word::LowerArm, Some(Left), 0),
            ("rupleg", Word::UpperLeg, Some(Right), 0),
            ("lballfoot", Word::Toes, Some(Left), 4),
            ("lShldrBend", Word::Shoulder, Some(Left), 4),
            ("LHipJoint", Word::Hip, Some(Left), 0),
            ("lowerarm01.R", Word::LowerArm, Some(Right), 0),
            ("leftThumbMetacarpal", Word::Finger(Finger::Thumb), Some(Left), 10),
            ("LeftUpLeg", Word::UpperLeg, Some(Left), 0),
            ("leftupleg", Word::UpperLeg, Some(Left), 0),
            ("Armature_leg_l", Word::Leg, Some(Left), 0),
            ("Skeleton_arm_joint_R__2_", Word::Arm, Some(Right), 0),
            ("LegRight", Word::Leg, Some(Right), 0),
            ("pinky_01_l", Word::Finger(Finger::Little), Some(Left), 0),
            ("hip", Word::Hips, None, 0),
        ] {
            let found = read(name).unwrap_or_else(|| panic!("{name}"));
            assert_eq!((found.word, found.side, found.spare), (word, side, spare), "{name}");
        }
    }

    #[test]
    fn helpers_and_other_things_are_no_parts() {
        for name in [
            "upperarm_twist_01_l",
            "ik_hand_root",
            "HeadTop_End",
            "Foot.L_end",
            "control-toe-roll.l",
            "hand_slot.r",
            "PoleTarget.L",
            "index_metacarpal_l",
            "RootNode",
            "Armature",
            "Ear.L",
            "tail_02",
            "rib",
            "joint 3",
            "",
        ] {
            assert_eq!(read(name), None, "{name}");
        }
    }

    #[test]
    fn words_are_split_at_marks_case_and_numbers() {
        assert_eq!(tokens("LHipJoint"), ["l", "hip", "joint"]);
        assert_eq!(tokens("Bip01_L_Finger02"), ["bip", "01", "l", "finger", "02"]);
        assert_eq!(tokens("upperArm.L.001"), ["upper", "arm", "l", "001"]);
    }
}
