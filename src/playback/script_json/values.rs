//! Asking a JSON value that has the right shape, and knowing where it stands.
use super::{ScriptError, shape};
use crate::refusal::Place;
use serde_json::Value;

#[derive(Clone, Copy)]
pub(super) struct Json<'a> {
    value: &'a Value,
    place: Place<'a>,
}

impl<'a> Json<'a> {
    pub(super) fn root(value: &'a Value) -> Self {
        Self { value, place: Place::ROOT }
    }

    pub(super) fn get<'b>(&'b self, name: &'b str) -> Option<Json<'b>> {
        Some(Json { value: self.value.get(name)?, place: self.place.field(name) })
    }

    /// The elements of an array; none where there is no such array.
    pub(super) fn elements(&self) -> impl Iterator<Item = Json<'_>> {
        let values = self.value.as_array().into_iter().flatten().enumerate();
        values.map(|(index, value)| Json { value, place: self.place.index(index) })
    }

    /// What an object holds, by name.
    pub(super) fn entries(&self) -> impl Iterator<Item = (&str, Json<'_>)> {
        let values = self.value.as_object().into_iter().flatten();
        values.map(|(name, value)| (name.as_str(), Json { value, place: self.place.field(name) }))
    }

    pub(super) fn is_null(&self) -> bool {
        self.value.is_null()
    }

    pub(super) fn text(&self) -> Option<&'a str> {
        self.value.as_str()
    }

    pub(super) fn flag(&self) -> Option<bool> {
        self.value.as_bool()
    }

    pub(super) fn double(&self) -> Option<f64> {
        self.value.as_f64()
    }

    pub(super) fn number(&self) -> Option<f32> {
        #[allow(
            clippy::cast_possible_truncation,
            reason = "the shape keeps numbers within what a single can hold"
        )]
        self.double().map(|number| number as f32)
    }

    /// A whole number that a `u32` can hold.
    pub(super) fn integer(&self) -> Option<u32> {
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "the shape has seen to it"
        )]
        self.double().map(|number| number as u32)
    }

    pub(super) fn word_of(&self, name: &str) -> &str {
        self.value.get(name).and_then(Value::as_str).unwrap_or_default()
    }

    pub(super) fn double_of(&self, name: &str) -> Option<f64> {
        self.value.get(name)?.as_f64()
    }

    pub(super) fn flag_of(&self, name: &str) -> Option<bool> {
        self.value.get(name)?.as_bool()
    }

    /// Where it stands, as a JSON pointer.
    pub(super) fn place(&self) -> String {
        self.place.pointer()
    }

    pub(super) fn missing(&self, name: &str) -> ScriptError {
        ScriptError::PropertyMissing { place: self.place.field(name).pointer(), found: "nothing".to_owned() }
    }

    pub(super) fn wrong(&self, expected: &str) -> ScriptError {
        shape::wrong(self.value, expected, &self.place)
    }

    pub(super) fn too_large(&self, count: usize, most: usize) -> ScriptError {
        shape::too_large(count, most, &self.place)
    }
}
