//! Runtime state of a layer's state machine. [`Machine`] contains its states and transitions.
use super::{Condition, Interrupt, Machine, ParameterIndex, Test, Transition};
use std::sync::Arc;

#[derive(Clone, Debug)]
pub(super) struct MachineRun {
    pub(super) machine: Arc<Machine>,
    pub(super) state: usize,
    /// Transition that led to the current state, and the state that it left.
    last_transition: Option<(usize, usize)>,
}

/// Tolerance in passes with which an exit is reached, for rounding.
const EXIT_SLACK_PASSES: f64 = 1e-9;

impl MachineRun {
    pub(super) fn new(machine: Arc<Machine>) -> Self {
        Self { state: machine.start, machine, last_transition: None }
    }

    /// Returns the first transition that is possible now. `progress` is the number of passes that the state played.
    pub(super) fn due_transition(&self, is_crossing: bool, progress: f64, values: &[f32]) -> Option<usize> {
        self.find_transition(is_crossing, values, |exit_passes| progress >= exit_passes - EXIT_SLACK_PASSES)
    }

    /// Returns the earliest exit, in passes of the state, among the transitions that wait for nothing else.
    pub(super) fn next_exit(&self, is_crossing: bool, progress: f64, values: &[f32]) -> Option<f64> {
        let mut next: Option<f64> = None;
        self.find_transition(is_crossing, values, |exit_passes| {
            if exit_passes > progress + EXIT_SLACK_PASSES && next.is_none_or(|next| exit_passes < next) {
                next = Some(exit_passes);
            }
            false
        });
        next
    }

    /// Takes a transition and resets its triggers.
    pub(super) fn take(&mut self, index: usize, values: &mut [f32]) {
        let transition = &self.machine.transitions[index];
        for condition in &transition.conditions {
            let Condition { parameter: ParameterIndex(parameter), test } = *condition;
            if test == Test::Fired
                && let Some(value) = values.get_mut(parameter)
            {
                *value = 0.0;
            }
        }
        self.last_transition = Some((index, self.state));
        self.state = transition.to;
    }

    /// Returns the first transition whose states and conditions match and whose exit, in passes, `exits` accepts.
    fn find_transition(
        &self,
        is_crossing: bool,
        values: &[f32],
        mut exits: impl FnMut(f64) -> bool,
    ) -> Option<usize> {
        let last_transition = self.last_transition.filter(|_| is_crossing);
        let (from_target, left) = match last_transition {
            None => (true, None),
            Some((by, left)) => match self.machine.transitions[by].interrupt {
                Interrupt::None => return None,
                Interrupt::Target => (true, None),
                Interrupt::Source => (false, Some(left)),
                Interrupt::Either => (true, Some(left)),
            },
        };
        self.machine.transitions.iter().position(|transition| {
            let leaves_here = from_target && transition.leaves(self.state);
            let leaves_there =
                left.is_some_and(|left| transition.leaves(left) && transition.to != self.state);
            (leaves_here || leaves_there)
                && transition.allows(values)
                && exits(transition.exit_passes.unwrap_or(0.0))
        })
    }
}

impl Transition {
    fn allows(&self, values: &[f32]) -> bool {
        let holds = |condition: &Condition| {
            let value = values.get(condition.parameter.0).copied().unwrap_or(0.0);
            condition.test.holds(value)
        };
        self.conditions.iter().all(holds)
    }
}
