//! Controllers and motions as JSON.
//!
//! Promises, each held by `tests/controllers.rs`:
//! - no input panics, recurses without bound or takes longer than its size justifies;
//! - every [`ScriptError`] has a stable code, the place in the document and advice;
//! - whatever comes out keeps what [`Script`] and [`Source`] promise: all indices point at something, times lie
//!   within their clips, blends aren't empty;
//! - `www/controller.schema.json` takes and refuses the same, but for what only the model and the whole document
//!   can tell.
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
mod values;

pub use error::{ScriptError, ScriptProblem};

use super::{ClipNotes, LayerOptions, Parameter, ParameterKind, Script, Source};
use crate::json::{self, Value};
use crate::model::{ClipIndex, Model};
use names::Names;
use refusals::Refusals;
use shape::Kind;
use values::{entries, list, single};

/// Many times the size of a large controller; it bounds the time that reading takes.
const MOST_BYTES: usize = 1 << 20;
const MOST_PARAMETERS: usize = 1_000;

impl Script {
    /// Reads a controller for a model.
    ///
    /// # Errors
    /// The first thing in it that can't be, and where.
    pub fn from_json(bytes: &[u8], model: &Model) -> Result<Self, ScriptError> {
        let document = parse(bytes, &shape::CONTROLLER)?;
        let mut script = Self::default();
        for (name, value) in entries(&document, "parameters") {
            script.parameters.push(parameter(name, value));
        }
        let mut reader = Reader::new(&document, model, &mut script.parameters, false);
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
    /// Reads a motion for a model. A parameter that isn't among `parameters` is added, as a number at 0.
    ///
    /// # Errors
    /// The first thing in it that can't be, and where; `parameters` then stay as they were.
    pub fn from_json(
        bytes: &[u8],
        model: &Model,
        parameters: &mut Vec<Parameter>,
    ) -> Result<Self, ScriptError> {
        let document = parse(bytes, &shape::MOTION)?;
        let before = parameters.len();
        let mut reader = Reader::new(&document, model, parameters, true);
        let source = reader.source(&document, 0);
        if let Some(refused) = reader.refusals.first {
            parameters.truncate(before);
            return Err(refused);
        }
        Ok(source)
    }
}

impl ClipNotes {
    /// Reads what a page notes about a clip. What it doesn't name is as it was `before`.
    ///
    /// # Errors
    /// The first thing in it that can't be, and where.
    pub fn from_json(
        bytes: &[u8],
        model: &Model,
        clip: ClipIndex,
        before: &Self,
    ) -> Result<Self, ScriptError> {
        let document = parse(bytes, &shape::NOTES)?;
        let mut parameters = Vec::new();
        let mut reader = Reader::new(&document, model, &mut parameters, false);
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
    /// Reads what a page asks of a layer: mode, reference, weight and mask.
    ///
    /// # Errors
    /// The first thing in it that can't be, and where.
    pub fn from_json(bytes: &[u8], model: &Model) -> Result<Self, ScriptError> {
        let document = parse(bytes, &shape::LAYER_OPTIONS)?;
        let mut parameters = Vec::new();
        let mut reader = Reader::new(&document, model, &mut parameters, false);
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

/// What names in a document stand for.
struct Reader<'a> {
    model: &'a Model,
    clips: Names,
    nodes: Names,
    parameters: &'a mut Vec<Parameter>,
    parameter_names: Names,
    /// Whether a parameter comes into being by being named.
    makes_parameters: bool,
    refusals: Refusals<'a>,
}
