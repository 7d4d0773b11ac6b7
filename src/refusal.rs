//! Errors about a refused file or document: what is wrong, the place, what was found there, and advice.
use crate::json::Value;
use std::fmt;

// Each problem is one row, so that code, text and advice come from one table and tests can compare fixtures with
// `CODES`. Rows under a `cfg` exist only where it holds: the core's download has no texts about formats that it can't
// read.
macro_rules! refusals {
    (
        $(#[$doc:meta])*
        $name:ident, $kind:ident
        $($variant:ident $code:literal $problem:literal, $advice:literal;)*
        $(#[cfg($condition:meta)] {
            $($gated_variant:ident $gated_code:literal $gated_problem:literal, $gated_advice:literal;)*
        })*
    ) => {
        $(#[$doc])*
        // Boxed, so that results with this error stay small.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct $name(Box<$crate::refusal::Refusal<$kind>>);

        #[doc = concat!("What [`", stringify!($name), "`] is about.")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum $kind {
            $(#[doc = $problem] $variant,)*
            $($(#[doc = $gated_problem] #[cfg($condition)] $gated_variant,)*)*
        }

        impl $kind {
            /// Code, problem and advice of each variant.
            const TABLE: &'static [[&'static str; 3]] = &[
                $([$code, $problem, $advice],)*
                $($(#[cfg($condition)] [$gated_code, $gated_problem, $gated_advice],)*)*
            ];

            /// Creates an error with this problem, at `place`, with a description of what was found there.
            #[cold]
            pub(crate) fn at(self, place: String, found: String) -> $name {
                $name(Box::new($crate::refusal::Refusal { problem: self, place, found }))
            }
        }

        impl $name {
            /// All codes that [`code`](Self::code) can return.
            pub const CODES: &'static [&'static str] = &[
                $($code,)*
                $($(#[cfg($condition)] $gated_code,)*)*
            ];

            /// The kind of problem.
            pub fn problem(&self) -> $kind {
                self.0.problem
            }

            /// A stable code, which pages may compare with.
            pub fn code(&self) -> &'static str {
                self.words()[0]
            }

            /// The place of the problem: a JSON pointer such as `/skins/0/joints/3`, `line 3 column 7` or `byte 20`.
            /// Empty for the root.
            pub fn place(&self) -> &str {
                &self.0.place
            }

            /// A short description of what was found at that place.
            pub fn found(&self) -> &str {
                &self.0.found
            }

            fn words(&self) -> [&'static str; 3] {
                $kind::TABLE.get(self.0.problem as usize).copied().unwrap_or_default()
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                let [_, problem, advice] = self.words();
                $crate::refusal::write(f, [problem, self.found(), self.place(), advice])
            }
        }

        impl std::error::Error for $name {}
    };
}
pub(crate) use refusals;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal<Problem> {
    pub(crate) problem: Problem,
    pub(crate) place: String,
    pub(crate) found: String,
}

pub(crate) fn write(f: &mut fmt::Formatter<'_>, parts: [&str; 4]) -> fmt::Result {
    let [problem, found, place, advice] = parts;
    let place = if place.is_empty() { "the root" } else { place };
    for part in [problem, ": ", found, ", at ", place, ". ", advice] {
        f.write_str(part)?;
    }
    Ok(())
}

/// A JSON pointer as a linked list on the stack. It becomes a string only when an error or warning needs it.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a> {
    parent: Option<&'a Place<'a>>,
    step: Step<'a>,
}

#[derive(Clone, Copy)]
enum Step<'a> {
    Root,
    Field(&'a str),
    Index(usize),
}

impl<'a> Place<'a> {
    pub(crate) const ROOT: Place<'static> = Place { parent: None, step: Step::Root };

    #[inline(never)]
    pub(crate) fn field(&'a self, name: &'a str) -> Place<'a> {
        Place { parent: Some(self), step: Step::Field(name) }
    }

    #[inline(never)]
    pub(crate) fn index(&'a self, index: usize) -> Place<'a> {
        Place { parent: Some(self), step: Step::Index(index) }
    }

    /// Returns the pointer as RFC 6901 writes it, such as `/skins/0/joints/3`.
    pub(crate) fn pointer(&self) -> String {
        let mut pointer = self.parent.map(Place::pointer).unwrap_or_default();
        match self.step {
            Step::Root => {}
            Step::Field(name) => push_step(&mut pointer, name),
            Step::Index(index) => push_step(&mut pointer, &index.to_string()),
        }
        pointer
    }

    /// Returns a place in a binary file or container, such as `byte 20`.
    pub(crate) fn byte(offset: usize) -> String {
        format!("byte {offset}")
    }
}

/// Appends a name or number to a JSON pointer.
pub(crate) fn push_step(pointer: &mut String, step: &str) {
    pointer.push('/');
    for letter in step.chars() {
        match letter {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            _ => pointer.push(letter),
        }
    }
}

/// Returns the place of one element of a root array, such as `/accessors/3`.
pub(crate) fn element(array: &str, index: usize) -> String {
    Place::ROOT.field(array).index(index).pointer()
}

/// Returns a short description of a value, for an error.
pub(crate) fn excerpt(value: &Value) -> String {
    match value {
        Value::Null => "null".into(),
        Value::Bool(_) => "true or false".into(),
        Value::Number(number) => {
            let sign = if *number < 0.0 { "-" } else { "" };
            let whole = Value::Number(number.abs()).as_integer();
            whole.map_or("a number".into(), |whole| [sign, &whole.to_string()].concat())
        }
        Value::String(text) => shortened(text).into(),
        Value::Array(values) => [&values.len().to_string(), " elements"].concat(),
        Value::Object(_) => "an object".into(),
    }
}

/// Returns the beginning of a text, at most 40 bytes, for a message.
pub(crate) fn shortened(text: &str) -> &str {
    text.get(..text.floor_char_boundary(40)).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pointers_escape_what_rfc_6901_reserves() {
        let root = Place::ROOT;
        let extensions = root.field("a/b~c");
        assert_eq!(extensions.index(7).pointer(), "/a~1b~0c/7");
        assert_eq!(root.pointer(), "");
    }
}
