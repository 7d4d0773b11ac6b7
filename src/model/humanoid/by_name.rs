//! Roles of joints by their names.
use super::search::Search;
use super::words::{Reading, Word, read};
use super::{Finger, Part, Role, Side};
use crate::order::sort;

/// Readings of the names of all nodes that may be joints.
pub(super) struct Names {
    readings: Vec<Option<Reading>>,
}

impl Names {
    pub(super) fn new(search: &Search) -> Self {
        let nodes = search.model.nodes.iter().take(search.count).enumerate();
        let reading = |(at, node): (usize, &super::Node)| {
            if search.may_be_joint(at) { read(&node.name) } else { None }
        };
        Self { readings: nodes.map(reading).collect() }
    }

    pub(super) fn word(&self, node: usize) -> Option<Word> {
        self.readings.get(node)?.map(|reading| reading.word)
    }

    /// Finds the roles of limbs and head. Roles that are there stay.
    pub(super) fn find(&self, search: &mut Search) {
        for side in Side::BOTH {
            self.find_leg(search, side);
            self.find_arm(search, side);
            self.find_fingers(search, side);
        }
        let head = self.best(search, None, &[Word::Head], None);
        self.put(search, Role::HEAD, head);
    }

    fn find_leg(&self, search: &mut Search, side: Side) {
        let [upper, lower, foot, toes] =
            [Part::UpperLeg, Part::LowerLeg, Part::Foot, Part::Toes].map(|part| Role::of(side, part));
        let best = |search: &Search, words: &[Word], below| self.best(search, Some(side), words, below);
        self.put(search, upper, best(search, &[Word::UpperLeg, Word::Leg, Word::Hip], None));
        let Some(at) = search.node(upper) else { return };
        let found = best(search, &[Word::LowerLeg, Word::Leg], Some(at));
        self.put(search, lower, found.or_else(|| best(search, &[Word::LowerLeg], None)));
        let Some(at) = search.node(lower) else { return };
        let found = best(search, &[Word::Foot, Word::Leg], Some(at));
        self.put(search, foot, found.or_else(|| best(search, &[Word::Foot], None)));
        let Some(at) = search.node(foot) else { return };
        self.put(search, toes, best(search, &[Word::Toes, Word::Foot, Word::Leg], Some(at)));
    }

    fn find_arm(&self, search: &mut Search, side: Side) {
        let [shoulder, upper, lower, hand] =
            [Part::Shoulder, Part::UpperArm, Part::LowerArm, Part::Hand].map(|part| Role::of(side, part));
        let best = |search: &Search, words: &[Word], below| self.best(search, Some(side), words, below);
        self.put(search, upper, best(search, &[Word::UpperArm, Word::Arm, Word::Shoulder], None));
        let Some(at) = search.node(upper) else { return };
        let collar = best(search, &[Word::Collar, Word::Shoulder], None);
        self.put(search, shoulder, collar.filter(|&collar| search.is_below(at, collar)));
        let found = best(search, &[Word::LowerArm, Word::Arm], Some(at));
        self.put(search, lower, found.or_else(|| best(search, &[Word::LowerArm], None)));
        let Some(at) = search.node(lower) else { return };
        let found = best(search, &[Word::Hand, Word::Arm, Word::Palm], Some(at));
        self.put(search, hand, found.or_else(|| best(search, &[Word::Hand], None)));
    }

    /// Finds the joints of each finger. Fingers without names have the order of their numbers. A single one is taken
    /// for all fingers together.
    fn find_fingers(&self, search: &mut Search, side: Side) {
        let mut has_names = false;
        for finger in Finger::ALL {
            let word = Word::Finger(finger);
            let Some(first) = self.best(search, Some(side), &[word], None) else { continue };
            has_names = true;
            self.follow_finger(search, side, finger, first, word);
        }
        let mut roots = Vec::new();
        for (at, reading) in self.readings.iter().enumerate() {
            let Some(reading) = reading else { continue };
            let is_finger = |node: usize| self.word(node) == Some(Word::AnyFinger) && !search.is_taken(node);
            if reading.side == Some(side)
                && is_finger(at)
                && search.parent(at).is_none_or(|parent| !is_finger(parent))
            {
                roots.push((reading.number, at));
            }
        }
        if has_names || roots.len() > Finger::ALL.len() {
            return;
        }
        if let [(_, first)] = roots[..] {
            self.follow_finger(search, side, Finger::Middle, first, Word::AnyFinger);
            return;
        }
        sort(&mut roots, |a, b| a < b);
        for (finger, &(_, first)) in Finger::ALL.into_iter().zip(&roots) {
            self.follow_finger(search, side, finger, first, Word::AnyFinger);
        }
    }

    /// Gives a role to a node. Letters that the role doesn't account for make it less likely.
    fn put(&self, search: &mut Search, role: Role, node: Option<usize>) {
        let reading = node.and_then(|node| *self.readings.get(node)?);
        let spare = reading.map_or(0, |reading| reading.spare.min(10));
        search.found(role, node, 1.0 - 0.05 * spare as f32);
    }

    fn follow_finger(&self, search: &mut Search, side: Side, finger: Finger, first: usize, word: Word) {
        let mut at = Some(first);
        for nth in 0.. {
            let (Some(node), Some(role)) = (at, Role::finger(side, finger, nth)) else { return };
            self.put(search, role, Some(node));
            at = search.children(node).find(|&child| self.word(child) == Some(word));
        }
    }

    /// Returns the node whose name means one of the words, with as little else as possible. Earlier words and nodes
    /// nearer to the root are preferred. `below` limits it to the descendants of a node.
    fn best(
        &self,
        search: &Search,
        side: Option<Side>,
        words: &[Word],
        below: Option<usize>,
    ) -> Option<usize> {
        for &word in words {
            let mut best: Option<(usize, usize)> = None;
            for (at, reading) in self.readings.iter().enumerate() {
                let Some(reading) = reading else { continue };
                if reading.word != word || reading.side != side || search.is_taken(at) {
                    continue;
                }
                let cost = reading.spare + if search.is_joint(at) { 0 } else { 100 };
                if best.is_none_or(|(held, _)| cost < held)
                    && below.is_none_or(|above| search.is_below(at, above))
                {
                    best = Some((cost, at));
                }
            }
            if let Some((_, at)) = best {
                return Some(at);
            }
        }
        None
    }
}
