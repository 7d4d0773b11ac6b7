//! The joints between the limbs: hips, torso, neck and head.
use super::by_name::Names;
use super::search::Search;
use super::words::Word;
use super::{Part, Role, RoleReason, Side};

const BY_PLACE: f32 = 0.9;
const BY_LENGTH: f32 = 0.6;

/// Finds hips, torso, neck and head from the places of arms and legs. Roles that are there stay.
///
/// ```text
///                           ╭─ neck ─ head          hips: where the legs and the torso meet
///  hips ─ spine ─ … ─ chest ┼─ arm                  chest: where the arms meet
///   ╰─ legs                 ╰─ arm                  torso and neck: what is between
/// ```
pub(super) fn find_middle(search: &mut Search, names: &Names) {
    let limb = |search: &Search, side, parts: [Part; 2]| {
        parts.into_iter().find_map(|part| search.node(Role::of(side, part)))
    };
    let [left_leg, right_leg] = Side::BOTH.map(|side| limb(search, side, [Part::UpperLeg, Part::UpperLeg]));
    let [left_arm, right_arm] = Side::BOTH.map(|side| limb(search, side, [Part::Shoulder, Part::UpperArm]));
    let (Some(left_leg), Some(right_leg), Some(left_arm), Some(right_arm)) =
        (left_leg, right_leg, left_arm, right_arm)
    else {
        return;
    };
    let Some(mut chest) = search.meeting(left_arm, right_arm) else { return };
    // Arms may hang from the neck.
    while let (Some(Word::Neck | Word::Head), Some(parent)) = (names.word(chest), search.parent(chest)) {
        chest = parent;
    }
    let legs = search.meeting(left_leg, right_leg);
    let hips = legs.and_then(|legs| search.meeting(legs, chest));
    put(search, names, Role::HIPS, hips.map(|hips| named_hips(search, names, hips)));
    let Some(hips) = search.node(Role::HIPS) else { return };
    let torso = search.path(hips, chest).unwrap_or_default();
    let (first, last) = (torso.first().copied(), torso.last().copied());
    match torso.len() {
        0 => {}
        1 => put(search, names, Role::CHEST, last),
        2 => {
            put(search, names, Role::SPINE, first);
            put(search, names, Role::CHEST, last);
        }
        count => {
            put(search, names, Role::SPINE, first);
            put(search, names, Role::CHEST, torso.get(count / 2).copied());
            put(search, names, Role::UPPER_CHEST, last);
        }
    }
    let head = head_by_length(search, names, chest);
    search.found(Role::HEAD, head, BY_LENGTH);
    let neck = search.node(Role::HEAD).and_then(|head| search.path(chest, head)).unwrap_or_default();
    if let [neck, _, ..] = neck[..] {
        put(search, names, Role::NECK, Some(neck));
    }
}

/// Returns the node that is called hips, at a node or shortly above it: legs may hang from the first joint of the
/// spine.
fn named_hips(search: &Search, names: &Names, hips: usize) -> usize {
    let above = search.parent(hips);
    let further = above.and_then(|above| search.parent(above));
    let candidates = [Some(hips), above, further].into_iter().flatten();
    candidates.into_iter().find(|&node| names.word(node) == Some(Word::Hips)).unwrap_or(hips)
}

/// Gives a role to the node at its place. A name of that meaning makes it certain.
fn put(search: &mut Search, names: &Names, role: Role, node: Option<usize>) {
    let word = match role {
        Role::HIPS => Word::Hips,
        Role::NECK => Word::Neck,
        _ => Word::Torso,
    };
    let is_named = node.is_some_and(|node| names.word(node) == Some(word));
    search.reason = if is_named { RoleReason::Name } else { RoleReason::Place };
    search.found(role, node, if is_named { 1.0 } else { BY_PLACE });
    search.reason = RoleReason::Place;
}

/// Returns the end of the joints above the chest that no arm has: as far as each has only one child, or as names say
/// that they are parts of the spine.
fn head_by_length(search: &Search, names: &Names, chest: usize) -> Option<usize> {
    let holds_arm = |node: usize| {
        let arms = Side::BOTH.map(|side| search.node(Role::of(side, Part::UpperArm)));
        arms.into_iter().flatten().any(|arm| search.is_below(arm, node) || arm == node)
    };
    let mut head = None;
    let mut at = chest;
    loop {
        let mut free = search.children(at).filter(|&child| !search.is_taken(child) && !holds_arm(child));
        let first = free.next();
        let is_only = free.next().is_none();
        let spine =
            search.children(at).find(|&child| names.word(child) == Some(Word::Torso) && !holds_arm(child));
        let Some(next) = spine.or(first.filter(|_| is_only)) else { return head };
        if search.place(next).y < search.place(chest).y && head.is_none() {
            return None;
        }
        // An unnamed end of the head isn't the head.
        let is_joint = search.is_joint(next) || search.model.skins.is_empty();
        if head.is_some() && (!is_joint || search.place(next) == search.place(at)) {
            return head;
        }
        head = Some(next);
        at = next;
    }
}
