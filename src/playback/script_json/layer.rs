//! Reading of layers, states and transitions.
use super::instant::{self, Budget};
use super::names::Names;
use super::values::{entries, flag, integer, list, number, single, text, word};
use super::{Reader, ScriptProblem, shape};
use crate::animation::MaskEntry;
use crate::json::Value;
use crate::playback::{
    Condition, Crossing, Easing, Ending, Interrupt, LayerMode, LayerOptions, Looping, Machine, MachineState,
    ParameterKind, PlayOptions, Reference, ScriptLayer, Source, SyncGroup, Test, Transition,
};
use std::num::NonZeroU32;
use std::sync::Arc;

/// The `from` of a transition that leaves any state.
const ANY: &str = "*";

impl Reader<'_> {
    /// Reads a layer. `below` are the layers read before it.
    pub(super) fn layer(&mut self, layer: &Value, below: &[ScriptLayer], budget: &mut Budget) -> ScriptLayer {
        let mut name = "base";
        if let Some(given) = layer.get("name") {
            name = text(layer, "name");
            if below.is_empty() != (name == "base") {
                self.refusals.wrong(given, "\"base\" for the first layer, another name for the others");
            }
            if below.iter().any(|other| other.name == name) {
                self.refusals.wrong(given, "a name that no earlier layer has");
            }
        } else if !below.is_empty() {
            self.refusals.missing(layer, "name");
        }
        let options = self.layer_options(layer);
        let machine = self.machine(layer);
        if self.refusals.first.is_none()
            && let Some((transition, states)) = instant::find_cycle(&machine, self.parameters.len(), budget)
            && let Some(transition) = list(layer, "transitions").get(transition)
        {
            self.refusals.refuse(transition, "", states, ScriptProblem::InstantCycle);
        }
        ScriptLayer { name: name.to_owned(), options, machine: Arc::new(machine) }
    }

    pub(super) fn layer_options(&mut self, layer: &Value) -> LayerOptions {
        let mut options = LayerOptions::default();
        let adds = word(layer, "mode", &shape::MODES) == 1;
        let mut reference = Reference::FirstFrame;
        if let Some(asked) = layer.get("reference") {
            if !adds {
                self.refusals.wrong(asked, "\"mode\": \"add\" beside it");
            }
            if let Some(clip) = asked.get("clip") {
                let clip = self.clip(clip);
                let time_secs = self.time(clip, asked, "time").unwrap_or_default();
                reference = Reference::Pose { clip, time_secs };
            } else if word(layer, "reference", &shape::REFERENCES) == 1 {
                reference = Reference::Rest;
            }
        }
        if adds {
            options.mode = LayerMode::Add(reference);
        }
        if let Some(weight) = layer.get("weight") {
            options.weight = single(weight);
        }
        for (name, entry) in entries(layer, "mask") {
            let node = self.node_named(name, entry);
            let weight = single(entry.get("weight").unwrap_or(entry));
            options.mask.push(MaskEntry { node, weight, subtree: flag(entry, "subtree").unwrap_or(true) });
        }
        options
    }

    fn machine(&mut self, layer: &Value) -> Machine {
        let mut machine = Machine::default();
        let mut names = Names::default();
        for (name, state) in entries(layer, "states") {
            if name == ANY {
                self.refusals.wrong(state, "a name other than \"*\"");
            }
            names.add(name, machine.states.len());
            let mut source = (!state.is_null()).then(|| self.source(state, 0));
            // The speed of a state applies to all that it plays, and is part of its options.
            if let Some(Source::Clip(used)) = &mut source {
                used.speed = 1.0;
            }
            machine.states.push(MachineState { name: name.clone(), source, options: options(state) });
        }
        if let Some(start) = layer.get("start") {
            machine.start = self.state(start, &names);
        }
        for transition in list(layer, "transitions") {
            machine.transitions.push(self.transition(transition, &names));
        }
        machine
    }

    fn state(&mut self, asked: &Value, names: &Names) -> usize {
        self.refusals.find(asked, asked.as_str().unwrap_or_default(), names, ScriptProblem::StateUnknown)
    }

    fn transition(&mut self, transition: &Value, names: &Names) -> Transition {
        let mut from = Vec::new();
        for state in list(transition, "from") {
            from.push(self.state(state, names));
        }
        if let Some(state @ Value::String(name)) = transition.get("from")
            && name != ANY
        {
            from.push(self.state(state, names));
        }
        let mut conditions = Vec::new();
        for (name, test) in entries(transition, "when") {
            self.condition(name, test, &mut conditions);
        }
        Transition {
            from,
            to: transition.get("to").map_or(0, |to| self.state(to, names)),
            conditions,
            exit_passes: number(transition, "exit"),
            fade_secs: number(transition, "fade").unwrap_or_default(),
            easing: match word(transition, "easing", &shape::EASINGS) {
                0 => Easing::Linear,
                1 => Easing::Smooth,
                2 => Easing::In,
                _ => Easing::Out,
            },
            crossing: match word(transition, "crossing", &shape::CROSSINGS) {
                0 => Crossing::Fade,
                1 => Crossing::Inertia,
                _ => Crossing::DeadBlending,
            },
            interrupt: match word(transition, "interrupt", &shape::INTERRUPTS) {
                0 => Interrupt::None,
                1 => Interrupt::Target,
                2 => Interrupt::Source,
                _ => Interrupt::Either,
            },
            keep_phase: flag(transition, "keepPhase").unwrap_or(false),
        }
    }

    fn condition(&mut self, name: &str, asked: &Value, conditions: &mut Vec<Condition>) {
        let (parameter, kind) = self.parameter_named(name, asked);
        let mut add = |test| conditions.push(Condition { parameter, test });
        let expected = match (kind, asked) {
            (ParameterKind::Boolean, Value::Bool(expected)) => return add(Test::Is(*expected)),
            (ParameterKind::Trigger, Value::Bool(true)) => return add(Test::Fired),
            (ParameterKind::Number, Value::Object(_)) => {
                let tests = [Test::Above, Test::AtLeast, Test::Below, Test::AtMost];
                for (name, test) in shape::LIMITS.iter().zip(tests) {
                    if let Some(limit) = asked.get(name) {
                        add(test(single(limit)));
                    }
                }
                return;
            }
            (ParameterKind::Number, _) => "an object with above, atLeast, below or atMost",
            (ParameterKind::Boolean, _) => "true or false",
            (ParameterKind::Trigger, _) => "true",
        };
        self.refusals.wrong(asked, expected);
    }
}

/// Reads the options with which a state is played.
fn options(state: &Value) -> PlayOptions {
    let looping = match word(state, "loop", &shape::LOOPS) {
        1 => Looping::ONCE,
        2 => Looping::PING_PONG,
        _ => Looping::REPEAT,
    };
    let mut options = PlayOptions { looping, ..PlayOptions::default() };
    if let Some(passes @ Value::Number(_)) = state.get("loop") {
        options.looping.passes = NonZeroU32::new(integer(passes));
    }
    if let Some(release_secs) = state.get("ending").and_then(|ending| number(ending, "release")) {
        options.ending = Ending::Release(release_secs);
    }
    if let Some(speed) = number(state, "speed") {
        options.speed = speed;
    }
    options.sync = state.get("sync").and_then(Value::as_str).map(SyncGroup::named);
    options
}
