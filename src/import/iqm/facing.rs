//! Detects which way a character faces, from the names and positions of its left and right joints.
//!
//! The format doesn't define it: Quake's models face +x, Blender's −y, others +y. In glTF, models face +z.
use glam::{Quat, Vec3};
use std::collections::BTreeMap;
use std::f32::consts::FRAC_1_SQRT_2;

/// Returns the rotation that turns a character to face +z, and a node name after the axis of the file that it faces.
///
/// `None` if the character faces +z already, or if the joints leave its direction open. `joints` are names and
/// positions at rest, with y up.
pub(super) fn turn<'a>(joints: impl Iterator<Item = (&'a str, Vec3)>) -> Option<(&'static str, Quat)> {
    let mut sides: BTreeMap<String, [Option<Vec3>; 2]> = BTreeMap::new();
    for (name, place) in joints {
        let Some((side, rest)) = side_of(name) else { continue };
        if let Some(slot @ None) = sides.entry(rest).or_default().get_mut(side as usize) {
            *slot = Some(place);
        }
    }
    let (mut left_from_right, mut reach) = (Vec3::ZERO, 0.0);
    for pair in sides.into_values() {
        if let [Some(left), Some(right)] = pair {
            left_from_right += left - right;
            reach += left.distance(right);
        }
    }
    if !(reach > 0.0 && reach.is_finite()) {
        return None;
    }
    // Pairs that contradict each other, or that lie askew, leave the direction open.
    const CLEAR: f32 = 0.8;
    let clear = CLEAR * reach;
    let Vec3 { x, z, .. } = left_from_right;
    // The left of a character that faces +z is at +x.
    if -z >= clear {
        Some(("X_FRONT", Quat::from_xyzw(0.0, -FRAC_1_SQRT_2, 0.0, FRAC_1_SQRT_2)))
    } else if z >= clear {
        Some(("-X_FRONT", Quat::from_xyzw(0.0, FRAC_1_SQRT_2, 0.0, FRAC_1_SQRT_2)))
    } else if -x >= clear {
        Some(("Y_FRONT", Quat::from_xyzw(0.0, 1.0, 0.0, 0.0)))
    } else {
        None
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Side {
    Left,
    Right,
}

/// Returns the side in a joint's name, and the name without it, which matches that of the joint on the other side.
///
/// The side must be a separate word, as in `Hand.L`, `l_hand`, `LeftHand` and `Bip01 R Thigh`.
fn side_of(name: &str) -> Option<(Side, String)> {
    let mut side = None;
    let mut rest = String::new();
    for word in words(name) {
        let found = match word.to_ascii_lowercase().as_str() {
            "l" | "left" => Some(Side::Left),
            "r" | "right" => Some(Side::Right),
            _ => None,
        };
        match (side, found) {
            (None, Some(_)) => side = found,
            _ => {
                rest.push('.');
                rest.extend(word.chars().map(|letter| letter.to_ascii_lowercase()));
            }
        }
    }
    side.map(|side| (side, rest))
}

/// Splits a name into words: at characters that are neither letters nor digits, between letters and digits, and
/// before a capital that follows a lower-case letter.
fn words(name: &str) -> impl Iterator<Item = &str> {
    let parts = name.split(|letter: char| !letter.is_alphanumeric());
    parts.flat_map(|part| {
        let mut rest = part;
        std::iter::from_fn(move || {
            if rest.is_empty() {
                return None;
            }
            let pairs = rest.char_indices().zip(rest.chars().skip(1));
            let mut borders = pairs.filter(|((_, letter), next)| {
                letter.is_lowercase() && next.is_uppercase() || letter.is_numeric() != next.is_numeric()
            });
            let end = borders.next().map_or(rest.len(), |((at, letter), _)| at + letter.len_utf8());
            let (word, after) = rest.split_at_checked(end)?;
            rest = after;
            Some(word)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_side_is_a_word_of_its_own() {
        for (name, side, rest) in [
            ("Hand.L", Side::Left, ".hand"),
            ("l_hand", Side::Left, ".hand"),
            ("LeftHand", Side::Left, ".hand"),
            ("handLeft", Side::Left, ".hand"),
            ("Bip01 R Thigh", Side::Right, ".bip.01.thigh"),
            ("Finger.R.002", Side::Right, ".finger.002"),
            ("arm_r.001", Side::Right, ".arm.001"),
            ("mixamorig:RightFoot", Side::Right, ".mixamorig.foot"),
        ] {
            assert_eq!(side_of(name), Some((side, rest.to_owned())), "{name}");
        }
        for name in ["", "Hip", "Leftover", "lower", "Rib", "Root", "är"] {
            assert_eq!(side_of(name), None, "{name}");
        }
    }

    #[test]
    fn what_faces_any_axis_is_turned_to_face_z() {
        for (left, name) in [
            (Vec3::X, None),
            (Vec3::NEG_X, Some("Y_FRONT")),
            (Vec3::Z, Some("-X_FRONT")),
            (Vec3::NEG_Z, Some("X_FRONT")),
        ] {
            let places = [("head", Vec3::Y), ("hand.l", Vec3::Y + left), ("hand.r", Vec3::Y - left * 1.1)];
            let turned = turn(places.into_iter());
            assert_eq!(turned.map(|(name, _)| name), name);
            let to_left = turned.map_or(left, |(_, turn)| turn * left);
            assert!(to_left.abs_diff_eq(Vec3::X, 1e-6), "{left} becomes {to_left}");
        }
    }

    #[test]
    fn joints_that_do_not_tell_turn_nothing() {
        let askew = Vec3::new(-1.0, 0.0, -1.0);
        for places in [
            vec![("a", Vec3::NEG_X), ("b", Vec3::X)],
            vec![("hand.l", Vec3::NEG_X), ("foot.r", Vec3::X)],
            vec![("hand.l", Vec3::ONE), ("hand.r", Vec3::ONE)],
            vec![("hand.l", askew), ("hand.r", -askew)],
            // One pair each way.
            vec![("hand.l", Vec3::NEG_X), ("hand.r", Vec3::X), ("foot.l", Vec3::X), ("foot.r", Vec3::NEG_X)],
            vec![("hand.l", Vec3::splat(f32::MAX)), ("hand.r", Vec3::splat(f32::MIN))],
            vec![("hand.l", Vec3::NAN), ("hand.r", Vec3::X)],
        ] {
            assert_eq!(turn(places.clone().into_iter()), None, "{places:?}");
        }
    }
}
