//! Transitions that could follow each other for ever without any time passing: a character would flicker.
use crate::playback::{Interrupt, Machine, ParameterIndex, Test, Transition};

/// How many transitions may be looked at, in the whole document. What isn't found by then is left to the run time,
/// which takes but so many transitions a step.
pub(super) struct Budget(usize);

impl Default for Budget {
    fn default() -> Self {
        Self(200_000)
    }
}

pub(super) struct Cycle<'a> {
    /// One of those in it.
    pub(super) transition: usize,
    /// The names of the states; the first is the last too.
    pub(super) states: Vec<&'a str>,
}

/// Walks along transitions that take no time, with what their conditions leave of each parameter's values, until a
/// state comes again.
///
/// A trigger ends such a walk: the transition that it fires unsets it.
pub(super) fn find_cycle<'a>(
    machine: &'a Machine,
    parameter_count: usize,
    budget: &mut Budget,
) -> Option<Cycle<'a>> {
    let instant: Vec<usize> = (0..)
        .zip(&machine.transitions)
        .filter(|(_, transition)| takes_no_time(transition))
        .map(|(index, _)| index)
        .collect();
    let allowed = vec![(f32::MIN, f32::MAX); parameter_count];
    let mut walk = Walk { machine, instant, allowed, path: Vec::new(), budget };
    let start = (0..machine.states.len()).find(|&state| walk.returns(state, state))?;
    let state_names = walk.path.iter().map(|&(state, _)| state).chain([start]);
    Some(Cycle {
        transition: walk.path.first()?.1,
        states: state_names.filter_map(|state| Some(machine.states.get(state)?.name.as_str())).collect(),
    })
}

struct Walk<'m, 'b> {
    machine: &'m Machine,
    instant: Vec<usize>,
    /// From, to, both included: what each parameter may be for all conditions on the path to hold.
    allowed: Vec<(f32, f32)>,
    /// States, and the transition by which each was left.
    path: Vec<(usize, usize)>,
    budget: &'b mut Budget,
}

impl Walk<'_, '_> {
    /// Whether a way from `state` leads back to `start`. States before `start` were tried already.
    fn returns(&mut self, start: usize, state: usize) -> bool {
        for nth in 0..self.instant.len() {
            let Some(left) = self.budget.0.checked_sub(1) else { return false };
            self.budget.0 = left;
            let index = self.instant.get(nth).copied().unwrap_or_default();
            let Some(transition) = self.machine.transitions.get(index) else { continue };
            let leaves = if transition.from.is_empty() {
                transition.to != state
            } else {
                transition.from.contains(&state)
            };
            let seen = self.path.iter().any(|&(passed, _)| passed == transition.to);
            if !leaves || transition.to < start || seen && transition.to != start {
                continue;
            }
            let before = self.allowed.clone();
            if self.narrow(transition) {
                self.path.push((state, index));
                if transition.to == start || self.returns(start, transition.to) {
                    return true;
                }
                self.path.pop();
            }
            self.allowed = before;
        }
        false
    }

    /// Whether there are values left by which its conditions hold too.
    fn narrow(&mut self, transition: &Transition) -> bool {
        transition.conditions.iter().all(|condition| {
            let ParameterIndex(index) = condition.parameter;
            let Some((from, to)) = self.allowed.get_mut(index) else { return false };
            let (least, most) = match condition.test {
                Test::Above(limit) => (limit.next_up(), f32::MAX),
                Test::AtLeast(limit) => (limit, f32::MAX),
                Test::Below(limit) => (f32::MIN, limit.next_down()),
                Test::AtMost(limit) => (f32::MIN, limit),
                Test::Is(expected) => (f32::from(expected), f32::from(expected)),
                Test::Fired => return false,
            };
            *from = from.max(least);
            *to = to.min(most);
            *from <= *to
        })
    }
}

/// Nothing to wait for before it, and nothing after it before the next.
fn takes_no_time(transition: &Transition) -> bool {
    let waits = transition.exit_passes.is_some_and(|passes| passes > 0.0);
    let fades =
        transition.fade_secs > 0.0 && !matches!(transition.interrupt, Interrupt::Target | Interrupt::Either);
    let is_fired = transition.conditions.iter().any(|condition| condition.test == Test::Fired);
    !waits && !fades && !is_fired
}
