//! Controllers, motions and springs as JSON.
//!
//! Guarantees, each tested by `tests/playback/controllers.rs`:
//! - no input causes a panic, unbounded recursion, or more time than its size justifies;
//! - every [`ScriptError`] has a stable code, the place in the document and advice;
//! - results keep the invariants of [`Script`] and [`Source`]: all indices are valid, times lie within their clips,
//!   blends aren't empty;
//! - `www/controller.schema.json` accepts and rejects the same documents, except for checks that need the model or
//!   the whole document.
#![cfg_attr(
    not(test),
    deny(
        clippy::cast_possible_truncation,
        clippy::cast_possible_wrap,
        clippy::cast_sign_loss,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::unwrap_used
    )
)]

mod error;
mod instant;
mod layer;
mod motion;
mod names;
mod refusals;
mod shape;
mod springs;
mod values;

pub use error::{ScriptError, ScriptProblem};

use super::{ClipNotes, LayerOptions, Parameter, ParameterKind, Script, Source};
use crate::animation::Rig;
use crate::json::{self, Value};
use crate::model::ClipIndex;
use names::Names;
use refusals::Refusals;
use shape::Kind;
use values::{entries, list, single};

/// Most bytes of a document, which bounds the time for reading: many times the size of a large controller.
const MOST_BYTES: usize = 1 << 20;
const MOST_PARAMETERS: usize = 1_000;

impl Script {
    /// Reads a controller for a model and its clips.
    ///
    /// # Errors
    /// Returns the first problem in the document, and its place.
    pub fn from_json(bytes: &[u8], rig: &Rig) -> Result<Self, ScriptError> {
        let document = parse(bytes, &shape::CONTROLLER)?;
        let mut script = Self::default();
        for (name, value) in entries(&document, "parameters") {
            script.parameters.push(parameter(name, value));
        }
        let mut reader = Reader::new(&document, rig, &mut script.parameters, false);
        for (name, notes) in entries(&document, "clips") {
            let clip = reader.clip_named(name, notes);
            script.notes.push((clip, reader.notes(clip, notes)));
        }
        if let Some(root) = document.get("root") {
            script.root = Some(reader.node_named(root.as_str().unwrap_or_default(), root));
        }
        let mut budget = instant::Budget::default();
        for layer in list(&document, "layers") {
            let layer = reader.layer(layer, &script.layers, &mut budget);
            script.layers.push(layer);
        }
        reader.refusals.first.map_or(Ok(script), Err)
    }
}

impl Source {
    /// Reads a motion for a model and its clips. A parameter that isn't among `parameters` is added, as a number that
    /// starts at 0.
    ///
    /// # Errors
    /// Returns the first problem in the document, and its place. `parameters` are then unchanged.
    pub fn from_json(bytes: &[u8], rig: &Rig, parameters: &mut Vec<Parameter>) -> Result<Self, ScriptError> {
        let document = parse(bytes, &shape::MOTION)?;
        let before = parameters.len();
        let mut reader = Reader::new(&document, rig, parameters, true);
        let source = reader.source(&document, 0);
        if let Some(refused) = reader.refusals.first {
            parameters.truncate(before);
            return Err(refused);
        }
        Ok(source)
    }
}

impl ClipNotes {
    /// Reads the notes on a clip. Missing properties have their values from `before`.
    ///
    /// # Errors
    /// Returns the first problem in the document, and its place.
    pub fn from_json(bytes: &[u8], rig: &Rig, clip: ClipIndex, before: &Self) -> Result<Self, ScriptError> {
        let document = parse(bytes, &shape::NOTES)?;
        let mut parameters = Vec::new();
        let mut reader = Reader::new(&document, rig, &mut parameters, false);
        let mut notes = reader.notes(clip, &document);
        if document.get("markers").is_none() {
            notes.markers.clone_from(&before.markers);
        }
        if document.get("beats").is_none() {
            notes.beats_secs.clone_from(&before.beats_secs);
        }
        if document.get("root").is_none() {
            notes.root = before.root;
        }
        reader.refusals.first.map_or(Ok(notes), Err)
    }
}

impl LayerOptions {
    /// Reads the options of a layer: mode, reference, weight and mask.
    ///
    /// # Errors
    /// Returns the first problem in the document, and its place.
    pub fn from_json(bytes: &[u8], rig: &Rig) -> Result<Self, ScriptError> {
        let document = parse(bytes, &shape::LAYER_OPTIONS)?;
        let mut parameters = Vec::new();
        let mut reader = Reader::new(&document, rig, &mut parameters, false);
        let options = reader.layer_options(&document);
        reader.refusals.first.map_or(Ok(options), Err)
    }
}

fn parse(bytes: &[u8], kind: &Kind) -> Result<Value, ScriptError> {
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let mut refusals = Refusals::of(&Value::Null);
    if !refusals.allows(&Value::Null, bytes.len(), MOST_BYTES)
        && let Some(refused) = refusals.first
    {
        return Err(refused);
    }
    let document = json::parse(text).map_err(|[place, found]| ScriptProblem::JsonInvalid.at(place, found))?;
    let mut refusals = Refusals::of(&document);
    shape::check(&document, kind, &mut refusals);
    match refusals.first {
        Some(refused) => Err(refused),
        None => Ok(document),
    }
}

fn parameter(name: &str, value: &Value) -> Parameter {
    let (kind, start) = match value {
        Value::Bool(on) => (ParameterKind::Boolean, f32::from(*on)),
        Value::Number(_) => (ParameterKind::Number, single(value)),
        _ => (ParameterKind::Trigger, 0.0),
    };
    Parameter { name: name.to_owned(), kind, start }
}

/// Reader of a document whose shape has been checked. It resolves names of clips, nodes and parameters.
struct Reader<'a> {
    rig: &'a Rig,
    clips: Names,
    nodes: Names,
    parameters: &'a mut Vec<Parameter>,
    parameter_names: Names,
    /// Whether unknown parameters are added.
    makes_parameters: bool,
    refusals: Refusals<'a>,
}
