//! Asking a JSON value that has the right shape. What isn't there is nothing, 0 or the first word.
use serde_json::Value;

/// The elements of an array.
pub(super) fn list<'a>(object: &'a Value, name: &str) -> &'a [Value] {
    object.get(name).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// What an object holds, by name.
///
/// A list, since each loop over the map itself would bring the whole of its iterator along.
#[inline(never)]
pub(super) fn entries(object: Option<&Value>) -> Vec<(&str, &Value)> {
    let mut entries = Vec::new();
    if let Some(object) = object.and_then(Value::as_object) {
        for (name, value) in object {
            entries.push((name.as_str(), value));
        }
    }
    entries
}

pub(super) fn text<'a>(object: &'a Value, name: &str) -> &'a str {
    object.get(name).and_then(Value::as_str).unwrap_or_default()
}

pub(super) fn number(object: &Value, name: &str) -> Option<f64> {
    object.get(name)?.as_f64()
}

pub(super) fn flag(object: &Value, name: &str) -> Option<bool> {
    object.get(name)?.as_bool()
}

/// Which of the words it is.
pub(super) fn word(object: &Value, name: &str, words: &[&str]) -> usize {
    let found = text(object, name);
    words.iter().position(|word| *word == found).unwrap_or_default()
}

#[allow(clippy::cast_possible_truncation, reason = "the shape keeps numbers within what a single can hold")]
pub(super) fn single(value: &Value) -> f32 {
    value.as_f64().unwrap_or_default() as f32
}

/// A whole number that a `u32` can hold.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the shape has seen to it")]
pub(super) fn integer(value: &Value) -> u32 {
    value.as_f64().unwrap_or_default() as u32
}
