//! Detection of transitions that could follow each other forever without any time passing, which would flicker.
use crate::playback::{Interrupt, Machine, ParameterIndex, Test, Transition};

/// Number of transitions that may still be examined in the whole document. Cycles that aren't found within it are
/// ended at run time by a limit of transitions per step.
pub(super) struct Budget(usize);

impl Default for Budget {
    fn default() -> Self {
        Self(200_000)
    }
}

/// Finds a cycle of transitions that take no time and whose conditions can all hold.
///
/// Walks along such transitions, narrowing the range of each parameter by their conditions, until the first
/// transition is reached again. A trigger ends a walk, since the transition that it fires resets it.
///
/// Returns the index of the first transition, and the names of the states, with the first one repeated at the end.
pub(super) fn find_cycle(
    machine: &Machine,
    parameter_count: usize,
    budget: &mut Budget,
) -> Option<(usize, String)> {
    let takes_no_time = |index: &usize| machine.transitions.get(*index).is_some_and(takes_no_time);
    let instant: Vec<usize> = (0..machine.transitions.len()).filter(takes_no_time).collect();
    let mut walk = Walk { machine, instant, allowed: Vec::new(), path: Vec::new(), budget };
    for nth in 0..walk.instant.len() {
        for left in 0..machine.states.len() {
            walk.path.clear();
            walk.allowed = vec![(f32::MIN, f32::MAX); parameter_count];
            let Some((index, first)) = walk.transition(nth) else { continue };
            if first.leaves(left) && walk.narrow(first) {
                walk.path.push((left, index));
                if walk.returns(nth, (left, index)) {
                    let mut words = String::new();
                    for state in walk.path.iter().map(|&(left, _)| left).chain([left]) {
                        words.push_str(if words.is_empty() { "" } else { " → " });
                        words.push_str(machine.states.get(state).map_or("", |state| &state.name));
                    }
                    return Some((index, words));
                }
            }
        }
    }
    None
}

struct Walk<'m, 'b> {
    machine: &'m Machine,
    instant: Vec<usize>,
    /// Inclusive range of each parameter in which all conditions on the path hold.
    allowed: Vec<(f32, f32)>,
    /// Pairs of a state and the transition taken in it.
    path: Vec<(usize, usize)>,
    budget: &'b mut Budget,
}

impl<'m> Walk<'m, '_> {
    /// Returns one of the instant transitions; `None` once the budget is used up.
    fn transition(&mut self, nth: usize) -> Option<(usize, &'m Transition)> {
        self.budget.0 = self.budget.0.checked_sub(1)?;
        let index = *self.instant.get(nth)?;
        Some((index, self.machine.transitions.get(index)?))
    }

    /// Returns whether the path can be continued to its start with the instant transitions from `least` on. Cycles
    /// through earlier ones have been searched already.
    fn returns(&mut self, least: usize, start: (usize, usize)) -> bool {
        let Some(&(left, last)) = self.path.last() else { return false };
        let Some(last) = self.machine.transitions.get(last) else { return false };
        let (from_target, from_source) = match last.interrupt {
            _ if last.fade_secs <= 0.0 => (true, false),
            Interrupt::None => (false, false),
            Interrupt::Target => (true, false),
            Interrupt::Source => (false, true),
            Interrupt::Either => (true, true),
        };
        for nth in least..self.instant.len() {
            let Some((index, next)) = self.transition(nth) else { return false };
            let leaves_target = from_target && next.leaves(last.to);
            let leaves_source = from_source && next.leaves(left) && next.to != last.to;
            if !leaves_target && !leaves_source {
                continue;
            }
            let step = (last.to, index);
            if step == start {
                return true;
            }
            if self.path.contains(&step) {
                continue;
            }
            let before = self.allowed.clone();
            if self.narrow(next) {
                self.path.push(step);
                if self.returns(least, start) {
                    return true;
                }
                self.path.pop();
            }
            self.allowed = before;
        }
        false
    }

    /// Narrows the ranges by the conditions of a transition. Returns whether all of them still contain a value.
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

/// Returns whether a transition needs no exit time, no trigger, and no fade that must end before the next one.
fn takes_no_time(transition: &Transition) -> bool {
    let waits = transition.exit_passes.is_some_and(|passes| passes > 0.0);
    let fades = transition.fade_secs > 0.0 && transition.interrupt == Interrupt::None;
    let is_fired = transition.conditions.iter().any(|condition| condition.test == Test::Fired);
    !waits && !fades && !is_fired
}
