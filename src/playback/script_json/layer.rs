//! Layers, their states, and the ways between them.
use super::instant::{self, Budget};
use super::names::Names;
use super::values::Json;
use super::{Reader, ScriptError};
use crate::animation::MaskEntry;
use crate::playback::{
    Condition, Crossing, Easing, Ending, Interrupt, LayerMode, LayerOptions, Looping, Machine, MachineState,
    ParameterKind, PlayOptions, Reference, ScriptLayer, Source, SyncGroup, Test, Transition,
};
use std::num::NonZeroU32;

/// What a transition leaves that leaves any state.
const ANY: &str = "*";

impl Reader<'_> {
    /// `below` are the layers that were read before.
    pub(super) fn layer(
        &mut self,
        layer: &Json<'_>,
        below: &[ScriptLayer],
        budget: &mut Budget,
    ) -> Result<ScriptLayer, ScriptError> {
        let name = match layer.get("name") {
            Some(name) => {
                let text = name.text().unwrap_or_default();
                if below.is_empty() != (text == "base") {
                    return Err(name.wrong("\"base\" for the first layer, another name for the others"));
                }
                if below.iter().any(|other| other.name == text) {
                    return Err(name.wrong("a name that no layer before it has"));
                }
                text.to_owned()
            }
            None if below.is_empty() => "base".to_owned(),
            None => return Err(layer.missing("name")),
        };
        let options = self.layer_options(layer)?;
        let machine = self.machine(layer)?;
        if let Some(cycle) = instant::find_cycle(&machine, self.parameters.len(), budget) {
            let transitions = layer.get("transitions");
            let place = transitions.and_then(|list| Some(list.elements().nth(cycle.transition)?.place()));
            return Err(ScriptError::InstantCycle {
                place: place.unwrap_or_default(),
                found: cycle.states.join(" → "),
            });
        }
        Ok(ScriptLayer { name, options, machine })
    }

    pub(super) fn layer_options(&mut self, layer: &Json<'_>) -> Result<LayerOptions, ScriptError> {
        let mut options = LayerOptions::default();
        let adds = layer.word_of("mode") == "add";
        let mut reference = Reference::FirstFrame;
        if let Some(asked) = layer.get("reference") {
            if !adds {
                return Err(asked.wrong("\"mode\": \"add\" beside it"));
            }
            if let Some(clip) = asked.get("clip") {
                let clip = self.clip(&clip)?;
                let time_secs = asked.get("time").map_or(Ok(0.0), |time| self.time(clip, &time))?;
                reference = Reference::Pose { clip, time_secs };
            } else if asked.text() == Some("rest") {
                reference = Reference::Rest;
            }
        }
        if adds {
            options.mode = LayerMode::Add(reference);
        }
        if let Some(weight) = layer.get("weight") {
            options.weight = weight.number().unwrap_or(1.0);
        }
        if let Some(mask) = layer.get("mask") {
            for (name, entry) in mask.entries() {
                let node = self.node_named(name, &entry)?;
                let weight = entry.get("weight").as_ref().unwrap_or(&entry).number().unwrap_or(1.0);
                let subtree = entry.flag_of("subtree").unwrap_or(true);
                options.mask.push(MaskEntry { node, weight, subtree });
            }
        }
        Ok(options)
    }

    fn machine(&mut self, layer: &Json<'_>) -> Result<Machine, ScriptError> {
        let mut machine = Machine::default();
        let mut names = Names::default();
        if let Some(states) = layer.get("states") {
            for (name, state) in states.entries() {
                if name == ANY {
                    return Err(state.wrong("another name than \"*\""));
                }
                names.add(name, machine.states.len());
                let mut source = if state.is_null() { None } else { Some(self.source(&state, 0)?) };
                let options = options(&state);
                // A state's speed is that of all it plays.
                if let Some(Source::Clip(used)) = &mut source {
                    used.speed = 1.0;
                }
                machine.states.push(MachineState { name: name.to_owned(), source, options });
            }
        }
        let find = |asked: &Json<'_>| {
            let name = asked.text().unwrap_or_default();
            names
                .find(name)
                .ok_or_else(|| ScriptError::StateUnknown { place: asked.place(), found: names.unlike(name) })
        };
        if let Some(start) = layer.get("start") {
            machine.start = find(&start)?;
        }
        if let Some(transitions) = layer.get("transitions") {
            for transition in transitions.elements() {
                machine.transitions.push(self.transition(&transition, find)?);
            }
        }
        Ok(machine)
    }

    fn transition(
        &mut self,
        transition: &Json<'_>,
        find: impl Fn(&Json<'_>) -> Result<usize, ScriptError>,
    ) -> Result<Transition, ScriptError> {
        let mut from = Vec::new();
        if let Some(asked) = transition.get("from") {
            match asked.text() {
                Some(ANY) => {}
                Some(_) => from.push(find(&asked)?),
                None => {
                    for state in asked.elements() {
                        from.push(find(&state)?);
                    }
                }
            }
        }
        let mut conditions = Vec::new();
        if let Some(when) = transition.get("when") {
            for (name, test) in when.entries() {
                self.condition(name, &test, &mut conditions)?;
            }
        }
        Ok(Transition {
            from,
            to: transition.get("to").map_or(Ok(0), |to| find(&to))?,
            conditions,
            exit_passes: transition.double_of("exit"),
            fade_secs: transition.double_of("fade").unwrap_or_default(),
            easing: match transition.word_of("easing") {
                "smooth" => Easing::Smooth,
                "in" => Easing::In,
                "out" => Easing::Out,
                _ => Easing::Linear,
            },
            crossing: match transition.word_of("crossing") {
                "inertia" => Crossing::Inertia,
                _ => Crossing::Fade,
            },
            interrupt: match transition.word_of("interrupt") {
                "target" => Interrupt::Target,
                "source" => Interrupt::Source,
                "either" => Interrupt::Either,
                _ => Interrupt::None,
            },
            keep_phase: transition.flag_of("keepPhase").unwrap_or(false),
        })
    }

    fn condition(
        &mut self,
        name: &str,
        asked: &Json<'_>,
        conditions: &mut Vec<Condition>,
    ) -> Result<(), ScriptError> {
        let (parameter, kind) = self.parameter_named(name, asked)?;
        let mut add = |test| conditions.push(Condition { parameter, test });
        match (kind, asked.flag()) {
            (ParameterKind::Boolean, Some(expected)) => add(Test::Is(expected)),
            (ParameterKind::Trigger, Some(true)) => add(Test::Fired),
            (ParameterKind::Number, None) => {
                for (test, limit) in asked.entries() {
                    let limit = limit.number().unwrap_or_default();
                    add(match test {
                        "above" => Test::Above(limit),
                        "atLeast" => Test::AtLeast(limit),
                        "below" => Test::Below(limit),
                        _ => Test::AtMost(limit),
                    });
                }
            }
            _ => {
                return Err(asked.wrong(match kind {
                    ParameterKind::Number => "an object with above, atLeast, below or atMost",
                    ParameterKind::Boolean => "true or false",
                    ParameterKind::Trigger => "true",
                }));
            }
        }
        Ok(())
    }
}

/// How a state is played.
fn options(state: &Json<'_>) -> PlayOptions {
    let mut options = PlayOptions::default();
    if let Some(asked) = state.get("loop") {
        options.looping = match asked.text() {
            Some("once") => Looping::ONCE,
            Some("pingpong") => Looping::PING_PONG,
            Some(_) => Looping::REPEAT,
            None => Looping { passes: asked.integer().and_then(NonZeroU32::new), bounce: false },
        };
    }
    if let Some(ending) = state.get("ending")
        && let Some(release_secs) = ending.double_of("release")
    {
        options.ending = Ending::Release(release_secs);
    }
    options.speed = state.double_of("speed").unwrap_or(1.0);
    options.sync = state.get("sync").and_then(|group| group.text()).map(SyncGroup::named);
    options
}
