//! Roles of joints by the shape of the hierarchy: two pairs of equal chains, of which the lower are legs.
use super::search::Search;
use super::{Part, Role, Side};
use glam::Vec3;

/// Confidence in limbs that only their shape tells.
const BY_SHAPE: f32 = 0.5;
/// Confidence in joints that follow from those above them.
const BY_PLACE: f32 = 0.7;

/// Chains below two children of a node that are as long as each other.
#[derive(Clone, Copy)]
struct Pair {
    above: usize,
    roots: [usize; 2],
    length: f32,
    /// Height of the ends in model space, y up.
    end_height: f32,
}

/// Finds arms and legs. Roles that are there stay.
pub(super) fn find_limbs(search: &mut Search) {
    let pairs = pairs(search);
    let lowest = |a: &Pair, b: &Pair| {
        let reach = |pair: &Pair| pair.length - pair.end_height;
        reach(a).total_cmp(&reach(b))
    };
    let Some(&legs) = pairs.iter().max_by(|a, b| lowest(a, b)) else { return };
    let is_other = |pair: &&Pair| {
        let [leg, other] = legs.roots;
        let is_apart = |root: usize| {
            root != leg && root != other && !search.is_below(root, leg) && !search.is_below(root, other)
        };
        is_apart(pair.roots[0])
            && is_apart(pair.roots[1])
            && search.place(pair.above).y >= search.place(legs.above).y
    };
    let Some(&arms) =
        pairs.iter().filter(is_other).max_by(|a: &&Pair, b: &&Pair| a.length.total_cmp(&b.length))
    else {
        return;
    };
    for (pair, is_legs) in [(legs, true), (arms, false)] {
        let [first, second] = pair.roots.map(|root| chain(search, root));
        // Characters look along z, so their left is along x.
        let x = |chain: &[usize]| chain.iter().map(|&node| search.place(node).x).sum::<f32>();
        let sides = if x(&first) >= x(&second) { [first, second] } else { [second, first] };
        for (side, chain) in Side::BOTH.into_iter().zip(sides) {
            let parts: &[Part] = match (is_legs, chain.len()) {
                (true, _) => &[Part::UpperLeg, Part::LowerLeg, Part::Foot, Part::Toes],
                // An arm with a joint before the shoulder has four joints, and fingers make it longer.
                (false, 4..) => &[Part::Shoulder, Part::UpperArm, Part::LowerArm, Part::Hand],
                (false, _) => &[Part::UpperArm, Part::LowerArm, Part::Hand],
            };
            for (&part, &node) in parts.iter().zip(&chain) {
                search.found(Role::of(side, part), Some(node), BY_SHAPE);
            }
        }
    }
}

/// Finds the joints that end or follow a known part of a limb.
pub(super) fn complete_limbs(search: &mut Search) {
    for side in Side::BOTH {
        for part in [Part::LowerLeg, Part::Foot, Part::LowerArm, Part::Hand] {
            let role = Role::of(side, part);
            let above = role.parent().and_then(|above| search.node(above));
            if let (None, Some(above)) = (search.node(role), above) {
                let next = next(search, above);
                search.found(role, next, BY_PLACE);
            }
        }
    }
}

fn pairs(search: &Search) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for above in 0..search.count {
        let mut chains: Vec<(usize, f32, Vec3, Vec3)> = Vec::new();
        // More children than a hand has fingers aren't limbs.
        for root in search.children(above).take(12) {
            let chain = chain(search, root);
            let length = length(search, &chain);
            if let (true, Some(&end)) = (chain.len() >= 2 && length > 0.0, chain.last()) {
                chains.push((root, length, search.place(root), search.place(end)));
            }
        }
        for (at, &(a, length, start, end)) in chains.iter().enumerate() {
            for &(b, other, other_start, other_end) in &chains[at + 1..] {
                let apart = start.distance(other_start).max(end.distance(other_end));
                if (length - other).abs() < 0.2 * length.max(other) && apart > 0.2 * length {
                    let end_height = (end.y + other_end.y) / 2.0;
                    pairs.push(Pair { above, roots: [a, b], length: length.min(other), end_height });
                }
            }
        }
    }
    pairs
}

/// Returns a node and those below it, each the start of the longest way down.
fn chain(search: &Search, root: usize) -> Vec<usize> {
    let mut chain = vec![root];
    let mut at = root;
    // Longer chains are no limbs.
    while let (Some(node), 0..16) = (next(search, at), chain.len()) {
        chain.push(node);
        at = node;
    }
    chain
}

/// Returns the child of a node that is farthest away, among those without a role.
fn next(search: &Search, node: usize) -> Option<usize> {
    let away = |child: usize| search.place(child).distance_squared(search.place(node));
    let free = search.children(node).filter(|&child| !search.is_taken(child));
    free.max_by(|&a, &b| away(a).total_cmp(&away(b)))
}

fn length(search: &Search, chain: &[usize]) -> f32 {
    chain.windows(2).map(|pair| search.place(pair[0]).distance(search.place(pair[1]))).sum()
}
