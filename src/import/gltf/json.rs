//! Access to a JSON value that passed the schema.
//!
//! There are no structs for its parts: serde's generated readers for glTF's schema take more space in the wasm module
//! than all the rest of this module.
use crate::json::Value;

/// An object or array of the file. Properties that the schema requires exist; those that are `null` count as absent.
#[derive(Clone, Copy)]
pub(super) struct Json<'a>(&'a Value);

impl<'a> Json<'a> {
    pub(super) fn new(value: &'a Value) -> Self {
        Self(value)
    }

    pub(super) fn get(self, name: &str) -> Option<Json<'a>> {
        self.0.get(name).filter(|value| !value.is_null()).map(Json)
    }

    /// Returns the value at a path, whose names are separated by slashes.
    pub(super) fn at(self, path: &str) -> Option<Json<'a>> {
        path.split('/').try_fold(self, Json::get)
    }

    /// Returns the elements of an array; none if there is no such array.
    pub(super) fn list(
        self,
        name: &str,
    ) -> impl DoubleEndedIterator<Item = Json<'a>> + ExactSizeIterator + use<'a> {
        self.values(name).iter().map(Json)
    }

    pub(super) fn count(self, name: &str) -> usize {
        self.values(name).len()
    }

    /// Returns one element of an array.
    pub(super) fn element(self, name: &str, index: usize) -> Option<Json<'a>> {
        self.values(name).get(index).map(Json)
    }

    /// Returns the names in an object.
    pub(super) fn names(self) -> impl Iterator<Item = &'a str> {
        self.0.entries().iter().map(|(name, _)| name.as_str())
    }

    pub(super) fn text(self, name: &str) -> Option<&'a str> {
        self.0.get(name)?.as_str()
    }

    /// Returns an array of texts. Elements that aren't texts become empty.
    pub(super) fn texts(self, name: &str) -> impl Iterator<Item = &'a str> + use<'a> {
        self.values(name).iter().map(|value| value.as_str().unwrap_or_default())
    }

    /// Returns the name of this object; empty if it has none.
    pub(super) fn name(self) -> String {
        self.text("name").unwrap_or_default().to_owned()
    }

    pub(super) fn flag(self, name: &str) -> bool {
        self.flag_or(name, false)
    }

    pub(super) fn flag_or(self, name: &str, default: bool) -> bool {
        self.0.get(name).and_then(Value::as_bool).unwrap_or(default)
    }

    pub(super) fn integer(self, name: &str) -> Option<u64> {
        self.0.get(name)?.as_integer()
    }

    /// Returns an index or another small number.
    pub(super) fn index(self, name: &str) -> Option<usize> {
        usize::try_from(self.integer(name)?).ok()
    }

    /// Returns an array of indices.
    pub(super) fn indices(self, name: &str) -> impl DoubleEndedIterator<Item = usize> + use<'a> {
        self.values(name).iter().filter_map(|value| usize::try_from(value.as_integer()?).ok())
    }

    pub(super) fn number(self, name: &str) -> Option<f32> {
        self.0.get(name)?.as_f64().map(single)
    }

    pub(super) fn numbers(self, name: &str) -> impl ExactSizeIterator<Item = f32> + use<'a> {
        self.values(name).iter().map(|value| value.as_f64().map_or(0.0, single))
    }

    /// Returns the numbers of this value, which is a number or an array.
    pub(super) fn into_numbers(self) -> impl Iterator<Item = f32> + use<'a> {
        let numbers = self.0.as_array().unwrap_or(std::slice::from_ref(self.0));
        numbers.iter().filter_map(|number| number.as_f64().map(single))
    }

    /// Returns an array of exactly `COUNT` numbers; `None` if there is no such array.
    pub(super) fn array<const COUNT: usize>(self, name: &str) -> Option<[f32; COUNT]> {
        let mut array = [0.0; COUNT];
        let numbers = self.numbers(name);
        if numbers.len() != COUNT {
            return None;
        }
        array.iter_mut().zip(numbers).for_each(|(slot, number)| *slot = number);
        Some(array)
    }

    pub(super) fn extension(self, name: &str) -> Option<Json<'a>> {
        self.get("extensions")?.get(name)
    }

    fn values(self, name: &str) -> &'a [Value] {
        self.0.get(name).map_or(&[], Value::elements)
    }
}

#[allow(clippy::cast_possible_truncation, reason = "the schema keeps numbers within what a single can hold")]
fn single(number: f64) -> f32 {
    number as f32
}
