//! Clips, blends, and what they name.
use super::names::Names;
use super::values::Json;
use super::{MOST_PARAMETERS, Reader, ScriptError};
use crate::model::{ClipIndex, Model, NodeIndex};
use crate::playback::{
    Blend, Child, ClipNotes, ClipUse, Marker, Parameter, ParameterIndex, ParameterKind, RootMotion, Source,
    Space, Weight,
};
use glam::Vec2;
use std::sync::Arc;

/// Blends within blends: deeper than any hand writes them, shallow enough to walk by recursion.
const MOST_NESTED: usize = 16;

impl<'a> Reader<'a> {
    pub(super) fn new(model: &'a Model, parameters: &'a mut Vec<Parameter>, makes_parameters: bool) -> Self {
        Self {
            model,
            clips: Names::of(model.clips.iter().map(|clip| clip.name.as_str())),
            nodes: Names::default(),
            parameter_names: Names::of(parameters.iter().map(|parameter| parameter.name.as_str())),
            parameters,
            makes_parameters,
        }
    }

    pub(super) fn source(&mut self, motion: &Json<'_>, nested: usize) -> Result<Source, ScriptError> {
        if motion.text().is_some() {
            return Ok(self.clip(motion)?.into());
        }
        if let Some(clip) = motion.get("clip") {
            return self.clip_use(motion, &clip).map(Source::Clip);
        }
        if nested == MOST_NESTED {
            return Err(motion.too_large(nested + 1, MOST_NESTED));
        }
        let space = if let Some(along) = motion.get("along") {
            Space::Line(self.parameter(&along)?)
        } else if let Some(across) = motion.get("across") {
            let mut axes = [ParameterIndex(0); 2];
            for (axis, name) in axes.iter_mut().zip(across.elements()) {
                *axis = self.parameter(&name)?;
            }
            Space::Plane(axes)
        } else {
            Space::Weights
        };
        Ok(Source::Blend(Arc::new(self.blend(motion, space, nested)?)))
    }

    fn blend(&mut self, motion: &Json<'_>, space: Space, nested: usize) -> Result<Blend, ScriptError> {
        let by_weights = space == Space::Weights;
        let mut children: Vec<Child> = Vec::new();
        if let Some(entries) = motion.get(if by_weights { "mix" } else { "motions" }) {
            for entry in entries.elements() {
                let child = self.child(&entry, nested)?;
                let mut position = children.len();
                if !by_weights && children.iter().any(|other| other.at == child.at) {
                    return Err(entry.wrong("a place where no other motion stands"));
                }
                if let Space::Line(_) = space {
                    position = children.partition_point(|other| other.at.x < child.at.x);
                }
                children.insert(position, child);
            }
        }
        Ok(Blend { space, children, in_phase: motion.flag_of("inPhase").unwrap_or(!by_weights) })
    }

    fn child(&mut self, entry: &Json<'_>, nested: usize) -> Result<Child, ScriptError> {
        let source = self.source(entry, nested + 1)?;
        let weight = match entry.get("weight") {
            Some(weight) if weight.text().is_some() => Weight::Parameter(self.parameter(&weight)?),
            Some(weight) => Weight::Fixed(weight.number().unwrap_or_default()),
            None => Weight::Fixed(1.0),
        };
        let mut at = Vec2::ZERO;
        if let Some(place) = entry.get("at") {
            at.x = place.number().unwrap_or_default();
            for (axis, number) in at.as_mut().iter_mut().zip(place.elements()) {
                *axis = number.number().unwrap_or_default();
            }
        }
        Ok(Child { source, at, weight })
    }

    fn clip_use(&self, motion: &Json<'_>, clip: &Json<'_>) -> Result<ClipUse, ScriptError> {
        let mut used = ClipUse::whole(self.clip(clip)?);
        if let Some(from) = motion.get("from") {
            used.from_secs = self.time(used.clip, &from)?;
        }
        if let Some(to) = motion.get("to") {
            used.to_secs = Some(self.time(used.clip, &to)?);
        }
        let duration_secs = f64::from(self.model.clip(used.clip).duration_secs);
        if used.from_secs > 0.0 || used.to_secs.is_some() {
            let is_something = used.from_secs < used.to_secs.unwrap_or(duration_secs);
            if !is_something {
                return Err(motion.wrong("a part of the clip that ends after it begins"));
            }
        }
        if let Some(speed) = motion.double_of("speed") {
            used.speed = speed;
        }
        Ok(used)
    }

