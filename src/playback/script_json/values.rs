//! Access to JSON values whose shape has been checked. Missing values are empty, `None`, 0 or the first word.
use crate::json::Value;

/// Returns the elements of an array property.
pub(super) fn list<'a>(object: &'a Value, name: &str) -> &'a [Value] {
    object.get(name).map_or(&[], Value::elements)
}

/// Returns the names and values of an object property.
pub(super) fn entries<'a>(object: &'a Value, name: &str) -> &'a [(String, Value)] {
    object.get(name).map_or(&[], Value::entries)
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

/// Returns the index of a text property in `words`; 0 if it isn't among them.
pub(super) fn word(object: &Value, name: &str, words: &[&str]) -> usize {
    let found = text(object, name);
    words.iter().position(|word| *word == found).unwrap_or_default()
}

#[allow(clippy::cast_possible_truncation, reason = "the shape keeps numbers within what a single can hold")]
pub(super) fn single(value: &Value) -> f32 {
    value.as_f64().unwrap_or_default() as f32
}

/// Returns an integer, which the checked shape limits to the range of `u32`.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the shape has seen to it")]
pub(super) fn integer(value: &Value) -> u32 {
    value.as_f64().unwrap_or_default() as u32
}
