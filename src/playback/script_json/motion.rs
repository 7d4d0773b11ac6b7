//! Reading of clips, blends and notes, and the names in them.
use super::names::Names;
use super::refusals::Refusals;
use super::values::{flag, integer, list, number, single, text, word};
use super::{MOST_PARAMETERS, Reader, ScriptProblem, shape};
use crate::animation::Rig;
use crate::json::Value;
use crate::model::{ClipIndex, NodeIndex};
use crate::playback::{
    Blend, Child, ClipNotes, ClipUse, Marker, Parameter, ParameterIndex, ParameterKind, RootMotion, Source,
    Space, Weight,
};
use glam::Vec2;
use std::sync::Arc;

/// Deepest nesting of blends: more than any page needs, and shallow enough for recursion.
const MOST_NESTED: usize = 16;

impl<'a> Reader<'a> {
    pub(super) fn new(
        document: &'a Value,
        rig: &'a Rig,
        parameters: &'a mut Vec<Parameter>,
        makes_parameters: bool,
    ) -> Self {
        Self {
            rig,
            // Both are filled on first use: most motions have a clip's index and name no node.
            clips: Names::default(),
            nodes: Names::default(),
            parameter_names: Names::of(&mut parameters.iter().map(|parameter| parameter.name.as_str())),
            parameters,
            makes_parameters,
            refusals: Refusals::of(document),
        }
    }

    pub(super) fn source(&mut self, motion: &Value, nested: usize) -> Source {
        if motion.as_str().is_some() {
            return self.clip(motion).into();
        }
        if let Some(clip) = motion.get("clip") {
            return Source::Clip(self.clip_use(motion, clip));
        }
        if !self.refusals.allows(motion, nested + 1, MOST_NESTED) {
            return ClipIndex::default().into();
        }
        let (space, children) = if let Some(along) = motion.get("along") {
            (Space::Line(self.parameter(along)), list(motion, "motions"))
        } else if let [x, y] = list(motion, "across") {
            (Space::Plane([self.parameter(x), self.parameter(y)]), list(motion, "motions"))
        } else {
            (Space::Weights, list(motion, "mix"))
        };
        let by_weights = space == Space::Weights;
        let on_line = matches!(space, Space::Line(_));
        let mut blend =
            Blend { space, children: Vec::new(), in_phase: flag(motion, "inPhase").unwrap_or(!by_weights) };
        for entry in children {
            let child = self.child(entry, nested);
            let others = &mut blend.children;
            if !by_weights && others.iter().any(|other| other.at == child.at) {
                self.refusals.wrong(entry, "a place that no other motion has");
            }
            let before = |other: &Child| !on_line || other.at.x < child.at.x;
            others.insert(others.partition_point(before), child);
        }
        Source::Blend(Arc::new(blend))
    }

    fn child(&mut self, entry: &Value, nested: usize) -> Child {
        let source = self.source(entry, nested + 1);
        let weight = match entry.get("weight") {
            Some(name @ Value::String(_)) => Weight::Parameter(self.parameter(name)),
            Some(weight) => Weight::Fixed(single(weight)),
            None => Weight::Fixed(1.0),
        };
        let at = match (entry.get("at"), list(entry, "at")) {
            (_, [x, y]) => Vec2::new(single(x), single(y)),
            (Some(x), _) => Vec2::new(single(x), 0.0),
            _ => Vec2::ZERO,
        };
        Child { source, at, weight }
    }

    fn clip_use(&mut self, motion: &Value, clip: &Value) -> ClipUse {
        let mut used = ClipUse::whole(self.clip(clip));
        let duration_secs = f64::from(self.duration_secs(used.clip));
        used.from_secs = self.time(used.clip, motion, "from").unwrap_or_default();
        used.to_secs = self.time(used.clip, motion, "to");
        let is_something = used.from_secs < used.to_secs.unwrap_or(duration_secs);
        if !is_something && (used.from_secs > 0.0 || used.to_secs.is_some()) {
            self.refusals.wrong(motion, "a part of the clip that ends after it begins");
        }
        used.speed = number(motion, "speed").unwrap_or(1.0);
        used
    }

    fn duration_secs(&self, clip: ClipIndex) -> f32 {
        if clip.get() < self.rig.clip_count() { self.rig.clip(clip).duration_secs } else { 0.0 }
    }