    /// A time of a clip.
    pub(super) fn time(&self, clip: ClipIndex, time: &Json<'_>) -> Result<f64, ScriptError> {
        let duration_secs = self.model.clip(clip).duration_secs;
        // Compared as the file has it: a page writes 1.1 for a duration whose nearest single is a little more or less.
        if time.number() > Some(duration_secs) {
            return Err(time.wrong("a time within the clip"));
        }
        Ok(time.double().unwrap_or_default().min(duration_secs.into()))
    }

    pub(super) fn notes(&self, clip: ClipIndex, notes: &Json<'_>) -> Result<ClipNotes, ScriptError> {
        let mut read = ClipNotes::default();
        if let Some(markers) = notes.get("markers") {
            for marker in markers.elements() {
                let time_secs = marker.get("time").map_or(Ok(0.0), |time| self.time(clip, &time))?;
                let position = read.markers.partition_point(|other| other.time_secs <= time_secs);
                read.markers.insert(position, Marker { name: marker.word_of("name").into(), time_secs });
            }
        }
        if let Some(beats) = notes.get("beats") {
            for beat in beats.elements() {
                let time_secs = self.time(clip, &beat)?;
                if read.beats_secs.last().is_some_and(|&before| before >= time_secs) {
                    return Err(beat.wrong("a later time than the one before it"));
                }
                read.beats_secs.push(time_secs);
            }
        }
        read.root = match notes.word_of("root") {
            "pin" => RootMotion::Pin,
            "extract" => RootMotion::Extract,
            _ => RootMotion::Keep,
        };
        Ok(read)
    }

    /// By name or number.
    pub(super) fn clip(&self, asked: &Json<'_>) -> Result<ClipIndex, ScriptError> {
        if let Some(name) = asked.text() {
            return self.clip_named(name, asked);
        }
        let index = asked.integer().unwrap_or_default() as usize;
        if index >= self.model.clips.len() {
            let found = self.clips.unlike(&index.to_string());
            return Err(ScriptError::UnknownClip { place: asked.place(), found });
        }
        Ok(ClipIndex::new(index))
    }

    pub(super) fn clip_named(&self, name: &str, asked: &Json<'_>) -> Result<ClipIndex, ScriptError> {
        self.clips
            .find(name)
            .map(ClipIndex::new)
            .ok_or_else(|| ScriptError::UnknownClip { place: asked.place(), found: self.clips.unlike(name) })
    }

    pub(super) fn node_named(&mut self, name: &str, asked: &Json<'_>) -> Result<NodeIndex, ScriptError> {
        if self.nodes.is_empty() {
            let in_file = self.model.node_from_source.iter();
            self.nodes = Names::of(in_file.map(|&node| self.model.node(node).name.as_str()));
        }
        let nth = self.nodes.find(name).and_then(|nth| self.model.node_from_source.get(nth));
        nth.copied()
            .ok_or_else(|| ScriptError::UnknownNode { place: asked.place(), found: self.nodes.unlike(name) })
    }

    /// A parameter that has a value to blend by.
    fn parameter(&mut self, asked: &Json<'_>) -> Result<ParameterIndex, ScriptError> {
        let name = asked.text().unwrap_or_default();
        if self.makes_parameters && self.parameter_names.find(name).is_none() {
            let count = self.parameters.len();
            if count == MOST_PARAMETERS {
                return Err(asked.too_large(count + 1, MOST_PARAMETERS));
            }
            self.parameter_names.add(name, count);
            self.parameters.push(Parameter {
                name: name.to_owned(),
                kind: ParameterKind::Number,
                start: 0.0,
            });
        }
        let (index, kind) = self.parameter_named(name, asked)?;
        if kind == ParameterKind::Trigger {
            return Err(asked.wrong("a parameter that is a number or true or false"));
        }
        Ok(index)
    }

    pub(super) fn parameter_named(
        &self,
        name: &str,
        asked: &Json<'_>,
    ) -> Result<(ParameterIndex, ParameterKind), ScriptError> {
        let index = self.parameter_names.find(name);
        let found = index.and_then(|index| Some((ParameterIndex(index), self.parameters.get(index)?.kind)));
        found.ok_or_else(|| ScriptError::ParameterUnknown {
            place: asked.place(),
            found: self.parameter_names.unlike(name),
        })
    }
}
