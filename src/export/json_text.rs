//! Writer of JSON text, from the inside out: each value is built as its own text.
use std::fmt::Write;

/// The text of one value.
pub(super) struct Json(String);

impl Json {
    /// Wraps text that is JSON already.
    pub(super) fn written(text: String) -> Self {
        Self(text)
    }

    pub(super) fn into_text(self) -> String {
        self.0
    }
}

impl From<usize> for Json {
    fn from(number: usize) -> Self {
        Self(number.to_string())
    }
}

impl From<bool> for Json {
    fn from(flag: bool) -> Self {
        Self(flag.to_string())
    }
}

impl From<f32> for Json {
    /// Writes the fewest digits that read back as the same single. Numbers that aren't finite become 0.
    fn from(number: f32) -> Self {
        if !number.is_finite() {
            return Self("0".to_owned());
        }
        let text = format!("{number:?}");
        Self(text.strip_suffix(".0").map(str::to_owned).unwrap_or(text))
    }
}

impl From<&str> for Json {
    fn from(text: &str) -> Self {
        let mut written = String::with_capacity(text.len() + 2);
        written.push('"');
        for character in text.chars() {
            match character {
                '"' => written.push_str("\\\""),
                '\\' => written.push_str("\\\\"),
                // Writing to a string can't fail.
                '\0'..' ' => drop(write!(written, "\\u{:04x}", u32::from(character))),
                _ => written.push(character),
            }
        }
        written.push('"');
        Self(written)
    }
}

impl<T: Into<Json>, const N: usize> From<[T; N]> for Json {
    fn from(elements: [T; N]) -> Self {
        list(elements)
    }
}

impl<T: Into<Json>> From<Vec<T>> for Json {
    fn from(elements: Vec<T>) -> Self {
        list(elements)
    }
}

impl From<Object> for Json {
    fn from(object: Object) -> Self {
        Self(if object.is_empty() { "{}".to_owned() } else { object.0 + "}" })
    }
}

fn list<T: Into<Json>>(elements: impl IntoIterator<Item = T>) -> Json {
    let mut text = String::from("[");
    for element in elements {
        if text.len() > 1 {
            text.push(',');
        }
        text.push_str(&element.into().0);
    }
    text.push(']');
    Json(text)
}

/// An object under construction.
#[derive(Default)]
pub(super) struct Object(String);

impl Object {
    pub(super) fn new() -> Self {
        Self::default()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn with(mut self, name: &str, value: impl Into<Json>) -> Self {
        self.0.push(if self.is_empty() { '{' } else { ',' });
        self.0.push_str(&Json::from(name).0);
        self.0.push(':');
        self.0.push_str(&value.into().0);
        self
    }

    pub(super) fn with_some(self, name: &str, value: Option<impl Into<Json>>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    /// Adds a property unless it has its default value, which readers assume.
    pub(super) fn with_unless<T: PartialEq + Into<Json>>(self, default: T, name: &str, value: T) -> Self {
        if value == default { self } else { self.with(name, value) }
    }

    /// Adds a list unless it is empty, since glTF forbids empty lists.
    pub(super) fn with_list<T: Into<Json>>(self, name: &str, elements: Vec<T>) -> Self {
        if elements.is_empty() { self } else { self.with(name, elements) }
    }

    /// Adds an object unless it is empty.
    pub(super) fn with_any(self, name: &str, object: Object) -> Self {
        if object.is_empty() { self } else { self.with(name, object) }
    }

    /// Adds a name unless it is empty.
    pub(super) fn with_name(self, name: &str) -> Self {
        if name.is_empty() { self } else { self.with("name", name) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{Value, parse};

    #[test]
    fn singles_read_back_to_the_same_bits() {
        let mut bits = 1_u32;
        for _ in 0..200_000 {
            bits = bits.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let number = f32::from_bits(bits);
            if !number.is_finite() {
                continue;
            }
            let Json(text) = number.into();
            let Ok(Value::Number(read)) = parse(text.as_bytes()) else { panic!("{text}") };
            #[allow(clippy::cast_possible_truncation, reason = "as an importer does")]
            let read = read as f32;
            assert_eq!(read.to_bits(), number.to_bits(), "{text}");
        }
        let texts = [0.1, 1.0, -0.0, 1e-7, 3e20].map(|number: f32| Json::from(number).0);
        assert_eq!(texts, ["0.1", "1", "-0", "1e-7", "3e20"]);
    }

    #[test]
    fn text_reads_back_whatever_stands_in_it() {
        for text in ["", "a\"b\\c", "\u{0}\n\t\u{1f}\u{7f}", "Zoë 🦊 \u{2028}"] {
            let Json(written) = text.into();
            assert_eq!(parse(written.as_bytes()).ok(), Some(Value::String(text.to_owned())), "{written}");
        }
    }

    #[test]
    fn what_is_empty_is_left_out() {
        let object = Object::new()
            .with_name("")
            .with_list("list", Vec::<usize>::new())
            .with_any("object", Object::new())
            .with_some("value", None::<usize>)
            .with_unless(1.0, "scale", 1.0);
        assert_eq!(Json::from(object).0, "{}");
        let object = Object::new().with("a", [1.5, 2.0]).with("b", vec![true]).with("c", Object::new());
        assert_eq!(Json::from(object).0, r#"{"a":[1.5,2],"b":[true],"c":{}}"#);
    }
}