    /// Reads a time within a clip from a property; `None` if it is missing.
    pub(super) fn time(&mut self, clip: ClipIndex, object: &Value, name: &str) -> Option<f64> {
        let time = object.get(name)?;
        Some(self.time_at(clip, time))
    }

    fn time_at(&mut self, clip: ClipIndex, time: &Value) -> f64 {
        let duration_secs = self.duration_secs(clip);
        // Compared in single precision, as in the file: a page writes 1.1 for a duration whose nearest `f32` is
        // slightly different.
        if single(time) > duration_secs {
            self.refusals.wrong(time, "a time within the clip");
        }
        time.as_f64().unwrap_or_default().min(duration_secs.into())
    }

    pub(super) fn notes(&mut self, clip: ClipIndex, notes: &Value) -> ClipNotes {
        let mut read = ClipNotes::default();
        for marker in list(notes, "markers") {
            let time_secs = self.time(clip, marker, "time").unwrap_or_default();
            let position = read.markers.partition_point(|other| other.time_secs <= time_secs);
            read.markers.insert(position, Marker { name: text(marker, "name").into(), time_secs });
        }
        for beat in list(notes, "beats") {
            let time_secs = self.time_at(clip, beat);
            if read.beats_secs.last().is_some_and(|&before| before >= time_secs) {
                self.refusals.wrong(beat, "a time after the previous one");
            }
            read.beats_secs.push(time_secs);
        }
        read.root = match word(notes, "root", &shape::ROOTS) {
            0 => RootMotion::Keep,
            1 => RootMotion::Pin,
            2 => RootMotion::Extract,
            _ => RootMotion::Move,
        };
        read
    }

    /// Reads a clip, by name or by index.
    pub(super) fn clip(&mut self, asked: &Value) -> ClipIndex {
        if let Some(name) = asked.as_str() {
            return self.clip_named(name, asked);
        }
        let index = integer(asked) as usize;
        if index < self.rig.clip_count() {
            return ClipIndex::new(index);
        }
        self.list_clips();
        self.refusals.unknown(asked, &index.to_string(), &self.clips, ScriptProblem::UnknownClip);
        ClipIndex::default()
    }

    fn list_clips(&mut self) {
        if self.clips.is_empty() {
            self.clips = Names::of(&mut self.rig.clips().map(|clip| clip.name.as_str()));
        }
    }

    pub(super) fn clip_named(&mut self, name: &str, asked: &Value) -> ClipIndex {
        self.list_clips();
        ClipIndex::new(self.refusals.find(asked, name, &self.clips, ScriptProblem::UnknownClip))
    }

    pub(super) fn node_named(&mut self, name: &str, asked: &Value) -> NodeIndex {
        let model = self.rig.model();
        let in_file = &model.node_from_source;
        if self.nodes.is_empty() {
            self.nodes = Names::of(&mut in_file.iter().map(|&node| model.node(node).name.as_str()));
        }
        let nth = self.refusals.find(asked, name, &self.nodes, ScriptProblem::UnknownNode);
        in_file.get(nth).copied().unwrap_or_default()
    }

    /// Reads the parameter of a blend, which must not be a trigger.
    fn parameter(&mut self, asked: &Value) -> ParameterIndex {
        let name = asked.as_str().unwrap_or_default();
        let count = self.parameters.len();
        if self.makes_parameters
            && self.parameter_names.find(name).is_none()
            && self.refusals.allows(asked, count + 1, MOST_PARAMETERS)
        {
            self.parameter_names.add(name, count);
            self.parameters.push(Parameter {
                name: name.to_owned(),
                kind: ParameterKind::Number,
                start: 0.0,
            });
        }
        let (index, kind) = self.parameter_named(name, asked);
        if kind == ParameterKind::Trigger {
            self.refusals.wrong(asked, "a parameter that is a number or true or false");
        }
        index
    }

    pub(super) fn parameter_named(&mut self, name: &str, asked: &Value) -> (ParameterIndex, ParameterKind) {
        let index = self.refusals.find(asked, name, &self.parameter_names, ScriptProblem::ParameterUnknown);
        let kind = self.parameters.get(index).map_or(ParameterKind::Number, |parameter| parameter.kind);
        (ParameterIndex(index), kind)
    }
}
