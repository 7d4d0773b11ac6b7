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
mod shape;
mod values;

pub use error::ScriptError;

use super::{LayerOptions, Parameter, ParameterKind, Script, Source};
use crate::model::Model;
use crate::refusal::Place;
use names::Names;
use serde_json::Value;
use shape::Kind;
use values::Json;

/// A document of a whole controller's size, many times over; it bounds the time that reading takes.
const MOST_BYTES: usize = 1 << 20;
const MOST_PARAMETERS: usize = 1_000;

impl Script {
    /// Reads a controller for a model.
    ///
    /// # Errors
    /// The first thing in it that can't be, and where.
    pub fn from_json(bytes: &[u8], model: &Model) -> Result<Self, ScriptError> {
        let value = parse(bytes, &shape::CONTROLLER)?;
        let root = Json::root(&value);
        let mut script = Self::default();
        if let Some(parameters) = root.get("parameters") {
            script.parameters = parameters.entries().map(|(name, value)| parameter(name, &value)).collect();
        }
        let mut reader = Reader::new(model, &mut script.parameters, false);
        if let Some(clips) = root.get("clips") {
            for (name, notes) in clips.entries() {
                let clip = reader.clip_named(name, &notes)?;
                script.notes.push((clip, reader.notes(clip, &notes)?));
            }
        }
        if let Some(name) = root.get("root") {
            script.root = Some(reader.node_named(name.text().unwrap_or_default(), &name)?);
        }
        let mut budget = instant::Budget::default();
        if let Some(layers) = root.get("layers") {
            for layer in layers.elements() {
                let layer = reader.layer(&layer, &script.layers, &mut budget)?;
                script.layers.push(layer);
            }
        }
        Ok(script)
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
        let value = parse(bytes, &shape::MOTION)?;
        let before = parameters.len();
        let source = Reader::new(model, parameters, true).source(&Json::root(&value), 0);
        if source.is_err() {
            parameters.truncate(before);
        }
        source
    }
}

impl LayerOptions {
    /// Reads what a page asks of a layer: mode, reference, weight and mask.
    ///
    /// # Errors
    /// The first thing in it that can't be, and where.
    pub fn from_json(bytes: &[u8], model: &Model) -> Result<Self, ScriptError> {
        let value = parse(bytes, &shape::LAYER_OPTIONS)?;
        Reader::new(model, &mut Vec::new(), false).layer_options(&Json::root(&value))
    }
}

fn parse(bytes: &[u8], kind: &Kind) -> Result<Value, ScriptError> {
    if bytes.len() > MOST_BYTES {
        return Err(shape::too_large(bytes.len(), MOST_BYTES, &Place::ROOT));
    }
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let value = serde_json::from_slice(text).map_err(|error| ScriptError::JsonInvalid {
        place: format!("line {} column {}", error.line(), error.column()),
        found: error.to_string(),
    })?;
    shape::check(&value, kind, &Place::ROOT)?;
    Ok(value)
}

fn parameter(name: &str, value: &Json<'_>) -> Parameter {
    let (kind, start) = match (value.flag(), value.number()) {
        (Some(flag), _) => (ParameterKind::Boolean, f32::from(flag)),
        (_, Some(number)) => (ParameterKind::Number, number),
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
}
