//! Why a file or document is refused: what is wrong, where it stands, what was found there, and advice.
use crate::json::Value;
use std::fmt;

// One row a problem: code, words and advice come from one table, and fixtures can be held against `CODES`. Rows after a
// condition are only where it holds: the core's download carries no words for files that it can't read.
macro_rules! refusals {
    (
        $(#[$doc:meta])*
        $name:ident, $kind:ident
        $($variant:ident $code:literal $problem:literal, $advice:literal;)*
        $(#[cfg($condition:meta)] {
            $($gated_variant:ident $gated_code:literal $gated_problem:literal, $gated_advice:literal;)*
        })?
    ) => {
        $(#[$doc])*
        // One pointer: results that carry it stay small.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct $name(Box<$crate::refusal::Refusal<$kind>>);

        #[doc = concat!("What [`", stringify!($name), "`] is about.")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum $kind {
            $(#[doc = $problem] $variant,)*
            $($(#[doc = $gated_problem] #[cfg($condition)] $gated_variant,)*)?
        }

        impl $kind {
            /// Code, problem and advice of each.
            const TABLE: &'static [[&'static str; 3]] = &[
                $([$code, $problem, $advice],)*
                $($(#[cfg($condition)] [$gated_code, $gated_problem, $gated_advice],)*)?
            ];

            /// An error with this problem: the place that it has, and what was found there.
            #[cold]
            pub(crate) fn at(self, place: String, found: String) -> $name {
                $name(Box::new($crate::refusal::Refusal { problem: self, place, found }))
            }
        }

        impl $name {
            /// Every code that [`code`](Self::code) can give.
            pub const CODES: &'static [&'static str] = &[
                $($code,)*
                $($(#[cfg($condition)] $gated_code,)*)?
            ];

            /// What is wrong.
            pub fn problem(&self) -> $kind {
                self.0.problem
            }

            /// Stable: pages switch on it.
            pub fn code(&self) -> &'static str {
                self.words()[0]
            }

            /// A JSON pointer such as `/skins/0/joints/3`, `line 3 column 7` or `byte 20`; empty for the root.
            pub fn place(&self) -> &str {
                &self.0.place
            }

            /// What stands at that place, in a few words.
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

/// A JSON pointer under construction: a chain on the stack, written out only when there is something to say about it.
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

    /// Such as `/skins/0/joints/3`, as RFC 6901 writes it.
    pub(crate) fn pointer(&self) -> String {
        let mut pointer = self.parent.map(Place::pointer).unwrap_or_default();
        match self.step {
            Step::Root => {}
            Step::Field(name) => push_step(&mut pointer, name),
            Step::Index(index) => push_step(&mut pointer, &index.to_string()),
        }
        pointer
    }

    /// A place in a container, outside its JSON.
    pub(crate) fn byte(offset: usize) -> String {
        format!("byte {offset}")
    }
}

/// Makes a JSON pointer longer by a name or number.
pub(crate) fn push_step(pointer: &mut String, step: &str) {
    pointer.push('/');
    pointer.push_str(&step.replace('~', "~0").replace('/', "~1"));
}

/// The place of one element of a root array, such as `/accessors/3`.
pub(crate) fn element(array: &str, index: usize) -> String {
    Place::ROOT.field(array).index(index).pointer()
}

/// What stands there, in a few words.
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

/// As much of a text as a message can hold.
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
