//! First error in a document. Reading continues after it with placeholder values, and its result is discarded.
use super::names::Names;
use super::{ScriptError, ScriptProblem};
use crate::json::Value;
use crate::refusal::{excerpt, push_step, shortened};

pub(super) struct Refusals<'a> {
    document: &'a Value,
    pub(super) first: Option<ScriptError>,
}

impl<'a> Refusals<'a> {
    pub(super) fn of(document: &'a Value) -> Self {
        Self { document, first: None }
    }

    /// Records an error if it is the first. `at` is a value of the document, and `below` the name of a property that
    /// it lacks, or empty.
    pub(super) fn refuse(&mut self, at: &Value, below: &str, found: String, problem: ScriptProblem) {
        if self.first.is_none() {
            let mut place = String::new();
            locate(self.document, at, &mut place);
            if !below.is_empty() {
                push_step(&mut place, below);
            }
            self.first = Some(problem.at(place, found));
        }
    }

    pub(super) fn wrong(&mut self, at: &Value, expected: &str) {
        let found = ["expected ", expected, ", found ", &excerpt(at)].concat();
        self.refuse(at, "", found, ScriptProblem::ValueWrong);
    }

    pub(super) fn missing(&mut self, at: &Value, name: &str) {
        self.refuse(at, name, "nothing".into(), ScriptProblem::PropertyMissing);
    }

    /// Returns whether `count` is at most `most`, and otherwise records an error.
    pub(super) fn allows(&mut self, at: &Value, count: usize, most: usize) -> bool {
        if count > most {
            let found = [&count.to_string(), " where at most ", &most.to_string(), " can be"].concat();
            self.refuse(at, "", found, ScriptProblem::TooLarge);
        }
        count <= most
    }

    /// Returns the index of a name. For an unknown name it records an error and returns 0.
    pub(super) fn find(&mut self, at: &Value, name: &str, names: &Names, problem: ScriptProblem) -> usize {
        names.find(name).unwrap_or_else(|| {
            self.unknown(at, name, names, problem);
            0
        })
    }

    pub(super) fn unknown(&mut self, at: &Value, name: &str, names: &Names, problem: ScriptProblem) {
        if self.first.is_none() {
            let mut found = shortened(name).to_owned();
            names.list(&mut found);
            self.refuse(at, "", found, problem);
        }
    }
}

/// Writes the JSON pointer of a value, which it finds by address: places cost nothing until there is an error.
/// Returns whether the value was found.
fn locate(value: &Value, wanted: &Value, pointer: &mut String) -> bool {
    if std::ptr::eq(value, wanted) {
        return true;
    }
    let before = pointer.len();
    let mut is_below = |step: &str, value: &Value| {
        push_step(pointer, step);
        let found = locate(value, wanted, pointer);
        if !found {
            pointer.truncate(before);
        }
        found
    };
    match value {
        Value::Array(values) => (0_usize..).zip(values).any(|(nth, value)| is_below(&nth.to_string(), value)),
        _ => value.entries().iter().any(|(name, value)| is_below(name, value)),
    }
}
